// RUN: mirage-opt --mirage-schedule-operators --mirage-plan-memory=max-stages=2 %s | FileCheck %s
// RUN: mirage-opt --mirage-plan-memory=max-stages=2 --mirage-schedule-operators --mirage-plan-memory=max-stages=2 %s | FileCheck %s
// RUN: mirage-opt --mirage-schedule-operators --mirage-plan-memory=max-stages=2 --convert-mirage-to-gpu="threads=64 allow-unverified" --canonicalize %s | FileCheck %s --check-prefix=GPU

// The accumulator lives as long as the loop. Of the loop's four tiles never more
// than two are in use: the first and the third share bytes, and so do the second and
// the fourth. The fourth, which the last depth reads, keeps away from the first, which
// the first depth stores, and so no barrier ends an iteration: there is one in
// front of the loop, four between depths, and one behind the loop. Rows of 14 bytes
// aren't loaded ahead.
// CHECK-LABEL: func.func @chain
// CHECK:       mirage_kernel.graph_defined{{.*}} {mirage.shared_bytes = 336 : i64
// CHECK:         mirage_block.loop {{.*}}mirage.offsets = array<i64: [[ACC:[0-9]+]]>
// CHECK-NEXT:      mirage_block.input_iterator {{.*}}mirage.offsets = array<i64: [[ODD:[0-9]+]]>
// CHECK-NEXT:      mirage_block.matmul {{.*}}mirage.offsets = array<i64: [[EVEN:[0-9]+]]>
// CHECK-NEXT:      mirage_block.tanh {{.*}}mirage.offsets = array<i64: [[ODD]]>
// CHECK-NEXT:      mirage_block.matmul {{.*}}mirage.offsets = array<i64: [[EVEN]]>
// CHECK-NEXT:      mirage_block.tanh
// CHECK-NOT:       mirage.offsets
// CHECK:         return

