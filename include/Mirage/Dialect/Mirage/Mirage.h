//===- Mirage.h - The base dialect ------------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_MIRAGE_H
#define MIRAGE_DIALECT_MIRAGE_MIRAGE_H

#include "Mirage/Operators/Custom.h"
#include "Mirage/Operators/Operator.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "Mirage/Dialect/Mirage/Dialect.h.inc"

namespace mirage {
/// An op whose result takes no memory at any level: whoever reads an element of
/// it makes it, of nothing that is stored.
template <typename ConcreteOp>
class MadeWhereRead
    : public mlir::OpTrait::TraitBase<ConcreteOp, MadeWhereRead> {};

inline bool isMadeWhereRead(mlir::Operation *op) {
  return op->hasTrait<MadeWhereRead>();
}
} // namespace mirage

#define GET_ATTRDEF_CLASSES
#include "Mirage/Dialect/Mirage/Attributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "Mirage/Dialect/Mirage/Types.h.inc"

namespace mirage {

/// In an imap or fmap: every block, or every iteration, sees the whole.
constexpr int64_t kReplica = -1;

/// The most elements that a tensor, tile or fragment may have. Far more than
/// any GPU holds, and few enough that byte counts, and the flops of a matmul,
/// whose square is at most the product of its three tensors' elements, fit in
/// 64 bits.
constexpr int64_t kMaxElements = int64_t(1) << 40;

/// Whether a shape is static, with sizes of at least 1 and at most
/// `kMaxElements` elements.
bool isSupportedShape(llvm::ArrayRef<int64_t> shape);

/// Whether a type is a tensor that the kernel dialect works on: a supported
/// shape; f16, bf16 or f32; no encoding.
bool isSupportedTensor(mlir::Type type);
/// Of what it holds, for messages.
inline constexpr llvm::StringLiteral kSupportedTensor =
    "a statically shaped, non-empty tensor of f16, bf16 or f32 with at most "
    "2^40 elements";

/// The size of the tiles into which a grid or loop cuts `size` elements that it
/// doesn't divide: rounded up, to a multiple of 16 if that leaves each block or
/// iteration elements of its own, and the last tile is moved back until it ends
/// where they do, so that it overlaps the one in front of it. None where they
/// are divided, or one would be left without elements of its own.
std::optional<int64_t> getUnevenPart(int64_t size, int64_t parts);
/// The largest number of which the places are multiples where tiles begin along
/// a tensor's last dimension (1 if there is none), which a grid cuts by a map,
/// and a loop if `fmap` says so: the last tile ends where all that is cut does.
int64_t getRowStart(llvm::ArrayRef<int64_t> tensor,
                    llvm::ArrayRef<int64_t> tile, llvm::ArrayRef<int64_t> map,
                    llvm::ArrayRef<int64_t> grid, int64_t fmap = kReplica);
/// Where such a tile begins, or any other.
inline int64_t getTileStart(int64_t size, int64_t part, int64_t number) {
  return std::min(number * part, size - part);
}

/// The names of the grid dimensions in the syntax: x, y, z, w.
llvm::StringRef getGridDimName(unsigned dim);

/// The blocks along x, y and z that a kernel with a grid of such sizes is
/// launched with. A GPU has no w: blocks along z are those of z for the first
/// of w, then those for the second, and so on.
std::array<int64_t, 3> getLaunchSizes(llvm::ArrayRef<int64_t> grid);
/// Whether a GPU can launch these, or with more dimensions of one block.
bool canLaunch(llvm::ArrayRef<int64_t> grid);

/// The levels of a μGraph.
enum class Level { Kernel, Block, Thread };

/// The namespace of a level's dialect, "mirage_kernel" and so on.
llvm::StringRef getDialectName(Level level);

/// The type of tensors at a level: tensor, tile or fragment.
mlir::ShapedType getTensorType(Level level, llvm::ArrayRef<int64_t> shape,
                               mlir::Type elementType);

/// Builds the op of an operator at a level. The shape of the result is the one
/// that the operator infers, which must succeed.
mlir::Operation *buildOperator(mlir::OpBuilder &builder, mlir::Location loc,
                               Level level, const Operator &semantics,
                               const Params &params, mlir::ValueRange operands,
                               mlir::Type elementType);

/// The operators that a level's dialect has ops for, sorted by name. The
/// dialect must be loaded.
llvm::SmallVector<const Operator *>
getOperatorsOfLevel(mlir::MLIRContext *context, Level level);

/// The shared memory that a tile takes, in bytes, padded to `kTileAlignment`.
int64_t getTileBytes(TileType tile);
constexpr int64_t kTileAlignment = 16;

/// The shared memory that the tiles of a block graph take when none shares its
/// place with another, in bytes. What is only moved (transposed, say) is read
/// where it was, and takes none, unless a saver or an accumulator stores it.
/// Nor does what a sum or maximum alone reads, and computes where it reads it,
/// if it is no part of what others read: scratch memory (`kFoldScratchBytes`)
/// at most. What is marked as of a row chain (`kChainedAttr`) is in registers,
/// and so are products that are added to rescaled sums, if there is room
/// (SummedProducts.h).
int64_t getSharedBytes(mlir::Block &blockGraph);

/// The device memory that the tensors of a kernel graph take, in bytes: its
/// arguments and what its kernels write, when none shares its place with
/// another. 0 for a block without ops of the kernel dialect.
int64_t getDeviceBytes(mlir::Block &kernelGraph);

namespace detail {
/// Verifies C1 and C2 of every operator.
mlir::LogicalResult verifyOperator(mlir::Operation *op,
                                   const Operator &semantics);
/// The canonicalization of every operator, at any level: what leaves each
/// element as it is, or is undone by the next op, or can be said by one op,
/// goes. Equal over the reals, and no rounding is added or removed.
mlir::LogicalResult simplifyOperator(mlir::Operation *op,
                                     mlir::PatternRewriter &rewriter);
} // namespace detail

} // namespace mirage

#include "Mirage/Dialect/Mirage/Interfaces.h.inc"

#define GET_OP_CLASSES
#include "Mirage/Dialect/Mirage/Ops.h.inc"

#endif // MIRAGE_DIALECT_MIRAGE_MIRAGE_H
