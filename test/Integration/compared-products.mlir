// The gradient of a ReLU of a product of f32 and f16: where tensor cores round f32 to tf32 elements near 0 would change sign, and whole terms
// come and go. Remainders are multiplied, too.

// RUN: mirage-run %s --target=sm_90a --check --seed=2
// RUN: mirage-run %s --target=sm_90a --check --seed=3
// RUN: mirage-run %s --target=sm_80 --check --seed=5
// RUN: mirage-run %s --target=sm_80 --check --seed=68 --without=thread-graphs
#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#nk = affine_map<(m, n, k) -> (n, k)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
func.func @gradient(%x: tensor<64x47xf32>, %w: tensor<47x146xf16>, %g: tensor<64x146xbf16>) -> tensor<64x47xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x146xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x146xf32>) -> tensor<64x146xf32>
  %y = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<64x47xf32>, tensor<47x146xf16>) outs(%f : tensor<64x146xf32>) {
  ^bb0(%a: f32, %b: f16, %c: f32):
    %u = arith.extf %b : f16 to f32
    %m = arith.mulf %a, %u : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x146xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g, %y : tensor<64x146xbf16>, tensor<64x146xf32>) outs(%e : tensor<64x146xf32>) {
  ^bb0(%a: bf16, %b: f32, %c: f32):
    %u = arith.extf %a : bf16 to f32
    %p = arith.cmpf ogt, %b, %zero : f32
    %s = arith.select %p, %u, %zero : f32
    linalg.yield %s : f32
  } -> tensor<64x146xf32>
  %e2 = tensor.empty() : tensor<64x47xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<64x47xf32>) -> tensor<64x47xf32>
  %p = linalg.generic {indexing_maps = [#mk, #nk, #mn], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%d, %w : tensor<64x146xf32>, tensor<47x146xf16>) outs(%f2 : tensor<64x47xf32>) {
  ^bb0(%a: f32, %b: f16, %c: f32):
    %u = arith.extf %b : f16 to f32
    %m = arith.mulf %a, %u : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<64x47xf32>
  %e3 = tensor.empty() : tensor<64x47xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<64x47xf32>) outs(%e3 : tensor<64x47xbf16>) {
  ^bb0(%a: f32, %c: bf16):
    %u = arith.truncf %a : f32 to bf16
    linalg.yield %u : bf16
  } -> tensor<64x47xbf16>
  return %r : tensor<64x47xbf16>
}
