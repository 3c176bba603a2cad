// RUN: mirage-opt --verify-diagnostics --mirage-select=profile=host %s -o /dev/null

// A candidate that computes something else than its reference has no time; the others are ranked.

// expected-remark @below {{kept 'f_candidate_1' of 2 candidates}}
// expected-remark @below {{has no time: it computes something else: the relative error of output 0 is}}
func.func @f(%x: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {mirage.reference = @g} {
  %y = mirage_kernel.exp %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
func.func @f_candidate_1(%x: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {mirage.reference = @g, mirage.verdict = {verdict = "proved"}} {
  %y = mirage_kernel.add %x, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
func.func private @g(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = mirage_kernel.add %x, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
