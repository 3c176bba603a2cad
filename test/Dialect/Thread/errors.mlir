// RUN: mirage-opt --split-input-file --verify-diagnostics %s

func.func @exp_C2() {
  mirage_kernel.graph_defined () grid <x = 1> : () -> () {
    mirage_block.graph_defined () : () -> () {
      %c = mirage.constant 1.0 : !mirage.fragment<f32>
      // expected-error @below {{'mirage_thread.exp' op has a result of shape 4, but its operands give scalar}}
      %0 = mirage_thread.exp %c : (!mirage.fragment<f32>) -> !mirage.fragment<4xf32>
      mirage_thread.yield
    }
  }
  return
}

// -----

func.func @add_C1(%x: tensor<8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8xf16>) -> () {
  ^bb0(%X: tensor<8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8xf16> -> !mirage.tile<8xf16>
    %s = mirage_block.sum %t dim 0 : (!mirage.tile<8xf16>) -> !mirage.tile<1xf16>
    mirage_block.graph_defined (%t, %s) : (!mirage.tile<8xf16>, !mirage.tile<1xf16>) -> () {
    ^bb0(%f: !mirage.fragment<8xf16>, %g: !mirage.fragment<1xf16>):
      %h = mirage_thread.add %f, %g : (!mirage.fragment<8xf16>, !mirage.fragment<1xf16>) -> !mirage.fragment<8xf16>
      // expected-error @below {{'mirage_thread.add' op has a result of shape 1, but its operands give 8}}
      %i = mirage_thread.add %h, %g : (!mirage.fragment<8xf16>, !mirage.fragment<1xf16>) -> !mirage.fragment<1xf16>
      mirage_thread.yield
    }
  }
  return
}

// -----

func.func @mul_C1(%x: tensor<8xf16>, %y: tensor<4xf16>) {
  mirage_kernel.graph_defined (%x, %y) grid <x = 1> : (tensor<8xf16>, tensor<4xf16>) -> () {
  ^bb0(%X: tensor<8xf16>, %Y: tensor<4xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8xf16> -> !mirage.tile<8xf16>
    %s = mirage_block.input_iterator %Y imap <x -> 0> : tensor<4xf16> -> !mirage.tile<4xf16>
    mirage_block.graph_defined (%t, %s) : (!mirage.tile<8xf16>, !mirage.tile<4xf16>) -> () {
    ^bb0(%f: !mirage.fragment<8xf16>, %g: !mirage.fragment<4xf16>):
      // expected-error @below {{'mirage_thread.mul' op operands of shapes 8 and 4 don't broadcast: dimensions, aligned at the last, must be equal or 1}}
      %i = mirage_thread.mul %f, %g : (!mirage.fragment<8xf16>, !mirage.fragment<4xf16>) -> !mirage.fragment<8xf16>
      mirage_thread.yield
    }
  }
  return
}

// -----

func.func @exp_of_tile() {
  mirage_kernel.graph_defined () grid <x = 1> : () -> () {
    mirage_block.graph_defined () : () -> () {
      %c = mirage.constant 1.0 : !mirage.fragment<f32>
      %t = mirage.constant 1.0 : !mirage.tile<f32>
      // expected-error @below {{'mirage_thread.exp' op operand #0 must be fragment, but got '!mirage.tile<f32>'}}
      %0 = "mirage_thread.exp"(%t) : (!mirage.tile<f32>) -> !mirage.fragment<f32>
      mirage_thread.yield
    }
  }
  return
}

// -----

func.func @sub_one_operand() {
  mirage_kernel.graph_defined () grid <x = 1> : () -> () {
    mirage_block.graph_defined () : () -> () {
      %c = mirage.constant 1.0 : !mirage.fragment<f32>
      // expected-error @below {{'mirage_thread.sub' op expected 2 operands, but found 1}}
      %0 = "mirage_thread.sub"(%c) : (!mirage.fragment<f32>) -> !mirage.fragment<f32>
      mirage_thread.yield
    }
  }
  return
}

// -----

func.func @matmul() {
  mirage_kernel.graph_defined () grid <x = 1> : () -> () {
    mirage_block.graph_defined () : () -> () {
      %c = mirage.constant 1.0 : !mirage.fragment<f32>
      // expected-error @below {{unregistered operation 'mirage_thread.matmul' found in dialect ('mirage_thread') that does not allow unknown operations}}
      %0 = "mirage_thread.matmul"(%c, %c) : (!mirage.fragment<f32>, !mirage.fragment<f32>) -> !mirage.fragment<f32>
      mirage_thread.yield
    }
  }
  return
}

// -----

func.func @yield_twice() {
  mirage_kernel.graph_defined () grid <x = 1> : () -> () {
    mirage_block.graph_defined () : () -> () {
      %c = mirage.constant 1.0 : !mirage.fragment<f32>
      // expected-error @below {{'mirage_thread.yield' op must be the last operation in the parent block}}
      mirage_thread.yield
      mirage_thread.yield
    }
  }
  return
}

// -----

func.func @yield_tile() {
  mirage_kernel.graph_defined () grid <x = 1> : () -> () {
    mirage_block.graph_defined () : () -> () {
      %c = mirage.constant 1.0 : !mirage.fragment<f32>
      %t = mirage.constant 1.0 : !mirage.tile<f32>
      // expected-error @below {{'mirage_thread.yield' op operand #0 must be variadic of fragment, but got '!mirage.tile<f32>'}}
      mirage_thread.yield %t : !mirage.tile<f32>
      mirage_thread.yield
    }
  }
  return
}

// -----

func.func @yield_of_function() {
  // expected-error @below {{'mirage_thread.yield' op expects parent op 'mirage_block.graph_defined'}}
  mirage_thread.yield
}
