//===- Import.h - The parts of the linalg import ----------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Private to this folder. Each part either returns the kernel-level values or
// an error whose message is the text of the remark: why the op stays linalg. A
// part that gives up may leave pure ops without uses behind; the pass sweeps
// them up.

#ifndef MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_IMPORT_H
#define MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_IMPORT_H

#include "DimGroups.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace mirage::kernel {
class BroadcastOp;
class ReshapeOp;
} // namespace mirage::kernel

namespace mirage::linalg_import {

/// "This op is not imported", with the reason.
llvm::Error declined(const llvm::Twine &reason);

/// Whether kernel-level ops can take a value of this type, and its elements:
/// a statically shaped tensor of f16, bf16 or f32 with at least one element.
llvm::Error checkTensorType(mlir::Type type);
llvm::Error checkElementType(mlir::Type type);
bool isSupportedElementType(mlir::Type type);

/// The number that all elements of a tensor have (a constant, a fill, a splat,
/// or a reshape of these), or nothing. It may be infinite.
std::optional<llvm::APFloat> getSplat(mlir::Value tensor);
/// The value of a constant f16, bf16, f32 or f64 scalar, or nothing.
std::optional<llvm::APFloat> getScalarConstant(mlir::Value scalar);
/// The number that a scalar in the body of a generic always is: a constant, a
/// constant scalar operand, or an element of a splat input.
std::optional<llvm::APFloat> getBodyConstant(mlir::linalg::GenericOp op,
                                             mlir::Value scalar);
/// Whether nothing was ever written to the tensor: `tensor.empty`.
bool isUninitialized(mlir::Value tensor);

enum class Extremum { Max, Min };
/// Whether the extremum of `bound` and a scalar of a generic's body is always
/// the scalar: the bound is an infinity, or the last number of the scalar's
/// type. That is for f16, whose range is easily left, only believed of elements
/// of a function's argument.
bool isNeutral(Extremum extremum, const llvm::APFloat &bound,
               mlir::linalg::GenericOp op, mlir::Value scalar);

/// Whether an op with one operand only moves its elements, and keeps their
/// type.
bool isMovement(mlir::Operation *op);

/// Whether a kernel-level value is an argument of the function, reshaped,
/// perhaps transposed, and with other dimensions of size 1: a reshape that
/// splits some of its dimensions can be moved to the argument, where it takes
/// nothing.
bool isMovedArgument(mlir::Value value);

/// Whether it is one, reshaped once more, or a part of that whose dimensions of
/// size 1 can be dropped there (MoveSlices.cpp): not one element of rows.
bool isPartOfMovedArgument(mlir::Value value);

/// Whether a kernel-level value is a reshape, or a part of one, perhaps
/// transposed: one that splits some of its dimensions can be moved to it.
bool isMovedReshape(mlir::Value value);

/// Whether there is such an op among those that read a kernel-level value, or
/// what is computed of it element by element, in its shape; only the first
/// values are looked at.
bool isAnyElementwiseUser(mlir::Value value,
                          llvm::function_ref<bool(mlir::Operation *)> isIt);

/// Builds kernel-level ops at one place.
class KernelGraphBuilder {
public:
  KernelGraphBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// The op of an operator, by the operator's name. The operands' shapes must
  /// be what it accepts.
  mlir::Value apply(llvm::StringRef name, mlir::ValueRange operands,
                    mlir::Type elementType, const Params &params = {});
  /// A `mirage.constant` of the exact value, which must be finite.
  llvm::Expected<mlir::Value> constant(const llvm::APFloat &value);
  mlir::Value constant(double value);
  /// The value itself where it has the type or shape already.
  mlir::Value cast(mlir::Value value, mlir::Type elementType);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  mlir::Value broadcast(mlir::Value value, llvm::ArrayRef<int64_t> shape,
                        mlir::Type elementType);
  /// Dimension d of the result is dimension `permutation[d]` of the value. A
  /// reshape where only dimensions of size 1 move.
  mlir::Value transpose(mlir::Value value, llvm::ArrayRef<int64_t> permutation);
  /// The tensors one after the other along a dimension; at least one.
  mlir::Value concat(mlir::ValueRange values, int64_t dim);

