// A product one of whose operands is the same for all batches, as a kernel of its own.

// RUN: mirage-run %s --target=sm_80 --check --checks --rtol=1e-5 | FileCheck %s
// RUN: mirage-run %s --target=sm_90a --check --checks --rtol=1e-5 | FileCheck %s

// Attention of several heads to one latent, of which their keys and values are made.

// RUN: mirage-run %S/Inputs/latent-attention.mlir --target=sm_80 --max-kernel-ops=2 --check --checks | FileCheck %s
// RUN: mirage-run %S/Inputs/latent-attention.mlir --target=sm_90a --max-kernel-ops=2 --check --checks | FileCheck %s

// CHECK: (ok; limit

func.func @heads(%x: tensor<48x32xf16>, %w: tensor<3x32x24xf16>) -> tensor<3x48x24xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x48x24xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x48x24xf32>) -> tensor<3x48x24xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(h, n, d, k) -> (n, k)>, affine_map<(h, n, d, k) -> (h, k, d)>, affine_map<(h, n, d, k) -> (h, n, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<48x32xf16>, tensor<3x32x24xf16>) outs(%z : tensor<3x48x24xf32>) {
    ^bb0(%a: f16, %b: f16, %acc: f32):
      %f = arith.extf %a : f16 to f32
      %g = arith.extf %b : f16 to f32
      %m = arith.mulf %f, %g : f32
      %s = arith.addf %acc, %m : f32
      linalg.yield %s : f32
    } -> tensor<3x48x24xf32>
  return %r : tensor<3x48x24xf32>
}
