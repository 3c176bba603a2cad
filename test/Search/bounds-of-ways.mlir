// A value that is loaded in bf16 and moved in one way to compute it, and divided in f32 in another: whether the product with an
// f32 tile is on tensor cores depends on the way that is chosen, and no bound exceeds a cost.

// RUN: mirage-opt %s --mirage-superoptimize="target=sm_90a report=%t.json" -o /dev/null
// RUN: FileCheck %s < %t.json
// CHECK: "bounds_exceeded": 0,
// CHECK: "exhausted": true
func.func @three_projections(%a0: tensor<3x1000xbf16>, %a1: tensor<1000xbf16>, %a2: tensor<1000x40xbf16>, %a3: tensor<1000x40xbf16>, %a4: tensor<1000x72xbf16>) -> (tensor<40x3xbf16>, tensor<3x40xbf16>, tensor<3x72xbf16>) {
  %v0 = mirage_kernel.sqr %a0 : (tensor<3x1000xbf16>) -> tensor<3x1000xbf16>
  %v1 = mirage_kernel.sum %v0 dim 1 : (tensor<3x1000xbf16>) -> tensor<3x1xbf16>
  %v2 = mirage_kernel.sqrt %v1 : (tensor<3x1xbf16>) -> tensor<3x1xbf16>
  %v3 = mirage_kernel.div %a0, %v2 : (tensor<3x1000xbf16>, tensor<3x1xbf16>) -> tensor<3x1000xbf16>
  %v4 = mirage_kernel.mul %v3, %a1 : (tensor<3x1000xbf16>, tensor<1000xbf16>) -> tensor<3x1000xbf16>
  %v5 = mirage_kernel.matmul %v4, %a2 : (tensor<3x1000xbf16>, tensor<1000x40xbf16>) -> tensor<3x40xbf16>
  %v6 = mirage_kernel.transpose %v5 permutation [1, 0] : (tensor<3x40xbf16>) -> tensor<40x3xbf16>
  %v7 = mirage_kernel.matmul %v4, %a3 : (tensor<3x1000xbf16>, tensor<1000x40xbf16>) -> tensor<3x40xbf16>
  %v8 = mirage_kernel.matmul %v4, %a4 : (tensor<3x1000xbf16>, tensor<1000x72xbf16>) -> tensor<3x72xbf16>
  return %v6, %v7, %v8 : tensor<40x3xbf16>, tensor<3x40xbf16>, tensor<3x72xbf16>
}
