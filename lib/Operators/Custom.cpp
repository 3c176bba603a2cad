//===- Custom.cpp - Operators that only the user knows --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Operators/Custom.h"
#include "Mirage/Numbers/Random.h"
#include "Mirage/Operators/Elementwise.h"
#include "OperatorDefinitions.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/xxhash.h"
#include <map>
#include <mutex>

using namespace mirage;

bool mirage::isFunctionName(llvm::StringRef name) {
  if (name.empty() || !(llvm::isAlpha(name[0]) || name[0] == '_') ||
      !llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; }))
    return false;
  bool isWord =
      llvm::StringSwitch<bool>(name)
          .Cases({"axiom", "function", "forall", "and", "or", "not"}, true)
          .Default(false);
  return !isWord && !lookupOperator(name);
}

namespace {
struct Names {
  std::mutex mutex;
  std::map<int64_t, std::string> byNumber;
  std::map<int64_t, FunctionDefinition> definitions;
};
} // namespace

static Names &getNames() {
  static Names names;
  return names;
}

int64_t mirage::internFunctionName(llvm::StringRef name) {
  Names &names = getNames();
  std::lock_guard<std::mutex> lock(names.mutex);
  auto number = static_cast<int64_t>(llvm::xxh3_64bits(name));
  while (names.byNumber.try_emplace(number, name.str()).first->second != name)
    ++number;
  return number;
}

std::string mirage::getFunctionName(int64_t number) {
  Names &names = getNames();
  std::lock_guard<std::mutex> lock(names.mutex);
  auto it = names.byNumber.find(number);
  return it == names.byNumber.end() ? "" : it->second;
}

void mirage::defineFunction(int64_t number, FunctionDefinition definition) {
  Names &names = getNames();
  std::lock_guard<std::mutex> lock(names.mutex);
  names.definitions.try_emplace(number, std::move(definition));
}

/// Null: nobody has defined it. What is defined stays.
static const FunctionDefinition *findDefinition(int64_t number) {
  Names &names = getNames();
  std::lock_guard<std::mutex> lock(names.mutex);
  auto it = names.definitions.find(number);
  return it == names.definitions.end() ? nullptr : &it->second;
}

bool mirage::isFunctionDefined(int64_t number) {
  return findDefinition(number) != nullptr;
}

namespace {

/// One parameter: the number of the function's name. Operands: one or more.
class Custom final : public ElementwiseOperator {
public:
  Custom() : ElementwiseOperator("custom", 0) {}
  bool isOpaque() const override { return true; }
  Params readParams(mlir::Operation *op) const override {
    return {internFunctionName(
        op->getAttrOfType<mlir::StringAttr>("function").getValue())};
  }
  void writeParams(mlir::OperationState &state,
                   const Params &params) const override {
    state.addAttribute(
        "function",
        mlir::StringAttr::get(state.getContext(), getFunctionName(params[0])));
  }
  /// Where a definition is asked for that nobody has given, it is some function
  /// that satisfies no algebraic law, defined everywhere.
  Term getFormula(ScalarAlgebra &a, llvm::ArrayRef<Term> x,
                  const Params &params) const override {
    auto makeWeight = [&](uint64_t i) {
      uint64_t word = mix(mix(params[0]) ^ i);
      return a.constant(static_cast<double>(word >> 12) * 0x1p-52 + 0.5);
    };
    return a.function(getFunctionName(params[0]), x, [&] {
      if (const FunctionDefinition *definition = findDefinition(params[0]))
        return (*definition)(a, x);
      Term sum = makeWeight(0);
      for (size_t i = 0; i < x.size(); ++i)
        sum = a.add(sum, a.mul(makeWeight(i + 1), x[i]));
      return a.erf(sum);
    });
  }
};

} // namespace

void mirage::addCustomOperator(OperatorList &list) {
  list.push_back(std::make_unique<Custom>());
}
