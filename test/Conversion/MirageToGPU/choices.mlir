// RUN: mirage-opt --mirage-schedule-kernels --mirage-construct-thread-graphs --convert-mirage-to-gpu=allow-unverified=true %s | FileCheck %s

// Comparisons and choices, of vectors and of a row's scalar.
// CHECK-LABEL: gpu.func @f_0
// CHECK: %[[D:.*]] = arith.subf
// CHECK: %[[G:.*]] = arith.cmpf ogt, %[[D]], %{{.*}}
// CHECK: %[[N:.*]] = arith.select %[[G]], %{{.*}}, %{{.*}}
// CHECK: %[[C:.*]] = arith.cmpf ogt, %{{.*}}, %{{.*}}
// CHECK: arith.select %[[C]], %{{.*}}, %{{.*}}
func.func @f(%x: tensor<64x128xf32>, %y: tensor<64x128xf32>, %c: tensor<64x1xf32>) -> tensor<64x128xf32> {
  %0 = mirage_kernel.graph_defined(%x, %y, %c) grid <x = 64> : (tensor<64x128xf32>, tensor<64x128xf32>, tensor<64x1xf32>) -> tensor<64x128xf32> {
  ^bb0(%X: tensor<64x128xf32>, %Y: tensor<64x128xf32>, %C: tensor<64x1xf32>):
    %a = mirage_block.input_iterator %X imap <x -> 0> : tensor<64x128xf32> -> !mirage.tile<1x128xf32>
    %b = mirage_block.input_iterator %Y imap <x -> 0> : tensor<64x128xf32> -> !mirage.tile<1x128xf32>
    %d = mirage_block.input_iterator %C imap <x -> 0> : tensor<64x1xf32> -> !mirage.tile<1x1xf32>
    %g = mirage_block.greater %a, %b : (!mirage.tile<1x128xf32>, !mirage.tile<1x128xf32>) -> !mirage.tile<1x128xf32>
    %w = mirage_block.where %d, %g : (!mirage.tile<1x1xf32>, !mirage.tile<1x128xf32>) -> !mirage.tile<1x128xf32>
    mirage_block.output_saver %w omap <x -> 0> : !mirage.tile<1x128xf32> -> tensor<64x128xf32>
  }
  return %0 : tensor<64x128xf32>
}
