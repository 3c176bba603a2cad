// RUN: mirage-opt --convert-linalg-to-mirage %s | FileCheck %s

// Elements that are repeated one by one: what reads them works on the blocks that share one.

// CHECK-LABEL: func.func @elements(
// CHECK-SAME:    %[[W:.*]]: tensor<6x32xf16>, %[[S:.*]]: tensor<6x4xf16>)
// CHECK-DAG:     %[[R:.*]] = mirage_kernel.reshape %[[S]] : (tensor<6x4xf16>) -> tensor<6x4x1xf16>
// CHECK-DAG:     %[[B:.*]] = mirage_kernel.reshape %[[W]] : (tensor<6x32xf16>) -> tensor<6x4x8xf16>
// CHECK:         %[[P:.*]] = mirage_kernel.mul %[[B]], %[[R]] : (tensor<6x4x8xf16>, tensor<6x4x1xf16>) -> tensor<6x4x8xf16>
// CHECK-NEXT:    %[[Y:.*]] = mirage_kernel.reshape %[[P]] : (tensor<6x4x8xf16>) -> tensor<6x32xf16>
// CHECK-NEXT:    return %[[Y]]
func.func @elements(%w: tensor<6x32xf16>, %s: tensor<6x4xf16>) -> tensor<6x32xf16> {
  %0 = mirage_kernel.reshape %s : (tensor<6x4xf16>) -> tensor<6x4x1xf16>
  %1 = mirage_kernel.broadcast %0 : (tensor<6x4x1xf16>) -> tensor<6x4x8xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<6x4x8xf16>) -> tensor<6x32xf16>
  %3 = mirage_kernel.mul %w, %2 : (tensor<6x32xf16>, tensor<6x32xf16>) -> tensor<6x32xf16>
  return %3 : tensor<6x32xf16>
}

// Along one dimension, and then along the other; and an offset, along both at once.

// CHECK-LABEL: func.func @blocks(
// CHECK-NOT:     mirage_kernel.broadcast
// CHECK:         mirage_kernel.sub %{{.*}} : (tensor<3x2x4x8xf16>, tensor<3x1x4x1xf16>) -> tensor<3x2x4x8xf16>
// CHECK-NOT:     mirage_kernel.broadcast
// CHECK:         mirage_kernel.mul %{{.*}} : (tensor<3x2x4x8xf16>, tensor<3x1x4x1xf16>) -> tensor<3x2x4x8xf16>
// CHECK:         return %{{.*}} : tensor<6x32xf16>
func.func @blocks(%w: tensor<6x32xf16>, %s: tensor<3x4xf16>, %z: tensor<3x4xf16>) -> tensor<6x32xf16> {
  %0 = mirage_kernel.reshape %s : (tensor<3x4xf16>) -> tensor<3x1x4xf16>
  %1 = mirage_kernel.broadcast %0 : (tensor<3x1x4xf16>) -> tensor<3x2x4xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<3x2x4xf16>) -> tensor<6x4x1xf16>
  %3 = mirage_kernel.broadcast %2 : (tensor<6x4x1xf16>) -> tensor<6x4x8xf16>
  %4 = mirage_kernel.reshape %3 : (tensor<6x4x8xf16>) -> tensor<6x32xf16>
  %5 = mirage_kernel.reshape %z : (tensor<3x4xf16>) -> tensor<3x1x4x1xf16>
  %6 = mirage_kernel.broadcast %5 : (tensor<3x1x4x1xf16>) -> tensor<3x2x4x8xf16>
  %7 = mirage_kernel.reshape %6 : (tensor<3x2x4x8xf16>) -> tensor<6x32xf16>
  %8 = mirage_kernel.sub %w, %7 : (tensor<6x32xf16>, tensor<6x32xf16>) -> tensor<6x32xf16>
  %9 = mirage_kernel.mul %8, %4 : (tensor<6x32xf16>, tensor<6x32xf16>) -> tensor<6x32xf16>
  return %9 : tensor<6x32xf16>
}

// A bias of columns; and what is computed with it is split already.

