//===- WarpgroupEmitter.cpp - Products that warpgroups compute ------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `wgmma` multiplies 64 rows with up to 256 columns, 16 deep, straight from
// shared memory, where descriptors say how matrices lie (PTX ISA, "matrix
// descriptor"). Our tiles are cut into panels of rows of 32, 64 or 128 bytes
// (Layout/TileLayout.h), in which 8 rows are what a descriptor calls a core of
// the swizzle. The 16 deep are next to each other within rows ("K-major"), or
// go through 16 rows ("MN-major"). Rows that a row chain has in registers are
// multiplied from there.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitterImpl.h"
#include "Mirage/Conversion/InlinePTX/RegisterWgmma.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mirage;
using namespace mlir;

/// The depth of one `wgmma` of elements of 2 bytes.
static constexpr int64_t kDepth = 16;
/// Bytes that are one in a descriptor's fields.
static constexpr int64_t kDescriptorUnit = 16;

/// An operand of a product as descriptors see it.
struct KernelEmitterImpl::GroupOperand {
  TileMemory memory;
  unsigned lineDim, depthDim;
  bool isDepthMajor;
  /// Bytes of a row of a panel, and of a panel.
  int64_t swizzleBytes, panelBytes;

  /// From an element to the one that is so much deeper, if that is where a
  /// panel begins, or in the same.
  int64_t getBytesTo(int64_t depth) const {
    int64_t panel = swizzleBytes / 2;
    return isDepthMajor ? depth / panel * panelBytes + depth % panel * 2
                        : depth * swizzleBytes;
  }
};

KernelEmitterImpl::GroupOperand
KernelEmitterImpl::getGroupOperand(OperatorOpInterface op,
                                   const MatmulPlan &plan, unsigned operand,
                                   bool isRow) {
  Value tile = op->getOperand(operand);
  assert(getGroupSource(tile) && "verifyWarpRoles has seen that there is one");
  unsigned rank = cast<ShapedType>(tile.getType()).getRank();
  bool isLeft = isRow != plan.swapped;
  GroupOperand result;
  result.memory = getMemory(tile);
  const TileMemory &memory = result.memory;
  result.swizzleBytes = memory.getSwizzleBytes();
  result.lineDim = isLeft ? rank - 2 : rank - 1;
  result.depthDim = isLeft ? rank - 1 : rank - 2;
  result.isDepthMajor = memory.strides[result.depthDim] == 1;
  result.panelBytes = memory.layout.getNumRows() * result.swizzleBytes;
  return result;
}

Value KernelEmitterImpl::makeDescriptor(const GroupOperand &operand,
                                        Value batch, Value line, Value depth) {
  const TileMemory &memory = operand.memory;
  int64_t swizzle = operand.swizzleBytes, panel = swizzle / 2;
  Value run = operand.isDepthMajor ? depth : line,
        across = operand.isDepthMajor ? line : depth;
  Value place = add(
      add(mul(div(run, panel), operand.panelBytes), mul(rem(run, panel), 2)),
      mul(across, swizzle));
  place = add(place, mul(batch, swizzle));
  Value address = add(
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memory.flat),
      place);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, value, 64);
  };
  Value bits =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), address);
  // Addresses and distances are in these units.
  constexpr int64_t kAddressMask = 0x3ffff;
  bits = arith::AndIOp::create(builder, loc, bits, constant(kAddressMask));
  bits = arith::ShRUIOp::create(builder, loc, bits,
                                constant(llvm::Log2_64(kDescriptorUnit)));
  // From panel to panel; one of K-major operands is as deep as an instruction.
  uint64_t leading =
      operand.isDepthMajor ? 1 : operand.panelBytes / kDescriptorUnit;
  uint64_t ofCores = 8 * swizzle / kDescriptorUnit;
  uint64_t mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : 3;
  uint64_t fields = leading << 16 | ofCores << 32 | mode << 62;
  return arith::OrIOp::create(builder, loc, bits,
                              constant(static_cast<int64_t>(fields)));
}

