// RUN: mirage-opt --allow-unregistered-dialect --convert-linalg-to-mirage --verify-diagnostics %s | FileCheck %s
// RUN: mirage-opt --allow-unregistered-dialect --mirage-pipeline=compile-to=ptx %s 2>/dev/null | FileCheck %s --check-prefix=PTX

// Ops of other compilers stay, whatever they are.
// CHECK-LABEL: func.func @between
// CHECK: "my.op"
// CHECK: mirage_kernel.exp
// PTX: gpu.binary
// PTX-LABEL: func.func @between
// PTX: "my.op"
// PTX: call @between_part_0
func.func @between(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  // expected-remark @below {{not imported: 'my.op' has no Mirage operator yet}}
  %0 = "my.op"(%x) : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %1 = linalg.exp ins(%0 : tensor<64x64xf16>) outs(%0 : tensor<64x64xf16>) -> tensor<64x64xf16>
  return %1 : tensor<64x64xf16>
}

// So do functions with nothing else, and of other dialects.
// PTX-LABEL: func.func @other
// PTX: cf.assert
func.func @other(%c: i1) {
  // expected-remark @below {{not imported: 'cf.assert' has no Mirage operator yet}}
  cf.assert %c, "message"
  return
}
