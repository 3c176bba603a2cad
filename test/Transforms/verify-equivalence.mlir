// RUN: mirage-opt --mirage-verify-equivalence=method=random %s | FileCheck %s
// RUN: mirage-opt --mirage-verify-equivalence="method=random trials=5 seed=18446744073709551615" %s | FileCheck %s --check-prefixes=CHECK,TRIALS

// The reference gets no verdict.
// CHECK-LABEL: func.func @rmsnorm(
// CHECK-NOT:   mirage.verdict
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

// CHECK-LABEL: func.func @rmsnorm_fused(
// CHECK-SAME: mirage.verdict = {{{.*}}verdict = "accepted"
// One kernel: the division by the root mean square moved past the matmul.
func.func @rmsnorm_fused(%x: tensor<4x8xf16>, %g: tensor<8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @rmsnorm} {
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
    %r = mirage_block.div %mm, %rms : (!mirage.tile<4x4xf32>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// CHECK-LABEL: func.func @rmsnorm_reciprocal(
// CHECK-SAME: mirage.verdict = {{{.*}}verdict = "accepted"
// The mean by a multiplication with 1/8, which the field represents exactly.
func.func @rmsnorm_reciprocal(%x: tensor<4x8xf16>, %g: tensor<8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @rmsnorm} {
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
    %n = mirage.constant 0.125 : !mirage.tile<f32>
    %eps = mirage.constant 1.0e-05 : !mirage.tile<f32>
    %mean = mirage_block.mul %ss, %n : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %me = mirage_block.add %mean, %eps : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
    %rms = mirage_block.sqrt %me : (!mirage.tile<4x1xf32>) -> !mirage.tile<4x1xf32>
    %r = mirage_block.div %mm, %rms : (!mirage.tile<4x4xf32>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// CHECK-LABEL: func.func @rmsnorm_constant_in_loop(
// CHECK-SAME: mirage.verdict = {{{.*}}verdict = "accepted"
// Half of 8 eps in each of the two iterations.
func.func @rmsnorm_constant_in_loop(%x: tensor<4x8xf16>, %g: tensor<8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @rmsnorm} {
  %z = mirage_kernel.graph_defined (%x, %g, %w) grid <x = 2> : (tensor<4x8xf16>, tensor<8xf16>, tensor<8x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>, %G: tensor<8xf16>, %W: tensor<8x8xf16>):
    %ss, %mm = mirage_block.loop iterations 2 -> !mirage.tile<4x1xf32>, !mirage.tile<4x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<4x4xf16>
      %gt = mirage_block.input_iterator %G imap <x -> replica> fmap <i -> 0> : tensor<8xf16> -> !mirage.tile<4xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1> fmap <i -> 0> : tensor<8x8xf16> -> !mirage.tile<4x4xf16>
      %sq = mirage_block.sqr %xt : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x4xf32>
      %half = mirage.constant 4.0e-05 : !mirage.tile<f32>
      %r0 = mirage_block.sum %sq dim 1 : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x1xf32>
      %rs = mirage_block.add %r0, %half : (!mirage.tile<4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<4x1xf32>
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

// Fused as far as registers go: thread graphs are seen through.
// CHECK-LABEL: func.func @rmsnorm_threads(
// CHECK-SAME: mirage.verdict = {{{.*}}verdict = "accepted"
func.func @rmsnorm_threads(%x: tensor<4x8xf16>, %g: tensor<8xf16>, %w: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @rmsnorm} {
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
    %r = mirage_block.graph_defined (%ss, %mm) : (!mirage.tile<4x1xf32>, !mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32> {
    ^bb0(%s: !mirage.fragment<4x1xf32>, %m: !mirage.fragment<4x4xf32>):
      %n = mirage.constant 8.0 : !mirage.fragment<f32>
      %eps = mirage.constant 1.0e-05 : !mirage.fragment<f32>
      %mean = mirage_thread.div %s, %n : (!mirage.fragment<4x1xf32>, !mirage.fragment<f32>) -> !mirage.fragment<4x1xf32>
      %me = mirage_thread.add %mean, %eps : (!mirage.fragment<4x1xf32>, !mirage.fragment<f32>) -> !mirage.fragment<4x1xf32>
      %rms = mirage_thread.sqrt %me : (!mirage.fragment<4x1xf32>) -> !mirage.fragment<4x1xf32>
      %d = mirage_thread.div %m, %rms : (!mirage.fragment<4x4xf32>, !mirage.fragment<4x1xf32>) -> !mirage.fragment<4x4xf32>
      mirage_thread.yield %d : !mirage.fragment<4x4xf32>
    }
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

func.func @gated_mlp(%x: tensor<4x8xf16>, %a: tensor<8x8xf16>, %b: tensor<8x8xf16>) -> tensor<4x8xf16> {
  %p = mirage_kernel.matmul %x, %a : (tensor<4x8xf16>, tensor<8x8xf16>) -> tensor<4x8xf32>
  %s = mirage_kernel.silu %p : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %q = mirage_kernel.matmul %x, %b : (tensor<4x8xf16>, tensor<8x8xf16>) -> tensor<4x8xf32>
  %z = mirage_kernel.mul %s, %q : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf16>
  return %z : tensor<4x8xf16>
}

// CHECK-LABEL: func.func @gated_mlp_fused(
// CHECK-SAME: mirage.verdict = {{{.*}}verdict = "accepted"
func.func @gated_mlp_fused(%x: tensor<4x8xf16>, %a: tensor<8x8xf16>, %b: tensor<8x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @gated_mlp} {
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
    %r = mirage_block.mul %s, %qq : (!mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

func.func @lora(%x: tensor<4x8xf16>, %w: tensor<8x8xf16>, %a: tensor<8x4xf16>, %b: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %xw = mirage_kernel.matmul %x, %w : (tensor<4x8xf16>, tensor<8x8xf16>) -> tensor<4x8xf32>
  %xa = mirage_kernel.matmul %x, %a : (tensor<4x8xf16>, tensor<8x4xf16>) -> tensor<4x4xf32>
  %xab = mirage_kernel.matmul %xa, %b : (tensor<4x4xf32>, tensor<4x8xf16>) -> tensor<4x8xf32>
  %z = mirage_kernel.add %xw, %xab : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf16>
  return %z : tensor<4x8xf16>
}

// CHECK-LABEL: func.func @lora_fused(
// CHECK-SAME: mirage.verdict = {{{.*}}verdict = "accepted"
func.func @lora_fused(%x: tensor<4x8xf16>, %w: tensor<8x8xf16>, %a: tensor<8x4xf16>, %b: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @lora} {
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
    %r = mirage_block.add %lw, %ab : (!mirage.tile<4x4xf32>, !mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<4x4xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

func.func @softmax(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %e = mirage_kernel.exp %x : (tensor<4x8xf16>) -> tensor<4x8xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %z = mirage_kernel.div %e, %s : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf16>
  return %z : tensor<4x8xf16>
}

// CHECK-LABEL: func.func @softmax_fused(
// CHECK-SAME: mirage.verdict = {{{.*}}verdict = "accepted"
func.func @softmax_fused(%x: tensor<4x8xf16>) -> tensor<4x8xf16> attributes {mirage.reference = @softmax} {
  %z = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<4x8xf16>) -> tensor<4x8xf16> {
  ^bb0(%X: tensor<4x8xf16>):
    %total = mirage_block.loop iterations 4 -> !mirage.tile<2x1xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> 0> fmap <i -> 1> : tensor<4x8xf16> -> !mirage.tile<2x2xf16>
      %e = mirage_block.exp %xt : (!mirage.tile<2x2xf16>) -> !mirage.tile<2x2xf32>
      %s = mirage_block.sum %e dim 1 : (!mirage.tile<2x2xf32>) -> !mirage.tile<2x1xf32>
      mirage_block.accumulate sum %s : !mirage.tile<2x1xf32>
    }
    %xw = mirage_block.input_iterator %X imap <x -> 0> : tensor<4x8xf16> -> !mirage.tile<2x8xf16>
    %ew = mirage_block.exp %xw : (!mirage.tile<2x8xf16>) -> !mirage.tile<2x8xf32>
    %r = mirage_block.div %ew, %total : (!mirage.tile<2x8xf32>, !mirage.tile<2x1xf32>) -> !mirage.tile<2x8xf32>
    mirage_block.output_saver %r omap <x -> 0> : !mirage.tile<2x8xf32> -> tensor<4x8xf16>
  }
  return %z : tensor<4x8xf16>
}

// A law of exp: a product of exponentials is the exponential of a sum.
func.func @exp_sum(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %s = mirage_kernel.add %x, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %e = mirage_kernel.exp %s : (tensor<4xf32>) -> tensor<4xf32>
  return %e : tensor<4xf32>
}
// CHECK-LABEL: func.func @exp_product(
// CHECK-SAME: mirage.verdict = {{{.*}}verdict = "accepted"
func.func @exp_product(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.reference = @exp_sum} {
  %a = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %b = mirage_kernel.exp %y : (tensor<4xf32>) -> tensor<4xf32>
  %p = mirage_kernel.mul %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %p : tensor<4xf32>
}

// A root exists for half of the field; the inputs are drawn such that all do. The
// reference is the one that is undefined where an input is negative.
func.func @product_of_roots(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> {
  %a = mirage_kernel.sqrt %x : (tensor<64xf32>) -> tensor<64xf32>
  %b = mirage_kernel.sqrt %y : (tensor<64xf32>) -> tensor<64xf32>
  %p = mirage_kernel.mul %a, %b : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  return %p : tensor<64xf32>
}
// CHECK-LABEL: func.func @root_of_product(
// TRIALS-SAME: trials = 5
// CHECK-SAME: verdict = "accepted"
func.func @root_of_product(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> attributes {mirage.reference = @product_of_roots} {
  %p = mirage_kernel.mul %x, %y : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
  %r = mirage_kernel.sqrt %p : (tensor<64xf32>) -> tensor<64xf32>
  return %r : tensor<64xf32>
}

// A function equals itself, whatever it returns: an argument, a constant, the
// same value twice.
func.func @odd_results(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>, tensor<f32>) {
  %c = mirage.constant 3.0 : tensor<f32>
  return %x, %c, %c : tensor<4xf32>, tensor<f32>, tensor<f32>
}
// CHECK-LABEL: func.func @odd_results_again(
// CHECK-SAME: mirage.verdict = {{{.*}}verdict = "accepted"
func.func @odd_results_again(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>, tensor<f32>) attributes {mirage.reference = @odd_results} {
  %c = mirage.constant 3.0 : tensor<f32>
  %d = mirage.constant 6.0 : tensor<f32>
  %e = mirage_kernel.sub %d, %c : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %x, %c, %e : tensor<4xf32>, tensor<f32>, tensor<f32>
}

// No results: nothing to differ in.
func.func @nothing(%x: tensor<4xf32>) {
  return
}
// CHECK-LABEL: func.func @nothing_again(
// CHECK-SAME: mirage.verdict = {{{.*}}verdict = "accepted"
func.func @nothing_again(%x: tensor<4xf32>) attributes {mirage.reference = @nothing} {
  return
}
