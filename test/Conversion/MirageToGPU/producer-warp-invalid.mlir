// RUN: mirage-opt --split-input-file --verify-diagnostics --convert-mirage-to-gpu="target=sm_80 allow-unverified" %s
// RUN: not mirage-opt --split-input-file --convert-mirage-to-gpu="target=sm_90a allow-unverified" %s 2>&1 | FileCheck %s

// CHECK-NOT: has no tensor memory accelerator
// CHECK: error: 'mirage_block.loop' op has 'mirage.producer_warp', but a tile that the tensor memory accelerator can't load
// CHECK: note: the tile, in its layout
// CHECK: error: 'mirage_kernel.graph_defined' op has blocks of 1056 threads, with those that load tiles; at most 1024 are possible
// CHECK: error: 'mirage_block.loop' op has 'mirage.producer_warp', but no tile that could be loaded ahead

func.func @chip(%x: tensor<32x8xf16>) -> tensor<1x8xf32> {
  %q = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<32x8xf16>) -> tensor<1x8xf32> {
  ^bb0(%X: tensor<32x8xf16>):
    // expected-error @below {{has 'mirage.producer_warp', but sm_80 has no tensor memory accelerator}}
    %a = mirage_block.loop iterations 4 -> !mirage.tile<1x8xf32> attributes {mirage.producer_warp} {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 0> : tensor<32x8xf16> -> !mirage.tile<8x8xf16>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<8x8xf16>) -> !mirage.tile<1x8xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x8xf32>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<1x8xf32> -> tensor<1x8xf32>
  }
  return %q : tensor<1x8xf32>
}

// -----

func.func @short_rows(%x: tensor<32x6xf16>) -> tensor<1x6xf32> {
  %q = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<32x6xf16>) -> tensor<1x6xf32> {
  ^bb0(%X: tensor<32x6xf16>):
    // expected-error @below {{has 'mirage.producer_warp', but sm_80 has no tensor memory accelerator}}
    %a = mirage_block.loop iterations 4 -> !mirage.tile<1x6xf32> attributes {mirage.producer_warp} {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 0> : tensor<32x6xf16> -> !mirage.tile<8x6xf16>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<8x6xf16>) -> !mirage.tile<1x6xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x6xf32>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<1x6xf32> -> tensor<1x6xf32>
  }
  return %q : tensor<1x6xf32>
}

// -----

func.func @threads(%x: tensor<32x8xf16>) -> tensor<1x8xf32> {
  %q = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.threads = 1024 : i64} : (tensor<32x8xf16>) -> tensor<1x8xf32> {
  ^bb0(%X: tensor<32x8xf16>):
    // expected-error @below {{has 'mirage.producer_warp', but sm_80 has no tensor memory accelerator}}
    %a = mirage_block.loop iterations 4 -> !mirage.tile<1x8xf32> attributes {mirage.producer_warp} {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 0> : tensor<32x8xf16> -> !mirage.tile<8x8xf16>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<8x8xf16>) -> !mirage.tile<1x8xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x8xf32>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<1x8xf32> -> tensor<1x8xf32>
  }
  return %q : tensor<1x8xf32>
}

// -----

func.func @no_loop(%x: tensor<32x8xf16>) -> tensor<32x8xf32> {
  %q = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<32x8xf16>) -> tensor<32x8xf32> {
  ^bb0(%X: tensor<32x8xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<32x8xf16> -> !mirage.tile<32x8xf16>
    // expected-error @below {{has 'mirage.producer_warp', but is not a loop}}
    %r = mirage_block.graph_defined (%xt) {mirage.producer_warp} : (!mirage.tile<32x8xf16>) -> !mirage.tile<32x8xf32> {
    ^bb0(%f: !mirage.fragment<32x8xf16>):
      %e = mirage_thread.exp %f : (!mirage.fragment<32x8xf16>) -> !mirage.fragment<32x8xf32>
      mirage_thread.yield %e : !mirage.fragment<32x8xf32>
    }
    mirage_block.output_saver %r omap <x -> 0> : !mirage.tile<32x8xf32> -> tensor<32x8xf32>
  }
  return %q : tensor<32x8xf32>
}

// -----

// Rows of 6 bytes aren't loaded ahead.
func.func @nothing_to_load(%x: tensor<32x3xf16>) -> tensor<1x3xf32> {
  %q = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<32x3xf16>) -> tensor<1x3xf32> {
  ^bb0(%X: tensor<32x3xf16>):
    // expected-error @below {{has 'mirage.producer_warp', but sm_80 has no tensor memory accelerator}}
    %a = mirage_block.loop iterations 4 -> !mirage.tile<1x3xf32> attributes {mirage.producer_warp} {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 0> : tensor<32x3xf16> -> !mirage.tile<8x3xf16>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<8x3xf16>) -> !mirage.tile<1x3xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x3xf32>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<1x3xf32> -> tensor<1x3xf32>
  }
  return %q : tensor<1x3xf32>
}

