//===- MatmulEmitter.cpp - Products of matrices on tensor cores -----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp multiplies tiles of 16 rows and 8 columns in steps of 16 (or 8) along
// the depth. In a tile, lane 4 g + t has the elements of row g (and g + 8) at
// columns 2 t and 2 t + 1, and of a step of the depth the elements 2 t and 2 t
// + 1 (and 8 more). With tf32, whose steps are of 8 elements of which a lane
// has t and t + 4, these two stand in for 2 t and 2 t + 1: the order of a sum's
// terms is free, if only rows and columns have the same.
//
//===----------------------------------------------------------------------===//

#include "ElementCode.h"
#include "KernelEmitterImpl.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mirage;
using namespace mlir;

static Type getMultiplicandType(Builder &builder, MatmulPlan::Kind kind) {
  switch (kind) {
  case MatmulPlan::Kind::F16:
    return builder.getF16Type();
  case MatmulPlan::Kind::BF16:
    return builder.getBF16Type();
  case MatmulPlan::Kind::TF32:
    return builder.getF32Type();
  }
  llvm_unreachable("all kinds are covered");
}

//===----------------------------------------------------------------------===//
// Which warp has what
//===----------------------------------------------------------------------===//

KernelEmitterImpl::WarpPlace
KernelEmitterImpl::getWarpPlace(const MatmulPlan &plan) {
  auto [batches, rows, cols] = plan.getTilesPerWarp();
  WarpPlace place;
  if (plan.getActiveWarps() < threads / kWarpSize)
    place.isActive = isBelow(warp, plan.getActiveWarps());
  if (plan.inRowChain) {
    Value part = div(warp, plan.rowWarps);
    place.depth = plan.depthWarps > 1 ? part : makeIndex(0);
    place.colTile = plan.colWarps > 1 ? mul(part, cols) : makeIndex(0);
    place.rowTile = rem(warp, plan.rowWarps);
    place.batch = makeIndex(0);
    return place;
  }
  Value left = plan.inWarpgroups ? div(warp, MatmulPlan::kWarpsPerGroup) : warp;
  auto take = [&](int64_t parts) {
    Value part = rem(left, parts);
    left = div(left, parts);
    return part;
  };
  place.depth = take(plan.depthWarps);
  place.colTile = mul(take(plan.colWarps), cols);
  int64_t stride = plan.getRowTileStride();
  place.rowTile = mul(take(plan.rowWarps / stride), rows * stride);
  if (plan.inWarpgroups)
    place.rowTile = add(place.rowTile, rem(warp, stride));
  place.batch = mul(take(plan.batchWarps), batches);
  return place;
}

SmallVector<KernelEmitterImpl::TileRange>
KernelEmitterImpl::getRanges(const MatmulPlan &plan) const {
  auto [batches, rows, cols] = plan.getTilesPerWarp();
  if (plan.inWarpgroups) {
    SmallVector<TileRange> whole;
    for (int64_t b = 0; b < batches; ++b)
      whole.push_back({b, 0, 0, rows, cols});
    return whole;
  }
  auto [numRows, numCols] = plan.getTilesAtOnce();
  SmallVector<TileRange> ranges;
  for (int64_t b = 0; b < batches; ++b)
    for (int64_t r = 0; r < rows; r += numRows)
      for (int64_t c = 0; c < cols; c += numCols)
        ranges.push_back({b, r, c, std::min(numRows, rows - r),
                          std::min(numCols, cols - c)});
  return ranges;
}

/// All tiles of a warp in one batch, in the order of its fragments.
static size_t getFragmentIndex(const MatmulPlan &plan, int64_t b, int64_t r,
                               int64_t c) {
  auto [batches, rows, cols] = plan.getTilesPerWarp();
  return (b * rows + r) * cols + c;
}

Value KernelEmitterImpl::makeZeroFragment() {
  return makeZeros(VectorType::get(4, builder.getF32Type()));
}

