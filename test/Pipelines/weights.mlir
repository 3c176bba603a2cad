// RUN: mirage-opt --mirage-pipeline=compile-to=search %s 2>/dev/null | FileCheck %s

// Weights that are constants, as frontends have them by default, stay outside, and are what the program is called with.

// CHECK-LABEL: func.func @linear(
// CHECK-SAME:    %[[X:.*]]: tensor<8x256xf16>)
// CHECK-DAG:     %[[W:.*]] = arith.constant dense_resource<weights> : tensor<256x512xf16>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense_resource<bias> : tensor<512xf16>
// CHECK:         %[[R:.*]] = call @linear_part_0(%[[X]], %[[W]], %[[B]])
// CHECK-NEXT:    return %[[R]]
// CHECK:       func.func private @linear_part_0(
// CHECK-NEXT:    mirage_kernel.graph_defined
func.func @linear(%x: tensor<8x256xf16>) -> tensor<8x512xf16> {
  %w = arith.constant dense_resource<weights> : tensor<256x512xf16>
  %b = arith.constant dense_resource<bias> : tensor<512xf16>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x512xf32>) -> tensor<8x512xf32>
  %p = linalg.matmul ins(%x, %w : tensor<8x256xf16>, tensor<256x512xf16>) outs(%init : tensor<8x512xf32>) -> tensor<8x512xf32>
  %out = tensor.empty() : tensor<8x512xf16>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%p, %b : tensor<8x512xf32>, tensor<512xf16>) outs(%out : tensor<8x512xf16>) {
  ^bb0(%a: f32, %c: f16, %o: f16):
    %e = arith.extf %c : f16 to f32
    %t = arith.addf %a, %e : f32
    %n = arith.truncf %t : f32 to f16
    linalg.yield %n : f16
  } -> tensor<8x512xf16>
  return %r : tensor<8x512xf16>
}