// -----

func.func @no_product(%x: tensor<32x8xf16>) -> tensor<32x8xf16> {
  %q = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<32x8xf16>) -> tensor<32x8xf16> {
  ^bb0(%X: tensor<32x8xf16>):
    // expected-error @below {{has 'mirage.warpgroups', but is no product of tiles that warpgroups can compute}}
    %xt = mirage_block.input_iterator %X imap <x -> replica> {mirage.warpgroups} : tensor<32x8xf16> -> !mirage.tile<32x8xf16>
    mirage_block.output_saver %xt omap <x -> 0> : !mirage.tile<32x8xf16> -> tensor<32x8xf16>
  }
  return %q : tensor<32x8xf16>
}

// -----

func.func @no_warpgroups(%x: tensor<64x16xf16>, %w: tensor<16x64xf16>) -> tensor<64x64xf16> {
  %q = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<64x16xf16>, tensor<16x64xf16>) -> tensor<64x64xf16> {
  ^bb0(%X: tensor<64x16xf16>, %W: tensor<16x64xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<64x16xf16> -> !mirage.tile<64x16xf16>
    %wt = mirage_block.input_iterator %W imap <x -> replica> : tensor<16x64xf16> -> !mirage.tile<16x64xf16>
    // expected-error @below {{has 'mirage.warpgroups', but sm_80 has no such instruction}}
    %p = mirage_block.matmul %xt, %wt {mirage.warpgroups} : (!mirage.tile<64x16xf16>, !mirage.tile<16x64xf16>) -> !mirage.tile<64x64xf32>
    mirage_block.output_saver %p omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf16>
  }
  return %q : tensor<64x64xf16>
}

// -----

// Descriptors can't say that rows repeat.
func.func @repeated(%x: tensor<8x64xf16>, %w: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %q = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<8x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32> {
  ^bb0(%X: tensor<8x64xf16>, %W: tensor<64x64xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<8x64xf16> -> !mirage.tile<8x64xf16>
    %wt = mirage_block.input_iterator %W imap <x -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
    %r = mirage_block.repeat %xt dim 0 times 8 : (!mirage.tile<8x64xf16>) -> !mirage.tile<64x64xf16>
    // expected-error @below {{has 'mirage.warpgroups', but is no product of tiles that warpgroups can compute}}
    %p = mirage_block.matmul %r, %wt {mirage.warpgroups} : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
    mirage_block.output_saver %p omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %q : tensor<64x64xf32>
}

// -----

// A single product.
func.func @not_overlapped(%x: tensor<64x512xf16>, %w: tensor<512x64xf16>) -> tensor<64x64xf32> {
  %q = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<64x512xf16>, tensor<512x64xf16>) -> tensor<64x64xf32> {
  ^bb0(%X: tensor<64x512xf16>, %W: tensor<512x64xf16>):
    // expected-error @below {{has 'mirage.overlapped', but no row chain}}
    %a = mirage_block.loop iterations 8 -> !mirage.tile<64x64xf32> attributes {mirage.overlapped} {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x64xf16>
      %wt = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<512x64xf16> -> !mirage.tile<64x64xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate sum %p : !mirage.tile<64x64xf32>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %q : tensor<64x64xf32>
}

// -----

func.func @no_loop_to_overlap(%x: tensor<32x8xf16>) -> tensor<32x8xf32> {
  %q = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<32x8xf16>) -> tensor<32x8xf32> {
  ^bb0(%X: tensor<32x8xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<32x8xf16> -> !mirage.tile<32x8xf16>
    // expected-error @below {{has 'mirage.overlapped', but no loop}}
    %r = mirage_block.graph_defined (%xt) {mirage.overlapped} : (!mirage.tile<32x8xf16>) -> !mirage.tile<32x8xf32> {
    ^bb0(%f: !mirage.fragment<32x8xf16>):
      %e = mirage_thread.exp %f : (!mirage.fragment<32x8xf16>) -> !mirage.fragment<32x8xf32>
      mirage_thread.yield %e : !mirage.fragment<32x8xf32>
    }
    mirage_block.output_saver %r omap <x -> 0> : !mirage.tile<32x8xf32> -> tensor<32x8xf32>
  }
  return %q : tensor<32x8xf32>
}
