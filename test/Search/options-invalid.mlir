// RUN: not mirage-opt %s --mirage-superoptimize="target=sm_42" 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not mirage-opt %s --mirage-superoptimize="threads=0" 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not mirage-opt %s --mirage-superoptimize="max-block-ops=0" 2>&1 | FileCheck %s --check-prefix=OPS
// RUN: not mirage-opt %s --mirage-superoptimize="max-kernel-ops=0" 2>&1 | FileCheck %s --check-prefix=KERNELS
// RUN: not mirage-opt %s --mirage-superoptimize="candidates=0" 2>&1 | FileCheck %s --check-prefix=CANDIDATES
// RUN: not mirage-opt %s --mirage-superoptimize="max-grid-dims=4" 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: not mirage-opt %s --mirage-superoptimize="report=%t.missing/report.json" 2>&1 | FileCheck %s --check-prefix=FILE

// TARGET: error: unknown target 'sm_42'; known are sm_80, sm_90a
// THREADS: error: option 'threads' must be at least 1
// OPS: error: option 'max-block-ops' must be at least 1
// KERNELS: error: option 'max-kernel-ops' must be at least 1
// CANDIDATES: error: option 'candidates' must be at least 1
// GRID: error: option 'max-grid-dims' must be at most 3, found 4
// FILE: error: can't write the report:
module {}
