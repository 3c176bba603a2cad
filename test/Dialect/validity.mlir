// The three rules of Definition 2.1 of the paper, and what breaks each. Rules 1
// and 3 hold of any IR; rule 2 of modules that name their target. A rule that the
// structure of the IR enforces is broken by what the parser or the region checks
// refuse.

// RUN: mirage-opt --split-input-file --verify-diagnostics %s

//===----------------------------------------------------------------------===//
// Rule 1: inputs and outputs of each operator have the shapes that it gives them
//===----------------------------------------------------------------------===//

func.func @rule_1_kernel_operator(%x: tensor<4x8xf16>, %w: tensor<8x2xf16>) {
  // expected-error @below {{has a result of shape 4x4, but its operands give 4x2}}
  %0 = mirage_kernel.matmul %x, %w : (tensor<4x8xf16>, tensor<8x2xf16>) -> tensor<4x4xf16>
  return
}

// -----

func.func @rule_1_block_operator(%x: tensor<4x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> () {
  ^bb0(%X: tensor<4x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{has a result of shape 4x2, but its operands give 4x1}}
    %s = mirage_block.sum %t dim 1 : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x2xf16>
  }
  return
}

// -----

func.func @rule_1_thread_operator(%x: tensor<4x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> () {
  ^bb0(%X: tensor<4x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    %s = mirage_block.graph_defined (%t) : (!mirage.tile<4x8xf16>) -> !mirage.tile<8x4xf16> {
    ^bb0(%f: !mirage.fragment<4x8xf16>):
      // expected-error @below {{has a result of shape 8x4, but its operands give 4x8}}
      %e = mirage_thread.exp %f : (!mirage.fragment<4x8xf16>) -> !mirage.fragment<8x4xf16>
      mirage_thread.yield %e : !mirage.fragment<8x4xf16>
    }
  }
  return
}

// -----

func.func @rule_1_graph_defined_operator(%x: tensor<4x8xf16>) -> tensor<8x8xf16> {
  // expected-error @below {{result 0 is a 'tensor<8x8xf16>', but its saver writes a 'tensor<4x8xf16>'}}
  %0 = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<8x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    // expected-note @below {{the saver is here}}
    mirage_block.output_saver %t omap <x -> replica> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %0 : tensor<8x8xf16>
}

// -----

// An iterator's tile is what imap and fmap leave of its tensor.
func.func @rule_1_input_iterator(%x: tensor<4x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<4x8xf16>) -> () {
  ^bb0(%X: tensor<4x8xf16>):
    mirage_block.loop iterations 2 {
      // expected-error @below {{has a tile '!mirage.tile<4x8xf16>', but the maps leave '!mirage.tile<2x4xf16>'}}
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
      mirage_block.accumulate
    }
  }
  return
}

// -----

// A saver's tensor is what omap makes of the blocks' tiles.
func.func @rule_1_output_saver(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %0 = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<4x8xf16> -> !mirage.tile<2x8xf16>
    // expected-error @below {{saves a '!mirage.tile<2x8xf16>', but each block's part of the tensor is a '!mirage.tile<4x4xf16>'}}
    mirage_block.output_saver %t omap <x -> 1> : !mirage.tile<2x8xf16> -> tensor<4x8xf16>
  }
  return %0 : tensor<4x8xf16>
}

// -----

func.func @rule_1_accumulator(%x: tensor<4x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> () {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-error @below {{accumulator 0 collects a tile of shape 4x4, but its result is a '!mirage.tile<4x8xf32>'}}
    %s = mirage_block.loop iterations 2 -> !mirage.tile<4x8xf32> {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      mirage_block.accumulate sum %t : !mirage.tile<4x4xf16>
    }
  }
  return
}

// -----

//===----------------------------------------------------------------------===//
// Rule 2: tensors fit the memory of their level
//===----------------------------------------------------------------------===//

