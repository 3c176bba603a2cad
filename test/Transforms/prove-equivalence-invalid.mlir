// RUN: mirage-opt --mirage-prove-equivalence --split-input-file --verify-diagnostics=only-expected %s

// Refuted, with a counterexample.
func.func private @scores(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>) -> tensor<8x8xf32> {
  %0 = mirage_kernel.transpose %k permutation [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %1 = mirage_kernel.matmul %q, %0 : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
// expected-error @below {{differs from 'scores' at output 0 [0, 1], on the random input of seed 1}}
func.func @transposed(%q: tensor<8x4xf32>, %k: tensor<8x4xf32>) -> tensor<8x8xf32> attributes {mirage.reference = @scores} {
  %0 = mirage_kernel.transpose %q permutation [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %1 = mirage_kernel.matmul %k, %0 : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// -----

// Equal where both are defined, and not everywhere: no proof.
func.func private @same(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mirage_kernel.cast %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-error @below {{differs from 'same'}}
func.func @root_squared(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.reference = @same} {
  %0 = mirage_kernel.sqrt %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mirage_kernel.sqr %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// expected-error @below {{could not be compared with 'same': no proof: the candidate needs}}
func.func @divided(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.reference = @same} {
  %0 = mirage_kernel.sqr %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mirage_kernel.div %0, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
