// RUN: mirage-opt --split-input-file --verify-diagnostics --convert-mirage-to-gpu="target=sm_90a allow-unverified" %s

// No loop.
func.func @no_loop(%q: tensor<64x64xf16>, %k: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %r = mirage_kernel.graph_defined (%q, %k) grid <x = 1> : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x64xf16>):
    %qt = mirage_block.input_iterator %Q imap <x -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
    %kt = mirage_block.input_iterator %K imap <x -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
    // expected-error @below {{has 'mirage.chained', but is not of a chain of a loop that can stay in registers}}
    %s = mirage_block.matmul %qt, %kt {mirage.chained} : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf16>
  }
  return %r : tensor<64x64xf16>
}

// -----

// The loop sums up the product itself.
func.func @no_chain(%q: tensor<64x64xf16>, %k: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %r = mirage_kernel.graph_defined (%q, %k) grid <x = 1> : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x64xf16>):
    %t = mirage_block.loop iterations 2 -> !mirage.tile<64x64xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> 1> : tensor<64x64xf16> -> !mirage.tile<64x32xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 0> : tensor<64x64xf16> -> !mirage.tile<32x64xf16>
      // expected-error @below {{has 'mirage.chained', but is not of a chain of a loop that can stay in registers}}
      %s = mirage_block.matmul %qt, %kt {mirage.chained} : (!mirage.tile<64x32xf16>, !mirage.tile<32x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate sum %s : !mirage.tile<64x64xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf16>
  }
  return %r : tensor<64x64xf16>
}

// -----

// A warp would have two tiles of rows.
func.func @threads(%q: tensor<64x64xf16>, %k: tensor<64x128xf16>, %v: tensor<128x64xf16>) -> tensor<64x64xf16> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> {mirage.threads = 64 : i64} : (tensor<64x64xf16>, tensor<64x128xf16>, tensor<128x64xf16>) -> tensor<64x64xf16> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x128xf16>, %V: tensor<128x64xf16>):
    %t = mirage_block.loop iterations 2 -> !mirage.tile<64x64xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x128xf16> -> !mirage.tile<64x64xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<128x64xf16> -> !mirage.tile<64x64xf16>
      // expected-error @below {{has 'mirage.chained', but its kernel has 64 threads, expected 128: a warp for each 16 rows of a part}}
      %s = mirage_block.matmul %qt, %kt {mirage.chained} : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      %e = mirage_block.sqr %s {mirage.chained} : (!mirage.tile<64x64xf32>) -> !mirage.tile<64x64xf32>
      %o = mirage_block.matmul %e, %vt : (!mirage.tile<64x64xf32>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate sum %o : !mirage.tile<64x64xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf16>
  }
  return %r : tensor<64x64xf16>
}

// -----

// The square has no mark.
func.func @a_part(%q: tensor<64x64xf16>, %k: tensor<64x128xf16>, %v: tensor<128x64xf16>) -> tensor<64x64xf16> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> : (tensor<64x64xf16>, tensor<64x128xf16>, tensor<128x64xf16>) -> tensor<64x64xf16> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x128xf16>, %V: tensor<128x64xf16>):
    %t = mirage_block.loop iterations 2 -> !mirage.tile<64x64xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x128xf16> -> !mirage.tile<64x64xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<128x64xf16> -> !mirage.tile<64x64xf16>
      // expected-error @below {{has 'mirage.chained', but not all ops of its chain have it}}
      %s = mirage_block.matmul %qt, %kt {mirage.chained} : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      // expected-note @below {{this one has not}}
      %e = mirage_block.sqr %s : (!mirage.tile<64x64xf32>) -> !mirage.tile<64x64xf32>
      %o = mirage_block.matmul %e, %vt : (!mirage.tile<64x64xf32>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate sum %o : !mirage.tile<64x64xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf16>
  }
  return %r : tensor<64x64xf16>
}
