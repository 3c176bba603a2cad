// What is compared with f64 is a program in linalg.

// RUN: not mirage-run %s --check 2>&1 | FileCheck %s

// CHECK: check-mugraph.mlir:[[@LINE+2]]:8: error: --check evaluates programs in linalg, not μGraphs
func.func @f(%a: tensor<16x16xf16>) -> tensor<16x16xf16> {
  %b = mirage_kernel.exp %a : (tensor<16x16xf16>) -> tensor<16x16xf16>
  return %b : tensor<16x16xf16>
}
