// RUN: mirage-opt --convert-mirage-to-gpu=allow-unverified --canonicalize %s | FileCheck %s

// Results are written in place; reshaped and repeated ones, and arguments, are
// copied at the end. The kernel of a reshaped operand reads its buffer as it is.
// CHECK-LABEL: gpu.func @f_1(
// CHECK-SAME:    %[[T:.*]]: memref<8xf32>, %{{.*}}: memref<2x4xf16>)
// CHECK:       nvgpu.device_async_copy %[[T]][%{{.*}}], %{{.*}} : memref<8xf32>
// CHECK-LABEL: gpu.func @f_2(
// CHECK-SAME:    memref<2x4xf16>, %{{.*}}: memref<8xf16>)
// CHECK-LABEL: gpu.func @f_3(
// CHECK-SAME:    memref<8xf16>, %{{.*}}: memref<8xf16>)

// CHECK-NOT:   @reference
// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[X:.*]]: memref<8xf16>, %[[A:.*]]: memref<2x4xf16>, %[[B:.*]]: memref<8xf16>, %[[C:.*]]: memref<8xf16>) attributes {mirage.num_results = 3 : i64}
// CHECK:       %[[TMP:.*]] = memref.alloc() : memref<8xf32>
// CHECK:       gpu.launch_func @mirage_kernels::@f_0 {{.*}} args(%[[X]] : memref<8xf16>, %[[TMP]] : memref<8xf32>)
// CHECK:       gpu.launch_func @mirage_kernels::@f_1 {{.*}} args(%[[TMP]] : memref<8xf32>, %[[A]] : memref<2x4xf16>)
// CHECK:       gpu.launch_func @mirage_kernels::@f_2 {{.*}} args(%[[A]] : memref<2x4xf16>, %[[B]] : memref<8xf16>)
// CHECK:       gpu.launch_func @mirage_kernels::@f_3 {{.*}} args(%[[X]] : memref<8xf16>, %[[C]] : memref<8xf16>)
// CHECK:       memref.dealloc %[[TMP]]
// CHECK-NEXT:  return
func.func @f(%x: tensor<8xf16>) -> (tensor<2x4xf16>, tensor<8xf16>, tensor<8xf16>) attributes {mirage.reference = @reference} {
  %t = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8xf16>) -> tensor<8xf32> {
  ^bb0(%X: tensor<8xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> 0> : tensor<8xf16> -> !mirage.tile<4xf16>
    %e = mirage_block.exp %xt : (!mirage.tile<4xf16>) -> !mirage.tile<4xf32>
    mirage_block.output_saver %e omap <x -> 0> : !mirage.tile<4xf32> -> tensor<8xf32>
  }
  %r = mirage_kernel.reshape %t : (tensor<8xf32>) -> tensor<2x4xf32>
  %y = mirage_kernel.graph_defined (%r) grid <x = 2> : (tensor<2x4xf32>) -> tensor<2x4xf16> {
  ^bb0(%X: tensor<2x4xf32>):
    %xt = mirage_block.input_iterator %X imap <x -> 0> : tensor<2x4xf32> -> !mirage.tile<1x4xf32>
    %e = mirage_block.sqr %xt : (!mirage.tile<1x4xf32>) -> !mirage.tile<1x4xf32>
    mirage_block.output_saver %e omap <x -> 0> : !mirage.tile<1x4xf32> -> tensor<2x4xf16>
  }
  %flat = mirage_kernel.reshape %y : (tensor<2x4xf16>) -> tensor<8xf16>
  return %y, %flat, %x : tensor<2x4xf16>, tensor<8xf16>, tensor<8xf16>
}

func.func private @reference(%x: tensor<8xf16>) -> (tensor<2x4xf16>, tensor<8xf16>, tensor<8xf16>)

// A function without a μGraph is left alone.
// CHECK-LABEL: func.func @other(%{{.*}}: tensor<8xf16>) -> tensor<8xf16>
func.func @other(%x: tensor<8xf16>) -> tensor<8xf16> {
  return %x : tensor<8xf16>
}
