//===- RowChainEmitter.cpp - Products whose rows stay in registers --------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp has 16 rows of each tile of a chain (the last one some in vain, where
// there are fewer, as the last tile has columns): a lane two of them (its
// halves), eight apart, or the first alone if there are eight at most; of each
// tile of 8 columns a pair of neighbours in each; of a tile of one column an
// element in each, as the other three lanes of the row have it. What a lane has
// of two tiles of columns is what it has of the rows that a step of the next
// product multiplies. In an overlapped loop these rows wait for the next
// iteration, which multiplies them while it computes its own.
//
//===----------------------------------------------------------------------===//

#include "ElementCode.h"
#include "KernelEmitterImpl.h"
#include "Mirage/BlockPlan/WarpRoles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mirage;
using namespace mlir;

static constexpr int64_t kHalves = RowChainShape::kMostRowsOfLane;
static constexpr int32_t kLanesOfRow = RowChainShape::kLanesOfRow;

/// Where its warps are in all first products of a chain.
static MatmulPlan getPlanOfFirsts(const RowChain &chain) {
  return getTensorCoreUse(chain.firsts.front())->plan;
}

void KernelEmitterImpl::emitRowChain(OperatorOpInterface runner) {
  RowChain chain = *getRowChain(runner);
  WarpPlace place = getWarpPlace(getPlanOfFirsts(chain));
  chained.clear();

  loc = chain.firsts.front().getLoc();
  int64_t numColTiles = getPlanOfFirsts(chain).getTilesPerWarp()[2];
  std::vector<SmallVector<Value>> fragments(
      chain.firsts.size(), SmallVector<Value>(numColTiles, makeZeroFragment()));
  bool isBehind = runsBehind(runner), hasRowsWaiting = !waitingRows.empty();
  std::optional<RowElements> factors;
  const RowChainShape sizes = chain.getSizes();
  auto getRow = [&](int64_t half) {
    Value row = getChainedRow(place, half);
    // Other tiles have nothing to read behind the last row, and what comes of
    // it is stored nowhere.
    return sizes.hasPaddedRows() ? min(row, sizes.rows - 1) : row;
  };
  auto compute = [&] {
    for (auto [first, ofFirst] : llvm::zip_equal(chain.firsts, fragments))
      keepFragments(first->getResult(0), ofFirst);
    for (Operation *op : chain.ops) {
      loc = op->getLoc();
      for (int64_t half = 0; half < rowsOfLane; ++half)
        emitChainedRow(chain, op, half, getRow(half), place.colTile);
      if (!chain.mayShiftMaximum || op != chain.maximum.getDefiningOp())
        continue;
      factors = shiftMaximum(chain);
      if (!isBehind)
        scaleProductSums(chain, *factors);
    }
  };
  if (hasRowsWaiting) {
    overlapProducts(chain, fragments.front(), compute);
    if (factors)
      scaleProductSums(chain, *factors);
  } else {
    // Of products that run behind nothing has been added up yet.
    multiplyFirsts(chain, fragments);
    compute();
  }
  loc = runner.getLoc();
  if (isBehind)
    waitingRows = getRowRegisters(chain, runner);
  else
    multiplyLasts(chain);
}

void KernelEmitterImpl::multiplyFirsts(
    const RowChain &chain, MutableArrayRef<SmallVector<Value>> fragments) {
  if (multiplyInOneGroup(chain.firsts, fragments))
    return;
  for (auto [first, ofFirst] : llvm::zip_equal(chain.firsts, fragments)) {
    const MatmulPlan plan = getTensorCoreUse(first)->plan;
    loc = OperatorOpInterface(first).getLoc();
    multiply(first, plan, getWarpPlace(plan),
             {0, 0, 0, 1, plan.getTilesPerWarp()[2]}, ofFirst);
  }
}

