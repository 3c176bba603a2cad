//===- GraphTest.h - Kernels against the interpreter ------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_OPERATORS_GRAPHTEST_H
#define MIRAGE_UNITTESTS_OPERATORS_GRAPHTEST_H

#include "Mirage/Conversion/MirageToGPU/Passes.h"
#include "Mirage/InitAll.h"
#include "Mirage/Interpreter/Interpreter.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Numbers/RealNumbers.h"
#include "Mirage/Runtime/Runtime.h"
#include "Mirage/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"
#include <functional>
#include <random>

namespace mirage {

/// Which passes come before the conversion to the GPU.
struct GraphOptions {
  bool schedule = true;
  bool threadGraphs = true;
  bool specializeWarps = true;
  bool scheduleOperators = true;
  bool assignLayouts = true;
  bool planMemory = true;
  int64_t threads = 64;
  /// What to do to a module before its operators are scheduled.
  std::function<void(mlir::ModuleOp)> beforePlans;
  /// What to do when warps have their roles.
  std::function<void(mlir::ModuleOp)> afterRoles;
};

/// Compares what kernels compute on the host with the interpreter's f64.
class GraphTest : public testing::Test {
protected:
  GraphTest()
      : handler(&context, [this](mlir::Diagnostic &diagnostic) {
          diagnostics += diagnostic.str() + "\n";
          return mlir::success();
        }) {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << diagnostics << text.str();
    return module;
  }

  /// Inputs for the first function of a module, uniform from `low` to `high`.
  static std::vector<Array> makeInputs(mlir::ModuleOp module, double low,
                                       double high) {
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> distribution(low, high);
    std::vector<Array> arrays;
    for (mlir::Type type : getFunction(module).getArgumentTypes()) {
      arrays.push_back(makeArray(type));
      for (int64_t i = 0, e = arrays.back().getNumElements(); i < e; ++i)
        arrays.back().set(i, distribution(generator));
    }
    return arrays;
  }

  /// Runs the first function of a module, twice: with the threads of a block in
  /// order, and in another. Memory accesses are checked.
  void expectCorrect(mlir::ModuleOp module, const std::vector<Array> &inputs,
                     const GraphOptions &options = {},
                     double tolerance = 1e-5) {
    mlir::func::FuncOp function = getFunction(module);
    std::vector<Tensor> tensors;
    for (const Array &array : inputs)
      tensors.push_back(toTensor(array));
    std::optional<KernelGraph> graph = importKernelGraph(function);
    ASSERT_TRUE(graph) << diagnostics;
    std::vector<Tensor> expected = evaluate(*graph, RealNumbers(), tensors);

    mlir::OwningOpRef<mlir::ModuleOp> lowered = module.clone();
    mlir::PassManager graphs(&context);
    if (options.schedule)
      graphs.addNestedPass<mlir::func::FuncOp>(createScheduleKernels());
    if (options.threadGraphs)
      graphs.addNestedPass<mlir::func::FuncOp>(createConstructThreadGraphs());
    ASSERT_TRUE(mlir::succeeded(graphs.run(*lowered))) << diagnostics;
    if (options.beforePlans)
      options.beforePlans(*lowered);
    mlir::PassManager pm(&context);
    if (options.specializeWarps) {
      SpecializeWarpsOptions roles;
      roles.threads = options.threads;
      mlir::PassManager warps(&context);
      warps.addNestedPass<mlir::func::FuncOp>(createSpecializeWarps(roles));
      ASSERT_TRUE(mlir::succeeded(warps.run(*lowered))) << diagnostics;
    }
    if (options.afterRoles)
      options.afterRoles(*lowered);
    if (options.scheduleOperators) {
      ScheduleOperatorsOptions order;
      order.threads = options.threads;
      pm.addNestedPass<mlir::func::FuncOp>(createScheduleOperators(order));
    }
    if (options.assignLayouts) {
      AssignLayoutsOptions layouts;
      layouts.threads = options.threads;
      pm.addNestedPass<mlir::func::FuncOp>(createAssignLayouts(layouts));
    }
    if (options.planMemory) {
      PlanMemoryOptions places;
      places.threads = options.threads;
      pm.addNestedPass<mlir::func::FuncOp>(createPlanMemory(places));
    }
    ConvertMirageToGPUOptions conversion;
    conversion.threads = options.threads;
    conversion.allowUnverified = true;
    pm.addPass(createConvertMirageToGPU(conversion));
    ASSERT_TRUE(mlir::succeeded(pm.run(*lowered))) << diagnostics;
    usedWarpgroups = lowered
                         ->walk([](mlir::NVVM::WgmmaMmaAsyncOp) {
                           return mlir::WalkResult::interrupt();
                         })
                         .wasInterrupted();
    using Load = mlir::NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp;
    usedBulkStore =
        lowered
            ->walk([](mlir::NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp) {
              return mlir::WalkResult::interrupt();
            })
            .wasInterrupted();
    usedMulticast = false;
    lowered->walk([&](Load load) {
      usedMulticast |= load.getMulticastMask() != nullptr;
    });

    for (uint64_t seed : {0, 7}) {
      std::vector<Array> arguments = inputs;
      for (mlir::Type type : function.getResultTypes())
        arguments.push_back(makeArray(type));
      HostOptions host;
      host.seed = seed;
      host.checks = true;
      ASSERT_EQ(llvm::toString(
                    runOnHost(*lowered, function.getName(), arguments, host)),
                "")
          << diagnostics;
      for (size_t i = 0; i < expected.size(); ++i) {
        const double *values = expected[i].planes[0].as<double>();
        const Array &actual = arguments[inputs.size() + i];
        ASSERT_EQ(actual.getNumElements(), expected[i].getNumElements());
        for (int64_t e = 0; e < actual.getNumElements(); ++e)
          ASSERT_NEAR(actual.get(e), values[e],
                      tolerance * std::max(1.0, std::abs(values[e])))
              << "output " << i << " element " << e << " seed " << seed;
      }
    }
  }

  static mlir::func::FuncOp getFunction(mlir::ModuleOp module) {
    return *module.getOps<mlir::func::FuncOp>().begin();
  }

  static Array makeArray(mlir::Type type) {
    auto tensor = mlir::cast<mlir::RankedTensorType>(type);
    return Array(tensor.getShape(), *getElementType(tensor.getElementType()));
  }

  static Tensor toTensor(const Array &array) {
    Tensor tensor =
        RealNumbers().zeros(Shape(array.shape.begin(), array.shape.end()));
    for (int64_t i = 0; i < array.getNumElements(); ++i)
      tensor.planes[0].as<double>()[i] = array.get(i);
    return tensor;
  }

  /// One of some numbers, at random.
  int64_t pick(llvm::ArrayRef<int64_t> from) {
    std::uniform_int_distribution<size_t> distribution(0, from.size() - 1);
    return from[distribution(generator)];
  }

  std::mt19937 generator{1};
  /// Of the last graph that was run.
  bool usedWarpgroups = false, usedMulticast = false, usedBulkStore = false;
  std::string diagnostics;
  mlir::MLIRContext context;
  mlir::ScopedDiagnosticHandler handler;
};

} // namespace mirage

#endif // MIRAGE_UNITTESTS_OPERATORS_GRAPHTEST_H
