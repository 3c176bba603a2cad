//===- ProducerEmitter.cpp - A warp that loads what others compute on -----===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stage has two mbarriers. "Full" waits for the producer, which announces the
// bytes that it lets the TMA copy, and for these; "empty" for each warp that
// computes. Iteration i uses stage i % S in its round i / S. The round's parity
// is the phase that readers wait for at "full"; the producer waits at "empty"
// for the phase of the round before, which in the first one counts as over.
// Where a chain's last product runs an iteration behind, warps arrive at
// "empty" for iteration i at the end of i + 1, and for the last one behind the
// loop.
//
// In a cluster each producer lets the TMA copy its part of the tiles that the
// blocks share to the same place in all of them, and report it to all of their
// "full". Each still announces all bytes of its own block; bytes that come
// before they are announced are counted, too. "Empty" waits for the warps of
// all blocks, as a producer writes to all. At the end of the kernel it waits
// for all of them once more: a block that has ended has no mbarriers that
// others could arrive at.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitterImpl.h"
#include "Mirage/BlockPlan/BoxCopies.h"
#include "Mirage/BlockPlan/Clusters.h"
#include "Mirage/BlockPlan/WarpRoles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mirage;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

Value KernelEmitterImpl::getMbarrier(block::LoopOp loop, Mbarrier which,
                                     Value stage) {
  int64_t first = plan.scratch.lookup(loop) +
                  (which == Mbarrier::Full ? 0 : kMbarrierBytes);
  return getSharedAddress(add(mul(stage, 2 * kMbarrierBytes), first));
}

void KernelEmitterImpl::emitClusterBarrier() {
  NVVM::ClusterArriveOp::create(builder, loc, UnitAttr());
  NVVM::ClusterWaitOp::create(builder, loc, UnitAttr());
}

void KernelEmitterImpl::waitForMbarrier(Value mbarrier, Value phase) {
  // How long a thread may sleep before it looks again.
  constexpr int64_t kNanoseconds = 10'000'000;
  NVVM::MBarrierTryWaitParityOp::create(builder, loc, mbarrier, makeInt(phase),
                                        makeInt(kNanoseconds));
}

//===----------------------------------------------------------------------===//
// The warps that compute
//===----------------------------------------------------------------------===//

bool KernelEmitterImpl::mustMeetProducer(block::LoopOp loop) {
  // At the beginning of the kernel all threads meet anyway, and what else is
  // stored at the loop's depth has other places.
  return !llvm::is_contained(getStages(graph.getBlockGraph()).front(), loop);
}

void KernelEmitterImpl::meetProducer(block::LoopOp loop) {
  if (!mustMeetProducer(loop))
    return;
  // What threads have stored comes before what the TMA writes there.
  emitProxyFence();
  emitMeeting(loop);
}

void KernelEmitterImpl::emitMeeting(block::LoopOp loop) {
  // Other blocks' producers write there, too.
  if (getNumSharers(loop) > 1)
    return emitClusterBarrier();
  emitBarrier(kMeetingBarrier, threads + kWarpSize);
}

void KernelEmitterImpl::waitForProducer(block::LoopOp loop) {
  int64_t numStages = getNumLoopStages(loop);
  waitForMbarrier(getMbarrier(loop, Mbarrier::Full, rem(iteration, numStages)),
                  rem(div(iteration, numStages), 2));
}

/// Whether threads read a loop's stages themselves, which the TMA fills again.
static bool needsFenceAtRelease(block::LoopOp loop) {
  int64_t numIterations = loop.getIterations();
  if (numIterations <= getNumLoopStages(loop))
    return false;
  return llvm::any_of(loop.getBody().front(), [](Operation &op) {
    return isLoadedByProducer(&op) && isReadByThreads(op.getResult(0));
  });
}

void KernelEmitterImpl::releaseToProducer(block::LoopOp loop, Value of) {
  // What threads have read comes before what the TMA writes there, which the
  // mbarrier alone says of accesses through one proxy.
  if (needsFenceAtRelease(loop))
    emitProxyFence();
  NVVM::SyncWarpOp::create(builder, loc, makeInt(-1));
  Value stage = rem(of, getNumLoopStages(loop));
  int64_t numSharers = getNumSharers(loop);
  // A lane for each block.
  emitIf(isBelow(lane, numSharers), [&] {
    Value empty = getMbarrier(loop, Mbarrier::Empty, stage);
    if (numSharers > 1)
      empty = NVVM::MapaOp::create(builder, loc, getClusterPointerType(), empty,
                                   makeInt(lane));
    // Of the block's scope, and so is the producer's wait: what a warp has read
    // of a stage it has when it arrives. The cluster's scope would cost a
    // fence of all memory here, and there the L1 cache.
    NVVM::MBarrierArriveOp::create(builder, loc, Type(), empty, Value());
  });
}

//===----------------------------------------------------------------------===//
// The warp that loads
//===----------------------------------------------------------------------===//

