// As many elementwise operators stand in a row as the program has, whatever the limit; a search that is cut short says so; and what was
// searched is not searched again as a program of its own.

// RUN: mirage-opt %s --mirage-superoptimize="max-free-ops=2" -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mirage-opt %s --mirage-superoptimize="candidates=2 time-limit=1e-9" 2>&1 | FileCheck %s --check-prefix=TIME
// RUN: mirage-opt %t.mlir --mirage-superoptimize | FileCheck %s --check-prefix=AGAIN

// CHECK: func.func @chain(
// CHECK: mirage_kernel.graph_defined(
// CHECK-NOT: mirage_kernel.
// CHECK: func.func private @chain_reference(
// TIME: remark: found no μGraph that is cheaper than the program; it stays as it is (not all were searched: the time-limit came first)
// AGAIN-NOT: chain_reference_reference
func.func @chain(%x: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
  %a = mirage_kernel.exp %x : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %b = mirage_kernel.sqrt %a : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %c = mirage_kernel.silu %b : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %d = mirage_kernel.relu %c : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %e = mirage_kernel.exp %d : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %f = mirage_kernel.silu %e : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %g = mirage_kernel.relu %f : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %g : tensor<1024x1024xf32>
}