void KernelEmitterImpl::multiplyLasts(const RowChain &chain) {
  // What has to be rescaled isn't added at once, unless the sum is already.
  for (OperatorOpInterface last : chain.lasts)
    if (auto sum = sums.find(last);
        sum != sums.end() && isRescaled(*last->getResult(0).use_begin()) &&
        !chain.mayShiftMaximum)
      terms[last].assign(sum->second.size(), makeZeroFragment());
  SmallVector<OperatorOpInterface> ofGroups;
  std::vector<SmallVector<Value>> rows;
  SmallVector<MutableArrayRef<Value>> into;
  for (OperatorOpInterface last : chain.lasts) {
    auto sum = sums.find(last), term = terms.find(last);
    if (sum == sums.end())
      continue;
    loc = last.getLoc();
    MutableArrayRef<Value> fragments =
        term == terms.end() ? sum->second : term->second;
    if (!getTensorCoreUse(last)->plan.inWarpgroups) {
      multiplyChained(chain, last, fragments);
      continue;
    }
    ofGroups.push_back(last);
    rows.push_back(getRowRegisters(chain, last));
    into.push_back(fragments);
  }
  if (!ofGroups.empty())
    multiplyRowsInGroups(ofGroups, rows, into);
}

bool KernelEmitterImpl::runsBehind(OperatorOpInterface last) {
  return sums.contains(last) &&
         overlapsProducts(cast<block::LoopOp>(last->getParentOp()));
}

void KernelEmitterImpl::keepFragments(Value tile, ArrayRef<Value> fragments) {
  auto type = VectorType::get(2, builder.getF32Type());
  for (Value fragment : fragments)
    for (int64_t half = 0; half < rowsOfLane; ++half) {
      auto get = [&](int64_t i) -> Value {
        return vector::ExtractOp::create(builder, loc, fragment, 2 * half + i);
      };
      keepChained(tile, half,
                  vector::FromElementsOp::create(builder, loc, type,
                                                 ValueRange{get(0), get(1)}));
    }
}

void KernelEmitterImpl::scaleRowSums(const RowChain &chain,
                                     const RowElements &factors) {
  auto accumulators =
      cast<block::AccumulateOp>(chain.getBlock()->getTerminator());
  for (auto &[i, row] : rowSums)
    if (accumulators.getKind(i) == block::AccumulatorKind::RescaledSum)
      for (int64_t half = 0; half < rowsOfLane; ++half)
        row[half] =
            arith::MulFOp::create(builder, loc, row[half], factors[half]);
}

void KernelEmitterImpl::scaleProductSums(const RowChain &chain,
                                         const RowElements &factors) {
  assert(chain.lasts.size() == 1 && "several have whole maxima");
  auto sum = sums.find(chain.getRunner());
  if (sum == sums.end())
    return;
  for (Value &fragment : sum->second)
    fragment = combineFragments(
        fragment, fragment, [&](Value element, Value, int64_t i) -> Value {
          return arith::MulFOp::create(builder, loc, element, factors[i / 2]);
        });
}

/// Above this other elements than the maximum are 16 less, at least, and
/// nothing is left of their exponentials, whatever the factor is.
static constexpr double kSpaced = 0x1p27, kFactorOfSpaced = 2;
/// Above this twice a maximum may overflow; others are 2^101 less, at least.
static constexpr double kOverflowing = 0x1p125, kFactorOfOverflowing = 0x1p-60;

