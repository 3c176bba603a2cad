// RUN: mirage-opt %s | mirage-opt | FileCheck %s
// RUN: mirage-opt --mlir-print-op-generic %s | mirage-opt | FileCheck %s

// The alias that the printer makes of the attribute may have any name.
// CHECK: module attributes {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 166912, device_bytes = 80000000000, bandwidth = 2039, tflops = 312, launch_ns = 2000>}
module attributes {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 166912, device_bytes = 80000000000, bandwidth = 2039, tflops = 312, launch_ns = 2000>} {

// CHECK-LABEL: func.func private @grids
// CHECK-SAME:  a = #mirage.grid<x = 1>
// CHECK-SAME:  b = #mirage.grid<x = 2147483647, y = 65535>
// CHECK-SAME:  c = #mirage.grid<x = 4, y = 5, z = 65535>
func.func private @grids() attributes {
  a = #mirage.grid<x = 1>,
  b = #mirage.grid<x = 2147483647, y = 65535>,
  c = #mirage.grid<x = 4, y = 5, z = 65535>
}

// CHECK-LABEL: func.func private @maps
// CHECK-SAME:  a = #mirage.imap<x -> 0>
// CHECK-SAME:  b = #mirage.imap<x -> replica, y -> 1, z -> 3>
// CHECK-SAME:  c = #mirage.omap<x -> 2, y -> 0>
// CHECK-SAME:  d = #mirage.omap<x -> replica>
// CHECK-SAME:  e = #mirage.fmap<i -> 1>
// CHECK-SAME:  f = #mirage.fmap<i -> replica>
func.func private @maps() attributes {
  a = #mirage.imap<x -> 0>,
  b = #mirage.imap<x -> replica, y -> 1, z -> 3>,
  c = #mirage.omap<x -> 2, y -> 0>,
  d = #mirage.omap<x -> replica>,
  e = #mirage.fmap<i -> 1>,
  f = #mirage.fmap<i -> replica>
}

// CHECK-LABEL: func.func private @types
// CHECK-SAME:  !mirage.tile<16x64xf16>, !mirage.tile<1xbf16>, !mirage.tile<f32>
// CHECK-SAME:  !mirage.fragment<2x3x4x5xf32>, !mirage.fragment<f16>
// CHECK-SAME:  !mirage.tile<1048576x1048576xf32>
func.func private @types(
  !mirage.tile<16x64xf16>, !mirage.tile<1xbf16>, !mirage.tile<f32>,
  !mirage.fragment<2x3x4x5xf32>, !mirage.fragment<f16>,
  !mirage.tile<1048576x1048576xf32>)

// CHECK-LABEL: func.func @constants
func.func @constants() {
  // CHECK: mirage.constant 1.000000e-05 : tensor<f32>
  %0 = mirage.constant 1.0e-05 : tensor<f32>
  // CHECK: mirage.constant 4.096000e+03 : !mirage.tile<f16>
  %1 = mirage.constant 4.096e+03 : !mirage.tile<f16>
  // CHECK: mirage.constant -0.000000e+00 : !mirage.fragment<bf16>
  %2 = mirage.constant -0.0 : !mirage.fragment<bf16>
  // The smallest and the largest double, and one that is no dyadic fraction.
  // CHECK: mirage.constant 4.940660e-324 : tensor<f32>
  %3 = mirage.constant 0x0000000000000001 : tensor<f32>
  // CHECK: mirage.constant 1.7976931348623157E+308 : tensor<f32>
  %4 = mirage.constant 0x7FEFFFFFFFFFFFFF : tensor<f32>
  // CHECK: mirage.constant 1.000000e-01 : tensor<f32>
  %5 = mirage.constant 0.1 : tensor<f32>
  return
}
}
