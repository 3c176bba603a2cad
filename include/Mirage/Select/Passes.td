//===- Passes.td - Selection as a pass ---------------------*- tablegen -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SELECT_PASSES_TD
#define MIRAGE_SELECT_PASSES_TD

include "mlir/Pass/PassBase.td"

def Select : Pass<"mirage-select", "::mlir::ModuleOp"> {
  let summary = "Keep the fastest of the μGraphs that compute a function";
  let description = [{
    `mirage-superoptimize` with `candidates=N` leaves N functions with one
    `mirage.reference`: the function itself and others behind it. This ranks them,
    by the cost model (docs/CostModel.md) or by measured times (docs/Selection.md),
    puts the best in the first one's place and erases the others. A remark says
    what was kept. A candidate with a name that something refers to stays.

    With `profile=cuda` or `host` the first `top-k` by the model are compiled, run
    on random inputs and compared with the reference; only then they are timed.
    One that fails is out of the race, with a remark that says why; if all do, that
    is an error, and so is `profile=cuda` without a GPU.
  }];
  let options = [
    Option<"profile", "profile", "::mirage::ProfileKind",
           "::mirage::ProfileKind::Auto", "What to rank by",
           [{::llvm::cl::values(
             clEnumValN(::mirage::ProfileKind::Auto, "auto",
                        "times on a GPU if there is one, or else the cost model"),
             clEnumValN(::mirage::ProfileKind::Model, "model",
                        "the cost model"),
             clEnumValN(::mirage::ProfileKind::Cuda, "cuda",
                        "times on a GPU"),
             clEnumValN(::mirage::ProfileKind::Host, "host",
                        "times of the host's emulation of a GPU, which say "
                        "nothing about a GPU's: for tests"))}]>,
    Option<"topK", "top-k", "unsigned", "8",
           "How many candidates to measure, at most; 0: all">,
    Option<"target", "target", "std::string", "\"\"",
           "The GPU; empty: the one that the module was optimized for, or "
           "sm_90a">,
    Option<"database", "database", "std::string", "\"\"",
           "A file to keep measured times in and look them up "
           "(docs/Database.md); 'default' for the one of this user, empty for "
           "none">,
    Option<"cudaDriver", "cuda-driver", "std::string", "\"libcuda.so.1\"",
           "The CUDA driver's library">,
    Option<"seed", "seed", "uint64_t", "1",
           "Seed of the random inputs of the comparison">,
    Option<"rtol", "rtol", "double", "0",
           "Largest error over largest magnitude of an output with which a "
           "candidate's time counts; 0: 2e-3 (8e-3 in bf16), or one and a half "
           "times what the reference loses as it is written">,
    Option<"threads", "threads", "unsigned", "1",
           "Threads of the host's emulation">,
    Option<"report", "report", "std::string", "\"\"",
           "A file to write all times to, as JSON">,
  ];
}

#endif // MIRAGE_SELECT_PASSES_TD