// Exponentials are of x log2(e) - t, where t is m log2(e), rounded: relative to
// 2^t, not to e^m. What lies between, the excess, is known exactly, and brought
// in where sums are rescaled, so that it doesn't matter which m was the
// greatest when. It is 8 at most up to `kSpaced`, so that no exponential is too
// great for f16; factors that are powers of two have none.
KernelEmitterImpl::RowElements
KernelEmitterImpl::shiftMaximum(const RowChain &chain) {
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(
        builder, loc, builder.getF32FloatAttr(static_cast<float>(value)));
  };
  RowElements factors;
  for (int64_t half = 0; half < rowsOfLane; ++half) {
    Value &own = chained[chain.maximum][half][0],
          &greatest = (*rowMaximum)[half], &excess = (*rowExcess)[half];
    Value before = greatest, excessBefore = excess;
    own = greatest = arith::MaximumFOp::create(builder, loc, before, own);
    Value magnitude = math::AbsFOp::create(builder, loc, own);
    auto chooseAbove = [&](double bound, double factor, Value otherwise) {
      Value isMore = arith::CmpFOp::create(
          builder, loc, arith::CmpFPredicate::OGT, magnitude, constant(bound));
      return arith::SelectOp::create(builder, loc, isMore, constant(factor),
                                     otherwise)
          .getResult();
    };
    Value factor = chooseAbove(
        kOverflowing, kFactorOfOverflowing,
        chooseAbove(kSpaced, kFactorOfSpaced, constant(llvm::numbers::log2e)));
    Value scaled = arith::MulFOp::create(builder, loc, own, factor);
    Value negated = arith::NegFOp::create(builder, loc, scaled);
    scaledMaxima[own] = {factor, negated};
    excess = math::FmaOp::create(builder, loc, own, factor, negated);
    // Relative to the one before it is 0 where nothing was before.
    Value difference = arith::SubFOp::create(builder, loc, before, own);
    Value power = math::FmaOp::create(
        builder, loc, difference, constant(llvm::numbers::log2e),
        arith::SubFOp::create(builder, loc, excess, excessBefore));
    factors[half] =
        math::Exp2Op::create(builder, loc, power, arith::FastMathFlags::afn);
  }
  scaleRowSums(chain, factors);
  return factors;
}

void KernelEmitterImpl::finishShifts(block::LoopOp loop) {
  if (!rowExcess)
    return;
  loc = loop.getLoc();
  RowElements factors;
  for (int64_t half = 0; half < rowsOfLane; ++half)
    factors[half] = math::Exp2Op::create(
        builder, loc, arith::NegFOp::create(builder, loc, (*rowExcess)[half]),
        arith::FastMathFlags::afn);
  const RowChain chain = *getRowChain(loop);
  scaleRowSums(chain, factors);
  scaleProductSums(chain, factors);
  rowExcess.reset();
}

Value KernelEmitterImpl::getChainedRow(const WarpPlace &place, int64_t half) {
  return add(add(mul(place.rowTile, 16), 8 * half), div(lane, kLanesOfRow));
}

void KernelEmitterImpl::keepChained(Value tile, int64_t half, Value elements) {
  // As if they had been stored.
  chained[tile][half].push_back(roundToTile(tile, elements));
}

void KernelEmitterImpl::emitChainedRow(const RowChain &chain, Operation *op,
                                       int64_t half, Value row,
                                       Value firstColTile) {
  auto shape = cast<ShapedType>(op->getResult(0).getType()).getShape();
  SmallVector<Value> index(shape.size(), makeIndex(0));
  index[shape.size() - 2] = row;
  auto semantics = dyn_cast<OperatorOpInterface>(op);
  if (semantics && !semantics.getSemantics().isElementwise())
    return keepChained(op->getResult(0), half,
                       foldChained(chain, semantics, half, index));

  const RowChainShape sizes = chain.getSizes();
  bool isWhole = shape.back() != 1;
  for (int64_t c = 0; c < (isWhole ? sizes.getColTiles(chain.parts) : 1); ++c) {
    if (isWhole)
      index.back() = add(
          add(mul(firstColTile, RowChainShape::kColsOfTile), getFirstOfPair()),
          RowChainShape::kColsOfTile * c);
    for (Value operand : op->getOperands())
      if (auto known = chained.find(operand); known != chained.end()) {
        ArrayRef<Value> elements = known->second[half];
        inHand[operand] = elements.size() == 1 ? elements[0] : elements[c];
      }
    SmallVector<Value> results = isWhole ? emitChainedPairs(sizes, op, index)
                                         : emitResults(op, index, 1);
    inHand.clear();
    for (auto [tile, elements] : llvm::zip_equal(op->getResults(), results))
      keepChained(tile, half, elements);
  }
}

