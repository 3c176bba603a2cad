// Attention of one new position whose keys and values are repeated for the query heads of a group, as many write it: no block reads
// what is repeated.

// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-superoptimize=report=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json

// CHECK-LABEL: func.func @attention(
// CHECK-NOT: mirage_kernel.broadcast
// CHECK: mirage_kernel.graph_defined
// CHECK-COUNT-2: mirage_block.matmul
// CHECK-NOT: mirage_kernel.graph_defined
// CHECK-NOT: mirage_kernel.broadcast
// CHECK: func.func private @attention_reference(

// Keys and values are 4 MB, repeated 16 MB.
// REPORT: "device_bytes": 41{{[0-9][0-9][0-9][0-9][0-9]}},
// REPORT: "verdict": "proved"
#id = affine_map<(b, h, r, t, d) -> (b, h, r, t, d)>
#kv = affine_map<(b, h, r, t, d) -> (b, h, t, d)>
#scores = affine_map<(b, h, s, t) -> (b, h, s, t)>
func.func @attention(%q: tensor<1x32x1x128xf16>, %k: tensor<1x8x1000x128xf16>, %v: tensor<1x8x1000x128xf16>) -> tensor<1x32x1x128xf16> {
  %e = tensor.empty() : tensor<1x8x4x1000x128xf16>
  %k5 = linalg.generic {indexing_maps = [#kv, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%k : tensor<1x8x1000x128xf16>) outs(%e : tensor<1x8x4x1000x128xf16>) {
    ^bb0(%a: f16, %o: f16):
      linalg.yield %a : f16
    } -> tensor<1x8x4x1000x128xf16>
  %v5 = linalg.generic {indexing_maps = [#kv, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%v : tensor<1x8x1000x128xf16>) outs(%e : tensor<1x8x4x1000x128xf16>) {
    ^bb0(%a: f16, %o: f16):
      linalg.yield %a : f16
    } -> tensor<1x8x4x1000x128xf16>
  %kr = tensor.collapse_shape %k5 [[0], [1, 2], [3], [4]] : tensor<1x8x4x1000x128xf16> into tensor<1x32x1000x128xf16>
  %vr = tensor.collapse_shape %v5 [[0], [1, 2], [3], [4]] : tensor<1x8x4x1000x128xf16> into tensor<1x32x1000x128xf16>
  %zero = arith.constant dense<0.0> : tensor<1x32x1x1000xf32>
  %s = linalg.contract indexing_maps = [affine_map<(b, h, s, t, d) -> (b, h, s, d)>, affine_map<(b, h, s, t, d) -> (b, h, t, d)>,
                                        affine_map<(b, h, s, t, d) -> (b, h, s, t)>]
      ins(%q, %kr : tensor<1x32x1x128xf16>, tensor<1x32x1000x128xf16>) outs(%zero : tensor<1x32x1x1000xf32>) -> tensor<1x32x1x1000xf32>
  %scaled = tensor.empty() : tensor<1x32x1x1000xf32>
  %scale = linalg.generic {indexing_maps = [#scores, #scores], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<1x32x1x1000xf32>) outs(%scaled : tensor<1x32x1x1000xf32>) {
    ^bb0(%a: f32, %o: f32):
      %c = arith.constant 0.0883 : f32
      %m = arith.mulf %a, %c : f32
      linalg.yield %m : f32
    } -> tensor<1x32x1x1000xf32>
  %p = linalg.softmax dimension(3) ins(%scale : tensor<1x32x1x1000xf32>) outs(%scaled : tensor<1x32x1x1000xf32>) -> tensor<1x32x1x1000xf32>
  %half = tensor.empty() : tensor<1x32x1x1000xf16>
  %p16 = linalg.generic {indexing_maps = [#scores, #scores], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%p : tensor<1x32x1x1000xf32>) outs(%half : tensor<1x32x1x1000xf16>) {
    ^bb0(%a: f32, %o: f16):
      %t = arith.truncf %a : f32 to f16
      linalg.yield %t : f16
    } -> tensor<1x32x1x1000xf16>
  %zeros = arith.constant dense<0.0> : tensor<1x32x1x128xf16>
  %o = linalg.contract indexing_maps = [affine_map<(b, h, s, t, d) -> (b, h, s, t)>, affine_map<(b, h, s, t, d) -> (b, h, t, d)>,
                                        affine_map<(b, h, s, t, d) -> (b, h, s, d)>]
      ins(%p16, %vr : tensor<1x32x1x1000xf16>, tensor<1x32x1000x128xf16>) outs(%zeros : tensor<1x32x1x128xf16>) -> tensor<1x32x1x128xf16>
  return %o : tensor<1x32x1x128xf16>
}
