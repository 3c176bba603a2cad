//===- FieldMatmulAVX2.cpp - Matrix products with AVX2 --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FieldMatmulBlocked.h"

void mirage::fieldMatmulAVX2(const FieldMatmulArguments &args) {
  BlockedMatmul</*kBytes=*/32, /*kTileRows=*/4, /*kDepth=*/256,
                /*kWidth=*/1024>(args)
      .run();
}