SmallVector<Value>
KernelEmitterImpl::emitChainedPairs(const RowChainShape &sizes, Operation *op,
                                    SmallVector<Value> index) {
  // Others' tiles have nothing to read behind the last column.
  const Value at = index.back();
  bool areAligned =
      sizes.cols % 2 == 0 || llvm::all_of(op->getOperands(), [&](Value tile) {
        ArrayRef<int64_t> shape = cast<TileType>(tile.getType()).getShape();
        return inHand.contains(tile) || shape.empty() || shape.back() == 1;
      });
  if (areAligned) {
    if (sizes.hasPaddedCols())
      index.back() = min(at, sizes.cols - 2);
    return emitResults(op, index, 2);
  }
  const auto pairs = inHand;
  std::array<SmallVector<Value>, 2> singles;
  for (auto [i, results] : llvm::enumerate(singles)) {
    for (Value tile :
         llvm::SmallSetVector<Value, 2>(llvm::from_range, op->getOperands()))
      if (Value pair = pairs.lookup(tile);
          pair && isa<VectorType>(pair.getType()))
        inHand[tile] = vector::ExtractOp::create(builder, loc, pair, i);
    index.back() = min(add(at, i), sizes.cols - 1);
    results = emitResults(op, index, 1);
  }
  auto type = VectorType::get(2, builder.getF32Type());
  SmallVector<Value> results;
  for (auto [first, second] : llvm::zip_equal(singles[0], singles[1]))
    results.push_back(vector::FromElementsOp::create(
        builder, loc, type, ValueRange{first, second}));
  return results;
}

Value KernelEmitterImpl::foldChained(const RowChain &chain,
                                     OperatorOpInterface op, int64_t half,
                                     ValueRange index) {
  // By value: what is folded first may move the map.
  SmallVector<Value> own = chained.find(op->getOperand(0))->second[half];
  const double nothing =
      getFold(op)->isSum ? 0 : -std::numeric_limits<double>::infinity();
  for (auto [c, pair] : llvm::enumerate(own))
    pair = replacePadding(chain, c, pair, nothing);
  auto foldParts = [&](Value all, CooperativeFold::Fold fold) {
    for (int32_t distance = kLanesOfRow / 2; distance > 0; distance /= 2)
      all = fold(all, gpu::ShuffleOp::create(builder, loc, all, distance,
                                             kWarpSize, gpu::ShuffleMode::XOR)
                          .getShuffleResult());
    return all;
  };
  CooperativeFold shared{/*part=*/makeIndex(0),
                         /*parts=*/1,
                         /*width=*/2,
                         /*vectorsAtOnce=*/0,
                         foldParts,
                         /*numOwn=*/static_cast<int64_t>(own.size())};
  return emitOperatorElement(
      builder, op, index,
      [&](Value, ValueRange position) {
        return own[*getConstantIntValue(position.back())];
      },
      &shared);
}

Value KernelEmitterImpl::replacePadding(const RowChain &chain, int64_t colTile,
                                        Value pair, double number) {
  const RowChainShape sizes = chain.getSizes();
  constexpr int64_t kWidth = RowChainShape::kColsOfTile;
  // The last part has all of the padding.
  const int64_t ofLastPart =
      (chain.parts - 1) * sizes.getColTiles(chain.parts) + colTile;
  if ((ofLastPart + 1) * kWidth <= sizes.cols)
    return pair;
  WarpPlace place = getWarpPlace(getPlanOfFirsts(chain));
  Value at = add(mul(add(place.colTile, colTile), kWidth), getFirstOfPair());
  auto type = cast<VectorType>(pair.getType());
  Value other = arith::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(type, builder.getF32FloatAttr(number).getValue()));
  return arith::SelectOp::create(builder, loc, isInside(sizes.cols, at, type),
                                 pair, other);
}

