// RUN: mirage-opt %s --mirage-chain-products | FileCheck %s

// Attention: what is between the operands and the sums is marked, and there is a warp for each 16 rows of each half of the columns.
// CHECK-LABEL: func.func @attention
// CHECK: grid <x = 1> {mirage.threads = 256 : i64}
// CHECK: mirage_block.matmul %{{.*}} {mirage.chained}
// CHECK: mirage_block.mul %{{.*}} {mirage.chained}
// CHECK: mirage_block.reduce_max %{{.*}} {mirage.chained}
// CHECK: mirage_block.sub %{{.*}} {mirage.chained}
// CHECK: mirage_block.exp %{{.*}} {mirage.chained}
// CHECK: mirage_block.sum %{{.*}} {mirage.chained}
// CHECK-NOT: mirage.chained
func.func @attention(%q: tensor<64x64xf16>, %k: tensor<64x512xf16>, %v: tensor<512x64xf16>) -> tensor<64x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> : (tensor<64x64xf16>, tensor<64x512xf16>, tensor<512x64xf16>) -> tensor<64x64xf32> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x512xf16>, %V: tensor<512x64xf16>):
    %t:2 = mirage_block.loop iterations 4 -> !mirage.tile<64x64xf32>, !mirage.tile<64x1xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x128xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<512x64xf16> -> !mirage.tile<128x64xf16>
      %c = mirage.constant 0.125 : !mirage.tile<f32>
      %s0 = mirage_block.matmul %qt, %kt : (!mirage.tile<64x64xf16>, !mirage.tile<64x128xf16>) -> !mirage.tile<64x128xf32>
      %s = mirage_block.mul %s0, %c : (!mirage.tile<64x128xf32>, !mirage.tile<f32>) -> !mirage.tile<64x128xf32>
      %m = mirage_block.reduce_max %s dim 1 : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x1xf32>
      %d = mirage_block.sub %s, %m : (!mirage.tile<64x128xf32>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x128xf32>
      %e = mirage_block.exp %d : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x128xf32>
      %o = mirage_block.matmul %e, %vt : (!mirage.tile<64x128xf32>, !mirage.tile<128x64xf16>) -> !mirage.tile<64x64xf32>
      %l = mirage_block.sum %e dim 1 : (!mirage.tile<64x128xf32>) -> !mirage.tile<64x1xf32>
      mirage_block.accumulate rescaled_sum %o by %m, rescaled_sum %l by %m : !mirage.tile<64x64xf32> by !mirage.tile<64x1xf32>, !mirage.tile<64x1xf32> by !mirage.tile<64x1xf32>
    }
    %a = mirage_block.div %t#0, %t#1 : (!mirage.tile<64x64xf32>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x64xf32>
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// Sixteen rows: a warp for each of eight parts of the columns.
// CHECK-LABEL: func.func @few_rows
// CHECK: grid <x = 1> {mirage.threads = 256 : i64}
// CHECK: mirage.chained
func.func @few_rows(%q: tensor<16x64xf16>, %k: tensor<64x512xf16>, %v: tensor<512x64xf16>) -> (tensor<16x64xf32>, tensor<16x1xf32>) {
  %r:2 = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> : (tensor<16x64xf16>, tensor<64x512xf16>, tensor<512x64xf16>) -> (tensor<16x64xf32>, tensor<16x1xf32>) {
  ^bb0(%Q: tensor<16x64xf16>, %K: tensor<64x512xf16>, %V: tensor<512x64xf16>):
    %t:2 = mirage_block.loop iterations 4 -> !mirage.tile<16x64xf32>, !mirage.tile<16x1xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<16x64xf16> -> !mirage.tile<16x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x128xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<512x64xf16> -> !mirage.tile<128x64xf16>
      %s = mirage_block.matmul %qt, %kt : (!mirage.tile<16x64xf16>, !mirage.tile<64x128xf16>) -> !mirage.tile<16x128xf32>
      %m = mirage_block.reduce_max %s dim 1 : (!mirage.tile<16x128xf32>) -> !mirage.tile<16x1xf32>
      %d = mirage_block.sub %s, %m : (!mirage.tile<16x128xf32>, !mirage.tile<16x1xf32>) -> !mirage.tile<16x128xf32>
      %e = mirage_block.exp %d : (!mirage.tile<16x128xf32>) -> !mirage.tile<16x128xf32>
      %o = mirage_block.matmul %e, %vt : (!mirage.tile<16x128xf32>, !mirage.tile<128x64xf16>) -> !mirage.tile<16x64xf32>
      mirage_block.accumulate rescaled_sum %o by %m, max %m : !mirage.tile<16x64xf32> by !mirage.tile<16x1xf32>, !mirage.tile<16x1xf32>
    }
    mirage_block.output_saver %t#0 omap <x -> 0> : !mirage.tile<16x64xf32> -> tensor<16x64xf32>
    mirage_block.output_saver %t#1 omap <x -> 0> : !mirage.tile<16x1xf32> -> tensor<16x1xf32>
  }
  return %r#0, %r#1 : tensor<16x64xf32>, tensor<16x1xf32>
}

