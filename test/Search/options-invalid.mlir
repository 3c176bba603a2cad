// RUN: not mirage-opt %s --mirage-superoptimize="target=sm_42" 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not mirage-opt %s --mirage-superoptimize="threads=0" 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not mirage-opt %s --mirage-superoptimize="max-block-ops=0" 2>&1 | FileCheck %s --check-prefix=OPS
// RUN: not mirage-opt %s --mirage-superoptimize="max-kernel-ops=0" 2>&1 | FileCheck %s --check-prefix=KERNELS
// RUN: not mirage-opt %s --mirage-superoptimize="candidates=0" 2>&1 | FileCheck %s --check-prefix=CANDIDATES
// RUN: not mirage-opt %s --mirage-superoptimize="max-grid-dims=5" 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: not mirage-opt %s --mirage-superoptimize="max-block-ops=4294967295" 2>&1 | FileCheck %s --check-prefix=MANY-OPS
// RUN: not mirage-opt %s --mirage-superoptimize="max-kernel-ops=101" 2>&1 | FileCheck %s --check-prefix=MANY-KERNELS
// RUN: not mirage-opt %s --mirage-superoptimize="max-whole-ops=0" 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: not mirage-opt %s --mirage-superoptimize="max-whole-ops=1001" 2>&1 | FileCheck %s --check-prefix=MANY-WHOLE
// RUN: not mirage-opt %s --mirage-superoptimize="max-free-ops=100000" 2>&1 | FileCheck %s --check-prefix=MANY-FREE
// RUN: not mirage-opt %s --mirage-superoptimize="candidates=4294967295" 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not mirage-opt %s --mirage-superoptimize="time-limit=-1" 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: not mirage-opt %s --mirage-superoptimize="time-limit=nan" 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: not mirage-opt %s --mirage-superoptimize="time-limit=inf" 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: not mirage-opt %s --mirage-superoptimize="checkpoint-seconds=-1" 2>&1 | FileCheck %s --check-prefix=CHECKPOINT
// RUN: not mirage-opt %s --mirage-superoptimize="checkpoint-seconds=inf" 2>&1 | FileCheck %s --check-prefix=CHECKPOINT
// RUN: not mirage-opt %s --mirage-superoptimize="checkpoint-seconds=nan" 2>&1 | FileCheck %s --check-prefix=CHECKPOINT
// RUN: not mirage-opt %s --mirage-superoptimize="threads=100000" 2>&1 | FileCheck %s --check-prefix=MANY-THREADS
// RUN: not mirage-opt %s --mirage-superoptimize="report=%t.missing/report.json" 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not mirage-opt %s --mirage-superoptimize="oracle=guess" 2>&1 | FileCheck %s --check-prefix=ORACLE
// RUN: not mirage-opt %s --mirage-superoptimize="without=bound,guess" 2>&1 | FileCheck %s --check-prefix=RULE
// RUN: not mirage-opt %s --mirage-superoptimize="operators=add,guess" 2>&1 | FileCheck %s --check-prefix=OPERATOR
// RUN: not mirage-opt %s --mirage-superoptimize="report=/dev/full" 2>&1 | FileCheck %s --check-prefix=FULL

// TARGET: error: unknown target 'sm_42', expected one of sm_80, sm_90a
// THREADS: error: option 'threads' must be at least 1
// OPS: error: option 'max-block-ops' must be at least 1
// KERNELS: error: option 'max-kernel-ops' must be at least 1
// CANDIDATES: error: option 'candidates' must be at least 1
// GRID: error: option 'max-grid-dims' must be at most 4, found 5
// MANY-OPS: error: option 'max-block-ops' must be at most 1000, found 4294967295
// MANY-KERNELS: error: option 'max-kernel-ops' must be at most 100, found 101
// WHOLE: error: option 'max-whole-ops' must be at least 1
// MANY-WHOLE: error: option 'max-whole-ops' must be at most 1000, found 1001
// MANY-FREE: error: option 'max-free-ops' must be at most 1000, found 100000
// MANY: error: option 'candidates' must be at most 10000, found 4294967295
// TIME: error: option 'time-limit' must be a number of seconds, or 0 for none, found
// CHECKPOINT: error: option 'checkpoint-seconds' must be a number of seconds, found
// MANY-THREADS: error: option 'threads' must be at most 1024, found 100000
// FILE: error: can't write the report:
// Before anything is searched.
// FULL-NOT: remark
// FULL: error: can't write the report: /dev/full: No space left on device
// FULL-NOT: remark
// ORACLE: error: option 'oracle': expected 'normal-form', 'z3', 'cross-check' or 'none', found 'guess'
// RULE: error: option 'without': unknown rule 'guess'; known are factored-sums, {{.*}}bound
// OPERATOR: error: option 'operators': no operator is called 'guess'
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %r = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