// Tiles: 1024 bytes of shared memory hold one of 16 x 32 halves, not two.
module attributes {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 1024, device_bytes = 2000, bandwidth = 2039, tflops = 312, launch_ns = 2000>} {
  func.func @rule_2_tiles(%x: tensor<16x32xf16>) {
    // expected-error @below {{has tiles of 2048 bytes, but a block of sm_80 has 1024 bytes of shared memory}}
    mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<16x32xf16>) -> () {
    ^bb0(%X: tensor<16x32xf16>):
      %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<16x32xf16> -> !mirage.tile<16x32xf16>
      %e = mirage_block.exp %t : (!mirage.tile<16x32xf16>) -> !mirage.tile<16x32xf16>
      %s = mirage_block.sum %e dim 1 : (!mirage.tile<16x32xf16>) -> !mirage.tile<16x1xf16>
      %m = mirage_block.reduce_max %e dim 1 : (!mirage.tile<16x32xf16>) -> !mirage.tile<16x1xf16>
    }
    return
  }

  // What a sum alone reads is computed where it is read.
  func.func @rule_2_folded(%x: tensor<16x31xf16>) {
    mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<16x31xf16>) -> () {
    ^bb0(%X: tensor<16x31xf16>):
      %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<16x31xf16> -> !mirage.tile<16x31xf16>
      %e = mirage_block.exp %t : (!mirage.tile<16x31xf16>) -> !mirage.tile<16x31xf16>
      %s = mirage_block.sum %e dim 1 : (!mirage.tile<16x31xf16>) -> !mirage.tile<16x1xf16>
    }
    return
  }
}

// -----

// What is planned takes what the plan says: tiles have each other's places.
module attributes {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 1024, device_bytes = 2000, bandwidth = 2039, tflops = 312, launch_ns = 2000>} {
  func.func @rule_2_planned(%x: tensor<16x32xf16>) {
    mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.shared_bytes = 1024 : i64} : (tensor<16x32xf16>) -> () {
    ^bb0(%X: tensor<16x32xf16>):
      %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.offsets = array<i64: 0>} : tensor<16x32xf16> -> !mirage.tile<16x32xf16>
      %e = mirage_block.exp %t {mirage.offsets = array<i64: 0>} : (!mirage.tile<16x32xf16>) -> !mirage.tile<16x32xf16>
      %s = mirage_block.sum %e dim 1 : (!mirage.tile<16x32xf16>) -> !mirage.tile<16x1xf16>
      %m = mirage_block.reduce_max %e dim 1 : (!mirage.tile<16x32xf16>) -> !mirage.tile<16x1xf16>
    }
    return
  }
  func.func @rule_2_planned_too_large(%x: tensor<16x32xf16>) {
    // expected-error @below {{has tiles of 2048 bytes, but a block of sm_80 has 1024 bytes of shared memory}}
    mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.shared_bytes = 2048 : i64} : (tensor<16x32xf16>) -> () {
    ^bb0(%X: tensor<16x32xf16>):
      %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.offsets = array<i64: 1024>} : tensor<16x32xf16> -> !mirage.tile<16x32xf16>
    }
    return
  }
}

// -----

// A plan that says less than its places take is none.
module attributes {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 1024, device_bytes = 2000, bandwidth = 2039, tflops = 312, launch_ns = 2000>} {
  func.func @rule_2_planned_for_less(%x: tensor<16x32xf16>) {
    // expected-error @below {{has tiles of 2048 bytes, but a block of sm_80 has 1024 bytes of shared memory}}
    mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.shared_bytes = 0 : i64} : (tensor<16x32xf16>) -> () {
    ^bb0(%X: tensor<16x32xf16>):
      %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.offsets = array<i64: 1024>} : tensor<16x32xf16> -> !mirage.tile<16x32xf16>
    }
    return
  }
}

// -----

