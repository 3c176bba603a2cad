// RUN: mirage-opt --mirage-assign-layouts=target=sm_80 %s | FileCheck %s

// A product that tensor cores don't take: threads have a row each, whose elements they read one after the other. Rows of 512 bytes would
// begin in one bank.
// CHECK-LABEL: func.func @column
// CHECK:         mirage_block.input_iterator {{.*}}mirage.layouts = ["swizzle_128"]{{.*}} -> !mirage.tile<24x128xf32>
// CHECK-NEXT:    mirage_block.input_iterator
// CHECK-NOT:     mirage.layouts
// CHECK:         return
func.func @column(%x: tensor<24x128xf32>, %y: tensor<128x1xf32>) -> tensor<24x1xf32> {
  %z = mirage_kernel.graph_defined (%x, %y) grid <x = 1> {mirage.scheduled} : (tensor<24x128xf32>, tensor<128x1xf32>) -> tensor<24x1xf32> {
  ^bb0(%X: tensor<24x128xf32>, %Y: tensor<128x1xf32>):
    %a = mirage_block.input_iterator %X imap <x -> replica> : tensor<24x128xf32> -> !mirage.tile<24x128xf32>
    %b = mirage_block.input_iterator %Y imap <x -> replica> : tensor<128x1xf32> -> !mirage.tile<128x1xf32>
    %p = mirage_block.matmul %a, %b : (!mirage.tile<24x128xf32>, !mirage.tile<128x1xf32>) -> !mirage.tile<24x1xf32>
    mirage_block.output_saver %p omap <x -> 0> : !mirage.tile<24x1xf32> -> tensor<24x1xf32>
  }
  return %z : tensor<24x1xf32>
}

// So it is with the sum of two products.
// CHECK-LABEL: func.func @two
// CHECK:         mirage_block.input_iterator {{.*}}mirage.layouts = ["swizzle_128"]{{.*}} -> !mirage.tile<24x128xf32>
// CHECK:         mirage_block.concat_matmul
func.func @two(%x: tensor<24x128xf32>, %y: tensor<128x1xf32>) -> tensor<24x1xf32> {
  %z = mirage_kernel.graph_defined (%x, %y) grid <x = 1> {mirage.scheduled} : (tensor<24x128xf32>, tensor<128x1xf32>) -> tensor<24x1xf32> {
  ^bb0(%X: tensor<24x128xf32>, %Y: tensor<128x1xf32>):
    %a = mirage_block.input_iterator %X imap <x -> replica> : tensor<24x128xf32> -> !mirage.tile<24x128xf32>
    %b = mirage_block.input_iterator %Y imap <x -> replica> : tensor<128x1xf32> -> !mirage.tile<128x1xf32>
    %p = mirage_block.concat_matmul %a, %a, %b, %b : (!mirage.tile<24x128xf32>, !mirage.tile<24x128xf32>, !mirage.tile<128x1xf32>, !mirage.tile<128x1xf32>) -> !mirage.tile<24x1xf32>
    mirage_block.output_saver %p omap <x -> 0> : !mirage.tile<24x1xf32> -> tensor<24x1xf32>
  }
  return %z : tensor<24x1xf32>
}