Value KernelEmitterImpl::makeZeros(VectorType type) {
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

SmallVector<Value> KernelEmitterImpl::getBatchIndex(Operation *product,
                                                    Value batch,
                                                    ArrayRef<int64_t> operand) {
  auto result = cast<ShapedType>(product->getResult(0).getType()).getShape();
  SmallVector<Value> index = delinearize(batch, result.drop_back(2));
  for (auto [i, size] : llvm::zip(index, operand))
    if (size == 1)
      i = makeIndex(0);
  return index;
}

SmallVector<Value> KernelEmitterImpl::loadMatrices(
    const TileMemory &tile, const MatmulPlan &plan, MatricesOf of,
    unsigned lineDim, unsigned depthDim, ArrayRef<Value> batch, Value first,
    Value depth, int64_t numLines, std::optional<int64_t> depthEnd) {
  if (!tile || !tile.isShared())
    return {};
  std::optional<unsigned> contiguous =
      getMatrixDim(tile.getElementSize(), tile.strides, tile.offset, lineDim,
                   depthDim, numLines);
  if (!contiguous)
    return {};

  bool alongDepth = *contiguous == depthDim;
  // Eight neighbours along the depth may reach beyond its end.
  if (alongDepth && depthEnd)
    return {};
  int64_t halves = of == MatricesOf::Cols ? 1 : 2,
          count = halves * plan.depthHalves;
  Value matrix = rem(div(lane, 8), count), line8 = rem(lane, 8);
  Value half = rem(matrix, halves), depthHalf = div(matrix, halves);
  if (of == MatricesOf::TwoCols) {
    half = div(matrix, plan.depthHalves);
    depthHalf = rem(matrix, plan.depthHalves);
  }
  SmallVector<Value> index(batch);
  index.resize(batch.size() + 2);
  Value line = add(first, mul(half, 8)), step = add(depth, mul(depthHalf, 8));
  bool isPadded = numLines % (8 * halves) != 0;
  if (alongDepth) {
    line = add(line, line8);
    if (isPadded)
      line = min(line, numLines - 1);
  } else {
    step = add(step, line8);
    // Behind the depth's end lanes take its last row of memory.
    if (depthEnd)
      step = min(step, *depthEnd - 1);
    if (isPadded)
      line = min(line, numLines - 8);
  }
  index[lineDim] = line;
  index[depthDim] = step;
  Type element = tile.getElementType();
  Value matrices = nvgpu::LdMatrixOp::create(
      builder, loc, VectorType::get({count, 2}, element), tile.flat,
      ValueRange{tile.getPlace(builder, loc, index)},
      /*transpose=*/!alongDepth, static_cast<int32_t>(count));
  SmallVector<Value> pairs;
  for (int64_t i = 0; i < count; ++i) {
    Value pair = vector::ExtractOp::create(builder, loc, matrices, i);
    if (depthEnd) {
      int64_t d = of == MatricesOf::TwoCols ? i % plan.depthHalves : i / halves;
      pair =
          zeroFrom(*depthEnd, add(add(depth, 8 * d), getFirstOfPair()), pair);
    }
    pairs.push_back(pair);
  }
  return pairs;
}

Value KernelEmitterImpl::roundToTF32(Value pair, bool isExact) {
  auto type = VectorType::get(2, builder.getI32Type());
  SmallVector<Value> rounded;
  for (int64_t i : {0, 1})
    rounded.push_back(NVVM::ConvertFloatToTF32Op::create(
        builder, loc, builder.getI32Type(),
        vector::ExtractOp::create(builder, loc, pair, i),
        NVVM::FPRoundingMode::RNA));
  Value numbers = vector::FromElementsOp::create(builder, loc, type, rounded);
  if (!isExact)
    return numbers;
  constexpr int32_t kBits = ~((1 << 13) - 1);
  Value bits = arith::ConstantOp::create(builder, loc,
                                         DenseElementsAttr::get(type, kBits));
  return arith::AndIOp::create(builder, loc, numbers, bits);
}

Value KernelEmitterImpl::getFirstOfPair() { return mul(rem(lane, 4), 2); }

Value KernelEmitterImpl::isInside(int64_t size, Value at, Type type) {
  Value isFirst = isBelow(at, size);
  if (!isa<VectorType>(type) || size % 2 == 0)
    return isFirst;
  return vector::FromElementsOp::create(
      builder, loc, VectorType::get(2, builder.getI1Type()),
      ValueRange{isFirst, isBelow(at, size - 1)});
}

Value KernelEmitterImpl::zeroFrom(int64_t depth, Value at, Value value) {
  Value zero = arith::ConstantOp::create(builder, loc,
                                         builder.getZeroAttr(value.getType()));
  return arith::SelectOp::create(
      builder, loc, isInside(depth, at, value.getType()), value, zero);
}

SmallVector<Value>
KernelEmitterImpl::loadPairs(OperatorOpInterface op, const MatmulPlan &plan,
                             const MatmulPlan::Product &product, bool isRow,
                             Value batch, Value first, Value depth,
                             bool isLast) {
  Value tile = op->getOperand(isRow ? product.rowOperand : product.colOperand);
  auto shape = cast<ShapedType>(tile.getType()).getShape();
  unsigned rank = shape.size();
  // Lines of the left operand are rows, of the right one columns.
  bool isLeft = isRow != plan.swapped;
  unsigned lineDim = isLeft ? rank - 2 : rank - 1;
  unsigned depthDim = isLeft ? rank - 1 : rank - 2;
  SmallVector<Value> batches = getBatchIndex(op, batch, shape);
  int64_t numLines = shape[lineDim];

  TileMemory memory = getMemory(tile);
  SmallVector<Value> pairs;
  // Behind the depth's end is nothing to load.
  std::optional<int64_t> depthEnd;
  if (isLast)
    depthEnd = product.depth;
  pairs = loadMatrices(memory, plan,
                       isRow ? MatricesOf::Rows : MatricesOf::Cols, lineDim,
                       depthDim, batches, first, depth, numLines, depthEnd);
  if (pairs.empty()) {
    // Where rows have an odd length, pairs are not aligned.
    bool readsPairs = isLeft && product.depth % 2 == 0;
    auto readElement = [&](SmallVector<Value> index) {
      Value at = index[depthDim];
      if (!isLast)
        return read(tile, index);
      index[depthDim] = min(at, product.depth - 1);
      return zeroFrom(product.depth, at, read(tile, index));
    };
    int64_t halves = isRow ? 2 : 1;
    Value g = div(lane, 4), t = getFirstOfPair();
    for (int64_t d = 0; d < plan.depthHalves; ++d)
      for (int64_t half = 0; half < halves; ++half) {
        SmallVector<Value> index(batches);
        index.resize(rank);
        Value line = add(add(first, 8 * half), g);
        index[lineDim] =
            numLines % (8 * halves) ? min(line, numLines - 1) : line;
        index[depthDim] = add(add(depth, 8 * d), t);
        if (readsPairs) {
          Value at = index[depthDim];
          if (isLast)
            index[depthDim] = min(at, product.depth - 2);
          Value pair = read(tile, index, 2);
          pairs.push_back(isLast ? zeroFrom(product.depth, at, pair) : pair);
          continue;
        }
        Value even = readElement(index);
        index[depthDim] = add(index[depthDim], 1);
        Value odd = readElement(index);
        pairs.push_back(vector::FromElementsOp::create(
            builder, loc, VectorType::get(2, builder.getF32Type()),
            ValueRange{even, odd}));
      }
  }
  return pairs;
}

SmallVector<SmallVector<Value>>
KernelEmitterImpl::loadColPairs(OperatorOpInterface op, const MatmulPlan &plan,
                                const MatmulPlan::Product &product, Value batch,
                                Value first, int64_t numLeft, Value depth,
                                bool isLast) {
  Value tile = op->getOperand(product.colOperand);
  auto shape = cast<ShapedType>(tile.getType()).getShape();
  unsigned rank = shape.size(), lineDim = plan.swapped ? rank - 2 : rank - 1,
           depthDim = plan.swapped ? rank - 1 : rank - 2;
  SmallVector<Value> pairs;
  std::optional<int64_t> depthEnd;
  if (isLast)
    depthEnd = product.depth;
  if (numLeft > 1)
    pairs = loadMatrices(getMemory(tile), plan, MatricesOf::TwoCols, lineDim,
                         depthDim, getBatchIndex(op, batch, shape), first,
                         depth, shape[lineDim], depthEnd);
  if (pairs.empty())
    return {loadPairs(op, plan, product, /*isRow=*/false, batch, first, depth,
                      isLast)};
  SmallVector<SmallVector<Value>> cols;
  for (ArrayRef<Value> rest = pairs; !rest.empty();
       rest = rest.drop_front(plan.depthHalves))
    cols.emplace_back(rest.take_front(plan.depthHalves));
  return cols;
}

SmallVector<Value>
KernelEmitterImpl::loadFragment(OperatorOpInterface op, const MatmulPlan &plan,
                                const MatmulPlan::Product &product, bool isRow,
                                Value batch, Value first, Value depth,
                                bool isLast) {
  Value tile = op->getOperand(isRow ? product.rowOperand : product.colOperand);
  return toMultiplicands(
      loadPairs(op, plan, product, isRow, batch, first, depth, isLast), plan,
      product.kind, /*isExact=*/!getReadType(tile).isF32());
}

SmallVector<SmallVector<Value>>
KernelEmitterImpl::loadCols(OperatorOpInterface op, const MatmulPlan &plan,
                            const MatmulPlan::Product &product, Value batch,
                            Value first, int64_t numLeft, Value depth,
                            bool isLast) {
  SmallVector<SmallVector<Value>> cols =
      loadColPairs(op, plan, product, batch, first, numLeft, depth, isLast);
  for (SmallVector<Value> &pairs : cols)
    pairs = toMultiplicands(
        std::move(pairs), plan, product.kind,
        /*isExact=*/!getReadType(op->getOperand(product.colOperand)).isF32());
  return cols;
}

SmallVector<Value> KernelEmitterImpl::toMultiplicands(SmallVector<Value> pairs,
                                                      const MatmulPlan &plan,
                                                      MatmulPlan::Kind kind,
                                                      bool isExact) {
  Type element = getMultiplicandType(builder, kind);
  SmallVector<Value> remainders;
  for (Value &pair : pairs) {
    pair = convertFloat(builder, loc, pair, element);
    if (kind != MatmulPlan::Kind::TF32)
      continue;
    if (isExact) {
      pair = arith::BitcastOp::create(
          builder, loc, VectorType::get(2, builder.getI32Type()), pair);
      continue;
    }
    Value exact = pair;
    pair = roundToTF32(exact, /*isExact=*/plan.keepsRemainders);
    if (!plan.keepsRemainders)
      continue;
    Value rounded =
        arith::BitcastOp::create(builder, loc, exact.getType(), pair);
    Value remainder = arith::SubFOp::create(builder, loc, exact, rounded);
    // Nothing is left of what is infinite, rounded or before.
    Value isNaN = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO,
                                        remainder, remainder);
    Value nothing = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(exact.getType()));
    remainder =
        arith::SelectOp::create(builder, loc, isNaN, nothing, remainder);
    remainders.push_back(roundToTF32(remainder, /*isExact=*/false));
  }
  llvm::append_range(pairs, remainders);
  return pairs;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