// A transposed tile is read where the other one is: 1024 bytes in all. If it is stored as it is, it takes a place of its own.
module attributes {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 1024, device_bytes = 1000000, bandwidth = 2039, tflops = 312, launch_ns = 2000>} {
  func.func @rule_2_transposed(%x: tensor<16x16xf16>) -> tensor<16x16xf16> {
    %0 = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<16x16xf16>) -> tensor<16x16xf16> {
    ^bb0(%X: tensor<16x16xf16>):
      %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<16x16xf16> -> !mirage.tile<16x16xf16>
      %u = mirage_block.transpose %t permutation [1, 0] : (!mirage.tile<16x16xf16>) -> !mirage.tile<16x16xf32>
      %p = mirage_block.matmul %t, %u : (!mirage.tile<16x16xf16>, !mirage.tile<16x16xf32>) -> !mirage.tile<16x16xf32>
      mirage_block.output_saver %p omap <x -> replica> : !mirage.tile<16x16xf32> -> tensor<16x16xf16>
    }
    return %0 : tensor<16x16xf16>
  }
  func.func @rule_2_stored(%x: tensor<16x16xf16>) -> tensor<16x16xf16> {
    // expected-error @below {{has tiles of 1536 bytes, but a block of sm_80 has 1024 bytes of shared memory}}
    %0 = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<16x16xf16>) -> tensor<16x16xf16> {
    ^bb0(%X: tensor<16x16xf16>):
      %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<16x16xf16> -> !mirage.tile<16x16xf16>
      %u = mirage_block.transpose %t permutation [1, 0] : (!mirage.tile<16x16xf16>) -> !mirage.tile<16x16xf32>
      %e = mirage_block.exp %u : (!mirage.tile<16x16xf32>) -> !mirage.tile<16x16xf32>
      mirage_block.output_saver %u omap <x -> replica> : !mirage.tile<16x16xf32> -> tensor<16x16xf16>
    }
    return %0 : tensor<16x16xf16>
  }
}

// -----

// The running maximum of a rescaled sum is a tile, once for both sums, and so are
// its factors: thrice 64 bytes
// besides 256 for %t, 64 for %m, 256 and 512 for what is accumulated.
module attributes {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 1024, device_bytes = 1000, bandwidth = 2039, tflops = 312, launch_ns = 2000>} {
  func.func @rule_2_running_maximum(%x: tensor<16x16xf16>) {
    // expected-error @below {{has tiles of 1280 bytes, but a block of sm_80 has 1024 bytes of shared memory}}
    mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<16x16xf16>) -> () {
    ^bb0(%X: tensor<16x16xf16>):
      %a:2 = mirage_block.loop iterations 2 -> !mirage.tile<16x8xf16>, !mirage.tile<16x8xf32> {
        %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<16x16xf16> -> !mirage.tile<16x8xf16>
        %m = mirage_block.reduce_max %t dim 1 : (!mirage.tile<16x8xf16>) -> !mirage.tile<16x1xf32>
        mirage_block.accumulate rescaled_sum %t by %m, rescaled_sum %t by %m
            : !mirage.tile<16x8xf16> by !mirage.tile<16x1xf32>, !mirage.tile<16x8xf16> by !mirage.tile<16x1xf32>
      }
    }
    return
  }
}

// -----

// A reshape that widens is a tensor of its own.
module attributes {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 1024, device_bytes = 47, bandwidth = 2039, tflops = 312, launch_ns = 2000>} {
  // expected-error @below {{'func.func' op has tensors of 48 bytes, but sm_80 has 47 bytes of device memory}}
  func.func @rule_2_widening_reshape(%x: tensor<8xf16>) -> tensor<2x4xf32> {
    %0 = mirage_kernel.reshape %x : (tensor<8xf16>) -> tensor<2x4xf32>
    return %0 : tensor<2x4xf32>
  }
}

// -----

// Tensors: an argument and two results of 16 x 16 halves, in 1000 bytes of device
// memory. The reshape has its operand's place.
module attributes {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 1024, device_bytes = 1000, bandwidth = 2039, tflops = 312, launch_ns = 2000>} {
  // expected-error @below {{'func.func' op has tensors of 1536 bytes, but sm_80 has 1000 bytes of device memory}}
  func.func @rule_2_tensors(%x: tensor<16x16xf16>) -> tensor<256xf16> {
    %0 = mirage_kernel.exp %x : (tensor<16x16xf16>) -> tensor<16x16xf16>
    %1 = mirage_kernel.reshape %0 : (tensor<16x16xf16>) -> tensor<256xf16>
    %2 = mirage_kernel.graph_defined (%1) grid <x = 2> : (tensor<256xf16>) -> tensor<256xf16> {
    ^bb0(%X: tensor<256xf16>):
      %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<256xf16> -> !mirage.tile<128xf16>
      mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<128xf16> -> tensor<256xf16>
    }
    return %2 : tensor<256xf16>
  }
}

