// Which slices and concatenations are kernels, and which only places in buffers.

// RUN: mirage-opt --convert-mirage-to-gpu="target=sm_80 threads=64 allow-unverified" %s | FileCheck %s

// A part of a part, read where it is, and both operands of a concatenation, written where they are.
// CHECK-LABEL: gpu.func @views_0(
// CHECK-SAME:    %[[X:.*]]: memref<8x16xf16>, %[[OUT:.*]]: memref<4x9xf16>)
// CHECK:         %[[I:.*]] = arith.addi %{{.*}}, %c3
// CHECK:         %[[J:.*]] = arith.addi %{{.*}}, %c6
// CHECK:         memref.load %[[X]][%[[I]], %[[J]]]
// CHECK:         memref.store %{{.*}}, %[[OUT]][%{{.*}}, %{{.*}}] : memref<4x9xf16>
// CHECK-LABEL: gpu.func @views_1(
// CHECK-SAME:    %[[Y:.*]]: memref<4x4xf16>, %[[OUT:.*]]: memref<4x9xf16>)
// CHECK:         %[[K:.*]] = arith.addi %{{.*}}, %c5
// CHECK:         memref.store %{{.*}}, %[[OUT]][%{{.*}}, %[[K]]]
// A part of the concatenation is read there, by a kernel that comes after it.
// CHECK-LABEL: gpu.func @views_2(
// CHECK-SAME:    %[[BOTH:.*]]: memref<4x9xf16>, %[[OUT:.*]]: memref<4x4xf16>)
// CHECK:         %[[L:.*]] = arith.addi %{{.*}}, %c5
// CHECK:         memref.load %[[BOTH]][%{{.*}}, %[[L]]]

// What is returned has a buffer of its own, reshaped elements lie next to each other, and a cast rounds.
// CHECK-LABEL: gpu.func @returned_0(
// CHECK-SAME:    memref<8x16xf16>, %{{.*}}: memref<8x4xf16>)
// CHECK-LABEL: gpu.func @reshaped_0(
// CHECK-SAME:    memref<8x16xf16>, %{{.*}}: memref<8x4xf16>)
// CHECK-LABEL: gpu.func @reshaped_1(
// CHECK-SAME:    memref<8x4xf16>, %{{.*}}: memref<32xf16>)
// CHECK-LABEL: gpu.func @rounded_0(
// CHECK-SAME:    memref<8x16xf32>, %{{.*}}: memref<8x4xf16>)
// CHECK-LABEL: gpu.func @rounded_1(

// An argument, the same twice, and a part that another concatenation has are copied.
// CHECK-LABEL: gpu.func @of_argument_0(
// CHECK-LABEL: gpu.func @of_argument_1(
// CHECK-SAME:    memref<4x5xf16>, %{{.*}}: memref<4x4xf16>, %{{.*}}: memref<4x9xf16>)
// CHECK-LABEL: gpu.func @twice_0(
// CHECK-LABEL: gpu.func @twice_1(
// CHECK-SAME:    memref<4x5xf16>, %{{.*}}: memref<4x10xf16>)
// CHECK-LABEL: gpu.func @in_two_0(
// CHECK-LABEL: gpu.func @in_two_1(
// CHECK-LABEL: gpu.func @in_two_2(
// CHECK-LABEL: gpu.func @in_two_3(

// Concatenations of concatenations are written where the last one is.
// CHECK-LABEL: gpu.func @nested_0(
// CHECK-SAME:    memref<4x5xf16>, %{{.*}}: memref<4x14xf16>)
// CHECK-LABEL: gpu.func @nested_1(
// CHECK-SAME:    memref<4x4xf16>, %{{.*}}: memref<4x14xf16>)
// CHECK-LABEL: gpu.func @nested_2(
// CHECK-NOT:   gpu.func

