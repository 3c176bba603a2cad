// RUN: mirage-opt --convert-linalg-to-mirage %s 2>/dev/null | FileCheck %s

// What is computed of every other element isn't kept with its neighbours where what reads it is in another block, or in
// another op.

// CHECK-LABEL: func.func @every_other_in_blocks(
// CHECK:         ^bb1:
// CHECK:         mirage_kernel.mul {{.*}} -> tensor<4x6x1xf16>
func.func @every_other_in_blocks(%x: tensor<4x12xf16>, %y: tensor<6xf16>) -> tensor<4x6x2xf16> {
  %pairs = mirage_kernel.reshape %x : (tensor<4x12xf16>) -> tensor<4x6x2xf16>
  %s = mirage_kernel.slice %pairs dim 2 offset 1 size 1 : (tensor<4x6x2xf16>) -> tensor<4x6x1xf16>
  %a = mirage_kernel.reshape %s : (tensor<4x6x1xf16>) -> tensor<4x6xf16>
  %b = mirage_kernel.exp %a : (tensor<4x6xf16>) -> tensor<4x6xf16>
  cf.br ^bb1
^bb1:
  %c = mirage_kernel.mul %b, %y : (tensor<4x6xf16>, tensor<6xf16>) -> tensor<4x6xf16>
  %e = mirage_kernel.reshape %c : (tensor<4x6xf16>) -> tensor<4x6x1xf16>
  %g = mirage_kernel.concat %e, %s dim 2 : (tensor<4x6x1xf16>, tensor<4x6x1xf16>) -> tensor<4x6x2xf16>
  return %g : tensor<4x6x2xf16>
}

// CHECK-LABEL: func.func @every_other_in_if(
// CHECK:         scf.if
// CHECK:         mirage_kernel.mul {{.*}} -> tensor<4x6x1xf16>
func.func @every_other_in_if(%x: tensor<4x12xf16>, %y: tensor<6xf16>, %p: i1) -> tensor<4x6x2xf16> {
  %pairs = mirage_kernel.reshape %x : (tensor<4x12xf16>) -> tensor<4x6x2xf16>
  %s = mirage_kernel.slice %pairs dim 2 offset 1 size 1 : (tensor<4x6x2xf16>) -> tensor<4x6x1xf16>
  %a = mirage_kernel.reshape %s : (tensor<4x6x1xf16>) -> tensor<4x6xf16>
  %b = mirage_kernel.exp %a : (tensor<4x6xf16>) -> tensor<4x6xf16>
  %r = scf.if %p -> tensor<4x6x2xf16> {
    %c = mirage_kernel.mul %b, %y : (tensor<4x6xf16>, tensor<6xf16>) -> tensor<4x6xf16>
    %e = mirage_kernel.reshape %c : (tensor<4x6xf16>) -> tensor<4x6x1xf16>
    %g = mirage_kernel.concat %e, %s dim 2 : (tensor<4x6x1xf16>, tensor<4x6x1xf16>) -> tensor<4x6x2xf16>
    scf.yield %g : tensor<4x6x2xf16>
  } else {
    scf.yield %pairs : tensor<4x6x2xf16>
  }
  return %r : tensor<4x6x2xf16>
}
