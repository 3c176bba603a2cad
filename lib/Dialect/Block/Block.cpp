//===- Block.cpp - The block dialect --------------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Mirage/BlockGraphVerifier.h"
#include "Mirage/Operators/ShapeText.h"
#include "UnevenGrid.h"
#include "UnevenLoop.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::block;

#include "Mirage/Dialect/Block/Dialect.cpp.inc"
#include "Mirage/Dialect/Block/Enums.cpp.inc"

#define GET_OP_CLASSES
#include "Mirage/Dialect/Block/Ops.cpp.inc"

namespace {
struct WholeGraphVerifier final : BlockGraphVerifier {
  using BlockGraphVerifier::BlockGraphVerifier;
  LogicalResult verifyBlockGraph(BlockGraphOpInterface kernel) const override {
    return failure(failed(verifyUnevenGrid(kernel)) ||
                   failed(verifyUnevenLoops(kernel)));
  }
};
} // namespace

void BlockDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "Mirage/Dialect/Block/Ops.cpp.inc"
      >();
  addInterfaces<WholeGraphVerifier>();
}

/// Divides `shape[dim]` by the number of blocks or iterations, `ofPart` each;
/// on failure says what `who` did wrong. What they don't divide is rounded up,
/// unless it is not to be for the reason `whyEven`.
static LogicalResult divide(Operation *op, Shape &shape, int64_t dim,
                            int64_t parts, const Twine &who, StringRef ofPart,
                            StringRef whyEven) {
  if (dim >= static_cast<int64_t>(shape.size()))
    return op->emitOpError() << who << " partitions data dimension " << dim
                             << ", but the tensor has rank " << shape.size();
  if (shape[dim] % parts == 0) {
    shape[dim] /= parts;
    return success();
  }
  std::optional<int64_t> part;
  if (whyEven.empty())
    part = getUnevenPart(shape[dim], parts);
  if (!part) {
    InFlightDiagnostic diagnostic =
        op->emitOpError() << who << " has " << parts
                          << " parts, which don't divide the " << shape[dim]
                          << " elements of data dimension " << dim;
    if (whyEven.empty())
      diagnostic << ", nor leave each " << ofPart << " elements of its own";
    return diagnostic << whyEven;
  }
  shape[dim] = *part;
  return success();
}

/// Cuts a tensor into a grid's tiles; on failure says what is wrong.
static LogicalResult cut(Operation *op, Shape &shape, ArrayRef<int64_t> grid,
                         ArrayRef<int64_t> map, int64_t loopDim = kReplica) {
  for (auto [dim, size, data] : llvm::enumerate(grid, map)) {
    if (data == kReplica)
      continue;
    StringRef whyEven = data == loopDim
                            ? ", as they must where the loop partitions it, too"
                            : "";
    if (failed(divide(op, shape, data, size,
                      "grid dimension " + getGridDimName(dim), "block",
                      whyEven)))
      return failure();
  }
  return success();
}

/// Whether a data dimension is named twice; emits the error.
static LogicalResult verifyDistinct(Operation *op, ArrayRef<int64_t> dims) {
  for (auto [i, dim] : llvm::enumerate(dims))
    for (size_t j = 0; j < i; ++j)
      if (dim != kReplica && dims[j] == dim)
        return op->emitOpError()
               << "grid dimensions " << getGridDimName(j) << " and "
               << getGridDimName(i) << " both name data dimension " << dim;
  return success();
}

//===----------------------------------------------------------------------===//
// Input iterators and output savers
//===----------------------------------------------------------------------===//