void KernelEmitterImpl::copyBoxes(block::InputIterator input, Value iteration,
                                  Value offset, Value mbarrier) {
  loc = input.getLoc();
  std::optional<BoxCopies> copies = getBoxCopies(input);
  SmallVector<Value> offsets = getTileOffsets(input, iteration);
  bool isShared = copies->numSharers > 1;
  Value mask;
  if (isShared) {
    Value &start = offsets[copies->dims[copies->partDim]];
    Value part = mul(blockRank, copies->partElements);
    start = start ? add(start, part) : part;
    offset = add(offset, mul(blockRank, copies->partBytes));
    mask = arith::ConstantIntOp::create(
        builder, loc, (int64_t(1) << copies->numSharers) - 1, 16);
  }
  for (const BoxCopies::Box &box : copies->boxes) {
    Value to = LLVM::AddrSpaceCastOp::create(
        builder, loc, getClusterPointerType(),
        getSharedAddress(add(offset, box.offset)));
    NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
        builder, loc, to, tensorMaps[input],
        getBoxCoordinates(*copies, box, offsets), mbarrier,
        /*im2colOffsets=*/ValueRange(), mask,
        /*l2CacheHint=*/Value(), NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false,
        NVVM::CTAGroupKindAttr(), /*predicate=*/Value());
  }
}

void KernelEmitterImpl::emitProducerIteration(block::LoopOp loop, Value of) {
  loc = loop.getLoc();
  int64_t numStages = getNumLoopStages(loop);
  Value stage = rem(of, numStages), round = div(of, numStages);
  waitForMbarrier(getMbarrier(loop, Mbarrier::Empty, stage),
                  rem(add(round, 1), 2));
  Value full = getMbarrier(loop, Mbarrier::Full, stage);
  int64_t bytes = 0;
  auto inputs = loop.getBody().front().getOps<block::InputIterator>();
  for (auto input : inputs)
    if (isLoadedByProducer(input))
      bytes += getTileBytes(cast<TileType>(input.getTile().getType()));
  NVVM::MBarrierArriveExpectTxOp::create(
      builder, loc, Type(), full, makeInt(bytes), NVVM::MemScopeKind::CTA,
      /*relaxed=*/false, Value());
  for (auto input : inputs)
    if (isLoadedByProducer(input))
      copyBoxes(input, of,
                add(mul(stage, getStageBytes(input.getTile())),
                    plan.offsets.lookup(input.getTile())),
                full);
}

void KernelEmitterImpl::emitProducer() {
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        lane, makeIndex(0));
  for (ArrayRef<Operation *> stage : getStages(graph.getBlockGraph()))
    for (Operation *op : stage) {
      auto loop = dyn_cast<block::LoopOp>(op);
      if (!loop || !hasProducerWarp(loop))
        continue;
      loc = loop.getLoc();
      if (mustMeetProducer(loop))
        emitMeeting(loop);
      emitIf(isFirst, [&] {
        emitFor(makeIndex(0), makeIndex(loop.getIterations()), makeIndex(1),
                [&](Value i) { emitProducerIteration(loop, i); });
      });
    }
  // Which loads nothing meanwhile, so that a loop needn't wait for the one
  // before.
  for (auto loop : graph.getBlockGraph().getOps<block::LoopOp>())
    if (hasProducerWarp(loop) && getNumSharers(loop) > 1)
      emitIf(isFirst, [&] { waitForReleases(loop); });
}

void KernelEmitterImpl::waitForReleases(block::LoopOp loop) {
  loc = loop.getLoc();
  int64_t numStages = getNumLoopStages(loop), iterations = loop.getIterations();
  for (int64_t s = 0; s < std::min(numStages, iterations); ++s) {
    int64_t last = (iterations - 1 - s) / numStages;
    waitForMbarrier(getMbarrier(loop, Mbarrier::Empty, makeIndex(s)),
                    makeIndex(last % 2));
  }
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

void KernelEmitterImpl::emitMbarrierInits() {
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        threadId, makeIndex(0));
  emitIf(isFirst, [&] {
    for (auto loop : graph.getBlockGraph().getOps<block::LoopOp>()) {
      if (!hasProducerWarp(loop))
        continue;
      int64_t numWarps = threads / kWarpSize * getNumSharers(loop);
      for (int64_t s = 0; s < getNumLoopStages(loop); ++s)
        for (Mbarrier which : {Mbarrier::Full, Mbarrier::Empty})
          NVVM::MBarrierInitOp::create(
              builder, loc, getMbarrier(loop, which, makeIndex(s)),
              makeInt(which == Mbarrier::Full ? 1 : numWarps), Value());
    }
    // In front of all that the producer lets the TMA do with them.
    NVVM::FenceMbarrierInitOp::create(builder, loc);
  });
  if (!hasCluster()) {
    gpu::BarrierOp::create(builder, loc);
    return;
  }
  // Nothing but the mbarriers has been written, and these the fence has
  // published. An arrival that releases would be a fence of all memory.
  NVVM::ClusterArriveRelaxedOp::create(builder, loc, UnitAttr());
  NVVM::ClusterWaitOp::create(builder, loc, UnitAttr());
}

void KernelEmitterImpl::emitWarpRoles() {
  loc = graph.getLoc();
  if (hasCluster())
    blockRank = arith::IndexCastOp::create(
        builder, loc, builder.getIndexType(),
        NVVM::ClusterId::create(builder, loc, builder.getI32Type()));
  emitMbarrierInits();
  auto roles =
      scf::IfOp::create(builder, loc, isBelow(warp, threads / kWarpSize),
                        /*withElseRegion=*/true);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(roles.elseBlock());
    emitProducer();
    builder.setInsertionPointToStart(roles.thenBlock());
    emitStages(getStages(graph.getBlockGraph()));
  }
}