func.func @views(%x: tensor<8x16xf16>, %y: tensor<4x4xf16>) -> (tensor<4x9xf16>, tensor<4x4xf16>) {
  %0 = mirage_kernel.slice %x dim 0 offset 3 size 4 : (tensor<8x16xf16>) -> tensor<4x16xf16>
  %1 = mirage_kernel.slice %0 dim 1 offset 6 size 5 : (tensor<4x16xf16>) -> tensor<4x5xf16>
  %2 = mirage_kernel.exp %1 : (tensor<4x5xf16>) -> tensor<4x5xf16>
  %3 = mirage_kernel.neg %y : (tensor<4x4xf16>) -> tensor<4x4xf16>
  %4 = mirage_kernel.concat %2, %3 dim 1 : (tensor<4x5xf16>, tensor<4x4xf16>) -> tensor<4x9xf16>
  %5 = mirage_kernel.exp %3 : (tensor<4x4xf16>) -> tensor<4x4xf16>
  return %4, %5 : tensor<4x9xf16>, tensor<4x4xf16>
}

func.func @returned(%x: tensor<8x16xf16>) -> tensor<8x4xf16> {
  %0 = mirage_kernel.slice %x dim 1 offset 4 size 4 : (tensor<8x16xf16>) -> tensor<8x4xf16>
  return %0 : tensor<8x4xf16>
}

func.func @reshaped(%x: tensor<8x16xf16>) -> tensor<32xf16> {
  %0 = mirage_kernel.slice %x dim 1 offset 4 size 4 : (tensor<8x16xf16>) -> tensor<8x4xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<8x4xf16>) -> tensor<32xf16>
  %2 = mirage_kernel.exp %1 : (tensor<32xf16>) -> tensor<32xf16>
  return %2 : tensor<32xf16>
}

func.func @rounded(%x: tensor<8x16xf32>) -> tensor<8x4xf16> {
  %0 = mirage_kernel.slice %x dim 1 offset 4 size 4 : (tensor<8x16xf32>) -> tensor<8x4xf16>
  %1 = mirage_kernel.exp %0 : (tensor<8x4xf16>) -> tensor<8x4xf16>
  return %1 : tensor<8x4xf16>
}

func.func @of_argument(%x: tensor<4x5xf16>, %y: tensor<4x4xf16>) -> tensor<4x9xf16> {
  %0 = mirage_kernel.exp %x : (tensor<4x5xf16>) -> tensor<4x5xf16>
  %1 = mirage_kernel.concat %0, %y dim 1 : (tensor<4x5xf16>, tensor<4x4xf16>) -> tensor<4x9xf16>
  return %1 : tensor<4x9xf16>
}

func.func @twice(%x: tensor<4x5xf16>) -> tensor<4x10xf16> {
  %0 = mirage_kernel.exp %x : (tensor<4x5xf16>) -> tensor<4x5xf16>
  %1 = mirage_kernel.concat %0, %0 dim 1 : (tensor<4x5xf16>, tensor<4x5xf16>) -> tensor<4x10xf16>
  return %1 : tensor<4x10xf16>
}

func.func @in_two(%x: tensor<4x5xf16>, %y: tensor<4x5xf16>) -> (tensor<4x10xf16>, tensor<8x5xf16>) {
  %0 = mirage_kernel.exp %x : (tensor<4x5xf16>) -> tensor<4x5xf16>
  %1 = mirage_kernel.exp %y : (tensor<4x5xf16>) -> tensor<4x5xf16>
  %2 = mirage_kernel.concat %0, %1 dim 1 : (tensor<4x5xf16>, tensor<4x5xf16>) -> tensor<4x10xf16>
  %3 = mirage_kernel.concat %0, %1 dim 0 : (tensor<4x5xf16>, tensor<4x5xf16>) -> tensor<8x5xf16>
  return %2, %3 : tensor<4x10xf16>, tensor<8x5xf16>
}

func.func @nested(%x: tensor<4x5xf16>, %y: tensor<4x4xf16>) -> tensor<4x14xf16> {
  %0 = mirage_kernel.exp %x : (tensor<4x5xf16>) -> tensor<4x5xf16>
  %1 = mirage_kernel.exp %y : (tensor<4x4xf16>) -> tensor<4x4xf16>
  %2 = mirage_kernel.concat %0, %1 dim 1 : (tensor<4x5xf16>, tensor<4x4xf16>) -> tensor<4x9xf16>
  %3 = mirage_kernel.neg %x : (tensor<4x5xf16>) -> tensor<4x5xf16>
  %4 = mirage_kernel.concat %2, %3 dim 1 : (tensor<4x9xf16>, tensor<4x5xf16>) -> tensor<4x14xf16>
  return %4 : tensor<4x14xf16>
}
