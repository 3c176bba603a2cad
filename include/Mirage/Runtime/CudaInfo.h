//===- CudaInfo.h - Which GPU there is --------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_RUNTIME_CUDAINFO_H
#define MIRAGE_RUNTIME_CUDAINFO_H

#include "Mirage/Runtime/Runtime.h"

namespace mirage {

/// "CUDA device, compute capability 9.0". Fails when there is no driver, no
/// such device, or one older than compute capability 8.0.
llvm::Expected<std::string> describeCudaDevice(const CudaOptions &options = {});

} // namespace mirage

#endif // MIRAGE_RUNTIME_CUDAINFO_H