SmallVector<Value> KernelEmitterImpl::getRowsOfStep(const RowChain &chain,
                                                    OperatorOpInterface last,
                                                    const MatmulPlan &plan,
                                                    int64_t step) {
  const MatmulPlan::Product &product = plan.products.front();
  const ChainedTile &rows =
      chained.find(last->getOperand(product.rowOperand))->second;
  SmallVector<Value> pairs;
  for (int64_t d = 0; d < plan.depthHalves; ++d)
    for (int64_t half = 0; half < kHalves; ++half) {
      const int64_t c = step * plan.depthHalves + d;
      pairs.push_back(
          half < rowsOfLane
              ? replacePadding(chain, c, rows[half][c], 0)
              : makeZeros(VectorType::get(2, builder.getF32Type())));
    }
  return toMultiplicands(pairs, plan, product.kind, /*isExact=*/false);
}

SmallVector<Value>
KernelEmitterImpl::getRowRegisters(const RowChain &chain,
                                   OperatorOpInterface last) {
  const MatmulPlan plan = getTensorCoreUse(last)->plan;
  SmallVector<Value> registers;
  for (int64_t step = 0; step < plan.getStepsPerWarp(); ++step)
    for (Value pair : getRowsOfStep(chain, last, plan, step))
      registers.push_back(packPair(pair));
  return registers;
}

void KernelEmitterImpl::multiplyChained(const RowChain &chain,
                                        OperatorOpInterface last,
                                        MutableArrayRef<Value> into) {
  const MatmulPlan plan = getTensorCoreUse(last)->plan;
  const MatmulPlan::Product &product = plan.products.front();
  int64_t numSteps = plan.getStepsPerWarp();
  Value firstDepth = mul(getWarpPlace(plan).depth, numSteps * plan.getStep());
  for (int64_t step = 0; step < numSteps; ++step) {
    SmallVector<Value> pairs = getRowsOfStep(chain, last, plan, step);
    Value depth = add(firstDepth, step * plan.getStep());
    // In the last part; in others nothing is behind the end.
    const int64_t lastEnd =
        ((plan.depthWarps - 1) * numSteps + step + 1) * plan.getStep();
    const bool isLast = lastEnd > product.depth;
    SmallVector<SmallVector<Value>> cols;
    for (size_t c = 0; c < into.size(); c += cols.size()) {
      cols =
          loadCols(last, plan, product, /*batch=*/makeIndex(0),
                   /*first=*/makeIndex(8 * c), into.size() - c, depth, isLast);
      for (auto [i, col] : llvm::enumerate(cols))
        emitMma(plan, product.kind, pairs, col, into[c + i]);
    }
  }
}

void KernelEmitterImpl::finishWaitingRows(block::LoopOp loop) {
  if (waitingRows.empty())
    return;
  OperatorOpInterface last = getRowChain(loop)->getRunner();
  loc = last.getLoc();
  Value of = makeIndex(loop.getIterations() - 1);
  placeStages(loop, of);
  multiplyRowsInGroups(last, {waitingRows},
                       {MutableArrayRef<Value>(sums.find(last)->second)});
  releaseToProducer(loop, of);
  waitingRows.clear();
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

void KernelEmitterImpl::beginRowSums(block::AccumulateOp accumulators) {
  auto makeRow = [&](double value) -> RowElements {
    Value element =
        arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(value));
    return {element, element};
  };
  constexpr double kLowest = -std::numeric_limits<double>::infinity();
  rowSums.clear();
  rowMaximum.reset();
  rowExcess.reset();
  std::optional<RowChain> chain =
      getRowChain(cast<block::LoopOp>(accumulators->getParentOp()));
  rowsOfLane = chain ? chain->getSizes().getRowsOfLane() : kHalves;
  for (auto [i, tile] : llvm::enumerate(accumulators.getTiles())) {
    Operation *maker = tile.getDefiningOp();
    if (!isChained(maker) || endsChain(maker))
      continue;
    if (accumulators.getKind(i) == block::AccumulatorKind::Max)
      rowSums[i] = makeRow(kLowest);
    else
      rowSums[i] = makeRow(0);
  }
  if (llvm::any_of(accumulators.getMaxima(), [](Value maximum) {
        return isChained(maximum.getDefiningOp());
      }))
    rowMaximum = makeRow(kLowest);
  if (chain && chain->mayShiftMaximum)
    rowExcess = makeRow(0);
}

