// RUN: mirage-opt --split-input-file --verify-diagnostics %s

//===----------------------------------------------------------------------===//
// Operators: C1, shapes of operands
//===----------------------------------------------------------------------===//

func.func @matmul_C1_depth(%x: tensor<4x8xf16>, %w: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.matmul' op the last dimension of 4x8 is not the one before the last of 4x8}}
  %0 = mirage_kernel.matmul %x, %w : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @matmul_C1_batch(%x: tensor<2x4x8xf16>, %w: tensor<3x8x4xf16>) {
  // expected-error @below {{'mirage_kernel.matmul' op batch dimension 0 differs between 2x4x8 and 3x8x4}}
  %0 = mirage_kernel.matmul %x, %w : (tensor<2x4x8xf16>, tensor<3x8x4xf16>) -> tensor<2x4x4xf16>
  return
}

// -----

func.func @matmul_C1_vector(%x: tensor<8xf16>, %w: tensor<8xf16>) {
  // expected-error @below {{'mirage_kernel.matmul' op expected operands of one rank, at least 2, found 8 and 8}}
  %0 = mirage_kernel.matmul %x, %w : (tensor<8xf16>, tensor<8xf16>) -> tensor<f16>
  return
}

// -----

func.func @matmul_C1_rank(%x: tensor<2x4x8xf16>, %w: tensor<8x4xf16>) {
  // expected-error @below {{'mirage_kernel.matmul' op expected operands of one rank, at least 2, found 2x4x8 and 8x4}}
  %0 = mirage_kernel.matmul %x, %w : (tensor<2x4x8xf16>, tensor<8x4xf16>) -> tensor<2x4x4xf16>
  return
}

// -----

func.func @sum_C1(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.sum' op dimension 2 of 4x8 doesn't exist}}
  %0 = mirage_kernel.sum %x dim 2 : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @sum_C1_negative(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.sum' op dimension -1 of 4x8 doesn't exist}}
  %0 = mirage_kernel.sum %x dim -1 : (tensor<4x8xf16>) -> tensor<4x1xf16>
  return
}

// -----

func.func @sum_C1_scalar(%x: tensor<f16>) {
  // expected-error @below {{'mirage_kernel.sum' op dimension 0 of scalar doesn't exist}}
  %0 = mirage_kernel.sum %x dim 0 : (tensor<f16>) -> tensor<f16>
  return
}

// -----