LogicalResult InputIterator::verify() {
  auto graph = (*this)->getParentOfType<BlockGraphOpInterface>();
  if (!graph)
    return emitOpError("must stand in a block graph");
  // C1
  auto argument = dyn_cast<BlockArgument>(getTensor());
  if (!argument || argument.getOwner()->getParentOp() != graph.getOperation())
    return emitOpError("must read an argument of the enclosing graph_defined");
  // C2
  ArrayRef<int64_t> grid = graph.getGrid().getSizes();
  ArrayRef<int64_t> imap = getImap().getDims();
  if (imap.size() != grid.size())
    return emitOpError("has an imap of ")
           << imap.size() << " entries, but the grid has " << grid.size()
           << " dimensions";
  // C4
  if (failed(verifyDistinct(*this, imap)))
    return failure();
  // C3, C5
  auto tensor = cast<ShapedType>(getTensor().getType());
  auto tile = cast<ShapedType>(getTile().getType());
  Shape shape(tensor.getShape());
  int64_t loopDim = getFmap() ? getFmap()->getDim() : kReplica;
  if (failed(cut(*this, shape, grid, imap, loopDim)))
    return failure();
  // C6
  auto loop = dyn_cast<LoopOp>((*this)->getParentOp());
  if (static_cast<bool>(loop) != getFmap().has_value())
    return emitOpError(loop ? "in a loop must have an fmap"
                            : "outside of a loop can't have an fmap");
  if (loop && loopDim != kReplica &&
      failed(divide(*this, shape, loopDim, loop.getIterations(), "the loop",
                    "iteration", /*whyEven=*/"")))
    return failure();
  if (tile.getShape() != ArrayRef<int64_t>(shape))
    return emitOpError("has a tile ")
           << tile << ", but the maps leave "
           << getTensorType(Level::Block, shape, tile.getElementType());
  // C7
  if (tile.getElementType() != tensor.getElementType())
    return emitOpError("has a tile of ")
           << tile.getElementType() << " from a tensor of "
           << tensor.getElementType();
  return success();
}

int64_t InputIterator::getExtentOfBlock(int64_t dim) {
  auto graph = (*this)->getParentOfType<BlockGraphOpInterface>();
  int64_t extent = cast<ShapedType>(getTensor().getType()).getDimSize(dim);
  for (auto [blocks, data] :
       llvm::zip_equal(graph.getGrid().getSizes(), getImap().getDims()))
    if (data == dim)
      extent = getUnevenPart(extent, blocks).value_or(extent / blocks);
  return extent;
}

Value OutputSaver::getTensor() {
  auto savers = (*this)->getBlock()->getOps<OutputSaver>();
  return (*this)->getParentOp()->getResult(
      std::distance(savers.begin(), llvm::find(savers, *this)));
}

