// The module says what it is for, whatever the numbers of the target are: no pass has another opinion.
// RUN: rm -rf %t && split-file %s %t

// RUN: mirage-opt %t/own.mlir --mirage-superoptimize | FileCheck %s --check-prefix=OWN
// RUN: mirage-opt %t/own.mlir --mirage-superoptimize=target=sm_90a | FileCheck %s --check-prefix=OWN
// RUN: mirage-opt %t/own.mlir --mirage-superoptimize --mirage-lower-mugraphs | FileCheck %s --check-prefix=OWN
// OWN: mirage.target = #mirage.target<"sm_90a", sm_count = 66,

// What was found for one target can't be lowered for another.
// RUN: not mirage-opt %t/own.mlir --mirage-superoptimize=target=sm_80 2>&1 | FileCheck %s --check-prefix=OWN-CONTRADICTION
// RUN: not mirage-opt %t/own.mlir --mirage-select=target=sm_80 2>&1 | FileCheck %s --check-prefix=OWN-CONTRADICTION
// OWN-CONTRADICTION: error: is for sm_90a (mirage.target), not for sm_80
// RUN: mirage-opt %t/none.mlir --mirage-superoptimize=target=sm_80 -o %t/sm_80.mlir
// RUN: FileCheck %s --check-prefix=OTHER < %t/sm_80.mlir
// OTHER: mirage.target = #mirage.target<"sm_80", sm_count = 108,
// RUN: mirage-opt %t/sm_80.mlir --mirage-lower-mugraphs --mirage-gpu-to-ptx | FileCheck %s --check-prefix=PTX
// PTX: .target sm_80
// PTX-NOT: cp.async.bulk
// RUN: not mirage-opt %t/sm_80.mlir --mirage-lower-mugraphs=target=sm_90a 2>&1 | FileCheck %s --check-prefix=CONTRADICTION
// CONTRADICTION: error: is for sm_80 (mirage.target), not for sm_90a
// RUN: not mirage-run %t/sm_80.mlir --target=sm_90a 2>&1 | FileCheck %s --check-prefix=CONTRADICTION

// RUN: mirage-opt %t/none.mlir --mirage-superoptimize --mirage-lower-mugraphs --mirage-gpu-to-ptx | FileCheck %s --check-prefix=DEFAULT
// DEFAULT: .target sm_90a

//--- own.mlir
module attributes {mirage.target = #mirage.target<"sm_90a", sm_count = 66, shared_bytes = 232448, device_bytes = 80000000000, bandwidth = 2000, tflops = 500, launch_ns = 2000>} {
  func.func @f(%x: tensor<64x128xf16>) -> tensor<64x128xf16> {
    %e = mirage_kernel.exp %x : (tensor<64x128xf16>) -> tensor<64x128xf16>
    %s = mirage_kernel.sum %e dim 1 : (tensor<64x128xf16>) -> tensor<64x1xf32>
    %d = mirage_kernel.div %e, %s : (tensor<64x128xf16>, tensor<64x1xf32>) -> tensor<64x128xf16>
    return %d : tensor<64x128xf16>
  }
}
//--- none.mlir
func.func @f(%x: tensor<64x128xf16>) -> tensor<64x128xf16> {
  %e = mirage_kernel.exp %x : (tensor<64x128xf16>) -> tensor<64x128xf16>
  %s = mirage_kernel.sum %e dim 1 : (tensor<64x128xf16>) -> tensor<64x1xf32>
  %d = mirage_kernel.div %e, %s : (tensor<64x128xf16>, tensor<64x1xf32>) -> tensor<64x128xf16>
  return %d : tensor<64x128xf16>
}
