// RUN: mirage-opt %s --split-input-file --verify-diagnostics

// What a loop accumulates of elements that its iterations don't divide is not to depend on which iteration has which (C5 of
// mirage_block.loop).

func.func @slice(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.slice' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and makes of them what depends on how they are cut}}
      %s = mirage_block.slice %xt dim 1 offset 0 size 2 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x2xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

// What isn't cut meets elements of other places in the last iteration.
func.func @meets(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %ct = mirage_block.input_iterator %C imap <x -> replica> fmap <i -> replica> : tensor<8x4xf32> -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.add' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and makes of them what depends on how they are cut}}
      %s = mirage_block.add %xt, %ct : (!mirage.tile<8x4xf32>, !mirage.tile<8x4xf32>) -> !mirage.tile<8x4xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @product_with_whole(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %ct = mirage_block.input_iterator %C imap <x -> replica> fmap <i -> replica> : tensor<8x4xf32> -> !mirage.tile<8x4xf32>
      %t = mirage_block.transpose %ct permutation [1, 0] : (!mirage.tile<8x4xf32>) -> !mirage.tile<4x8xf32>
      // expected-error @below {{'mirage_block.matmul' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and makes of them what depends on how they are cut}}
      %p = mirage_block.matmul %xt, %t : (!mirage.tile<8x4xf32>, !mirage.tile<4x8xf32>) -> !mirage.tile<8x8xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

// Sums of parts are added up, and nothing else is done with them.
func.func @root_of_sum(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %s = mirage_block.sum %xt dim 1 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x1xf32>
      // expected-error @below {{'mirage_block.sqrt' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and makes of them what depends on how they are cut}}
      %r = mirage_block.sqrt %s : (!mirage.tile<8x1xf32>) -> !mirage.tile<8x1xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @maximum_added(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %s = mirage_block.reduce_max %xt dim 1 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x1xf32>
      // expected-error @below {{'mirage_block.add' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and makes of them what depends on how they are cut}}
      %r = mirage_block.add %xt, %s : (!mirage.tile<8x4xf32>, !mirage.tile<8x1xf32>) -> !mirage.tile<8x4xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @difference_summed(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %s = mirage_block.reduce_max %xt dim 1 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x1xf32>
      %d = mirage_block.sub %xt, %s : (!mirage.tile<8x4xf32>, !mirage.tile<8x1xf32>) -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.sum' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and makes of them what depends on how they are cut}}
      %r = mirage_block.sum %d dim 1 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x1xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @square_of_exponential(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %s = mirage_block.reduce_max %xt dim 1 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x1xf32>
      %d = mirage_block.sub %xt, %s : (!mirage.tile<8x4xf32>, !mirage.tile<8x1xf32>) -> !mirage.tile<8x4xf32>
      %e = mirage_block.exp %d : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.sqr' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and makes of them what depends on how they are cut}}
      %r = mirage_block.sqr %e : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x4xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @sum_of_tiles(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 -> !mirage.tile<8x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.accumulate' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and accumulator 0 depends on how they are cut}}
      mirage_block.accumulate sum %xt : !mirage.tile<8x4xf32>
    }
  }
  return
}

// -----

func.func @concatenation(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 -> !mirage.tile<8x12xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.accumulate' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and accumulator 0 depends on how they are cut}}
      mirage_block.accumulate concat %xt dim 1 : !mirage.tile<8x4xf32>
    }
  }
  return
}

// -----

func.func @maximum_of_sums(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 -> !mirage.tile<8x1xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %s = mirage_block.sum %xt dim 1 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x1xf32>
      // expected-error @below {{'mirage_block.accumulate' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and accumulator 0 depends on how they are cut}}
      mirage_block.accumulate max %s : !mirage.tile<8x1xf32>
    }
  }
  return
}

// -----

func.func @sum_of_maxima(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 -> !mirage.tile<8x1xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %max = mirage_block.reduce_max %xt dim 1 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x1xf32>
      %d = mirage_block.sub %xt, %max : (!mirage.tile<8x4xf32>, !mirage.tile<8x1xf32>) -> !mirage.tile<8x4xf32>
      %e = mirage_block.exp %d : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x4xf32>
      %l = mirage_block.sum %e dim 1 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x1xf32>
      // expected-error @below {{'mirage_block.accumulate' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and accumulator 0 depends on how they are cut}}
      mirage_block.accumulate sum %max : !mirage.tile<8x1xf32>
    }
  }
  return
}

// -----

