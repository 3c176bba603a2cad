// What is divided by the constant 0 is infinite, and compiled as any other quotient.
// RUN: mirage-run %s --backend=host --check | FileCheck %s
// CHECK: output 0: 32x64xf32, {{.*}} (nothing to compare; limit
// CHECK: output 0: 2048 of 2048 elements are not finite
func.func @f(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %e = tensor.empty() : tensor<32x64xf32>
  %y = linalg.div ins(%x, %zero : tensor<32x64xf32>, tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  return %y : tensor<32x64xf32>
}
