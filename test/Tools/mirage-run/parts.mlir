// A program of which a part can't be searched: --explain doesn't say that the space is exhausted.

// RUN: mirage-run %s --backend=host --check --explain 2>&1 | FileCheck %s

// CHECK-DAG: remark: part 2 of 2 of the program is not searched: an operator takes 67108864 steps at the small sizes at which values are compared, more than 1048576
// CHECK-DAG: s (first μGraph after {{.*}} s), a part can't be searched
// CHECK: output 0: {{.*}} (ok; limit 2.0e-03)
#all = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12) -> (d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12)>
#last = affine_map<(d0, d1, d2, d3, d4, d5, d6, d7, d8, d9, d10, d11, d12) -> (d12)>
func.func @f(%x: tensor<64x128xf16>, %bias: tensor<2xf16>) -> tensor<2x2x2x2x2x2x2x2x2x2x2x2x2xf16> {
  %e = tensor.empty() : tensor<64x128xf16>
  %a = linalg.exp ins(%x : tensor<64x128xf16>) outs(%e : tensor<64x128xf16>) -> tensor<64x128xf16>
  %b = linalg.square ins(%a : tensor<64x128xf16>) outs(%e : tensor<64x128xf16>) -> tensor<64x128xf16>
  %c = tensor.expand_shape %b [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11, 12]] output_shape [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2] : tensor<64x128xf16> into tensor<2x2x2x2x2x2x2x2x2x2x2x2x2xf16>
  %o = tensor.empty() : tensor<2x2x2x2x2x2x2x2x2x2x2x2x2xf16>
  %d = linalg.generic {indexing_maps = [#all, #last, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%c, %bias : tensor<2x2x2x2x2x2x2x2x2x2x2x2x2xf16>, tensor<2xf16>) outs(%o : tensor<2x2x2x2x2x2x2x2x2x2x2x2x2xf16>) {
  ^bb0(%l: f16, %r: f16, %z: f16):
    %s = arith.addf %l, %r : f16
    linalg.yield %s : f16
  } -> tensor<2x2x2x2x2x2x2x2x2x2x2x2x2xf16>
  return %d : tensor<2x2x2x2x2x2x2x2x2x2x2x2x2xf16>
}