LogicalResult OutputSaver::verify() {
  // C5
  auto graph = dyn_cast_or_null<BlockGraphOpInterface>((*this)->getParentOp());
  if (!graph)
    return emitOpError("must stand directly in a block graph");
  // C1
  ArrayRef<int64_t> grid = graph.getGrid().getSizes();
  ArrayRef<int64_t> omap = getOmap().getDims();
  if (omap.size() != grid.size())
    return emitOpError("has an omap of ")
           << omap.size() << " entries, but the grid has " << grid.size()
           << " dimensions";
  // C2
  for (auto [dim, data] : llvm::enumerate(omap))
    if (data == kReplica && grid[dim] > 1)
      return emitOpError("leaves grid dimension ")
             << getGridDimName(dim)
             << " unmapped: its blocks would write the same elements";
  // C3
  if (failed(verifyDistinct(*this, omap)))
    return failure();
  auto tensor = cast<ShapedType>(getType());
  auto tile = cast<ShapedType>(getTile().getType());
  Shape shape(tensor.getShape());
  if (failed(cut(*this, shape, grid, omap)))
    return failure();
  // C4
  if (tile.getShape() != ArrayRef<int64_t>(shape))
    return emitOpError("saves a ")
           << tile << ", but each block's part of the tensor is a "
           << getTensorType(Level::Block, shape, tile.getElementType());
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult LoopOp::verify() {
  // C4
  if (!isa_and_nonnull<BlockGraphOpInterface>((*this)->getParentOp()))
    return emitOpError("must stand directly in a block graph");
  if (getBody().getNumArguments() != 0)
    return emitOpError("can't have arguments of its region, found ")
           << getBody().getNumArguments();
  // C1
  int64_t iterations = getIterations();
  if (iterations < 1 || iterations > std::numeric_limits<int32_t>::max())
    return emitOpError("must have from 1 to 2147483647 iterations, found ")
           << iterations;
  return success();
}

LogicalResult LoopOp::verifyRegions() {
  // C2
  auto accumulate = cast<AccumulateOp>(getBody().front().getTerminator());
  if (accumulate.getTiles().size() != getNumResults())
    return emitOpError("has ")
           << getNumResults() << " results, but "
           << accumulate.getTiles().size() << " accumulators";
  for (auto [i, tile, result] :
       llvm::enumerate(accumulate.getTiles(), getResults())) {
    Shape shape(cast<ShapedType>(tile.getType()).getShape());
    int64_t dim = accumulate.getDims()[i];
    // The accumulate op has checked its dimension.
    if (dim != kReplica) {
      if (shape[dim] > kMaxElements / static_cast<int64_t>(getIterations()))
        return emitOpError("accumulator ")
               << i << " collects more than 2^40 elements";
      shape[dim] *= getIterations();
    }
    auto resultType = cast<ShapedType>(result.getType());
    if (ArrayRef<int64_t>(shape) != resultType.getShape())
      return emitOpError("accumulator ")
             << i << " collects a tile of shape " << getShapeText(shape)
             << ", but its result is a " << resultType;
  }
  // C3
  for (Operation &op : getBody().front()) {
    if (!isa<ConstantOp>(op) && !isa_and_nonnull<BlockDialect>(op.getDialect()))
      return op.emitOpError("can't stand in a loop of a block graph");
    for (Value operand : op.getOperands()) {
      Operation *definition = operand.getDefiningOp();
      bool outside = definition && definition->getBlock() != op.getBlock();
      // CSE takes a constant of the block graph for an equal one of the loop.
      if (outside && !isa<ConstantOp>(definition) &&
          isa<TileType>(operand.getType())) {
        InFlightDiagnostic diagnostic = op.emitOpError(
            "uses a tile from outside of the loop: load it in the loop");
        diagnostic.attachNote(definition->getLoc()) << "the tile is made here";
        return diagnostic;
      }
    }
  }
  return success();
}

ParseResult AccumulateOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::UnresolvedOperand> tiles, maxima;
  SmallVector<unsigned> rescaled;
  SmallVector<int64_t> dims;
  SmallVector<Type> types, maximaTypes;
  SmallVector<Attribute> kinds;
  Builder &builder = parser.getBuilder();
  SMLoc start = parser.getCurrentLocation(), loc = start;
  StringRef keyword;
  bool more = succeeded(parser.parseOptionalKeyword(&keyword));
  while (more) {
    std::optional<AccumulatorKind> kind = symbolizeAccumulatorKind(keyword);
    if (!kind)
      return parser.emitError(loc, "expected a kind of accumulator ('sum', "
                                   "'max', 'concat' or 'rescaled_sum')");
    kinds.push_back(AccumulatorKindAttr::get(builder.getContext(), *kind));
    if (parser.parseOperand(tiles.emplace_back()))
      return failure();
    dims.push_back(kReplica);
    if (*kind == AccumulatorKind::Concat &&
        (parser.parseKeyword("dim") || parser.parseInteger(dims.back())))
      return failure();
    if (*kind == AccumulatorKind::RescaledSum) {
      rescaled.push_back(tiles.size() - 1);
      if (parser.parseKeyword("by") ||
          parser.parseOperand(maxima.emplace_back()))
        return failure();
    }
    more = succeeded(parser.parseOptionalComma());
    loc = parser.getCurrentLocation();
    if (more && parser.parseKeyword(&keyword))
      return failure();
  }
  if (parser.parseOptionalAttrDict(result.attributes))
    return failure();
  if (!tiles.empty() && parser.parseColon())
    return failure();
  for (size_t i = 0; i < tiles.size(); ++i) {
    if ((i > 0 && parser.parseComma()) ||
        parser.parseType(types.emplace_back()))
      return failure();
    if (llvm::is_contained(rescaled, i) &&
        (parser.parseKeyword("by") ||
         parser.parseType(maximaTypes.emplace_back())))
      return failure();
  }
  if (parser.resolveOperands(tiles, types, start, result.operands) ||
      parser.resolveOperands(maxima, maximaTypes, start, result.operands))
    return failure();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.kinds = builder.getArrayAttr(kinds);
  properties.dims = builder.getDenseI64ArrayAttr(dims);
  properties.operandSegmentSizes = {static_cast<int32_t>(tiles.size()),
                                    static_cast<int32_t>(maxima.size())};
  return success();
}

