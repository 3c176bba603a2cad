//===- ProgramFormat.h - The file of a compiled program ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Used by the compiler and by the runtime library, which knows no LLVM: the
// standard library only. docs/Runtime.md has the layout.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_RUNTIME_PROGRAMFORMAT_H
#define MIRAGE_RUNTIME_PROGRAMFORMAT_H

#include "Mirage/Runtime/TensorMapLimits.h"
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mirage::program_file {

/// The version that is written, and the only one that is read.
inline constexpr uint32_t kVersion = 2;
/// What a file starts with.
inline constexpr char kMagic[] = "\x89MIRAGE\n";
inline constexpr size_t kMagicSize = sizeof(kMagic) - 1;
inline constexpr size_t kHeaderSize = 32;
inline constexpr size_t kMaxRank = 32;

enum class Kind : uint8_t { Input, Output, Temporary };
enum class Type : uint8_t { F16, BF16, F32, F64 };

/// Bytes of an element.
size_t getSize(Type type);

/// A dense row-major buffer in device memory.
struct Buffer {
  Kind kind = Kind::Input;
  Type type = Type::F32;
  std::string name;
  std::vector<int64_t> shape;

  /// The shape must have been checked.
  size_t getBytes() const;
};

/// The kernels of a gpu.module.
struct Module {
  std::string name;
  std::string ptx;
  /// Machine code for Program::chip, or empty.
  std::string cubin;
};

/// A library's kernel that does the same as a launch.
struct LibraryCall {
  enum class Op : uint8_t {
    None,
    Matmul,
    MatmulTransposed,
    MatmulTransposedLhs
  };
  Op op = Op::None;
  /// Of a product: batch x m x k (if that is transposed: k x m) times batch x k
  /// x n (n x k), whose buffers are the launch's first, second and third.
  int64_t batch = 1, m = 1, n = 1, k = 1;
};

/// How the TMA copies a dense row-major buffer in boxes
/// (Mirage/Dialect/Mirage/TensorMap.h). Sizes in elements, outermost first.
struct TensorMap {
  std::vector<int64_t> shape, box;
  /// 0, 32, 64 or 128.
  uint32_t swizzleBytes = 0;

  bool operator==(const TensorMap &other) const {
    return shape == other.shape && box == other.box &&
           swizzleBytes == other.swizzleBytes;
  }
};

/// A parameter of a kernel: a buffer's address, or a tensor map of it by value.
struct Argument {
  Argument(uint32_t buffer = 0) : buffer(buffer) {}

  /// Index into Program::buffers.
  uint32_t buffer;
  std::optional<TensorMap> map;

  bool operator==(const Argument &other) const {
    return buffer == other.buffer && map == other.map;
  }
};

struct Launch {
  /// Index into Program::modules.
  uint32_t module = 0;
  std::string kernel;
  /// Blocks in x, y, z, and threads of a block.
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  /// Dynamic shared memory of a block, in bytes.
  uint32_t sharedBytes = 0;
  std::vector<Argument> arguments;
  LibraryCall library;
};

struct Program {
  std::string producer, name, chip, verdict;
  /// GB/s and TFLOP/s of the target.
  uint64_t bandwidth = 0, tflops = 0;
  /// Inputs, then outputs, then temporaries.
  std::vector<Buffer> buffers;
  std::vector<Module> modules;
  std::vector<Launch> launches;

  size_t count(Kind kind) const;
};

/// Whether `data` starts like a compiled program.
bool isProgram(const void *data, size_t size);

/// The first thing that is wrong with a library call on these buffers, or an
/// empty string.
std::string verify(const LibraryCall &call,
                   const std::vector<const Buffer *> &buffers);

/// The first thing that is wrong with a tensor map of a buffer, or an empty
/// string.
std::string verify(const TensorMap &map, const Buffer &buffer);

/// The first thing that is wrong with `program`, or an empty string. What is
/// right can be run without further checks.
std::string verify(const Program &program);

/// The file's contents. `program` must have been verified.
std::string encode(const Program &program);

enum class DecodeStatus {
  Success,
  /// Not a compiled program, or damaged.
  Invalid,
  /// Of another version.
  OtherVersion
};

/// Reads and verifies a file's contents. Unless it succeeds, `message` says
/// what is wrong.
DecodeStatus decode(const void *data, size_t size, Program &program,
                    std::string &message);

} // namespace mirage::program_file

#endif // MIRAGE_RUNTIME_PROGRAMFORMAT_H
