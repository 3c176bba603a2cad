// The gated MLP becomes one kernel: both matmuls read the same tile of x, silu and the product come after the loop.

// RUN: %python %programs/linalg_programs.py gated_mlp 8 \
// RUN:   | mirage-opt --convert-linalg-to-mirage --mirage-superoptimize="target=sm_90a max-block-ops=11 threads=2" \
// RUN:       --mirage-verify-equivalence="seed=99" \
// RUN:   | FileCheck %s --check-prefixes=CHECK,COLUMNS
// RUN: %python %programs/linalg_programs.py gated_mlp 1 | mirage-opt --convert-linalg-to-mirage --mirage-superoptimize \
// RUN:   | FileCheck %s --check-prefixes=CHECK,COLUMNS
// RUN: %python %programs/linalg_programs.py gated_mlp 16 | mirage-opt --convert-linalg-to-mirage --mirage-superoptimize \
// RUN:   | FileCheck %s --check-prefixes=CHECK,ROWS

// At batches 1 and 8 blocks share out the columns, at 16 the rows, too.

// CHECK: func.func @gated_mlp(
// CHECK-SAME: verdict = "proved"
// COLUMNS-NEXT: %[[KERNEL:.*]] = mirage_kernel.graph_defined(%arg0, %arg1, %arg2) grid <x = {{[0-9]+}}> :
// ROWS-NEXT: %[[KERNEL:.*]] = mirage_kernel.graph_defined(%arg0, %arg1, %arg2) grid <x = {{[0-9]+}}, y = {{[0-9]+}}> :
// CHECK: ^bb0(%[[X:.*]]: tensor<{{[0-9]+}}x4096xf16>, %{{.*}}: tensor<4096x4096xf16>, %{{.*}}: tensor<4096x4096xf16>):
// CHECK: %[[SUMS:.*]]:2 = mirage_block.loop
// COLUMNS-NEXT: %[[XTILE:.*]] = mirage_block.input_iterator %[[X]] imap <x -> replica> fmap <i -> 1> :
// COLUMNS-NEXT: %[[W1:.*]] = mirage_block.input_iterator %{{.*}} imap <x -> 1> fmap <i -> 0> :
// COLUMNS-NEXT: %[[W2:.*]] = mirage_block.input_iterator %{{.*}} imap <x -> 1> fmap <i -> 0> :
// ROWS-NEXT: %[[XTILE:.*]] = mirage_block.input_iterator %[[X]] imap <x -> 0, y -> replica> fmap <i -> 1> :
// ROWS-NEXT: %[[W1:.*]] = mirage_block.input_iterator %{{.*}} imap <x -> replica, y -> 1> fmap <i -> 0> :
// ROWS-NEXT: %[[W2:.*]] = mirage_block.input_iterator %{{.*}} imap <x -> replica, y -> 1> fmap <i -> 0> :
// CHECK-DAG: %[[P1:.*]] = mirage_block.matmul %[[XTILE]], %[[W1]]
// CHECK-DAG: %[[P2:.*]] = mirage_block.matmul %[[XTILE]], %[[W2]]
// CHECK: mirage_block.accumulate sum %{{.*}}, sum %{{.*}} :
// CHECK: %[[GATE:.*]] = mirage_block.silu %[[SUMS]]#{{[01]}}
// CHECK: %[[Z:.*]] = mirage_block.mul {{%.*}}, {{%.*}} :
// CHECK-NEXT: mirage_block.output_saver %[[Z]]
// CHECK: return %[[KERNEL]]