// It is relative to a part's maximum.
func.func @sum_of_exponentials(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 -> !mirage.tile<8x1xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %max = mirage_block.reduce_max %xt dim 1 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x1xf32>
      %d = mirage_block.sub %xt, %max : (!mirage.tile<8x4xf32>, !mirage.tile<8x1xf32>) -> !mirage.tile<8x4xf32>
      %e = mirage_block.exp %d : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x4xf32>
      %l = mirage_block.sum %e dim 1 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x1xf32>
      // expected-error @below {{'mirage_block.accumulate' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and accumulator 0 depends on how they are cut}}
      mirage_block.accumulate sum %l : !mirage.tile<8x1xf32>
    }
  }
  return
}

// -----

// Added once for each iteration, however many there are.
func.func @sum_of_same(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 -> !mirage.tile<8x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %ct = mirage_block.input_iterator %C imap <x -> replica> fmap <i -> replica> : tensor<8x4xf32> -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.accumulate' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and accumulator 0 depends on how they are cut}}
      mirage_block.accumulate sum %ct : !mirage.tile<8x4xf32>
    }
  }
  return
}

// -----

// By the maximum of something else.
func.func @by_another(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 -> !mirage.tile<8x1xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %max = mirage_block.reduce_max %xt dim 1 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x1xf32>
      %d = mirage_block.sub %xt, %max : (!mirage.tile<8x4xf32>, !mirage.tile<8x1xf32>) -> !mirage.tile<8x4xf32>
      %e = mirage_block.exp %d : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x4xf32>
      %l = mirage_block.sum %e dim 1 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x1xf32>
      %q = mirage_block.sqr %xt : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x4xf32>
      %y = mirage_block.reduce_max %q dim 1 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x1xf32>
      // expected-error @below {{'mirage_block.accumulate' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and accumulator 0 depends on how they are cut}}
      mirage_block.accumulate rescaled_sum %l by %y : !mirage.tile<8x1xf32> by !mirage.tile<8x1xf32>
    }
  }
  return
}

// -----

// Not relative to it.
func.func @by_a_maximum(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 -> !mirage.tile<8x1xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %max = mirage_block.reduce_max %xt dim 1 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x1xf32>
      %d = mirage_block.sub %xt, %max : (!mirage.tile<8x4xf32>, !mirage.tile<8x1xf32>) -> !mirage.tile<8x4xf32>
      %e = mirage_block.exp %d : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x4xf32>
      %l = mirage_block.sum %e dim 1 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x1xf32>
      %u = mirage_block.sum %xt dim 1 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x1xf32>
      // expected-error @below {{'mirage_block.accumulate' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and accumulator 0 depends on how they are cut}}
      mirage_block.accumulate rescaled_sum %u by %max : !mirage.tile<8x1xf32> by !mirage.tile<8x1xf32>
    }
  }
  return
}

// -----