void AccumulateOp::print(OpAsmPrinter &printer) {
  unsigned nextMaximum = 0;
  for (auto [i, kind, tile, dim] :
       llvm::enumerate(getKinds(), getTiles(), getDims())) {
    AccumulatorKind value = cast<AccumulatorKindAttr>(kind).getValue();
    printer << (i ? ", " : " ") << stringifyAccumulatorKind(value) << " "
            << tile;
    if (value == AccumulatorKind::Concat)
      printer << " dim " << dim;
    if (value == AccumulatorKind::RescaledSum)
      printer << " by " << getMaxima()[nextMaximum++];
  }
  printer.printOptionalAttrDict((*this)->getAttrs(),
                                {"kinds", "dims", "operandSegmentSizes"});
  if (getTiles().empty())
    return;
  printer << " : ";
  nextMaximum = 0;
  for (auto [i, kind, tile] : llvm::enumerate(getKinds(), getTiles())) {
    printer << (i ? ", " : "") << tile.getType();
    if (cast<AccumulatorKindAttr>(kind).getValue() ==
        AccumulatorKind::RescaledSum)
      printer << " by " << getMaxima()[nextMaximum++].getType();
  }
}

AccumulatorKind AccumulateOp::getKind(unsigned accumulator) {
  return cast<AccumulatorKindAttr>(getKinds()[accumulator]).getValue();
}

Value AccumulateOp::getMaximum(unsigned accumulator) {
  unsigned position = 0;
  for (unsigned i = 0; i < accumulator; ++i)
    position += getKind(i) == AccumulatorKind::RescaledSum;
  return getMaxima()[position];
}

SmallVector<TileType> AccumulateOp::getScratchTypes() {
  // Sums that are rescaled by one tile share its. A module's target asks for
  // them before this op has been verified.
  ArrayRef<int32_t> sizes = getProperties().operandSegmentSizes;
  if (sizes[0] < 0 || sizes[0] > static_cast<int64_t>(getNumOperands()))
    return {};
  SmallVector<TileType> types;
  llvm::SmallSetVector<Value, 2> distinct;
  for (Value maximum : getOperands().drop_front(sizes[0]))
    if (auto type = dyn_cast<TileType>(maximum.getType());
        type && distinct.insert(maximum))
      types.append(kTilesOfRunningMaximum, type);
  return types;
}

SmallVector<std::pair<Value, bool>> AccumulateOp::getSums() {
  ArrayAttr kinds = getProperties().kinds;
  const int32_t count = getProperties().operandSegmentSizes[0];
  if (!kinds || count < 0 || count > static_cast<int64_t>(getNumOperands()))
    return {};
  SmallVector<std::pair<Value, bool>> sums;
  for (auto [tile, attribute] :
       llvm::zip(getOperands().take_front(count), kinds)) {
    auto kind = dyn_cast<AccumulatorKindAttr>(attribute);
    bool isRescaled = kind && kind.getValue() == AccumulatorKind::RescaledSum;
    if (isRescaled || (kind && kind.getValue() == AccumulatorKind::Sum))
      sums.emplace_back(tile, isRescaled);
  }
  return sums;
}

