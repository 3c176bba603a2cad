// Values are compared at small sizes, of four elements a dimension or more: too many dimensions make even these too large.

// RUN: mirage-opt %s --mirage-superoptimize -verify-diagnostics -o /dev/null

// expected-remark @below {{not searched: an operator takes 16777216 steps at the small sizes at which values are compared, more than 1048576}}
func.func @twelve_dimensions(%x: tensor<2x2x2x2x2x2x2x2x2x2x2x2xf16>) -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf16> {
  %e = mirage_kernel.exp %x : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xf16>) -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf16>
  %r = mirage_kernel.relu %e : (tensor<2x2x2x2x2x2x2x2x2x2x2x2xf16>) -> tensor<2x2x2x2x2x2x2x2x2x2x2x2xf16>
  return %r : tensor<2x2x2x2x2x2x2x2x2x2x2x2xf16>
}
