// A program that rounds its own intermediate results loses more than the limit: its kernels must not lose more than it does.

// RUN: mirage-run %s --time-limit=1e-9 --check | FileCheck %s
// RUN: not mirage-run %s --time-limit=1e-9 --check --rtol=2e-3 | FileCheck %s --check-prefix=STRICT
// RUN: mirage-run %s --check --rtol=2e-3 | FileCheck %s --check-prefix=FUSED

// CHECK: output 0: 16x16xf32, {{.*}} (ok; limit 2.0e-03; the program as it is written has {{.*}}e-0{{[23]}})
// STRICT: output 0: 16x16xf32, {{.*}} (TOO LARGE; limit 2.0e-03)
// In one kernel nothing is rounded on the way.
// FUSED: output 0: 16x16xf32, {{.*}} (ok; limit 2.0e-03)
#map = affine_map<(i, j) -> (i, j)>
func.func @f(%a: tensor<16x4096xf16>, %b: tensor<4096x16xf16>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %h = tensor.empty() : tensor<16x16xf16>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %s = linalg.matmul ins(%a, %b : tensor<16x4096xf16>, tensor<4096x16xf16>) outs(%z : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<16x16xf32>) outs(%h : tensor<16x16xf16>) {
    ^bb0(%x: f32, %o: f16):
      %y = arith.truncf %x : f32 to f16
      linalg.yield %y : f16
  } -> tensor<16x16xf16>
  %x = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%r : tensor<16x16xf16>) outs(%e : tensor<16x16xf32>) {
    ^bb0(%x: f16, %o: f32):
      %y = arith.extf %x : f16 to f32
      %p = math.exp %y : f32
      linalg.yield %p : f32
  } -> tensor<16x16xf32>
  return %x : tensor<16x16xf32>
}
