// Four warps have parts of a chain. Behind the loop each writes what it has, adds up every fourth tile of 8 columns of all parts, and writes that where
// the first one reads it.

// RUN: mirage-opt %s --mirage-lower-mugraphs="target=sm_80 compile-to=gpu" | FileCheck %s
// CHECK-LABEL: gpu.func @squares_0
// CHECK:       scf.for {{.*}} iter_args
// CHECK:       gpu.barrier
// CHECK:       vector.store {{.*}}, %[[PARTS:view_[0-9]*]][
// CHECK-COUNT-7: vector.store {{.*}}, %[[PARTS]][
// CHECK-NEXT:  gpu.barrier
// CHECK:       scf.for %{{.*}} = %{{.*}} to %c8{{[_0-9]*}} step %c4{{[_0-9]*}} {
// CHECK-COUNT-4: vector.load %[[PARTS]][
// CHECK-NOT:   vector.load
// CHECK:       vector.store {{.*}}, %[[PARTS]][
// CHECK:       gpu.barrier
// CHECK:       scf.if %{{.*}} -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
// CHECK-COUNT-8: vector.load %[[PARTS]][
// CHECK:       } else {

// Of eight rows a lane has one, half of a fragment, its maximum, once more as the sums', and its sum: four parts' are read, and rescaled by an exponential each.
// CHECK-LABEL: gpu.func @attention_0
// CHECK:       scf.for {{.*}} iter_args
// CHECK:       vector.store {{.*}}, %[[PARTS:view_[0-9]*]][{{.*}}, vector<2xf32>
// CHECK-COUNT-7: vector.store {{.*}}, %[[PARTS]][{{.*}}, vector<2xf32>
// CHECK-COUNT-3: memref.store {{.*}}, %[[PARTS]][
// CHECK:       gpu.barrier
// CHECK-COUNT-12: memref.load %[[PARTS]][
// CHECK-NOT:   memref.load
// CHECK-COUNT-4: math.exp
// CHECK-NOT:   math.exp
// CHECK:       scf.for %{{.*}} = %{{.*}} to %c8{{[_0-9]*}} step %c4{{[_0-9]*}} {
// CHECK-COUNT-4: vector.load %[[PARTS]][
// CHECK:       vector.store {{.*}}, %[[PARTS]][
// CHECK:       gpu.barrier
// CHECK:       scf.if %{{.*}} -> (vector<2xf32>,

func.func @squares(%q: tensor<16x64xf16>, %k: tensor<64x256xf16>, %v: tensor<256x64xf16>) -> tensor<16x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> {mirage.scheduled} : (tensor<16x64xf16>, tensor<64x256xf16>, tensor<256x64xf16>) -> tensor<16x64xf32> {
  ^bb0(%Q: tensor<16x64xf16>, %K: tensor<64x256xf16>, %V: tensor<256x64xf16>):
    %t = mirage_block.loop iterations 4 -> !mirage.tile<16x64xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<16x64xf16> -> !mirage.tile<16x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x256xf16> -> !mirage.tile<64x64xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<256x64xf16> -> !mirage.tile<64x64xf16>
      %s = mirage_block.matmul %qt, %kt : (!mirage.tile<16x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<16x64xf32>
      %e = mirage_block.sqr %s : (!mirage.tile<16x64xf32>) -> !mirage.tile<16x64xf16>
      %o = mirage_block.matmul %e, %vt : (!mirage.tile<16x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<16x64xf32>
      mirage_block.accumulate sum %o : !mirage.tile<16x64xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<16x64xf32> -> tensor<16x64xf32>
  }
  return %r : tensor<16x64xf32>
}

func.func @attention(%q: tensor<8x64xf16>, %k: tensor<64x256xf16>, %v: tensor<256x64xf16>) -> tensor<8x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> {mirage.scheduled} : (tensor<8x64xf16>, tensor<64x256xf16>, tensor<256x64xf16>) -> tensor<8x64xf32> {
  ^bb0(%Q: tensor<8x64xf16>, %K: tensor<64x256xf16>, %V: tensor<256x64xf16>):
    %o:3 = mirage_block.loop iterations 4 -> !mirage.tile<8x1xf32>, !mirage.tile<8x1xf32>, !mirage.tile<8x64xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<8x64xf16> -> !mirage.tile<8x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x256xf16> -> !mirage.tile<64x64xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<256x64xf16> -> !mirage.tile<64x64xf16>
      %s = mirage_block.matmul %qt, %kt : (!mirage.tile<8x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<8x64xf32>
      %m = mirage_block.reduce_max %s dim 1 : (!mirage.tile<8x64xf32>) -> !mirage.tile<8x1xf32>
      %d = mirage_block.sub %s, %m : (!mirage.tile<8x64xf32>, !mirage.tile<8x1xf32>) -> !mirage.tile<8x64xf32>
      %e = mirage_block.exp %d : (!mirage.tile<8x64xf32>) -> !mirage.tile<8x64xf32>
      %l = mirage_block.sum %e dim 1 : (!mirage.tile<8x64xf32>) -> !mirage.tile<8x1xf32>
      %p = mirage_block.matmul %e, %vt : (!mirage.tile<8x64xf32>, !mirage.tile<64x64xf16>) -> !mirage.tile<8x64xf32>
      mirage_block.accumulate max %m, rescaled_sum %l by %m, rescaled_sum %p by %m : !mirage.tile<8x1xf32>, !mirage.tile<8x1xf32> by !mirage.tile<8x1xf32>, !mirage.tile<8x64xf32> by !mirage.tile<8x1xf32>
    }
    %z = mirage_block.div %o#2, %o#1 : (!mirage.tile<8x64xf32>, !mirage.tile<8x1xf32>) -> !mirage.tile<8x64xf32>
    mirage_block.output_saver %z omap <x -> 0> : !mirage.tile<8x64xf32> -> tensor<8x64xf32>
  }
  return %r : tensor<8x64xf32>
}