Value KernelEmitterImpl::packPair(Value pair) {
  auto type = VectorType::get(1, builder.getI32Type());
  return vector::ExtractOp::create(
      builder, loc, vector::BitCastOp::create(builder, loc, type, pair), 0);
}

void KernelEmitterImpl::emitMma(const MatmulPlan &plan, MatmulPlan::Kind kind,
                                ArrayRef<Value> rows, ArrayRef<Value> cols,
                                Value &fragment) {
  Type f32 = builder.getF32Type();
  auto resultType = LLVM::LLVMStructType::getLiteral(builder.getContext(),
                                                     {f32, f32, f32, f32});
  auto issue = [&](ValueRange a, ValueRange b, int64_t depth,
                   NVVM::MMATypes type) {
    SmallVector<Value> c;
    for (int64_t i = 0; i < 4; ++i)
      c.push_back(vector::ExtractOp::create(builder, loc, fragment, i));
    Value sums = NVVM::MmaOp::create(
        builder, loc, resultType, a, b, c, ArrayRef<int64_t>{16, 8, depth},
        std::nullopt, std::nullopt, std::array<NVVM::MMATypes, 2>{type, type},
        std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                       NVVM::MMALayout::col});
    SmallVector<Value> elements;
    for (int64_t i = 0; i < 4; ++i)
      elements.push_back(LLVM::ExtractValueOp::create(builder, loc, sums, i));
    fragment = vector::FromElementsOp::create(
        builder, loc, VectorType::get(4, f32), elements);
  };
  switch (kind) {
  case MatmulPlan::Kind::F16:
    return issue(rows, cols, plan.getStep(), NVVM::MMATypes::f16);
  case MatmulPlan::Kind::BF16: {
    auto pack = [&](ArrayRef<Value> pairs) {
      return llvm::map_to_vector(pairs,
                                 [&](Value pair) { return packPair(pair); });
    };
    return issue(pack(rows), pack(cols), plan.getStep(), NVVM::MMATypes::bf16);
  }
  case MatmulPlan::Kind::TF32: {
    auto get = [&](Value pair, int64_t i) -> Value {
      return vector::ExtractOp::create(builder, loc, pair, i);
    };
    auto multiplyAll = [&](ArrayRef<Value> a, ArrayRef<Value> b) {
      for (int64_t d = 0; d < plan.depthHalves; ++d) {
        Value upper = a[2 * d], lower = a[2 * d + 1];
        issue({get(upper, 0), get(lower, 0), get(upper, 1), get(lower, 1)},
              {get(b[d], 0), get(b[d], 1)}, 8, NVVM::MMATypes::tf32);
      }
    };
    // Behind the numbers stand what rounding has cut off, if it is kept.
    size_t numRows = 2 * plan.depthHalves, numCols = plan.depthHalves;
    if (cols.size() > numCols)
      multiplyAll(rows, cols.drop_front(numCols));
    if (rows.size() > numRows)
      multiplyAll(rows.drop_front(numRows), cols);
    multiplyAll(rows, cols);
    return;
  }
  }
}

