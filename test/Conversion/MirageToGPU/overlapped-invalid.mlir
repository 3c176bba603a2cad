// RUN: mirage-opt --split-input-file --verify-diagnostics --convert-mirage-to-gpu="target=sm_90a allow-unverified" %s

// Threads load.
func.func @no_producer(%q: tensor<64x64xf16>, %k: tensor<64x512xf16>, %v: tensor<512x64xf16>) -> tensor<64x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> {mirage.threads = 256 : i64} : (tensor<64x64xf16>, tensor<64x512xf16>, tensor<512x64xf16>) -> tensor<64x64xf32> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x512xf16>, %V: tensor<512x64xf16>):
    // expected-error @below {{has 'mirage.overlapped', but no producer warp}}
    %t = mirage_block.loop iterations 4 -> !mirage.tile<64x64xf32> attributes {mirage.overlapped} {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x128xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<512x64xf16> -> !mirage.tile<128x64xf16>
      %s = mirage_block.matmul %qt, %kt {mirage.chained, mirage.warpgroups} : (!mirage.tile<64x64xf16>, !mirage.tile<64x128xf16>) -> !mirage.tile<64x128xf32>
      %m = mirage_block.reduce_max %s dim 1 {mirage.chained} : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x1xf32>
      %d = mirage_block.sub %s, %m {mirage.chained} : (!mirage.tile<64x128xf32>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x128xf32>
      %e = mirage_block.exp %d {mirage.chained} : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x128xf32>
      %o = mirage_block.matmul %e, %vt {mirage.warpgroups} : (!mirage.tile<64x128xf32>, !mirage.tile<128x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate rescaled_sum %o by %m : !mirage.tile<64x64xf32> by !mirage.tile<64x1xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// -----

// The stages of two iterations, and one more.
func.func @two_iterations(%q: tensor<64x64xf16>, %k: tensor<64x256xf16>, %v: tensor<256x64xf16>) -> tensor<64x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> {mirage.threads = 256 : i64} : (tensor<64x64xf16>, tensor<64x256xf16>, tensor<256x64xf16>) -> tensor<64x64xf32> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x256xf16>, %V: tensor<256x64xf16>):
    // expected-error @below {{has 'mirage.overlapped', but fewer than 3 iterations}}
    %t = mirage_block.loop iterations 2 -> !mirage.tile<64x64xf32> attributes {mirage.overlapped, mirage.producer_warp} {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x256xf16> -> !mirage.tile<64x128xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<256x64xf16> -> !mirage.tile<128x64xf16>
      %s = mirage_block.matmul %qt, %kt {mirage.chained, mirage.warpgroups} : (!mirage.tile<64x64xf16>, !mirage.tile<64x128xf16>) -> !mirage.tile<64x128xf32>
      %m = mirage_block.reduce_max %s dim 1 {mirage.chained} : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x1xf32>
      %d = mirage_block.sub %s, %m {mirage.chained} : (!mirage.tile<64x128xf32>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x128xf32>
      %e = mirage_block.exp %d {mirage.chained} : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x128xf32>
      %o = mirage_block.matmul %e, %vt {mirage.warpgroups} : (!mirage.tile<64x128xf32>, !mirage.tile<128x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate rescaled_sum %o by %m : !mirage.tile<64x64xf32> by !mirage.tile<64x1xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// -----

// The last product is for warps.
func.func @not_in_groups(%q: tensor<64x64xf16>, %k: tensor<64x512xf16>, %v: tensor<512x64xf16>) -> tensor<64x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> {mirage.threads = 256 : i64} : (tensor<64x64xf16>, tensor<64x512xf16>, tensor<512x64xf16>) -> tensor<64x64xf32> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x512xf16>, %V: tensor<512x64xf16>):
    // expected-error @below {{has 'mirage.overlapped', but a row chain with a product that is not one of warpgroups}}
    %t = mirage_block.loop iterations 4 -> !mirage.tile<64x64xf32> attributes {mirage.overlapped, mirage.producer_warp} {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x128xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<512x64xf16> -> !mirage.tile<128x64xf16>
      %s = mirage_block.matmul %qt, %kt {mirage.chained, mirage.warpgroups} : (!mirage.tile<64x64xf16>, !mirage.tile<64x128xf16>) -> !mirage.tile<64x128xf32>
      %m = mirage_block.reduce_max %s dim 1 {mirage.chained} : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x1xf32>
      %d = mirage_block.sub %s, %m {mirage.chained} : (!mirage.tile<64x128xf32>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x128xf32>
      %e = mirage_block.exp %d {mirage.chained} : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x128xf32>
      %o = mirage_block.matmul %e, %vt : (!mirage.tile<64x128xf32>, !mirage.tile<128x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate rescaled_sum %o by %m : !mirage.tile<64x64xf32> by !mirage.tile<64x1xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// -----

// Rows of two products.
func.func @two_products(%q: tensor<64x64xf16>, %k: tensor<64x512xf16>, %v: tensor<512x64xf16>) -> tensor<64x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> {mirage.threads = 128 : i64} : (tensor<64x64xf16>, tensor<64x512xf16>, tensor<512x64xf16>) -> tensor<64x64xf32> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x512xf16>, %V: tensor<512x64xf16>):
    // expected-error @below {{has 'mirage.overlapped', but a row chain of more than two products}}
    %t = mirage_block.loop iterations 8 -> !mirage.tile<64x64xf32> attributes {mirage.overlapped, mirage.producer_warp} {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x64xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<512x64xf16> -> !mirage.tile<64x64xf16>
      %s = mirage_block.matmul %qt, %kt {mirage.chained, mirage.warpgroups} : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      %p = mirage_block.matmul %qt, %kt {mirage.chained, mirage.warpgroups} : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      %m = mirage_block.reduce_max %s dim 1 {mirage.chained} : (!mirage.tile<64x64xf32>) -> !mirage.tile<64x1xf32>
      %d = mirage_block.sub %s, %m {mirage.chained} : (!mirage.tile<64x64xf32>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x64xf32>
      %e = mirage_block.mul %d, %p {mirage.chained} : (!mirage.tile<64x64xf32>, !mirage.tile<64x64xf32>) -> !mirage.tile<64x64xf16>
      %o = mirage_block.matmul %e, %vt {mirage.warpgroups} : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate sum %o : !mirage.tile<64x64xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// -----

// More than is issued behind one fence.
func.func @deep(%q: tensor<64x320xf16>, %k: tensor<320x512xf16>, %v: tensor<512x64xf16>) -> tensor<64x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> {mirage.threads = 256 : i64} : (tensor<64x320xf16>, tensor<320x512xf16>, tensor<512x64xf16>) -> tensor<64x64xf32> {
  ^bb0(%Q: tensor<64x320xf16>, %K: tensor<320x512xf16>, %V: tensor<512x64xf16>):
    // expected-error @below {{has 'mirage.overlapped', but a row chain that begins with several products, or a deeper one than 256}}
    %t = mirage_block.loop iterations 4 -> !mirage.tile<64x64xf32> attributes {mirage.overlapped, mirage.producer_warp} {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<64x320xf16> -> !mirage.tile<64x320xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<320x512xf16> -> !mirage.tile<320x128xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<512x64xf16> -> !mirage.tile<128x64xf16>
      %s = mirage_block.matmul %qt, %kt {mirage.chained, mirage.warpgroups} : (!mirage.tile<64x320xf16>, !mirage.tile<320x128xf16>) -> !mirage.tile<64x128xf32>
      %m = mirage_block.reduce_max %s dim 1 {mirage.chained} : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x1xf32>
      %d = mirage_block.sub %s, %m {mirage.chained} : (!mirage.tile<64x128xf32>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x128xf32>
      %e = mirage_block.exp %d {mirage.chained} : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x128xf32>
      %o = mirage_block.matmul %e, %vt {mirage.warpgroups} : (!mirage.tile<64x128xf32>, !mirage.tile<128x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate rescaled_sum %o by %m : !mirage.tile<64x64xf32> by !mirage.tile<64x1xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// -----

// Values that are computed in the iteration.
func.func @computed(%q: tensor<64x64xf16>, %k: tensor<64x512xf16>, %v: tensor<512x64xf16>) -> tensor<64x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> {mirage.threads = 256 : i64} : (tensor<64x64xf16>, tensor<64x512xf16>, tensor<512x64xf16>) -> tensor<64x64xf32> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x512xf16>, %V: tensor<512x64xf16>):
    // expected-error @below {{has 'mirage.overlapped', but a row chain whose last product multiplies what the producer warp doesn't load}}
    %t = mirage_block.loop iterations 4 -> !mirage.tile<64x64xf32> attributes {mirage.overlapped, mirage.producer_warp} {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x128xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<512x64xf16> -> !mirage.tile<128x64xf16>
      %vr = mirage_block.relu %vt : (!mirage.tile<128x64xf16>) -> !mirage.tile<128x64xf16>
      %s = mirage_block.matmul %qt, %kt {mirage.chained, mirage.warpgroups} : (!mirage.tile<64x64xf16>, !mirage.tile<64x128xf16>) -> !mirage.tile<64x128xf32>
      %m = mirage_block.reduce_max %s dim 1 {mirage.chained} : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x1xf32>
      %d = mirage_block.sub %s, %m {mirage.chained} : (!mirage.tile<64x128xf32>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x128xf32>
      %e = mirage_block.exp %d {mirage.chained} : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x128xf32>
      %o = mirage_block.matmul %e, %vr {mirage.warpgroups} : (!mirage.tile<64x128xf32>, !mirage.tile<128x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate rescaled_sum %o by %m : !mirage.tile<64x64xf32> by !mirage.tile<64x1xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// -----

// Exponentials of differences that are rounded.
func.func @rounded(%q: tensor<64x64xf16>, %k: tensor<64x512xf16>, %v: tensor<512x64xf16>) -> tensor<64x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> {mirage.threads = 128 : i64} : (tensor<64x64xf16>, tensor<64x512xf16>, tensor<512x64xf16>) -> tensor<64x64xf32> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x512xf16>, %V: tensor<512x64xf16>):
    // expected-error @below {{has 'mirage.overlapped', but a row chain whose maximum can't be the greatest so far}}
    %t = mirage_block.loop iterations 4 -> !mirage.tile<64x64xf32> attributes {mirage.overlapped, mirage.producer_warp} {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x128xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<512x64xf16> -> !mirage.tile<128x64xf16>
      %s = mirage_block.matmul %qt, %kt {mirage.chained, mirage.warpgroups} : (!mirage.tile<64x64xf16>, !mirage.tile<64x128xf16>) -> !mirage.tile<64x128xf32>
      %m = mirage_block.reduce_max %s dim 1 {mirage.chained} : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x1xf32>
      %d = mirage_block.sub %s, %m {mirage.chained} : (!mirage.tile<64x128xf32>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x128xf16>
      %e = mirage_block.exp %d {mirage.chained} : (!mirage.tile<64x128xf16>) -> !mirage.tile<64x128xf32>
      %o = mirage_block.matmul %e, %vt {mirage.warpgroups} : (!mirage.tile<64x128xf32>, !mirage.tile<128x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate rescaled_sum %o by %m : !mirage.tile<64x64xf32> by !mirage.tile<64x1xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// -----

// Threads of nine warps keep 128 columns of scores and 48 of sums, but not the rows as well.
func.func @registers(%q: tensor<128x64xf16>, %k: tensor<64x512xf16>, %v: tensor<512x48xf16>) -> tensor<128x48xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> {mirage.threads = 256 : i64} : (tensor<128x64xf16>, tensor<64x512xf16>, tensor<512x48xf16>) -> tensor<128x48xf32> {
  ^bb0(%Q: tensor<128x64xf16>, %K: tensor<64x512xf16>, %V: tensor<512x48xf16>):
    // expected-error @below {{has 'mirage.overlapped', but a row chain for which threads have too few registers}}
    %t = mirage_block.loop iterations 4 -> !mirage.tile<128x48xf32> attributes {mirage.overlapped, mirage.producer_warp} {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<128x64xf16> -> !mirage.tile<128x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x128xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<512x48xf16> -> !mirage.tile<128x48xf16>
      %s = mirage_block.matmul %qt, %kt {mirage.chained, mirage.warpgroups} : (!mirage.tile<128x64xf16>, !mirage.tile<64x128xf16>) -> !mirage.tile<128x128xf32>
      %m = mirage_block.reduce_max %s dim 1 {mirage.chained} : (!mirage.tile<128x128xf32>) -> !mirage.tile<128x1xf32>
      %d = mirage_block.sub %s, %m {mirage.chained} : (!mirage.tile<128x128xf32>, !mirage.tile<128x1xf32>) -> !mirage.tile<128x128xf32>
      %e = mirage_block.exp %d {mirage.chained} : (!mirage.tile<128x128xf32>) -> !mirage.tile<128x128xf32>
      %o = mirage_block.matmul %e, %vt {mirage.warpgroups} : (!mirage.tile<128x128xf32>, !mirage.tile<128x48xf16>) -> !mirage.tile<128x48xf32>
      mirage_block.accumulate rescaled_sum %o by %m : !mirage.tile<128x48xf32> by !mirage.tile<128x1xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<128x48xf32> -> tensor<128x48xf32>
  }
  return %r : tensor<128x48xf32>
}
