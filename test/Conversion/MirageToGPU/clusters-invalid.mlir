// RUN: mirage-opt --split-input-file --verify-diagnostics --convert-mirage-to-gpu="target=sm_90a allow-unverified" %s

func.func @dimensions(%x: tensor<32x8xf16>) -> tensor<4x8xf32> {
  // expected-error @below {{has 'mirage.cluster' with 2 sizes, but its grid 1 dimensions}}
  %q = mirage_kernel.graph_defined (%x) grid <x = 4> {mirage.cluster = array<i64: 1, 2>} : (tensor<32x8xf16>) -> tensor<4x8xf32> {
  ^bb0(%X: tensor<32x8xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<1x8xf32> attributes {mirage.producer_warp} {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 0> : tensor<32x8xf16> -> !mirage.tile<8x8xf16>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<8x8xf16>) -> !mirage.tile<1x8xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x8xf32>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<1x8xf32> -> tensor<4x8xf32>
  }
  return %q : tensor<4x8xf32>
}

// -----

func.func @divides(%x: tensor<32x8xf16>) -> tensor<3x8xf32> {
  // expected-error @below {{has 'mirage.cluster' with a size of 2, which doesn't divide its grid's 3}}
  %q = mirage_kernel.graph_defined (%x) grid <x = 3> {mirage.cluster = array<i64: 2>} : (tensor<32x8xf16>) -> tensor<3x8xf32> {
  ^bb0(%X: tensor<32x8xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<1x8xf32> attributes {mirage.producer_warp} {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 0> : tensor<32x8xf16> -> !mirage.tile<8x8xf16>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<8x8xf16>) -> !mirage.tile<1x8xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x8xf32>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<1x8xf32> -> tensor<3x8xf32>
  }
  return %q : tensor<3x8xf32>
}

// -----

func.func @plane(%x: tensor<32x8xf16>) -> tensor<2x16xf32> {
  // expected-error @below {{has 'mirage.cluster' with clusters along several dimensions of the grid}}
  %q = mirage_kernel.graph_defined (%x) grid <x = 2, y = 2> {mirage.cluster = array<i64: 2, 2>} : (tensor<32x8xf16>) -> tensor<2x16xf32> {
  ^bb0(%X: tensor<32x8xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<1x8xf32> attributes {mirage.producer_warp} {
      %xt = mirage_block.input_iterator %X imap <x -> replica, y -> replica> fmap <i -> 0> : tensor<32x8xf16> -> !mirage.tile<8x8xf16>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<8x8xf16>) -> !mirage.tile<1x8xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x8xf32>
    }
    mirage_block.output_saver %a omap <x -> 0, y -> 1> : !mirage.tile<1x8xf32> -> tensor<2x16xf32>
  }
  return %q : tensor<2x16xf32>
}

// -----

// Each block has tiles of its own.
func.func @nothing_shared(%x: tensor<32x16xf16>) -> tensor<1x16xf32> {
  // expected-error @below {{has 'mirage.cluster', but no tile that a warp of each block could load a part of}}
  %q = mirage_kernel.graph_defined (%x) grid <x = 2> {mirage.cluster = array<i64: 2>} : (tensor<32x16xf16>) -> tensor<1x16xf32> {
  ^bb0(%X: tensor<32x16xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<1x8xf32> attributes {mirage.producer_warp} {
      %xt = mirage_block.input_iterator %X imap <x -> 1> fmap <i -> 0> : tensor<32x16xf16> -> !mirage.tile<8x8xf16>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<8x8xf16>) -> !mirage.tile<1x8xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x8xf32>
    }
    mirage_block.output_saver %a omap <x -> 1> : !mirage.tile<1x8xf32> -> tensor<1x16xf32>
  }
  return %q : tensor<1x16xf32>
}

// -----

// A tile of 128 bytes has no parts that a box could begin at.
func.func @small(%x: tensor<32x8xf16>) -> tensor<2x8xf32> {
  // expected-error @below {{has 'mirage.cluster', but no tile that a warp of each block could load a part of}}
  %q = mirage_kernel.graph_defined (%x) grid <x = 2> {mirage.cluster = array<i64: 2>} : (tensor<32x8xf16>) -> tensor<2x8xf32> {
  ^bb0(%X: tensor<32x8xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<1x8xf32> attributes {mirage.producer_warp} {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 0> : tensor<32x8xf16> -> !mirage.tile<8x8xf16>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<8x8xf16>) -> !mirage.tile<1x8xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x8xf32>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<1x8xf32> -> tensor<2x8xf32>
  }
  return %q : tensor<2x8xf32>
}

// -----

// No warp that loads.
func.func @no_producer(%x: tensor<128x8xf16>) -> tensor<2x8xf32> {
  // expected-error @below {{has 'mirage.cluster', but no tile that a warp of each block could load a part of}}
  %q = mirage_kernel.graph_defined (%x) grid <x = 2> {mirage.cluster = array<i64: 2>} : (tensor<128x8xf16>) -> tensor<2x8xf32> {
  ^bb0(%X: tensor<128x8xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<1x8xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 0> : tensor<128x8xf16> -> !mirage.tile<32x8xf16>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<32x8xf16>) -> !mirage.tile<1x8xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x8xf32>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<1x8xf32> -> tensor<2x8xf32>
  }
  return %q : tensor<2x8xf32>
}

// -----

// Blocks along w don't follow each other.
func.func @along_w(%x: tensor<1x1x32x8xf16>) -> tensor<1x1x2x8xf32> {
  // expected-error @below {{has 'mirage.cluster' with clusters along w, where no blocks follow each other}}
  %q = mirage_kernel.graph_defined (%x) grid <x = 1, y = 1, z = 1, w = 2> {mirage.cluster = array<i64: 1, 1, 1, 2>} : (tensor<1x1x32x8xf16>) -> tensor<1x1x2x8xf32> {
  ^bb0(%X: tensor<1x1x32x8xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<1x1x1x8xf32> attributes {mirage.producer_warp} {
      %xt = mirage_block.input_iterator %X imap <x -> replica, y -> replica, z -> replica, w -> replica> fmap <i -> 2> : tensor<1x1x32x8xf16> -> !mirage.tile<1x1x8x8xf16>
      %s = mirage_block.sum %xt dim 2 : (!mirage.tile<1x1x8x8xf16>) -> !mirage.tile<1x1x1x8xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x1x1x8xf32>
    }
    mirage_block.output_saver %a omap <x -> 0, y -> 1, z -> 3, w -> 2> : !mirage.tile<1x1x1x8xf32> -> tensor<1x1x2x8xf32>
  }
  return %q : tensor<1x1x2x8xf32>
}
