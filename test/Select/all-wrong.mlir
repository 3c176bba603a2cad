// RUN: mirage-opt --verify-diagnostics --mirage-select=profile=host %s

// What computes something else than its reference has no time.

// expected-error @below {{no candidate could be measured; of 'f': it computes something else: the relative error of output 0 is}}
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {mirage.reference = @g} {
  %y = mirage_kernel.exp %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
func.func @f_candidate_1(%x: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {mirage.reference = @g} {
  %z = mirage_kernel.exp %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = mirage_kernel.exp %z : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
func.func private @g(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = mirage_kernel.add %x, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
