// Errors of elementwise operators, the same at all three levels.

// RUN: mirage-opt --split-input-file --verify-diagnostics %s
// RUN: sed -e 's/mirage_kernel/mirage_block/g' -e 's/tensor</!mirage.tile</g' %s > %t.block.mlir
// RUN: mirage-opt --split-input-file --verify-diagnostics %t.block.mlir
// RUN: sed -e 's/mirage_kernel/mirage_thread/g' -e 's/tensor</!mirage.fragment</g' %s > %t.thread.mlir
// RUN: mirage-opt --split-input-file --verify-diagnostics %t.thread.mlir

func.func @add_C1(%x: tensor<4x8xf16>, %y: tensor<4xf16>) {
  // expected-error @below {{'mirage_kernel.add' op operands of shapes 4x8 and 4 don't broadcast: dimensions, aligned at the last, must be equal or 1}}
  %0 = mirage_kernel.add %x, %y : (tensor<4x8xf16>, tensor<4xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @max_C1(%x: tensor<4x8xf16>, %y: tensor<2x8xf16>) {
  // expected-error @below {{'mirage_kernel.max' op operands of shapes 4x8 and 2x8 don't broadcast}}
  %0 = mirage_kernel.max %x, %y : (tensor<4x8xf16>, tensor<2x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @min_C2(%x: tensor<4x8xf16>, %y: tensor<1x8xf16>) {
  // expected-error @below {{'mirage_kernel.min' op has a result of shape 1x8, but its operands give 4x8}}
  %0 = mirage_kernel.min %x, %y : (tensor<4x8xf16>, tensor<1x8xf16>) -> tensor<1x8xf16>
  return
}

// -----

func.func @gelu_C2(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.gelu' op has a result of shape 8x4, but its operands give 4x8}}
  %0 = mirage_kernel.gelu %x : (tensor<4x8xf16>) -> tensor<8x4xf16>
  return
}

// -----

func.func @clamp_C2(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.clamp' op has a result of shape 4, but its operands give 4x8}}
  %0 = mirage_kernel.clamp %x from 0.0 to 1.0 : (tensor<4x8xf16>) -> tensor<4xf16>
  return
}

// -----

func.func @clamp_infinite(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.clamp' op attribute 'upper' failed to satisfy constraint: 64-bit float attribute that is finite}}
  %0 = "mirage_kernel.clamp"(%x) {lower = 0.0 : f64, upper = 0x7FF0000000000000 : f64} : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @clamp_nan(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.clamp' op attribute 'lower' failed to satisfy constraint: 64-bit float attribute that is finite}}
  %0 = "mirage_kernel.clamp"(%x) {lower = 0x7FF8000000000000 : f64, upper = 1.0 : f64} : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @clamp_bound_type(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.clamp' op attribute 'lower' failed to satisfy constraint}}
  %0 = "mirage_kernel.clamp"(%x) {lower = 0 : i64, upper = 1.0 : f64} : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @clamp_without_bound(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.clamp' op requires attribute 'upper'}}
  %0 = "mirage_kernel.clamp"(%x) {lower = 0.0 : f64} : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @pow_without_exponent(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.pow' op requires attribute 'exponent'}}
  %0 = "mirage_kernel.pow"(%x) : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @pow_infinite(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.pow' op attribute 'exponent' failed to satisfy constraint: 64-bit float attribute that is finite}}
  %0 = "mirage_kernel.pow"(%x) {exponent = 0xFFF0000000000000 : f64} : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @pow_C2(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.pow' op has a result of shape 4, but its operands give 4x8}}
  %0 = mirage_kernel.pow %x to 2.0 : (tensor<4x8xf16>) -> tensor<4xf16>
  return
}