SmallVector<Value *> KernelEmitterImpl::getRowValues() {
  SmallVector<Value *> values;
  auto addRow = [&](RowElements &row) {
    for (Value &element : MutableArrayRef(row).take_front(rowsOfLane))
      values.push_back(&element);
  };
  for (auto &entry : rowSums)
    addRow(entry.second);
  for (std::optional<RowElements> *row : {&rowMaximum, &rowExcess})
    if (*row)
      addRow(**row);
  return values;
}

Value KernelEmitterImpl::rescale(Value sum, Value term,
                                 const RescaleFactors &factors) {
  return math::FmaOp::create(
      builder, loc, sum, factors.ofSum,
      arith::MulFOp::create(builder, loc, term, factors.ofTerm));
}

Value KernelEmitterImpl::rescaleFragment(Value sum, Value term,
                                         ArrayRef<RescaleFactors> ofHalves) {
  return combineFragments(sum, term, [&](Value ofSum, Value ofTerm, int64_t i) {
    return rescale(ofSum, ofTerm, ofHalves[i / 2]);
  });
}

Value KernelEmitterImpl::combineFragments(
    Value sum, Value term, function_ref<Value(Value, Value, int64_t)> combine) {
  SmallVector<Value> elements;
  for (int64_t i = 0; i < 4; ++i) {
    Value element = vector::ExtractOp::create(builder, loc, sum, i);
    if (i / 2 < rowsOfLane)
      element =
          combine(element, vector::ExtractOp::create(builder, loc, term, i), i);
    elements.push_back(element);
  }
  return vector::FromElementsOp::create(builder, loc, sum.getType(), elements);
}

void KernelEmitterImpl::addChainedSums(block::AccumulateOp accumulators) {
  loc = accumulators.getLoc();
  std::array<RescaleFactors, kHalves> factors;
  auto loop = cast<block::LoopOp>(accumulators->getParentOp());
  bool isShifted = getRowChain(loop)->mayShiftMaximum;
  if (rowMaximum && !isShifted)
    for (int64_t half = 0; half < rowsOfLane; ++half) {
      Value &before = (*rowMaximum)[half];
      Value now = chained[accumulators.getMaxima().front()][half][0];
      factors[half] = getRescaleFactors(before, now);
      before = arith::MaximumFOp::create(builder, loc, before, now);
    }
  for (auto &[i, row] : rowSums)
    for (int64_t half = 0; half < rowsOfLane; ++half) {
      Value &sum = row[half];
      Value term = chained[accumulators.getTiles()[i]][half][0];
      switch (accumulators.getKind(i)) {
      case block::AccumulatorKind::Max:
        sum = arith::MaximumFOp::create(builder, loc, sum, term);
        break;
      case block::AccumulatorKind::RescaledSum:
        sum = isShifted
                  ? arith::AddFOp::create(builder, loc, sum, term).getResult()
                  : rescale(sum, term, factors[half]);
        break;
      case block::AccumulatorKind::Sum:
        sum = arith::AddFOp::create(builder, loc, sum, term);
        break;
      case block::AccumulatorKind::Concat:
        llvm_unreachable("no row of a chain is concatenated");
      }
    }
  // Products that were not added at once.
  for (auto &[product, fragments] : terms)
    for (auto [sum, term] : llvm::zip_equal(sums[product], fragments))
      sum = rescaleFragment(sum, term, factors);
  chained.clear();
  scaledMaxima.clear();
}

SmallVector<Value> KernelEmitterImpl::getFragmentPlace(const PartsMemory &parts,
                                                       Value ofWarp,
                                                       Value fragment) {
  return {
      add(add(mul(ofWarp, parts.getSizeOfWarp()), mul(lane, parts.numElements)),
          mul(fragment, kWarpSize * parts.numElements))};
}