/// Values in registers of their own at this point: nothing that makes them is
/// moved behind it, and nothing that uses them in front of it. A `wgmma` wants
/// its registers left alone from the fence to the wait. Values are f32 and i32.
static SmallVector<Value> pin(OpBuilder &builder, Location loc,
                              ArrayRef<Value> values) {
  if (values.empty())
    return {};
  auto types = llvm::to_vector(ValueRange(values).getTypes());
  auto type = LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
  std::string constraints;
  for (Type type : types)
    constraints += type.isF32() ? "=f," : "=r,";
  for (size_t i = 0; i < values.size(); ++i)
    constraints += std::to_string(i) + (i + 1 < values.size() ? "," : "");
  Value pinned = LLVM::InlineAsmOp::create(
                     builder, loc, type, values, /*asm_string=*/"", constraints,
                     /*has_side_effects=*/true, /*is_align_stack=*/false,
                     LLVM::tailcallkind::TailCallKind::None,
                     LLVM::AsmDialectAttr::get(builder.getContext(),
                                               LLVM::AsmDialect::AD_ATT),
                     /*operand_attrs=*/ArrayAttr())
                     .getResult(0);
  SmallVector<Value> results;
  for (size_t i = 0; i < values.size(); ++i)
    results.push_back(LLVM::ExtractValueOp::create(builder, loc, pinned, i));
  return results;
}

/// A warp's share of one product.
struct KernelEmitterImpl::GroupProduct {
  const MatmulPlan &plan;
  MatmulPlan::Kind kind;
  WarpPlace place;
  TileRange range;
  /// What the product is added to.
  MutableArrayRef<Value> fragments;
  /// None: rows are in registers.
  std::optional<GroupOperand> rows = {};
  GroupOperand cols = {};
  /// Of the operands' tiles the rows at which their matrices begin.
  Value rowBatch = {}, colBatch = {};
  /// What a lane has of rows in registers, for each step: i32.
  SmallVector<Value> rowRegisters = {};
  /// Where the depth begins that is multiplied, and how many steps of it: at
  /// first all of a warp's.
  Value firstDepth = {};
  int64_t numSteps = 0;

  /// Whether there is nothing to add to, so that no register need be zero.
  bool startsAtZero() const {
    return rows && llvm::all_of(fragments, [](Value fragment) {
             return matchPattern(fragment, m_AnyZeroFloat());
           });
  }
};

static constexpr int64_t kPerTile = 4;

SmallVector<Value>
KernelEmitterImpl::issueGroupProduct(const GroupProduct &product,
                                     ArrayRef<Value> before) {
  const MatmulPlan &plan = product.plan;
  const WarpPlace &place = product.place;
  const TileRange &range = product.range;
  const std::optional<GroupOperand> &rows = product.rows;
  const GroupOperand &cols = product.cols;
  bool startsAtZero = product.startsAtZero();
  SmallVector<Type> types(range.numCols * kPerTile, builder.getF32Type());
  auto type = LLVM::LLVMStructType::getLiteral(builder.getContext(), types);
  SmallVector<Value> sums;
  for (int64_t r = 0; r < range.numRows; ++r) {
    Value sum = LLVM::PoisonOp::create(builder, loc, type);
    for (int64_t i = 0; i < range.numCols * kPerTile && !startsAtZero; ++i)
      sum = LLVM::InsertValueOp::create(
          builder, loc, sum, before[r * range.numCols * kPerTile + i], i);
    sums.push_back(sum);
  }

  Value firstCol = mul(add(place.colTile, range.col), 8);
  // Those of later steps are that of the first, and a constant.
  Value ofCols =
      makeDescriptor(cols, product.colBatch, firstCol, product.firstDepth);
  auto advance = [&](Value descriptor, const GroupOperand &operand,
                     int64_t step) -> Value {
    int64_t units = operand.getBytesTo(step * kDepth) / kDescriptorUnit;
    return builder.createOrFold<arith::AddIOp>(
        loc, descriptor, arith::ConstantIntOp::create(builder, loc, units, 64));
  };
  if (!rows) {
    RegisterWgmma wgmma{product.kind == MatmulPlan::Kind::F16
                            ? RegisterWgmma::Element::F16
                            : RegisterWgmma::Element::BF16,
                        range.numCols * 8, !cols.isDepthMajor};
    constexpr int64_t kRegisters = RegisterWgmma::kRowRegisters;
    for (int64_t step = 0; step < product.numSteps; ++step)
      sums[0] = wgmma
                    .create(builder, loc, sums[0],
                            ArrayRef(product.rowRegisters)
                                .slice(step * kRegisters, kRegisters),
                            advance(ofCols, cols, step))
                    .getResult(0);
    return sums;
  }

  auto element = product.kind == MatmulPlan::Kind::F16 ? NVVM::WGMMATypes::f16
                                                       : NVVM::WGMMATypes::bf16;
  // Rows are row-major if the depth is next to each other, columns
  // column-major.
  auto rowLayout =
      rows->isDepthMajor ? NVVM::MMALayout::row : NVVM::MMALayout::col;
  auto colLayout =
      cols.isDepthMajor ? NVVM::MMALayout::col : NVVM::MMALayout::row;
  auto shape = NVVM::MMAShapeAttr::get(builder.getContext(), 64,
                                       range.numCols * 8, kDepth);
  SmallVector<Value> ofRows;
  for (int64_t r = 0; r < range.numRows; ++r) {
    // The first of the 64 rows, of which each warp has 16.
    Value tile = getRowTile(plan, place, range.row + r);
    Value firstRow = mul(div(tile, MatmulPlan::kWarpsPerGroup),
                         16 * MatmulPlan::kWarpsPerGroup);
    ofRows.push_back(
        makeDescriptor(*rows, product.rowBatch, firstRow, product.firstDepth));
  }
  for (int64_t step = 0; step < product.numSteps; ++step) {
    for (int64_t r = 0; r < range.numRows; ++r) {
      sums[r] = NVVM::WgmmaMmaAsyncOp::create(
          builder, loc, type, sums[r], advance(ofRows[r], *rows, step),
          advance(ofCols, cols, step), shape,
          NVVM::WGMMATypesAttr::get(builder.getContext(), element),
          NVVM::WGMMATypesAttr::get(builder.getContext(), element),
          NVVM::WGMMATypesAttr::get(builder.getContext(),
                                    NVVM::WGMMATypes::f32),
          NVVM::WGMMAScaleOutAttr::get(builder.getContext(),
                                       startsAtZero && step == 0
                                           ? NVVM::WGMMAScaleOut::zero
                                           : NVVM::WGMMAScaleOut::one),
          NVVM::WGMMAScaleInAttr::get(builder.getContext(),
                                      NVVM::WGMMAScaleIn::one),
          NVVM::WGMMAScaleInAttr::get(builder.getContext(),
                                      NVVM::WGMMAScaleIn::one),
          NVVM::MMALayoutAttr::get(builder.getContext(), rowLayout),
          NVVM::MMALayoutAttr::get(builder.getContext(), colLayout),
          NVVM::MMAIntOverflowAttr());
    }
  }
  return sums;
}

