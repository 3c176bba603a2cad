// RUN: mirage-opt --mirage-construct-thread-graphs --convert-mirage-to-gpu="target=sm_80 allow-unverified" %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mirage-opt --mirage-gpu-to-ptx="chip=sm_80" %t.mlir | FileCheck %s --check-prefix=PTX

// A product and a sum of it are one instruction, and rounded once.
// CHECK-LABEL: gpu.func @scaled_0
// CHECK: arith.mulf {{.*}} fastmath<contract>
// CHECK: arith.addf {{.*}} fastmath<contract>
// PTX-LABEL: .entry scaled_0
// PTX-NOT: mul.rn.f32
// PTX: fma.rn.f32
// PTX-NOT: mul.rn.f32
func.func @scaled(%x: tensor<64xf16>, %y: tensor<64xf16>, %z: tensor<64xf16>) -> tensor<64xf16> {
  %o = mirage_kernel.graph_defined (%x, %y, %z) grid <x = 1> : (tensor<64xf16>, tensor<64xf16>, tensor<64xf16>) -> tensor<64xf16> {
  ^bb0(%X: tensor<64xf16>, %Y: tensor<64xf16>, %Z: tensor<64xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<64xf16> -> !mirage.tile<64xf16>
    %yt = mirage_block.input_iterator %Y imap <x -> replica> : tensor<64xf16> -> !mirage.tile<64xf16>
    %zt = mirage_block.input_iterator %Z imap <x -> replica> : tensor<64xf16> -> !mirage.tile<64xf16>
    %m = mirage_block.mul %xt, %yt : (!mirage.tile<64xf16>, !mirage.tile<64xf16>) -> !mirage.tile<64xf32>
    %s = mirage_block.add %m, %zt : (!mirage.tile<64xf32>, !mirage.tile<64xf16>) -> !mirage.tile<64xf32>
    mirage_block.output_saver %s omap <x -> replica> : !mirage.tile<64xf32> -> tensor<64xf16>
  }
  return %o : tensor<64xf16>
}

// A difference of equal products is 0: it is none of them as it is.
// CHECK-LABEL: gpu.func @apart_0
// CHECK: arith.subf %{{[0-9]+}}, %{{[0-9]+}} : f32
// PTX-LABEL: .entry apart_0
// PTX-NOT: fma.rn.f32
// PTX: ret;
func.func @apart(%x: tensor<64xf16>, %y: tensor<64xf16>) -> tensor<64xf16> {
  %o = mirage_kernel.graph_defined (%x, %y) grid <x = 1> : (tensor<64xf16>, tensor<64xf16>) -> tensor<64xf16> {
  ^bb0(%X: tensor<64xf16>, %Y: tensor<64xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<64xf16> -> !mirage.tile<64xf16>
    %yt = mirage_block.input_iterator %Y imap <x -> replica> : tensor<64xf16> -> !mirage.tile<64xf16>
    %p = mirage_block.sqr %xt : (!mirage.tile<64xf16>) -> !mirage.tile<64xf32>
    %q = mirage_block.sqr %yt : (!mirage.tile<64xf16>) -> !mirage.tile<64xf32>
    %d = mirage_block.sub %p, %q : (!mirage.tile<64xf32>, !mirage.tile<64xf32>) -> !mirage.tile<64xf32>
    mirage_block.output_saver %d omap <x -> replica> : !mirage.tile<64xf32> -> tensor<64xf16>
  }
  return %o : tensor<64xf16>
}
