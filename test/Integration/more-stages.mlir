// A loop with room for more iterations' tiles than it has iterations loads no tile behind the tensor.

// RUN: rm -rf %t && split-file %s %t
// RUN: mirage-opt --convert-mirage-to-gpu="target=sm_80 allow-unverified" %t/mugraph.mlir -o %t/kernels.mlir
// RUN: mirage-run %t/kernels.mlir --backend=host --checks --seed=3 --check --reference=%t/program.mlir | FileCheck %s
// CHECK: output 0: 64x32xf16, {{.*}} (ok;

//--- program.mlir
func.func @f(%x: tensor<64x128xf16>, %w: tensor<128x32xf16>) -> tensor<64x32xf16> {
  %empty = tensor.empty() : tensor<64x32xf16>
  %zero = arith.constant 0.0 : f16
  %zeros = linalg.fill ins(%zero : f16) outs(%empty : tensor<64x32xf16>) -> tensor<64x32xf16>
  %r = linalg.matmul ins(%x, %w : tensor<64x128xf16>, tensor<128x32xf16>) outs(%zeros : tensor<64x32xf16>) -> tensor<64x32xf16>
  return %r : tensor<64x32xf16>
}

//--- mugraph.mlir
func.func @f(%x: tensor<64x128xf16>, %w: tensor<128x32xf16>) -> tensor<64x32xf16> {
  %r = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<64x128xf16>, tensor<128x32xf16>) -> tensor<64x32xf16> {
  ^bb0(%X: tensor<64x128xf16>, %W: tensor<128x32xf16>):
    %s = mirage_block.loop iterations 2 -> !mirage.tile<64x32xf32> {
      %a = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> {mirage.stages = 5 : i64} : tensor<64x128xf16> -> !mirage.tile<64x64xf16>
      %b = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> {mirage.stages = 5 : i64} : tensor<128x32xf16> -> !mirage.tile<64x32xf16>
      %p = mirage_block.matmul %a, %b : (!mirage.tile<64x64xf16>, !mirage.tile<64x32xf16>) -> !mirage.tile<64x32xf32>
      mirage_block.accumulate sum %p : !mirage.tile<64x32xf32>
    }
    mirage_block.output_saver %s omap <x -> replica> : !mirage.tile<64x32xf32> -> tensor<64x32xf16>
  }
  return %r : tensor<64x32xf16>
}
