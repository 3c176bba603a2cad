// How threads share sums and maxima.

// RUN: mirage-opt --convert-mirage-to-gpu="target=sm_80 threads=128 allow-unverified" --canonicalize --cse %s | FileCheck %s

// Eight lanes for each row of 128 f32: 16 rows at a time, so that a thread reads
// four vectors of each of four rows. All shuffles of one distance come
// together.
// CHECK-LABEL: gpu.func @many_rows_0(
// CHECK:          gpu.barrier
// CHECK-NOT:      scf.for
// CHECK-COUNT-16: vector.load {{.*}} : memref<8192xf32, #gpu.address_space<workgroup>>, vector<4xf32>
// CHECK-NOT:      vector.load
// CHECK-COUNT-4:  gpu.shuffle  xor %{{.*}}, %c4_i32, %c32_i32 : f32
// CHECK-COUNT-4:  gpu.shuffle  xor %{{.*}}, %c2_i32, %c32_i32 : f32
// CHECK-COUNT-4:  gpu.shuffle  xor %{{.*}}, %c1_i32, %c32_i32 : f32
// CHECK-NOT:      gpu.shuffle
// CHECK-COUNT-4:  memref.store
// CHECK:          gpu.return
func.func @many_rows(%x: tensor<64x128xf32>) -> tensor<64x1xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<64x128xf32>) -> tensor<64x1xf32> {
  ^bb0(%X: tensor<64x128xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<64x128xf32> -> !mirage.tile<64x128xf32>
    %m = mirage_block.reduce_max %t dim 1 : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x1xf32>
    mirage_block.output_saver %m omap <x -> replica> : !mirage.tile<64x1xf32> -> tensor<64x1xf32>
  }
  return %z : tensor<64x1xf32>
}

// All four warps share a row of 4096 f16, and meet in shared memory; one thread
// has the result.
// CHECK-LABEL: gpu.func @one_row_0(
// CHECK:         %[[THREAD:.*]] = gpu.thread_id  x
// CHECK:         gpu.barrier
// CHECK-COUNT-4: vector.load {{.*}}, vector<8xf16>
// CHECK-NOT:     vector.load
// CHECK-COUNT-5: gpu.shuffle
// CHECK:         %[[PARTS:.*]] = memref.view {{.*}} to memref<4xf32, #gpu.address_space<workgroup>>
// CHECK:         scf.if
// CHECK:           memref.store %{{.*}}, %[[PARTS]]
// CHECK:         gpu.barrier
// CHECK:         vector.load %[[PARTS]]{{.*}}, vector<4xf32>
// CHECK-COUNT-3: arith.addf {{.*}} : f32
// CHECK:         scf.if
// CHECK-NEXT:      memref.store %{{.*}}, %reinterpret_cast
// CHECK:         gpu.return
func.func @one_row(%x: tensor<1x4096xf16>) -> tensor<1x1xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<1x4096xf16>) -> tensor<1x1xf32> {
  ^bb0(%X: tensor<1x4096xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<1x4096xf16> -> !mirage.tile<1x4096xf16>
    %s = mirage_block.sum %t dim 1 : (!mirage.tile<1x4096xf16>) -> !mirage.tile<1x1xf32>
    mirage_block.output_saver %s omap <x -> replica> : !mirage.tile<1x1xf32> -> tensor<1x1xf32>
  }
  return %z : tensor<1x1xf32>
}

// A warp for each row of 77; lanes for which nothing is left in the last round
// read its end, for nothing. The fifth row is one warp's.
// CHECK-LABEL: gpu.func @odd_0(
// CHECK:         gpu.barrier
// CHECK:         %[[PART:.*]] = arith.remui %{{.*}}, %c32
// CHECK-COUNT-2: memref.load {{.*}} : memref<385xf32, #gpu.address_space<workgroup>>
// CHECK:         %[[LAST:.*]] = arith.addi %[[PART]], %c64
// CHECK:         %[[IS_MINE:.*]] = arith.cmpi ult, %[[LAST]], %c77
// CHECK:         arith.minui %[[LAST]], %c76
// CHECK:         memref.load
// CHECK:         arith.select %[[IS_MINE]]
// CHECK-COUNT-5: gpu.shuffle
// CHECK:         scf.if
// CHECK:           memref.store
// CHECK:         scf.if
// CHECK-COUNT-5:   gpu.shuffle
// CHECK:         gpu.return
func.func @odd(%x: tensor<5x77xf32>) -> tensor<5x1xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<5x77xf32>) -> tensor<5x1xf32> {
  ^bb0(%X: tensor<5x77xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<5x77xf32> -> !mirage.tile<5x77xf32>
    %s = mirage_block.sum %t dim 1 : (!mirage.tile<5x77xf32>) -> !mirage.tile<5x1xf32>
    mirage_block.output_saver %s omap <x -> replica> : !mirage.tile<5x1xf32> -> tensor<5x1xf32>
  }
  return %z : tensor<5x1xf32>
}

// The columns of a transposed tile are rows of memory.
// CHECK-LABEL: gpu.func @transposed_0(
// CHECK:         gpu.barrier
// CHECK-COUNT-4: vector.load {{.*}}, vector<8xf16>
// CHECK-NOT:     memref.load
// CHECK:         gpu.return
func.func @transposed(%x: tensor<64x64xf16>) -> tensor<1x64xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<64x64xf16>) -> tensor<1x64xf32> {
  ^bb0(%X: tensor<64x64xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
    %u = mirage_block.transpose %t permutation [1, 0] : (!mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf16>
    %s = mirage_block.sum %u dim 0 : (!mirage.tile<64x64xf16>) -> !mirage.tile<1x64xf32>
    mirage_block.output_saver %s omap <x -> replica> : !mirage.tile<1x64xf32> -> tensor<1x64xf32>
  }
  return %z : tensor<1x64xf32>
}

// The row, and 16 bytes to meet in.
// CHECK-LABEL: func.func @one_row(
// CHECK:         arith.constant 8208 : i32