SmallVector<Value> KernelEmitterImpl::getRowPlace(const PartsMemory &parts,
                                                  Value ofWarp, int64_t i) {
  return {add(add(mul(ofWarp, parts.getSizeOfWarp()), lane),
              parts.getSizeOfFragments() + i * kWarpSize)};
}

// Each warp writes what it has, adds up the fragments that are its share, of
// all parts, and writes these sums for the first part's warps: all of them add
// up as many.
void KernelEmitterImpl::joinChainParts(block::LoopOp loop) {
  std::optional<RowChain> chain = getRowChain(loop);
  if (!chain || chain->parts == 1)
    return;
  SmallVector<Value *> fragments, rows = getRowValues();
  for (OperatorOpInterface last : chain->lasts)
    if (auto sum = sums.find(last); sum != sums.end())
      for (Value &fragment : sum->second)
        fragments.push_back(&fragment);
  const int64_t numRowWarps = chain->getNumRowWarps();
  PartsMemory parts{TileMemory(), static_cast<int64_t>(fragments.size()),
                    static_cast<int64_t>(rows.size()), 2 * rowsOfLane};
  auto type =
      TileType::get(builder.getContext(),
                    {chain->parts * numRowWarps * parts.getSizeOfWarp()},
                    builder.getF32Type());
  parts.memory =
      makeTile(type, makeIndex(plan.scratch.lookup(chain->getRunner())));
  auto fragmentType = VectorType::get(parts.numElements, builder.getF32Type());
  for (auto [i, fragment] : llvm::enumerate(fragments)) {
    SmallVector<Value> elements;
    for (int64_t e = 0; e < parts.numElements; ++e)
      elements.push_back(vector::ExtractOp::create(builder, loc, *fragment, e));
    parts.memory.store(
        builder, loc,
        vector::FromElementsOp::create(builder, loc, fragmentType, elements),
        getFragmentPlace(parts, warp, makeIndex(i)));
  }
  for (auto [i, value] : llvm::enumerate(rows))
    parts.memory.store(builder, loc, *value, getRowPlace(parts, warp, i));
  emitBarrier();

  // Of the same rows as this one's.
  Value firstWarp = rem(warp, numRowWarps);
  SmallVector<Value> warps;
  for (int64_t part = 0; part < chain->parts; ++part)
    warps.push_back(add(firstWarp, part * numRowWarps));
  auto accumulators =
      cast<block::AccumulateOp>(loop.getBody().front().getTerminator());
  SmallVector<RowElements> factors = joinRows(parts, accumulators, warps);
  // There are none if nobody wants the product.
  if (fragments.empty())
    return;
  emitFor(div(warp, numRowWarps), makeIndex(parts.numFragments),
          makeIndex(chain->parts), [&](Value fragment) {
            joinFragment(parts, warps, factors, fragment);
          });
  emitBarrier();
  auto readSums = scf::IfOp::create(
      builder, loc, SmallVector<Type>(fragments.size(), fragmentType),
      isBelow(warp, numRowWarps), /*withElseRegion=*/true);
  for (bool isFirst : {true, false}) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(isFirst ? readSums.thenBlock()
                                             : readSums.elseBlock());
    SmallVector<Value> read(fragments.size());
    for (auto [i, fragment] : llvm::enumerate(read))
      fragment =
          isFirst
              ? parts.memory.load(builder, loc,
                                  getFragmentPlace(parts, warp, makeIndex(i)),
                                  parts.numElements)
              : makeZeros(fragmentType);
    scf::YieldOp::create(builder, loc, read);
  }
  Value nothing = makeZeroFragment();
  for (auto [fragment, read] :
       llvm::zip_equal(fragments, readSums.getResults()))
    *fragment = combineFragments(
        nothing, read, [](Value, Value total, int64_t) { return total; });
}