// CHECK-LABEL: func.func @others(
// CHECK:         mirage_kernel.add %{{.*}} : (tensor<5x4x1xf16>, tensor<4x8xf16>) -> tensor<5x4x8xf16>
// CHECK:         mirage_kernel.mul %{{.*}} : (tensor<5x4x8xf16>, tensor<5x4x8xf16>) -> tensor<5x4x8xf16>
// CHECK-NEXT:    mirage_kernel.reshape %{{.*}} : (tensor<5x4x8xf16>) -> tensor<5x32xf16>
func.func @others(%x: tensor<5x32xf16>, %b: tensor<32xf16>, %s: tensor<5x4x1xf16>) -> tensor<5x32xf16> {
  %0 = mirage_kernel.broadcast %s : (tensor<5x4x1xf16>) -> tensor<5x4x8xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<5x4x8xf16>) -> tensor<5x32xf16>
  %2 = mirage_kernel.add %1, %b : (tensor<5x32xf16>, tensor<32xf16>) -> tensor<5x32xf16>
  %3 = mirage_kernel.mul %x, %2 : (tensor<5x32xf16>, tensor<5x32xf16>) -> tensor<5x32xf16>
  return %3 : tensor<5x32xf16>
}

// What can't be split is in the way; and a tensor that is repeated whole is an operator of its own.

// CHECK-LABEL: func.func @computed(
// CHECK:         mirage_kernel.broadcast
// CHECK:         mirage_kernel.mul %{{.*}} : (tensor<6x32xf32>, tensor<6x32xf16>) -> tensor<6x32xf16>
func.func @computed(%x: tensor<6x16xf16>, %w: tensor<16x32xf16>, %s: tensor<6x4x1xf16>) -> tensor<6x32xf16> {
  %0 = mirage_kernel.matmul %x, %w : (tensor<6x16xf16>, tensor<16x32xf16>) -> tensor<6x32xf32>
  %1 = mirage_kernel.broadcast %s : (tensor<6x4x1xf16>) -> tensor<6x4x8xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<6x4x8xf16>) -> tensor<6x32xf16>
  %3 = mirage_kernel.mul %0, %2 : (tensor<6x32xf32>, tensor<6x32xf16>) -> tensor<6x32xf16>
  return %3 : tensor<6x32xf16>
}

// CHECK-LABEL: func.func @tiled(
// CHECK:         mirage_kernel.repeat
// CHECK:         mirage_kernel.mul %{{.*}} : (tensor<6x32xf16>, tensor<6x32xf16>) -> tensor<6x32xf16>
func.func @tiled(%w: tensor<6x32xf16>, %s: tensor<6x1x4xf16>) -> tensor<6x32xf16> {
  %0 = mirage_kernel.broadcast %s : (tensor<6x1x4xf16>) -> tensor<6x8x4xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<6x8x4xf16>) -> tensor<6x32xf16>
  %2 = mirage_kernel.mul %w, %1 : (tensor<6x32xf16>, tensor<6x32xf16>) -> tensor<6x32xf16>
  return %2 : tensor<6x32xf16>
}

// What is scaled in groups and merged is scaled once more, by rows and columns: on groups, too.

// CHECK-LABEL: func.func @scaled_again(
// CHECK:         mirage_kernel.mul %{{.*}} : (tensor<6x4x8xf16>, tensor<6x4x1xf16>)
// CHECK:         mirage_kernel.mul %{{.*}} : (tensor<6x4x8xf32>, tensor<4x8xf16>)
// CHECK:         mirage_kernel.sub %{{.*}} : (tensor<6x4x8xf32>, tensor<6x1x1xf16>)
// CHECK-NEXT:    mirage_kernel.reshape %{{.*}} : (tensor<6x4x8xf16>) -> tensor<6x32xf16>
func.func @scaled_again(%w: tensor<6x4x8xf16>, %s: tensor<6x4x1xf16>, %m: tensor<32xf16>, %z: tensor<6x1xf16>) -> tensor<6x32xf16> {
  %0 = mirage_kernel.mul %w, %s : (tensor<6x4x8xf16>, tensor<6x4x1xf16>) -> tensor<6x4x8xf32>
  %1 = mirage_kernel.reshape %0 : (tensor<6x4x8xf32>) -> tensor<6x32xf32>
  %2 = mirage_kernel.mul %1, %m : (tensor<6x32xf32>, tensor<32xf16>) -> tensor<6x32xf32>
  %3 = mirage_kernel.sub %2, %z : (tensor<6x32xf32>, tensor<6x1xf16>) -> tensor<6x32xf16>
  return %3 : tensor<6x32xf16>
}

// What has all dimensions is merged, as ever.

