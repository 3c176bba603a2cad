//===- MugraphJSONTest.cpp - Import of saved μGraphs ----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Target/MugraphJSON.h"
#include "Mirage/Mugraph/Conversion.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <random>

using namespace mirage;
using namespace mlir;
namespace json = llvm::json;

namespace {

std::string readPeerFile(StringRef name) {
  auto buffer = llvm::MemoryBuffer::getFile(MIRAGE_PEER_MUGRAPHS "/" + name);
  EXPECT_TRUE(static_cast<bool>(buffer)) << name.str();
  return buffer ? (*buffer)->getBuffer().str() : "";
}

struct PeerFile {
  const char *name;
  unsigned candidates;
};
constexpr PeerFile kPeerFiles[] = {{"gated_mlp.json", 32},
                                   {"gqa_bs1.json", 28},
                                   {"lora.json", 4},
                                   {"rmsnorm_bs8.json", 20}};

/// What the importer says must hold of any text: errors, or verified functions
/// that are kernel graphs.
void expectErrorsOrGraphs(StringRef text, MLIRContext &context) {
  ImportedMugraphs imported = importMugraphJSON(text, &context);
  ASSERT_TRUE(imported.module);
  bool isEmpty = imported.module->getBody()->empty();
  EXPECT_TRUE(!isEmpty || !imported.errors.empty());
  for (const MugraphJSONError &error : imported.errors)
    EXPECT_FALSE(error.message.empty());
  EXPECT_TRUE(succeeded(verify(*imported.module)));
  for (auto function : imported.module->getOps<func::FuncOp>())
    EXPECT_TRUE(succeeded(importKernelGraph(function)));
}

TEST(MugraphJSON, PeerFiles) {
  for (PeerFile file : kPeerFiles) {
    MLIRContext context;
    ImportedMugraphs imported =
        importMugraphJSON(readPeerFile(file.name), &context);
    EXPECT_TRUE(imported.errors.empty());
    ASSERT_TRUE(imported.module && succeeded(verify(*imported.module)));
    unsigned count = 0;
    for (auto function : imported.module->getOps<func::FuncOp>()) {
      EXPECT_EQ(function.getSymName(), "candidate_" + std::to_string(count++));
      EXPECT_TRUE(succeeded(importKernelGraph(function)));
    }
    EXPECT_EQ(count, file.candidates);
  }
}

TEST(MugraphJSON, WrongCandidatesAreLeftOut) {
  MLIRContext context;
  std::string text = readPeerFile("lora.json");
  json::Value file = cantFail(json::parse(text));
  (*file.getAsArray())[1] = nullptr;
  ImportedMugraphs imported =
      importMugraphJSON(llvm::formatv("{0}", file).str(), &context);
  ASSERT_EQ(imported.errors.size(), 1u);
  EXPECT_EQ(imported.errors[0].message,
            "candidate 1: is not a list of operators");
  EXPECT_FALSE(imported.module->lookupSymbol("candidate_1"));
  EXPECT_TRUE(imported.module->lookupSymbol("candidate_3"));
}

TEST(MugraphJSON, Places) {
  MLIRContext context;
  auto getPlace = [&](StringRef text) {
    ImportedMugraphs imported = importMugraphJSON(text, &context);
    EXPECT_EQ(imported.errors.size(), 1u);
    return imported.errors.front().getPlace("f");
  };
  EXPECT_EQ(getPlace("[[\n  {}]]"), "f:2:3");
  EXPECT_EQ(getPlace("[ {\"op_type\": \"a\\\"]\", \"x\": [1, {}]}]"), "f:1:3");
  EXPECT_EQ(getPlace("[[\n"
                     "  {\"op_type\": \"kn_customized_op\", \"bgraph\": [],\n"
                     "   \"input_tensors\": [], \"output_tensors\": [],\n"
                     "   \"bgraph\": {\"forloop_range\": 1,\n"
                     "    \"grid_dim\": {\"x\": 1, \"y\": 1, \"z\": 1},\n"
                     "    \"operators\":\n"
                     "      [{\"op_type\": \"exp\"}]}}]]"),
            "f:7:8");
}

TEST(MugraphJSON, LooksLikeJSON) {
  EXPECT_TRUE(looksLikeMugraphJSON(" \n[["));
  EXPECT_TRUE(looksLikeMugraphJSON("{\"op_type\""));
  EXPECT_TRUE(looksLikeMugraphJSON("{ }"));
  EXPECT_FALSE(looksLikeMugraphJSON("{-# dialect_resources"));
  EXPECT_FALSE(looksLikeMugraphJSON("func.func @f()"));
  EXPECT_FALSE(looksLikeMugraphJSON("module {}"));
  EXPECT_FALSE(looksLikeMugraphJSON(""));
}

//===----------------------------------------------------------------------===//
// Mutations
//===----------------------------------------------------------------------===//

/// Changes JSON values at random places, the same for the same seed.
class Mutator {
public:
  explicit Mutator(unsigned seed) : random(seed) {}

  unsigned pick(unsigned count) { return random() % count; }