LogicalResult AccumulateOp::verify() {
  // C1
  size_t count = getTiles().size();
  if (getKinds().size() != count || getDims().size() != count)
    return emitOpError("has ")
           << getKinds().size() << " kinds and " << getDims().size()
           << " dimensions for " << count << " tiles";
  size_t rescaled = 0;
  for (size_t i = 0; i < count; ++i) {
    // C2
    int64_t dim = getDims()[i];
    bool concatenates = getKind(i) == AccumulatorKind::Concat;
    int64_t rank = cast<ShapedType>(getTiles()[i].getType()).getRank();
    if (concatenates ? dim < 0 || dim >= rank : dim != kReplica)
      return emitOpError("accumulator ")
             << i << (concatenates ? " concatenates" : " does not concatenate")
             << " along dimension " << dim << " of a tile of rank " << rank;
    rescaled += getKind(i) == AccumulatorKind::RescaledSum;
  }
  // C3
  if (getMaxima().size() != rescaled)
    return emitOpError("has ") << getMaxima().size() << " maxima for "
                               << rescaled << " rescaled sums";
  // C4
  for (size_t i = 0; i < count; ++i) {
    if (getKind(i) != AccumulatorKind::RescaledSum)
      continue;
    auto tile = cast<ShapedType>(getTiles()[i].getType());
    auto maximum = cast<ShapedType>(getMaximum(i).getType());
    Shape shape;
    if (!broadcastShapes(tile.getShape(), maximum.getShape(), shape) ||
        ArrayRef<int64_t>(shape) != tile.getShape())
      return emitOpError("accumulator ")
             << i << " is rescaled by a " << maximum
             << ", which doesn't broadcast to its tile, a " << tile;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

LogicalResult FreshMaskOp::verify() {
  // C1
  auto tile = cast<ShapedType>(getMask().getType());
  int64_t dim = getDim(), extent = getExtent(),
          iterations = cast<LoopOp>((*this)->getParentOp()).getIterations();
  if (dim >= tile.getRank() || dim < 0)
    return emitOpError("names dimension ")
           << dim << ", but the tile has rank " << tile.getRank();
  std::optional<int64_t> part;
  if (extent > 0 && iterations > 0)
    part = getUnevenPart(extent, iterations);
  if (!part)
    return emitOpError("is of ")
           << extent << " elements, of which " << iterations
           << " iterations have no parts that overlap";
  Shape shape(tile.getRank(), 1);
  shape[dim] = *part;
  if (tile.getShape() != ArrayRef<int64_t>(shape))
    return emitOpError("is a ")
           << tile << ", expected shape " << getShapeText(shape);
  // C2 is verified with all of the loop.
  return success();
}

FreshMaskOp block::getFreshMask(Operation *op) {
  auto masking = dyn_cast<OperatorOpInterface>(op);
  if (!masking || !masking.getSemantics().isMasking())
    return {};
  Value condition = op->getOperand(0);
  if (auto argument = dyn_cast<BlockArgument>(condition))
    if (auto graph = dyn_cast_or_null<GraphDefinedOp>(
            argument.getOwner()->getParentOp()))
      condition = graph.getInputs()[argument.getArgNumber()];
  return condition.getDefiningOp<FreshMaskOp>();
}

//===----------------------------------------------------------------------===//
// Thread graphs
//===----------------------------------------------------------------------===//

LogicalResult GraphDefinedOp::verify() {
  // C1
  Block &body = getBody().front();
  if (body.getNumArguments() != getInputs().size())
    return emitOpError("has ")
           << getInputs().size() << " operands, but its region has "
           << body.getNumArguments() << " arguments";
  for (auto [i, argument, input] :
       llvm::enumerate(body.getArguments(), getInputs())) {
    auto tile = cast<TileType>(input.getType());
    auto fragment = dyn_cast<FragmentType>(argument.getType());
    if (!fragment || fragment.getShape() != tile.getShape() ||
        fragment.getElementType() != tile.getElementType())
      return emitOpError("argument ")
             << i << " is a " << argument.getType()
             << ", not a fragment of the operand, a " << tile;
  }
  // C4
  for (Value output : getOutputs())
    if (cast<ShapedType>(output.getType()).getShape() !=
        cast<ShapedType>(getOutputs()[0].getType()).getShape())
      return emitOpError("must have results of one shape");
  return success();
}

LogicalResult GraphDefinedOp::verifyRegions() {
  // C3
  Block &body = getBody().front();
  for (Operation &op : body)
    if (!isa<ConstantOp>(op) &&
        (op.getName().getDialectNamespace() != getDialectName(Level::Thread) ||
         !op.isRegistered()))
      return op.emitOpError("can't stand in a thread graph");
  // C2. The only terminator of these is mirage_thread.yield.
  Operation &yield = body.back();
  if (yield.getNumOperands() != getNumResults())
    return emitOpError("has ") << getNumResults() << " results, but yields "
                               << yield.getNumOperands() << " values";
  for (auto [i, value, result] :
       llvm::enumerate(yield.getOperands(), getResults()))
    if (cast<ShapedType>(value.getType()).getShape() !=
        cast<ShapedType>(result.getType()).getShape())
      return emitOpError("result ")
             << i << " is a " << result.getType()
             << ", but the region yields a " << value.getType();
  return success();
}
