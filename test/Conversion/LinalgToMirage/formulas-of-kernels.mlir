// RUN: mirage-opt --convert-linalg-to-mirage %s | FileCheck %s

// Two results of one kernel are two values.
// CHECK-LABEL: func.func @two_results(
// CHECK-NOT:     mirage_kernel.div
// CHECK:         return
func.func @two_results(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %x:2 = mirage_kernel.graph_defined (%a) grid <x = 1> : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  ^bb0(%A: tensor<4x4xf32>):
    %t = mirage_block.input_iterator %A imap <x -> replica> : tensor<4x4xf32> -> !mirage.tile<4x4xf32>
    %s = mirage_block.sqr %t : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<4x4xf32> -> tensor<4x4xf32>
    %n = mirage_block.neg %t : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %n omap <x -> 0> : !mirage.tile<4x4xf32> -> tensor<4x4xf32>
  }
  %e = mirage_kernel.exp %x#0 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<4x4xf32>) -> tensor<4x1xf32>
  %l = mirage_kernel.log %s : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %d = mirage_kernel.sub %x#1, %l : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
  %w = mirage_kernel.exp %d : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %w : tensor<4x4xf32>
}
