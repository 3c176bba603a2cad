// RUN: not mirage-opt --mirage-schedule-kernels=target=sm_70 %s 2>&1 | FileCheck %s

// CHECK: error: unknown target 'sm_70', expected one of sm_80, sm_90a
func.func @exp(%x: tensor<8xf16>) -> tensor<8xf16> {
  %y = mirage_kernel.exp %x : (tensor<8xf16>) -> tensor<8xf16>
  return %y : tensor<8xf16>
}
