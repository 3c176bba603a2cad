// A norm over three dimensions of five: values of so many take up much memory even at small sizes, and the program is cut into pieces.

// RUN: mirage-opt %s --mirage-superoptimize=report=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json

// CHECK-LABEL: func.func @norm(
// CHECK: graph_defined
// CHECK: func.func private @norm_reference(
// REPORT: "stopped_by": "size-limit"
func.func @norm(%x: tensor<3x32x10x24x24xf16>) -> tensor<3x32x10x24x24xf16> {
  %n = mirage.constant 5760.0 : tensor<f32>
  %0 = mirage_kernel.sum %x dim 4 : (tensor<3x32x10x24x24xf16>) -> tensor<3x32x10x24x1xf32>
  %1 = mirage_kernel.sum %0 dim 3 : (tensor<3x32x10x24x1xf32>) -> tensor<3x32x10x1x1xf32>
  %2 = mirage_kernel.sum %1 dim 2 : (tensor<3x32x10x1x1xf32>) -> tensor<3x32x1x1x1xf32>
  %3 = mirage_kernel.div %2, %n : (tensor<3x32x1x1x1xf32>, tensor<f32>) -> tensor<3x32x1x1x1xf32>
  %4 = mirage_kernel.sub %x, %3 : (tensor<3x32x10x24x24xf16>, tensor<3x32x1x1x1xf32>) -> tensor<3x32x10x24x24xf32>
  %5 = mirage_kernel.sqr %4 : (tensor<3x32x10x24x24xf32>) -> tensor<3x32x10x24x24xf32>
  %6 = mirage_kernel.sum %5 dim 4 : (tensor<3x32x10x24x24xf32>) -> tensor<3x32x10x24x1xf32>
  %7 = mirage_kernel.sum %6 dim 3 : (tensor<3x32x10x24x1xf32>) -> tensor<3x32x10x1x1xf32>
  %8 = mirage_kernel.sum %7 dim 2 : (tensor<3x32x10x1x1xf32>) -> tensor<3x32x1x1x1xf32>
  %9 = mirage_kernel.div %8, %n : (tensor<3x32x1x1x1xf32>, tensor<f32>) -> tensor<3x32x1x1x1xf32>
  %10 = mirage_kernel.sqrt %9 : (tensor<3x32x1x1x1xf32>) -> tensor<3x32x1x1x1xf32>
  %11 = mirage_kernel.div %4, %10 : (tensor<3x32x10x24x24xf32>, tensor<3x32x1x1x1xf32>) -> tensor<3x32x10x24x24xf16>
  return %11 : tensor<3x32x10x24x24xf16>
}
