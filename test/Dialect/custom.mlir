// Opaque operators: the same at all three levels.

// RUN: mirage-opt %s | mirage-opt | FileCheck %s --check-prefixes=CHECK,KERNEL
// RUN: mirage-opt --mlir-print-op-generic %s | mirage-opt | FileCheck %s --check-prefixes=CHECK,KERNEL
// RUN: sed -e 's/mirage_kernel/mirage_block/g' -e 's/tensor</!mirage.tile</g' %s > %t.block.mlir
// RUN: mirage-opt %t.block.mlir | FileCheck %s --check-prefixes=CHECK,BLOCK
// RUN: sed -e 's/mirage_kernel/mirage_thread/g' -e 's/tensor</!mirage.fragment</g' %s > %t.thread.mlir
// RUN: mirage-opt %t.thread.mlir | FileCheck %s --check-prefixes=CHECK,THREAD

// CHECK-LABEL: func.func @custom
// CHECK-SAME:  %[[X:[a-z0-9]+]]: {{[^,]*}}, %[[Y:[a-z0-9]+]]:
func.func @custom(%x: tensor<4x8xf16>, %y: tensor<4x1xf16>) {
  // KERNEL: %[[F:.*]] = mirage_kernel.custom "F"(%[[X]]) : (tensor<4x8xf16>) -> tensor<4x8xf32>
  // BLOCK: %[[F:.*]] = mirage_block.custom "F"(%[[X]]) : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x8xf32>
  // THREAD: %[[F:.*]] = mirage_thread.custom "F"(%[[X]]) : (!mirage.fragment<4x8xf16>) -> !mirage.fragment<4x8xf32>
  %0 = mirage_kernel.custom "F"(%x) : (tensor<4x8xf16>) -> tensor<4x8xf32>
  // CHECK: custom "my_scale2"(%[[F]], %[[Y]], %[[X]])
  %1 = mirage_kernel.custom "my_scale2"(%0, %y, %x) : (tensor<4x8xf32>, tensor<4x1xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}
