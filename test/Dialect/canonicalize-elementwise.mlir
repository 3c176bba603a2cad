// Canonicalization of elementwise operators, the same at all three levels.

// RUN: mirage-opt --canonicalize %s | FileCheck %s
// RUN: sed -e 's/mirage_kernel/mirage_block/g' -e 's/tensor</!mirage.tile</g' %s > %t.block.mlir
// RUN: mirage-opt --canonicalize %t.block.mlir | FileCheck %t.block.mlir
// RUN: sed -e 's/mirage_kernel/mirage_thread/g' -e 's/tensor</!mirage.fragment</g' %s > %t.thread.mlir
// RUN: mirage-opt --canonicalize %t.thread.mlir | FileCheck %t.thread.mlir

// CHECK-LABEL: func.func @casts(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf16>, %[[Y:.*]]: tensor<8xf32>)
// CHECK-NEXT:    %[[BF16:.*]] = mirage_kernel.cast %[[X]] : (tensor<8xf16>) -> tensor<8xbf16>
// CHECK-NEXT:    %[[NARROW:.*]] = mirage_kernel.cast %[[Y]] : (tensor<8xf32>) -> tensor<8xf16>
// CHECK-NEXT:    %[[WIDE:.*]] = mirage_kernel.cast %[[NARROW]] : (tensor<8xf16>) -> tensor<8xf32>
// CHECK-NEXT:    %[[OTHER:.*]] = mirage_kernel.cast %[[BF16]] : (tensor<8xbf16>) -> tensor<8xf16>
// CHECK-NEXT:    return %[[X]], %[[X]], %[[BF16]], %[[WIDE]], %[[OTHER]]
func.func @casts(%x: tensor<8xf16>, %y: tensor<8xf32>) -> (tensor<8xf16>, tensor<8xf16>, tensor<8xbf16>, tensor<8xf32>, tensor<8xf16>) {
  %0 = mirage_kernel.cast %x : (tensor<8xf16>) -> tensor<8xf16>
  %1 = mirage_kernel.cast %x : (tensor<8xf16>) -> tensor<8xf32>
  %2 = mirage_kernel.cast %1 : (tensor<8xf32>) -> tensor<8xf16>
  %3 = mirage_kernel.cast %1 : (tensor<8xf32>) -> tensor<8xbf16>
  %4 = mirage_kernel.cast %y : (tensor<8xf32>) -> tensor<8xf16>
  %5 = mirage_kernel.cast %4 : (tensor<8xf16>) -> tensor<8xf32>
  %6 = mirage_kernel.cast %3 : (tensor<8xbf16>) -> tensor<8xf16>
  return %0, %2, %3, %5, %6 : tensor<8xf16>, tensor<8xf16>, tensor<8xbf16>, tensor<8xf32>, tensor<8xf16>
}

// The last pair rounds in between.
// CHECK-LABEL: func.func @negations(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>)
// CHECK-NEXT:    %[[CAST:.*]] = mirage_kernel.cast %[[X]] : (tensor<8xf32>) -> tensor<8xf16>
// CHECK-NEXT:    %[[FIRST:.*]] = mirage_kernel.neg %[[X]] : (tensor<8xf32>) -> tensor<8xf16>
// CHECK-NEXT:    %[[SECOND:.*]] = mirage_kernel.neg %[[FIRST]] : (tensor<8xf16>) -> tensor<8xf32>
// CHECK-NEXT:    return %[[X]], %[[CAST]], %[[SECOND]]
func.func @negations(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf16>, tensor<8xf32>) {
  %0 = mirage_kernel.neg %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = mirage_kernel.neg %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = mirage_kernel.neg %0 : (tensor<8xf32>) -> tensor<8xf16>
  %3 = mirage_kernel.neg %x : (tensor<8xf32>) -> tensor<8xf16>
  %4 = mirage_kernel.neg %3 : (tensor<8xf16>) -> tensor<8xf32>
  return %1, %2, %4 : tensor<8xf32>, tensor<8xf16>, tensor<8xf32>
}

// CHECK-LABEL: func.func @idempotent(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>)
// CHECK-NEXT:    %[[RELU:.*]] = mirage_kernel.relu %[[X]]
// CHECK-NEXT:    %[[CLAMP:.*]] = mirage_kernel.clamp %[[X]] from 0.000000e+00 to 1.000000e+00
// CHECK-NEXT:    %[[OTHER:.*]] = mirage_kernel.clamp %[[CLAMP]] from 0.000000e+00 to 5.000000e-01
// CHECK-NEXT:    %[[TYPE:.*]] = mirage_kernel.clamp %[[OTHER]] from 0.000000e+00 to 5.000000e-01 : (tensor<8xf32>) -> tensor<8xf16>
// CHECK-NEXT:    return %[[RELU]], %[[CLAMP]], %[[OTHER]], %[[TYPE]]
func.func @idempotent(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf16>) {
  %0 = mirage_kernel.relu %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = mirage_kernel.relu %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = mirage_kernel.clamp %x from 0.0 to 1.0 : (tensor<8xf32>) -> tensor<8xf32>
  %3 = mirage_kernel.clamp %2 from 0.0 to 1.0 : (tensor<8xf32>) -> tensor<8xf32>
  %4 = mirage_kernel.clamp %3 from 0.0 to 0.5 : (tensor<8xf32>) -> tensor<8xf32>
  %5 = mirage_kernel.clamp %4 from 0.0 to 0.5 : (tensor<8xf32>) -> tensor<8xf16>
  return %1, %3, %4, %5 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf16>
}

// CHECK-LABEL: func.func @powers(
// CHECK-SAME:    %[[X:.*]]: tensor<8xf32>)
// CHECK-NEXT:    %[[SQUARE:.*]] = mirage_kernel.pow %[[X]] to 2.000000e+00
// CHECK-NEXT:    return %[[X]], %[[SQUARE]]
func.func @powers(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = mirage_kernel.pow %x to 1.0 : (tensor<8xf32>) -> tensor<8xf32>
  %1 = mirage_kernel.pow %x to 2.0 : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
