// RUN: mirage-opt --convert-mirage-to-gpu="target=sm_80 allow-unverified" -split-input-file -verify-diagnostics %s

func.func @constant_in_memory() -> tensor<f32> {
  // expected-error @below {{'mirage.constant' op can't be lowered: it has no block graph}}
  %y = mirage.constant 1.0 : tensor<f32>
  return %y : tensor<f32>
}

// -----

func.func @leftover(%x: tensor<8xf16>, %o: tensor<4x2xf16>) -> tensor<4x2xf16> {
  %y = mirage_kernel.reshape %x : (tensor<8xf16>) -> tensor<4x2xf16>
  // expected-error @below {{'linalg.exp' op can't be lowered: it is not an op of a kernel graph}}
  %z = linalg.exp ins(%y : tensor<4x2xf16>) outs(%o : tensor<4x2xf16>) -> tensor<4x2xf16>
  return %z : tensor<4x2xf16>
}

// -----

// expected-error @below {{can't be lowered: argument 1 is a 'f32', not a tensor of static shape with elements of f16, bf16 or f32}}
func.func @scalar(%x: tensor<8xf16>, %s: f32) -> tensor<4x2xf16> {
  %y = mirage_kernel.reshape %x : (tensor<8xf16>) -> tensor<4x2xf16>
  return %y : tensor<4x2xf16>
}

// -----

// expected-error @below {{can't be lowered: result 1 is a 'tensor<?xf16>', not a tensor of static shape}}
func.func @result(%x: tensor<8xf16>) -> (tensor<4x2xf16>, tensor<?xf16>) {
  %s = tensor.cast %x : tensor<8xf16> to tensor<?xf16>
  %y = mirage_kernel.reshape %x : (tensor<8xf16>) -> tensor<4x2xf16>
  return %y, %s : tensor<4x2xf16>, tensor<?xf16>
}

// -----

// expected-error @below {{can't be lowered: it has branches}}
func.func @branches(%x: tensor<8xf16>) -> tensor<4x2xf16> {
  %y = mirage_kernel.reshape %x : (tensor<8xf16>) -> tensor<4x2xf16>
  return %y : tensor<4x2xf16>
^unreachable:
  return %y : tensor<4x2xf16>
}

// -----

func.func @called(%x: tensor<8xf16>) -> tensor<4x2xf16> {
  %y = mirage_kernel.reshape %x : (tensor<8xf16>) -> tensor<4x2xf16>
  return %y : tensor<4x2xf16>
}

func.func @caller(%x: tensor<8xf16>) -> tensor<4x2xf16> {
  // expected-error @below {{'func.constant' op can't be lowered: @called becomes a function on memrefs}}
  %called = func.constant @called : (tensor<8xf16>) -> tensor<4x2xf16>
  %y = func.call_indirect %called(%x) : (tensor<8xf16>) -> tensor<4x2xf16>
  return %y : tensor<4x2xf16>
}

// -----

func.func @called(%x: tensor<8xf16>) -> tensor<8xf16> {
  %y = mirage_kernel.exp %x : (tensor<8xf16>) -> tensor<8xf16>
  return %y : tensor<8xf16>
}

func.func @with_operators(%x: tensor<8xf16>) -> tensor<8xf16> {
  %y = mirage_kernel.exp %x : (tensor<8xf16>) -> tensor<8xf16>
  // expected-error @below {{'func.call' op can't be lowered}}
  %z = func.call @called(%y) : (tensor<8xf16>) -> tensor<8xf16>
  return %z : tensor<8xf16>
}

// -----

func.func @too_large(%x: tensor<256x512xf16>) -> tensor<256x1xf16> {
  // expected-error @below {{has tiles of 262144 bytes, but a block of sm_80 has 166912 bytes of shared memory}}
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<256x512xf16>) -> tensor<256x1xf16> {
  ^bb0(%X: tensor<256x512xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<256x512xf16> -> !mirage.tile<256x512xf16>
    %s = mirage_block.sum %t dim 1 : (!mirage.tile<256x512xf16>) -> !mirage.tile<256x1xf32>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<256x1xf32> -> tensor<256x1xf16>
  }
  return %z : tensor<256x1xf16>
}

// -----

// expected-error @below {{'func.func' op has tensors of 2199023255552 bytes, but sm_80 has 80000000000 bytes of device memory}}
func.func @tensors_too_large(%x: tensor<1048576x524288xf16>) -> tensor<1048576x524288xf16> {
  %y = mirage_kernel.exp %x : (tensor<1048576x524288xf16>) -> tensor<1048576x524288xf16>
  return %y : tensor<1048576x524288xf16>
}

// -----

// Not the constants that it needs.
func.func @needs_constants(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x64xf32>) -> tensor<16x64xf32>
  %e = mirage_kernel.exp %x : (tensor<16x64xf32>) -> tensor<16x64xf32>
  // expected-error @below {{'linalg.add' op can't be lowered: it is not an op of a kernel graph}}
  %y = linalg.add ins(%e, %f : tensor<16x64xf32>, tensor<16x64xf32>) outs(%empty : tensor<16x64xf32>) -> tensor<16x64xf32>
  return %y : tensor<16x64xf32>
}
