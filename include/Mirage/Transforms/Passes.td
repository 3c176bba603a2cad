//===- Passes.td - Passes on μGraphs -----------------------*- tablegen -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMS_PASSES_TD
#define MIRAGE_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConstructThreadGraphs
    : Pass<"mirage-construct-thread-graphs", "::mlir::func::FuncOp"> {
  let summary = "Fuse elementwise operators of block graphs into thread graphs";
  let description = [{
    In every block graph, in its loop as well as outside of it, elementwise
    operators that feed each other become one `mirage_block.graph_defined`
    (paper, section 4.2), so that what is between them stays in registers, in
    f32, and needs neither shared memory nor a barrier. Constants move inside.

    - Operators are fused when one reads the other's result and the two results
      have the same shape. A 16x1 chain that feeds a 16x64 chain stays apart: its
      elements would be computed 64 times.
    - They are not fused when a path from one to the other leads through an
      operator outside (a matmul), since that one has to run in between.
    - A value that is used outside of its thread graph is a result of it.
  }];
  let dependentDialects = ["::mirage::block::BlockDialect",
                           "::mirage::thread::ThreadDialect"];
}

def ScheduleKernels : Pass<"mirage-schedule-kernels", "::mlir::func::FuncOp"> {
  let summary = "Give pre-defined kernel operators a default block graph";
  let description = [{
    Every operator of the kernel dialect that is left outside of a graph-defined
    kernel becomes one of its own, so that any kernel graph can be lowered. The
    schedule follows from the operator's iteration space alone: loops of the
    result's dimensions are spread over the grid, the loop of a reduction becomes
    the for-loop with an accumulator. The longest is halved (or divided by its
    smallest prime factor) until the tiles fit `max-shared-bytes` and there are
    blocks for all multiprocessors, or blocks with little to do. Constants move into the block graphs.

    Reinterpretations (`reshape`) stay: the conversion to the GPU lets both
    tensors share one buffer.

    It is an error at the op when no schedule of at most three grid dimensions
    makes the tiles fit.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_90a\"",
           "The GPU to schedule for">,
    Option<"maxSharedBytes", "max-shared-bytes", "int64_t", "49152",
           "Shared memory that the tiles of a kernel may take, in bytes; never "
           "more than the target has">,
  ];
  let dependentDialects = ["::mirage::block::BlockDialect",
                           "::mirage::kernel::KernelDialect"];
}

def Superoptimize : Pass<"mirage-superoptimize", "::mlir::ModuleOp"> {
  let summary = "Replace programs by the cheapest μGraphs that equal them";
  let description = [{
    Searches (paper, Algorithm 1; docs/Search.md) for each function whose body is
    a kernel graph of pre-defined operators. The cheapest verified μGraph takes
    the place of the body; the program as it was stays in a private function,
    which `mirage.reference` names, so that `mirage-verify-equivalence` can
    compare them at any later time. `mirage.verdict` says what the verifier
    found, and the module gets the target as `mirage.target`.

    A function that can't be searched, or for which nothing cheaper is found,
    stays as it is, with a remark that says so.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_90a\"",
           "The GPU to optimize for">,
    Option<"maxKernelOps", "max-kernel-ops", "unsigned", "5",
           "Kernels of a kernel graph, at most">,
    Option<"maxBlockOps", "max-block-ops", "unsigned", "11",
           "Operators and accumulators of a block graph, at most; iterators, "
           "savers and constants don't count">,
    Option<"maxGridDims", "max-grid-dims", "unsigned", "2",
           "Dimensions of a grid, at most">,
    Option<"threads", "threads", "unsigned", "1",
           "Threads that search; the result is the same for any number">,
    Option<"seed", "seed", "uint64_t", "1", "Seed of the random tests">,
    Option<"candidates", "candidates", "unsigned", "1",
           "How many μGraphs to emit, cheapest first; those after the first "
           "become functions of their own">,
    Option<"timeLimit", "time-limit", "double", "0",
           "Seconds after which to go on with what was found; 0: no limit">,
    Option<"report", "report", "std::string", "\"\"",
           "A file to write statistics and results to, as JSON "
           "(docs/Search.md)">,
  ];
  let dependentDialects = ["::mirage::block::BlockDialect",
                           "::mirage::kernel::KernelDialect"];
}

def VerifyEquivalence : Pass<"mirage-verify-equivalence", "::mlir::ModuleOp"> {
  let summary = "Test that functions compute what their references do";
  let description = [{
    For each function with a `mirage.reference`, compares it with the function
    named, by random testing over finite fields (paper, section 5;
    docs/Verification.md). An equal one gets a `mirage.verdict`; a different one
    is an error that names the first element that differs and the seed that
    shows it; where the test can't tell, that is an error too.
  }];
  let options = [
    Option<"trials", "trials", "unsigned", "2",
           "Trials that must pass; more are made until each element of the "
           "results was compared">,
    Option<"seed", "seed", "uint64_t", "1", "Seed of the random inputs">,
  ];
}

#endif // MIRAGE_TRANSFORMS_PASSES_TD
