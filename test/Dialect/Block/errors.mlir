// RUN: mirage-opt --split-input-file --verify-diagnostics %s

//===----------------------------------------------------------------------===//
// input_iterator
//===----------------------------------------------------------------------===//

func.func @input_iterator_outside(%x: tensor<8x8xf16>) {
  // expected-error @below {{'mirage_block.input_iterator' op must stand in a block graph}}
  %t = mirage_block.input_iterator %x imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
  return
}

// -----

func.func @input_iterator_C1(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %c = mirage.constant 1.0 : tensor<f32>
    // expected-error @below {{'mirage_block.input_iterator' op must read an argument of the enclosing graph_defined}}
    %t = mirage_block.input_iterator %c imap <x -> replica> : tensor<f32> -> !mirage.tile<f32>
  }
  return
}

// -----

func.func @input_iterator_C2(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2, y = 1> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.input_iterator' op has an imap of 1 entries, but the grid has 2 dimensions}}
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
  }
  return
}

// -----

func.func @input_iterator_C3_imap(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.input_iterator' op grid dimension x partitions data dimension 2, but the tensor has rank 2}}
    %t = mirage_block.input_iterator %X imap <x -> 2> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
  }
  return
}

// -----

func.func @input_iterator_C3_fmap(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    mirage_block.loop iterations 2 {
      // expected-error @below {{'mirage_block.input_iterator' op the loop partitions data dimension 7, but the tensor has rank 2}}
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 7> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @input_iterator_C4(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2, y = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.input_iterator' op grid dimensions x and y both name data dimension 0}}
    %t = mirage_block.input_iterator %X imap <x -> 0, y -> 0> : tensor<8x8xf16> -> !mirage.tile<2x8xf16>
  }
  return
}

// -----

// Of five parts of two elements the last would have none of its own.
func.func @input_iterator_C5_imap(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 5> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.input_iterator' op grid dimension x has 5 parts, which don't divide the 8 elements of data dimension 1, nor leave each block elements of its own}}
    %t = mirage_block.input_iterator %X imap <x -> 1> : tensor<8x8xf16> -> !mirage.tile<8x2xf16>
  }
  return
}

// -----

// The grid leaves 4 of 8 rows, which the loop is to cut.
func.func @input_iterator_C5_fmap(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    mirage_block.loop iterations 5 {
      // expected-error @below {{'mirage_block.input_iterator' op the loop has 5 parts, which don't divide the 4 elements of data dimension 0}}
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<1x8xf16>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @input_iterator_C5_more_parts(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 16> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.input_iterator' op grid dimension x has 16 parts, which don't divide the 8 elements of data dimension 0, nor leave each block elements of its own}}
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<1x8xf16>
  }
  return
}

// -----

func.func @input_iterator_C5_tile(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.input_iterator' op has a tile '!mirage.tile<8x8xf16>', but the maps leave '!mirage.tile<4x8xf16>'}}
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<8x8xf16>
  }
  return
}

// -----

func.func @input_iterator_C5_rank(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.input_iterator' op has a tile '!mirage.tile<32xf16>', but the maps leave '!mirage.tile<4x8xf16>'}}
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<32xf16>
  }
  return
}

// -----

func.func @input_iterator_C6_in_loop(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    mirage_block.loop iterations 2 {
      // expected-error @below {{'mirage_block.input_iterator' op in a loop must have an fmap}}
      %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @input_iterator_C6_outside(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.input_iterator' op outside of a loop can't have an fmap}}
    %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> replica> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
  }
  return
}

// -----

func.func @input_iterator_C7(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.input_iterator' op has a tile of 'f32' from a tensor of 'f16'}}
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf32>
  }
  return
}

// -----

func.func @input_iterator_scalar(%x: tensor<f16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<f16>) -> () {
  ^bb0(%X: tensor<f16>):
    // expected-error @below {{'mirage_block.input_iterator' op grid dimension x partitions data dimension 0, but the tensor has rank 0}}
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<f16> -> !mirage.tile<f16>
  }
  return
}

// -----

