// Names in PTX have no dots, and begin with no digit. Functions whose names differ in these only have kernels of different names all the same, and
// each kernel its own attributes.

// RUN: mirage-opt --convert-mirage-to-gpu=allow-unverified %s | FileCheck %s

// CHECK:      gpu.func @a_b_0({{.*}}: memref<8xf16>, {{.*}}: memref<8xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 2, 1, 1>
// CHECK:      gpu.func @[[SECOND:a_b_0_[0-9]+]]({{.*}}: memref<8xf16>, {{.*}}: memref<8xf32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>, known_grid_size = array<i32: 4, 1, 1>

// CHECK-LABEL: func.func @a.b(
// CHECK:         gpu.launch_func @mirage_kernels::@a_b_0 blocks
func.func @"a.b"(%x: tensor<8xf16>) -> tensor<8xf32> attributes {mirage.reference = @reference} {
  %t = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8xf16>) -> tensor<8xf32> {
  ^bb0(%X: tensor<8xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> 0> : tensor<8xf16> -> !mirage.tile<4xf16>
    %e = mirage_block.exp %xt : (!mirage.tile<4xf16>) -> !mirage.tile<4xf32>
    mirage_block.output_saver %e omap <x -> 0> : !mirage.tile<4xf32> -> tensor<8xf32>
  }
  return %t : tensor<8xf32>
}

// CHECK-LABEL: func.func @a_b(
// CHECK:         gpu.launch_func @mirage_kernels::@[[SECOND]] blocks
func.func @a_b(%x: tensor<8xf16>) -> tensor<8xf32> attributes {mirage.reference = @reference} {
  %t = mirage_kernel.graph_defined (%x) grid <x = 4> : (tensor<8xf16>) -> tensor<8xf32> {
  ^bb0(%X: tensor<8xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> 0> : tensor<8xf16> -> !mirage.tile<2xf16>
    %e = mirage_block.sqr %xt : (!mirage.tile<2xf16>) -> !mirage.tile<2xf32>
    mirage_block.output_saver %e omap <x -> 0> : !mirage.tile<2xf32> -> tensor<8xf32>
  }
  return %t : tensor<8xf32>
}

// CHECK-LABEL: func.func @"2mm"(
// CHECK:         gpu.launch_func @mirage_kernels::@k_2mm_0 blocks
func.func @"2mm"(%x: tensor<8xf16>) -> tensor<8xf32> attributes {mirage.reference = @reference} {
  %t = mirage_kernel.graph_defined (%x) grid <x = 8> : (tensor<8xf16>) -> tensor<8xf32> {
  ^bb0(%X: tensor<8xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> 0> : tensor<8xf16> -> !mirage.tile<1xf16>
    %e = mirage_block.exp %xt : (!mirage.tile<1xf16>) -> !mirage.tile<1xf32>
    mirage_block.output_saver %e omap <x -> 0> : !mirage.tile<1xf32> -> tensor<8xf32>
  }
  return %t : tensor<8xf32>
}

func.func private @reference(%x: tensor<8xf16>) -> tensor<8xf32>
