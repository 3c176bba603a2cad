// RUN: not mirage-opt --mirage-schedule-kernels=target=sm_70 %s 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not mirage-opt --mirage-schedule-kernels=max-shared-bytes=16 %s 2>&1 | FileCheck %s

// TARGET: error: unknown target 'sm_70', expected one of sm_80, sm_90a

// Three of the four dimensions can be cut, which leaves 8 elements, twice.
// CHECK: error: 'mirage_kernel.exp' op can't be scheduled: its smallest tiles, with three grid dimensions, take 32 bytes of 16
func.func @four_dimensions(%x: tensor<8x8x8x24xf16>) -> tensor<8x8x8x24xf16> {
  %y = mirage_kernel.exp %x : (tensor<8x8x8x24xf16>) -> tensor<8x8x8x24xf16>
  return %y : tensor<8x8x8x24xf16>
}