Value KernelEmitterImpl::getRowTile(const MatmulPlan &plan,
                                    const WarpPlace &place, int64_t tile) {
  return add(place.rowTile, tile * plan.getRowTileStride());
}

/// One step of a product; the last one of a depth that steps don't divide is
/// filled up with zeros.
void KernelEmitterImpl::multiplyStep(OperatorOpInterface op,
                                     const MatmulPlan &plan,
                                     const MatmulPlan::Product &product,
                                     const WarpPlace &place,
                                     const TileRange &range, Value step,
                                     bool isLast,
                                     SmallVectorImpl<Value> &sums) {
  Value depth = mul(step, plan.getStep());
  Value batch = add(place.batch, range.batch);
  auto loadRow = [&](int64_t r) {
    return loadFragment(op, plan, product, /*isRow=*/true, batch,
                        mul(getRowTile(plan, place, range.row + r), 16), depth,
                        isLast);
  };
  auto loadColsFrom = [&](int64_t c) {
    return loadCols(op, plan, product, batch,
                    mul(add(place.colTile, range.col + c), 8),
                    range.numCols - c, depth, isLast);
  };
  // Of the shorter side all fragments are held, of the other those that are
  // loaded together.
  SmallVector<SmallVector<Value>> rows, cols;
  if (range.numRows < range.numCols) {
    for (int64_t r = 0; r < range.numRows; ++r)
      rows.push_back(loadRow(r));
    for (int64_t c = 0; c < range.numCols; c += cols.size()) {
      cols = loadColsFrom(c);
      for (auto [i, col] : llvm::enumerate(cols))
        for (auto [r, row] : llvm::enumerate(rows))
          emitMma(plan, product.kind, row, col,
                  sums[r * range.numCols + c + i]);
    }
    return;
  }
  while (static_cast<int64_t>(cols.size()) < range.numCols)
    llvm::append_range(cols, loadColsFrom(cols.size()));
  for (int64_t r = 0; r < range.numRows; ++r) {
    SmallVector<Value> row = loadRow(r);
    for (auto [c, col] : llvm::enumerate(cols))
      emitMma(plan, product.kind, row, col, sums[r * range.numCols + c]);
  }
}

