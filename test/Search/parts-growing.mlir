// A state decays by a gate that is computed, and something is added that comes behind a reshape which can't be followed: the product
// with the gate is not written for the next part, but the gate, which is smaller.

// RUN: mirage-opt %s --mirage-superoptimize="target=sm_90a report=%t.json" | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json

// CHECK-LABEL: func.func @decay(
// CHECK-SAME: verdict = "proved"
// CHECK-NOT: -> tensor<4x32x64x64xf32> {
// CHECK: mirage_kernel.graph_defined({{.*}}-> tensor<4x32x64x64xf32> {
// CHECK-NOT: mirage_kernel.graph_defined
// CHECK: return
// REPORT: "parts": 2
func.func @decay(%x: tensor<4x1024xf16>, %w: tensor<1024x2048xf16>, %v: tensor<1024x32xf16>, %s: tensor<4x32x64x64xf32>, %y: tensor<4x1x1x64xf16>) -> tensor<4x32x64x64xf32> {
  %0 = mirage_kernel.matmul %x, %v : (tensor<4x1024xf16>, tensor<1024x32xf16>) -> tensor<4x32xf32>
  %1 = mirage_kernel.matmul %x, %w : (tensor<4x1024xf16>, tensor<1024x2048xf16>) -> tensor<4x2048xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<4x2048xf16>) -> tensor<4x32x64x1xf16>
  %3 = mirage_kernel.neg %0 : (tensor<4x32xf32>) -> tensor<4x32xf32>
  %4 = mirage_kernel.exp %3 : (tensor<4x32xf32>) -> tensor<4x32xf32>
  %5 = mirage_kernel.reshape %4 : (tensor<4x32xf32>) -> tensor<4x32x1x1xf32>
  %6 = mirage_kernel.mul %s, %5 : (tensor<4x32x64x64xf32>, tensor<4x32x1x1xf32>) -> tensor<4x32x64x64xf32>
  %7 = mirage_kernel.mul %2, %y : (tensor<4x32x64x1xf16>, tensor<4x1x1x64xf16>) -> tensor<4x32x64x64xf32>
  %8 = mirage_kernel.add %6, %7 : (tensor<4x32x64x64xf32>, tensor<4x32x64x64xf32>) -> tensor<4x32x64x64xf32>
  return %8 : tensor<4x32x64x64xf32>
}
