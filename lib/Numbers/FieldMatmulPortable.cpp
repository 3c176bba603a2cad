//===- FieldMatmulPortable.cpp - Products in portable code ----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FieldMatmulBlocked.h"

void mirage::fieldMatmulPortable(const FieldMatmulArguments &args) {
  BlockedMatmul</*kBytes=*/16, /*kTileRows=*/4, /*kDepth=*/256,
                /*kWidth=*/1024>(args)
      .run();
}