func.func @add_C1(%x: tensor<4x8xf16>, %y: tensor<4xf16>) {
  // expected-error @below {{'mirage_kernel.add' op operands of shapes 4x8 and 4 don't broadcast: dimensions, aligned at the last, must be equal or 1}}
  %0 = mirage_kernel.add %x, %y : (tensor<4x8xf16>, tensor<4xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @reshape_C1(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.reshape' op 4x8 and 4x9 have different numbers of elements}}
  %0 = mirage_kernel.reshape %x : (tensor<4x8xf16>) -> tensor<4x9xf16>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Operators: C2, shapes of results
//===----------------------------------------------------------------------===//

func.func @matmul_C2(%x: tensor<4x8xf16>, %w: tensor<8x2xf16>) {
  // expected-error @below {{'mirage_kernel.matmul' op has a result of shape 2x4, but its operands give 4x2}}
  %0 = mirage_kernel.matmul %x, %w : (tensor<4x8xf16>, tensor<8x2xf16>) -> tensor<2x4xf16>
  return
}

// -----

func.func @sum_C2(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.sum' op has a result of shape 4, but its operands give 4x1}}
  %0 = mirage_kernel.sum %x dim 1 : (tensor<4x8xf16>) -> tensor<4xf16>
  return
}

// -----

func.func @exp_C2(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.exp' op has a result of shape scalar, but its operands give 4x8}}
  %0 = mirage_kernel.exp %x : (tensor<4x8xf16>) -> tensor<f16>
  return
}

// -----

//===----------------------------------------------------------------------===//
// Operators: types and attributes
//===----------------------------------------------------------------------===//

func.func @sum_without_dim(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.sum' op requires attribute 'dim'}}
  %0 = "mirage_kernel.sum"(%x) : (tensor<4x8xf16>) -> tensor<4x1xf16>
  return
}

// -----

func.func @sum_dim_type(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.sum' op attribute 'dim' failed to satisfy constraint: 64-bit signless integer attribute}}
  %0 = "mirage_kernel.sum"(%x) {dim = 1 : i32} : (tensor<4x8xf16>) -> tensor<4x1xf16>
  return
}

// -----

func.func @add_one_operand(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.add' op expected 2 operands, but found 1}}
  %0 = "mirage_kernel.add"(%x) : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @exp_two_results(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.exp' op requires one result}}
  %0:2 = "mirage_kernel.exp"(%x) : (tensor<4x8xf16>) -> (tensor<4x8xf16>, tensor<4x8xf16>)
  return
}

// -----

func.func @integers(%x: tensor<4xi32>) {
  // expected-error @below {{operand #0 must be statically shaped, non-empty tensor of f16, bf16 or f32 with at most 2^40 elements, but got 'tensor<4xi32>'}}
  %0 = mirage_kernel.add %x, %x : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  return
}

// -----

func.func @doubles(%x: tensor<4xf32>) {
  // expected-error @below {{result #0 must be statically shaped, non-empty tensor of f16, bf16 or f32 with at most 2^40 elements, but got 'tensor<4xf64>'}}
  %0 = mirage_kernel.cast %x : (tensor<4xf32>) -> tensor<4xf64>
  return
}

// -----

func.func @dynamic(%x: tensor<?xf16>) {
  // expected-error @below {{operand #0 must be statically shaped, non-empty tensor of f16, bf16 or f32 with at most 2^40 elements, but got 'tensor<?xf16>'}}
  %0 = mirage_kernel.exp %x : (tensor<?xf16>) -> tensor<?xf16>
  return
}

// -----

func.func @unranked(%x: tensor<*xf16>) {
  // expected-error @below {{operand #0 must be statically shaped, non-empty tensor}}
  %0 = mirage_kernel.exp %x : (tensor<*xf16>) -> tensor<4xf16>
  return
}

// -----

// A matmul of no rows and no columns would have no elements to divide by.
func.func @empty(%x: tensor<0x4xf16>, %w: tensor<4x0xf16>) {
  // expected-error @below {{operand #0 must be statically shaped, non-empty tensor}}
  %0 = mirage_kernel.matmul %x, %w : (tensor<0x4xf16>, tensor<4x0xf16>) -> tensor<0x0xf16>
  return
}

// -----

// 2^64 elements overflow to none at all.
func.func @overflow(%x: tensor<4294967296x1xf16>, %y: tensor<1x4294967296xf16>) {
  // expected-error @below {{result #0 must be statically shaped, non-empty tensor of f16, bf16 or f32 with at most 2^40 elements}}
  %0 = mirage_kernel.add %x, %y : (tensor<4294967296x1xf16>, tensor<1x4294967296xf16>) -> tensor<4294967296x4294967296xf16>
  return
}

// -----

func.func @reshape_overflow(%x: tensor<1xf16>) {
  // expected-error @below {{result #0 must be statically shaped, non-empty tensor of f16, bf16 or f32 with at most 2^40 elements}}
  %0 = mirage_kernel.reshape %x : (tensor<1xf16>) -> tensor<4294967296x4294967296xf16>
  return
}

// -----

func.func @memref(%x: memref<4xf16>) {
  // expected-error @below {{operand #0 must be statically shaped, non-empty tensor}}
  %0 = "mirage_kernel.exp"(%x) : (memref<4xf16>) -> tensor<4xf16>
  return
}

// -----

func.func @tile() {
  %c = mirage.constant 1.0 : !mirage.tile<f32>
  // expected-error @below {{operand #0 must be statically shaped, non-empty tensor}}
  %0 = "mirage_kernel.exp"(%c) : (!mirage.tile<f32>) -> tensor<f32>
  return
}

// -----

//===----------------------------------------------------------------------===//
// graph_defined
//===----------------------------------------------------------------------===//

func.func @graph_defined_C1_count(%x: tensor<8xf16>) {
  // expected-error @below {{'mirage_kernel.graph_defined' op has 1 operands, but its region has 0 arguments}}
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8xf16>) -> () {
    %c = mirage.constant 1.0 : !mirage.tile<f32>
  }
  return
}

// -----

func.func @graph_defined_C1_type(%x: tensor<8xf16>) {
  // expected-error @below {{'mirage_kernel.graph_defined' op operand 0 is a 'tensor<8xf16>', but the region's argument is a 'tensor<8xf32>'}}
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8xf16>) -> () {
  ^bb0(%X: tensor<8xf32>):
    %c = mirage.constant 1.0 : !mirage.tile<f32>
  }
  return
}

// -----

func.func @graph_defined_C2_none(%x: tensor<8xf16>) -> tensor<8xf16> {
  // expected-error @below {{'mirage_kernel.graph_defined' op has 1 results, but 0 output savers}}
  %0 = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8xf16>) -> tensor<8xf16> {
  ^bb0(%X: tensor<8xf16>):
    %c = mirage.constant 1.0 : !mirage.tile<f32>
  }
  return %0 : tensor<8xf16>
}

// -----

func.func @graph_defined_C2_two(%x: tensor<8xf16>) {
  // expected-error @below {{'mirage_kernel.graph_defined' op has 0 results, but 1 output savers}}
  mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8xf16>) -> () {
  ^bb0(%X: tensor<8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8xf16> -> !mirage.tile<4xf16>
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4xf16> -> tensor<8xf16>
  }
  return
}

// -----

func.func @graph_defined_C2_type(%x: tensor<8xf16>) -> tensor<8xf32> {
  // expected-error @below {{'mirage_kernel.graph_defined' op result 0 is a 'tensor<8xf32>', but its saver writes a 'tensor<8xf16>'}}
  %0 = mirage_kernel.graph_defined (%x) grid <x = 2> : (tensor<8xf16>) -> tensor<8xf32> {
  ^bb0(%X: tensor<8xf16>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<8xf16> -> !mirage.tile<4xf16>
    // expected-note @below {{the saver is here}}
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<4xf16> -> tensor<8xf16>
  }
  return %0 : tensor<8xf32>
}

// -----

// A loop without results that looks like a saver is none.
func.func @graph_defined_C2_loop() {
  mirage_kernel.graph_defined () grid <x = 2> : () -> () {
    "mirage_block.loop"() <{iterations = 2 : i64}> ({
      "mirage_block.accumulate"() <{kinds = [], dims = array<i64>}> : () -> ()
    }) {omap = 1} : () -> ()
  }
  return
}

// -----

func.func @graph_defined_C3_kernel_op(%x: tensor<8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8xf16>) -> () {
  ^bb0(%X: tensor<8xf16>):
    // expected-error @below {{'mirage_kernel.exp' op can't stand in a block graph}}
    %0 = mirage_kernel.exp %X : (tensor<8xf16>) -> tensor<8xf16>
  }
  return
}

// -----

func.func @graph_defined_C3_graph_defined(%x: tensor<8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8xf16>) -> () {
  ^bb0(%X: tensor<8xf16>):
    // expected-error @below {{'mirage_kernel.graph_defined' op can't stand in a block graph}}
    mirage_kernel.graph_defined () grid <x = 1> : () -> () {
      %c = mirage.constant 1.0 : !mirage.tile<f32>
    }
  }
  return
}

