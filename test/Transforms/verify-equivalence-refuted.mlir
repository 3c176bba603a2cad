// RUN: mirage-opt --mirage-verify-equivalence --split-input-file --verify-diagnostics=only-expected %s

// Each function was made of an equal one (verify-equivalence.mlir) by one change.
// The index is the first at which both are defined and differ: over the field, or,
// where there are roots or functions outside of LAX, over the reals.

func.func @rmsnorm(%x: tensor<4x8xf16>, %g: tensor<8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf16> {
  %n = mirage.constant 8.0 : tensor<f32>
  %eps = mirage.constant 1.0e-05 : tensor<f32>
  %sq = mirage_kernel.sqr %x : (tensor<4x8xf16>) -> tensor<4x8xf32>
  %ss = mirage_kernel.sum %sq dim 1 : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %mean = mirage_kernel.div %ss, %n : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %me = mirage_kernel.add %mean, %eps : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %rms = mirage_kernel.sqrt %me : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %xn = mirage_kernel.div %x, %rms : (tensor<4x8xf16>, tensor<4x1xf32>) -> tensor<4x8xf16>
  %xg = mirage_kernel.mul %xn, %g : (tensor<4x8xf16>, tensor<8xf16>) -> tensor<4x8xf16>
  %z = mirage_kernel.matmul %xg, %w : (tensor<4x8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16>
  return %z : tensor<4x8xf16>
}

// The grid cuts the rows of w, the loop its columns.
// expected-error @below {{differs from 'rmsnorm' at output 0 [0, 0], on the random real input of seed 1}}
func.func @rmsnorm_another_imap_and_fmap(%x: tensor<4x8xf16>, %g: tensor<8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @rmsnorm} {
  %z = mirage_kernel.graph_defined (%x, %g, %w) grid <x = 2> : (tensor<4x8xf16>, tensor<8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %G: tensor<8xf16>, %W: tensor<8x8xf16>):
    %ss, %mm = mirage_block.loop iterations 2 -> !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %gt = mirage_block.input_iterator %G imap <x -> replica> fmap <i -> 0> : tensor<8xf16> -> !mirage.tile<4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 0> fmap <i -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %sq = mirage_block.sqr %xt : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %rs = mirage_block.sum %sq dim 1 : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x1xf32>
      %xg = mirage_block.mul %xt, %gt : (!mirage.tile<4x4xf16>, !mirage.tile<4xf16>) -> !mirage.tile<4x4xf16>
      %p = mirage_block.matmul %xg, %wt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %rs, sum %p : !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32>
    }
    %n = mirage.constant 8.0 : !mirage.tile<f32>
    %eps = mirage.constant 1.0e-05 : !mirage.tile<f32>
    %mean = mirage_block.div %ss, %n : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %me = mirage_block.add %mean, %eps : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %rms = mirage_block.sqrt %me : (!mirage.tile<4x1xf32>) -> !mirage.tile<4x1xf32>
    %r = mirage_block.div %mm, %rms : (!mirage.tile<4x4xf32>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// The sum of squares is not accumulated: each block takes its half of the row.
// expected-error @below {{differs from 'rmsnorm' at output 0 [0, 0], on the random real input of seed 1}}
func.func @rmsnorm_dropped_accumulator(%x: tensor<4x8xf16>, %g: tensor<8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @rmsnorm} {
  %z = mirage_kernel.graph_defined (%x, %g, %w) grid <x = 2> : (tensor<4x8xf16>, tensor<8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %G: tensor<8xf16>, %W: tensor<8x8xf16>):
    %mm = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %gt = mirage_block.input_iterator %G imap <x -> replica> fmap <i -> 0> : tensor<8xf16> -> !mirage.tile<4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %xg = mirage_block.mul %xt, %gt : (!mirage.tile<4x4xf16>, !mirage.tile<4xf16>) -> !mirage.tile<4x4xf16>
      %p = mirage_block.matmul %xg, %wt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %p : !mirage.tile<4x4xf32>
    }
    %xt = mirage_block.input_iterator %X imap <x -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
    %sq = mirage_block.sqr %xt : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
    %ss = mirage_block.sum %sq dim 1 : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x1xf32>
    %n = mirage.constant 8.0 : !mirage.tile<f32>
    %eps = mirage.constant 1.0e-05 : !mirage.tile<f32>
    %mean = mirage_block.div %ss, %n : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %me = mirage_block.add %mean, %eps : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %rms = mirage_block.sqrt %me : (!mirage.tile<4x1xf32>) -> !mirage.tile<4x1xf32>
    %r = mirage_block.div %mm, %rms : (!mirage.tile<4x4xf32>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// eps is added in each iteration.
// expected-error @below {{differs from 'rmsnorm' at output 0 [0, 0], on the random real input of seed 1}}
func.func @rmsnorm_accumulated_too_often(%x: tensor<4x8xf16>, %g: tensor<8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @rmsnorm} {
  %z = mirage_kernel.graph_defined (%x, %g, %w) grid <x = 2> : (tensor<4x8xf16>, tensor<8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %G: tensor<8xf16>, %W: tensor<8x8xf16>):
    %ss, %mm = mirage_block.loop iterations 2 -> !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %gt = mirage_block.input_iterator %G imap <x -> replica> fmap <i -> 0> : tensor<8xf16> -> !mirage.tile<4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %sq = mirage_block.sqr %xt : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %delta = mirage.constant 8.0e-05 : !mirage.tile<f32>
      %r0 = mirage_block.sum %sq dim 1 : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x1xf32>
      %rs = mirage_block.add %r0, %delta : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
      %xg = mirage_block.mul %xt, %gt : (!mirage.tile<4x4xf16>, !mirage.tile<4xf16>) -> !mirage.tile<4x4xf16>
      %p = mirage_block.matmul %xg, %wt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %rs, sum %p : !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32>
    }
    %n = mirage.constant 8.0 : !mirage.tile<f32>
    %mean = mirage_block.div %ss, %n : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %rms = mirage_block.sqrt %mean : (!mirage.tile<4x1xf32>) -> !mirage.tile<4x1xf32>
    %r = mirage_block.div %mm, %rms : (!mirage.tile<4x4xf32>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// expected-error @below {{differs from 'rmsnorm' at output 0 [0, 0], on the random real input of seed 1}}
func.func @rmsnorm_swapped_div(%x: tensor<4x8xf16>, %g: tensor<8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @rmsnorm} {
  %z = mirage_kernel.graph_defined (%x, %g, %w) grid <x = 2> : (tensor<4x8xf16>, tensor<8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %G: tensor<8xf16>, %W: tensor<8x8xf16>):
    %ss, %mm = mirage_block.loop iterations 2 -> !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %gt = mirage_block.input_iterator %G imap <x -> replica> fmap <i -> 0> : tensor<8xf16> -> !mirage.tile<4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %sq = mirage_block.sqr %xt : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %rs = mirage_block.sum %sq dim 1 : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x1xf32>
      %xg = mirage_block.mul %xt, %gt : (!mirage.tile<4x4xf16>, !mirage.tile<4xf16>) -> !mirage.tile<4x4xf16>
      %p = mirage_block.matmul %xg, %wt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %rs, sum %p : !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32>
    }
    %n = mirage.constant 8.0 : !mirage.tile<f32>
    %eps = mirage.constant 1.0e-05 : !mirage.tile<f32>
    %mean = mirage_block.div %ss, %n : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %me = mirage_block.add %mean, %eps : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %rms = mirage_block.sqrt %me : (!mirage.tile<4x1xf32>) -> !mirage.tile<4x1xf32>
    %r = mirage_block.div %rms, %mm : (!mirage.tile<4x1xf32>, !mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// expected-error @below {{differs from 'rmsnorm' at output 0 [0, 0], on the random real input of seed 1}}
func.func @rmsnorm_swapped_mean(%x: tensor<4x8xf16>, %g: tensor<8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @rmsnorm} {
  %z = mirage_kernel.graph_defined (%x, %g, %w) grid <x = 2> : (tensor<4x8xf16>, tensor<8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %G: tensor<8xf16>, %W: tensor<8x8xf16>):
    %ss, %mm = mirage_block.loop iterations 2 -> !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %gt = mirage_block.input_iterator %G imap <x -> replica> fmap <i -> 0> : tensor<8xf16> -> !mirage.tile<4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %sq = mirage_block.sqr %xt : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %rs = mirage_block.sum %sq dim 1 : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x1xf32>
      %xg = mirage_block.mul %xt, %gt : (!mirage.tile<4x4xf16>, !mirage.tile<4xf16>) -> !mirage.tile<4x4xf16>
      %p = mirage_block.matmul %xg, %wt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %rs, sum %p : !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32>
    }
    %n = mirage.constant 8.0 : !mirage.tile<f32>
    %eps = mirage.constant 1.0e-05 : !mirage.tile<f32>
    %mean = mirage_block.div %n, %ss : (!mirage.tile<f32>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x1xf32>
    %me = mirage_block.add %mean, %eps : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %rms = mirage_block.sqrt %me : (!mirage.tile<4x1xf32>) -> !mirage.tile<4x1xf32>
    %r = mirage_block.div %mm, %rms : (!mirage.tile<4x4xf32>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// The double after 1.0e-05.
// expected-error @below {{differs from 'rmsnorm' at output 0 [0, 0], on the random real input of seed 1}}
func.func @rmsnorm_eps_one_ulp(%x: tensor<4x8xf16>, %g: tensor<8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @rmsnorm} {
  %z = mirage_kernel.graph_defined (%x, %g, %w) grid <x = 2> : (tensor<4x8xf16>, tensor<8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %G: tensor<8xf16>, %W: tensor<8x8xf16>):
    %ss, %mm = mirage_block.loop iterations 2 -> !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %gt = mirage_block.input_iterator %G imap <x -> replica> fmap <i -> 0> : tensor<8xf16> -> !mirage.tile<4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %sq = mirage_block.sqr %xt : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %rs = mirage_block.sum %sq dim 1 : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x1xf32>
      %xg = mirage_block.mul %xt, %gt : (!mirage.tile<4x4xf16>, !mirage.tile<4xf16>) -> !mirage.tile<4x4xf16>
      %p = mirage_block.matmul %xg, %wt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %rs, sum %p : !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32>
    }
    %n = mirage.constant 8.0 : !mirage.tile<f32>
    %eps = mirage.constant 0x3EE4F8B588E368F2 : !mirage.tile<f32>
    %mean = mirage_block.div %ss, %n : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %me = mirage_block.add %mean, %eps : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %rms = mirage_block.sqrt %me : (!mirage.tile<4x1xf32>) -> !mirage.tile<4x1xf32>
    %r = mirage_block.div %mm, %rms : (!mirage.tile<4x4xf32>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// expected-error @below {{differs from 'rmsnorm' at output 0 [0, 0], on the random real input of seed 1}}
func.func @rmsnorm_without_eps(%x: tensor<4x8xf16>, %g: tensor<8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @rmsnorm} {
  %z = mirage_kernel.graph_defined (%x, %g, %w) grid <x = 2> : (tensor<4x8xf16>, tensor<8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %G: tensor<8xf16>, %W: tensor<8x8xf16>):
    %ss, %mm = mirage_block.loop iterations 2 -> !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %gt = mirage_block.input_iterator %G imap <x -> replica> fmap <i -> 0> : tensor<8xf16> -> !mirage.tile<4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %sq = mirage_block.sqr %xt : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %rs = mirage_block.sum %sq dim 1 : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x1xf32>
      %xg = mirage_block.mul %xt, %gt : (!mirage.tile<4x4xf16>, !mirage.tile<4xf16>) -> !mirage.tile<4x4xf16>
      %p = mirage_block.matmul %xg, %wt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %rs, sum %p : !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32>
    }
    %n = mirage.constant 8.0 : !mirage.tile<f32>
    %mean = mirage_block.div %ss, %n : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %rms = mirage_block.sqrt %mean : (!mirage.tile<4x1xf32>) -> !mirage.tile<4x1xf32>
    %r = mirage_block.div %mm, %rms : (!mirage.tile<4x4xf32>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// expected-error @below {{differs from 'rmsnorm' at output 0 [0, 0], on the random real input of seed 1}}
func.func @rmsnorm_wrong_n(%x: tensor<4x8xf16>, %g: tensor<8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @rmsnorm} {
  %z = mirage_kernel.graph_defined (%x, %g, %w) grid <x = 2> : (tensor<4x8xf16>, tensor<8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %G: tensor<8xf16>, %W: tensor<8x8xf16>):
    %ss, %mm = mirage_block.loop iterations 2 -> !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %gt = mirage_block.input_iterator %G imap <x -> replica> fmap <i -> 0> : tensor<8xf16> -> !mirage.tile<4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %sq = mirage_block.sqr %xt : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %rs = mirage_block.sum %sq dim 1 : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x1xf32>
      %xg = mirage_block.mul %xt, %gt : (!mirage.tile<4x4xf16>, !mirage.tile<4xf16>) -> !mirage.tile<4x4xf16>
      %p = mirage_block.matmul %xg, %wt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %rs, sum %p : !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32>
    }
    %n = mirage.constant 4.0 : !mirage.tile<f32>
    %eps = mirage.constant 1.0e-05 : !mirage.tile<f32>
    %mean = mirage_block.div %ss, %n : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %me = mirage_block.add %mean, %eps : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %rms = mirage_block.sqrt %me : (!mirage.tile<4x1xf32>) -> !mirage.tile<4x1xf32>
    %r = mirage_block.div %mm, %rms : (!mirage.tile<4x4xf32>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// expected-error @below {{differs from 'rmsnorm' at output 0 [0, 0], on the random real input of seed 1}}
func.func @rmsnorm_sum_over_rows(%x: tensor<4x8xf16>, %g: tensor<8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @rmsnorm} {
  %z = mirage_kernel.graph_defined (%x, %g, %w) grid <x = 2> : (tensor<4x8xf16>, tensor<8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %G: tensor<8xf16>, %W: tensor<8x8xf16>):
    %ss, %mm = mirage_block.loop iterations 2 -> !mirage.tile<1x4xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %gt = mirage_block.input_iterator %G imap <x -> replica> fmap <i -> 0> : tensor<8xf16> -> !mirage.tile<4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %sq = mirage_block.sqr %xt : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %rs = mirage_block.sum %sq dim 0 : (!mirage.tile<4x4xf32>) -> !mirage.tile<1x4xf32>
      %xg = mirage_block.mul %xt, %gt : (!mirage.tile<4x4xf16>, !mirage.tile<4xf16>) -> !mirage.tile<4x4xf16>
      %p = mirage_block.matmul %xg, %wt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %rs, sum %p : !mirage.tile<1x4xf32>, !mirage.tile<4x4xf32>
    }
    %n = mirage.constant 8.0 : !mirage.tile<f32>
    %eps = mirage.constant 1.0e-05 : !mirage.tile<f32>
    %mean = mirage_block.div %ss, %n : (!mirage.tile<1x4xf32>, !mirage.tile<f32>) -> !mirage.tile<1x4xf32>
    %me = mirage_block.add %mean, %eps : (!mirage.tile<1x4xf32>, !mirage.tile<f32>) -> !mirage.tile<1x4xf32>
    %rms = mirage_block.sqrt %me : (!mirage.tile<1x4xf32>) -> !mirage.tile<1x4xf32>
    %r = mirage_block.div %mm, %rms : (!mirage.tile<4x4xf32>, !mirage.tile<1x4xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// expected-error @below {{differs from 'rmsnorm' at output 0 [0, 0], on the random real input of seed 1}}
func.func @rmsnorm_swapped_matmul(%x: tensor<4x8xf16>, %g: tensor<8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @rmsnorm} {
  %z = mirage_kernel.graph_defined (%x, %g, %w) grid <x = 2> : (tensor<4x8xf16>, tensor<8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %G: tensor<8xf16>, %W: tensor<8x8xf16>):
    %ss, %mm = mirage_block.loop iterations 2 -> !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %gt = mirage_block.input_iterator %G imap <x -> replica> fmap <i -> 0> : tensor<8xf16> -> !mirage.tile<4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %sq = mirage_block.sqr %xt : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %rs = mirage_block.sum %sq dim 1 : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x1xf32>
      %xg = mirage_block.mul %xt, %gt : (!mirage.tile<4x4xf16>, !mirage.tile<4xf16>) -> !mirage.tile<4x4xf16>
      %p = mirage_block.matmul %wt, %xg : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %rs, sum %p : !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32>
    }
    %n = mirage.constant 8.0 : !mirage.tile<f32>
    %eps = mirage.constant 1.0e-05 : !mirage.tile<f32>
    %mean = mirage_block.div %ss, %n : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %me = mirage_block.add %mean, %eps : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %rms = mirage_block.sqrt %me : (!mirage.tile<4x1xf32>) -> !mirage.tile<4x1xf32>
    %r = mirage_block.div %mm, %rms : (!mirage.tile<4x4xf32>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// expected-error @below {{differs from 'rmsnorm' at output 0 [0, 0], on the random real input of seed 1}}
func.func @rmsnorm_without_gain(%x: tensor<4x8xf16>, %g: tensor<8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @rmsnorm} {
  %z = mirage_kernel.graph_defined (%x, %g, %w) grid <x = 2> : (tensor<4x8xf16>, tensor<8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %G: tensor<8xf16>, %W: tensor<8x8xf16>):
    %ss, %mm = mirage_block.loop iterations 2 -> !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %gt = mirage_block.input_iterator %G imap <x -> replica> fmap <i -> 0> : tensor<8xf16> -> !mirage.tile<4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %sq = mirage_block.sqr %xt : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %rs = mirage_block.sum %sq dim 1 : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x1xf32>
      %xg = mirage_block.mul %xt, %gt : (!mirage.tile<4x4xf16>, !mirage.tile<4xf16>) -> !mirage.tile<4x4xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %rs, sum %p : !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32>
    }
    %n = mirage.constant 8.0 : !mirage.tile<f32>
    %eps = mirage.constant 1.0e-05 : !mirage.tile<f32>
    %mean = mirage_block.div %ss, %n : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %me = mirage_block.add %mean, %eps : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %rms = mirage_block.sqrt %me : (!mirage.tile<4x1xf32>) -> !mirage.tile<4x1xf32>
    %r = mirage_block.div %mm, %rms : (!mirage.tile<4x4xf32>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// The gain is g of the output column.
// expected-error @below {{differs from 'rmsnorm' at output 0 [0, 0], on the random real input of seed 1}}
func.func @rmsnorm_gain_of_columns(%x: tensor<4x8xf16>, %g: tensor<8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @rmsnorm} {
  %z = mirage_kernel.graph_defined (%x, %g, %w) grid <x = 2> : (tensor<4x8xf16>, tensor<8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %G: tensor<8xf16>, %W: tensor<8x8xf16>):
    %ss, %mm = mirage_block.loop iterations 2 -> !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %gt = mirage_block.input_iterator %G imap <x -> 0> fmap <i -> replica> : tensor<8xf16> -> !mirage.tile<4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %sq = mirage_block.sqr %xt : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %rs = mirage_block.sum %sq dim 1 : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x1xf32>
      %xg = mirage_block.mul %xt, %gt : (!mirage.tile<4x4xf16>, !mirage.tile<4xf16>) -> !mirage.tile<4x4xf16>
      %p = mirage_block.matmul %xg, %wt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %rs, sum %p : !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32>
    }
    %n = mirage.constant 8.0 : !mirage.tile<f32>
    %eps = mirage.constant 1.0e-05 : !mirage.tile<f32>
    %mean = mirage_block.div %ss, %n : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %me = mirage_block.add %mean, %eps : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %rms = mirage_block.sqrt %me : (!mirage.tile<4x1xf32>) -> !mirage.tile<4x1xf32>
    %r = mirage_block.div %mm, %rms : (!mirage.tile<4x4xf32>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// expected-error @below {{differs from 'rmsnorm' at output 0 [0, 0], on the random real input of seed 1}}
func.func @rmsnorm_sub_for_add(%x: tensor<4x8xf16>, %g: tensor<8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @rmsnorm} {
  %z = mirage_kernel.graph_defined (%x, %g, %w) grid <x = 2> : (tensor<4x8xf16>, tensor<8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %G: tensor<8xf16>, %W: tensor<8x8xf16>):
    %ss, %mm = mirage_block.loop iterations 2 -> !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %gt = mirage_block.input_iterator %G imap <x -> replica> fmap <i -> 0> : tensor<8xf16> -> !mirage.tile<4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %sq = mirage_block.sqr %xt : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %rs = mirage_block.sum %sq dim 1 : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x1xf32>
      %xg = mirage_block.mul %xt, %gt : (!mirage.tile<4x4xf16>, !mirage.tile<4xf16>) -> !mirage.tile<4x4xf16>
      %p = mirage_block.matmul %xg, %wt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %rs, sum %p : !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32>
    }
    %n = mirage.constant 8.0 : !mirage.tile<f32>
    %eps = mirage.constant 1.0e-05 : !mirage.tile<f32>
    %mean = mirage_block.div %ss, %n : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %me = mirage_block.sub %mean, %eps : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %rms = mirage_block.sqrt %me : (!mirage.tile<4x1xf32>) -> !mirage.tile<4x1xf32>
    %r = mirage_block.div %mm, %rms : (!mirage.tile<4x4xf32>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// expected-error @below {{differs from 'rmsnorm' at output 0 [0, 0], on the random real input of seed 1}}
func.func @rmsnorm_without_root(%x: tensor<4x8xf16>, %g: tensor<8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @rmsnorm} {
  %z = mirage_kernel.graph_defined (%x, %g, %w) grid <x = 2> : (tensor<4x8xf16>, tensor<8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %G: tensor<8xf16>, %W: tensor<8x8xf16>):
    %ss, %mm = mirage_block.loop iterations 2 -> !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %gt = mirage_block.input_iterator %G imap <x -> replica> fmap <i -> 0> : tensor<8xf16> -> !mirage.tile<4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %sq = mirage_block.sqr %xt : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %rs = mirage_block.sum %sq dim 1 : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x1xf32>
      %xg = mirage_block.mul %xt, %gt : (!mirage.tile<4x4xf16>, !mirage.tile<4xf16>) -> !mirage.tile<4x4xf16>
      %p = mirage_block.matmul %xg, %wt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %rs, sum %p : !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32>
    }
    %n = mirage.constant 8.0 : !mirage.tile<f32>
    %eps = mirage.constant 1.0e-05 : !mirage.tile<f32>
    %mean = mirage_block.div %ss, %n : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %me = mirage_block.add %mean, %eps : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %rms = mirage_block.cast %me : (!mirage.tile<4x1xf32>) -> !mirage.tile<4x1xf32>
    %r = mirage_block.div %mm, %rms : (!mirage.tile<4x4xf32>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// x instead of its square.
// expected-error @below {{differs from 'rmsnorm' at output 0 [0, 0], on the random real input of seed 1}}
func.func @rmsnorm_without_square(%x: tensor<4x8xf16>, %g: tensor<8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @rmsnorm} {
  %z = mirage_kernel.graph_defined (%x, %g, %w) grid <x = 2> : (tensor<4x8xf16>, tensor<8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %G: tensor<8xf16>, %W: tensor<8x8xf16>):
    %ss, %mm = mirage_block.loop iterations 2 -> !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %gt = mirage_block.input_iterator %G imap <x -> replica> fmap <i -> 0> : tensor<8xf16> -> !mirage.tile<4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %sq = mirage_block.cast %xt : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %rs = mirage_block.sum %sq dim 1 : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x1xf32>
      %xg = mirage_block.mul %xt, %gt : (!mirage.tile<4x4xf16>, !mirage.tile<4xf16>) -> !mirage.tile<4x4xf16>
      %p = mirage_block.matmul %xg, %wt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %rs, sum %p : !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32>
    }
    %n = mirage.constant 8.0 : !mirage.tile<f32>
    %eps = mirage.constant 1.0e-05 : !mirage.tile<f32>
    %mean = mirage_block.div %ss, %n : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %me = mirage_block.add %mean, %eps : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %rms = mirage_block.sqrt %me : (!mirage.tile<4x1xf32>) -> !mirage.tile<4x1xf32>
    %r = mirage_block.div %mm, %rms : (!mirage.tile<4x4xf32>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @gated_mlp(%x: tensor<4x8xf16>, %a: tensor<8x8xf16>, %b: tensor<8x8xf16>) -> tensor<4x8xf16> {
  %p = mirage_kernel.matmul %x, %a : (tensor<4x8xf16>, tensor<8x8xf16>) -> tensor<4x8xf32>
  %s = mirage_kernel.silu %p : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %q = mirage_kernel.matmul %x, %b : (tensor<4x8xf16>, tensor<8x8xf16>) -> tensor<4x8xf32>
  %z = mirage_kernel.mul %s, %q : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf16>
  return %z : tensor<4x8xf16>
}

// expected-error @below {{differs from 'gated_mlp' at output 0 [0, 0], on the random real input of seed 1}}
func.func @gated_mlp_wrong_gate(%x: tensor<4x8xf16>, %a: tensor<8x8xf16>, %b: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @gated_mlp} {
  %z = mirage_kernel.graph_defined (%x, %a, %b) grid <x = 2> : (tensor<4x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %A: tensor<8x8xf16>, %B: tensor<8x8xf16>):
    %pp, %qq = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %at = mirage_block.input_iterator %A imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %bt = mirage_block.input_iterator %B imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %p = mirage_block.matmul %xt, %at : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %q = mirage_block.matmul %xt, %bt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %p, sum %q : !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>
    }
    %s = mirage_block.silu %qq : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    %r = mirage_block.mul %s, %pp : (!mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// expected-error @below {{differs from 'gated_mlp' at output 0 [0, 0], on the random real input of seed 1}}
func.func @gated_mlp_without_silu(%x: tensor<4x8xf16>, %a: tensor<8x8xf16>, %b: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @gated_mlp} {
  %z = mirage_kernel.graph_defined (%x, %a, %b) grid <x = 2> : (tensor<4x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %A: tensor<8x8xf16>, %B: tensor<8x8xf16>):
    %pp, %qq = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %at = mirage_block.input_iterator %A imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %bt = mirage_block.input_iterator %B imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %p = mirage_block.matmul %xt, %at : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %q = mirage_block.matmul %xt, %bt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %p, sum %q : !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>
    }
    %r = mirage_block.mul %pp, %qq : (!mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// silu is not linear: it has to wait for the whole sum.
// expected-error @below {{differs from 'gated_mlp' at output 0 [0, 0], on the random real input of seed 1}}
func.func @gated_mlp_silu_in_loop(%x: tensor<4x8xf16>, %a: tensor<8x8xf16>, %b: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @gated_mlp} {
  %z = mirage_kernel.graph_defined (%x, %a, %b) grid <x = 2> : (tensor<4x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %A: tensor<8x8xf16>, %B: tensor<8x8xf16>):
    %pp, %qq = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %at = mirage_block.input_iterator %A imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %bt = mirage_block.input_iterator %B imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %p = mirage_block.matmul %xt, %at : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %sp = mirage_block.silu %p : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
      %q = mirage_block.matmul %xt, %bt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %sp, sum %q : !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>
    }
    %r = mirage_block.mul %pp, %qq : (!mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// expected-error @below {{differs from 'gated_mlp' at output 0 [0, 0], on the random real input of seed 1}}
func.func @gated_mlp_same_weights(%x: tensor<4x8xf16>, %a: tensor<8x8xf16>, %b: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @gated_mlp} {
  %z = mirage_kernel.graph_defined (%x, %a, %b) grid <x = 2> : (tensor<4x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %A: tensor<8x8xf16>, %B: tensor<8x8xf16>):
    %pp, %qq = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %at = mirage_block.input_iterator %A imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %bt = mirage_block.input_iterator %B imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %p = mirage_block.matmul %xt, %at : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %q = mirage_block.matmul %xt, %at : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %p, sum %q : !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>
    }
    %s = mirage_block.silu %pp : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    %r = mirage_block.mul %s, %qq : (!mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// expected-error @below {{differs from 'gated_mlp' at output 0 [0, 0], on the random real input of seed 1}}
func.func @gated_mlp_swapped_matmul(%x: tensor<4x8xf16>, %a: tensor<8x8xf16>, %b: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @gated_mlp} {
  %z = mirage_kernel.graph_defined (%x, %a, %b) grid <x = 2> : (tensor<4x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %A: tensor<8x8xf16>, %B: tensor<8x8xf16>):
    %pp, %qq = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %at = mirage_block.input_iterator %A imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %bt = mirage_block.input_iterator %B imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %p = mirage_block.matmul %xt, %at : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %q = mirage_block.matmul %bt, %xt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %p, sum %q : !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>
    }
    %s = mirage_block.silu %pp : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    %r = mirage_block.mul %s, %qq : (!mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// expected-error @below {{differs from 'gated_mlp' at output 0 [0, 0], on the random real input of seed 1}}
func.func @gated_mlp_add_for_mul(%x: tensor<4x8xf16>, %a: tensor<8x8xf16>, %b: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @gated_mlp} {
  %z = mirage_kernel.graph_defined (%x, %a, %b) grid <x = 2> : (tensor<4x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %A: tensor<8x8xf16>, %B: tensor<8x8xf16>):
    %pp, %qq = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %at = mirage_block.input_iterator %A imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %bt = mirage_block.input_iterator %B imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %p = mirage_block.matmul %xt, %at : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %q = mirage_block.matmul %xt, %bt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %p, sum %q : !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>
    }
    %s = mirage_block.silu %pp : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    %r = mirage_block.add %s, %qq : (!mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @lora(%x: tensor<4x8xf16>, %w: tensor<8x8xf16>, %a: tensor<8x4xf16>, %b: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %xw = mirage_kernel.matmul %x, %w : (tensor<4x8xf16>, tensor<8x8xf16>) -> tensor<4x8xf32>
  %xa = mirage_kernel.matmul %x, %a : (tensor<4x8xf16>, tensor<8x4xf16>) -> tensor<4x4xf32>
  %xab = mirage_kernel.matmul %xa, %b : (tensor<4x4xf32>, tensor<4x8xf16>) -> tensor<4x8xf32>
  %z = mirage_kernel.add %xw, %xab : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf16>
  return %z : tensor<4x8xf16>
}

// expected-error @below {{differs from 'lora' at output 0 [0, 0], on the random input of seed 1}}
func.func @lora_swapped_matmul(%x: tensor<4x8xf16>, %w: tensor<8x8xf16>, %a: tensor<8x4xf16>, %b: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @lora} {
  %z = mirage_kernel.graph_defined (%x, %w, %a, %b) grid <x = 2> : (tensor<4x8xf16>, tensor<8x8xf16>, tensor<8x4xf16>, tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %W: tensor<8x8xf16>, %A: tensor<8x4xf16>, %B: tensor<4x8xf16>):
    %lw, %la = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %at = mirage_block.input_iterator %A imap <x -> replica> fmap <i -> 0> : tensor<8x4xf16> -> !mirage.tile<4x4xf16>
      %xw = mirage_block.matmul %xt, %wt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %xa = mirage_block.matmul %xt, %at : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %xw, sum %xa : !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>
    }
    %bt = mirage_block.input_iterator %B imap <x -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
    %ab = mirage_block.matmul %bt, %la : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    %r = mirage_block.add %lw, %ab : (!mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// expected-error @below {{differs from 'lora' at output 0 [0, 0], on the random input of seed 1}}
func.func @lora_sub_for_add(%x: tensor<4x8xf16>, %w: tensor<8x8xf16>, %a: tensor<8x4xf16>, %b: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @lora} {
  %z = mirage_kernel.graph_defined (%x, %w, %a, %b) grid <x = 2> : (tensor<4x8xf16>, tensor<8x8xf16>, tensor<8x4xf16>, tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %W: tensor<8x8xf16>, %A: tensor<8x4xf16>, %B: tensor<4x8xf16>):
    %lw, %la = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %at = mirage_block.input_iterator %A imap <x -> replica> fmap <i -> 0> : tensor<8x4xf16> -> !mirage.tile<4x4xf16>
      %xw = mirage_block.matmul %xt, %wt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %xa = mirage_block.matmul %xt, %at : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %xw, sum %xa : !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>
    }
    %bt = mirage_block.input_iterator %B imap <x -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
    %ab = mirage_block.matmul %la, %bt : (!mirage.tile<4x4xf32>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
    %r = mirage_block.sub %lw, %ab : (!mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// expected-error @below {{differs from 'lora' at output 0 [0, 0], on the random input of seed 1}}
func.func @lora_without_adapter(%x: tensor<4x8xf16>, %w: tensor<8x8xf16>, %a: tensor<8x4xf16>, %b: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @lora} {
  %z = mirage_kernel.graph_defined (%x, %w, %a, %b) grid <x = 2> : (tensor<4x8xf16>, tensor<8x8xf16>, tensor<8x4xf16>, tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %W: tensor<8x8xf16>, %A: tensor<8x4xf16>, %B: tensor<4x8xf16>):
    %lw, %la = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %at = mirage_block.input_iterator %A imap <x -> replica> fmap <i -> 0> : tensor<8x4xf16> -> !mirage.tile<4x4xf16>
      %xw = mirage_block.matmul %xt, %wt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %xa = mirage_block.matmul %xt, %at : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %xw, sum %xa : !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>
    }
    %bt = mirage_block.input_iterator %B imap <x -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
    %ab = mirage_block.matmul %la, %bt : (!mirage.tile<4x4xf32>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
    %r = mirage_block.add %lw, %lw : (!mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// expected-error @below {{differs from 'lora' at output 0 [0, 0], on the random input of seed 1}}
func.func @lora_without_base(%x: tensor<4x8xf16>, %w: tensor<8x8xf16>, %a: tensor<8x4xf16>, %b: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @lora} {
  %z = mirage_kernel.graph_defined (%x, %w, %a, %b) grid <x = 2> : (tensor<4x8xf16>, tensor<8x8xf16>, tensor<8x4xf16>, tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %W: tensor<8x8xf16>, %A: tensor<8x4xf16>, %B: tensor<4x8xf16>):
    %lw, %la = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %at = mirage_block.input_iterator %A imap <x -> replica> fmap <i -> 0> : tensor<8x4xf16> -> !mirage.tile<4x4xf16>
      %xw = mirage_block.matmul %xt, %wt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %xa = mirage_block.matmul %xt, %at : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %xw, sum %xa : !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>
    }
    %bt = mirage_block.input_iterator %B imap <x -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
    %ab = mirage_block.matmul %la, %bt : (!mirage.tile<4x4xf32>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
    %r = mirage_block.add %ab, %ab : (!mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// Each block takes half of the rows of a, the same in both iterations.
// expected-error @below {{differs from 'lora' at output 0 [0, 0], on the random input of seed 1}}
func.func @lora_half_of_a(%x: tensor<4x8xf16>, %w: tensor<8x8xf16>, %a: tensor<8x4xf16>, %b: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @lora} {
  %z = mirage_kernel.graph_defined (%x, %w, %a, %b) grid <x = 2> : (tensor<4x8xf16>, tensor<8x8xf16>, tensor<8x4xf16>, tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %W: tensor<8x8xf16>, %A: tensor<8x4xf16>, %B: tensor<4x8xf16>):
    %lw, %la = mirage_block.loop iterations 2 -> !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %at = mirage_block.input_iterator %A imap <x -> 0> fmap <i -> replica> : tensor<8x4xf16> -> !mirage.tile<4x4xf16>
      %xw = mirage_block.matmul %xt, %wt : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %xa = mirage_block.matmul %xt, %at : (!mirage.tile<4x4xf16>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate sum %xw, sum %xa : !mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>
    }
    %bt = mirage_block.input_iterator %B imap <x -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
    %ab = mirage_block.matmul %la, %bt : (!mirage.tile<4x4xf32>, !mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
    %r = mirage_block.add %lw, %ab : (!mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// -----

func.func @softmax(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %e = mirage_kernel.exp %x : (tensor<4x8xf16>) -> tensor<4x8xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %z = mirage_kernel.div %e, %s : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf16>
  return %z : tensor<4x8xf16>
}

// expected-error @below {{differs from 'softmax' at output 0 [0, 0], on the random input of seed 1}}
func.func @softmax_without_exp(%x: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @softmax} {
  %z = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %total = mirage_block.loop iterations 4 -> !mirage.tile<2x1xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<2x2xf16>
      %e = mirage_block.exp %xt : (!mirage.tile<2x2xf16>) -> !mirage.tile<2x2xf32>
      %s = mirage_block.sum %e dim 1 : (!mirage.tile<2x2xf32>) -> !mirage.tile<2x1xf32>
      mirage_block.accumulate sum %s : !mirage.tile<2x1xf32>
    }
    %xw = mirage_block.input_iterator %X imap <x -> 0> : tensor<4x8xf16> -> !mirage.tile<2x8xf16>
    %ew = mirage_block.cast %xw : (!mirage.tile<2x8xf16>) -> !mirage.tile<2x8xf32>
    %r = mirage_block.div %ew, %total : (!mirage.tile<2x8xf32>, !mirage.tile<2x1xf32>) -> !mirage.tile<2x8xf32>
    mirage_block.output_saver %r omap <x -> 0> : !mirage.tile<2x8xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// expected-error @below {{differs from 'softmax' at output 0 [0, 0], on the random input of seed 1}}
func.func @softmax_square(%x: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @softmax} {
  %z = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %total = mirage_block.loop iterations 4 -> !mirage.tile<2x1xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<2x2xf16>
      %e = mirage_block.exp %xt : (!mirage.tile<2x2xf16>) -> !mirage.tile<2x2xf32>
      %s = mirage_block.sum %e dim 1 : (!mirage.tile<2x2xf32>) -> !mirage.tile<2x1xf32>
      mirage_block.accumulate sum %s : !mirage.tile<2x1xf32>
    }
    %xw = mirage_block.input_iterator %X imap <x -> 0> : tensor<4x8xf16> -> !mirage.tile<2x8xf16>
    %ew = mirage_block.sqr %xw : (!mirage.tile<2x8xf16>) -> !mirage.tile<2x8xf32>
    %r = mirage_block.div %ew, %total : (!mirage.tile<2x8xf32>, !mirage.tile<2x1xf32>) -> !mirage.tile<2x8xf32>
    mirage_block.output_saver %r omap <x -> 0> : !mirage.tile<2x8xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// Twice the argument: the square of the exponential.
// expected-error @below {{differs from 'softmax' at output 0 [0, 0], on the random input of seed 1}}
func.func @softmax_twice(%x: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @softmax} {
  %t = mirage_kernel.add %x, %x : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  %e = mirage_kernel.exp %t : (tensor<4x8xf16>) -> tensor<4x8xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %z = mirage_kernel.div %e, %s : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf16>
  return %z : tensor<4x8xf16>
}

// Over columns.
// expected-error @below {{differs from 'softmax' at output 0 [0, 0], on the random input of seed 1}}
func.func @softmax_of_columns(%x: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @softmax} {
  %e = mirage_kernel.exp %x : (tensor<4x8xf16>) -> tensor<4x8xf32>
  %s = mirage_kernel.sum %e dim 0 : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %z = mirage_kernel.div %e, %s : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf16>
  return %z : tensor<4x8xf16>
}

// -----

// Blocks that go to the wrong place: the first difference is where the second
// block begins.
func.func @copy(%x: tensor<8x8xf16>) -> (tensor<8x8xf16>, tensor<8x8xf16>) {
  return %x, %x : tensor<8x8xf16>, tensor<8x8xf16>
}
// expected-error @below {{differs from 'copy' at output 1 [0, 4], on the random input of seed 1}}
func.func @omap_permuted(%x: tensor<8x8xf16>) -> (tensor<8x8xf16>, tensor<8x8xf16>) attributes {mirage.reference = @copy} {
  %0 = mirage_kernel.graph_defined (%x) grid <x = 2, y = 2> : (tensor<8x8xf16>) -> tensor<8x8xf16> {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0, y -> 1> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
    mirage_block.output_saver %t omap <x -> 1, y -> 0> : !mirage.tile<4x4xf16> -> tensor<8x8xf16>
  }
  return %x, %0 : tensor<8x8xf16>, tensor<8x8xf16>
}
// Every block sees all rows.
// expected-error @below {{differs from 'copy' at output 1 [0, 0], on the random input of seed 1}}
func.func @replica_in_grid(%x: tensor<8x8xf16>) -> (tensor<8x8xf16>, tensor<8x8xf16>) attributes {mirage.reference = @copy} {
  %0 = mirage_kernel.graph_defined (%x) grid <x = 8> : (tensor<8x8xf16>) -> tensor<8x8xf16> {
  ^bb0(%X: tensor<8x8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<8x8xf16> -> !mirage.tile<8x8xf16>
    %s = mirage_block.sum %t dim 0 : (!mirage.tile<8x8xf16>) -> !mirage.tile<1x8xf16>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<1x8xf16> -> tensor<8x8xf16>
  }
  return %x, %0 : tensor<8x8xf16>, tensor<8x8xf16>
}

// Every iteration sees all, and they are added up.
// expected-error @below {{differs from 'copy' at output 0 [0, 0], on the random input of seed 1}}
func.func @replica_in_loop(%x: tensor<8x8xf16>) -> (tensor<8x8xf16>, tensor<8x8xf16>) attributes {mirage.reference = @copy} {
  %0 = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8x8xf16>) -> tensor<8x8xf16> {
  ^bb0(%X: tensor<8x8xf16>):
    %s = mirage_block.loop iterations 2 -> !mirage.tile<4x8xf16> {
      %t = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> replica> : tensor<8x8xf16> -> !mirage.tile<4x8xf16>
      mirage_block.accumulate sum %t : !mirage.tile<4x8xf16>
    }
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<4x8xf16> -> tensor<8x8xf16>
  }
  return %0, %x : tensor<8x8xf16>, tensor<8x8xf16>
}

// -----

// Rows and columns of a matrix that is not square come apart after the first.
func.func @row_sums(%x: tensor<2x3x4xf32>) -> tensor<2x3x1xf32> {
  %s = mirage_kernel.sum %x dim 2 : (tensor<2x3x4xf32>) -> tensor<2x3x1xf32>
  return %s : tensor<2x3x1xf32>
}
// expected-error @below {{differs from 'row_sums' at output 0 [0, 1, 0], on the random input of seed 1}}
func.func @permuted_rows(%x: tensor<2x3x4xf32>) -> tensor<2x3x1xf32> attributes {mirage.reference = @row_sums} {
  %0 = mirage_kernel.graph_defined (%x) grid <x = 2, y = 3> : (tensor<2x3x4xf32>) -> tensor<3x2x1xf32> {
  ^bb0(%X: tensor<2x3x4xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0, y -> 1> : tensor<2x3x4xf32> -> !mirage.tile<1x1x4xf32>
    %s = mirage_block.sum %t dim 2 : (!mirage.tile<1x1x4xf32>) -> !mirage.tile<1x1x1xf32>
    mirage_block.output_saver %s omap <x -> 1, y -> 0> : !mirage.tile<1x1x1xf32> -> tensor<3x2x1xf32>
  }
  %1 = mirage_kernel.reshape %0 : (tensor<3x2x1xf32>) -> tensor<2x3x1xf32>
  return %1 : tensor<2x3x1xf32>
}

// -----

// One that exponentiates, and one that doesn't.
func.func @without_exp(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-error @below {{differs from 'without_exp' at output 0 [0], on the random input of seed 1}}
func.func @with_exp(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.reference = @without_exp} {
  %e = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %e : tensor<4xf32>
}

// -----

// Primes are drawn, so that no constant is 0 modulo all of them.
func.func private @zero(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = mirage.constant 0.0 : tensor<f32>
  %y = mirage_kernel.add %x, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// The first prime that seed 1 draws.
// expected-error @below {{differs from 'zero' at output 0 [0], on the random input of seed 2}}
func.func @modulus(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.reference = @zero} {
  %c = mirage.constant 1824379819.0 : tensor<f32>
  %y = mirage_kernel.add %x, %c : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Undefined where the reference is defined: for negative numbers.
func.func @identity(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-error-re @below {{differs from 'identity' at output 0 [{{[0-3]}}], on the random real input of seed 1}}
func.func @square_of_root(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.reference = @identity} {
  %r = mirage_kernel.sqrt %x : (tensor<4xf32>) -> tensor<4xf32>
  %y = mirage_kernel.mul %r, %r : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @root_of_product(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %p = mirage_kernel.mul %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %r = mirage_kernel.sqrt %p : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// expected-error-re @below {{differs from 'root_of_product' at output 0 [{{[0-3]}}], on the random real input of seed 1}}
func.func @product_of_roots(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.reference = @root_of_product} {
  %a = mirage_kernel.sqrt %x : (tensor<4xf32>) -> tensor<4xf32>
  %b = mirage_kernel.sqrt %y : (tensor<4xf32>) -> tensor<4xf32>
  %p = mirage_kernel.mul %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %p : tensor<4xf32>
}
