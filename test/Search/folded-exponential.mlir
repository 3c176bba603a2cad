// RUN: mirage-opt --mirage-superoptimize="target=sm_90a threads=1" %s | FileCheck %s
// RUN: mirage-opt --mirage-superoptimize="target=sm_90a threads=1 candidates=3" %s | FileCheck %s

// An exponential is first taken as a part of a function in one piece, and stays as it is: others, which are cheaper, overflow.
// However many are asked for.
// CHECK-LABEL: func.func @attend(
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.graph_defined
// CHECK: mirage_block.exp
func.func @attend(%q: tensor<3x1x64xf16>, %k: tensor<3x64x1xf16>, %v: tensor<3x1x64xf16>) -> tensor<3x1x64xf16> {
  %s = mirage_kernel.matmul %q, %k : (tensor<3x1x64xf16>, tensor<3x64x1xf16>) -> tensor<3x1x1xf16>
  %c = mirage.constant 1.250000e-01 : tensor<f32>
  %t = mirage_kernel.mul %s, %c : (tensor<3x1x1xf16>, tensor<f32>) -> tensor<3x1x1xf16>
  %least = mirage.constant -6.550400e+04 : tensor<f32>
  %m = mirage_kernel.max %t, %least : (tensor<3x1x1xf16>, tensor<f32>) -> tensor<3x1x1xf32>
  %d = mirage_kernel.sub %t, %m : (tensor<3x1x1xf16>, tensor<3x1x1xf32>) -> tensor<3x1x1xf32>
  %e = mirage_kernel.exp %d : (tensor<3x1x1xf32>) -> tensor<3x1x1xf16>
  %p = mirage_kernel.div %e, %e : (tensor<3x1x1xf16>, tensor<3x1x1xf16>) -> tensor<3x1x1xf16>
  %o = mirage_kernel.matmul %p, %v : (tensor<3x1x1xf16>, tensor<3x1x64xf16>) -> tensor<3x1x64xf16>
  return %o : tensor<3x1x64xf16>
}