func.func @input_iterator_without_imap(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.input_iterator' op requires attribute 'imap'}}
    %t = "mirage_block.input_iterator"(%X) : (tensor<8x8xf16>) -> !mirage.tile<4x8xf16>
  }
  return
}

// -----

func.func @input_iterator_omap(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.input_iterator' op attribute 'imap' failed to satisfy constraint}}
    %t = "mirage_block.input_iterator"(%X) {imap = #mirage.omap<x -> 0>} : (tensor<8x8xf16>) -> !mirage.tile<4x8xf16>
  }
  return
}

// -----

func.func @input_iterator_in_thread_graph(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-note @below {{required by region isolation constraints}}
    mirage_block.graph_defined () : () -> () {
      // expected-error @below {{'mirage_block.input_iterator' op using value defined outside the region}}
      %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
      mirage_thread.yield
    }
  }
  return
}

// -----

//===----------------------------------------------------------------------===//
// output_saver
//===----------------------------------------------------------------------===//

func.func @output_saver_C1(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2, y = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0, y -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
    // expected-error @below {{'mirage_block.output_saver' op has an omap of 1 entries, but the grid has 2 dimensions}}
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x4xf16> -> tensor<8x4xf16>
  }
  return
}

// -----

func.func @output_saver_C2(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2, y = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0, y -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
    // expected-error @below {{'mirage_block.output_saver' op leaves grid dimension y unmapped: its blocks would write the same elements}}
    mirage_block.output_saver %t omap <x -> 0, y -> replica> : !mirage.tile<4x4xf16> -> tensor<8x4xf16>
  }
  return
}

// -----

func.func @output_saver_C3_exists(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage_block.output_saver' op grid dimension x partitions data dimension 2, but the tensor has rank 2}}
    mirage_block.output_saver %t omap <x -> 2> : !mirage.tile<4x8xf16> -> tensor<8x8xf16>
  }
  return
}

// -----

func.func @output_saver_C3_twice(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2, y = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0, y -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
    // expected-error @below {{'mirage_block.output_saver' op grid dimensions x and y both name data dimension 1}}
    mirage_block.output_saver %t omap <x -> 1, y -> 1> : !mirage.tile<4x4xf16> -> tensor<4x16xf16>
  }
  return
}

// -----

func.func @output_saver_C4_divides(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 4> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 1> : tensor<8x8xf16> -> !mirage.tile<8x2xf16>
    // expected-error @below {{'mirage_block.output_saver' op grid dimension x has 4 parts, which don't divide the 6 elements of data dimension 1, nor leave each block elements of its own}}
    mirage_block.output_saver %t omap <x -> 1> : !mirage.tile<8x2xf16> -> tensor<8x6xf16>
  }
  return
}

// -----

func.func @output_saver_C4_shape(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage_block.output_saver' op saves a '!mirage.tile<4x8xf16>', but each block's part of the tensor is a '!mirage.tile<8x8xf16>'}}
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<16x8xf16>
  }
  return
}

// -----

func.func @output_saver_C4_other_dimension(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage_block.output_saver' op saves a '!mirage.tile<4x8xf16>', but each block's part of the tensor is a '!mirage.tile<8x4xf16>'}}
    mirage_block.output_saver %t omap <x -> 1> : !mirage.tile<4x8xf16> -> tensor<8x8xf16>
  }
  return
}

// -----

func.func @output_saver_C5(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    mirage_block.loop iterations 2 {
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> replica> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
      // expected-error @below {{'mirage_block.output_saver' op must stand directly in a block graph}}
      mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<8x8xf16>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @output_saver_C5_function() {
  %c = mirage.constant 1.0 : !mirage.tile<f32>
  // expected-error @below {{'mirage_block.output_saver' op must stand directly in a block graph}}
  mirage_block.output_saver %c omap <x -> replica> : !mirage.tile<f32> -> tensor<f32>
  return
}

// -----

func.func @output_saver_integer(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage_block.output_saver' op attribute 'type' failed to satisfy constraint}}
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<8x8xi8>
  }
  return
}

// -----

func.func @output_saver_dynamic(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage_block.output_saver' op attribute 'type' failed to satisfy constraint}}
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<?x8xf16>
  }
  return
}

