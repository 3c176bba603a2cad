// RUN: mirage-opt --split-input-file --verify-diagnostics --convert-mirage-to-gpu="target=sm_90a allow-unverified" %s

// A transpose is neither elementwise nor a sum.
func.func @transpose(%x: tensor<16x16xf16>) -> tensor<16x16xf16> {
  // expected-error @below {{has 'mirage.kept_rows', but does not compute with rows that its threads have registers for}}
  %r = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.kept_rows} : (tensor<16x16xf16>) -> tensor<16x16xf16> {
  ^bb0(%X: tensor<16x16xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<16x16xf16> -> !mirage.tile<16x16xf16>
    %t = mirage_block.transpose %xt permutation [1, 0] : (!mirage.tile<16x16xf16>) -> !mirage.tile<16x16xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<16x16xf16> -> tensor<16x16xf16>
  }
  return %r : tensor<16x16xf16>
}

// -----

func.func @too_long(%x: tensor<1x65536xf16>) -> tensor<1x65536xf16> {
  // expected-error @below {{has 'mirage.kept_rows', but does not compute with rows that its threads have registers for}}
  %r = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.kept_rows} : (tensor<1x65536xf16>) -> tensor<1x65536xf16> {
  ^bb0(%X: tensor<1x65536xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<1x65536xf16> -> !mirage.tile<1x65536xf16>
    %t = mirage_block.sqr %xt : (!mirage.tile<1x65536xf16>) -> !mirage.tile<1x65536xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<1x65536xf16> -> tensor<1x65536xf16>
  }
  return %r : tensor<1x65536xf16>
}

// -----

func.func @threads(%x: tensor<1x4096xf16>) -> tensor<1x4096xf16> {
  // expected-error @below {{has 'mirage.kept_rows' and 128 threads, but its rows need 512}}
  %r = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.kept_rows} : (tensor<1x4096xf16>) -> tensor<1x4096xf16> {
  ^bb0(%X: tensor<1x4096xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<1x4096xf16> -> !mirage.tile<1x4096xf16>
    %t = mirage_block.sqr %xt : (!mirage.tile<1x4096xf16>) -> !mirage.tile<1x4096xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<1x4096xf16> -> tensor<1x4096xf16>
  }
  return %r : tensor<1x4096xf16>
}

// -----

// Nothing runs by itself there: there are no depths.
func.func @depth(%x: tensor<1x4096xf16>) -> tensor<1x4096xf16> {
  %r = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.kept_rows, mirage.threads = 512 : i64} : (tensor<1x4096xf16>) -> tensor<1x4096xf16> {
  ^bb0(%X: tensor<1x4096xf16>):
    // expected-error @below {{has a 'mirage.depth', but does not run by itself}}
    %xt = mirage_block.input_iterator %X imap <x -> replica> {mirage.depth = 0 : i64} : tensor<1x4096xf16> -> !mirage.tile<1x4096xf16>
    %t = mirage_block.sqr %xt : (!mirage.tile<1x4096xf16>) -> !mirage.tile<1x4096xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<1x4096xf16> -> tensor<1x4096xf16>
  }
  return %r : tensor<1x4096xf16>
}

// -----

// A warp may write its part of the second sum before another has read that of the first.
func.func @scratch(%x: tensor<1x4096xf16>) -> tensor<1x4096xf16> {
  %r = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.kept_rows, mirage.threads = 512 : i64, mirage.shared_bytes = 64 : i64} : (tensor<1x4096xf16>) -> tensor<1x4096xf16> {
  ^bb0(%X: tensor<1x4096xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<1x4096xf16> -> !mirage.tile<1x4096xf16>
    // expected-note @below {{by the scratch of this op, in bytes 0 to 64}}
    %s = mirage_block.sum %xt dim 1 {mirage.offsets = array<i64: -1, 0>} : (!mirage.tile<1x4096xf16>) -> !mirage.tile<1x1xf32>
    %d = mirage_block.sub %xt, %s : (!mirage.tile<1x4096xf16>, !mirage.tile<1x1xf32>) -> !mirage.tile<1x4096xf32>
    // expected-error @below {{has its scratch in bytes 0 to 64, some of which are in use then}}
    %t = mirage_block.sum %d dim 1 {mirage.offsets = array<i64: -1, 0>} : (!mirage.tile<1x4096xf32>) -> !mirage.tile<1x1xf32>
    %m = mirage_block.mul %xt, %t : (!mirage.tile<1x4096xf16>, !mirage.tile<1x1xf32>) -> !mirage.tile<1x4096xf32>
    mirage_block.output_saver %m omap <x -> 0> : !mirage.tile<1x4096xf32> -> tensor<1x4096xf16>
  }
  return %r : tensor<1x4096xf16>
}
