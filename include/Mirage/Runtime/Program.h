//===- Program.h - Which kernels run, on which buffers ----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_RUNTIME_PROGRAM_H
#define MIRAGE_RUNTIME_PROGRAM_H

#include "Mirage/Runtime/Array.h"
#include "Mirage/Runtime/ProgramFormat.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Support/LLVM.h"
#include <array>
#include <vector>

namespace mirage {

enum class BufferKind : uint8_t { Input, Output, Temporary };

/// A dense row-major buffer in device memory.
struct Buffer {
  BufferKind kind;
  llvm::SmallVector<int64_t> shape;
  ElementType type;
  /// Size in bytes.
  size_t bytes;
};

/// One launch of a kernel.
struct Launch {
  /// The gpu.module's symbol and the kernel's in it.
  std::string module, kernel;
  /// Blocks in x, y, z, and threads of a block in x, y, z.
  std::array<uint32_t, 3> grid, block;
  /// Blocks of a cluster in x, y, z. The kernel says so itself
  /// (`known_cluster_size`), so that a launch on a GPU need not.
  std::array<uint32_t, 3> cluster{1, 1, 1};
  /// Bytes of dynamic shared memory of each block.
  uint32_t sharedBytes;
  /// What the kernel's parameters are: buffers of CompiledProgram::buffers, or
  /// tensor maps of these.
  std::vector<program_file::Argument> arguments;
  /// A library's kernel that does the same. The host back end has none.
  program_file::LibraryCall library;
};

/// What the runtime has to know to run a compiled function. Launches run one
/// after the other.
struct CompiledProgram {
  std::string name;
  /// The function's arguments in their order (inputs, then outputs), then
  /// temporaries.
  std::vector<Buffer> buffers;
  std::vector<Launch> launches;

  unsigned getNumInputs() const;
  unsigned getNumOutputs() const;
  /// Inputs and outputs.
  unsigned getNumArguments() const { return getNumInputs() + getNumOutputs(); }
};

/// The attribute of a host function that says how many of its last arguments
/// are its results.
inline constexpr const char *kNumResultsAttr = "mirage.num_results";

/// Reads the launches and buffers out of a host function: a single block of
/// `memref.alloc`, `memref.dealloc`, `arith.constant` and `gpu.launch_func`,
/// with memrefs of static shape, identity layout and element type f16, bf16,
/// f32 or f64. A launch may have a `mirage.library` (docs/Runtime.md), and
/// an argument of its kernel a `mirage.tensor_map` (TensorMap.h). Anything else
/// is reported as a diagnostic at the op.
mlir::FailureOr<CompiledProgram> extractProgram(mlir::func::FuncOp function);

/// A buffer as program files have it, without a name.
program_file::Buffer getFileBuffer(const Buffer &buffer);

/// Fails unless `arguments` are arrays of the shapes and types of the program's
/// inputs and outputs.
llvm::Error checkArguments(const CompiledProgram &program,
                           llvm::ArrayRef<Array> arguments);

} // namespace mirage

#endif // MIRAGE_RUNTIME_PROGRAM_H
