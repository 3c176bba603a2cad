// Places of tiles that can't be.

// RUN: mirage-opt --convert-mirage-to-gpu="target=sm_80 allow-unverified" -split-input-file -verify-diagnostics %s

func.func @no_total(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf32>) -> tensor<4x1xf32> {
  ^bb0(%X: tensor<4x8xf32>):
    // expected-error @below {{'mirage_block.input_iterator' op has 'mirage.offsets', but its kernel no 'mirage.shared_bytes'}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.offsets = array<i64: 0>} : tensor<4x8xf32> -> !mirage.tile<4x8xf32>
    %s = mirage_block.tanh %t : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x8xf32>
    %v = mirage_block.sum %s dim 1 : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x1xf32>
    mirage_block.output_saver %v omap <x -> 0> : !mirage.tile<4x1xf32> -> tensor<4x1xf32>
  }
  return %z : tensor<4x1xf32>
}

// -----

func.func @missing(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.shared_bytes = 256 : i64} : (tensor<4x8xf32>) -> tensor<4x1xf32> {
  ^bb0(%X: tensor<4x8xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.offsets = array<i64: 0>} : tensor<4x8xf32> -> !mirage.tile<4x8xf32>
    // expected-error @below {{'mirage_block.tanh' op has no offset for its result 0, which is in shared memory}}
    %s = mirage_block.tanh %t : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x8xf32>
    %v = mirage_block.sum %s dim 1 : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x1xf32>
    mirage_block.output_saver %v omap <x -> 0> : !mirage.tile<4x1xf32> -> tensor<4x1xf32>
  }
  return %z : tensor<4x1xf32>
}

// -----

func.func @minus_one(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.shared_bytes = 256 : i64} : (tensor<4x8xf32>) -> tensor<4x1xf32> {
  ^bb0(%X: tensor<4x8xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.offsets = array<i64: 0>} : tensor<4x8xf32> -> !mirage.tile<4x8xf32>
    // expected-error @below {{'mirage_block.tanh' op has no offset for its result 0, which is in shared memory}}
    %s = mirage_block.tanh %t {mirage.offsets = array<i64: -1>} : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x8xf32>
    %v = mirage_block.sum %s dim 1 : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x1xf32>
    mirage_block.output_saver %v omap <x -> 0> : !mirage.tile<4x1xf32> -> tensor<4x1xf32>
  }
  return %z : tensor<4x1xf32>
}

// -----

func.func @too_many(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.shared_bytes = 256 : i64} : (tensor<4x8xf32>) -> tensor<4x1xf32> {
  ^bb0(%X: tensor<4x8xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.offsets = array<i64: 0>} : tensor<4x8xf32> -> !mirage.tile<4x8xf32>
    // expected-error @below {{'mirage_block.tanh' op has 2 offsets, expected 1 (its results, its running maxima, its scratch)}}
    %s = mirage_block.tanh %t {mirage.offsets = array<i64: 128, 0>} : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x8xf32>
    %v = mirage_block.sum %s dim 1 : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x1xf32>
    mirage_block.output_saver %v omap <x -> 0> : !mirage.tile<4x1xf32> -> tensor<4x1xf32>
  }
  return %z : tensor<4x1xf32>
}

// -----

func.func @not_kept(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.shared_bytes = 256 : i64} : (tensor<4x8xf32>) -> tensor<4x1xf32> {
  ^bb0(%X: tensor<4x8xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.offsets = array<i64: 0>} : tensor<4x8xf32> -> !mirage.tile<4x8xf32>
    %s = mirage_block.tanh %t {mirage.offsets = array<i64: 128>} : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x8xf32>
    // expected-error @below {{'mirage_block.sum' op has offset 0 for result 0, which is not in shared memory}}
    %v = mirage_block.sum %s dim 1 {mirage.offsets = array<i64: 0>} : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x1xf32>
    mirage_block.output_saver %v omap <x -> 0> : !mirage.tile<4x1xf32> -> tensor<4x1xf32>
  }
  return %z : tensor<4x1xf32>
}

// -----

func.func @unaligned(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.shared_bytes = 512 : i64} : (tensor<4x8xf32>) -> tensor<4x1xf32> {
  ^bb0(%X: tensor<4x8xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.offsets = array<i64: 0>} : tensor<4x8xf32> -> !mirage.tile<4x8xf32>
    // expected-error @below {{'mirage_block.tanh' op has its result 0 at byte 136, not a multiple of 16}}
    %s = mirage_block.tanh %t {mirage.offsets = array<i64: 136>} : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x8xf32>
    %v = mirage_block.sum %s dim 1 : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x1xf32>
    mirage_block.output_saver %v omap <x -> 0> : !mirage.tile<4x1xf32> -> tensor<4x1xf32>
  }
  return %z : tensor<4x1xf32>
}

// -----

