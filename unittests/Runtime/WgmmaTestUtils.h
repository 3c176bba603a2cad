//===- WgmmaTestUtils.h - Kernels with wgmma --------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_RUNTIME_WGMMATESTUTILS_H
#define MIRAGE_UNITTESTS_RUNTIME_WGMMATESTUTILS_H

#include "HostTestUtils.h"
#include <cstring>

namespace mirage {

using WgmmaEdits = std::vector<std::pair<std::string, std::string>>;

inline std::string replaceAll(std::string text, const std::string &what,
                              const std::string &with) {
  for (size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

/// The type of a thread's accumulators for n columns.
inline std::string getWgmmaSums(int n) {
  std::string text = "!llvm.struct<(";
  for (int i = 0; i < n / 2; ++i)
    text += i ? ", f32" : "f32";
  return text + ")>";
}

/// Stores the accumulators of %row and %column (of the first of them), with the
/// constants that it needs.
inline std::string getWgmmaStores(const std::string &sums,
                                  const std::string &to, int n) {
  std::string text;
  for (int i = 0; i < n / 2; ++i) {
    std::string s = std::to_string(i);
    text += "%v" + s + " = llvm.extractvalue " + sums + "[" + s + "] : SUMS\n" +
            "%ro" + s + " = arith.constant " + std::to_string(i / 2 % 2 * 8) +
            " : index\n%co" + s + " = arith.constant " +
            std::to_string(i / 4 * 8 + i % 2) + " : index\n%r" + s +
            " = arith.addi %row, %ro" + s + " : index\n%cc" + s +
            " = arith.addi %column, %co" + s + " : index\nmemref.store %v" + s +
            ", " + to + "[%r" + s + ", %cc" + s + "] : memref<64x" +
            std::to_string(n) + "xf32>\n";
  }
  return text;
}

/// An operand of two steps of k in shared memory: `rows` rows of A (columns of
/// B), packed as the canonical layouts say. Nothing is shared with the
/// emulation: offsets are computed element by element.
struct WgmmaOperand {
  int rows, depth;
  ElementType type;
  /// Whether neighbours in memory are rows rather than along k.
  bool transposed;
  int swizzle;

  int getElementBytes() const { return type == ElementType::F32 ? 4 : 2; }
  /// Elements of 16 bytes, and of what a swizzle permutes.
  int getPiece() const { return 16 / getElementBytes(); }
  int getPanel() const { return swizzle / getElementBytes(); }

  /// Panels of `swizzle` bytes lie one behind the other. Without a swizzle
  /// there are core matrices of 128 bytes, those of a row of them along k
  /// first, with 128 bytes unused behind each row.
  int getOffset(int row, int k) const {
    int inner = transposed ? row : k, outer = transposed ? k : row,
        outerSize = transposed ? depth : rows;
    if (swizzle) {
      int offset = inner / getPanel() * (outerSize * swizzle) +
                   outer * swizzle + inner % getPanel() * getElementBytes();
      int key = offset / 128 % (swizzle / 16);
      return offset ^ key * 16;
    }
    int coresInRow = depth / (transposed ? 8 : getPiece());
    int core = transposed ? row / getPiece() * (coresInRow + 1) + k / 8
                          : row / 8 * (coresInRow + 1) + k / getPiece();
    return core * 128 + outer % 8 * 16 + inner % getPiece() * getElementBytes();
  }

  void pack(const Array &from, int begin, std::vector<uint8_t> &image) const {
    for (int row = 0; row < rows; ++row)
      for (int k = 0; k < depth; ++k)
        std::memcpy(&image[begin + getOffset(row, k)],
                    &from.bytes[(row * depth + k) * getElementBytes()],
                    getElementBytes());
  }

  /// Of the first or second half of k.
  uint64_t getDescriptor(int begin, int step) const {
    int coreRow = (depth / (transposed ? 8 : getPiece()) + 1) * 128;
    int start, leading, stride;
    if (!swizzle) {
      start = step * 256;
      leading = 128;
      stride = coreRow;
    } else if (transposed) {
      start = step * 16 * swizzle;
      leading = depth * swizzle;
      stride = 8 * swizzle;
    } else {
      // 32 bytes further along k: in the panel, or in the next one.
      start = swizzle == 32 ? step * rows * swizzle : step * 32;
      leading = 16;
      stride = 8 * swizzle;
    }
    uint64_t mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : swizzle ? 3 : 0;
    return static_cast<uint64_t>((begin + start) / 16) |
           static_cast<uint64_t>(leading / 16) << 16 |
           static_cast<uint64_t>(stride / 16) << 32 | mode << 62;
  }
};

/// Kernels that are compiled once and run with several operands.
class CompiledKernelTest : public HostTest {
protected:
  struct Compiled {
    mlir::FailureOr<CompiledProgram> program = mlir::failure();
    /// Null if something failed, which is then in `diagnostics`.
    std::unique_ptr<HostExecutable> executable;
  };

  Compiled compileModule(const std::string &text) {
    Compiled compiled;
    auto module = parse(text);
    if (!module)
      return compiled;
    compiled.program =
        extractProgram(*module->getOps<mlir::func::FuncOp>().begin());
    if (mlir::failed(lowerToHost(*module)))
      return compiled;
    auto executable = HostExecutable::create(*module);
    if (executable)
      compiled.executable = std::move(*executable);
    else
      diagnostics += getMessage(executable.takeError());
    return compiled;
  }
};

} // namespace mirage

#endif // MIRAGE_UNITTESTS_RUNTIME_WGMMATESTUTILS_H
