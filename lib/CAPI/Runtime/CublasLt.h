//===- CublasLt.h - Products of matrices by cuBLAS --------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CAPI_RUNTIME_CUBLASLT_H
#define MIRAGE_LIB_CAPI_RUNTIME_CUBLASLT_H

#include "Driver.h"
#include "Mirage/Runtime/ProgramFormat.h"
#include <array>
#include <memory>

namespace mirage::runtime {

/// cublasLt, opened at run time. All functions want the device's context to be
/// current. May be used by several threads at once.
class CublasLt {
public:
  struct Functions;
  class Plan;

  /// Opens `library`, or the newest known one if it is empty. Null, with the
  /// reason, if there is none that can be used.
  static std::unique_ptr<CublasLt> open(const std::string &library,
                                        std::string &reason);
  ~CublasLt();

  /// The operands and the result of a product.
  using Buffers = std::array<const program_file::Buffer *, 3>;
  /// Describes the product of dense row-major matrices and picks an algorithm
  /// for buffers that are aligned to 16 bytes. An operand that has room for one
  /// batch only is used for all of them. Null, with the reason, if there is
  /// none.
  std::unique_ptr<Plan> plan(const program_file::LibraryCall &call,
                             const Buffers &buffers, std::string &reason) const;

private:
  explicit CublasLt(std::unique_ptr<Functions> functions);
  std::unique_ptr<Functions> functions;
  void *handle = nullptr;
};

/// One product, ready to be enqueued. Must not outlive its CublasLt.
class CublasLt::Plan {
public:
  explicit Plan(const CublasLt &library) : library(library) {}
  ~Plan();

  /// Bytes of device memory, aligned to 256, that `enqueue` wants to write.
  size_t getWorkspaceBytes() const { return workspaceBytes; }

  Status enqueue(CUdeviceptr lhs, CUdeviceptr rhs, CUdeviceptr result,
                 CUdeviceptr workspace, CUstream stream) const;

private:
  friend class CublasLt;
  /// False if a call failed, which `reason` names.
  bool create(const program_file::LibraryCall &call, const Buffers &buffers,
              std::string &reason);

  const CublasLt &library;
  void *product = nullptr;
  /// In cublasLt's order: the first operand is our second.
  void *layouts[3] = {};
  uint64_t algorithm[8] = {};
  size_t workspaceBytes = 0;
};

} // namespace mirage::runtime

#endif // MIRAGE_LIB_CAPI_RUNTIME_CUBLASLT_H