// -----

// What just fits.
module attributes {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 1024, device_bytes = 1000, bandwidth = 2039, tflops = 312, launch_ns = 2000>} {
  func.func @rule_2_fits(%x: tensor<250xf16>) -> tensor<250xf16> {
    %0 = mirage_kernel.exp %x : (tensor<250xf16>) -> tensor<250xf16>
    return %0 : tensor<250xf16>
  }
}

// -----

// The target is asked before the op is verified.
module attributes {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 1024, device_bytes = 1000, bandwidth = 2039, tflops = 312, launch_ns = 2000>} {
  func.func @rule_2_malformed() {
    mirage_kernel.graph_defined () grid <x = 1> : () -> () {
      "mirage_block.loop"() <{iterations = 2 : i64}> ({
        %c = mirage.constant 1.0 : !mirage.tile<f32>
        // expected-error @below {{operandSegmentSizes}}
        "mirage_block.accumulate"(%c) <{kinds = [3 : i32], dims = array<i64: -1>, operandSegmentSizes = array<i32: 7, -3>}> : (!mirage.tile<f32>) -> ()
      }) : () -> ()
    }
    return
  }
}

// -----

// The same without anything that has tensors.
// expected-error @below {{region #0 ('bodyRegion') failed to verify constraint: region with 1 blocks}}
"builtin.module"() ({}) {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 1024, device_bytes = 1000, bandwidth = 2039, tflops = 312, launch_ns = 2000>} : () -> ()

// -----

//===----------------------------------------------------------------------===//
// Rule 3: a path from an input to an output passes one input iterator, one
// accumulator if it passes through a loop, and one output saver
//===----------------------------------------------------------------------===//