// -----

func.func @output_saver_tile(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage_block.output_saver' op attribute 'type' failed to satisfy constraint}}
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4x8xf16> -> !mirage.tile<8x8xf16>
  }
  return
}

// -----

func.func @output_saver_without_omap(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage_block.output_saver' op requires attribute 'omap'}}
    "mirage_block.output_saver"(%t) {type = tensor<8x8xf16>} : (!mirage.tile<4x8xf16>) -> ()
  }
  return
}

// -----

func.func @output_saver_without_type(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage_block.output_saver' op requires attribute 'type'}}
    "mirage_block.output_saver"(%t) {omap = #mirage.omap<x -> 0>} : (!mirage.tile<4x8xf16>) -> ()
  }
  return
}

// -----

//===----------------------------------------------------------------------===//
// loop
//===----------------------------------------------------------------------===//

func.func @loop_C1(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.loop' op must have from 1 to 2147483647 iterations, found 0}}
    mirage_block.loop iterations 0 {
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @loop_C1_negative(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.loop' op must have from 1 to 2147483647 iterations, found -4}}
    mirage_block.loop iterations -4 {
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @loop_C2_count(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.loop' op has 1 results, but 0 accumulators}}
    %0 = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32> {
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @loop_C2_shape(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.loop' op accumulator 0 collects a tile of shape 4x4, but its result is a '!mirage.tile<4x8xf32>'}}
    %0 = mirage_block.loop iterations 2 -> !mirage.tile<4x8xf32> {
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      mirage_block.accumulate sum %t : !mirage.tile<4x4xf16>
    }
  }
  return
}

// -----

func.func @loop_C2_concat(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.loop' op accumulator 1 collects a tile of shape 4x8, but its result is a '!mirage.tile<4x4xf32>'}}
    %0:2 = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32> {
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      mirage_block.accumulate max %t, concat %t dim 1 : !mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>
    }
  }
  return
}

// -----

// 2^32 times 2^31 elements overflow.
func.func @loop_C2_overflow(%x: tensor<8x4294967296xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 8> : (tensor<8x4294967296xf16>) -> () {
  ^bb0(%X: tensor<8x4294967296xf16>):
    // expected-error @below {{'mirage_block.loop' op accumulator 0 collects more than 2^40 elements}}
    %0 = mirage_block.loop iterations 2147483647 -> !mirage.tile<1x4xf32> {
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> replica> : tensor<8x4294967296xf16> -> !mirage.tile<1x4294967296xf16>
      mirage_block.accumulate concat %t dim 1 : !mirage.tile<1x4294967296xf16>
    }
  }
  return
}

// -----

func.func @loop_C3_tile_from_outside(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-note @below {{the tile is made here}}
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.loop iterations 2 {
      // expected-error @below {{'mirage_block.exp' op uses a tile from outside of the loop: load it in the loop}}
      %e = mirage_block.exp %t : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x8xf16>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @loop_C3_accumulates_outside(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-note @below {{the tile is made here}}
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    %0 = mirage_block.loop iterations 2 -> !mirage.tile<4x8xf16> {
      // expected-error @below {{'mirage_block.accumulate' op uses a tile from outside of the loop: load it in the loop}}
      mirage_block.accumulate sum %t : !mirage.tile<4x8xf16>
    }
  }
  return
}

// -----

func.func @loop_C3_kernel_op(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    mirage_block.loop iterations 2 {
      // expected-error @below {{'mirage_kernel.exp' op can't stand in a loop of a block graph}}
      %e = mirage_kernel.exp %X : (tensor<8x8xf16>) -> tensor<8x8xf16>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @loop_C3_arith(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    mirage_block.loop iterations 2 {
      // expected-error @below {{'arith.constant' op can't stand in a loop of a block graph}}
      %c = arith.constant 1.0 : f32
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @loop_C4_loop(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
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

func.func @loop_C4_function() {
  // expected-error @below {{'mirage_block.loop' op must stand directly in a block graph}}
  mirage_block.loop iterations 2 {
    mirage_block.accumulate
  }
  return
}

// -----

func.func @loop_C4_argument(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.loop' op can't have arguments of its region, found 1}}
    %0 = mirage_block.loop iterations 2 -> !mirage.tile<4xf16> {
    ^bb0(%t: !mirage.tile<4xf16>):
      mirage_block.accumulate sum %t : !mirage.tile<4xf16>
    }
  }
  return
}

// -----

func.func @loop_without_iterations(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.loop' op requires attribute 'iterations'}}
    "mirage_block.loop"() ({
      "mirage_block.accumulate"() <{kinds = [], dims = array<i64>}> : () -> ()
    }) : () -> ()
  }
  return
}

// -----

func.func @loop_empty_region(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.loop' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
    "mirage_block.loop"() <{iterations = 2 : i64}> ({}) : () -> ()
  }
  return
}

// -----

func.func @loop_terminator(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.loop' op expects regions to end with 'mirage_block.accumulate', found 'llvm.unreachable'}}
    // expected-note @below {{in custom textual format, the absence of terminator implies 'mirage_block.accumulate'}}
    "mirage_block.loop"() <{iterations = 2 : i64}> ({
      llvm.unreachable
    }) : () -> ()
  }
  return
}

// -----

//===----------------------------------------------------------------------===//
// accumulate
//===----------------------------------------------------------------------===//

func.func @accumulate_C1_kinds(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    "mirage_block.loop"() <{iterations = 2 : i64}> ({
      // expected-error @below {{'mirage_block.accumulate' op has 1 kinds and 0 dimensions for 0 tiles}}
      "mirage_block.accumulate"() <{kinds = [0 : i32], dims = array<i64>}> : () -> ()
    }) : () -> ()
  }
  return
}

// -----

func.func @accumulate_C1_dims(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    "mirage_block.loop"() <{iterations = 2 : i64}> ({
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      // expected-error @below {{'mirage_block.accumulate' op has 1 kinds and 2 dimensions for 1 tiles}}
      "mirage_block.accumulate"(%t) <{kinds = [0 : i32], dims = array<i64: -1, -1>, operandSegmentSizes = array<i32: 1, 0>}> : (!mirage.tile<4x4xf16>) -> ()
    }) : () -> ()
  }
  return
}

// -----

func.func @accumulate_C2_exists(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    "mirage_block.loop"() <{iterations = 2 : i64}> ({
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      // expected-error @below {{'mirage_block.accumulate' op accumulator 0 concatenates along dimension 2 of a tile of rank 2}}
      mirage_block.accumulate concat %t dim 2 : !mirage.tile<4x4xf16>
    }) : () -> ()
  }
  return
}

// -----

func.func @accumulate_C2_negative(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    "mirage_block.loop"() <{iterations = 2 : i64}> ({
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      // expected-error @below {{'mirage_block.accumulate' op accumulator 1 concatenates along dimension -1 of a tile of rank 2}}
      mirage_block.accumulate sum %t, concat %t dim -1 : !mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>
    }) : () -> ()
  }
  return
}

