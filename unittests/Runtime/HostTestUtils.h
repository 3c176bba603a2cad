//===- HostTestUtils.h - Tests that run a kernel ----------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_RUNTIME_HOSTTESTUTILS_H
#define MIRAGE_UNITTESTS_RUNTIME_HOSTTESTUTILS_H

#include "Mirage/Pipelines/GPULowering.h"
#include "Mirage/Runtime/Runtime.h"
#include "TestUtils.h"
#include "mlir/Pass/PassManager.h"
#include <string>

namespace mirage {

/// The type of shared memory in the tests' kernels.
inline constexpr const char *kSpace = "#gpu.address_space<workgroup>";

class HostTest : public RuntimeTest {
protected:
  /// A module with one kernel @k of the given parameters and body, and a
  /// function @f of the same parameters (the last one is the output) that
  /// launches it.
  static std::string makeModule(const std::string &parameters,
                                const std::string &body, int blocks,
                                int threads, int sharedBytes = 0) {
    std::string text = R"(
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(PARAMETERS) kernel {
      BODY
      gpu.return
    }
  }
  func.func @f(PARAMETERS) attributes {mirage.num_results = 1 : i64} {
    %c1 = arith.constant 1 : index
    %blocks = arith.constant BLOCKS : index
    %threads = arith.constant THREADS : index
    %shared = arith.constant SHARED : i32
    gpu.launch_func @kernels::@k blocks in (%blocks, %c1, %c1) threads in (%threads, %c1, %c1)
        dynamic_shared_memory_size %shared args(ARGUMENTS)
    return
  }
})";
    auto replace = [&](const std::string &what, const std::string &with) {
      for (size_t at = text.find(what); at != std::string::npos;
           at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    };
    std::string arguments = parameters;
    for (size_t at = arguments.find(':'); at != std::string::npos;
         at = arguments.find(':', at + 2))
      arguments.insert(at, " ");
    replace("PARAMETERS", parameters);
    replace("ARGUMENTS", arguments);
    replace("BODY", body);
    replace("BLOCKS", std::to_string(blocks));
    replace("THREADS", std::to_string(threads));
    replace("SHARED", std::to_string(sharedBytes));
    replace("SPACE", kSpace);
    return text;
  }

  /// Compiles the kernels of a module for the host, with checks of accesses.
  mlir::LogicalResult lowerToHost(mlir::ModuleOp module) {
    mlir::DialectRegistry registry;
    registerGPULoweringInterfaces(registry);
    context.appendDialectRegistry(registry);
    mlir::PassManager pm(&context);
    buildGPUToHostPipeline(pm, /*traceAccesses=*/true);
    return pm.run(module);
  }

  std::string run(const std::string &text,
                  llvm::MutableArrayRef<Array> arguments,
                  HostOptions options = {}) {
    auto module = parse(text);
    return module ? getMessage(runOnHost(*module, "f", arguments, options))
                  : "no module";
  }
};

} // namespace mirage

#endif // MIRAGE_UNITTESTS_RUNTIME_HOSTTESTUTILS_H