std::vector<SmallVector<Value>>
KernelEmitterImpl::startGroupProducts(MutableArrayRef<GroupProduct> products,
                                      bool commitsEach) {
  std::vector<SmallVector<Value>> all;
  for (GroupProduct &product : products) {
    SmallVector<Value> sums;
    if (!product.startsAtZero())
      for (Value fragment : product.fragments)
        for (int64_t i = 0; i < kPerTile; ++i)
          sums.push_back(vector::ExtractOp::create(builder, loc, fragment, i));
    all.push_back(pin(builder, loc, sums));
    product.rowRegisters = pin(builder, loc, product.rowRegisters);
  }
  NVVM::WgmmaFenceAlignedOp::create(builder, loc);
  for (auto [i, product] : llvm::enumerate(products)) {
    all[i] = issueGroupProduct(product, all[i]);
    if (commitsEach || i + 1 == products.size())
      NVVM::WgmmaGroupSyncAlignedOp::create(builder, loc);
  }
  return all;
}

void KernelEmitterImpl::finishGroupProduct(const GroupProduct &product,
                                           ArrayRef<Value> sums) {
  SmallVector<Value> elements;
  for (Value sum : sums)
    for (int64_t i = 0; i < product.range.numCols * kPerTile; ++i)
      elements.push_back(LLVM::ExtractValueOp::create(builder, loc, sum, i));
  elements = pin(builder, loc, elements);
  // Rows are left alone until then, too.
  pin(builder, loc, product.rowRegisters);
  auto type = VectorType::get(kPerTile, builder.getF32Type());
  MutableArrayRef<Value> fragments = product.fragments;
  for (auto [i, fragment] : llvm::enumerate(fragments))
    fragment = vector::FromElementsOp::create(
        builder, loc, type,
        ArrayRef<Value>(elements).slice(i * kPerTile, kPerTile));
}

void KernelEmitterImpl::emitGroupProducts(
    MutableArrayRef<GroupProduct> products) {
  std::vector<SmallVector<Value>> sums =
      startGroupProducts(products, /*commitsEach=*/false);
  NVVM::WgmmaWaitGroupSyncOp::create(builder, loc, 0);
  for (auto [product, ofProduct] : llvm::zip_equal(products, sums))
    finishGroupProduct(product, ofProduct);
}