void KernelEmitterImpl::multiplySteps(OperatorOpInterface op,
                                      const MatmulPlan &plan,
                                      const MatmulPlan::Product &product,
                                      const WarpPlace &place,
                                      const TileRange &range,
                                      ArrayRef<Value> steps,
                                      SmallVectorImpl<Value> &sums) {
  if (plan.isDiagonal)
    return addSquares(op, plan, place, range, steps, sums);
  if (multiplyNarrowed(op, plan, product, place, range, steps, sums))
    return;
  for (Value step : steps)
    multiplyStep(op, plan, product, place, range, step, /*isLast=*/false, sums);
}

void KernelEmitterImpl::multiply(OperatorOpInterface op, const MatmulPlan &plan,
                                 const WarpPlace &place, const TileRange &range,
                                 MutableArrayRef<Value> fragments) {
  auto multiplyAll = [&](SmallVector<Value> sums) {
    if (plan.inWarpgroups) {
      multiplyInGroups(op, plan, place, range, sums);
      return sums;
    }
    for (const MatmulPlan::Product &product : plan.products) {
      int64_t steps = product.depth / plan.getStep();
      if (steps > 0 && steps % plan.depthWarps == 0) {
        // Several at once, so that what one step loads waits for no other.
        constexpr int64_t kTilesAtOnce = 16, kStepsAtOnce = 4;
        int64_t atOnce = std::clamp<int64_t>(
            kTilesAtOnce / (range.numRows * range.numCols), 1, kStepsAtOnce);
        sums = emitRounds(
            builder, loc, steps / plan.depthWarps, atOnce, sums,
            [&](ArrayRef<Value> rounds, ValueRange before) {
              SmallVector<Value> after(before), own;
              for (Value round : rounds)
                own.push_back(add(mul(round, plan.depthWarps), place.depth));
              multiplySteps(op, plan, product, place, range, own, after);
              return after;
            });
      } else if (steps > 0) {
        auto loop =
            scf::ForOp::create(builder, loc, place.depth, makeIndex(steps),
                               makeIndex(plan.depthWarps), sums);
        OpBuilder::InsertionGuard guard(builder);
        builder.setInsertionPointToStart(loop.getBody());
        sums.assign(loop.getRegionIterArgs().begin(),
                    loop.getRegionIterArgs().end());
        multiplySteps(op, plan, product, place, range, loop.getInductionVar(),
                      sums);
        scf::YieldOp::create(builder, loc, sums);
        sums.assign(loop.getResults().begin(), loop.getResults().end());
      }
      if (product.depth % plan.getStep() == 0)
        continue;
      // The warp whose turn it is takes what is left.
      Value last = makeIndex(steps);
      auto takeLast = [&](SmallVector<Value> &into) {
        multiplyStep(op, plan, product, place, range, last, /*isLast=*/true,
                     into);
      };
      if (plan.depthWarps == 1) {
        takeLast(sums);
        continue;
      }
      Value isOwn = arith::CmpIOp::create(builder, loc,
                                          arith::CmpIPredicate::eq, place.depth,
                                          makeIndex(steps % plan.depthWarps));
      sums = emitWhere(isOwn, sums, [&] {
        SmallVector<Value> more(sums);
        takeLast(more);
        return more;
      });
    }
    return sums;
  };

  SmallVector<Value> before(fragments);
  llvm::copy(
      emitWhere(place.isActive, before, [&] { return multiplyAll(before); }),
      fragments.begin());
}

