//===- Emulation.h - What emulated kernels call -----------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_RUNTIME_EMULATION_H
#define MIRAGE_LIB_RUNTIME_EMULATION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <utility>

namespace mirage {

/// The functions of HostABI.h, to be called by kernels that a BlockRunner runs.
namespace emulation {

// Registers.cpp
int32_t specialRegister(int32_t which);
void *sharedMemory(int64_t offset);
void trap(int32_t op);
void division(int32_t op, int32_t isZero, int32_t overflows);

// Synchronization.cpp
void barrier(int32_t op, int32_t id, int32_t threads);
void barrierArrive(int32_t op, int32_t id, int32_t threads);
void asyncCopy(int32_t op, int32_t argument, char *to, char *from,
               int32_t bytes, int32_t sourceBytes);
void asyncCommit();
void asyncWait(int32_t groups);
void proxyFence();
void gridWait();

// MemoryAccess.cpp
void access(int32_t op, char *address, int64_t bytes, int32_t info);
void specialFunction(int32_t function, int32_t count);

// Mbarriers.cpp
void mbarrierInit(int32_t op, char *address, int32_t count);
void mbarrierFence();
void mbarrierInvalidate(int32_t op, char *address);
void mbarrierArrive(int32_t op, char *address, int32_t count,
                    int32_t ofCluster);
void mbarrierExpect(int32_t op, char *address, int32_t bytes);
void mbarrierWait(int32_t op, char *address, int32_t parity);
void bulkCopy(int32_t op, int32_t argument, char *to, char *from,
              char *mbarrier, int32_t bytes, int32_t mask);

// TensorCopies.cpp
void tensorLoad(int32_t op, char *to, void *map, char *mbarrier, int32_t mask,
                int32_t rank, int32_t c0, int32_t c1, int32_t c2, int32_t c3,
                int32_t c4);
void tensorStore(int32_t op, void *map, char *from, int32_t rank, int32_t c0,
                 int32_t c1, int32_t c2, int32_t c3, int32_t c4);
void bulkCommit();
void bulkWait(int32_t left, int32_t read);

// Clusters.cpp
void *mapShared(int32_t op, char *address, int32_t rank);
void clusterArrive(int32_t op, int32_t aligned);
void clusterArriveRelaxed(int32_t op, int32_t aligned);
void clusterWait(int32_t op, int32_t aligned);

// WarpOps.cpp
int32_t elect(int32_t op, int32_t threadMask);
void syncWarp(int32_t op, int32_t threadMask);
int64_t shuffle(int32_t op, int32_t kind, int32_t threadMask, int32_t value,
                int32_t offset, int32_t maskAndClamp);
int32_t redux(int32_t op, int32_t kind, int32_t threadMask, int32_t value);
void ldmatrix(int32_t op, int32_t matrices, int32_t transposed, uint16_t *row,
              uint32_t *results);
void mma(int32_t op, int32_t element, int32_t k, int32_t half,
         uint32_t *fragments);

// Warpgroups.cpp
void wgmma(int32_t op, int64_t descriptorA, int64_t descriptorB,
           int32_t encoded, float *sums);
void registerWgmma(int32_t op, uint32_t *rows, int64_t descriptorB,
                   int32_t encoded, float *sums);
void wgmmaFence(int32_t op);
void wgmmaCommit(int32_t op);
void wgmmaWait(int32_t op, int32_t left);
int32_t wgmmaIssued();
void wgmmaUse(int32_t op, int32_t issued);
int32_t wgmmaFences();
void wgmmaRead(int32_t op, int32_t fences);

/// The functions by the names that kernels call them by.
llvm::ArrayRef<std::pair<llvm::StringRef, void *>> getSymbols();

} // namespace emulation

} // namespace mirage

#endif // MIRAGE_LIB_RUNTIME_EMULATION_H