// -----

func.func @accumulate_C2_sum(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    "mirage_block.loop"() <{iterations = 2 : i64}> ({
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      // expected-error @below {{'mirage_block.accumulate' op accumulator 0 does not concatenate along dimension 1 of a tile of rank 2}}
      "mirage_block.accumulate"(%t) <{kinds = [0 : i32], dims = array<i64: 1>, operandSegmentSizes = array<i32: 1, 0>}> : (!mirage.tile<4x4xf16>) -> ()
    }) : () -> ()
  }
  return
}

// -----

func.func @accumulate_C3_missing(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    "mirage_block.loop"() <{iterations = 2 : i64}> ({
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      // expected-error @below {{'mirage_block.accumulate' op has 0 maxima for 1 rescaled sums}}
      "mirage_block.accumulate"(%t) <{kinds = [3 : i32], dims = array<i64: -1>, operandSegmentSizes = array<i32: 1, 0>}> : (!mirage.tile<4x4xf16>) -> ()
    }) : () -> ()
  }
  return
}

// -----

func.func @accumulate_C3_more(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    "mirage_block.loop"() <{iterations = 2 : i64}> ({
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      // expected-error @below {{'mirage_block.accumulate' op has 1 maxima for 0 rescaled sums}}
      "mirage_block.accumulate"(%t, %t) <{kinds = [1 : i32], dims = array<i64: -1>, operandSegmentSizes = array<i32: 1, 1>}> : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> ()
    }) : () -> ()
  }
  return
}

