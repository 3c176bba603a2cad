// RUN: mirage-opt --split-input-file --verify-diagnostics %s

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

// expected-error @below {{a grid has at most four dimensions}}
func.func private @grid_five_dimensions() attributes {a = #mirage.grid<x = 1, y = 1, z = 1, w = 1, v = 1>}

// -----

// expected-error @below {{the size of grid dimension x must be from 1 to 2147483647, found 0}}
func.func private @grid_size_zero() attributes {a = #mirage.grid<x = 0>}

// -----

// expected-error @below {{the size of grid dimension y must be from 1 to 65535, found -3}}
func.func private @grid_size_negative() attributes {a = #mirage.grid<x = 1, y = -3>}

// -----

// expected-error @below {{the size of grid dimension x must be from 1 to 2147483647, found 2147483648}}
func.func private @grid_x_too_large() attributes {a = #mirage.grid<x = 2147483648>}

// -----

// expected-error @below {{the size of grid dimension z must be from 1 to 65535, found 65536}}
func.func private @grid_z_too_large() attributes {a = #mirage.grid<x = 1, y = 1, z = 65536>}

// -----

// expected-error @below {{the size of grid dimension w must be from 1 to 65535, found 65536}}
func.func private @grid_w_too_large() attributes {a = #mirage.grid<x = 1, y = 1, z = 1, w = 65536>}

// -----

// expected-error @below {{grid dimensions z and w must have at most 65535 blocks together, found 65536}}
func.func private @grid_z_and_w_too_large() attributes {a = #mirage.grid<x = 1, y = 1, z = 512, w = 128>}

// -----

// expected-error @below {{integer value too large}}
func.func private @grid_overflow() attributes {a = #mirage.grid<x = 18446744073709551617>}

// -----

// expected-error @below {{a grid has one to four dimensions, found 0}}
func.func private @grid_empty() attributes {a = #mirage.grid<>}

// -----

// expected-error @below {{expected grid dimension 'x', found 'y'}}
func.func private @grid_order() attributes {a = #mirage.grid<y = 2, x = 3>}

// -----

// expected-error @below {{expected grid dimension 'x', found 'i'}}
func.func private @grid_name() attributes {a = #mirage.grid<i = 2>}

// -----

// expected-error @below {{expected valid keyword}}
func.func private @grid_no_name() attributes {a = #mirage.grid<2>}

// -----

// expected-error @below {{expected integer value}}
func.func private @grid_no_size() attributes {a = #mirage.grid<x = y>}

// -----

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

// expected-error @below {{a grid has at most four dimensions}}
func.func private @imap_five_dimensions() attributes {a = #mirage.imap<x -> 0, y -> 1, z -> 2, w -> 3, v -> 4>}

// -----

// expected-error @below {{a map has an entry for each grid dimension, one to four, found 0}}
func.func private @imap_empty() attributes {a = #mirage.imap<>}

// -----

// expected-error @below {{a map has an entry for each grid dimension, one to four, found 0}}
func.func private @omap_empty() attributes {a = #mirage.omap<>}

// -----

// expected-error @below {{expected a data dimension or 'replica'}}
func.func private @imap_negative() attributes {a = #mirage.imap<x -> -1>}

// -----

// expected-error @below {{expected integer value}}
func.func private @imap_unknown_target() attributes {a = #mirage.imap<x -> all>}

// -----

// expected-error @below {{expected grid dimension 'y', found 'x'}}
func.func private @omap_name_twice() attributes {a = #mirage.omap<x -> 0, x -> 1>}

// -----

// expected-error @below {{expected '->'}}
func.func private @omap_equals() attributes {a = #mirage.omap<x = 0>}

// -----

// expected-error @below {{expected 'i'}}
func.func private @fmap_name() attributes {a = #mirage.fmap<x -> 0>}

// -----

// expected-error @below {{expected a data dimension or 'replica'}}
func.func private @fmap_negative() attributes {a = #mirage.fmap<i -> -2>}

// -----

// expected-error @below {{expected '>'}}
func.func private @fmap_two_loops() attributes {a = #mirage.fmap<i -> 0, j -> 1>}

// -----

//===----------------------------------------------------------------------===//
// Tiles and fragments
//===----------------------------------------------------------------------===//

// expected-error @below {{expected element type f16, bf16 or f32, found 'i32'}}
func.func private @tile_C1(!mirage.tile<4xi32>)

// -----

// expected-error @below {{expected element type f16, bf16 or f32, found 'f64'}}
func.func private @fragment_C1(!mirage.fragment<4xf64>)

// -----

// expected-error @below {{expected element type f16, bf16 or f32, found '!mirage.tile<4xf32>'}}
func.func private @tile_of_tiles(!mirage.tile<4x!mirage.tile<4xf32>>)

// -----

// expected-error @below {{expected sizes of at least 1, found 0}}
func.func private @tile_C2(!mirage.tile<16x0xf16>)

// -----

// expected-error @below {{expected sizes of at least 1, found 0}}
func.func private @fragment_C2(!mirage.fragment<0xf16>)

// -----

// expected-error @below {{expected static shape}}
func.func private @tile_dynamic(!mirage.tile<?x4xf16>)

// -----

// expected-error @below {{expected at most 2^40 elements}}
func.func private @tile_C3(!mirage.tile<1048577x1048576xf16>)

// -----

// 2^64 elements: the product overflows.
// expected-error @below {{expected at most 2^40 elements}}
func.func private @fragment_C3(!mirage.fragment<4294967296x4294967296xf16>)

// -----

// expected-error @below {{expected non-function type}}
func.func private @tile_nothing(!mirage.tile<>)

// -----

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

func.func @constant_C1() {
  // expected-error @below {{'mirage.constant' op must have a result of rank 0, found 'tensor<4xf32>'}}
  %0 = mirage.constant 1.0 : tensor<4xf32>
  return
}

// -----

func.func @constant_C1_tile() {
  // expected-error @below {{'mirage.constant' op must have a result of rank 0, found '!mirage.tile<1xf32>'}}
  %0 = mirage.constant 1.0 : !mirage.tile<1xf32>
  return
}

// -----

func.func @constant_C2_infinite() {
  // expected-error @below {{'mirage.constant' op must have a finite value}}
  %0 = mirage.constant 0x7FF0000000000000 : tensor<f32>
  return
}

// -----

func.func @constant_C2_nan() {
  // expected-error @below {{'mirage.constant' op must have a finite value}}
  %0 = mirage.constant 0x7FF8000000000001 : !mirage.tile<f32>
  return
}

// -----

func.func @constant_integer() {
  // expected-error @below {{result #0 must be statically shaped tensor, tile or fragment of floats, but got 'tensor<i32>'}}
  %0 = mirage.constant 1.0 : tensor<i32>
  return
}

// -----

func.func @constant_scalar() {
  // expected-error @below {{'mirage.constant' op result #0 must be statically shaped tensor, tile or fragment of floats, but got 'f32'}}
  %0 = "mirage.constant"() {value = 1.0 : f64} : () -> f32
  return
}

// -----

func.func @constant_without_value() {
  // expected-error @below {{'mirage.constant' op requires attribute 'value'}}
  %0 = "mirage.constant"() : () -> tensor<f32>
  return
}

// -----

func.func @constant_value_type() {
  // expected-error @below {{'mirage.constant' op attribute 'value' failed to satisfy constraint: 64-bit float attribute}}
  %0 = "mirage.constant"() {value = 1.0 : f32} : () -> tensor<f32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

// expected-error @below {{'shared_bytes' must be from 1 to 2147483647, found 0}}
module attributes {x.a = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 0, device_bytes = 1, bandwidth = 1, tflops = 1, launch_ns = 1>} {}

// -----

// expected-error @below {{'sm_count' must be from 1 to 1048576, found 2305843009213693952}}
module attributes {x.a = #mirage.target<"sm_80", sm_count = 2305843009213693952, shared_bytes = 1, device_bytes = 1, bandwidth = 1, tflops = 1, launch_ns = 1>} {}

// -----

// expected-error @below {{'shared_bytes' must be from 1 to 2147483647, found 4294967296}}
module attributes {x.a = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 4294967296, device_bytes = 1, bandwidth = 1, tflops = 1, launch_ns = 1>} {}

// -----

// expected-error @below {{'device_bytes' must be from 1 to 1125899906842624, found 2251799813685248}}
module attributes {x.a = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 1, device_bytes = 2251799813685248, bandwidth = 1, tflops = 1, launch_ns = 1>} {}

// -----

// expected-error @below {{expected ','}}
module attributes {x.a = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 1>} {}

// -----

// expected-error @below {{'mirage.target' must be a #mirage.target on a module}}
module attributes {mirage.target = "sm_80"} {}

// -----

module {
  // expected-error @below {{'mirage.target' must be a #mirage.target on a module}}
  func.func private @f() attributes {mirage.target = #mirage.target<"sm_80", sm_count = 1, shared_bytes = 1, device_bytes = 1, bandwidth = 1, tflops = 1, launch_ns = 1>}
}

// -----

// Two tiles of 128 x 128 halves, each 32 KiB, in 48 KiB.
module attributes {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 49152, device_bytes = 80000000000, bandwidth = 2039, tflops = 312, launch_ns = 2000>} {
  func.func @tiles_too_large(%x: tensor<128x128xf16>) -> tensor<128x128xf16> {
    // expected-error @below {{'mirage_kernel.graph_defined' op has tiles of 65536 bytes, but a block of sm_80 has 49152 bytes of shared memory}}
    %0 = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<128x128xf16>) -> tensor<128x128xf16> {
    ^bb0(%X: tensor<128x128xf16>):
      %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<128x128xf16> -> !mirage.tile<128x128xf16>
      %y = mirage_block.exp %xt : (!mirage.tile<128x128xf16>) -> !mirage.tile<128x128xf16>
      // What a reduction reads is kept.
      %s = mirage_block.sum %y dim 1 : (!mirage.tile<128x128xf16>) -> !mirage.tile<128x1xf16>
      mirage_block.output_saver %y omap <x -> replica> : !mirage.tile<128x128xf16> -> tensor<128x128xf16>
    }
    return %0 : tensor<128x128xf16>
  }
}

// -----

// 2^40 elements of four bytes are counted without overflow.
module attributes {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 49152, device_bytes = 80000000000, bandwidth = 2039, tflops = 312, launch_ns = 2000>} {
  func.func @tiles_huge(%x: tensor<1048576x1048576xf32>) -> tensor<1048576x1048576xf32> {
    // expected-error @below {{'mirage_kernel.graph_defined' op has tiles of 4398046511104 bytes, but a block of sm_80 has 49152 bytes of shared memory}}
    %0 = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<1048576x1048576xf32>) -> tensor<1048576x1048576xf32> {
    ^bb0(%X: tensor<1048576x1048576xf32>):
      %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<1048576x1048576xf32> -> !mirage.tile<1048576x1048576xf32>
      %y = mirage_block.exp %xt : (!mirage.tile<1048576x1048576xf32>) -> !mirage.tile<1048576x1048576xf32>
      mirage_block.output_saver %y omap <x -> replica> : !mirage.tile<1048576x1048576xf32> -> tensor<1048576x1048576xf32>
    }
    return %0 : tensor<1048576x1048576xf32>
  }
}

// -----

// The module's attributes are verified before its ops: the graph has no region
// to count the tiles of.
module attributes {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 49152, device_bytes = 80000000000, bandwidth = 2039, tflops = 312, launch_ns = 2000>} {
  func.func @target_and_empty_region() {
    // expected-error @below {{'mirage_kernel.graph_defined' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
    "mirage_kernel.graph_defined"() <{grid = #mirage.grid<x = 1>}> ({}) : () -> ()
    return
  }
}

// -----

module attributes {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 49152, device_bytes = 80000000000, bandwidth = 2039, tflops = 312, launch_ns = 2000>} {
  func.func @target_and_no_operands() {
    // expected-error @below {{'mirage_kernel.reshape' op requires one result}}
    "mirage_kernel.reshape"() : () -> ()
    return
  }
}

// -----

module attributes {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 49152, device_bytes = 80000000000, bandwidth = 2039, tflops = 312, launch_ns = 2000>} {
  func.func @target_and_no_results(%x: tensor<4x8xf16>) {
    // expected-error @below {{'mirage_kernel.reshape' op requires one result}}
    "mirage_kernel.reshape"(%x) : (tensor<4x8xf16>) -> ()
    return
  }
}

// -----

module attributes {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 49152, device_bytes = 80000000000, bandwidth = 2039, tflops = 312, launch_ns = 2000>} {
  func.func @target_and_no_region() {
    // expected-error @below {{'mirage_kernel.graph_defined' op requires one region}}
    "mirage_kernel.graph_defined"() <{grid = #mirage.grid<x = 1>}> : () -> ()
    return
  }
}

// -----

// Nor are the results of what is in the graph what they have to be.
module attributes {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 49152, device_bytes = 80000000000, bandwidth = 2039, tflops = 312, launch_ns = 2000>} {
  func.func @target_and_other_result(%x: tensor<4x4xf32>) {
    %0 = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x4xf32>) -> tensor<4x4xf32> {
    ^bb0(%X: tensor<4x4xf32>):
      %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x4xf32> -> !mirage.tile<4x4xf32>
      %y = mirage_block.exp %xt : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
      // expected-error @below {{'mirage_block.exp' op result #0 must be}}
      %z = "mirage_block.exp"(%y) : (!mirage.tile<4x4xf32>) -> i32
      mirage_block.output_saver %y omap <x -> replica> : !mirage.tile<4x4xf32> -> tensor<4x4xf32>
    }
    return
  }
}

// -----

module attributes {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 49152, device_bytes = 80000000000, bandwidth = 2039, tflops = 312, launch_ns = 2000>} {
  func.func @target_and_no_result(%x: tensor<4x4xf32>) {
    %0 = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x4xf32>) -> tensor<4x4xf32> {
    ^bb0(%X: tensor<4x4xf32>):
      %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x4xf32> -> !mirage.tile<4x4xf32>
      %y = mirage_block.exp %xt : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
      // expected-error @below {{'mirage_block.exp' op requires one result}}
      "mirage_block.exp"(%y) : (!mirage.tile<4x4xf32>) -> ()
      mirage_block.output_saver %y omap <x -> replica> : !mirage.tile<4x4xf32> -> tensor<4x4xf32>
    }
    return
  }
}

// -----

// The same of a slice, which may need no device memory of its own.
module attributes {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 49152, device_bytes = 80000000000, bandwidth = 2039, tflops = 312, launch_ns = 2000>} {
  func.func @target_and_slice_without_result(%x: tensor<4x4xf32>) {
    // expected-error @below {{'mirage_kernel.slice' op requires one result}}
    "mirage_kernel.slice"(%x) <{dim = 0 : i64, offset = 0 : i64, size = 4 : i64}> : (tensor<4x4xf32>) -> ()
    return
  }
}
