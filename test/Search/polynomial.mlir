// What exceeds the normal form's limits (counts of 64 bits) is no part of a program that doesn't, so that the closure ends: x (x x + 3) of a product, and another product.

// RUN: mirage-opt %s --mirage-superoptimize="max-kernel-ops=2 report=%t.json" -o /dev/null
// RUN: %python -c "import json; r = json.load(open(r'%t.json'))[0]; print(r['exhausted'], r['states'] < 5000, r['pruned']['cut'], r['candidates'][0]['kernels'])" | FileCheck %s

// CHECK: True True {{[0-9]+}} 1
func.func @f(%x: tensor<16x64xf16>, %w: tensor<64x32xf16>, %v: tensor<32x16xf16>) -> tensor<16x16xf16> {
  %three = mirage.constant 3.0 : tensor<f32>
  %a = mirage_kernel.matmul %x, %w : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf32>
  %s = mirage_kernel.sqr %a : (tensor<16x32xf32>) -> tensor<16x32xf32>
  %t = mirage_kernel.add %s, %three : (tensor<16x32xf32>, tensor<f32>) -> tensor<16x32xf32>
  %g = mirage_kernel.mul %a, %t : (tensor<16x32xf32>, tensor<16x32xf32>) -> tensor<16x32xf16>
  %y = mirage_kernel.matmul %g, %v : (tensor<16x32xf16>, tensor<32x16xf16>) -> tensor<16x16xf16>
  return %y : tensor<16x16xf16>
}
