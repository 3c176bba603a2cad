// A compiled program that is checked against another one. What Mirage has no operator for is evaluated in f64, but not as
// it is written: why is said once, and with each output that is too far off.

// RUN: mirage-run %S/Inputs/two-products.mlir --time-limit=1e-9 --backend=none --emit-program=%t.mirage 2>/dev/null
// RUN: env MIRAGE_CUDA_DRIVER=%fake-cuda MIRAGE_CUBLASLT=%fake-cuda not mirage-run %t.mirage --backend=cuda --check --reference=%s >%t.out 2>%t.remarks
// RUN: FileCheck %s < %t.out
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: env MIRAGE_CUDA_DRIVER=%fake-cuda MIRAGE_CUBLASLT=%fake-cuda mirage-run %t.mirage --backend=cuda --check --reference=%S/Inputs/two-products.mlir | FileCheck %s --check-prefix=SAME

// CHECK-COUNT-2: (TOO LARGE; limit 2.0e-03; what the program has as it is written is not known: it can't be imported, the remarks say why)
// REMARK: remark: not imported: 'math.atan' has no Mirage operator yet
// REMARK-NOT: not imported
// SAME-COUNT-2: (ok; limit 2.0e-03)
#map = affine_map<(i, j) -> (i, j)>
func.func @product(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<8x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x2xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2xf32>) -> tensor<4x2xf32>
  %x = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x2xf32>) outs(%empty : tensor<4x2xf32>) {
    ^bb0(%e: f32, %out: f32):
      %f = math.atan %e : f32
      linalg.yield %f : f32
  } -> tensor<4x2xf32>
  return %y, %y : tensor<4x2xf32>, tensor<4x2xf32>
}
