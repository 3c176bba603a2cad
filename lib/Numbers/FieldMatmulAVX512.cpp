//===- FieldMatmulAVX512.cpp - Matrix products with AVX-512 ---------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FieldMatmulBlocked.h"

void mirage::fieldMatmulAVX512(const FieldMatmulArguments &args) {
  BlockedMatmul</*kBytes=*/64, /*kTileRows=*/4, /*kDepth=*/256,
                /*kWidth=*/1024>(args)
      .run();
}
