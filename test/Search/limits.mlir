// With one operator to a kernel there are still graphs of several kernels; limits may be as large as they can be.

// RUN: mirage-opt %s --mirage-superoptimize="max-block-ops=1 max-kernel-ops=5" | FileCheck %s --check-prefix=SMALL
// RUN: mirage-opt %s --mirage-superoptimize="max-block-ops=1000 max-kernel-ops=100 max-free-ops=1000" \
// RUN:   | FileCheck %s --check-prefix=LARGE

// SMALL: func.func @chain(
// SMALL-COUNT-3: = mirage_kernel.{{graph_defined\(|add }}
// SMALL-NOT: mirage_kernel.
// SMALL: func.func private
// LARGE: func.func @chain(
// LARGE-COUNT-1: mirage_kernel.graph_defined(
// LARGE-NOT: mirage_kernel.graph_defined(
// LARGE: func.func private
func.func @chain(%x: tensor<1024x1024xf32>, %y: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %a = mirage_kernel.mul %x, %y : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %b = mirage_kernel.exp %a : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %c = mirage_kernel.mul %b, %x : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %d = mirage_kernel.sqrt %c : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %e = mirage_kernel.add %d, %y : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %e : tensor<1024x1024xf32>
}
