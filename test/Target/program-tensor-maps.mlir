// A launch's argument that is a tensor map, in the file of the program.
// RUN: mirage-translate --mlir-to-program --chip=sm_90a %s -o %t.mirage
// RUN: mirage-translate --program-to-json %t.mirage | FileCheck %s

// CHECK:      "arguments": [
// CHECK-NEXT:   {
// CHECK-NEXT:     "box": [
// CHECK-NEXT:       8,
// CHECK-NEXT:       64
// CHECK-NEXT:     ],
// CHECK-NEXT:     "buffer": 0,
// CHECK-NEXT:     "shape": [
// CHECK-NEXT:       16,
// CHECK-NEXT:       128
// CHECK-NEXT:     ],
// CHECK-NEXT:     "swizzle_bytes": 128
// CHECK-NEXT:   },
// CHECK-NEXT:   1
// CHECK-NEXT: ],
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<2048xf16> {mirage.tensor_map = {type = f16, shape = array<i64: 16, 128>, box = array<i64: 8, 64>, swizzle = 128 : i64}}, %y: memref<2048xf16>) kernel {
      gpu.return
    }
  }
  func.func @f(%x: memref<2048xf16>, %y: memref<2048xf16>) attributes {mirage.num_results = 1 : i64} {
    %c1 = arith.constant 1 : index
    gpu.launch_func @kernels::@k blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%x : memref<2048xf16>, %y : memref<2048xf16>)
    return
  }
}
