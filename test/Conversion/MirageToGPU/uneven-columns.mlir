// RUN: mirage-opt --mirage-schedule-operators=threads=64 --convert-mirage-to-gpu="target=sm_80 allow-unverified" --canonicalize %s | FileCheck %s

// Of 74 columns the last 32 begin at the 42nd: what is computed in vectors of four elements is stored in pairs, as rows are aligned,
// and copied in pieces of two.
// CHECK-LABEL: gpu.func @rows_0(
// CHECK: arith.minui %{{.*}}, %c42
// CHECK: nvgpu.device_async_copy %{{.*}}, 2 : memref<592xf16>
// CHECK: vector<4xf16>
// CHECK-COUNT-2: vector.store %{{.*}} : memref<592xf16>, vector<2xf16>
// CHECK-NOT: {{memref.store|vector.store}}
// CHECK: gpu.return
func.func @rows(%x: tensor<8x74xf16>) -> tensor<8x74xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 3> : (tensor<8x74xf16>) -> tensor<8x74xf16> {
  ^bb0(%X: tensor<8x74xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> 1> : tensor<8x74xf16> -> !mirage.tile<8x32xf16>
    %e = mirage_block.exp %xt : (!mirage.tile<8x32xf16>) -> !mirage.tile<8x32xf16>
    mirage_block.output_saver %e omap <x -> 1> : !mirage.tile<8x32xf16> -> tensor<8x74xf16>
  }
  return %z : tensor<8x74xf16>
}

// A vector has no rows, but the last 1008 of 3010 elements begin at the 2002nd.
// CHECK-LABEL: gpu.func @vectors_0(
// CHECK: vector.load %{{.*}} : memref<3010xf16>, vector<2xf16>
// CHECK: vector.store %{{.*}} : memref<3010xf16>, vector<2xf16>
// CHECK-NOT: {{memref.store|vector<[348]xf16>}}
// CHECK: gpu.return
func.func @vectors(%x: tensor<3010xf16>) -> tensor<3010xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 3> : (tensor<3010xf16>) -> tensor<3010xf16> {
  ^bb0(%X: tensor<3010xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> 0> : tensor<3010xf16> -> !mirage.tile<1008xf16>
    mirage_block.output_saver %xt omap <x -> 0> : !mirage.tile<1008xf16> -> tensor<3010xf16>
  }
  return %z : tensor<3010xf16>
}
