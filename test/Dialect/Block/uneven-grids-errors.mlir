// RUN: mirage-opt %s --split-input-file --verify-diagnostics

// What a grid cuts that it doesn't divide is to be treated element by element (C4 of mirage_kernel.graph_defined).

func.func @reduced(%x: tensor<11x8xf32>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<11x8xf32>) -> () {
  ^bb0(%X: tensor<11x8xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<11x8xf32> -> !mirage.tile<6x8xf32>
    // expected-error @below {{'mirage_block.sum' op stands in a kernel whose grid dimension x doesn't divide the 11 elements of what it cuts, and doesn't treat these one by one}}
    %s = mirage_block.sum %t dim 0 : (!mirage.tile<6x8xf32>) -> !mirage.tile<1x8xf32>
  }
  return
}

// -----

func.func @multiplied(%x: tensor<11x8xf32>, %y: tensor<8x11xf32>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<11x8xf32>) -> () {
  ^bb0(%X: tensor<11x8xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<11x8xf32> -> !mirage.tile<6x8xf32>
    %u = mirage_block.transpose %t permutation [1, 0] : (!mirage.tile<6x8xf32>) -> !mirage.tile<8x6xf32>
    // expected-error @below {{'mirage_block.matmul' op stands in a kernel whose grid dimension x doesn't divide the 11 elements of what it cuts, and doesn't treat these one by one}}
    %p = mirage_block.matmul %u, %t : (!mirage.tile<8x6xf32>, !mirage.tile<6x8xf32>) -> !mirage.tile<8x8xf32>
  }
  return
}

// -----

// Row i of a block's tile meets row i of another tensor, whichever block it is.
func.func @meets_whole(%x: tensor<11x8xf32>, %y: tensor<6x8xf32>) {
  mirage_kernel.graph_defined (%x, %y) grid <x = 2> : (tensor<11x8xf32>, tensor<6x8xf32>) -> () {
  ^bb0(%X: tensor<11x8xf32>, %Y: tensor<6x8xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<11x8xf32> -> !mirage.tile<6x8xf32>
    %u = mirage_block.input_iterator %Y imap <x -> replica> : tensor<6x8xf32> -> !mirage.tile<6x8xf32>
    // expected-error @below {{'mirage_block.add' op stands in a kernel whose grid dimension x doesn't divide the 11 elements of what it cuts, and doesn't treat these one by one}}
    %s = mirage_block.add %t, %u : (!mirage.tile<6x8xf32>, !mirage.tile<6x8xf32>) -> !mirage.tile<6x8xf32>
  }
  return
}

// -----

func.func @sliced(%x: tensor<11x8xf32>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<11x8xf32>) -> () {
  ^bb0(%X: tensor<11x8xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<11x8xf32> -> !mirage.tile<6x8xf32>
    // expected-error @below {{'mirage_block.slice' op stands in a kernel whose grid dimension x doesn't divide the 11 elements of what it cuts, and doesn't treat these one by one}}
    %s = mirage_block.slice %t dim 0 offset 1 size 2 : (!mirage.tile<6x8xf32>) -> !mirage.tile<2x8xf32>
  }
  return
}

// -----

func.func @reshaped(%x: tensor<11x8xf32>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<11x8xf32>) -> () {
  ^bb0(%X: tensor<11x8xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<11x8xf32> -> !mirage.tile<6x8xf32>
    // expected-error @below {{'mirage_block.reshape' op stands in a kernel whose grid dimension x doesn't divide the 11 elements of what it cuts, and doesn't treat these one by one}}
    %s = mirage_block.reshape %t : (!mirage.tile<6x8xf32>) -> !mirage.tile<8x6xf32>
  }
  return
}

// -----

func.func @concatenated(%x: tensor<11x8xf32>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<11x8xf32>) -> () {
  ^bb0(%X: tensor<11x8xf32>):
    %c = mirage_block.loop iterations 2 -> !mirage.tile<12x4xf32> {
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<11x8xf32> -> !mirage.tile<6x4xf32>
      // expected-error @below {{'mirage_block.accumulate' op stands in a kernel whose grid dimension x doesn't divide the 11 elements of what it cuts, and accumulator 0 concatenates along these}}
      mirage_block.accumulate concat %t dim 0 : !mirage.tile<6x4xf32>
    }
  }
  return
}

// -----

func.func @rescaled(%x: tensor<11x8xf32>, %m: tensor<6x8xf32>) {
  mirage_kernel.graph_defined (%x, %m) grid <x = 2> : (tensor<11x8xf32>, tensor<6x8xf32>) -> () {
  ^bb0(%X: tensor<11x8xf32>, %M: tensor<6x8xf32>):
    %c = mirage_block.loop iterations 2 -> !mirage.tile<6x4xf32> {
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<11x8xf32> -> !mirage.tile<6x4xf32>
      %u = mirage_block.input_iterator %M imap <x -> replica> fmap <i -> 1> : tensor<6x8xf32> -> !mirage.tile<6x4xf32>
      // expected-error @below {{'mirage_block.accumulate' op stands in a kernel whose grid dimension x doesn't divide the 11 elements of what it cuts, and accumulator 0 is rescaled by a tile that isn't cut like its own}}
      mirage_block.accumulate rescaled_sum %t by %u : !mirage.tile<6x4xf32> by !mirage.tile<6x4xf32>
    }
  }
  return
}

