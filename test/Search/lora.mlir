// A linear layer with its adapter becomes one kernel of three matmuls.

// RUN: %python %programs/linalg_programs.py lora 8 \
// RUN:   | mirage-opt --convert-linalg-to-mirage --mirage-superoptimize="target=sm_90a max-block-ops=11 candidates=2 threads=2" \
// RUN:       --mirage-verify-equivalence="seed=7" \
// RUN:   | FileCheck %s
// RUN: %python %programs/linalg_programs.py lora 16 \
// RUN:   | mirage-opt --convert-linalg-to-mirage --mirage-superoptimize="candidates=2" | FileCheck %s

// At batch 1 the other form is cheaper, and blocks share out the columns only.

// RUN: %python %programs/linalg_programs.py lora 1 \
// RUN:   | mirage-opt --convert-linalg-to-mirage --mirage-superoptimize="candidates=3 max-kernel-ops=1 threads=2" \
// RUN:   | FileCheck %s --check-prefix=ONE

// CHECK: func.func @lora(
// CHECK-SAME: verdict = "proved"
// CHECK-NEXT: %[[KERNEL:.*]] = mirage_kernel.graph_defined(%arg0, %arg1, %arg2, %arg3) grid <x = {{[0-9]+}}, y = {{[0-9]+}}> :
// CHECK: mirage_block.loop
// CHECK-NEXT: mirage_block.input_iterator %{{.*}} imap <x -> 0, y -> replica> fmap <i -> 1> :
// CHECK-NEXT: mirage_block.input_iterator %{{.*}} imap <x -> replica, y -> 1> fmap <i -> 0> :
// CHECK-NEXT: mirage_block.input_iterator %{{.*}} imap <x -> replica, y -> replica> fmap <i -> 0> :
// CHECK-COUNT-3: mirage_block.matmul
// CHECK: mirage_block.output_saver
// CHECK: return %[[KERNEL]]

// CHECK: func.func @lora_candidate_1(
// CHECK-NEXT: %[[KERNEL:.*]] = mirage_kernel.graph_defined(
// CHECK: mirage_block.matmul
// CHECK: mirage_block.concat_matmul
// CHECK: mirage_block.output_saver
// CHECK: return %[[KERNEL]]

// ONE: func.func @lora(
// ONE-SAME: verdict = "proved"
// ONE-NEXT: %[[KERNEL:.*]] = mirage_kernel.graph_defined(%arg0, %arg1, %arg2, %arg3) grid <x = {{[0-9]+}}> :
// ONE: mirage_block.input_iterator %{{.*}} imap <x -> replica> : tensor<16x256xf16>
// ONE: mirage_block.input_iterator %{{.*}} imap <x -> 1> : tensor<256x4096xf16>
// ONE: mirage_block.matmul
// ONE: mirage_block.concat_matmul
// ONE: return %[[KERNEL]]
// ONE: func.func @lora_candidate_2(
// ONE-COUNT-3: mirage_block.matmul
// ONE: mirage_block.add
// ONE: mirage_block.output_saver
