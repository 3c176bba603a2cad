// Layer norm in front of three projections with biases, one of them transposed, in kernels of 11 operators at most: two million states
// don't end it. It is searched in parts.

// RUN: mirage-opt %s --mirage-superoptimize="target=sm_90a max-whole-ops=11 report=%t.json" | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json

// CHECK-COUNT-2: mirage_kernel.graph_defined(
// CHECK-NOT: mirage_kernel.graph_defined(
// REPORT: "verdict": "proved"
// REPORT: "exhausted": false
// REPORT: "stopped_by": "size-limit"

// One of more operators computes it all.
// RUN: mirage-opt %s --mirage-superoptimize="target=sm_90a" | FileCheck %s --check-prefix=LONG
// LONG-LABEL: func.func @norm_projections(
// LONG-NEXT: = mirage_kernel.graph_defined(
// LONG-NOT: = mirage_kernel.
// LONG: func.func private
func.func @norm_projections(%arg0: tensor<7x96xf16>, %arg1: tensor<96xf16>, %arg2: tensor<96xf16>, %arg3: tensor<96x40xf16>, %arg4: tensor<40xf16>, %arg5: tensor<96x24xf16>, %arg6: tensor<24xf16>, %arg7: tensor<96x40xf16>, %arg8: tensor<40xf16>) -> (tensor<7x40xf16>, tensor<24x7xf16>, tensor<7x40xf16>) {
  %0 = mirage_kernel.sum %arg0 dim 1 : (tensor<7x96xf16>) -> tensor<7x1xf32>
  %1 = mirage.constant 9.600000e+01 : tensor<f32>
  %2 = mirage_kernel.div %0, %1 : (tensor<7x1xf32>, tensor<f32>) -> tensor<7x1xf32>
  %3 = mirage_kernel.sub %arg0, %2 : (tensor<7x96xf16>, tensor<7x1xf32>) -> tensor<7x96xf32>
  %4 = mirage_kernel.sqr %3 : (tensor<7x96xf32>) -> tensor<7x96xf32>
  %5 = mirage_kernel.sum %4 dim 1 : (tensor<7x96xf32>) -> tensor<7x1xf32>
  %6 = mirage_kernel.div %5, %1 : (tensor<7x1xf32>, tensor<f32>) -> tensor<7x1xf32>
  %7 = mirage.constant 9.9999997473787516E-6 : tensor<f32>
  %8 = mirage_kernel.add %6, %7 : (tensor<7x1xf32>, tensor<f32>) -> tensor<7x1xf32>
  %9 = mirage_kernel.sqrt %8 : (tensor<7x1xf32>) -> tensor<7x1xf32>
  %10 = mirage_kernel.div %3, %9 : (tensor<7x96xf32>, tensor<7x1xf32>) -> tensor<7x96xf32>
  %11 = mirage_kernel.mul %10, %arg1 : (tensor<7x96xf32>, tensor<96xf16>) -> tensor<7x96xf32>
  %12 = mirage_kernel.add %11, %arg2 : (tensor<7x96xf32>, tensor<96xf16>) -> tensor<7x96xf16>
  %13 = mirage_kernel.matmul %12, %arg3 : (tensor<7x96xf16>, tensor<96x40xf16>) -> tensor<7x40xf16>
  %14 = mirage_kernel.add %13, %arg4 : (tensor<7x40xf16>, tensor<40xf16>) -> tensor<7x40xf16>
  %15 = mirage_kernel.matmul %12, %arg5 : (tensor<7x96xf16>, tensor<96x24xf16>) -> tensor<7x24xf16>
  %16 = mirage_kernel.add %15, %arg6 : (tensor<7x24xf16>, tensor<24xf16>) -> tensor<7x24xf16>
  %17 = mirage_kernel.matmul %12, %arg7 : (tensor<7x96xf16>, tensor<96x40xf16>) -> tensor<7x40xf16>
  %18 = mirage_kernel.add %17, %arg8 : (tensor<7x40xf16>, tensor<40xf16>) -> tensor<7x40xf16>
  %19 = mirage_kernel.transpose %16 permutation [1, 0] : (tensor<7x24xf16>) -> tensor<24x7xf16>
  return %14, %19, %18 : tensor<7x40xf16>, tensor<24x7xf16>, tensor<7x40xf16>
}

