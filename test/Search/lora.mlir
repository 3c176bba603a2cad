// A linear layer with its adapter becomes one kernel of three matmuls.

// RUN: %python %programs/linalg_programs.py lora 8 \
// RUN:   | mirage-opt --convert-linalg-to-mirage --mirage-superoptimize="target=sm_90a max-block-ops=11 candidates=2 threads=2" \
// RUN:       --mirage-verify-equivalence="seed=7" \
// RUN:   | FileCheck %s
// RUN: %python %programs/linalg_programs.py lora 8 \
// RUN:   | mirage-opt --convert-linalg-to-mirage --mirage-superoptimize="candidates=4 max-kernel-ops=1 threads=2" \
// RUN:   | FileCheck %s --check-prefix=MATMULS

// CHECK: func.func @lora(
// CHECK-NEXT: %[[KERNEL:.*]] = mirage_kernel.graph_defined(
// CHECK-COUNT-3: mirage_block.matmul
// CHECK: mirage_block.output_saver
// CHECK: return %[[KERNEL]]

// CHECK: func.func @lora_candidate_1(
// CHECK-NEXT: %[[KERNEL:.*]] = mirage_kernel.graph_defined(
// CHECK: mirage_block.matmul
// CHECK: mirage_block.concat_matmul
// CHECK: mirage_block.output_saver
// CHECK: return %[[KERNEL]]

// MATMULS: func.func @lora_candidate_2(
// MATMULS-COUNT-3: mirage_block.matmul
// MATMULS: mirage_block.add
// MATMULS: mirage_block.output_saver
