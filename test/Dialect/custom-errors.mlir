// RUN: mirage-opt --split-input-file --verify-diagnostics %s
// RUN: sed -e 's/mirage_kernel/mirage_block/g' -e 's/tensor</!mirage.tile</g' %s > %t.block.mlir
// RUN: mirage-opt --split-input-file --verify-diagnostics %t.block.mlir
// RUN: sed -e 's/mirage_kernel/mirage_thread/g' -e 's/tensor</!mirage.fragment</g' %s > %t.thread.mlir
// RUN: mirage-opt --split-input-file --verify-diagnostics %t.thread.mlir

func.func @builtin(%x: tensor<4x8xf16>) {
  // expected-error @below {{custom' op attribute 'function' failed to satisfy constraint: string attribute that is an identifier and names no built-in operator}}
  %0 = mirage_kernel.custom "relu"(%x) : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @identifier(%x: tensor<4x8xf16>) {
  // expected-error @below {{failed to satisfy constraint: string attribute that is an identifier and names no built-in operator}}
  %0 = mirage_kernel.custom "my-scale"(%x) : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @keyword(%x: tensor<4x8xf16>) {
  // expected-error @below {{failed to satisfy constraint: string attribute that is an identifier and names no built-in operator}}
  %0 = mirage_kernel.custom "forall"(%x) : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @custom_C1(%x: tensor<4x8xf16>, %y: tensor<4xf16>) {
  // expected-error @below {{operands of shapes 4x8 and 4 don't broadcast}}
  %0 = mirage_kernel.custom "F"(%x, %y) : (tensor<4x8xf16>, tensor<4xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @custom_C2(%x: tensor<4x8xf16>) {
  // expected-error @below {{has a result of shape 4, but its operands give 4x8}}
  %0 = mirage_kernel.custom "F"(%x) : (tensor<4x8xf16>) -> tensor<4xf16>
  return
}