KernelEmitterImpl::GroupProduct KernelEmitterImpl::getGroupProduct(
    OperatorOpInterface op, const MatmulPlan &plan,
    const MatmulPlan::Product &product, const WarpPlace &place,
    const TileRange &range, MutableArrayRef<Value> fragments) {
  Value batch = add(place.batch, range.batch);
  auto getBatchRow = [&](unsigned operand, const TileMemory &memory) {
    auto shape = cast<ShapedType>(op->getOperand(operand).getType()).getShape();
    Value first = makeIndex(0);
    SmallVector<Value> index = getBatchIndex(op, batch, shape);
    for (auto [i, stride] : llvm::zip(index, memory.strides))
      first = add(first, mul(i, stride / memory.layout.getRowElements()));
    return first;
  };
  int64_t ownDepth = product.depth / plan.depthWarps;
  GroupProduct share{plan, product.kind, place, range, fragments};
  share.cols = getGroupOperand(op, plan, product.colOperand, /*isRow=*/false);
  share.colBatch = getBatchRow(product.colOperand, share.cols.memory);
  if (!endsChain(op)) {
    share.rows = getGroupOperand(op, plan, product.rowOperand, /*isRow=*/true);
    share.rowBatch = getBatchRow(product.rowOperand, share.rows->memory);
  }
  share.firstDepth = mul(place.depth, ownDepth);
  share.numSteps = ownDepth / kDepth;
  return share;
}

/// So many at a time are unrolled.
static constexpr int64_t kMaxSteps = kMostGroupDepth / kDepth;

void KernelEmitterImpl::multiplyInGroups(OperatorOpInterface op,
                                         const MatmulPlan &plan,
                                         const WarpPlace &place,
                                         const TileRange &range,
                                         SmallVectorImpl<Value> &fragments) {
  for (const MatmulPlan::Product &product : plan.products) {
    SmallVector<Value> sums(fragments.begin(), fragments.end());
    GroupProduct share = getGroupProduct(op, plan, product, place, range, sums);
    // Each time from where a panel begins.
    int64_t steps = share.numSteps, perRound = std::min(steps, kMaxSteps);
    auto begins = [&](const GroupOperand &operand) {
      return !operand.isDepthMajor ||
             perRound * kDepth % (operand.swizzleBytes / 2) == 0;
    };
    while (steps % perRound != 0 ||
           (perRound < steps && perRound > 1 &&
            !(begins(*share.rows) && begins(share.cols))))
      --perRound;
    if (perRound == steps) {
      emitGroupProducts(share);
      fragments.assign(sums.begin(), sums.end());
      continue;
    }
    auto loop = scf::ForOp::create(builder, loc, makeIndex(0),
                                   makeIndex(steps / perRound), makeIndex(1),
                                   fragments);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    llvm::copy(loop.getRegionIterArgs(), sums.begin());
    share.numSteps = perRound;
    share.firstDepth = mul(loop.getInductionVar(), perRound * kDepth);
    emitGroupProducts(share);
    scf::YieldOp::create(builder, loc, sums);
    fragments.assign(loop.getResults().begin(), loop.getResults().end());
  }
}

bool KernelEmitterImpl::multiplyInOneGroup(
    ArrayRef<OperatorOpInterface> firsts,
    MutableArrayRef<SmallVector<Value>> fragments) {
  std::vector<MatmulPlan> plans;
  for (OperatorOpInterface first : firsts)
    plans.push_back(getTensorCoreUse(first)->plan);
  auto isOneRound = [](const MatmulPlan &plan) {
    return plan.inWarpgroups && plan.products.size() == 1 &&
           plan.products.front().depth <= kMostGroupDepth;
  };
  if (!llvm::all_of(plans, isOneRound))
    return false;
  std::vector<GroupProduct> products;
  for (auto [first, plan, ofFirst] : llvm::zip_equal(firsts, plans, fragments))
    products.push_back(
        getGroupProduct(first, plan, plan.products.front(), getWarpPlace(plan),
                        {0, 0, 0, 1, plan.getTilesPerWarp()[2]}, ofFirst));
  emitGroupProducts(products);
  return true;
}

KernelEmitterImpl::GroupProduct KernelEmitterImpl::getProductOfRows(
    OperatorOpInterface last, const MatmulPlan &plan, ArrayRef<Value> rows,
    MutableArrayRef<Value> fragments) {
  TileRange range{0, 0, 0, 1, plan.getTilesPerWarp()[2]};
  GroupProduct product = getGroupProduct(last, plan, plan.products.front(),
                                         getWarpPlace(plan), range, fragments);
  product.rowRegisters.assign(rows.begin(), rows.end());
  return product;
}