// GPU-LABEL: gpu.func @chain_0
// GPU-COUNT-6: gpu.barrier
// GPU-NOT:   gpu.barrier
// GPU:       gpu.return
func.func @chain(%x: tensor<7x28xf16>) -> tensor<7x7xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<7x28xf16>) -> tensor<7x7xf16> {
  ^bb0(%X: tensor<7x28xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<7x7xf16> {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<7x28xf16> -> !mirage.tile<7x7xf16>
      %u = mirage_block.matmul %t, %t : (!mirage.tile<7x7xf16>, !mirage.tile<7x7xf16>) -> !mirage.tile<7x7xf16>
      %v = mirage_block.tanh %u : (!mirage.tile<7x7xf16>) -> !mirage.tile<7x7xf16>
      %w = mirage_block.matmul %v, %v : (!mirage.tile<7x7xf16>, !mirage.tile<7x7xf16>) -> !mirage.tile<7x7xf16>
      %y = mirage_block.tanh %w : (!mirage.tile<7x7xf16>) -> !mirage.tile<7x7xf16>
      mirage_block.accumulate sum %y : !mirage.tile<7x7xf16>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<7x7xf16> -> tensor<7x7xf16>
  }
  return %z : tensor<7x7xf16>
}

// Here the third tile is the one that the last depth reads. To share the first's
// place would save 112 bytes and cost a barrier: it does not.
// CHECK-LABEL: func.func @barrier_saved
// CHECK:       mirage_kernel.graph_defined{{.*}} {mirage.shared_bytes = 448 : i64
// GPU-LABEL: gpu.func @barrier_saved_0
// GPU-COUNT-5: gpu.barrier
// GPU-NOT:   gpu.barrier
// GPU:       gpu.return
func.func @barrier_saved(%x: tensor<7x28xf16>) -> tensor<7x7xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<7x28xf16>) -> tensor<7x7xf16> {
  ^bb0(%X: tensor<7x28xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<7x7xf16> {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<7x28xf16> -> !mirage.tile<7x7xf16>
      %u = mirage_block.matmul %t, %t : (!mirage.tile<7x7xf16>, !mirage.tile<7x7xf16>) -> !mirage.tile<7x7xf16>
      %v = mirage_block.tanh %u : (!mirage.tile<7x7xf16>) -> !mirage.tile<7x7xf16>
      %w = mirage_block.matmul %v, %v : (!mirage.tile<7x7xf16>, !mirage.tile<7x7xf16>) -> !mirage.tile<7x7xf16>
      mirage_block.accumulate max %w : !mirage.tile<7x7xf16>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<7x7xf16> -> tensor<7x7xf16>
  }
  return %z : tensor<7x7xf16>
}

// Larger ones would not fit without sharing it: now a barrier ends an iteration.
// CHECK-LABEL: func.func @barrier_spent
// CHECK:       mirage_kernel.graph_defined{{.*}} {mirage.shared_bytes = 196608 : i64
// GPU-LABEL: gpu.func @barrier_spent_0
// GPU-COUNT-6: gpu.barrier
// GPU-NOT:   gpu.barrier
// GPU:       gpu.return
func.func @barrier_spent(%x: tensor<181x724xf16>) -> tensor<181x181xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<181x724xf16>) -> tensor<181x181xf16> {
  ^bb0(%X: tensor<181x724xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<181x181xf16> {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<181x724xf16> -> !mirage.tile<181x181xf16>
      %u = mirage_block.matmul %t, %t : (!mirage.tile<181x181xf16>, !mirage.tile<181x181xf16>) -> !mirage.tile<181x181xf16>
      %v = mirage_block.tanh %u : (!mirage.tile<181x181xf16>) -> !mirage.tile<181x181xf16>
      %w = mirage_block.matmul %v, %v : (!mirage.tile<181x181xf16>, !mirage.tile<181x181xf16>) -> !mirage.tile<181x181xf16>
      mirage_block.accumulate max %w : !mirage.tile<181x181xf16>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<181x181xf16> -> tensor<181x181xf16>
  }
  return %z : tensor<181x181xf16>
}

// The tile of two stages takes 512 bytes and shares them with nothing in the loop,
// but with tiles behind it. The running maximum is the third place of the
// accumulators, behind those of the op's results (none). Behind the loop only the sum is needed.
// CHECK-LABEL: func.func @pipelined
// CHECK:       mirage_kernel.graph_defined{{.*}} {mirage.shared_bytes = 896 : i64
// CHECK:         mirage_block.loop {{.*}}mirage.offsets = array<i64: {{[0-9]+}}>
// CHECK:           mirage_block.input_iterator {{.*}}mirage.offsets = array<i64: {{[0-9]+}}>, mirage.stages = 2 : i64
// CHECK:           mirage_block.reduce_max {{.*}}mirage.offsets = array<i64: {{[0-9]+}}>
// CHECK:           mirage_block.accumulate {{.*}}mirage.offsets = array<i64: {{[0-9]+}}>
// CHECK:         mirage_block.matmul {{.*}}mirage.offsets = array<i64: {{[0-9]+}}>
func.func @pipelined(%x: tensor<8x32xf32>) -> tensor<8x8xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8x32xf32>) -> tensor<8x8xf32> {
  ^bb0(%X: tensor<8x32xf32>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<8x8xf32> {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1>  : tensor<8x32xf32> -> !mirage.tile<8x8xf32>
      %m = mirage_block.reduce_max %t dim 1 : (!mirage.tile<8x8xf32>) -> !mirage.tile<8x1xf32>
      mirage_block.accumulate rescaled_sum %t by %m : !mirage.tile<8x8xf32> by !mirage.tile<8x1xf32>
    }
    %u = mirage_block.matmul %a, %a : (!mirage.tile<8x8xf32>, !mirage.tile<8x8xf32>) -> !mirage.tile<8x8xf32>
    %v = mirage_block.tanh %u : (!mirage.tile<8x8xf32>) -> !mirage.tile<8x8xf32>
    mirage_block.output_saver %v omap <x -> 0> : !mirage.tile<8x8xf32> -> tensor<8x8xf32>
  }
  return %z : tensor<8x8xf32>
}

// What a layout and an operator ask for: 1024 bytes for a tile of 256, at a
// multiple of 1024, and 64 bytes while the product runs.
// CHECK-LABEL: func.func @asked_for
// CHECK:       mirage_kernel.graph_defined{{.*}} {mirage.shared_bytes = 1344 : i64
// CHECK:         mirage_block.input_iterator {{.*}}mirage.offsets = array<i64: {{0|1024}}>
// CHECK:         mirage_block.matmul {{.*}}mirage.offsets = array<i64: {{[0-9]+}}, {{[0-9]+}}>
func.func @asked_for(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8x8xf32>) -> tensor<8x8xf32> {
  ^bb0(%X: tensor<8x8xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.tile_bytes = array<i64: 1000>, mirage.tile_alignments = array<i64: 1024>} : tensor<8x8xf32> -> !mirage.tile<8x8xf32>
    %p = mirage_block.matmul %t, %t {mirage.scratch_bytes = 64 : i64} : (!mirage.tile<8x8xf32>, !mirage.tile<8x8xf32>) -> !mirage.tile<8x8xf32>
    %v = mirage_block.transpose %p permutation [1, 0] : (!mirage.tile<8x8xf32>) -> !mirage.tile<8x8xf32>
    mirage_block.output_saver %v omap <x -> 0> : !mirage.tile<8x8xf32> -> tensor<8x8xf32>
  }
  return %z : tensor<8x8xf32>
}