SmallVector<Value>
KernelEmitterImpl::emitWhere(Value condition, ArrayRef<Value> values,
                             function_ref<SmallVector<Value>()> compute) {
  if (!condition)
    return compute();
  auto branch = scf::IfOp::create(builder, loc, ValueRange(values).getTypes(),
                                  condition, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, values);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, compute());
  return SmallVector<Value>(branch.getResults());
}

void KernelEmitterImpl::reduceOverWarps(const MatmulPlan &plan,
                                        const WarpPlace &place, int64_t scratch,
                                        MutableArrayRef<Value> fragments) {
  if (plan.depthWarps == 1)
    return;
  constexpr int64_t kFragment = 4;
  int64_t groups = plan.getActiveWarps() / plan.depthWarps,
          perGroup = fragments.size() * kWarpSize * kFragment,
          perPart = groups * perGroup;
  auto type =
      TileType::get(builder.getContext(), {(plan.depthWarps - 1) * perPart},
                    builder.getF32Type());
  TileMemory parts = makeTile(type, makeIndex(scratch));
  // Warps without a part read what they don't use.
  Value group = div(warp, plan.depthWarps);
  if (place.isActive)
    group = min(group, groups - 1);
  Value own = add(mul(group, perGroup), mul(lane, kFragment));
  auto getPlace = [&](Value part, size_t fragment) {
    return add(add(mul(part, perPart), own),
               static_cast<int64_t>(fragment) * kWarpSize * kFragment);
  };

  Value isOther = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                        place.depth, makeIndex(0));
  if (place.isActive)
    isOther = arith::AndIOp::create(builder, loc, isOther, place.isActive);
  emitIf(isOther, [&] {
    Value part = arith::SubIOp::create(builder, loc, place.depth, makeIndex(1));
    for (auto [i, fragment] : llvm::enumerate(fragments))
      parts.store(builder, loc, fragment, ValueRange{getPlace(part, i)});
  });
  emitBarrier();
  for (auto [i, fragment] : llvm::enumerate(fragments))
    for (int64_t part = 0; part + 1 < plan.depthWarps; ++part)
      fragment = arith::AddFOp::create(
          builder, loc, fragment,
          parts.load(builder, loc, ValueRange{getPlace(makeIndex(part), i)},
                     kFragment));
}

