// RUN: mirage-opt --inline --convert-linalg-to-mirage %s | FileCheck %s

// What a function calls is imported with it, once it is inlined, as exporters leave functions of their libraries.

// CHECK-LABEL: func.func @gated(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4x8xf32>)
// CHECK-NEXT:    %[[RELU:.*]] = mirage_kernel.relu %[[X]]
// CHECK-NEXT:    %[[MUL:.*]] = mirage_kernel.mul %[[RELU]], %[[Y]]
// CHECK-NEXT:    return %[[MUL]]
func.func @gated(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = call @relu(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = tensor.empty() : tensor<4x8xf32>
  %2 = linalg.mul ins(%0, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%1 : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}

func.func private @relu(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = arith.constant dense<0.0> : tensor<4x8xf32>
  %0 = tensor.empty() : tensor<4x8xf32>
  %1 = linalg.max ins(%x, %zero : tensor<4x8xf32>, tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
