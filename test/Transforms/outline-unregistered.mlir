// RUN: mirage-opt --allow-unregistered-dialect --mirage-outline-programs %s | FileCheck %s

// The last op of a block is its end, whatever it is: what other blocks need is outlined in front of it.
// CHECK-LABEL: func.func @f
// CHECK: %[[R:.*]] = call @f_part_0
// CHECK-NEXT: "test.br"()[^bb1]
// CHECK: return %[[R]]
func.func @f(%x: tensor<8xf32>, %y: tensor<8xi32>) -> tensor<8xf32> {
  %0 = mirage_kernel.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  "test.br"()[^end] : () -> ()
^end:
  return %0 : tensor<8xf32>
}