void KernelEmitterImpl::emitMatmul(OperatorOpInterface op,
                                   const TensorCoreUse &use, Operation *runs) {
  if (runsChain(op))
    return emitRowChain(op);
  const MatmulPlan &plan = use.plan;
  WarpPlace place = getWarpPlace(plan);
  auto [batches, rows, cols] = plan.getTilesPerWarp();
  if (use.inRegisters) {
    auto sum = sums.find(op);
    if (sum == sums.end())
      return;
    // What has to be rescaled isn't added at once.
    auto accumulate =
        cast<block::AccumulateOp>(*op->getResult(0).getUsers().begin());
    unsigned i = op->getResult(0).getUses().begin()->getOperandNumber();
    SmallVector<Value> *into = &sum->second;
    if (accumulate.getKind(i) == block::AccumulatorKind::RescaledSum) {
      into = &terms[op];
      into->assign(sum->second.size(), makeZeroFragment());
    }
    for (int64_t b = 0; b < batches; ++b)
      multiply(op, plan, place, {b, 0, 0, rows, cols},
               MutableArrayRef(*into).slice(b * rows * cols, rows * cols));
    return;
  }
  Value owners = getOwners(plan, place);
  int64_t scratch = this->plan.scratch.lookup(op);
  for (const TileRange &range : getRanges(plan)) {
    SmallVector<Value> fragments(range.numRows * range.numCols,
                                 makeZeroFragment());
    multiply(op, plan, place, range, fragments);
    reduceOverWarps(plan, place, scratch, fragments);
    scratch += (plan.depthWarps - 1) * plan.getActiveWarps() / plan.depthWarps *
               fragments.size() * 16 * 8 * 4;
    emitIf(owners, [&] {
      // What is kept in shared memory is laid out for pairs.
      bool isKept = memory.contains(op->getResult(0));
      forEachFragment(
          op, plan, place, range, ArrayRef<Value>(fragments),
          [&](ArrayRef<Value> elements, ValueRange index) {
            for (auto [result, element] :
                 llvm::zip_equal(runs->getResults(),
                                 finishElement(op, elements[0], runs, index)))
              deliver(result, element, index);
          },
          /*prefersWide=*/!isKept);
    });
  }
}