  /// Changes one value in `root`.
  void mutate(json::Value &root) {
    json::Value *value = &root;
    // Down to a leaf, or a while.
    while (pick(12) != 0) {
      json::Value *next = getChild(*value);
      if (!next)
        break;
      value = next;
    }
    if (json::Array *array = value->getAsArray(); array && !array->empty()) {
      size_t a = pick(array->size()), b = pick(array->size());
      switch (pick(4)) {
      case 0:
        array->erase(array->begin() + a);
        return;
      case 1:
        std::swap((*array)[a], (*array)[b]);
        return;
      case 2:
        array->push_back(json::Value((*array)[a]));
        return;
      }
    }
    if (json::Object *object = value->getAsObject();
        object && !object->empty() && pick(3) != 0) {
      object->erase(std::next(object->begin(), pick(object->size()))->first);
      return;
    }
    if (auto integer = value->getAsInteger(); integer && pick(2)) {
      const int64_t changes[] = {*integer + 1, *integer - 1, *integer * 2,
                                 *integer / 2};
      *value = changes[pick(4)];
      return;
    }
    *value = getRandomValue();
  }

private:
  json::Value *getChild(json::Value &value) {
    if (json::Array *array = value.getAsArray(); array && !array->empty())
      return &(*array)[pick(array->size())];
    if (json::Object *object = value.getAsObject(); object && !object->empty())
      return &std::next(object->begin(), pick(object->size()))->second;
    return nullptr;
  }

  json::Value getRandomValue() {
    static const char *const types[] = {"kn_exp_op",
                                        "kn_input_op",
                                        "kn_output_op",
                                        "kn_customized_op",
                                        "kn_reduction_1_op",
                                        "tb_input_op",
                                        "tb_output_op",
                                        "tb_matmul_op",
                                        "tb_exp_op",
                                        "tb_div_op",
                                        "tb_concat_1_op",
                                        "tb_reduction_0_to_dimx_op",
                                        "tb_rms_norm_op",
                                        "tb_accum_nored_op",
                                        "tb_forloop_accum_max_op",
                                        "tb_concat_9_op",
                                        "tb_accum_red_ld_rms_op",
                                        "tb_mul_scalar_op",
                                        "kn_rms_norm_op",
                                        "tb_accum_redtox_ld_sum_op",
                                        "",
                                        "\xc3\xa9"};
    static const int64_t integers[] = {-1,
                                       0,
                                       1,
                                       2,
                                       3,
                                       64,
                                       128,
                                       1 << 20,
                                       int64_t(1) << 40,
                                       std::numeric_limits<int32_t>::max(),
                                       std::numeric_limits<int64_t>::max(),
                                       std::numeric_limits<int64_t>::min()};
    switch (pick(8)) {
    case 0:
      return nullptr;
    case 1:
      return bool(pick(2));
    case 2:
      return 1e300;
    case 3:
      return json::Array();
    case 4:
      return json::Object();
    case 5:
      return types[pick(std::size(types))];
    default:
      return integers[pick(std::size(integers))];
    }
  }

  std::mt19937 random;
};

TEST(MugraphJSON, MutatedValues) {
  MLIRContext context;
  for (PeerFile file : kPeerFiles) {
    std::string text = readPeerFile(file.name);
    json::Value original = cantFail(json::parse(text));
    for (unsigned seed = 0; seed < 1500; ++seed) {
      Mutator mutator(seed);
      json::Array &candidates = *original.getAsArray();
      json::Value mutant =
          json::Array{candidates[mutator.pick(candidates.size())]};
      for (unsigned count = mutator.pick(3) + 1; count > 0; --count)
        mutator.mutate(mutant);
      SCOPED_TRACE(file.name + std::string(", seed ") + std::to_string(seed));
      expectErrorsOrGraphs(llvm::formatv("{0}", mutant).str(), context);
      if (HasFailure())
        return;
    }
  }
}

TEST(MugraphJSON, MutatedText) {
  MLIRContext context;
  std::string original = readPeerFile("lora.json").substr(0, 6000) + "]]";
  const StringRef pieces[] = {"\"",
                              "\\",
                              "[",
                              "]",
                              "{",
                              "}",
                              ",",
                              ":",
                              "1e999",
                              "-",
                              "null",
                              "\xff",
                              StringRef("\0", 1),
                              "\n"};
  for (unsigned seed = 0; seed < 1000; ++seed) {
    Mutator mutator(seed);
    std::string text = original;
    for (unsigned count = mutator.pick(4) + 1; count > 0; --count) {
      size_t at = mutator.pick(text.size());
      switch (mutator.pick(3)) {
      case 0:
        text.resize(at + 1);
        break;
      case 1:
        text.erase(at, mutator.pick(20));
        break;
      case 2:
        text.insert(at, pieces[mutator.pick(std::size(pieces))].str());
        break;
      }
    }
    SCOPED_TRACE("seed " + std::to_string(seed));
    expectErrorsOrGraphs(text, context);
    if (HasFailure())
      return;
  }
}

} // namespace