// -----

func.func @accumulate_C4(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    "mirage_block.loop"() <{iterations = 2 : i64}> ({
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %s = mirage_block.sum %t dim 1 : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x1xf16>
      // expected-error @below {{'mirage_block.accumulate' op accumulator 0 is rescaled by a '!mirage.tile<4x4xf16>', which doesn't broadcast to its tile, a '!mirage.tile<4x1xf16>'}}
      mirage_block.accumulate rescaled_sum %s by %t : !mirage.tile<4x1xf16> by !mirage.tile<4x4xf16>
    }) : () -> ()
  }
  return
}

// -----

func.func @accumulate_C4_shape(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    "mirage_block.loop"() <{iterations = 2 : i64}> ({
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %s = mirage_block.reshape %t : (!mirage.tile<4x4xf16>) -> !mirage.tile<2x8xf16>
      // expected-error @below {{'mirage_block.accumulate' op accumulator 0 is rescaled by a '!mirage.tile<2x8xf16>', which doesn't broadcast to its tile, a '!mirage.tile<4x4xf16>'}}
      mirage_block.accumulate rescaled_sum %t by %s : !mirage.tile<4x4xf16> by !mirage.tile<2x8xf16>
    }) : () -> ()
  }
  return
}

// -----

func.func @accumulate_kind_value(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    "mirage_block.loop"() <{iterations = 2 : i64}> ({
      // expected-error @below {{'mirage_block.accumulate' op attribute 'kinds' failed to satisfy constraint: kinds of accumulators}}
      "mirage_block.accumulate"() <{kinds = [7 : i32], dims = array<i64: -1>}> : () -> ()
    }) : () -> ()
  }
  return
}

// -----

func.func @accumulate_kind_name(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    "mirage_block.loop"() <{iterations = 2 : i64}> ({
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      // expected-error @below {{expected a kind of accumulator ('sum', 'max', 'concat' or 'rescaled_sum')}}
      mirage_block.accumulate product %t : !mirage.tile<4x4xf16>
    }) : () -> ()
  }
  return
}

// -----

func.func @accumulate_second_kind_name(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    "mirage_block.loop"() <{iterations = 2 : i64}> ({
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      // expected-error @below {{expected a kind of accumulator ('sum', 'max', 'concat' or 'rescaled_sum')}}
      mirage_block.accumulate sum %t, min %t : !mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>
    }) : () -> ()
  }
  return
}

// -----

func.func @accumulate_concat_without_dim(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    "mirage_block.loop"() <{iterations = 2 : i64}> ({
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      // expected-error @below {{expected 'dim'}}
      mirage_block.accumulate concat %t : !mirage.tile<4x4xf16>
    }) : () -> ()
  }
  return
}

// -----

func.func @accumulate_rescaled_without_maximum(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    "mirage_block.loop"() <{iterations = 2 : i64}> ({
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      // expected-error @below {{expected 'by'}}
      mirage_block.accumulate rescaled_sum %t : !mirage.tile<4x4xf16>
    }) : () -> ()
  }
  return
}

// -----

func.func @accumulate_rescaled_without_type(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    "mirage_block.loop"() <{iterations = 2 : i64}> ({
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      // expected-error @+2 {{expected 'by'}}
      mirage_block.accumulate rescaled_sum %t by %t : !mirage.tile<4x4xf16>
    }) : () -> ()
  }
  return
}

// -----