void KernelEmitterImpl::rescaleFragments(Operation *product, Value maximum) {
  auto op = cast<OperatorOpInterface>(product);
  const MatmulPlan plan = getTensorCoreUse(product)->plan;
  WarpPlace place = getWarpPlace(plan);
  auto [batches, rows, cols] = plan.getTilesPerWarp();
  auto shape = cast<ShapedType>(maximum.getType()).getShape();
  auto whole = cast<ShapedType>(product->getResult(0).getType()).getShape();

  Value g = div(lane, 4), t = mul(rem(lane, 4), 2);
  for (int64_t b = 0; b < batches; ++b) {
    SmallVector<Value> batch =
        delinearize(add(place.batch, b), whole.drop_back(2));
    // One factor for all elements with one maximum.
    llvm::MapVector<std::pair<int64_t, int64_t>, RescaleFactors> factors;
    auto getFactors = [&](int64_t row, int64_t col) {
      // Of the result's last two dimensions the maximum may have one element.
      unsigned rowDim = plan.swapped ? whole.size() - 1 : whole.size() - 2;
      auto hasDim = [&](unsigned d) {
        size_t missing = whole.size() - shape.size();
        return d >= missing && shape[d - missing] != 1;
      };
      unsigned colDim = 2 * whole.size() - 3 - rowDim;
      std::pair<int64_t, int64_t> key{hasDim(rowDim) ? row : 0,
                                      hasDim(colDim) ? col : 0};
      auto [entry, isNew] = factors.try_emplace(key);
      if (!isNew)
        return entry->second;
      SmallVector<Value> index(batch);
      index.resize(whole.size());
      index[rowDim] = min(add(mul(getRowTile(plan, place, key.first / 16), 16),
                              add(g, key.first % 16)),
                          plan.rows - 1);
      index[colDim] =
          min(add(add(mul(place.colTile, 8), key.second), t), plan.cols - 1);
      entry->second = readFactors(maximum, index);
      return entry->second;
    };
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < cols; ++c) {
        size_t f = getFragmentIndex(plan, b, r, c);
        SmallVector<Value> elements;
        for (int64_t i = 0; i < 4; ++i) {
          auto [ofSum, ofTerm] =
              getFactors(16 * r + 8 * (i / 2), 8 * c + i % 2);
          Value sum = vector::ExtractOp::create(builder, loc, sums[op][f], i);
          Value term = vector::ExtractOp::create(builder, loc, terms[op][f], i);
          elements.push_back(arith::AddFOp::create(
              builder, loc, arith::MulFOp::create(builder, loc, sum, ofSum),
              arith::MulFOp::create(builder, loc, term, ofTerm)));
        }
        sums[op][f] = vector::FromElementsOp::create(
            builder, loc, sums[op][f].getType(), elements);
      }
  }
}