// CHECK-LABEL: func.func @merged(
// CHECK:         mirage_kernel.mul %{{.*}} : (tensor<6x32xf16>, tensor<32xf16>) -> tensor<6x32xf16>
func.func @merged(%w: tensor<6x4x8xf16>, %m: tensor<32xf16>) -> tensor<6x32xf16> {
  %0 = mirage_kernel.exp %w : (tensor<6x4x8xf16>) -> tensor<6x4x8xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<6x4x8xf16>) -> tensor<6x32xf16>
  %2 = mirage_kernel.mul %1, %m : (tensor<6x32xf16>, tensor<32xf16>) -> tensor<6x32xf16>
  return %2 : tensor<6x32xf16>
}

// What one tensor repeats along a dimension of the other one isn't split along it.

// CHECK-LABEL: func.func @beside_a_broadcast(
// CHECK-NOT:     mirage_kernel.broadcast
// CHECK:         mirage_kernel.mul %{{.*}} : (tensor<6x5x4x8xf16>, tensor<6x1x4x1xf16>) -> tensor<6x5x4x8xf16>
// CHECK-NEXT:    mirage_kernel.reshape %{{.*}} : (tensor<6x5x4x8xf16>) -> tensor<6x5x32xf16>
func.func @beside_a_broadcast(%w: tensor<6x5x32xf16>, %s: tensor<6x4xf16>) -> tensor<6x5x32xf16> {
  %0 = mirage_kernel.reshape %s : (tensor<6x4xf16>) -> tensor<6x4x1xf16>
  %1 = mirage_kernel.broadcast %0 : (tensor<6x4x1xf16>) -> tensor<6x4x8xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<6x4x8xf16>) -> tensor<6x1x32xf16>
  %3 = mirage_kernel.mul %w, %2 : (tensor<6x5x32xf16>, tensor<6x1x32xf16>) -> tensor<6x5x32xf16>
  return %3 : tensor<6x5x32xf16>
}

// A cast has a direction of its own, and dimensions of size 1 are no reason to move anything.

// CHECK-LABEL: func.func @widened(
// CHECK:         mirage_kernel.mul %{{.*}} : (tensor<6x4x8xf16>, tensor<6x4x1xf16>) -> tensor<6x4x8xf16>
// CHECK:         return %{{.*}} : tensor<6x32xf32>
func.func @widened(%w: tensor<6x4x8xf16>, %s: tensor<6x4x1xf16>) -> tensor<6x32xf32> {
  %0 = mirage_kernel.mul %w, %s : (tensor<6x4x8xf16>, tensor<6x4x1xf16>) -> tensor<6x4x8xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<6x4x8xf16>) -> tensor<6x32xf16>
  %2 = mirage_kernel.cast %1 : (tensor<6x32xf16>) -> tensor<6x32xf32>
  return %2 : tensor<6x32xf32>
}

// CHECK-LABEL: func.func @units(
// CHECK:         mirage_kernel.mul %{{.*}} : (tensor<8x64xf16>, tensor<8x64xf16>) -> tensor<8x64xf16>
func.func @units(%q: tensor<8x64xf16>, %c: tensor<8x4x1x16xf16>) -> tensor<8x4x1x16xf16> {
  %0 = mirage_kernel.reshape %q : (tensor<8x64xf16>) -> tensor<8x4x1x16xf16>
  %1 = mirage_kernel.mul %0, %c : (tensor<8x4x1x16xf16>, tensor<8x4x1x16xf16>) -> tensor<8x4x1x16xf16>
  return %1 : tensor<8x4x1x16xf16>
}

// Three repeats of three dimensions would be of six; four of four dimensions would be of more than there may be.

// CHECK-LABEL: func.func @four_repeats(
// CHECK:         mirage_kernel.mul %{{.*}} : (tensor<6x10x14x18xf16>
func.func @four_repeats(%s: tensor<3x5x7x9xf16>, %w: tensor<6x10x14x18xf16>) -> tensor<6x10x14x18xf16> {
  %0 = mirage_kernel.reshape %s : (tensor<3x5x7x9xf16>) -> tensor<3x1x5x1x7x1x9x1xf16>
  %1 = mirage_kernel.broadcast %0 : (tensor<3x1x5x1x7x1x9x1xf16>) -> tensor<3x2x5x2x7x2x9x2xf16>
  %2 = mirage_kernel.reshape %1 : (tensor<3x2x5x2x7x2x9x2xf16>) -> tensor<6x10x14x18xf16>
  %3 = mirage_kernel.mul %w, %2 : (tensor<6x10x14x18xf16>, tensor<6x10x14x18xf16>) -> tensor<6x10x14x18xf16>
  return %3 : tensor<6x10x14x18xf16>
}