void KernelEmitterImpl::multiplyRowsInGroups(
    ArrayRef<OperatorOpInterface> lasts, ArrayRef<SmallVector<Value>> rows,
    ArrayRef<MutableArrayRef<Value>> fragments) {
  std::vector<MatmulPlan> plans;
  for (OperatorOpInterface last : lasts)
    plans.push_back(getTensorCoreUse(last)->plan);
  std::vector<GroupProduct> products;
  for (auto [last, plan, ofLast, into] :
       llvm::zip_equal(lasts, plans, rows, fragments))
    products.push_back(getProductOfRows(last, plan, ofLast, into));
  emitGroupProducts(products);
}

void KernelEmitterImpl::overlapProducts(const RowChain &chain,
                                        MutableArrayRef<Value> scores,
                                        llvm::function_ref<void()> compute) {
  assert(chain.hasTwoProducts() && "others don't run behind");
  OperatorOpInterface first = chain.firsts[0], last = chain.lasts[0];
  auto loop = cast<block::LoopOp>(last->getParentOp());
  const MatmulPlan firstPlan = getTensorCoreUse(first)->plan,
                   lastPlan = getTensorCoreUse(last)->plan;
  std::vector<GroupProduct> products;
  products.push_back(getGroupProduct(
      first, firstPlan, firstPlan.products.front(), getWarpPlace(firstPlan),
      {0, 0, 0, 1, firstPlan.getTilesPerWarp()[2]}, scores));
  placeStages(loop, getIterationBefore());
  products.push_back(
      getProductOfRows(last, lastPlan, waitingRows, sums.find(last)->second));
  placeStages(loop, iteration);
  std::vector<SmallVector<Value>> issued =
      startGroupProducts(products, /*commitsEach=*/true);
  NVVM::WgmmaWaitGroupSyncOp::create(builder, loc, 1);
  finishGroupProduct(products[0], issued[0]);
  compute();
  loc = last.getLoc();
  NVVM::WgmmaWaitGroupSyncOp::create(builder, loc, 0);
  finishGroupProduct(products[1], issued[1]);
}

/// Whether an op is a product of warpgroups that a loop sums up, with nothing
/// to be done in between, in one round.
static bool isGroupSum(Operation *op) {
  if (!isForWarpgroups(op) || endsChain(op))
    return false;
  std::optional<TensorCoreUse> use = getTensorCoreUse(op);
  if (!use || !use->inRegisters || !use->plan.inWarpgroups)
    return false;
  OpOperand &sum = *op->getResult(0).use_begin();
  const MatmulPlan &plan = use->plan;
  return cast<block::AccumulateOp>(sum.getOwner())
                 .getKind(sum.getOperandNumber()) ==
             block::AccumulatorKind::Sum &&
         plan.getTilesPerWarp()[0] == 1 && plan.products.size() == 1 &&
         plan.products[0].depth <= kMaxSteps * kDepth;
}

SmallVector<Operation *>
KernelEmitterImpl::emitGroupSums(ArrayRef<Operation *> ops) {
  SmallVector<Operation *> together;
  std::vector<MatmulPlan> plans;
  for (Operation *op : ops) {
    if (!sums.contains(op) || !isGroupSum(op))
      continue;
    MatmulPlan plan = getTensorCoreUse(op)->plan;
    if (!plans.empty() &&
        plan.getActiveWarps() != plans.front().getActiveWarps())
      continue;
    together.push_back(op);
    plans.push_back(plan);
  }
  if (together.size() < 2)
    return {};
  loc = together.front()->getLoc();

  SmallVector<Value> before;
  for (Operation *op : together)
    llvm::append_range(before, sums.find(op)->second);
  auto multiplyAll = [&] {
    SmallVector<Value> after(before);
    MutableArrayRef<Value> left = after;
    std::vector<GroupProduct> products;
    for (auto [op, plan] : llvm::zip_equal(together, plans)) {
      auto [batches, rows, cols] = plan.getTilesPerWarp();
      products.push_back(getGroupProduct(cast<OperatorOpInterface>(op), plan,
                                         plan.products[0], getWarpPlace(plan),
                                         {0, 0, 0, rows, cols},
                                         left.take_front(rows * cols)));
      left = left.drop_front(rows * cols);
    }
    emitGroupProducts(products);
    return after;
  };
  SmallVector<Value> after =
      emitWhere(getWarpPlace(plans.front()).isActive, before, multiplyAll);
  ArrayRef<Value> left = after;
  for (Operation *op : together) {
    SmallVector<Value> &fragments = sums.find(op)->second;
    llvm::copy(left.take_front(fragments.size()), fragments.begin());
    left = left.drop_front(fragments.size());
  }
  return together;
}
