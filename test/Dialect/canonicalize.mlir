// Canonicalization of the operators that kernel and block graphs have, the same
// at both levels: no number changes, so an op that rounds isn't removed.

// RUN: mirage-opt --canonicalize %s | FileCheck %s
// RUN: sed -e 's/mirage_kernel/mirage_block/g' -e 's/tensor</!mirage.tile</g' %s > %t.mlir
// RUN: mirage-opt --canonicalize %t.mlir | FileCheck %t.mlir

// CHECK-LABEL: func.func @transposes(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x4xf16>)
// CHECK-NEXT:    %[[BOTH:.*]] = mirage_kernel.transpose %[[X]] permutation [1, 2, 0] : (tensor<2x3x4xf16>) -> tensor<3x4x2xf16>
// CHECK-NEXT:    return %[[X]], %[[BOTH]], %[[X]]
func.func @transposes(%x: tensor<2x3x4xf16>) -> (tensor<2x3x4xf16>, tensor<3x4x2xf16>, tensor<2x3x4xf16>) {
  %0 = mirage_kernel.transpose %x permutation [0, 1, 2] : (tensor<2x3x4xf16>) -> tensor<2x3x4xf16>
  %1 = mirage_kernel.transpose %x permutation [2, 1, 0] : (tensor<2x3x4xf16>) -> tensor<4x3x2xf16>
  %2 = mirage_kernel.transpose %1 permutation [1, 0, 2] : (tensor<4x3x2xf16>) -> tensor<3x4x2xf16>
  %3 = mirage_kernel.transpose %2 permutation [2, 0, 1] : (tensor<3x4x2xf16>) -> tensor<2x3x4xf16>
  return %0, %2, %3 : tensor<2x3x4xf16>, tensor<3x4x2xf16>, tensor<2x3x4xf16>
}

