// RUN: mirage-opt --mirage-construct-thread-graphs --mirage-schedule-operators %s | FileCheck %s --check-prefix=DEPTH
// RUN: mirage-opt --mirage-construct-thread-graphs --mirage-schedule-operators --mirage-plan-memory=target=sm_80 \
// RUN:   --convert-mirage-to-gpu="target=sm_80 allow-unverified" --canonicalize %s | FileCheck %s

// What is the same in each iteration (x, normalized) is computed in front of the
// loop. It takes depths behind the loads, and the others those behind it.
// DEPTH-LABEL: func.func @normalized
// DEPTH:         mirage_block.input_iterator {{.*}}mirage.depth = 0
// DEPTH:         mirage_block.input_iterator {{.*}}mirage.depth = 0
// DEPTH:         mirage_block.sum
// DEPTH-NOT:     mirage.depth
// DEPTH:         mirage_block.graph_defined{{.*}}mirage.depth = 1
// DEPTH:         mirage_block.graph_defined{{.*}}mirage.depth = 2
// DEPTH:         mirage_block.matmul {{.*}}mirage.depth = 3

// CHECK-LABEL: gpu.func @normalized_0
// CHECK:         nvvm.cp.async.wait.group
// CHECK:         gpu.barrier
// CHECK:         arith.divf
// CHECK:         gpu.barrier
// CHECK:         scf.for
// CHECK-NOT:     arith.divf
// CHECK:         nvvm.mma.sync
// CHECK-NOT:     arith.divf
// CHECK:         gpu.return
func.func @normalized(%x: tensor<16x64xf16>, %w: tensor<64x256xf16>) -> tensor<16x256xf32> {
  %z = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<16x64xf16>, tensor<64x256xf16>) -> tensor<16x256xf32> {
  ^bb0(%X: tensor<16x64xf16>, %W: tensor<64x256xf16>):
    %a = mirage_block.loop iterations 8 -> !mirage.tile<16x256xf32> {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> replica> : tensor<16x64xf16> -> !mirage.tile<16x64xf16>
      %v = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 1> : tensor<64x256xf16> -> !mirage.tile<64x32xf16>
      %s = mirage_block.sum %t dim 1 : (!mirage.tile<16x64xf16>) -> !mirage.tile<16x1xf32>
      %n = mirage_block.div %t, %s : (!mirage.tile<16x64xf16>, !mirage.tile<16x1xf32>) -> !mirage.tile<16x64xf32>
      %p = mirage_block.matmul %n, %v : (!mirage.tile<16x64xf32>, !mirage.tile<64x32xf16>) -> !mirage.tile<16x32xf32>
      mirage_block.accumulate concat %p dim 1 : !mirage.tile<16x32xf32>
    }
    mirage_block.output_saver %a omap <x -> replica> : !mirage.tile<16x256xf32> -> tensor<16x256xf32>
  }
  return %z : tensor<16x256xf32>
}