  mlir::Type getF32Type() { return builder.getF32Type(); }

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

llvm::ArrayRef<int64_t> getShape(mlir::Value tensor);

//===----------------------------------------------------------------------===//
// NarrowF64.cpp
//===----------------------------------------------------------------------===//

/// Whether an op, or one of its body, has an operand or a result of f64.
bool hasF64(mlir::Operation *op);

/// Makes f32 of all f64 in an op of which nobody but the import knows: of what
/// it computes, of numbers, and of what `widenTo` has made f64. An error where
/// f64 comes from elsewhere, or is computed of integers.
llvm::Error narrowF64(mlir::RewriterBase &rewriter, mlir::Operation *op);

/// The value as a tensor of f64 if that is the type, for ops that read one.
mlir::Value widenTo(mlir::RewriterBase &rewriter, mlir::Value value,
                    mlir::Type type);

//===----------------------------------------------------------------------===//
// NormalizeTensorOps.cpp
//===----------------------------------------------------------------------===//

/// Makes generics of arith and math ops on tensors, and has comparisons made
/// where their results are read.
void normalizeTensorOps(mlir::RewriterBase &rewriter,
                        mlir::func::FuncOp function);

/// Drops what generics don't read, and results that nobody uses.
void dropUnused(llvm::ArrayRef<mlir::Operation *> ops);

/// Merges a generic with the elementwise op that makes an operand, which others
/// still read. Returns the op in its place; null if that can't be.
mlir::linalg::GenericOp mergeProducer(mlir::RewriterBase &rewriter,
                                      mlir::OpOperand &operand);
/// The same for up to 16 producers, those of booleans first.
mlir::linalg::GenericOp mergeProducers(mlir::RewriterBase &rewriter,
                                       mlir::linalg::GenericOp op);

//===----------------------------------------------------------------------===//
// InfinityTests.cpp
//===----------------------------------------------------------------------===//

/// Makes comparisons of computed values with an infinity comparisons of what
/// may be infinite in them, such as a mask that is added.
void resolveInfinityTests(mlir::RewriterBase &rewriter,
                          mlir::func::FuncOp function);

//===----------------------------------------------------------------------===//
// FoldGenerics.cpp
//===----------------------------------------------------------------------===//

/// Makes constants of what generics compute of constants alone, and of
/// conjunctions and disjunctions over positions that are the same in all rows.
void foldGenerics(mlir::RewriterBase &rewriter, mlir::func::FuncOp function);

//===----------------------------------------------------------------------===//
// NormalizeGeneric.cpp
//===----------------------------------------------------------------------===//

/// Rewrites a generic, of which nobody but the import knows, to what the other
/// parts read: a maximum or minimum written as a comparison is one, and so is
/// what bends at a zero, operations that do nothing over the reals are gone,
/// and loops are in the order that needs the fewest transposes.
void normalizeGeneric(mlir::RewriterBase &rewriter, mlir::linalg::GenericOp op);

/// Makes one scalar of those of a body that are the same element, or computed
/// in the same way.
void shareEqualScalars(mlir::RewriterBase &rewriter,
                       mlir::linalg::GenericOp op);

//===----------------------------------------------------------------------===//
// PositionOperands.cpp
//===----------------------------------------------------------------------===//

/// Has what a generic's body computes of positions, integers, booleans and
/// scalars from outside alone computed by generics in front of it, as operands:
/// conditions as ones and zeros, and a choice between something and an infinity
/// as the infinity, or 0, to be added. Returns the op that has taken the place
/// of `op`, or `op` if there is nothing of the kind.
mlir::linalg::GenericOp addPositionOperands(mlir::RewriterBase &rewriter,
                                            mlir::linalg::GenericOp op);

/// Whether all elements of a tensor are 1 or 0, as those that such a generic
/// makes of a condition.
bool isOnesAndZeros(mlir::Value tensor);

//===----------------------------------------------------------------------===//
// ScalarOps.cpp: arith and math ops -> operators
//===----------------------------------------------------------------------===//

/// Whether the op is one of the list and has one result of a supported type.
llvm::Error checkScalarOp(mlir::Operation *op);

/// What an op of a body computes, elementwise: `operands` are the tensors that
/// its scalar operands stand for. The op must pass `checkScalarOp`.
llvm::Expected<mlir::Value> importScalarOp(KernelGraphBuilder &graph,
                                           mlir::Operation *op,
                                           mlir::ValueRange operands);

//===----------------------------------------------------------------------===//
// Shapes.cpp: loops and indexing maps
//===----------------------------------------------------------------------===//

/// The loops of a generic: their sizes, and which of them are reductions.
struct Loops {
  llvm::SmallVector<int64_t> sizes;
  llvm::SmallVector<bool> reduced;
  bool hasReduction() const { return llvm::is_contained(reduced, true); }
};

/// Every map must be a projection: each result is a loop, or 0 at a dimension
/// of size 1.
llvm::Expected<Loops> getLoops(mlir::linalg::GenericOp op);

/// The loop that each dimension of an operand of that map runs over, without
/// the dimensions that are always read at 0. Every loop occurs at most once.
llvm::Expected<llvm::SmallVector<int64_t>> getDimLoops(mlir::AffineMap map);

/// Transposes and reshapes an operand, where that is needed, so that dimensions
/// aligned at the last (as elementwise operators do) are the loops that the map
/// indexes it by.
llvm::Expected<mlir::Value> alignOperand(KernelGraphBuilder &graph,
                                         mlir::Value operand,
                                         mlir::AffineMap map,
                                         const Loops &loops);

/// The opposite for a value with a dimension for each loop, of size 1 where the
/// map, of a result of that shape, doesn't use the loop.
llvm::Expected<mlir::Value> arrangeResult(KernelGraphBuilder &graph,
                                          mlir::Value value,
                                          mlir::AffineMap map,
                                          llvm::ArrayRef<int64_t> shape);

/// Whether two shapes are the same but for leading ones.
bool areAligned(llvm::ArrayRef<int64_t> a, llvm::ArrayRef<int64_t> b);

/// Whether a value in that alignment has every loop at its full size.
bool spansLoops(mlir::Value value, const Loops &loops);

//===----------------------------------------------------------------------===//
// TensorOps.cpp: what isn't a generic
//===----------------------------------------------------------------------===//

/// An op of the tensor dialect, or linalg.softmax: one value for its result.
llvm::Expected<mlir::Value> importTensorOp(KernelGraphBuilder &graph,
                                           mlir::Operation *op);

/// A tensor.pad of zeros that a convolution may take with it: what it pads, and
/// how much before and after each dimension.
struct ZeroPadding {
  mlir::Value source;
  llvm::ArrayRef<int64_t> low, high;
};
std::optional<ZeroPadding> getZeroPadding(mlir::Value tensor);

/// A tensor.insert_slice whose result only gets further slices: the last of
/// them is imported, as a concatenation.
bool isPartOfConcat(mlir::Operation *op);

//===----------------------------------------------------------------------===//
// GenericBody.cpp, Reductions.cpp, Contractions.cpp, Convolutions.cpp: generics
//===----------------------------------------------------------------------===//

/// The tensors that the scalars of a generic's body stand for.
class GenericBody {
public:
  /// Imports the ops of the body in order. One that fails is reported when its
  /// value is asked for.
  GenericBody(KernelGraphBuilder &graph, mlir::linalg::GenericOp op,
              const Loops &loops);

