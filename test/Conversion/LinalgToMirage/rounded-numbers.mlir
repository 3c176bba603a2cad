// RUN: mirage-opt --convert-linalg-to-mirage %s | FileCheck %s

// A number that is cast is rounded.
// CHECK-LABEL: func.func @cast_number(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf16>)
// CHECK-DAG:     %[[ROUNDED:.*]] = mirage.constant 0.0999755859375
// CHECK:         mirage_kernel.mul %[[X]], %[[ROUNDED]]
func.func @cast_number(%x: tensor<4xf16>) -> tensor<4xf16> {
  %tenth = mirage.constant 0.1 : tensor<f32>
  %c = mirage_kernel.cast %tenth : (tensor<f32>) -> tensor<f16>
  %m = mirage_kernel.mul %x, %c : (tensor<4xf16>, tensor<f16>) -> tensor<4xf16>
  return %m : tensor<4xf16>
}