SmallVector<KernelEmitterImpl::RowElements>
KernelEmitterImpl::joinRows(const PartsMemory &parts,
                            block::AccumulateOp accumulators,
                            ArrayRef<Value> warps) {
  SmallVector<SmallVector<Value>> ofParts;
  for (Value ofWarp : warps) {
    SmallVector<Value> &rows = ofParts.emplace_back();
    for (int64_t i = 0; i < parts.numRows; ++i)
      rows.push_back(
          parts.memory.load(builder, loc, getRowPlace(parts, ofWarp, i), 1));
  }
  auto maximum = [&](Value a, Value b) -> Value {
    return a ? arith::MaximumFOp::create(builder, loc, a, b).getResult() : b;
  };
  // In the order of `getRowValues`.
  SmallVector<RowElements> factors(warps.size());
  for (int64_t half = 0; half < rowsOfLane && rowMaximum; ++half) {
    const int64_t i = rowSums.size() * rowsOfLane + half;
    Value greatest;
    for (ArrayRef<Value> rows : ofParts)
      greatest = maximum(greatest, rows[i]);
    for (auto [ofPart, rows] : llvm::zip_equal(factors, ofParts))
      ofPart[half] = getRescaleFactor(rows[i], greatest);
    (*rowMaximum)[half] = greatest;
  }
  for (auto [k, entry] : llvm::enumerate(rowSums)) {
    auto &[accumulator, row] = entry;
    bool isMaximum =
        accumulators.getKind(accumulator) == block::AccumulatorKind::Max;
    for (int64_t half = 0; half < rowsOfLane; ++half) {
      Value total;
      for (auto [ofPart, rows] : llvm::zip_equal(factors, ofParts)) {
        Value own = rows[k * rowsOfLane + half];
        total = isMaximum ? maximum(total, own)
                          : addScaled(total, own, ofPart[half]);
      }
      row[half] = total;
    }
  }
  return factors;
}

Value KernelEmitterImpl::addScaled(Value total, Value term, Value factor) {
  if (factor)
    term = arith::MulFOp::create(builder, loc, term, factor);
  return total ? arith::AddFOp::create(builder, loc, total, term).getResult()
               : term;
}

void KernelEmitterImpl::joinFragment(const PartsMemory &parts,
                                     ArrayRef<Value> warps,
                                     ArrayRef<RowElements> factors,
                                     Value fragment) {
  SmallVector<Value> totals(parts.numElements);
  for (auto [ofWarp, ofPart] : llvm::zip_equal(warps, factors)) {
    Value own = parts.memory.load(builder, loc,
                                  getFragmentPlace(parts, ofWarp, fragment),
                                  parts.numElements);
    for (auto [e, total] : llvm::enumerate(totals))
      total = addScaled(total, vector::ExtractOp::create(builder, loc, own, e),
                        ofPart[e / 2]);
  }
  // In the place of the first part's.
  auto type = VectorType::get(parts.numElements, builder.getF32Type());
  parts.memory.store(builder, loc,
                     vector::FromElementsOp::create(builder, loc, type, totals),
                     getFragmentPlace(parts, warps.front(), fragment));
}

void KernelEmitterImpl::storeRowSums(block::LoopOp loop) {
  if (rowSums.empty())
    return;
  const RowChain chain = *getRowChain(loop);
  const MatmulPlan plan = getPlanOfFirsts(chain);
  WarpPlace place = getWarpPlace(plan);
  // One lane of a row, of the first part.
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        rem(lane, kLanesOfRow), makeIndex(0));
  if (chain.parts > 1)
    isFirst = arith::AndIOp::create(builder, loc, isFirst,
                                    isBelow(warp, plan.rowWarps));
  const RowChainShape sizes = chain.getSizes();
  emitIf(isFirst, [&] {
    for (int64_t half = 0; half < rowsOfLane; ++half) {
      Value row = getChainedRow(place, half);
      emitIf(sizes.hasPaddedRows() ? isBelow(row, sizes.rows) : Value(), [&] {
        for (auto &[i, elements] : rowSums) {
          auto known = memory.find(loop->getResult(i));
          if (known == memory.end())
            continue;
          SmallVector<Value> index(chain.getShape().size(), makeIndex(0));
          index[index.size() - 2] = row;
          known->second.store(builder, loc, elements[half], index);
        }
      });
    }
  });
}
