//===- ImportTest.cpp - Imported programs compute what they did -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Every function of the import's lit tests is evaluated in f64 twice: as
// linalg, by MLIR's own lowering, and as the kernel graph that it is imported
// as.

#include "Mirage/Conversion/LinalgToMirage/Passes.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Interpreter/Interpreter.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Numbers/RealNumbers.h"
#include "Mirage/Pipelines/TosaToMirage.h"
#include "Mirage/Runtime/LinalgReference.h"
#include "Mirage/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <cmath>
#include <functional>

using namespace mirage;
using namespace mlir;

namespace {

class ImportFixture : public testing::Test {
protected:
  ImportFixture() {
    DialectRegistry registry;
    registry.insert<MirageDialect, kernel::KernelDialect, arith::ArithDialect,
                    func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                    memref::MemRefDialect, scf::SCFDialect,
                    tensor::TensorDialect, tosa::TosaDialect>();
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  /// Calls `visit` on the functions of the file, whose parts are parsed one by
  /// one, as -split-input-file does.
  void forEachFunction(StringRef file, function_ref<void(func::FuncOp)> visit) {
    auto buffer =
        llvm::MemoryBuffer::getFile(Twine(MIRAGE_TEST_DIR "/") + file);
    ASSERT_TRUE(bool(buffer)) << file.str();
    SmallVector<StringRef> parts;
    (*buffer)->getBuffer().split(parts, "// -----\n");
    for (StringRef part : parts) {
      auto module = parseSourceString<ModuleOp>(part, &context);
      ASSERT_TRUE(module) << part.str();
      PassManager pm(&context);
      buildTosaToLinalgPipeline(pm);
      ASSERT_TRUE(succeeded(pm.run(*module))) << part.str();
      for (auto function : module->getOps<func::FuncOp>())
        if (!function.isExternal())
          visit(function);
    }
  }

  MLIRContext context;
};

/// The parameter is the name of a file under test/.
class ImportTest : public ImportFixture,
                   public testing::WithParamInterface<const char *> {};

/// The same for a file in which some ops aren't imported, and the number of its
/// functions of that kind.
class OutlinedTest
    : public ImportFixture,
      public testing::WithParamInterface<std::pair<const char *, unsigned>> {};

/// Uniform in [lower, upper], the same for both evaluations.
Array makeInput(ArrayRef<int64_t> shape, uint64_t index, double lower,
                double upper) {
  Array array(shape, ElementType::F64);
  fillUniform(array, /*seed=*/7, index);
  for (int64_t i = 0; i < array.getNumElements(); ++i)
    array.set(i, lower + (array.get(i) + 1) / 2 * (upper - lower));
  return array;
}

Tensor toTensor(const Array &array, const NumberSystem &numbers) {
  Tensor tensor = numbers.zeros(array.shape);
  for (int64_t i = 0; i < array.getNumElements(); ++i)
    tensor.planes[0].as<double>()[i] = array.get(i);
  return tensor;
}

bool takesTensors(func::FuncOp function) {
  auto isTensor = [](Type type) { return isSupportedTensor(type); };
  return llvm::all_of(function.getArgumentTypes(), isTensor) &&
         llvm::all_of(function.getResultTypes(), isTensor);
}

/// What a function computes of inputs.
using Evaluator =
    std::function<std::vector<Tensor>(ArrayRef<Array>, const NumberSystem &)>;

std::vector<Tensor> toTensors(ArrayRef<Array> arrays,
                              const NumberSystem &numbers) {
  std::vector<Tensor> tensors;
  for (const Array &array : arrays)
    tensors.push_back(toTensor(array, numbers));
  return tensors;
}

Evaluator getEvaluator(const KernelGraph &graph) {
  return [graph](ArrayRef<Array> inputs, const NumberSystem &numbers) {
    return evaluate(graph, numbers, toTensors(inputs, numbers));
  };
}

/// Compares on inputs of a range; false where the program isn't defined on it.
bool compare(func::FuncOp program, const Evaluator &imported, double lower,
             double upper) {
  std::string name = program.getName().str();
  RealNumbers numbers;
  std::vector<Array> inputs;
  for (auto [i, type] : llvm::enumerate(program.getArgumentTypes()))
    inputs.push_back(
        makeInput(cast<RankedTensorType>(type).getShape(), i, lower, upper));
  std::vector<Tensor> tensors = toTensors(inputs, numbers);
  std::vector<Tensor> found = imported(inputs, numbers);
  std::vector<Tensor> expected;
  if (!findObstacle(program)) {
    // A kernel graph from the start, which is only simplified.
    expected = evaluate(*importKernelGraph(program), numbers, tensors);
  } else {
    auto results = evaluateLinalgF64(program, inputs);
    if (!results) {
      ADD_FAILURE() << name << ": " << llvm::toString(results.takeError());
      return true;
    }
    for (const Array &result : *results)
      expected.push_back(toTensor(result, numbers));
  }

  EXPECT_EQ(found.size(), expected.size()) << name;
  bool defined = true;
  for (size_t r = 0; r < std::min(found.size(), expected.size()); ++r) {
    EXPECT_EQ(found[r].shape, expected[r].shape) << name;
    if (found[r].shape != expected[r].shape)
      return true;
    for (int64_t i = 0; i < found[r].getNumElements(); ++i) {
      double a = found[r].planes[0].as<double>()[i];
      double b = expected[r].planes[0].as<double>()[i];
      if (!std::isfinite(b)) {
        defined = false;
        continue;
      }
      EXPECT_NEAR(a, b, 1e-9 * std::max(1.0, std::abs(b)))
          << name << ", result " << r << ", element " << i;
    }
  }
  return defined;
}

TEST_P(ImportTest, ComputesTheSame) {
  unsigned numCompared = 0;
  forEachFunction(GetParam(), [&](func::FuncOp program) {
    if (!takesTensors(program))
      return;
    auto imported = cast<func::FuncOp>(program->clone());
    OwningOpRef<ModuleOp> module = ModuleOp::create(program.getLoc());
    module->push_back(imported);
    {
      ScopedDiagnosticHandler quiet(&context,
                                    [](Diagnostic &) { return success(); });
      importLinalg(imported);
    }
    if (findObstacle(imported))
      return;
    FailureOr<KernelGraph> graph = importKernelGraph(imported);
    ASSERT_TRUE(succeeded(graph));
    // Roots and logarithms are defined on the second range only; the first has
    // negative numbers for the others.
    bool signed_ = compare(program, getEvaluator(*graph), -2, 2);
    bool positive = compare(program, getEvaluator(*graph), 0.5, 1.5);
    EXPECT_TRUE(signed_ || positive) << program.getName().str();
    ++numCompared;
  });
  EXPECT_GT(numCompared, 0u);
}

/// Where operands are computed by what isn't imported: these by MLIR, and then
/// the program that reads them (OutlinePrograms).
TEST_P(OutlinedTest, ComputesTheSame) {
  const auto [file, numExpected] = GetParam();
  unsigned numCompared = 0;
  forEachFunction(file, [&](func::FuncOp program) {
    if (!takesTensors(program))
      return;
    OwningOpRef<ModuleOp> module = ModuleOp::create(program.getLoc());
    auto imported = cast<func::FuncOp>(program->clone());
    module->push_back(imported);
    ScopedDiagnosticHandler quiet(&context,
                                  [](Diagnostic &) { return success(); });
    importLinalg(imported);
    PassManager pm(&context);
    pm.addPass(createOutlinePrograms());
    ASSERT_TRUE(succeeded(pm.run(*module)));
    auto calls = llvm::to_vector(imported.getOps<func::CallOp>());
    if (calls.size() != 1)
      return;
    FailureOr<KernelGraph> graph = importKernelGraph(
        module->lookupSymbol<func::FuncOp>(calls[0].getCallee()));
    ASSERT_TRUE(succeeded(graph));
    // The caller returns what it would pass.
    auto end = cast<func::ReturnOp>(imported.getBody().front().getTerminator());
    ASSERT_EQ(end.getOperands(), calls[0].getResults());
    end->setOperands(calls[0].getOperands());
    calls[0].erase();
    imported.setType(FunctionType::get(&context, program.getArgumentTypes(),
                                       end.getOperandTypes()));
    auto evaluateImported = [&](ArrayRef<Array> inputs,
                                const NumberSystem &numbers) {
      auto operands = evaluateLinalgF64(imported, inputs);
      if (!operands) {
        ADD_FAILURE() << llvm::toString(operands.takeError());
        return std::vector<Tensor>();
      }
      return evaluate(*graph, numbers, toTensors(*operands, numbers));
    };
    // As above.
    bool signed_ = compare(program, evaluateImported, -2, 2);
    bool positive = compare(program, evaluateImported, 0.5, 1.5);
    EXPECT_TRUE(signed_ || positive) << program.getName().str();
    ++numCompared;
  });
  EXPECT_EQ(numCompared, numExpected);
}

INSTANTIATE_TEST_SUITE_P(
    Files, OutlinedTest,
    testing::Values(std::pair("Conversion/LinalgToMirage/positions.mlir", 8u),
                    std::pair("Conversion/LinalgToMirage/infinity-tests.mlir",
                              3u),
                    std::pair("Conversion/LinalgToMirage/jax.mlir", 2u),
                    std::pair("Conversion/LinalgToMirage/torch.mlir", 6u)));

INSTANTIATE_TEST_SUITE_P(
    Files, ImportTest,
    testing::Values("Conversion/LinalgToMirage/broadcasting.mlir",
                    "Conversion/LinalgToMirage/comparisons.mlir",
                    "Conversion/LinalgToMirage/contractions.mlir",
                    "Conversion/LinalgToMirage/convolutions.mlir",
                    "Conversion/LinalgToMirage/elementwise.mlir",
                    "Conversion/LinalgToMirage/extrema.mlir",
                    "Conversion/LinalgToMirage/f64.mlir",
                    "Conversion/LinalgToMirage/formulas.mlir",
                    "Conversion/LinalgToMirage/functions.mlir",
                    "Conversion/LinalgToMirage/infinity-tests.mlir",
                    "Conversion/LinalgToMirage/jax.mlir",
                    "Conversion/LinalgToMirage/matmul.mlir",
                    "Conversion/LinalgToMirage/reductions.mlir",
                    "Conversion/LinalgToMirage/repeats.mlir",
                    "Conversion/LinalgToMirage/reshapes.mlir",
                    "Conversion/LinalgToMirage/scales.mlir",
                    "Conversion/LinalgToMirage/selects.mlir",
                    "Conversion/LinalgToMirage/rearranged.mlir",
                    "Conversion/LinalgToMirage/shared-batches.mlir",
                    "Conversion/LinalgToMirage/shared-shapes.mlir",
                    "Conversion/LinalgToMirage/simplify.mlir",
                    "Conversion/LinalgToMirage/slices.mlir",
                    "Conversion/LinalgToMirage/split-contractions.mlir",
                    "Conversion/LinalgToMirage/tensor-ops.mlir",
                    "Conversion/LinalgToMirage/torch.mlir",
                    "Conversion/LinalgToMirage/transposes.mlir",
                    "Pipelines/tosa-to-mirage.mlir"),
    [](const testing::TestParamInfo<const char *> &info) {
      std::string name;
      for (char c : StringRef(info.param).rsplit('/').second.drop_back(5))
        if (llvm::isAlnum(c))
          name += c;
      return name;
    });

} // namespace