// Sums that are not rescaled are added up over parts, too, where warps of rows are too few.
// CHECK-LABEL: func.func @plain_few
// CHECK: grid <x = 1> {mirage.threads = 128 : i64}
// CHECK-COUNT-2: mirage.chained
// CHECK-NOT: mirage.chained
// CHECK-LABEL: func.func @plain
// CHECK: grid <x = 1> {mirage.threads = 128 : i64}
// CHECK-COUNT-2: mirage.chained
// CHECK-NOT: mirage.chained
func.func @plain_few(%q: tensor<16x64xf16>, %k: tensor<64x256xf16>, %v: tensor<256x64xf16>) -> tensor<16x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> : (tensor<16x64xf16>, tensor<64x256xf16>, tensor<256x64xf16>) -> tensor<16x64xf32> {
  ^bb0(%Q: tensor<16x64xf16>, %K: tensor<64x256xf16>, %V: tensor<256x64xf16>):
    %t = mirage_block.loop iterations 4 -> !mirage.tile<16x64xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<16x64xf16> -> !mirage.tile<16x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x256xf16> -> !mirage.tile<64x64xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<256x64xf16> -> !mirage.tile<64x64xf16>
      %s = mirage_block.matmul %qt, %kt : (!mirage.tile<16x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<16x64xf32>
      %e = mirage_block.sqr %s : (!mirage.tile<16x64xf32>) -> !mirage.tile<16x64xf32>
      %o = mirage_block.matmul %e, %vt : (!mirage.tile<16x64xf32>, !mirage.tile<64x64xf16>) -> !mirage.tile<16x64xf32>
      mirage_block.accumulate sum %o : !mirage.tile<16x64xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<16x64xf32> -> tensor<16x64xf32>
  }
  return %r : tensor<16x64xf32>
}
func.func @plain(%q: tensor<64x64xf16>, %k: tensor<64x256xf16>, %v: tensor<256x64xf16>) -> tensor<64x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> : (tensor<64x64xf16>, tensor<64x256xf16>, tensor<256x64xf16>) -> tensor<64x64xf32> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x256xf16>, %V: tensor<256x64xf16>):
    %t = mirage_block.loop iterations 4 -> !mirage.tile<64x64xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x256xf16> -> !mirage.tile<64x64xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<256x64xf16> -> !mirage.tile<64x64xf16>
      %s = mirage_block.matmul %qt, %kt : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      %e = mirage_block.sqr %s : (!mirage.tile<64x64xf32>) -> !mirage.tile<64x64xf32>
      %o = mirage_block.matmul %e, %vt : (!mirage.tile<64x64xf32>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate sum %o : !mirage.tile<64x64xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// What is divided by its sum wants all columns of a row in one warp: with 16 rows there is one, and no chain.
// CHECK-LABEL: func.func @whole_rows
// CHECK-NOT: mirage.chained
func.func @whole_rows(%q: tensor<16x64xf16>, %k: tensor<64x256xf16>, %v: tensor<256x64xf16>) -> tensor<16x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> : (tensor<16x64xf16>, tensor<64x256xf16>, tensor<256x64xf16>) -> tensor<16x64xf32> {
  ^bb0(%Q: tensor<16x64xf16>, %K: tensor<64x256xf16>, %V: tensor<256x64xf16>):
    %t = mirage_block.loop iterations 4 -> !mirage.tile<16x64xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<16x64xf16> -> !mirage.tile<16x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x256xf16> -> !mirage.tile<64x64xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<256x64xf16> -> !mirage.tile<64x64xf16>
      %s = mirage_block.matmul %qt, %kt : (!mirage.tile<16x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<16x64xf32>
      %e = mirage_block.sqr %s : (!mirage.tile<16x64xf32>) -> !mirage.tile<16x64xf32>
      %l = mirage_block.sum %e dim 1 : (!mirage.tile<16x64xf32>) -> !mirage.tile<16x1xf32>
      %p = mirage_block.div %e, %l : (!mirage.tile<16x64xf32>, !mirage.tile<16x1xf32>) -> !mirage.tile<16x64xf32>
      %o = mirage_block.matmul %p, %vt : (!mirage.tile<16x64xf32>, !mirage.tile<64x64xf16>) -> !mirage.tile<16x64xf32>
      mirage_block.accumulate sum %o : !mirage.tile<16x64xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<16x64xf32> -> tensor<16x64xf32>
  }
  return %r : tensor<16x64xf32>
}

// Gradients of values and keys: two products begin the chain, and two end it. All but the last run as a part of that.
// CHECK-LABEL: func.func @gradients
// CHECK: grid <x = 1> {mirage.threads = 128 : i64}
// CHECK: mirage_block.matmul %{{.*}} {mirage.chained}
// CHECK: mirage_block.exp %{{.*}} {mirage.chained}
// CHECK: mirage_block.matmul %{{.*}} {mirage.chained}
// CHECK: mirage_block.matmul %{{.*}} {mirage.chained}
// CHECK: mirage_block.mul %{{.*}} {mirage.chained}
// CHECK-NOT: mirage.chained
func.func @gradients(%k: tensor<64x64xf16>, %q: tensor<256x64xf16>, %v: tensor<64x64xf16>, %d: tensor<256x64xf16>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %r:2 = mirage_kernel.graph_defined (%k, %q, %v, %d) grid <x = 1> : (tensor<64x64xf16>, tensor<256x64xf16>, tensor<64x64xf16>, tensor<256x64xf16>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  ^bb0(%K: tensor<64x64xf16>, %Q: tensor<256x64xf16>, %V: tensor<64x64xf16>, %D: tensor<256x64xf16>):
    %t:2 = mirage_block.loop iterations 4 -> !mirage.tile<64x64xf32>, !mirage.tile<64x64xf32> {
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> 0> : tensor<256x64xf16> -> !mirage.tile<64x64xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %dt = mirage_block.input_iterator %D imap <x -> replica> fmap <i -> 0> : tensor<256x64xf16> -> !mirage.tile<64x64xf16>
      %qq = mirage_block.transpose %qt permutation [1, 0] : (!mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf16>
      %s = mirage_block.matmul %kt, %qq : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      %e = mirage_block.exp %s : (!mirage.tile<64x64xf32>) -> !mirage.tile<64x64xf16>
      %gv = mirage_block.matmul %e, %dt : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      %dd = mirage_block.transpose %dt permutation [1, 0] : (!mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf16>
      %p = mirage_block.matmul %vt, %dd : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      %w = mirage_block.mul %e, %p : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf32>) -> !mirage.tile<64x64xf16>
      %gk = mirage_block.matmul %w, %qt : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate sum %gv, sum %gk : !mirage.tile<64x64xf32>, !mirage.tile<64x64xf32>
    }
    mirage_block.output_saver %t#0 omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
    mirage_block.output_saver %t#1 omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %r#0, %r#1 : tensor<64x64xf32>, tensor<64x64xf32>
}

// Another reader of the product wants it in shared memory: its columns are summed up.
// CHECK-LABEL: func.func @read_elsewhere
// CHECK-NOT: mirage.chained
func.func @read_elsewhere(%q: tensor<64x64xf16>, %k: tensor<64x256xf16>, %v: tensor<256x64xf16>) -> (tensor<64x64xf32>, tensor<1x64xf32>) {
  %r:2 = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> : (tensor<64x64xf16>, tensor<64x256xf16>, tensor<256x64xf16>) -> (tensor<64x64xf32>, tensor<1x64xf32>) {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x256xf16>, %V: tensor<256x64xf16>):
    %t:2 = mirage_block.loop iterations 4 -> !mirage.tile<64x64xf32>, !mirage.tile<1x64xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> replica> fmap <i -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x256xf16> -> !mirage.tile<64x64xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<256x64xf16> -> !mirage.tile<64x64xf16>
      %s = mirage_block.matmul %qt, %kt : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      %e = mirage_block.sqr %s : (!mirage.tile<64x64xf32>) -> !mirage.tile<64x64xf32>
      %c = mirage_block.sum %e dim 0 : (!mirage.tile<64x64xf32>) -> !mirage.tile<1x64xf32>
      %o = mirage_block.matmul %e, %vt : (!mirage.tile<64x64xf32>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate sum %o, sum %c : !mirage.tile<64x64xf32>, !mirage.tile<1x64xf32>
    }
    mirage_block.output_saver %t#0 omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
    mirage_block.output_saver %t#1 omap <x -> 0> : !mirage.tile<1x64xf32> -> tensor<1x64xf32>
  }
  return %r#0, %r#1 : tensor<64x64xf32>, tensor<1x64xf32>
}

// Without a loop what makes a chain is moved into one, of which others have sums: rescaled ones, as a maximum is all that they depend on. What is
// computed of rows for others stays behind.
// CHECK-LABEL: func.func @whole
// CHECK: grid <x = 2> {mirage.threads = 128 : i64}
// CHECK: mirage_block.loop iterations 1 -> !mirage.tile<64x1xf32>, !mirage.tile<64x64xf32> {
// CHECK: mirage_block.input_iterator %{{.*}} imap <x -> 0> fmap <i -> 1> : tensor<128x64xf16> -> !mirage.tile<64x64xf16>
// CHECK: mirage_block.input_iterator %{{.*}} imap <x -> replica> fmap <i -> 1> : tensor<64x77xf16> -> !mirage.tile<64x77xf16>
// CHECK: mirage_block.matmul %{{.*}} {mirage.chained}
// CHECK: %[[MAXIMUM:.*]] = mirage_block.reduce_max %{{.*}} {mirage.chained}
// CHECK: mirage_block.sub %{{.*}} {mirage.chained}
// CHECK: mirage_block.exp %{{.*}} {mirage.chained}
// CHECK: %[[ROWS:.*]] = mirage_block.sum %{{.*}} {mirage.chained}
// CHECK: %[[PRODUCT:.*]] = mirage_block.matmul
// CHECK: mirage_block.accumulate rescaled_sum %[[ROWS]] by %[[MAXIMUM]], rescaled_sum %[[PRODUCT]] by %[[MAXIMUM]]
// CHECK: mirage_block.sqr
// CHECK: mirage_block.mul
func.func @whole(%q: tensor<128x64xf16>, %k: tensor<64x77xf16>, %v: tensor<77x64xf16>) -> tensor<128x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 2> : (tensor<128x64xf16>, tensor<64x77xf16>, tensor<77x64xf16>) -> tensor<128x64xf32> {
  ^bb0(%Q: tensor<128x64xf16>, %K: tensor<64x77xf16>, %V: tensor<77x64xf16>):
    %qt = mirage_block.input_iterator %Q imap <x -> 0> : tensor<128x64xf16> -> !mirage.tile<64x64xf16>
    %kt = mirage_block.input_iterator %K imap <x -> replica> : tensor<64x77xf16> -> !mirage.tile<64x77xf16>
    %vt = mirage_block.input_iterator %V imap <x -> replica> : tensor<77x64xf16> -> !mirage.tile<77x64xf16>
    %s = mirage_block.matmul %qt, %kt : (!mirage.tile<64x64xf16>, !mirage.tile<64x77xf16>) -> !mirage.tile<64x77xf32>
    %m = mirage_block.reduce_max %s dim 1 : (!mirage.tile<64x77xf32>) -> !mirage.tile<64x1xf32>
    %d = mirage_block.sub %s, %m : (!mirage.tile<64x77xf32>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x77xf32>
    %e = mirage_block.exp %d : (!mirage.tile<64x77xf32>) -> !mirage.tile<64x77xf32>
    %l = mirage_block.sum %e dim 1 : (!mirage.tile<64x77xf32>) -> !mirage.tile<64x1xf32>
    %n = mirage_block.sqr %l : (!mirage.tile<64x1xf32>) -> !mirage.tile<64x1xf32>
    %o = mirage_block.matmul %e, %vt : (!mirage.tile<64x77xf32>, !mirage.tile<77x64xf16>) -> !mirage.tile<64x64xf32>
    %a = mirage_block.mul %o, %n : (!mirage.tile<64x64xf32>, !mirage.tile<64x1xf32>) -> !mirage.tile<64x64xf32>
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<128x64xf32>
  }
  return %r : tensor<128x64xf32>
}

// A graph has one loop at most, so that a chain beside one stays where it is.
// CHECK-LABEL: func.func @beside_a_loop
// CHECK: mirage_block.loop iterations 4
// CHECK-NOT: mirage_block.loop
// CHECK-NOT: mirage.chained
func.func @beside_a_loop(%q: tensor<64x64xf16>, %k: tensor<64x77xf16>, %v: tensor<77x64xf16>, %g: tensor<64x256xf16>, %h: tensor<256x64xf16>) -> tensor<64x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v, %g, %h) grid <x = 1> : (tensor<64x64xf16>, tensor<64x77xf16>, tensor<77x64xf16>, tensor<64x256xf16>, tensor<256x64xf16>) -> tensor<64x64xf32> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x77xf16>, %V: tensor<77x64xf16>, %G: tensor<64x256xf16>, %H: tensor<256x64xf16>):
    %w = mirage_block.loop iterations 4 -> !mirage.tile<64x64xf32> {
      %gt = mirage_block.input_iterator %G imap <x -> replica> fmap <i -> 1> : tensor<64x256xf16> -> !mirage.tile<64x64xf16>
      %ht = mirage_block.input_iterator %H imap <x -> replica> fmap <i -> 0> : tensor<256x64xf16> -> !mirage.tile<64x64xf16>
      %p = mirage_block.matmul %gt, %ht : (!mirage.tile<64x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate sum %p : !mirage.tile<64x64xf32>
    }
    %qt = mirage_block.input_iterator %Q imap <x -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
    %kt = mirage_block.input_iterator %K imap <x -> replica> : tensor<64x77xf16> -> !mirage.tile<64x77xf16>
    %vt = mirage_block.input_iterator %V imap <x -> replica> : tensor<77x64xf16> -> !mirage.tile<77x64xf16>
    %s = mirage_block.matmul %qt, %kt : (!mirage.tile<64x64xf16>, !mirage.tile<64x77xf16>) -> !mirage.tile<64x77xf32>
    %e = mirage_block.sqr %s : (!mirage.tile<64x77xf32>) -> !mirage.tile<64x77xf32>
    %o = mirage_block.matmul %e, %vt : (!mirage.tile<64x77xf32>, !mirage.tile<77x64xf16>) -> !mirage.tile<64x64xf32>
    %a = mirage_block.mul %o, %w : (!mirage.tile<64x64xf32>, !mirage.tile<64x64xf32>) -> !mirage.tile<64x64xf32>
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// Constants between what is moved, one of which others read, too.
// CHECK-LABEL: func.func @constants
// CHECK: mirage_block.loop iterations 1
// CHECK-DAG: %[[HALF:.*]] = mirage.constant 5.000000e-01
// CHECK-DAG: %[[THREE:.*]] = mirage.constant 3.000000e+00
// CHECK: %[[SCALED:.*]] = mirage_block.mul %{{.*}}, %[[HALF]] {mirage.chained}
// CHECK: mirage_block.add %[[SCALED]], %[[THREE]] {mirage.chained}
// CHECK: mirage_block.accumulate
// CHECK: %[[OTHER:.*]] = mirage.constant 3.000000e+00
// CHECK: mirage_block.mul %{{.*}}, %[[OTHER]]
func.func @constants(%q: tensor<64x64xf16>, %k: tensor<64x77xf16>, %v: tensor<77x64xf16>) -> tensor<64x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> : (tensor<64x64xf16>, tensor<64x77xf16>, tensor<77x64xf16>) -> tensor<64x64xf32> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x77xf16>, %V: tensor<77x64xf16>):
    %qt = mirage_block.input_iterator %Q imap <x -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
    %kt = mirage_block.input_iterator %K imap <x -> replica> : tensor<64x77xf16> -> !mirage.tile<64x77xf16>
    %vt = mirage_block.input_iterator %V imap <x -> replica> : tensor<77x64xf16> -> !mirage.tile<77x64xf16>
    %s = mirage_block.matmul %qt, %kt : (!mirage.tile<64x64xf16>, !mirage.tile<64x77xf16>) -> !mirage.tile<64x77xf32>
    %c = mirage.constant 0.5 : !mirage.tile<f32>
    %s2 = mirage_block.mul %s, %c : (!mirage.tile<64x77xf32>, !mirage.tile<f32>) -> !mirage.tile<64x77xf32>
    %c3 = mirage.constant 3.0 : !mirage.tile<f32>
    %s3 = mirage_block.add %s2, %c3 : (!mirage.tile<64x77xf32>, !mirage.tile<f32>) -> !mirage.tile<64x77xf32>
    %o = mirage_block.matmul %s3, %vt : (!mirage.tile<64x77xf32>, !mirage.tile<77x64xf16>) -> !mirage.tile<64x64xf32>
    %a = mirage_block.mul %o, %c3 : (!mirage.tile<64x64xf32>, !mirage.tile<f32>) -> !mirage.tile<64x64xf32>
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// What the last product multiplies is made of the chain's rows: no loop can have both.
// CHECK-LABEL: func.func @circle
// CHECK-NOT: mirage_block.loop
func.func @circle(%q: tensor<64x64xf16>, %k: tensor<64x77xf16>, %v: tensor<77x1xf16>) -> tensor<64x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> : (tensor<64x64xf16>, tensor<64x77xf16>, tensor<77x1xf16>) -> tensor<64x64xf32> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x77xf16>, %V: tensor<77x1xf16>):
    %qt = mirage_block.input_iterator %Q imap <x -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
    %kt = mirage_block.input_iterator %K imap <x -> replica> : tensor<64x77xf16> -> !mirage.tile<64x77xf16>
    %vt = mirage_block.input_iterator %V imap <x -> replica> : tensor<77x1xf16> -> !mirage.tile<77x1xf16>
    %s = mirage_block.matmul %qt, %kt : (!mirage.tile<64x64xf16>, !mirage.tile<64x77xf16>) -> !mirage.tile<64x77xf32>
    %e = mirage_block.exp %s : (!mirage.tile<64x77xf32>) -> !mirage.tile<64x77xf32>
    %l = mirage_block.sum %e dim 1 : (!mirage.tile<64x77xf32>) -> !mirage.tile<64x1xf32>
    %t = mirage_block.transpose %l permutation [1, 0] : (!mirage.tile<64x1xf32>) -> !mirage.tile<1x64xf32>
    %w = mirage_block.matmul %vt, %t : (!mirage.tile<77x1xf16>, !mirage.tile<1x64xf32>) -> !mirage.tile<77x64xf16>
    %o = mirage_block.matmul %e, %w : (!mirage.tile<64x77xf32>, !mirage.tile<77x64xf16>) -> !mirage.tile<64x64xf32>
    mirage_block.output_saver %o omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// Nor does it move if the kernel has another number of threads.
