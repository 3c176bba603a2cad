// The gated MLP becomes one kernel: both matmuls read the same tile of x, silu and the product come after the loop.

// RUN: %python %programs/linalg_programs.py gated_mlp 8 \
// RUN:   | mirage-opt --convert-linalg-to-mirage --mirage-superoptimize="target=sm_90a max-block-ops=11 threads=2" \
// RUN:       --mirage-verify-equivalence="seed=99" \
// RUN:   | FileCheck %s

// CHECK: func.func @gated_mlp(
// CHECK-NEXT: %[[KERNEL:.*]] = mirage_kernel.graph_defined(
// CHECK: ^bb0(%[[X:.*]]: tensor<64x4096xf16>, %{{.*}}: tensor<4096x4096xf16>, %{{.*}}: tensor<4096x4096xf16>):
// CHECK: %[[SUMS:.*]]:2 = mirage_block.loop
// CHECK-NEXT: %[[XTILE:.*]] = mirage_block.input_iterator %[[X]]
// CHECK-NEXT: %[[W1:.*]] = mirage_block.input_iterator
// CHECK-NEXT: %[[W2:.*]] = mirage_block.input_iterator
// CHECK-DAG: %[[P1:.*]] = mirage_block.matmul %[[XTILE]], %[[W1]]
// CHECK-DAG: %[[P2:.*]] = mirage_block.matmul %[[XTILE]], %[[W2]]
// CHECK: mirage_block.accumulate sum %{{.*}}, sum %{{.*}} :
// CHECK: %[[GATE:.*]] = mirage_block.silu %[[SUMS]]#{{[01]}}
// CHECK: %[[Z:.*]] = mirage_block.mul {{%.*}}, {{%.*}} :
// CHECK-NEXT: mirage_block.output_saver %[[Z]]
// CHECK: return %[[KERNEL]]