// Two loops at one depth have no barrier in between, and their tiles keep apart:
// 512 bytes for each, of two stages, and 256 for its sum. What is loaded before a loop and not read behind
// it shares bytes with the loop's.
// CHECK-LABEL: func.func @two_loops
// CHECK:       mirage_kernel.graph_defined{{.*}} {mirage.shared_bytes = 1536 : i64
func.func @two_loops(%x: tensor<8x32xf32>) -> tensor<8x8xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8x32xf32>) -> tensor<8x8xf32> {
  ^bb0(%X: tensor<8x32xf32>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<8x8xf32> {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x32xf32> -> !mirage.tile<8x8xf32>
      %u = mirage_block.transpose %t permutation [1, 0] : (!mirage.tile<8x8xf32>) -> !mirage.tile<8x8xf32>
      mirage_block.accumulate sum %u : !mirage.tile<8x8xf32>
    }
    %b = mirage_block.loop iterations 4 -> !mirage.tile<8x8xf32> {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x32xf32> -> !mirage.tile<8x8xf32>
      %u = mirage_block.transpose %t permutation [1, 0] : (!mirage.tile<8x8xf32>) -> !mirage.tile<8x8xf32>
      mirage_block.accumulate max %u : !mirage.tile<8x8xf32>
    }
    %c = mirage_block.sub %a, %b : (!mirage.tile<8x8xf32>, !mirage.tile<8x8xf32>) -> !mirage.tile<8x8xf32>
    mirage_block.output_saver %c omap <x -> 0> : !mirage.tile<8x8xf32> -> tensor<8x8xf32>
  }
  return %z : tensor<8x8xf32>
}

// Padding for which there is no room is given up.
// CHECK-LABEL: func.func @padding
// CHECK:         mirage.shared_bytes = 192000 : i64
// CHECK:         mirage_block.input_iterator {{.*}}mirage.layouts = ["row_major"]
func.func @padding(%x: tensor<6000x16xf16>) -> tensor<6000x16xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<6000x16xf16>) -> tensor<6000x16xf16> {
  ^bb0(%X: tensor<6000x16xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.layouts = ["padded_16"]} : tensor<6000x16xf16> -> !mirage.tile<6000x16xf16>
    %e = mirage_block.exp %t : (!mirage.tile<6000x16xf16>) -> !mirage.tile<6000x16xf32>
    mirage_block.output_saver %e omap <x -> replica> : !mirage.tile<6000x16xf32> -> tensor<6000x16xf16>
  }
  return %z : tensor<6000x16xf16>
}

// Without it loads run ahead as far as there is room then.
// CHECK-LABEL: func.func @padding_of_stages
// CHECK:         mirage_block.input_iterator {{.*}}mirage.layouts = ["row_major"]
// CHECK:         mirage_block.input_iterator {{.*}}mirage.stages = 2
func.func @padding_of_stages(%x: tensor<256x16xf16>, %y: tensor<5000x16xf16>) -> tensor<1x16xf32> {
  %z = mirage_kernel.graph_defined (%x, %y) grid <x = 1> : (tensor<256x16xf16>, tensor<5000x16xf16>) -> tensor<1x16xf32> {
  ^bb0(%X: tensor<256x16xf16>, %Y: tensor<5000x16xf16>):
    %u = mirage_block.input_iterator %Y imap <x -> replica> {mirage.layouts = ["padded_16"]} : tensor<5000x16xf16> -> !mirage.tile<5000x16xf16>
    %s = mirage_block.loop iterations 4 -> !mirage.tile<1x16xf32> {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 0> : tensor<256x16xf16> -> !mirage.tile<64x16xf16>
      %a = mirage_block.sum %t dim 0 : (!mirage.tile<64x16xf16>) -> !mirage.tile<1x16xf32>
      mirage_block.accumulate sum %a : !mirage.tile<1x16xf32>
    }
    %v = mirage_block.sum %u dim 0 : (!mirage.tile<5000x16xf16>) -> !mirage.tile<1x16xf32>
    %w = mirage_block.add %s, %v : (!mirage.tile<1x16xf32>, !mirage.tile<1x16xf32>) -> !mirage.tile<1x16xf32>
    mirage_block.output_saver %w omap <x -> replica> : !mirage.tile<1x16xf32> -> tensor<1x16xf32>
  }
  return %z : tensor<1x16xf32>
}