func.func @accumulate_without_kinds(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    "mirage_block.loop"() <{iterations = 2 : i64}> ({
      // expected-error @below {{'mirage_block.accumulate' op requires attribute 'kinds'}}
      "mirage_block.accumulate"() <{dims = array<i64>}> : () -> ()
    }) : () -> ()
  }
  return
}

// -----

func.func @accumulate_without_dims(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    "mirage_block.loop"() <{iterations = 2 : i64}> ({
      // expected-error @below {{'mirage_block.accumulate' op requires attribute 'dims'}}
      "mirage_block.accumulate"() <{kinds = []}> : () -> ()
    }) : () -> ()
  }
  return
}

// -----

func.func @accumulate_segments(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    "mirage_block.loop"() <{iterations = 2 : i64}> ({
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      // expected-error @below {{operandSegmentSizes}}
      "mirage_block.accumulate"(%t) <{kinds = [0 : i32], dims = array<i64: -1>, operandSegmentSizes = array<i32: 5, 0>}> : (!mirage.tile<4x4xf16>) -> ()
    }) : () -> ()
  }
  return
}

// -----

func.func @accumulate_outside(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.accumulate' op expects parent op 'mirage_block.loop'}}
    mirage_block.accumulate
  }
  return
}

// -----

func.func @accumulate_in_function() {
  // expected-error @below {{'mirage_block.accumulate' op expects parent op 'mirage_block.loop'}}
  mirage_block.accumulate
}

// -----

func.func @accumulate_types(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    mirage_block.loop iterations 2 {
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      // expected-error @below {{expected ','}}
      mirage_block.accumulate sum %t, sum %t : !mirage.tile<4x4xf16>
    }
  }
  return
}

// -----

//===----------------------------------------------------------------------===//
// graph_defined
//===----------------------------------------------------------------------===//

func.func @graph_defined_C1_count(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage_block.graph_defined' op has 1 operands, but its region has 0 arguments}}
    mirage_block.graph_defined (%t) : (!mirage.tile<4x8xf16>) -> () {
      mirage_thread.yield
    }
  }
  return
}

// -----

func.func @graph_defined_C1_type(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage_block.graph_defined' op argument 0 is a '!mirage.fragment<4x8xf32>', not a fragment of the operand, a '!mirage.tile<4x8xf16>'}}
    mirage_block.graph_defined (%t) : (!mirage.tile<4x8xf16>) -> () {
    ^bb0(%f: !mirage.fragment<4x8xf32>):
      mirage_thread.yield
    }
  }
  return
}

// -----

func.func @graph_defined_C1_tile(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage_block.graph_defined' op argument 0 is a '!mirage.tile<4x8xf16>', not a fragment of the operand, a '!mirage.tile<4x8xf16>'}}
    mirage_block.graph_defined (%t) : (!mirage.tile<4x8xf16>) -> () {
    ^bb0(%f: !mirage.tile<4x8xf16>):
      mirage_thread.yield
    }
  }
  return
}

// -----

func.func @graph_defined_C2_count(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage_block.graph_defined' op has 1 results, but yields 0 values}}
    %0 = mirage_block.graph_defined (%t) : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x8xf16> {
    ^bb0(%f: !mirage.fragment<4x8xf16>):
      mirage_thread.yield
    }
  }
  return
}

// -----

func.func @graph_defined_C2_shape(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage_block.graph_defined' op result 0 is a '!mirage.tile<4x4xf16>', but the region yields a '!mirage.fragment<4x8xf16>'}}
    %0 = mirage_block.graph_defined (%t) : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x4xf16> {
    ^bb0(%f: !mirage.fragment<4x8xf16>):
      mirage_thread.yield %f : !mirage.fragment<4x8xf16>
    }
  }
  return
}

// -----

func.func @graph_defined_C3(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    mirage_block.graph_defined (%t) : (!mirage.tile<4x8xf16>) -> () {
    ^bb0(%f: !mirage.fragment<4x8xf16>):
      // expected-error @below {{'arith.constant' op can't stand in a thread graph}}
      %c = arith.constant 1.0 : f32
      mirage_thread.yield
    }
  }
  return
}

// -----

