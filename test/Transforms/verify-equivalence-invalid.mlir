// RUN: not mirage-opt --mirage-verify-equivalence=trials=0 %S/verify-equivalence.mlir 2>&1 | FileCheck %s
// RUN: mirage-opt --mirage-verify-equivalence=method=random --allow-unregistered-dialect --split-input-file --verify-diagnostics %s

// CHECK: error: option 'trials' must be at least 1

//===----------------------------------------------------------------------===//
// What can't be compared
//===----------------------------------------------------------------------===//

// expected-error @below {{'mirage.reference' must name a function of the module}}
func.func @missing_reference(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.reference = @nowhere} {
  return %x : tensor<4xf32>
}

// expected-error @below {{'mirage.reference' must name a function of the module}}
func.func @reference_not_a_symbol(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.reference = 3} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{'mirage.reference' must name a function of the module}}
func.func @reference_not_a_function(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.reference = @global} {
  return %x : tensor<4xf32>
}
memref.global @global : memref<4xf32>

// -----

// expected-note @below {{the reference is here}}
func.func private @longer(%x: tensor<8xf32>) -> tensor<8xf32>
// expected-error @below {{has type '(tensor<4xf32>) -> tensor<4xf32>', but its reference has type '(tensor<8xf32>) -> tensor<8xf32>'}}
func.func @mismatched_types(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.reference = @longer} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{not a kernel graph: the function has no body}}
func.func private @declared(%x: tensor<4xf32>) -> tensor<4xf32>
func.func @reference_without_body(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.reference = @declared} {
  return %x : tensor<4xf32>
}

// -----

func.func @identity(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @not_a_kernel_graph(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.reference = @identity} {
  // expected-error @below {{not a kernel graph: 'math.exp' is not an operator of the kernel dialect}}
  %0 = math.exp %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @tile_ops(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.reference = @tile_ops} {
  %c = mirage.constant 1.0 : !mirage.tile<f32>
  // expected-error @below {{not a kernel graph: 'mirage_block.exp' is not an operator of the kernel dialect}}
  %d = mirage_block.exp %c : (!mirage.tile<f32>) -> !mirage.tile<f32>
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{not a kernel graph: the function has control flow}}
func.func @control_flow(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.reference = @control_flow} {
  "test.br"() [^bb1] : () -> ()
^bb1:
  return %x : tensor<4xf32>
}

// -----

// expected-error @below {{not a kernel graph: an argument is a tensor<4xi32>, not a statically shaped, non-empty tensor of f16, bf16 or f32}}
func.func @integers(%x: tensor<4xi32>) -> tensor<4xi32> attributes {mirage.reference = @integers} {
  return %x : tensor<4xi32>
}

// -----

// expected-error @below {{not a kernel graph: an argument is a tensor<0x4xf32>, not a statically shaped, non-empty tensor of f16, bf16 or f32}}
func.func @empty(%x: tensor<0x4xf32>) -> tensor<0x4xf32> attributes {mirage.reference = @empty} {
  return %x : tensor<0x4xf32>
}

// -----

func.func @two_loops(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.reference = @two_loops} {
  // expected-error @below {{not a kernel graph: a block graph has more than one loop}}
  mirage_kernel.graph_defined () grid <x = 1> : () -> () {
    mirage_block.loop iterations 2 {
      mirage_block.accumulate
    }
    mirage_block.loop iterations 3 {
      mirage_block.accumulate
    }
  }
  return %x : tensor<4xf32>
}

// -----

// An exponential has no exponential in the field.
// expected-error @below {{could not be compared with 'exp_of_exp': 4 elements had no value in the field in any of 8 trials}}
func.func @exp_of_exp(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.reference = @exp_of_exp} {
  %e = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %f = mirage_kernel.exp %e : (tensor<4xf32>) -> tensor<4xf32>
  return %f : tensor<4xf32>
}

// -----

// expected-error @below {{could not be compared with 'division_by_zero': 4 elements had no value in the field in any of 8 trials}}
func.func @division_by_zero(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.reference = @division_by_zero} {
  %z = mirage_kernel.sub %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %q = mirage_kernel.div %x, %z : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %q : tensor<4xf32>
}

// -----

// Four terabytes of inputs.
// expected-error @below {{could not be compared with 'huge': a random test would take 37748736 MiB of memory, and 3072 MiB are allowed}}
func.func @huge(%x: tensor<1048576x1048576xf32>) -> tensor<1048576x1048576xf32> attributes {mirage.reference = @huge} {
  %y = mirage_kernel.exp %x : (tensor<1048576x1048576xf32>) -> tensor<1048576x1048576xf32>
  return %y : tensor<1048576x1048576xf32>
}

// -----

// A law of max, which the field doesn't know.
func.func @relu(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = mirage_kernel.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
// expected-error @below {{could not be compared with 'relu': differs in the field, agrees in f64: a law of a root, of max or of an opaque function may make them equal}}
func.func @relu_of_relu(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.reference = @relu} {
  %y = mirage_kernel.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  %z = mirage_kernel.relu %y : (tensor<4xf32>) -> tensor<4xf32>
  return %z : tensor<4xf32>
}