  /// The tensor that a scalar stands for, aligned with the loops.
  llvm::Expected<mlir::Value> get(mlir::Value scalar);

private:
  llvm::Expected<mlir::Value> importLeaf(mlir::Value scalar);

  KernelGraphBuilder &graph;
  mlir::linalg::GenericOp op;
  const Loops &loops;
  llvm::DenseMap<mlir::Value, mlir::Value> values;
  llvm::DenseMap<mlir::Value, std::string> reasons;
};

/// One value for each result, of the result's type.
llvm::Expected<llvm::SmallVector<mlir::Value>>
importGeneric(KernelGraphBuilder &graph, mlir::linalg::GenericOp op);

/// What a result's accumulator is combined with in each iteration.
struct Reduction {
  enum class Kind { Sum, Max, Min };
  Kind kind;
  mlir::Value term;
};
llvm::Expected<Reduction> getReduction(mlir::linalg::GenericOp op,
                                       unsigned index);

/// An operand of a product: an input, perhaps rounded to other types first.
struct Factor {
  mlir::OpOperand *input;
  llvm::SmallVector<mlir::Type, 1> roundings;

  mlir::Value getValue(KernelGraphBuilder &graph) const;
  /// The same for another tensor than the input's.
  mlir::Value getValue(KernelGraphBuilder &graph, mlir::Value tensor) const;
};
/// The two factors of a term, or nothing where it is something else.
std::optional<std::pair<Factor, Factor>> getFactors(mlir::linalg::GenericOp op,
                                                    mlir::Value term);

/// Result number `index` of a generic with reduction loops.
llvm::Expected<mlir::Value> importReduction(KernelGraphBuilder &graph,
                                            mlir::linalg::GenericOp op,
                                            unsigned index, const Loops &loops,
                                            GenericBody &body);

/// Adds what the result of a sum, in the shape of the result, starts with.
llvm::Expected<mlir::Value> addInit(KernelGraphBuilder &graph, mlir::Value sum,
                                    mlir::Value init);

/// The sum of products as a matmul of f32, in the shape of the result; null
/// where it isn't one.
llvm::Expected<mlir::Value> importContraction(KernelGraphBuilder &graph,
                                              mlir::linalg::GenericOp op,
                                              unsigned index, mlir::Value term,
                                              const Loops &loops);

/// A generic with one result as a convolution; null where its maps or body
/// aren't those of one.
llvm::Expected<mlir::Value> importConvolution(KernelGraphBuilder &graph,
                                              mlir::linalg::GenericOp op);

//===----------------------------------------------------------------------===//
// Formulas.cpp
//===----------------------------------------------------------------------===//

/// Patterns on the kernel graph for formulas that are one operator.
void populateFormulaPatterns(mlir::RewritePatternSet &patterns);

/// Patterns that make numbers of what is computed of numbers alone, which no
/// formula is any more then.
void populateFoldNumbersPatterns(mlir::RewritePatternSet &patterns);

//===----------------------------------------------------------------------===//
// InterleavedParts.cpp
//===----------------------------------------------------------------------===//

/// Has what is computed of every other element keep the dimension of the pairs
/// that these are one element of, between slices and concatenations or
/// products. Returns whether products read any of it.
bool keepInterleavedParts(mlir::RewriterBase &rewriter,
                          mlir::func::FuncOp function);

//===----------------------------------------------------------------------===//
// MoveReshapes.cpp
//===----------------------------------------------------------------------===//

/// The most dimensions of what is made by splitting some: programs of more take
/// longer to search.
constexpr int64_t kMostSplitDims = 6;

/// Patterns on the kernel graph after which as few reshapes as possible stand
/// between operators.
void populateMoveReshapesPatterns(mlir::RewritePatternSet &patterns);

//===----------------------------------------------------------------------===//
// MoveBroadcasts.cpp
//===----------------------------------------------------------------------===//

/// The shape of what is broadcast, with as many dimensions as the result.
llvm::SmallVector<int64_t> getNarrowShape(kernel::BroadcastOp broadcast);

/// Patterns on the kernel graph after which operators that repeat their
/// operands read no broadcasts.
void populateMoveBroadcastsPatterns(mlir::RewritePatternSet &patterns);

//===----------------------------------------------------------------------===//
// MoveUnits.cpp
//===----------------------------------------------------------------------===//

/// Whether a reshape keeps the element type, and all dimensions but some of
/// size 1.
bool isOfUnits(kernel::ReshapeOp reshape);

/// Patterns on the kernel graph after which reshapes that add or drop
/// dimensions of size 1 meet those that undo them.
void populateMoveUnitsPatterns(mlir::RewritePatternSet &patterns);

//===----------------------------------------------------------------------===//
// MoveRepeats.cpp
//===----------------------------------------------------------------------===//

/// Patterns on the kernel graph after which elementwise operators don't read
/// arguments whose elements are repeated one by one.
void populateMoveRepeatsPatterns(mlir::RewritePatternSet &patterns);

//===----------------------------------------------------------------------===//
// SplitValues.cpp
//===----------------------------------------------------------------------===//

/// The elementwise op of one result that makes a value which is read once, in
/// the same block; null if nothing does.
OperatorOpInterface getElementwiseOfOneUse(mlir::Value value);

/// Whether the dimensions of a value can be those that groups merge into them,
/// for nothing: it is an argument, a number, what a reshape merges just so, or
/// computed of such, element by element, and read once. There are as many
/// groups as dimensions, or more, whose last ones are meant.
bool canSplit(mlir::Value value, llvm::ArrayRef<DimGroup> groups);

/// What an op of one result computes of other operands, in another shape.
mlir::Value cloneInShape(mlir::RewriterBase &rewriter, mlir::Operation *op,
                         mlir::ValueRange operands,
                         llvm::ArrayRef<int64_t> shape);

/// The value with these dimensions.
mlir::Value splitDims(mlir::Value value, llvm::ArrayRef<DimGroup> groups,
                      mlir::PatternRewriter &rewriter);

//===----------------------------------------------------------------------===//
// MoveScales.cpp
//===----------------------------------------------------------------------===//

/// Patterns on the kernel graph that multiply by constants behind products of
/// matrices, and once.
void populateMoveScalesPatterns(mlir::RewritePatternSet &patterns);

//===----------------------------------------------------------------------===//
// MoveTransposes.cpp
//===----------------------------------------------------------------------===//

/// Patterns on the kernel graph after which fewer transposes are of what is
/// computed, and none moves dimensions of size 1 there.
void populateMoveTransposesPatterns(mlir::RewritePatternSet &patterns);

/// Has what an argument is transposed to several times, with dimensions of size
/// 1 at different places (of a[i] - a[j]), be reshapes of one transpose.
void shareTransposes(mlir::RewriterBase &rewriter, mlir::func::FuncOp function);

//===----------------------------------------------------------------------===//
// RearrangeProducts.cpp
//===----------------------------------------------------------------------===//

/// Patterns that multiply in another arrangement (Arrangement.h), if then fewer
/// tensors are permuted, or smaller ones, in front of a product and behind it.
void populateRearrangeProductsPatterns(mlir::RewritePatternSet &patterns);
/// Patterns that transpose what is computed behind elementwise operators and
/// reductions rather than in front of them.
void populateSinkTransposesPatterns(mlir::RewritePatternSet &patterns);
/// A pattern that makes rows of batches which share the right operand, if
/// there are fewer rows than those.
void populateSwapBatchesPatterns(mlir::RewritePatternSet &patterns);

//===----------------------------------------------------------------------===//
// ShareShapes.cpp
//===----------------------------------------------------------------------===//

/// A pattern that has what is elementwise read arguments in the shape in which
/// they are reduced.
void populateShareShapesPatterns(mlir::RewritePatternSet &patterns);

//===----------------------------------------------------------------------===//
// SplitContractions.cpp
//===----------------------------------------------------------------------===//

/// Whether some tensor that a value is computed from, elementwise and by
/// transposes, has some of these of its dimensions and not the others, where
/// those of size 1 don't count.
bool readsSomeOf(mlir::Value value, llvm::ArrayRef<int64_t> dims);

/// Patterns that make products over several merged dimensions sums of products
/// over the last of them, where the reshape that merges them would stand
/// between operators.
void populateSplitContractionsPatterns(mlir::RewritePatternSet &patterns);

//===----------------------------------------------------------------------===//
// MoveSlices.cpp
//===----------------------------------------------------------------------===//

/// Elements of a tensor along a dimension; the tensor itself where that is all.
mlir::Value createSlice(mlir::OpBuilder &builder, mlir::Value tensor,
                        int64_t dim, int64_t offset, int64_t size);

/// Whether all that reads a concatenation can read its parts instead.
bool isReadInParts(mlir::Operation *concat);

/// Whether a reshape of a slice becomes one of an argument, or of what is
/// reshaped, in front of the slice.
bool isReshapedInFront(kernel::ReshapeOp reshape);

/// Patterns on the kernel graph after which slices are taken of the function's
/// arguments, and concatenations made of results, as far as possible.
void populateMoveSlicesPatterns(mlir::RewritePatternSet &patterns);

} // namespace mirage::linalg_import

#endif // MIRAGE_LIB_CONVERSION_LINALGTOMIRAGE_IMPORT_H
