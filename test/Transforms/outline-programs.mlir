// RUN: mirage-opt --mirage-outline-programs --split-input-file %s | FileCheck %s
// RUN: mirage-opt --mirage-outline-programs --split-input-file %s > %t.mlir
// RUN: mirage-opt --mirage-outline-programs --split-input-file %t.mlir | diff %t.mlir -

// What is in front of the sine is one program, and what needs it another: what doesn't is with the latter. The norm is
// needed in both. Each has the constants that it needs.
// CHECK-LABEL: func.func @between
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<8x8xf32>)
// CHECK-NOT: mirage
// CHECK: %[[A:.*]]:2 = call @between_part_0(%[[X]]) : (tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
// CHECK-NEXT: %[[SIN:.*]] = math.sin %[[A]]#1
// CHECK-NEXT: %[[B:.*]] = call @between_part_1(%[[X]], %[[W]], %[[SIN]], %[[A]]#0)
// CHECK-NEXT: return %[[B]]
// CHECK: func.func private @between_part_0(%[[X0:.*]]: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
// CHECK-NEXT: %[[C0:.*]] = mirage.constant 2.000000e+00
// CHECK-NEXT: %[[D0:.*]] = mirage_kernel.sqr %[[X0]]
// CHECK-NEXT: %[[E0:.*]] = mirage_kernel.mul %[[D0]], %[[C0]]
// CHECK-NEXT: return %[[D0]], %[[E0]]
// CHECK: func.func private @between_part_1(%[[X1:.*]]: tensor<4x8xf32>, %[[W1:.*]]: tensor<8x8xf32>, %[[S1:.*]]: tensor<4x8xf32>, %[[N1:.*]]: tensor<4x8xf32>) -> tensor<4x8xf32> {
// CHECK-NEXT: %[[C1:.*]] = mirage.constant 2.000000e+00
// CHECK-NEXT: %[[D1:.*]] = mirage_kernel.matmul %[[X1]], %[[W1]]
// CHECK-NEXT: %[[E1:.*]] = mirage_kernel.mul %[[D1]], %[[C1]]
// CHECK-NEXT: %[[F1:.*]] = mirage_kernel.add %[[E1]], %[[S1]]
// CHECK-NEXT: %[[G1:.*]] = mirage_kernel.mul %[[F1]], %[[N1]]
// CHECK-NEXT: return %[[G1]]
func.func @between(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %two = mirage.constant 2.0 : tensor<f32>
  %n = mirage_kernel.sqr %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = mirage_kernel.matmul %x, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %q = mirage_kernel.mul %p, %two : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %dead = mirage_kernel.exp %q : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %m = mirage_kernel.mul %n, %two : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %s = math.sin %m : tensor<4x8xf32>
  %t = mirage_kernel.add %q, %s : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %u = mirage_kernel.mul %t, %n : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %u : tensor<4x8xf32>
}

// -----

// Programs as a whole, those with a reference, and references stay as they are; names that are taken are not taken again.
// CHECK-LABEL: func.func @whole
// CHECK-NEXT: mirage_kernel.exp
// CHECK-LABEL: func.func @candidate
// CHECK: mirage_kernel.exp
// CHECK-LABEL: func.func private @reference
// CHECK: mirage_kernel.exp
// CHECK-LABEL: func.func @none
// CHECK-NEXT: math.sin
// CHECK-NEXT: return
// CHECK-LABEL: func.func @named
// CHECK: call @named_part_0_0
// CHECK: func.func private @named_part_0_0
// CHECK: func.func private @named_part_0()
func.func @whole(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
func.func @candidate(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mirage.reference = @reference} {
  %0 = mirage_kernel.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = math.sin %0 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func private @reference(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = math.sin %0 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func @none(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = math.sin %x : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
func.func @named(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = math.sin %x : tensor<4x8xf32>
  %1 = mirage_kernel.exp %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func private @named_part_0()

// -----

// Bodies of loops, and blocks, are looked at one by one. Other arguments are the caller's, and so are effects.
// CHECK-LABEL: func.func @loop
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xf32>, %[[N:.*]]: index, %[[M:.*]]: memref<4x8xf32>)
// CHECK: call @effect
// CHECK: %[[A:.*]] = call @loop_part_0(%[[X]])
// CHECK: %[[R:.*]] = scf.for {{.*}} iter_args(%[[Y:.*]] = %[[A]])
// CHECK: %[[B:.*]] = func.call @loop_part_1(%[[A]], %[[Y]])
// CHECK-NEXT: scf.yield %[[B]]
// CHECK: call @effect
// CHECK-NEXT: llvm.br ^bb1
// CHECK: ^bb1:
// CHECK-NEXT: %[[C:.*]] = call @loop_part_2(%[[R]], %[[A]])
// CHECK-NEXT: return %[[C]]
func.func private @effect()
func.func @loop(%x: tensor<4x8xf32>, %n: index, %m: memref<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %0 = mirage_kernel.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  func.call @effect() : () -> ()
  %1 = scf.for %i = %zero to %n step %one iter_args(%y = %0) -> tensor<4x8xf32> {
    %2 = mirage_kernel.mul %0, %y : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    scf.yield %2 : tensor<4x8xf32>
  }
  func.call @effect() : () -> ()
  llvm.br ^next
^next:
  %3 = mirage_kernel.add %1, %0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// -----

// The caller's numbers are constants of its own.
// CHECK-LABEL: func.func @constant
// CHECK-NOT: mirage
// CHECK: arith.constant dense<2.000000e+00> : tensor<f32>
// CHECK: math.sin
func.func @constant(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<f32>) {
  %two = mirage.constant 2.0 : tensor<f32>
  %0 = math.sin %x : tensor<4x8xf32>
  return %0, %two : tensor<4x8xf32>, tensor<f32>
}
