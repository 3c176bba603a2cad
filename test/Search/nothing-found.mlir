// Where no μGraph is cheaper, the program stays, and a remark says so. So do functions that can't be searched.

// RUN: mirage-opt %s --mirage-superoptimize="threads=2" -verify-diagnostics -split-input-file | FileCheck %s

// A matmul is as fast as it gets.
// CHECK-LABEL: func.func @matmul(
// CHECK-NEXT: mirage_kernel.matmul
// CHECK-NEXT: return
// expected-remark @below {{found no μGraph that is cheaper than the program; it stays as it is}}
func.func @matmul(%a: tensor<4096x4096xf16>, %b: tensor<4096x4096xf16>) -> tensor<4096x4096xf16> {
  %c = mirage_kernel.matmul %a, %b : (tensor<4096x4096xf16>, tensor<4096x4096xf16>) -> tensor<4096x4096xf16>
  return %c : tensor<4096x4096xf16>
}

// -----

// CHECK-LABEL: func.func @identity(
// expected-remark @below {{not searched: an output is an input}}
func.func @identity(%a: tensor<16x16xf16>) -> tensor<16x16xf16> {
  return %a : tensor<16x16xf16>
}

// -----

// CHECK-LABEL: func.func @reshaped(
// CHECK: mirage_kernel.reshape
// expected-remark @below {{not searched: the dimensions of 'reshape' can't be followed through it}}
func.func @reshaped(%a: tensor<16x16xf16>) -> tensor<256xf16> {
  %b = mirage_kernel.reshape %a : (tensor<16x16xf16>) -> tensor<256xf16>
  return %b : tensor<256xf16>
}

// -----

func.func @leftover(%a: tensor<16x16xf16>) -> tensor<16x16xf16> {
  // expected-remark @below {{not searched: 'tensor.empty' is not an operator of the kernel dialect}}
  %b = tensor.empty() : tensor<16x16xf16>
  %c = mirage_kernel.add %a, %b : (tensor<16x16xf16>, tensor<16x16xf16>) -> tensor<16x16xf16>
  return %c : tensor<16x16xf16>
}

// -----

// Not the constant that it needs.
func.func @leftover_of_two(%a: tensor<16x16xf16>) -> tensor<16x16xf16> {
  %e = tensor.empty() : tensor<16x16xf16>
  // expected-remark @below {{not searched: 'linalg.copy' is not an operator of the kernel dialect}}
  %b = linalg.copy ins(%a : tensor<16x16xf16>) outs(%e : tensor<16x16xf16>) -> tensor<16x16xf16>
  return %b : tensor<16x16xf16>
}

// -----

// expected-remark @below {{not searched: an argument is a tensor<?xf16>, not a statically shaped, non-empty tensor of f16, bf16 or f32 with at most 2^40 elements}}
func.func @dynamic(%a: tensor<?xf16>) -> tensor<?xf16> {
  return %a : tensor<?xf16>
}

// -----

// A declaration is left alone.
func.func private @external(tensor<16xf16>) -> tensor<16xf16>

// -----

// Without operators there is nothing to fuse: the limit is too small.
// expected-remark @below {{found no μGraph that is cheaper than the program; it stays as it is}}
func.func @exp(%a: tensor<16x16xf16>) -> tensor<16x16xf16> {
  %b = mirage_kernel.exp %a : (tensor<16x16xf16>) -> tensor<16x16xf16>
  return %b : tensor<16x16xf16>
}

// -----

// Too many dimensions to compute values at small sizes.
// expected-remark @below {{not searched: an operator takes 67108864 steps at the small sizes at which values are compared, more than 1048576}}
func.func @dimensions(%a: tensor<2x2x2x2x2x2x2x2x2x2x2x2x2xf16>) -> tensor<2x2x2x2x2x2x2x2x2x2x2x2x2xf16> {
  %b = mirage_kernel.exp %a : (tensor<2x2x2x2x2x2x2x2x2x2x2x2x2xf16>) -> tensor<2x2x2x2x2x2x2x2x2x2x2x2x2xf16>
  return %b : tensor<2x2x2x2x2x2x2x2x2x2x2x2x2xf16>
}

// -----

// Nothing is computed that a search could be of.
// expected-remark @below {{not searched: a value is returned twice}}
func.func @cut_twice(%a: tensor<16x16xf16>) -> (tensor<256xf16>, tensor<256xf16>) {
  %b = mirage_kernel.reshape %a : (tensor<16x16xf16>) -> tensor<256xf16>
  return %b, %b : tensor<256xf16>, tensor<256xf16>
}

// -----

// What is returned twice is searched once.
// expected-remark @below {{found no μGraph that is cheaper than the program; it stays as it is}}
func.func @twice(%a: tensor<16x16xf16>) -> (tensor<16x16xf16>, tensor<16x16xf16>) {
  %b = mirage_kernel.exp %a : (tensor<16x16xf16>) -> tensor<16x16xf16>
  return %b, %b : tensor<16x16xf16>, tensor<16x16xf16>
}

// -----

// A result that depends on no argument.
// expected-remark @below {{not searched: 'exp' computes a number of numbers alone}}
func.func @constant(%x: tensor<4x4xf32>) -> tensor<f32> {
  %c = mirage.constant 2.0 : tensor<f32>
  %e = mirage_kernel.exp %c : (tensor<f32>) -> tensor<f32>
  %s = mirage_kernel.sqrt %e : (tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// What a graph can't compute isn't looked for in vain.
// CHECK-LABEL: func.func @number(
// CHECK: mirage_kernel.sqrt
// expected-remark @below {{not searched: 'sqrt' computes a number of numbers alone}}
func.func @number(%x: tensor<64x1024xf16>, %w: tensor<1024x512xf16>) -> tensor<64x512xf16> {
  %t = mirage.constant 2.0 : tensor<f32>
  %r = mirage_kernel.sqrt %t : (tensor<f32>) -> tensor<f32>
  %d = mirage_kernel.div %x, %r : (tensor<64x1024xf16>, tensor<f32>) -> tensor<64x1024xf16>
  %e = mirage_kernel.exp %d : (tensor<64x1024xf16>) -> tensor<64x1024xf16>
  %m = mirage_kernel.matmul %e, %w : (tensor<64x1024xf16>, tensor<1024x512xf16>) -> tensor<64x512xf16>
  return %m : tensor<64x512xf16>
}
