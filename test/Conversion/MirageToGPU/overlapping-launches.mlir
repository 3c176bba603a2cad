// RUN: mirage-opt --convert-mirage-to-gpu="target=sm_90a allow-unverified" %s | FileCheck %s
// RUN: mirage-opt --convert-mirage-to-gpu="target=sm_80 allow-unverified" %s | FileCheck %s --check-prefix=OLD

// Each kernel lets the next be launched, and waits for the one before in front of all else.
// CHECK-LABEL: gpu.func @three_0(
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK-NOT: nvvm.griddepcontrol
// CHECK-LABEL: gpu.func @three_1(
// CHECK-NEXT: nvvm.griddepcontrol launch_dependents
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NOT: nvvm.griddepcontrol
// CHECK-LABEL: gpu.func @three_2(
// CHECK-NEXT: nvvm.griddepcontrol wait
// CHECK-NOT: nvvm.griddepcontrol
// OLD-NOT: nvvm.griddepcontrol
func.func @three(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %a = mirage_kernel.exp %x : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %b = mirage_kernel.sqr %a : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %c = mirage_kernel.exp %b : (tensor<64x64xf16>) -> tensor<64x64xf16>
  return %c : tensor<64x64xf16>
}

// A kernel by itself has none before and none behind.
// CHECK-LABEL: gpu.func @one_0(
// CHECK-NOT: nvvm.griddepcontrol
func.func @one(%x: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %a = mirage_kernel.exp %x : (tensor<64x64xf16>) -> tensor<64x64xf16>
  return %a : tensor<64x64xf16>
}