// A loop cuts one number of elements, of all that it doesn't divide.
func.func @sizes(%x: tensor<8x11xf32>, %w: tensor<12x8xf32>) {
  mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<8x11xf32>, tensor<12x8xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<12x8xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.input_iterator' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and cuts 12 elements}}
      %wt = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<12x8xf32> -> !mirage.tile<4x8xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

// Two tiles of eight would leave the fourth iteration without elements of its own.
func.func @without_own(%x: tensor<8x17xf32>) {
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8x17xf32>) -> () {
  ^bb0(%X: tensor<8x17xf32>):
    mirage_block.loop iterations 10 {
      // expected-error @below {{'mirage_block.input_iterator' op the loop has 10 parts, which don't divide the 17 elements of data dimension 1, nor leave each iteration elements of its own}}
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x17xf32> -> !mirage.tile<8x2xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @mask_of_no_dimension(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.fresh_mask' op names dimension 2, but the tile has rank 2}}
      %m = mirage_block.fresh_mask dim 2 of 11 : !mirage.tile<1x4xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @mask_of_divided(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.fresh_mask' op is of 12 elements, of which 3 iterations have no parts that overlap}}
      %m = mirage_block.fresh_mask dim 1 of 12 : !mirage.tile<1x4xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @mask_of_none(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.fresh_mask' op is of 0 elements, of which 3 iterations have no parts that overlap}}
      %m = mirage_block.fresh_mask dim 1 of 0 : !mirage.tile<1x4xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @mask_of_shape(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.fresh_mask' op is a '!mirage.tile<8x4xf32>', expected shape 1x4}}
      %m = mirage_block.fresh_mask dim 1 of 11 : !mirage.tile<8x4xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @mask_multiplied(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.fresh_mask' op masks tiles alone, and this is not the condition of a 'where'}}
      %m = mirage_block.fresh_mask dim 1 of 11 : !mirage.tile<1x4xf32>
      // expected-note @below {{used here}}
      %y = mirage_block.mul %m, %xt : (!mirage.tile<1x4xf32>, !mirage.tile<8x4xf32>) -> !mirage.tile<8x4xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @mask_masked(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %ct = mirage_block.input_iterator %C imap <x -> replica> fmap <i -> replica> : tensor<8x4xf32> -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.fresh_mask' op masks tiles alone, and this is not the condition of a 'where'}}
      %m = mirage_block.fresh_mask dim 1 of 11 : !mirage.tile<1x4xf32>
      // expected-note @below {{used here}}
      %y = mirage_block.where %xt, %m : (!mirage.tile<8x4xf32>, !mirage.tile<1x4xf32>) -> !mirage.tile<8x4xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @mask_of_whole(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %ct = mirage_block.input_iterator %C imap <x -> replica> fmap <i -> replica> : tensor<8x4xf32> -> !mirage.tile<8x4xf32>
      %m = mirage_block.fresh_mask dim 1 of 11 : !mirage.tile<1x4xf32>
      // expected-error @below {{'mirage_block.where' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and masks what isn't cut like its mask}}
      %y = mirage_block.where %m, %ct : (!mirage.tile<1x4xf32>, !mirage.tile<8x4xf32>) -> !mirage.tile<8x4xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @mask_across(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %wt = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<11x8xf32> -> !mirage.tile<4x8xf32>
      %m = mirage_block.fresh_mask dim 0 of 11 : !mirage.tile<4x1xf32>
      %t = mirage_block.transpose %wt permutation [1, 0] : (!mirage.tile<4x8xf32>) -> !mirage.tile<8x4xf32>
      %u = mirage_block.slice %t dim 0 offset 0 size 4 : (!mirage.tile<8x4xf32>) -> !mirage.tile<4x4xf32>
      // expected-error @below {{'mirage_block.where' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and masks what isn't cut like its mask}}
      %y = mirage_block.where %m, %u : (!mirage.tile<4x1xf32>, !mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @mask_rounds(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %m = mirage_block.fresh_mask dim 1 of 11 : !mirage.tile<1x4xf32>
      // expected-error @below {{'mirage_block.where' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and rounds what it masks}}
      %y = mirage_block.where %m, %xt : (!mirage.tile<1x4xf32>, !mirage.tile<8x4xf32>) -> !mirage.tile<8x4xf16>
      mirage_block.accumulate
    }
  }
  return
}

// -----

// Zeros may be above it.
func.func @maximum_of_masked(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %m = mirage_block.fresh_mask dim 1 of 11 : !mirage.tile<1x4xf32>
      %y = mirage_block.where %m, %xt : (!mirage.tile<1x4xf32>, !mirage.tile<8x4xf32>) -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.reduce_max' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and doesn't keep the zeros of what is masked}}
      %z = mirage_block.reduce_max %y dim 1 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x1xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @mask_in_even_loop(%x: tensor<8x12xf32>) {
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8x12xf32>) -> () {
  ^bb0(%X: tensor<8x12xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x12xf32> -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.fresh_mask' op stands in a loop whose iterations divide all that they cut}}
      %m = mirage_block.fresh_mask dim 1 of 11 : !mirage.tile<1x4xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @mask_outside(%x: tensor<8x11xf32>) {
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8x11xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>):
    // expected-error @below {{'mirage_block.fresh_mask' op expects parent op 'mirage_block.loop'}}
    %m = mirage_block.fresh_mask dim 1 of 11 : !mirage.tile<1x4xf32>
  }
  return
}

// -----

// No multiple of an exponential.
func.func @exponential_plus(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %max = mirage_block.reduce_max %xt dim 1 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x1xf32>
      %d = mirage_block.sub %xt, %max : (!mirage.tile<8x4xf32>, !mirage.tile<8x1xf32>) -> !mirage.tile<8x4xf32>
      %e = mirage_block.exp %d : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x4xf32>
      %two = mirage.constant 2.0 : !mirage.tile<f32>
      // expected-error @below {{'mirage_block.add' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and makes of them what depends on how they are cut}}
      %a = mirage_block.add %e, %two : (!mirage.tile<8x4xf32>, !mirage.tile<f32>) -> !mirage.tile<8x4xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @exponential_beside(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %max = mirage_block.reduce_max %xt dim 1 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x1xf32>
      %d = mirage_block.sub %xt, %max : (!mirage.tile<8x4xf32>, !mirage.tile<8x1xf32>) -> !mirage.tile<8x4xf32>
      %e = mirage_block.exp %d : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.concat' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and makes of them what depends on how they are cut}}
      %a = mirage_block.concat %e, %xt dim 0 : (!mirage.tile<8x4xf32>, !mirage.tile<8x4xf32>) -> !mirage.tile<16x4xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

// Row r's maximum would rescale column r.
func.func @by_a_row(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 -> !mirage.tile<8x8xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %max = mirage_block.reduce_max %xt dim 1 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x1xf32>
      %d = mirage_block.sub %xt, %max : (!mirage.tile<8x4xf32>, !mirage.tile<8x1xf32>) -> !mirage.tile<8x4xf32>
      %e = mirage_block.exp %d : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x4xf32>
      %ct = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<11x8xf32> -> !mirage.tile<4x8xf32>
      %ctt = mirage_block.transpose %ct permutation [1, 0] : (!mirage.tile<4x8xf32>) -> !mirage.tile<8x4xf32>
      %t = mirage_block.transpose %e permutation [1, 0] : (!mirage.tile<8x4xf32>) -> !mirage.tile<4x8xf32>
      %p = mirage_block.matmul %ctt, %t : (!mirage.tile<8x4xf32>, !mirage.tile<4x8xf32>) -> !mirage.tile<8x8xf32>
      // expected-error @below {{'mirage_block.accumulate' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and accumulator 0 depends on how they are cut}}
      mirage_block.accumulate rescaled_sum %p by %max : !mirage.tile<8x8xf32> by !mirage.tile<8x1xf32>
    }
  }
  return
}

// -----

// Nor may the maximum's dimension be summed up.
func.func @sum_over_rows(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %max = mirage_block.reduce_max %xt dim 1 : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x1xf32>
      %d = mirage_block.sub %xt, %max : (!mirage.tile<8x4xf32>, !mirage.tile<8x1xf32>) -> !mirage.tile<8x4xf32>
      %e = mirage_block.exp %d : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.sum' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and makes of them what depends on how they are cut}}
      %p = mirage_block.sum %e dim 0 : (!mirage.tile<8x4xf32>) -> !mirage.tile<1x4xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

// In a thread graph.
func.func @mask_squared(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.fresh_mask' op masks tiles alone, and this is not the condition of a 'where'}}
      %m = mirage_block.fresh_mask dim 1 of 11 : !mirage.tile<1x4xf32>
      %g = mirage_block.graph_defined (%m) : (!mirage.tile<1x4xf32>) -> !mirage.tile<1x4xf32> {
      ^bb0(%f: !mirage.fragment<1x4xf32>):
        // expected-note @below {{used here}}
        %q = mirage_thread.sqr %f : (!mirage.fragment<1x4xf32>) -> !mirage.fragment<1x4xf32>
        mirage_thread.yield %q : !mirage.fragment<1x4xf32>
      }
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @mask_yielded(%x: tensor<8x11xf32>, %w: tensor<11x8xf32>, %c: tensor<8x4xf32>) {
  mirage_kernel.graph_defined (%x, %w, %c) grid <x = 1> : (tensor<8x11xf32>, tensor<11x8xf32>, tensor<8x4xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>, %W: tensor<11x8xf32>, %C: tensor<8x4xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.fresh_mask' op masks tiles alone, and this is not the condition of a 'where'}}
      %m = mirage_block.fresh_mask dim 1 of 11 : !mirage.tile<1x4xf32>
      %g = mirage_block.graph_defined (%m) : (!mirage.tile<1x4xf32>) -> !mirage.tile<1x4xf32> {
      ^bb0(%f: !mirage.fragment<1x4xf32>):
        // expected-note @below {{used here}}
        mirage_thread.yield %f : !mirage.fragment<1x4xf32>
      }
      mirage_block.accumulate
    }
  }
  return
}

// -----

// Whatever becomes of zeros would be summed up.
func.func @exponential_of_masked(%x: tensor<8x11xf32>) {
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8x11xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %m = mirage_block.fresh_mask dim 1 of 11 : !mirage.tile<1x4xf32>
      %y = mirage_block.where %m, %xt : (!mirage.tile<1x4xf32>, !mirage.tile<8x4xf32>) -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.exp' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and doesn't keep the zeros of what is masked}}
      %z = mirage_block.exp %y : (!mirage.tile<8x4xf32>) -> !mirage.tile<8x4xf32>
      mirage_block.accumulate
    }
  }
  return
}

// -----

func.func @sum_with_masked(%x: tensor<8x11xf32>) {
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8x11xf32>) -> () {
  ^bb0(%X: tensor<8x11xf32>):
    mirage_block.loop iterations 3 {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x11xf32> -> !mirage.tile<8x4xf32>
      %m = mirage_block.fresh_mask dim 1 of 11 : !mirage.tile<1x4xf32>
      %y = mirage_block.where %m, %xt : (!mirage.tile<1x4xf32>, !mirage.tile<8x4xf32>) -> !mirage.tile<8x4xf32>
      // expected-error @below {{'mirage_block.add' op stands in a loop whose iterations don't divide the 11 elements of what they cut, and doesn't keep the zeros of what is masked}}
      %z = mirage_block.add %y, %xt : (!mirage.tile<8x4xf32>, !mirage.tile<8x4xf32>) -> !mirage.tile<8x4xf32>
      mirage_block.accumulate
    }
  }
  return
}