// CHECK-LABEL: func.func @other_threads
// CHECK-NOT: mirage_block.loop
func.func @other_threads(%q: tensor<64x64xf16>, %k: tensor<64x77xf16>, %v: tensor<77x64xf16>) -> tensor<64x64xf32> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> {mirage.threads = 256 : i64} : (tensor<64x64xf16>, tensor<64x77xf16>, tensor<77x64xf16>) -> tensor<64x64xf32> {
  ^bb0(%Q: tensor<64x64xf16>, %K: tensor<64x77xf16>, %V: tensor<77x64xf16>):
    %qt = mirage_block.input_iterator %Q imap <x -> replica> : tensor<64x64xf16> -> !mirage.tile<64x64xf16>
    %kt = mirage_block.input_iterator %K imap <x -> replica> : tensor<64x77xf16> -> !mirage.tile<64x77xf16>
    %vt = mirage_block.input_iterator %V imap <x -> replica> : tensor<77x64xf16> -> !mirage.tile<77x64xf16>
    %s = mirage_block.matmul %qt, %kt : (!mirage.tile<64x64xf16>, !mirage.tile<64x77xf16>) -> !mirage.tile<64x77xf32>
    %e = mirage_block.sqr %s : (!mirage.tile<64x77xf32>) -> !mirage.tile<64x77xf32>
    %o = mirage_block.matmul %e, %vt : (!mirage.tile<64x77xf32>, !mirage.tile<77x64xf16>) -> !mirage.tile<64x64xf32>
    mirage_block.output_saver %o omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}