// What an op rounds stays rounded: an identity becomes a cast, and the first of
// two transposes stays.
// CHECK-LABEL: func.func @rounding(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3xf32>)
// CHECK-NEXT:    %[[CAST:.*]] = mirage_kernel.cast %[[X]] : (tensor<2x3xf32>) -> tensor<2x3xf16>
// CHECK-NEXT:    %[[FIRST:.*]] = mirage_kernel.transpose %[[X]] permutation [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf16>
// CHECK-NEXT:    %[[SECOND:.*]] = mirage_kernel.transpose %[[FIRST]] permutation [1, 0] : (tensor<3x2xf16>) -> tensor<2x3xf32>
// CHECK-NEXT:    return %[[CAST]], %[[SECOND]]
func.func @rounding(%x: tensor<2x3xf32>) -> (tensor<2x3xf16>, tensor<2x3xf32>) {
  %0 = mirage_kernel.transpose %x permutation [0, 1] : (tensor<2x3xf32>) -> tensor<2x3xf16>
  %1 = mirage_kernel.transpose %x permutation [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf16>
  %2 = mirage_kernel.transpose %1 permutation [1, 0] : (tensor<3x2xf16>) -> tensor<2x3xf32>
  return %0, %2 : tensor<2x3xf16>, tensor<2x3xf32>
}

// A widening loses nothing.
// CHECK-LABEL: func.func @widening(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3xf16>)
// CHECK-NEXT:    return %[[X]]
func.func @widening(%x: tensor<2x3xf16>) -> tensor<2x3xf16> {
  %0 = mirage_kernel.transpose %x permutation [1, 0] : (tensor<2x3xf16>) -> tensor<3x2xf32>
  %1 = mirage_kernel.transpose %0 permutation [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf16>
  return %1 : tensor<2x3xf16>
}

// CHECK-LABEL: func.func @reshapes(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf16>)
// CHECK-NEXT:    %[[BOTH:.*]] = mirage_kernel.reshape %[[X]] : (tensor<4x8xf16>) -> tensor<2x16xf16>
// CHECK-NEXT:    return %[[X]], %[[BOTH]], %[[X]]
func.func @reshapes(%x: tensor<4x8xf16>) -> (tensor<4x8xf16>, tensor<2x16xf16>, tensor<4x8xf16>) {
  %0 = mirage_kernel.reshape %x : (tensor<4x8xf16>) -> tensor<4x8xf16>
  %1 = mirage_kernel.reshape %x : (tensor<4x8xf16>) -> tensor<32xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<32xf16>) -> tensor<2x16xf16>
  %3 = mirage_kernel.reshape %2 : (tensor<2x16xf16>) -> tensor<4x8xf16>
  return %0, %2, %3 : tensor<4x8xf16>, tensor<2x16xf16>, tensor<4x8xf16>
}

// CHECK-LABEL: func.func @broadcasts(
// CHECK-SAME:    %[[X:.*]]: tensor<4x1xf16>)
// CHECK-NEXT:    %[[BOTH:.*]] = mirage_kernel.broadcast %[[X]] : (tensor<4x1xf16>) -> tensor<2x4x8xf16>
// CHECK-NEXT:    return %[[X]], %[[BOTH]]
func.func @broadcasts(%x: tensor<4x1xf16>) -> (tensor<4x1xf16>, tensor<2x4x8xf16>) {
  %0 = mirage_kernel.broadcast %x : (tensor<4x1xf16>) -> tensor<4x1xf16>
  %1 = mirage_kernel.broadcast %x : (tensor<4x1xf16>) -> tensor<4x8xf16>
  %2 = mirage_kernel.broadcast %1 : (tensor<4x8xf16>) -> tensor<2x4x8xf16>
  return %0, %2 : tensor<4x1xf16>, tensor<2x4x8xf16>
}

// Repetitions along one dimension are one; along two they are two.
// CHECK-LABEL: func.func @repeats(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf16>)
// CHECK-NEXT:    %[[BOTH:.*]] = mirage_kernel.repeat %[[X]] dim 0 times 6 : (tensor<4x8xf16>) -> tensor<24x8xf16>
// CHECK-NEXT:    %[[OTHER:.*]] = mirage_kernel.repeat %[[BOTH]] dim 1 times 2 : (tensor<24x8xf16>) -> tensor<24x16xf16>
// CHECK-NEXT:    return %[[X]], %[[BOTH]], %[[OTHER]]
func.func @repeats(%x: tensor<4x8xf16>) -> (tensor<4x8xf16>, tensor<24x8xf16>, tensor<24x16xf16>) {
  %0 = mirage_kernel.repeat %x dim 0 times 1 : (tensor<4x8xf16>) -> tensor<4x8xf16>
  %1 = mirage_kernel.repeat %x dim 0 times 2 : (tensor<4x8xf16>) -> tensor<8x8xf16>
  %2 = mirage_kernel.repeat %1 dim 0 times 3 : (tensor<8x8xf16>) -> tensor<24x8xf16>
  %3 = mirage_kernel.repeat %2 dim 1 times 2 : (tensor<24x8xf16>) -> tensor<24x16xf16>
  return %0, %2, %3 : tensor<4x8xf16>, tensor<24x8xf16>, tensor<24x16xf16>
}

// Not more repetitions than one op may make.
// CHECK-LABEL: func.func @many_repeats(
// CHECK:         %[[FIRST:.*]] = mirage_kernel.repeat %{{.*}} dim 0 times 1048576
// CHECK-NEXT:    mirage_kernel.repeat %[[FIRST]] dim 0 times 2
func.func @many_repeats(%x: tensor<1xf16>) -> tensor<2097152xf16> {
  %0 = mirage_kernel.repeat %x dim 0 times 1048576 : (tensor<1xf16>) -> tensor<1048576xf16>
  %1 = mirage_kernel.repeat %0 dim 0 times 2 : (tensor<1048576xf16>) -> tensor<2097152xf16>
  return %1 : tensor<2097152xf16>
}

// CHECK-LABEL: func.func @concats(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf16>, %[[Y:.*]]: tensor<4x8xf16>)
// CHECK-NEXT:    %[[TWICE:.*]] = mirage_kernel.repeat %[[X]] dim 1 times 2 : (tensor<4x8xf16>) -> tensor<4x16xf16>
// CHECK-NEXT:    %[[CONCAT:.*]] = mirage_kernel.concat %[[X]], %[[Y]] dim 1
// CHECK-NEXT:    return %[[TWICE]], %[[CONCAT]]
func.func @concats(%x: tensor<4x8xf16>, %y: tensor<4x8xf16>) -> (tensor<4x16xf16>, tensor<4x16xf16>) {
  %0 = mirage_kernel.concat %x, %x dim 1 : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x16xf16>
  %1 = mirage_kernel.concat %x, %y dim 1 : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x16xf16>
  return %0, %1 : tensor<4x16xf16>, tensor<4x16xf16>
}

// A part of a part is one; all of a tensor is the tensor.
// CHECK-LABEL: func.func @slices(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf16>)
// CHECK-NEXT:    %[[PART:.*]] = mirage_kernel.slice %[[X]] dim 1 offset 5 size 2 : (tensor<4x8xf16>) -> tensor<4x2xf16>
// CHECK-NEXT:    %[[ROW:.*]] = mirage_kernel.slice %[[PART]] dim 0 offset 3 size 1
// CHECK-NEXT:    return %[[PART]], %[[ROW]], %[[X]]
func.func @slices(%x: tensor<4x8xf16>) -> (tensor<4x2xf16>, tensor<1x2xf16>, tensor<4x8xf16>) {
  %0 = mirage_kernel.slice %x dim 1 offset 2 size 6 : (tensor<4x8xf16>) -> tensor<4x6xf16>
  %1 = mirage_kernel.slice %0 dim 1 offset 3 size 2 : (tensor<4x6xf16>) -> tensor<4x2xf16>
  %2 = mirage_kernel.slice %1 dim 0 offset 3 size 1 : (tensor<4x2xf16>) -> tensor<1x2xf16>
  %3 = mirage_kernel.slice %x dim 0 offset 0 size 4 : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return %1, %2, %3 : tensor<4x2xf16>, tensor<1x2xf16>, tensor<4x8xf16>
}

// Of one element there is nothing to reduce.
// CHECK-LABEL: func.func @reductions(
// CHECK-SAME:    %[[X:.*]]: tensor<4x1xf16>)
// CHECK-NEXT:    %[[CAST:.*]] = mirage_kernel.cast %[[X]] : (tensor<4x1xf16>) -> tensor<4x1xf32>
// CHECK-NEXT:    %[[SUM:.*]] = mirage_kernel.sum %[[X]] dim 0
// CHECK-NEXT:    %[[GROUPS:.*]] = mirage_kernel.sum %[[X]] dim 0 size 2
// CHECK-NEXT:    return %[[CAST]], %[[X]], %[[X]], %[[SUM]], %[[GROUPS]]
func.func @reductions(%x: tensor<4x1xf16>) -> (tensor<4x1xf32>, tensor<4x1xf16>, tensor<4x1xf16>, tensor<1x1xf16>, tensor<2x1xf16>) {
  %0 = mirage_kernel.sum %x dim 1 : (tensor<4x1xf16>) -> tensor<4x1xf32>
  %1 = mirage_kernel.sum %x dim 0 size 1 : (tensor<4x1xf16>) -> tensor<4x1xf16>
  %2 = mirage_kernel.reduce_max %x dim 1 : (tensor<4x1xf16>) -> tensor<4x1xf16>
  %3 = mirage_kernel.sum %x dim 0 : (tensor<4x1xf16>) -> tensor<1x1xf16>
  %4 = mirage_kernel.sum %x dim 0 size 2 : (tensor<4x1xf16>) -> tensor<2x1xf16>
  return %0, %1, %2, %3, %4 : tensor<4x1xf32>, tensor<4x1xf16>, tensor<4x1xf16>, tensor<1x1xf16>, tensor<2x1xf16>
}
