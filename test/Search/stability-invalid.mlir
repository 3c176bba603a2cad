// RUN: not mirage-opt %s --mirage-superoptimize="stability-factor=0.5" 2>&1 | FileCheck %s --check-prefix=SMALL
// RUN: not mirage-opt %s --mirage-superoptimize="stability-factor=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not mirage-opt %s --mirage-superoptimize="stability-factor=nan" 2>&1 | FileCheck %s --check-prefix=NAN
// RUN: not mirage-opt %s --mirage-superoptimize="stability-factor=inf" 2>&1 | FileCheck %s --check-prefix=INF

// SMALL: error: option 'stability-factor' must be 0 or at least 1, found 0.5
// NEGATIVE: error: option 'stability-factor' must be 0 or at least 1, found -1
// INF: error: option 'stability-factor' must be 0 or at least 1, found inf
// NAN: error: option 'stability-factor' must be 0 or at least 1, found
module {}