func.func @alignment_of_layout(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.shared_bytes = 512 : i64} : (tensor<4x8xf32>) -> tensor<4x1xf32> {
  ^bb0(%X: tensor<4x8xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.offsets = array<i64: 0>} : tensor<4x8xf32> -> !mirage.tile<4x8xf32>
    // expected-error @below {{'mirage_block.tanh' op has its result 0 at byte 192, not a multiple of 128}}
    %s = mirage_block.tanh %t {mirage.offsets = array<i64: 192>, mirage.tile_alignments = array<i64: 128>} : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x8xf32>
    %v = mirage_block.sum %s dim 1 : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x1xf32>
    mirage_block.output_saver %v omap <x -> 0> : !mirage.tile<4x1xf32> -> tensor<4x1xf32>
  }
  return %z : tensor<4x1xf32>
}

// -----

func.func @beyond(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.shared_bytes = 240 : i64} : (tensor<4x8xf32>) -> tensor<4x1xf32> {
  ^bb0(%X: tensor<4x8xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.offsets = array<i64: 0>} : tensor<4x8xf32> -> !mirage.tile<4x8xf32>
    // expected-error @below {{'mirage_block.tanh' op has its result 0 in bytes 128 to 256, but its kernel has 240}}
    %s = mirage_block.tanh %t {mirage.offsets = array<i64: 128>} : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x8xf32>
    %v = mirage_block.sum %s dim 1 : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x1xf32>
    mirage_block.output_saver %v omap <x -> 0> : !mirage.tile<4x1xf32> -> tensor<4x1xf32>
  }
  return %z : tensor<4x1xf32>
}

// -----

func.func @overlap(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.shared_bytes = 256 : i64} : (tensor<4x8xf32>) -> tensor<4x1xf32> {
  ^bb0(%X: tensor<4x8xf32>):
    // expected-note @below {{by the result 0 of this op, in bytes 0 to 128}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.offsets = array<i64: 0>} : tensor<4x8xf32> -> !mirage.tile<4x8xf32>
    // expected-error @below {{'mirage_block.tanh' op has its result 0 in bytes 112 to 240, some of which are in use then}}
    %s = mirage_block.tanh %t {mirage.offsets = array<i64: 112>} : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x8xf32>
    %v = mirage_block.sum %s dim 1 : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x1xf32>
    mirage_block.output_saver %v omap <x -> 0> : !mirage.tile<4x1xf32> -> tensor<4x1xf32>
  }
  return %z : tensor<4x1xf32>
}

// -----

func.func @scratch_overlap(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.shared_bytes = 256 : i64} : (tensor<4x8xf32>) -> tensor<4x1xf32> {
  ^bb0(%X: tensor<4x8xf32>):
    // expected-note @below {{by the result 0 of this op, in bytes 0 to 128}}
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.offsets = array<i64: 0>} : tensor<4x8xf32> -> !mirage.tile<4x8xf32>
    // expected-error @below {{'mirage_block.tanh' op has its scratch in bytes 64 to 80, some of which are in use then}}
    %s = mirage_block.tanh %t {mirage.offsets = array<i64: 128, 64>, mirage.scratch_bytes = 16 : i64} : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x8xf32>
    %v = mirage_block.sum %s dim 1 : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x1xf32>
    mirage_block.output_saver %v omap <x -> 0> : !mirage.tile<4x1xf32> -> tensor<4x1xf32>
  }
  return %z : tensor<4x1xf32>
}

// -----

func.func @too_large(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  // expected-error @below {{has tiles of 200000 bytes, but a block of sm_80 has 166912 bytes of shared memory}}
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.shared_bytes = 200000 : i64} : (tensor<4x8xf32>) -> tensor<4x1xf32> {
  ^bb0(%X: tensor<4x8xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> {mirage.offsets = array<i64: 0>} : tensor<4x8xf32> -> !mirage.tile<4x8xf32>
    %s = mirage_block.tanh %t {mirage.offsets = array<i64: 128>} : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x8xf32>
    %v = mirage_block.sum %s dim 1 : (!mirage.tile<4x8xf32>) -> !mirage.tile<4x1xf32>
    mirage_block.output_saver %v omap <x -> 0> : !mirage.tile<4x1xf32> -> tensor<4x1xf32>
  }
  return %z : tensor<4x1xf32>
}

// -----

// A running maximum and a tile that the loop loads again and again.
func.func @in_a_loop(%x: tensor<4x32xf16>) -> tensor<4x8xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.shared_bytes = 1024 : i64} : (tensor<4x32xf16>) -> tensor<4x8xf32> {
  ^bb0(%X: tensor<4x32xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<4x8xf32> attributes {mirage.offsets = array<i64: 0>} {
      // expected-note @below {{by the result 0 of this op, in bytes 128 to 192}}
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> {mirage.offsets = array<i64: 128>} : tensor<4x32xf16> -> !mirage.tile<4x8xf16>
      %m = mirage_block.reduce_max %t dim 1 {mirage.offsets = array<i64: 192>} : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x1xf32>
      // expected-error @below {{'mirage_block.accumulate' op has its running maximum 0 in bytes 176 to 224, some of which are in use then}}
      mirage_block.accumulate rescaled_sum %t by %m {mirage.offsets = array<i64: 176>} : !mirage.tile<4x8xf16> by !mirage.tile<4x1xf32>
    }
    mirage_block.output_saver %a omap <x -> replica> : !mirage.tile<4x8xf32> -> tensor<4x8xf32>
  }
  return %z : tensor<4x8xf32>
}