// -----

func.func @graph_defined_C3_thread_op() {
  mirage_kernel.graph_defined () grid <x = 1> : () -> () {
    %c = mirage.constant 1.0 : !mirage.fragment<f32>
    // expected-error @below {{'mirage_thread.exp' op can't stand in a block graph}}
    %0 = mirage_thread.exp %c : (!mirage.fragment<f32>) -> !mirage.fragment<f32>
  }
  return
}

// -----

func.func @graph_defined_C3_terminator() {
  mirage_kernel.graph_defined () grid <x = 1> : () -> () {
    // expected-error @below {{'mirage_thread.yield' op can't stand in a block graph}}
    mirage_thread.yield
  }
  return
}

// -----

func.func @graph_defined_C3_arith() {
  mirage_kernel.graph_defined () grid <x = 1> : () -> () {
    // expected-error @below {{'arith.constant' op can't stand in a block graph}}
    %c = arith.constant 1.0 : f32
  }
  return
}

// -----

func.func @graph_defined_isolated(%x: tensor<8xf16>) {
  mirage_kernel.graph_defined () grid <x = 2> : () -> () {
    // expected-error @below {{'mirage_block.input_iterator' op must read an argument of the enclosing graph_defined}}
    %t = mirage_block.input_iterator %x imap <x -> 0> : tensor<8xf16> -> !mirage.tile<4xf16>
  }
  return
}

// -----

func.func @graph_defined_without_grid() {
  // expected-error @below {{'mirage_kernel.graph_defined' op requires attribute 'grid'}}
  "mirage_kernel.graph_defined"() ({
    %c = mirage.constant 1.0 : !mirage.tile<f32>
  }) : () -> ()
  return
}

// -----

func.func @graph_defined_grid_type() {
  // expected-error @below {{'mirage_kernel.graph_defined' op attribute 'grid' failed to satisfy constraint}}
  "mirage_kernel.graph_defined"() ({
    %c = mirage.constant 1.0 : !mirage.tile<f32>
  }) {grid = 3} : () -> ()
  return
}

// -----

func.func @graph_defined_empty_region() {
  // expected-error @below {{'mirage_kernel.graph_defined' op region #0 ('body') failed to verify constraint: region with 1 blocks}}
  "mirage_kernel.graph_defined"() <{grid = #mirage.grid<x = 1>}> ({}) : () -> ()
  return
}

// -----

func.func @graph_defined_two_blocks() {
  // expected-error @below {{'mirage_kernel.graph_defined' op expects region #0 to have 0 or 1 blocks}}
  "mirage_kernel.graph_defined"() <{grid = #mirage.grid<x = 1>}> ({
  ^bb0:
    mirage_thread.yield
  ^bb1:
    mirage_thread.yield
  }) : () -> ()
  return
}

// -----

func.func @graph_defined_two_regions() {
  // expected-error @below {{'mirage_kernel.graph_defined' op requires one region}}
  "mirage_kernel.graph_defined"() <{grid = #mirage.grid<x = 1>}> ({
    %c = mirage.constant 1.0 : !mirage.tile<f32>
  }, {
    %c = mirage.constant 1.0 : !mirage.tile<f32>
  }) : () -> ()
  return
}
