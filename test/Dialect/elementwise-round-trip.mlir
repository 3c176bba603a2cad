// The elementwise operators, at all three levels.

// RUN: mirage-opt %s | mirage-opt | FileCheck %s
// RUN: mirage-opt --mlir-print-op-generic %s | mirage-opt | FileCheck %s
// RUN: sed -e 's/mirage_kernel/mirage_block/g' -e 's/tensor</!mirage.tile</g' %s > %t.block.mlir
// RUN: mirage-opt %t.block.mlir | mirage-opt | FileCheck %t.block.mlir
// RUN: sed -e 's/mirage_kernel/mirage_thread/g' -e 's/tensor</!mirage.fragment</g' %s > %t.thread.mlir
// RUN: mirage-opt %t.thread.mlir | mirage-opt | FileCheck %t.thread.mlir
// RUN: mirage-opt --mlir-print-op-generic %t.thread.mlir | mirage-opt | FileCheck %t.thread.mlir

// CHECK-LABEL: func.func @elementwise
// CHECK-SAME:  %[[X:.*]]: tensor<4x8xf16>, %[[Y:.*]]: tensor<8xbf16>
func.func @elementwise(%x: tensor<4x8xf16>, %y: tensor<8xbf16>) {
  // CHECK: mirage_kernel.max %[[X]], %[[Y]] : (tensor<4x8xf16>, tensor<8xbf16>) -> tensor<4x8xf32>
  %0 = mirage_kernel.max %x, %y : (tensor<4x8xf16>, tensor<8xbf16>) -> tensor<4x8xf32>
  // CHECK: mirage_kernel.min %[[X]], %[[Y]] : (tensor<4x8xf16>, tensor<8xbf16>) -> tensor<4x8xf16>
  %1 = mirage_kernel.min %x, %y : (tensor<4x8xf16>, tensor<8xbf16>) -> tensor<4x8xf16>
  // CHECK: mirage_kernel.neg %[[X]] : (tensor<4x8xf16>) -> tensor<4x8xf16>
  %2 = mirage_kernel.neg %x : (tensor<4x8xf16>) -> tensor<4x8xf16>
  // CHECK: mirage_kernel.rsqrt %[[X]] : (tensor<4x8xf16>) -> tensor<4x8xf32>
  %3 = mirage_kernel.rsqrt %x : (tensor<4x8xf16>) -> tensor<4x8xf32>
  // CHECK: mirage_kernel.log %[[X]] : (tensor<4x8xf16>) -> tensor<4x8xf32>
  %4 = mirage_kernel.log %x : (tensor<4x8xf16>) -> tensor<4x8xf32>
  // CHECK: mirage_kernel.erf %[[X]] : (tensor<4x8xf16>) -> tensor<4x8xf32>
  %5 = mirage_kernel.erf %x : (tensor<4x8xf16>) -> tensor<4x8xf32>
  // CHECK: mirage_kernel.relu %[[X]] : (tensor<4x8xf16>) -> tensor<4x8xf32>
  %6 = mirage_kernel.relu %x : (tensor<4x8xf16>) -> tensor<4x8xf32>
  // CHECK: mirage_kernel.sigmoid %[[X]] : (tensor<4x8xf16>) -> tensor<4x8xf32>
  %7 = mirage_kernel.sigmoid %x : (tensor<4x8xf16>) -> tensor<4x8xf32>
  // CHECK: mirage_kernel.tanh %[[X]] : (tensor<4x8xf16>) -> tensor<4x8xbf16>
  %8 = mirage_kernel.tanh %x : (tensor<4x8xf16>) -> tensor<4x8xbf16>
  // CHECK: mirage_kernel.gelu %[[X]] : (tensor<4x8xf16>) -> tensor<4x8xf32>
  %9 = mirage_kernel.gelu %x : (tensor<4x8xf16>) -> tensor<4x8xf32>
  // CHECK: mirage_kernel.clamp %[[X]] from -1.000000e+00 to 2.500000e+00 {note} : (tensor<4x8xf16>) -> tensor<4x8xf32>
  %10 = mirage_kernel.clamp %x from -1.0 to 2.5 {note} : (tensor<4x8xf16>) -> tensor<4x8xf32>
  // CHECK: mirage_kernel.pow %[[X]] to -1.500000e+00 : (tensor<4x8xf16>) -> tensor<4x8xf32>
  %11 = mirage_kernel.pow %x to -1.5 : (tensor<4x8xf16>) -> tensor<4x8xf32>
  // CHECK: mirage_kernel.greater %[[X]], %[[Y]] : (tensor<4x8xf16>, tensor<8xbf16>) -> tensor<4x8xf32>
  %12 = mirage_kernel.greater %x, %y : (tensor<4x8xf16>, tensor<8xbf16>) -> tensor<4x8xf32>
  // CHECK: mirage_kernel.where %[[Y]], %[[X]] : (tensor<8xbf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  %13 = mirage_kernel.where %y, %x : (tensor<8xbf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}
