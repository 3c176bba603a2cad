// What a loop's partial sums become is known by the rule `indices` only: an abstract expression doesn't say that a square or a
// quotient of them is no part of the program. Without it both are given up, and what is found in pieces has two kernels or three.

// RUN: mirage-opt %s --mirage-superoptimize=report=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// REPORT: "exhausted": true
// REPORT: "indices": {{[1-9]}}
// REPORT: "exhausted": true
// REPORT: "indices": {{[1-9]}}

// RUN: mirage-opt %s --mirage-superoptimize="without=indices report=%t.without.json" -o %t.without.mlir
// RUN: FileCheck %s --check-prefix=WITHOUT < %t.without.json
// WITHOUT: "exhausted": false
// WITHOUT: "indices": 0
// WITHOUT: "exhausted": false
// WITHOUT: "indices": 0

// Retention with its decay, each head divided by the root of its mean square: all in the block that has the head's rows.
// CHECK-LABEL: func.func @retention_norm(
// CHECK-SAME: verdict = "proved"
// CHECK: = mirage_kernel.graph_defined
// CHECK-COUNT-2: mirage_block.matmul
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @retention_norm(%arg0: tensor<4x256x64xf16>, %arg1: tensor<4x64x256xf16>, %arg2: tensor<4x256x64xf16>, %arg3: tensor<256x256xf16>) -> tensor<4x256x64xf16> {
  %0 = mirage_kernel.matmul %arg0, %arg1 : (tensor<4x256x64xf16>, tensor<4x64x256xf16>) -> tensor<4x256x256xf32>
  %1 = mirage_kernel.mul %0, %arg3 : (tensor<4x256x256xf32>, tensor<256x256xf16>) -> tensor<4x256x256xf32>
  %2 = mirage_kernel.sum %1 dim 2 : (tensor<4x256x256xf32>) -> tensor<4x256x1xf32>
  %3 = mirage.constant 1.000000e+00 : tensor<f32>
  %4 = mirage_kernel.max %2, %3 : (tensor<4x256x1xf32>, tensor<f32>) -> tensor<4x256x1xf32>
  %5 = mirage_kernel.div %1, %4 : (tensor<4x256x256xf32>, tensor<4x256x1xf32>) -> tensor<4x256x256xf16>
  %6 = mirage_kernel.matmul %5, %arg2 : (tensor<4x256x256xf16>, tensor<4x256x64xf16>) -> tensor<4x256x64xf16>
  %7 = mirage_kernel.sqr %6 : (tensor<4x256x64xf16>) -> tensor<4x256x64xf32>
  %8 = mirage_kernel.sum %7 dim 2 : (tensor<4x256x64xf32>) -> tensor<4x256x1xf32>
  %9 = mirage.constant 6.400000e+01 : tensor<f32>
  %10 = mirage_kernel.div %8, %9 : (tensor<4x256x1xf32>, tensor<f32>) -> tensor<4x256x1xf32>
  %11 = mirage.constant 1.000000e-05 : tensor<f32>
  %12 = mirage_kernel.add %10, %11 : (tensor<4x256x1xf32>, tensor<f32>) -> tensor<4x256x1xf32>
  %13 = mirage_kernel.sqrt %12 : (tensor<4x256x1xf32>) -> tensor<4x256x1xf32>
  %14 = mirage_kernel.div %6, %13 : (tensor<4x256x64xf16>, tensor<4x256x1xf32>) -> tensor<4x256x64xf16>
  return %14 : tensor<4x256x64xf16>
}

// Attention with squares for exponentials.
// CHECK-LABEL: func.func @poly_attn(
// CHECK-SAME: verdict = "proved"
// CHECK: = mirage_kernel.graph_defined
// CHECK-COUNT-2: mirage_block.matmul
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @poly_attn(%arg0: tensor<4x256x64xf16>, %arg1: tensor<4x64x1024xf16>, %arg2: tensor<4x1024x64xf16>) -> tensor<4x256x64xf16> {
  %0 = mirage_kernel.matmul %arg0, %arg1 : (tensor<4x256x64xf16>, tensor<4x64x1024xf16>) -> tensor<4x256x1024xf32>
  %1 = mirage_kernel.sqr %0 : (tensor<4x256x1024xf32>) -> tensor<4x256x1024xf32>
  %2 = mirage_kernel.cast %1 : (tensor<4x256x1024xf32>) -> tensor<4x256x1024xf16>
  %3 = mirage_kernel.matmul %2, %arg2 : (tensor<4x256x1024xf16>, tensor<4x1024x64xf16>) -> tensor<4x256x64xf32>
  %4 = mirage_kernel.sum %1 dim 2 : (tensor<4x256x1024xf32>) -> tensor<4x256x1xf32>
  %5 = mirage_kernel.div %3, %4 : (tensor<4x256x64xf32>, tensor<4x256x1xf32>) -> tensor<4x256x64xf16>
  return %5 : tensor<4x256x64xf16>
}
