// RUN: mirage-opt %s --mirage-keep-rows | FileCheck %s
// Again it comes to the same, whatever was planned before.
// RUN: mirage-opt %s --mirage-keep-rows --mirage-plan-memory | mirage-opt --mirage-keep-rows | FileCheck %s
// RUN: mirage-opt %s --mirage-keep-rows --mirage-plan-memory | mirage-opt --mirage-keep-rows | FileCheck %s --check-prefix=AGAIN
// AGAIN-NOT: mirage.offsets
// AGAIN-NOT: mirage.shared_bytes
// RUN: mirage-opt %s --mirage-construct-thread-graphs --mirage-keep-rows --mirage-schedule-operators --mirage-assign-layouts --mirage-plan-memory --convert-mirage-to-gpu=allow-unverified --canonicalize --cse | FileCheck %s --check-prefix=GPU

// 16 warps have a vector of 16 bytes for each lane: their sums meet in 64 bytes, which are all the shared memory. All loads come first.
// CHECK-LABEL: func.func @norm
// CHECK: grid <x = 8> {mirage.kept_rows, mirage.threads = 512 : i64}
// GPU-LABEL: gpu.func @norm_0
// GPU-SAME: known_block_size = array<i32: 512, 1, 1>
// GPU: vector.load {{.*}} vector<8xf16>
// GPU-NEXT: vector.load {{.*}} vector<8xf16>
// GPU-NEXT: arith.extf
// GPU-NOT: memref<4096xf16, #gpu.address_space<workgroup>>
// GPU-COUNT-5: gpu.shuffle
// GPU-NOT: gpu.shuffle
// GPU: memref.store {{.*}} : memref<16xf32, #gpu.address_space<workgroup>>
// GPU: gpu.barrier
// GPU-COUNT-4: vector.load {{.*}} vector<4xf32>
// GPU-NOT: gpu.barrier
// GPU: vector.store {{.*}} vector<8xf16>
// GPU: gpu.return
func.func @norm(%x: tensor<8x4096xf16>, %g: tensor<4096xf16>) -> tensor<8x4096xf16> {
  %r = mirage_kernel.graph_defined (%x, %g) grid <x = 8> : (tensor<8x4096xf16>, tensor<4096xf16>) -> tensor<8x4096xf16> {
  ^bb0(%X: tensor<8x4096xf16>, %G: tensor<4096xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x4096xf16> -> !mirage.tile<1x4096xf16>
    %gt = mirage_block.input_iterator %G imap <x -> replica> : tensor<4096xf16> -> !mirage.tile<4096xf16>
    %q = mirage_block.sqr %xt : (!mirage.tile<1x4096xf16>) -> !mirage.tile<1x4096xf32>
    %s = mirage_block.sum %q dim 1 : (!mirage.tile<1x4096xf32>) -> !mirage.tile<1x1xf32>
    %m = mirage_block.sqrt %s : (!mirage.tile<1x1xf32>) -> !mirage.tile<1x1xf32>
    %d = mirage_block.div %xt, %m : (!mirage.tile<1x4096xf16>, !mirage.tile<1x1xf32>) -> !mirage.tile<1x4096xf32>
    %o = mirage_block.mul %d, %gt : (!mirage.tile<1x4096xf32>, !mirage.tile<4096xf16>) -> !mirage.tile<1x4096xf32>
    mirage_block.output_saver %o omap <x -> 0> : !mirage.tile<1x4096xf32> -> tensor<8x4096xf16>
  }
  return %r : tensor<8x4096xf16>
}

// Eight lanes have a row: no barrier at all. 96 columns are twelve vectors.
// CHECK-LABEL: func.func @short
// CHECK: grid <x = 2> {mirage.kept_rows, mirage.threads = 64 : i64}
// GPU-LABEL: gpu.func @short_0
// GPU-NOT: gpu.barrier
// GPU-COUNT-8: gpu.shuffle
// GPU-NOT: gpu.shuffle
// GPU-NOT: gpu.barrier
// GPU: gpu.return
func.func @short(%x: tensor<8x96xf16>) -> (tensor<8x1xf32>, tensor<8x1xf32>) {
  %r:2 = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x96xf16>) -> (tensor<8x1xf32>, tensor<8x1xf32>) {
  ^bb0(%X: tensor<8x96xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x96xf16> -> !mirage.tile<4x96xf16>
    %s = mirage_block.sum %xt dim 1 : (!mirage.tile<4x96xf16>) -> !mirage.tile<4x1xf32>
    %m = mirage_block.reduce_max %xt dim 1 : (!mirage.tile<4x96xf16>) -> !mirage.tile<4x1xf32>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<4x1xf32> -> tensor<8x1xf32>
    mirage_block.output_saver %m omap <x -> 0> : !mirage.tile<4x1xf32> -> tensor<8x1xf32>
  }
  return %r#0, %r#1 : tensor<8x1xf32>, tensor<8x1xf32>
}

// A kernel that says how many threads it has keeps them.
// CHECK-LABEL: func.func @threads
// CHECK-NOT: mirage.kept_rows
func.func @threads(%x: tensor<8x4096xf16>) -> tensor<8x4096xf16> {
  %r = mirage_kernel.graph_defined (%x) grid <x = 8> {mirage.threads = 128 : i64} : (tensor<8x4096xf16>) -> tensor<8x4096xf16> {
  ^bb0(%X: tensor<8x4096xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x4096xf16> -> !mirage.tile<1x4096xf16>
    %q = mirage_block.sqr %xt : (!mirage.tile<1x4096xf16>) -> !mirage.tile<1x4096xf32>
    mirage_block.output_saver %q omap <x -> 0> : !mirage.tile<1x4096xf32> -> tensor<8x4096xf16>
  }
  return %r : tensor<8x4096xf16>
}

// Nor is anything kept of columns, of loops, and of what each row has an element of.
// CHECK-LABEL: func.func @columns
// CHECK-NOT: mirage.kept_rows
func.func @columns(%x: tensor<8x64xf16>) -> tensor<1x64xf32> {
  %r = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8x64xf16>) -> tensor<1x64xf32> {
  ^bb0(%X: tensor<8x64xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<8x64xf16> -> !mirage.tile<8x64xf16>
    %s = mirage_block.sum %xt dim 0 : (!mirage.tile<8x64xf16>) -> !mirage.tile<1x64xf32>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<1x64xf32> -> tensor<1x64xf32>
  }
  return %r : tensor<1x64xf32>
}

// CHECK-LABEL: func.func @loop
// CHECK-NOT: mirage.kept_rows
func.func @loop(%x: tensor<8x64xf16>) -> tensor<8x16xf32> {
  %r = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8x64xf16>) -> tensor<8x16xf32> {
  ^bb0(%X: tensor<8x64xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<8x16xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x64xf16> -> !mirage.tile<8x16xf16>
      mirage_block.accumulate sum %xt : !mirage.tile<8x16xf16>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<8x16xf32> -> tensor<8x16xf32>
  }
  return %r : tensor<8x16xf32>
}

// CHECK-LABEL: func.func @scaled
// CHECK-NOT: mirage.kept_rows
func.func @scaled(%x: tensor<8x64xf16>, %y: tensor<8x1xf16>) -> tensor<8x64xf16> {
  %r = mirage_kernel.graph_defined (%x, %y) grid <x = 1> : (tensor<8x64xf16>, tensor<8x1xf16>) -> tensor<8x64xf16> {
  ^bb0(%X: tensor<8x64xf16>, %Y: tensor<8x1xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<8x64xf16> -> !mirage.tile<8x64xf16>
    %yt = mirage_block.input_iterator %Y imap <x -> replica> : tensor<8x1xf16> -> !mirage.tile<8x1xf16>
    %m = mirage_block.mul %xt, %yt : (!mirage.tile<8x64xf16>, !mirage.tile<8x1xf16>) -> !mirage.tile<8x64xf16>
    mirage_block.output_saver %m omap <x -> 0> : !mirage.tile<8x64xf16> -> tensor<8x64xf16>
  }
  return %r : tensor<8x64xf16>
}

// Marks of what can't be kept go, and depths of what can be.
// CHECK-LABEL: func.func @marked
// CHECK-NOT: mirage.kept_rows
func.func @marked(%x: tensor<8x64xf16>) -> tensor<1x64xf32> {
  %r = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.kept_rows} : (tensor<8x64xf16>) -> tensor<1x64xf32> {
  ^bb0(%X: tensor<8x64xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<8x64xf16> -> !mirage.tile<8x64xf16>
    %s = mirage_block.sum %xt dim 0 : (!mirage.tile<8x64xf16>) -> !mirage.tile<1x64xf32>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<1x64xf32> -> tensor<1x64xf32>
  }
  return %r : tensor<1x64xf32>
}

// CHECK-LABEL: func.func @scheduled
// CHECK: mirage.kept_rows
// CHECK-NOT: mirage.depth
// CHECK: return
func.func @scheduled(%x: tensor<8x64xf16>) -> tensor<8x64xf16> {
  %r = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8x64xf16>) -> tensor<8x64xf16> {
  ^bb0(%X: tensor<8x64xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> {mirage.depth = 0 : i64} : tensor<8x64xf16> -> !mirage.tile<8x64xf16>
    %s = mirage_block.sqr %xt {mirage.depth = 1 : i64} : (!mirage.tile<8x64xf16>) -> !mirage.tile<8x64xf32>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<8x64xf32> -> tensor<8x64xf16>
  }
  return %r : tensor<8x64xf16>
}

// A part of a tensor whose rows begin within sectors; one whose rows don't.
// CHECK-LABEL: func.func @parts
// CHECK: grid <x = 1>
// CHECK-NOT: mirage.kept_rows
// CHECK: grid <x = 1> {mirage.kept_rows
func.func @parts(%x: tensor<4x100xf16>, %y: tensor<4x128xf16>) -> (tensor<4x64xf16>, tensor<4x64xf16>) {
  %p = mirage_kernel.slice %x dim 1 offset 4 size 64 : (tensor<4x100xf16>) -> tensor<4x64xf16>
  %q = mirage_kernel.slice %y dim 1 offset 64 size 64 : (tensor<4x128xf16>) -> tensor<4x64xf16>
  %r = mirage_kernel.graph_defined (%p) grid <x = 1> : (tensor<4x64xf16>) -> tensor<4x64xf16> {
  ^bb0(%X: tensor<4x64xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x64xf16> -> !mirage.tile<4x64xf16>
    %s = mirage_block.sqr %xt : (!mirage.tile<4x64xf16>) -> !mirage.tile<4x64xf32>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<4x64xf32> -> tensor<4x64xf16>
  }
  %t = mirage_kernel.graph_defined (%q) grid <x = 1> : (tensor<4x64xf16>) -> tensor<4x64xf16> {
  ^bb0(%X: tensor<4x64xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x64xf16> -> !mirage.tile<4x64xf16>
    %s = mirage_block.sqr %xt : (!mirage.tile<4x64xf16>) -> !mirage.tile<4x64xf32>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<4x64xf32> -> tensor<4x64xf16>
  }
  return %r, %t : tensor<4x64xf16>, tensor<4x64xf16>
}
