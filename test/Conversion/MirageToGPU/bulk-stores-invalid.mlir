// RUN: mirage-opt --split-input-file --verify-diagnostics --convert-mirage-to-gpu="target=sm_90a allow-unverified" %s

// A pair of floats is less than 16 bytes.
func.func @short_rows(%x: tensor<32x2xf32>) -> tensor<1x2xf32> {
  %q = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<32x2xf32>) -> tensor<1x2xf32> {
  ^bb0(%X: tensor<32x2xf32>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<1x2xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 0> : tensor<32x2xf32> -> !mirage.tile<8x2xf32>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<8x2xf32>) -> !mirage.tile<1x2xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x2xf32>
    }
    // expected-error @below {{has 'mirage.bulk_store', but a tile that the tensor memory accelerator can't store}}
    mirage_block.output_saver %a omap <x -> 0> {mirage.bulk_store} : !mirage.tile<1x2xf32> -> tensor<1x2xf32>
  }
  return %q : tensor<1x2xf32>
}

// -----

func.func @type(%x: tensor<32x8xf16>) -> tensor<1x8xf16> {
  %q = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<32x8xf16>) -> tensor<1x8xf16> {
  ^bb0(%X: tensor<32x8xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<1x8xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 0> : tensor<32x8xf16> -> !mirage.tile<8x8xf16>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<8x8xf16>) -> !mirage.tile<1x8xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x8xf32>
    }
    // expected-error @below {{has 'mirage.bulk_store', but a tile that the tensor memory accelerator can't store}}
    mirage_block.output_saver %a omap <x -> 0> {mirage.bulk_store} : !mirage.tile<1x8xf32> -> tensor<1x8xf16>
  }
  return %q : tensor<1x8xf16>
}

// -----

// Rows that aren't in panels.
func.func @layout(%x: tensor<32x64xf32>) -> tensor<8x64xf32> {
  %q = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<32x64xf32>) -> tensor<8x64xf32> {
  ^bb0(%X: tensor<32x64xf32>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<8x64xf32> attributes {mirage.layouts = ["rows_128"]} {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 0> : tensor<32x64xf32> -> !mirage.tile<8x64xf32>
      %s = mirage_block.sqr %xt : (!mirage.tile<8x64xf32>) -> !mirage.tile<8x64xf32>
      mirage_block.accumulate sum %s : !mirage.tile<8x64xf32>
    }
    // expected-error @below {{has 'mirage.bulk_store', but a tile that the tensor memory accelerator can't store}}
    mirage_block.output_saver %a omap <x -> 0> {mirage.bulk_store} : !mirage.tile<8x64xf32> -> tensor<8x64xf32>
  }
  return %q : tensor<8x64xf32>
}

// -----

// A part of rows that begins at byte 8 of them.
func.func @misaligned(%x: tensor<32x64xf32>, %y: tensor<8x2xf32>) -> tensor<8x68xf32> {
  %q:3 = mirage_kernel.graph_defined (%x, %y) grid <x = 1> : (tensor<32x64xf32>, tensor<8x2xf32>) -> (tensor<8x2xf32>, tensor<8x64xf32>, tensor<8x2xf32>) {
  ^bb0(%X: tensor<32x64xf32>, %Y: tensor<8x2xf32>):
    %yt = mirage_block.input_iterator %Y imap <x -> replica> : tensor<8x2xf32> -> !mirage.tile<8x2xf32>
    %s = mirage_block.loop iterations 4 -> !mirage.tile<8x64xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 0> : tensor<32x64xf32> -> !mirage.tile<8x64xf32>
      %r = mirage_block.sqr %xt : (!mirage.tile<8x64xf32>) -> !mirage.tile<8x64xf32>
      mirage_block.accumulate sum %r : !mirage.tile<8x64xf32>
    }
    %t = mirage_block.sqr %yt : (!mirage.tile<8x2xf32>) -> !mirage.tile<8x2xf32>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<8x2xf32> -> tensor<8x2xf32>
    // expected-error @below {{has 'mirage.bulk_store', but a tile that the tensor memory accelerator can't store}}
    mirage_block.output_saver %s omap <x -> 0> {mirage.bulk_store} : !mirage.tile<8x64xf32> -> tensor<8x64xf32>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<8x2xf32> -> tensor<8x2xf32>
  }
  %a = mirage_kernel.concat %q#0, %q#1 dim 1 : (tensor<8x2xf32>, tensor<8x64xf32>) -> tensor<8x66xf32>
  %b = mirage_kernel.concat %a, %q#2 dim 1 : (tensor<8x66xf32>, tensor<8x2xf32>) -> tensor<8x68xf32>
  return %b : tensor<8x68xf32>
}

// -----

func.func @no_saver(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %q = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8x64xf32>) -> tensor<8x64xf32> {
  ^bb0(%X: tensor<8x64xf32>):
    // expected-error @below {{has 'mirage.bulk_store', but is not an output saver}}
    %xt = mirage_block.input_iterator %X imap <x -> replica> {mirage.bulk_store} : tensor<8x64xf32> -> !mirage.tile<8x64xf32>
    mirage_block.output_saver %xt omap <x -> 0> : !mirage.tile<8x64xf32> -> tensor<8x64xf32>
  }
  return %q : tensor<8x64xf32>
}