// -----

func.func @rescaled_whole(%x: tensor<6x8xf32>, %m: tensor<11x8xf32>) {
  mirage_kernel.graph_defined (%x, %m) grid <x = 2> : (tensor<6x8xf32>, tensor<11x8xf32>) -> () {
  ^bb0(%X: tensor<6x8xf32>, %M: tensor<11x8xf32>):
    %c = mirage_block.loop iterations 2 -> !mirage.tile<6x4xf32> {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<6x8xf32> -> !mirage.tile<6x4xf32>
      %u = mirage_block.input_iterator %M imap <x -> 0> fmap <i -> 1> : tensor<11x8xf32> -> !mirage.tile<6x4xf32>
      // expected-error @below {{'mirage_block.accumulate' op stands in a kernel whose grid dimension x doesn't divide the 11 elements of what it cuts, and accumulator 0 is rescaled by a tile that isn't cut like its own}}
      mirage_block.accumulate rescaled_sum %t by %u : !mirage.tile<6x4xf32> by !mirage.tile<6x4xf32>
    }
  }
  return
}

// -----

func.func @other_size(%x: tensor<11x8xf32>, %y: tensor<12x8xf32>) {
  mirage_kernel.graph_defined (%x, %y) grid <x = 2> : (tensor<11x8xf32>, tensor<12x8xf32>) -> () {
  ^bb0(%X: tensor<11x8xf32>, %Y: tensor<12x8xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<11x8xf32> -> !mirage.tile<6x8xf32>
    // expected-error @below {{'mirage_block.input_iterator' op stands in a kernel whose grid dimension x doesn't divide the 11 elements of what it cuts, and cuts 12 elements}}
    %u = mirage_block.input_iterator %Y imap <x -> 0> : tensor<12x8xf32> -> !mirage.tile<6x8xf32>
  }
  return
}

// -----

func.func @saved_in_other_size(%x: tensor<11x8xf32>) -> tensor<12x8xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<11x8xf32>) -> tensor<12x8xf32> {
  ^bb0(%X: tensor<11x8xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<11x8xf32> -> !mirage.tile<6x8xf32>
    // expected-error @below {{'mirage_block.output_saver' op stands in a kernel whose grid dimension x doesn't divide the 11 elements of what it cuts, and saves 12 elements along it}}
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<6x8xf32> -> tensor<12x8xf32>
  }
  return %z : tensor<12x8xf32>
}

// -----

func.func @saved_elsewhere(%x: tensor<6x8xf32>) -> tensor<11x8xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<6x8xf32>) -> tensor<11x8xf32> {
  ^bb0(%X: tensor<6x8xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<6x8xf32> -> !mirage.tile<6x8xf32>
    // expected-error @below {{'mirage_block.output_saver' op stands in a kernel whose grid dimension x doesn't divide the 11 elements of what it cuts, and saves a tile that isn't cut like these}}
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<6x8xf32> -> tensor<11x8xf32>
  }
  return %z : tensor<11x8xf32>
}

// -----

// Columns that are added up are not treated one by one.
func.func @columns_added_up(%x: tensor<8x11xf32>) -> tensor<8x2xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x11xf32>) -> tensor<8x2xf32> {
  ^bb0(%X: tensor<8x11xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 1> : tensor<8x11xf32> -> !mirage.tile<8x6xf32>
    // expected-error @below {{'mirage_block.sum' op stands in a kernel whose grid dimension x doesn't divide the 11 elements of what it cuts, and}}
    %s = mirage_block.sum %t dim 1 : (!mirage.tile<8x6xf32>) -> !mirage.tile<8x1xf32>
    mirage_block.output_saver %s omap <x -> 1> : !mirage.tile<8x1xf32> -> tensor<8x2xf32>
  }
  return %z : tensor<8x2xf32>
}

// -----

// What the loop cuts, too, is cut evenly.
func.func @looped(%x: tensor<11x8xf32>) {
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<11x8xf32>) -> () {
  ^bb0(%X: tensor<11x8xf32>):
    mirage_block.loop iterations 2 {
      // expected-error @below {{'mirage_block.input_iterator' op grid dimension x has 2 parts, which don't divide the 11 elements of data dimension 0, as they must where the loop partitions it, too}}
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 0> : tensor<11x8xf32> -> !mirage.tile<3x8xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

// Nine blocks of two rows would be enough for 17: a tenth has none of its own.
func.func @nothing_left(%x: tensor<17x8xf32>) {
  mirage_kernel.graph_defined (%x) grid <x = 10> : (tensor<17x8xf32>) -> () {
  ^bb0(%X: tensor<17x8xf32>):
    // expected-error @below {{'mirage_block.input_iterator' op grid dimension x has 10 parts, which don't divide the 17 elements of data dimension 0, nor leave each block elements of its own}}
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<17x8xf32> -> !mirage.tile<2x8xf32>
  }
  return
}

// -----

func.func @tile(%x: tensor<197x8xf32>) {
  mirage_kernel.graph_defined (%x) grid <x = 7> : (tensor<197x8xf32>) -> () {
  ^bb0(%X: tensor<197x8xf32>):
    // expected-error @below {{'mirage_block.input_iterator' op has a tile '!mirage.tile<29x8xf32>', but the maps leave '!mirage.tile<32x8xf32>'}}
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<197x8xf32> -> !mirage.tile<29x8xf32>
  }
  return
}