func.func @graph_defined_C3_block_op(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    mirage_block.graph_defined () : () -> () {
      %c = mirage.constant 1.0 : !mirage.tile<f32>
      // expected-error @below {{'mirage_block.exp' op can't stand in a thread graph}}
      %e = mirage_block.exp %c : (!mirage.tile<f32>) -> !mirage.tile<f32>
      mirage_thread.yield
    }
  }
  return
}

// -----

func.func @graph_defined_C3_loop(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    mirage_block.graph_defined () : () -> () {
      // expected-error @below {{'mirage_block.loop' op must stand directly in a block graph}}
      mirage_block.loop iterations 2 {
        mirage_block.accumulate
      }
      mirage_thread.yield
    }
  }
  return
}

// -----

func.func @graph_defined_C3_no_yield(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    mirage_block.graph_defined () : () -> () {
      // expected-error @below {{block with no terminator}}
      %c = mirage.constant 1.0 : !mirage.fragment<f32>
    }
  }
  return
}

// -----

func.func @graph_defined_C3_nested(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    mirage_block.graph_defined () : () -> () {
      // expected-error @below {{'mirage_block.graph_defined' op can't stand in a thread graph}}
      mirage_block.graph_defined () : () -> () {
        mirage_thread.yield
      }
      mirage_thread.yield
    }
  }
  return
}

// -----

func.func @graph_defined_C4(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage_block.graph_defined' op must have results of one shape}}
    %0:2 = mirage_block.graph_defined (%t) : (!mirage.tile<4x8xf16>) -> (!mirage.tile<4x8xf16>, !mirage.tile<f32>) {
    ^bb0(%f: !mirage.fragment<4x8xf16>):
      %c = mirage.constant 1.0 : !mirage.fragment<f32>
      mirage_thread.yield %f, %c : !mirage.fragment<4x8xf16>, !mirage.fragment<f32>
    }
  }
  return
}

// -----

func.func @graph_defined_empty_region(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.graph_defined' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
    "mirage_block.graph_defined"() ({}) : () -> ()
  }
  return
}

// -----

func.func @graph_defined_empty_block(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.graph_defined' op expects a non-empty block}}
    "mirage_block.graph_defined"() ({
    ^bb0:
    }) : () -> ()
  }
  return
}

// -----

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

func.func @sum_without_dim(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage_block.sum' op requires attribute 'dim'}}
    %0 = "mirage_block.sum"(%t) : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x1xf16>
  }
  return
}

// -----

func.func @sum_C1(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage_block.sum' op dimension 9223372036854775807 of 4x8 doesn't exist}}
    %0 = mirage_block.sum %t dim 9223372036854775807 : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x1xf16>
  }
  return
}

// -----

func.func @matmul_C1(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage_block.matmul' op the last dimension of 4x8 is not the one before the last of 4x8}}
    %0 = mirage_block.matmul %t, %t : (!mirage.tile<4x8xf16>, !mirage.tile<4x8xf16>) -> !mirage.tile<4x8xf16>
  }
  return
}

// -----

func.func @div_C2(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{'mirage_block.div' op has a result of shape 4x1, but its operands give 4x8}}
    %0 = mirage_block.div %t, %t : (!mirage.tile<4x8xf16>, !mirage.tile<4x8xf16>) -> !mirage.tile<4x1xf16>
  }
  return
}

// -----

func.func @exp_of_tensor(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    // expected-error @below {{'mirage_block.exp' op operand #0 must be tile, but got 'tensor<8x8xf16>'}}
    %0 = "mirage_block.exp"(%X) : (tensor<8x8xf16>) -> !mirage.tile<8x8xf16>
  }
  return
}

// -----

// Between tiles nothing is convolved.
func.func @conv_2d(%x: tensor<8x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> () {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
    // expected-error @below {{unregistered operation 'mirage_block.conv_2d' found in dialect ('mirage_block') that does not allow unknown operations}}
    %0 = "mirage_block.conv_2d"(%t) : (!mirage.tile<4x8xf16>) -> !mirage.tile<8x4xf16>
  }
  return
}