// No iterator: block operators work on tiles, and only iterators make these of
// tensors.
func.func @rule_3_no_iterator(%x: tensor<4x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> () {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-error @below {{operand #0 must be}}
    %e = "mirage_block.exp"(%X) : (tensor<4x8xf16>) -> !mirage.tile<4x8xf16>
  }
  return
}

// -----

// Two iterators: one takes a tensor.
func.func @rule_3_two_iterators(%x: tensor<4x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<4x8xf16>) -> () {
  ^bb0(%X: tensor<4x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<4x8xf16> -> !mirage.tile<2x8xf16>
    // expected-error @below {{operand #0 must be}}
    %u = "mirage_block.input_iterator"(%t) {imap = #mirage.imap<x -> 0>} : (!mirage.tile<2x8xf16>) -> !mirage.tile<1x8xf16>
  }
  return
}

// -----

// No iterator of its own: a tile of another block graph.
func.func @rule_3_tile_of_another_kernel(%x: tensor<4x8xf16>) {
  // expected-note @below {{required by region isolation constraints}}
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> () {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-error @below {{using value defined outside the region}}
    %e = mirage_block.exp %t : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x8xf16>
  }
  return
^bb1(%t: !mirage.tile<4x8xf16>):
  return
}

// -----

// No accumulator: a tile of an iteration used after the loop.
func.func @rule_3_no_accumulator(%x: tensor<4x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> () {
  ^bb0(%X: tensor<4x8xf16>):
    mirage_block.loop iterations 2 {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      mirage_block.accumulate
    }
    // expected-error @below {{use of undeclared SSA value name}}
    %e = mirage_block.exp %t : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf16>
  }
  return
}

// -----

// The same in the loop's own result: nothing has been accumulated yet.
func.func @rule_3_accumulated_too_early(%x: tensor<4x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> () {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-note @below {{the tile is made here}}
    %s = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32> {
      // expected-error @below {{'mirage_block.exp' op uses a tile from outside of the loop}}
      %e = mirage_block.exp %s : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %e : !mirage.tile<4x4xf32>
    }
  }
  return
}

// -----

// Two accumulators: what a loop has accumulated, accumulated once more.
func.func @rule_3_two_accumulators(%x: tensor<4x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> () {
  ^bb0(%X: tensor<4x8xf16>):
    // expected-note @below {{the tile is made here}}
    %s = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32> {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      mirage_block.accumulate sum %t : !mirage.tile<4x4xf16>
    }
    %r = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32> {
      // expected-error @below {{'mirage_block.accumulate' op uses a tile from outside of the loop}}
      mirage_block.accumulate sum %s : !mirage.tile<4x4xf32>
    }
  }
  return
}

// -----

// The same by nesting.
func.func @rule_3_nested_loops(%x: tensor<4x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> () {
  ^bb0(%X: tensor<4x8xf16>):
    mirage_block.loop iterations 2 {
      // expected-error @below {{'mirage_block.loop' op must stand directly in a block graph}}
      mirage_block.loop iterations 2 {
        mirage_block.accumulate
      }
      mirage_block.accumulate
    }
  }
  return
}

// -----

// Loop-invariant and iterated tiles meet: the invariant one has passed no
// iterator of the loop. With a replica as fmap it would be iterated.
func.func @rule_3_invariant_tile_in_loop(%x: tensor<4x8xf16>, %w: tensor<4x4xf16>) {
  mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<4x8xf16>, tensor<4x4xf16>) -> () {
  ^bb0(%X: tensor<4x8xf16>, %W: tensor<4x4xf16>):
    // expected-note @below {{the tile is made here}}
    %u = mirage_block.input_iterator %W imap <x -> replica> : tensor<4x4xf16> -> !mirage.tile<4x4xf16>
    %s = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32> {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      // expected-error @below {{'mirage_block.mul' op uses a tile from outside of the loop: load it in the loop}}
      %p = mirage_block.mul %t, %u : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %p : !mirage.tile<4x4xf32>
    }
  }
  return
}

// -----

// An accumulated and an iterated tile meet after the loop: the latter has passed
// no accumulator.
func.func @rule_3_iterated_tile_after_loop(%x: tensor<4x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> () {
  ^bb0(%X: tensor<4x8xf16>):
    %s = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32> {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      mirage_block.accumulate sum %t : !mirage.tile<4x4xf16>
    }
    // expected-error @below {{use of undeclared SSA value name}}
    %p = mirage_block.mul %s, %t : (!mirage.tile<4x4xf32>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
  }
  return
}

// -----

// What is loaded once and what was accumulated may meet after the loop: the
// former's path has no loop.
func.func @rule_3_invariant_tile_after_loop(%x: tensor<4x8xf16>, %w: tensor<4x4xf16>) -> tensor<4x4xf16> {
  %0 = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<4x8xf16>, tensor<4x4xf16>) -> tensor<4x4xf16> {
  ^bb0(%X: tensor<4x8xf16>, %W: tensor<4x4xf16>):
    %s = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32> {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      mirage_block.accumulate sum %t : !mirage.tile<4x4xf16>
    }
    %u = mirage_block.input_iterator %W imap <x -> replica> : tensor<4x4xf16> -> !mirage.tile<4x4xf16>
    %p = mirage_block.mul %s, %u : (!mirage.tile<4x4xf32>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %p omap <x -> replica> : !mirage.tile<4x4xf32> -> tensor<4x4xf16>
  }
  return %0 : tensor<4x4xf16>
}

// -----

// No saver: a tensor that nobody writes.
func.func @rule_3_no_saver(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  // expected-error @below {{has 1 results, but 0 output savers}}
  %0 = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
  }
  return %0 : tensor<4x8xf16>
}

// -----

// More savers than results.
func.func @rule_3_two_savers(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  // expected-error @below {{has 1 results, but 2 output savers}}
  %0 = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.output_saver %t omap <x -> replica> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
    mirage_block.output_saver %t omap <x -> replica> : !mirage.tile<4x8xf16> -> tensor<4x8xf16>
  }
  return %0 : tensor<4x8xf16>
}

// -----

// A saver in the loop would save what has passed no accumulator.
func.func @rule_3_saver_in_loop(%x: tensor<4x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> () {
  ^bb0(%X: tensor<4x8xf16>):
    mirage_block.loop iterations 2 {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      // expected-error @below {{'mirage_block.output_saver' op must stand directly in a block graph}}
      mirage_block.output_saver %t omap <x -> replica> : !mirage.tile<4x4xf16> -> tensor<4x4xf16>
      mirage_block.accumulate
    }
  }
  return
}
