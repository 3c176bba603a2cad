// The module of kernels has a name of its own, whatever else is called that: a function of the user's, or the kernels of functions
// that were lowered before.

// RUN: mirage-opt --convert-mirage-to-gpu %s | FileCheck %s

// CHECK:       gpu.module @[[KERNELS:mirage_kernels_[0-9]+]]
// CHECK:         gpu.func @f_0(
// CHECK:       func.func @f(
// CHECK:         gpu.launch_func @[[KERNELS]]::@f_0 blocks
// CHECK:       gpu.module @mirage_kernels
// CHECK-NEXT:    gpu.func @f_0(
func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = mirage_kernel.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
gpu.module @mirage_kernels {
  gpu.func @f_0(%x: memref<8xf32>) kernel {
    gpu.return
  }
}
