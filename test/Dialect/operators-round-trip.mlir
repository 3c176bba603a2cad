// The operators that kernel and block graphs have, at both levels.

// RUN: mirage-opt %s | mirage-opt | FileCheck %s
// RUN: mirage-opt --mlir-print-op-generic %s | mirage-opt | FileCheck %s
// RUN: sed -e 's/mirage_kernel/mirage_block/g' -e 's/tensor</!mirage.tile</g' %s > %t.mlir
// RUN: mirage-opt %t.mlir | mirage-opt | FileCheck %t.mlir
// RUN: mirage-opt --mlir-print-op-generic %t.mlir | mirage-opt | FileCheck %t.mlir

// CHECK-LABEL: func.func @contractions
// CHECK-SAME:  %[[X:.*]]: tensor<4x8xf16>, %[[W:.*]]: tensor<8x4xf16>
func.func @contractions(%x: tensor<4x8xf16>, %w: tensor<8x4xf16>) {
  // CHECK: mirage_kernel.concat_matmul %[[X]], %[[X]], %[[W]], %[[W]] : (tensor<4x8xf16>, tensor<4x8xf16>, tensor<8x4xf16>, tensor<8x4xf16>) -> tensor<4x4xf32>
  %0 = mirage_kernel.concat_matmul %x, %x, %w, %w : (tensor<4x8xf16>, tensor<4x8xf16>, tensor<8x4xf16>, tensor<8x4xf16>) -> tensor<4x4xf32>
  // CHECK: mirage_kernel.sum %[[X]] dim 1 size 4 : (tensor<4x8xf16>) -> tensor<4x2xf32>
  %1 = mirage_kernel.sum %x dim 1 size 4 : (tensor<4x8xf16>) -> tensor<4x2xf32>
  // CHECK: mirage_kernel.reduce_max %[[X]] dim 0 : (tensor<4x8xf16>) -> tensor<1x8xbf16>
  %2 = mirage_kernel.reduce_max %x dim 0 : (tensor<4x8xf16>) -> tensor<1x8xbf16>
  return
}

// CHECK-LABEL: func.func @data_movements
// CHECK-SAME:  %[[X:.*]]: tensor<4x8xf16>, %[[Y:.*]]: tensor<2x8xf16>
func.func @data_movements(%x: tensor<4x8xf16>, %y: tensor<2x8xf16>) {
  // CHECK: mirage_kernel.reshape %[[X]] : (tensor<4x8xf16>) -> tensor<2x2x8xf16>
  %0 = mirage_kernel.reshape %x : (tensor<4x8xf16>) -> tensor<2x2x8xf16>
  // CHECK: mirage_kernel.transpose %[[X]] permutation [1, 0] : (tensor<4x8xf16>) -> tensor<8x4xf32>
  %1 = mirage_kernel.transpose %x permutation [1, 0] : (tensor<4x8xf16>) -> tensor<8x4xf32>
  // CHECK: mirage_kernel.broadcast %[[X]] : (tensor<4x8xf16>) -> tensor<3x4x8xf16>
  %2 = mirage_kernel.broadcast %x : (tensor<4x8xf16>) -> tensor<3x4x8xf16>
  // CHECK: mirage_kernel.repeat %[[X]] dim 1 times 3 : (tensor<4x8xf16>) -> tensor<4x24xf16>
  %3 = mirage_kernel.repeat %x dim 1 times 3 : (tensor<4x8xf16>) -> tensor<4x24xf16>
  // CHECK: mirage_kernel.concat %[[X]], %[[Y]] dim 0 {note} : (tensor<4x8xf16>, tensor<2x8xf16>) -> tensor<6x8xf16>
  %4 = mirage_kernel.concat %x, %y dim 0 {note} : (tensor<4x8xf16>, tensor<2x8xf16>) -> tensor<6x8xf16>
  // CHECK: mirage_kernel.slice %[[X]] dim 1 offset 2 size 3 {note} : (tensor<4x8xf16>) -> tensor<4x3xf16>
  %slice = mirage_kernel.slice %x dim 1 offset 2 size 3 {note} : (tensor<4x8xf16>) -> tensor<4x3xf16>
  return
}
