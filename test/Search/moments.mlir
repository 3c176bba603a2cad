// A batch norm whose variance is the difference of two moments: millions of derivations compute it at one placement. The search ends, with one
// kernel.
// RUN: mirage-opt %s --mirage-superoptimize="report=%t.json" | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// CHECK-LABEL: func.func @batch_norm(
// CHECK-SAME:    mirage.verdict = {{.*}}verdict = "proved"
// CHECK:       mirage_kernel.graph_defined(
// CHECK-NOT:   mirage_kernel.
// CHECK:       return
// REPORT:      "stopped_by": "size-limit"
func.func @batch_norm(%arg0: tensor<256x1024xf16>, %arg1: tensor<1024xf16>) -> tensor<256x1024xf16> {
  %0 = mirage_kernel.sum %arg0 dim 0 : (tensor<256x1024xf16>) -> tensor<1x1024xf32>
  %1 = mirage_kernel.reshape %0 : (tensor<1x1024xf32>) -> tensor<1024xf32>
  %2 = mirage_kernel.sqr %arg0 : (tensor<256x1024xf16>) -> tensor<256x1024xf32>
  %3 = mirage_kernel.sum %2 dim 0 : (tensor<256x1024xf32>) -> tensor<1x1024xf32>
  %4 = mirage_kernel.reshape %3 : (tensor<1x1024xf32>) -> tensor<1024xf32>
  %5 = mirage.constant 2.560000e+02 : tensor<f32>
  %6 = mirage_kernel.div %1, %5 : (tensor<1024xf32>, tensor<f32>) -> tensor<1024xf32>
  %7 = mirage_kernel.div %4, %5 : (tensor<1024xf32>, tensor<f32>) -> tensor<1024xf32>
  %8 = mirage_kernel.sqr %6 : (tensor<1024xf32>) -> tensor<1024xf32>
  %9 = mirage_kernel.sub %7, %8 : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
  %10 = mirage.constant 9.9999997473787516E-6 : tensor<f32>
  %11 = mirage_kernel.add %9, %10 : (tensor<1024xf32>, tensor<f32>) -> tensor<1024xf32>
  %12 = mirage_kernel.sub %arg0, %6 : (tensor<256x1024xf16>, tensor<1024xf32>) -> tensor<256x1024xf32>
  %13 = mirage_kernel.sqrt %11 : (tensor<1024xf32>) -> tensor<1024xf32>
  %14 = mirage_kernel.div %12, %13 : (tensor<256x1024xf32>, tensor<1024xf32>) -> tensor<256x1024xf32>
  %15 = mirage_kernel.mul %14, %arg1 : (tensor<256x1024xf32>, tensor<1024xf16>) -> tensor<256x1024xf16>
  return %15 : tensor<256x1024xf16>
}
