// A linear layer with its adapter becomes one kernel of three matmuls.

// RUN: %python %programs/linalg_programs.py lora 8 \
// RUN:   | mirage-opt --convert-linalg-to-mirage --mirage-superoptimize="target=sm_90a max-block-ops=11 threads=2" \
// RUN:       --mirage-verify-equivalence="seed=7" \
// RUN:   | FileCheck %s

// CHECK: func.func @lora(
// CHECK-NEXT: %[[KERNEL:.*]] = mirage_kernel.graph_defined(
// CHECK-COUNT-3: mirage_block.matmul
// CHECK: mirage_block.output_saver
// CHECK: return %[[KERNEL]]
