// Errors of the operators that kernel and block graphs have, the same at both
// levels. C1: the operands are what the operator accepts. C2: the result is what
// they imply.

// RUN: mirage-opt --split-input-file --verify-diagnostics %s
// RUN: sed -e 's/mirage_kernel/mirage_block/g' -e 's/tensor</!mirage.tile</g' %s > %t.mlir
// RUN: mirage-opt --split-input-file --verify-diagnostics %t.mlir

func.func @matmul_C1_rank_1(%x: tensor<8xf16>) {
  // expected-error @below {{'mirage_kernel.matmul' op expected operands of one rank, at least 2, found 8 and 8}}
  %0 = mirage_kernel.matmul %x, %x : (tensor<8xf16>, tensor<8xf16>) -> tensor<f16>
  return
}

// -----

func.func @matmul_C1_ranks(%x: tensor<4x8xf16>, %y: tensor<1x8x4xf16>) {
  // expected-error @below {{op expected operands of one rank, at least 2, found 4x8 and 1x8x4}}
  %0 = mirage_kernel.matmul %x, %y : (tensor<4x8xf16>, tensor<1x8x4xf16>) -> tensor<1x4x4xf16>
  return
}

// -----

func.func @matmul_C1_depth(%x: tensor<4x8xf16>) {
  // expected-error @below {{op the last dimension of 4x8 is not the one before the last of 4x8}}
  %0 = mirage_kernel.matmul %x, %x : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @matmul_C1_batch(%x: tensor<2x4x8xf16>, %y: tensor<3x8x4xf16>) {
  // expected-error @below {{op batch dimension 0 differs between 2x4x8 and 3x8x4}}
  %0 = mirage_kernel.matmul %x, %y : (tensor<2x4x8xf16>, tensor<3x8x4xf16>) -> tensor<2x4x4xf16>
  return
}

// -----

func.func @concat_matmul_C1_first(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.concat_matmul' op the last dimension of 4x8 is not the one before the last of 4x8}}
  %0 = mirage_kernel.concat_matmul %x, %x, %x, %x : (tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @concat_matmul_C1_second(%x: tensor<4x8xf16>, %y: tensor<8x4xf16>) {
  // expected-error @below {{'mirage_kernel.concat_matmul' op the last dimension of 4x8 is not the one before the last of 4x8}}
  %0 = mirage_kernel.concat_matmul %x, %x, %y, %x : (tensor<4x8xf16>, tensor<4x8xf16>, tensor<8x4xf16>, tensor<4x8xf16>) -> tensor<4x4xf16>
  return
}

// -----

func.func @concat_matmul_C1_products(%x: tensor<4x8xf16>, %y: tensor<8x4xf16>, %z: tensor<8x2xf16>) {
  // expected-error @below {{'mirage_kernel.concat_matmul' op the two products have shapes 4x4 and 4x2}}
  %0 = mirage_kernel.concat_matmul %x, %x, %y, %z : (tensor<4x8xf16>, tensor<4x8xf16>, tensor<8x4xf16>, tensor<8x2xf16>) -> tensor<4x4xf16>
  return
}

// -----

func.func @concat_matmul_C2(%x: tensor<4x8xf16>, %y: tensor<8x2xf16>) {
  // expected-error @below {{'mirage_kernel.concat_matmul' op has a result of shape 2x4, but its operands give 4x2}}
  %0 = mirage_kernel.concat_matmul %x, %x, %y, %y : (tensor<4x8xf16>, tensor<4x8xf16>, tensor<8x2xf16>, tensor<8x2xf16>) -> tensor<2x4xf16>
  return
}

// -----

func.func @sum_C1_dim(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.sum' op dimension 2 of 4x8 doesn't exist}}
  %0 = mirage_kernel.sum %x dim 2 : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @sum_C1_negative(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.sum' op dimension -1 of 4x8 doesn't exist}}
  %0 = mirage_kernel.sum %x dim -1 : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @sum_C1_scalar(%x: tensor<f16>) {
  // expected-error @below {{'mirage_kernel.sum' op dimension 0 of scalar doesn't exist}}
  %0 = mirage_kernel.sum %x dim 0 : (tensor<f16>) -> tensor<f16>
  return
}

// -----

func.func @sum_C1_size(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.sum' op sums of 3 elements don't divide the 8 of dimension 1}}
  %0 = mirage_kernel.sum %x dim 1 size 3 : (tensor<4x8xf16>) -> tensor<4x2xf16>
  return
}

// -----

func.func @sum_C1_size_0(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.sum' op sums of 0 elements don't divide the 8 of dimension 1}}
  %0 = mirage_kernel.sum %x dim 1 size 0 : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @sum_C1_size_of_more(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.sum' op sums of 9223372036854775807 elements don't divide the 8 of dimension 1}}
  %0 = mirage_kernel.sum %x dim 1 size 9223372036854775807 : (tensor<4x8xf16>) -> tensor<4x1xf16>
  return
}

// -----

func.func @sum_C2_size(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.sum' op has a result of shape 4x1, but its operands give 4x2}}
  %0 = mirage_kernel.sum %x dim 1 size 4 : (tensor<4x8xf16>) -> tensor<4x1xf16>
  return
}

// -----

func.func @sum_size_type(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.sum' op attribute 'size' failed to satisfy constraint: 64-bit signless integer attribute}}
  %0 = "mirage_kernel.sum"(%x) {dim = 1 : i64, size = 2 : i32} : (tensor<4x8xf16>) -> tensor<4x4xf16>
  return
}

// -----

func.func @reduce_max_without_dim(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.reduce_max' op requires attribute 'dim'}}
  %0 = "mirage_kernel.reduce_max"(%x) : (tensor<4x8xf16>) -> tensor<4x1xf16>
  return
}

// -----

func.func @reduce_max_C1(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.reduce_max' op dimension 2 of 4x8 doesn't exist}}
  %0 = mirage_kernel.reduce_max %x dim 2 : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @reduce_max_C2(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.reduce_max' op has a result of shape 4, but its operands give 4x1}}
  %0 = mirage_kernel.reduce_max %x dim 1 : (tensor<4x8xf16>) -> tensor<4xf16>
  return
}

// -----

func.func @reshape_C1(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.reshape' op 4x8 and 4x9 have different numbers of elements}}
  %0 = mirage_kernel.reshape %x : (tensor<4x8xf16>) -> tensor<4x9xf16>
  return
}

// -----

func.func @transpose_C1_length(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.transpose' op 'permutation' is not one of the 2 dimensions of 4x8}}
  %0 = mirage_kernel.transpose %x permutation [1, 0, 2] : (tensor<4x8xf16>) -> tensor<8x4xf16>
  return
}

// -----

func.func @transpose_C1_empty(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.transpose' op 'permutation' is not one of the 2 dimensions of 4x8}}
  %0 = mirage_kernel.transpose %x permutation [] : (tensor<4x8xf16>) -> tensor<8x4xf16>
  return
}

// -----

func.func @transpose_C1_twice(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.transpose' op 'permutation' is not one of the 2 dimensions of 4x8}}
  %0 = mirage_kernel.transpose %x permutation [1, 1] : (tensor<4x8xf16>) -> tensor<8x8xf16>
  return
}

// -----

func.func @transpose_C1_out_of_range(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.transpose' op 'permutation' is not one of the 2 dimensions of 4x8}}
  %0 = mirage_kernel.transpose %x permutation [0, -1] : (tensor<4x8xf16>) -> tensor<8x8xf16>
  return
}

// -----

func.func @transpose_C2(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.transpose' op has a result of shape 4x8, but its operands give 8x4}}
  %0 = mirage_kernel.transpose %x permutation [1, 0] : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @transpose_without_permutation(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.transpose' op requires attribute 'permutation'}}
  %0 = "mirage_kernel.transpose"(%x) : (tensor<4x8xf16>) -> tensor<8x4xf16>
  return
}

// -----

func.func @transpose_permutation_type(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.transpose' op attribute 'permutation' failed to satisfy constraint: i64 dense array attribute}}
  %0 = "mirage_kernel.transpose"(%x) {permutation = array<i32: 1, 0>} : (tensor<4x8xf16>) -> tensor<8x4xf16>
  return
}

// -----

func.func @broadcast_C1(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.broadcast' op 4x8 doesn't broadcast to 4x16: dimensions, aligned at the last, must be equal or 1}}
  %0 = mirage_kernel.broadcast %x : (tensor<4x8xf16>) -> tensor<4x16xf16>
  return
}

// -----

// A result that broadcasts to the operand instead.
func.func @broadcast_C1_smaller(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.broadcast' op 4x8 doesn't broadcast to 4x1}}
  %0 = mirage_kernel.broadcast %x : (tensor<4x8xf16>) -> tensor<4x1xf16>
  return
}

// -----

func.func @repeat_C1_dim(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.repeat' op dimension 2 of 4x8 doesn't exist}}
  %0 = mirage_kernel.repeat %x dim 2 times 2 : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @repeat_C1_times(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.repeat' op 'times' must be from 1 to 1048576, found 0}}
  %0 = mirage_kernel.repeat %x dim 0 times 0 : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

// 2^62 times 4 elements overflow to none.
func.func @repeat_C1_overflow(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.repeat' op 'times' must be from 1 to 1048576, found 4611686018427387904}}
  %0 = mirage_kernel.repeat %x dim 0 times 4611686018427387904 : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @repeat_C2(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.repeat' op has a result of shape 4x8, but its operands give 12x8}}
  %0 = mirage_kernel.repeat %x dim 0 times 3 : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @repeat_without_times(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.repeat' op requires attribute 'times'}}
  %0 = "mirage_kernel.repeat"(%x) {dim = 0 : i64} : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @slice_C1_dim(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.slice' op dimension 2 of 4x8 doesn't exist}}
  %0 = mirage_kernel.slice %x dim 2 offset 0 size 4 : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @slice_C1_negative_dim(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.slice' op dimension -1 of 4x8 doesn't exist}}
  %0 = mirage_kernel.slice %x dim -1 offset 0 size 4 : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @slice_C1_offset(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.slice' op dimension 0 of 4x8 has no 1 elements from element 4 on}}
  %0 = mirage_kernel.slice %x dim 0 offset 4 size 1 : (tensor<4x8xf16>) -> tensor<1x8xf16>
  return
}

// -----

func.func @slice_C1_negative_offset(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.slice' op dimension 1 of 4x8 has no 2 elements from element -1 on}}
  %0 = mirage_kernel.slice %x dim 1 offset -1 size 2 : (tensor<4x8xf16>) -> tensor<4x2xf16>
  return
}

// -----

func.func @slice_C1_size(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.slice' op dimension 1 of 4x8 has no 3 elements from element 6 on}}
  %0 = mirage_kernel.slice %x dim 1 offset 6 size 3 : (tensor<4x8xf16>) -> tensor<4x3xf16>
  return
}

// -----

func.func @slice_C1_no_elements(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.slice' op dimension 1 of 4x8 has no 0 elements from element 0 on}}
  %0 = mirage_kernel.slice %x dim 1 offset 0 size 0 : (tensor<4x8xf16>) -> tensor<4x1xf16>
  return
}

// -----

func.func @slice_C1_overflow(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.slice' op dimension 1 of 4x8 has no 9223372036854775807 elements from element 1 on}}
  %0 = mirage_kernel.slice %x dim 1 offset 1 size 9223372036854775807 : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @slice_C2(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.slice' op has a result of shape 4x3, but its operands give 4x2}}
  %0 = mirage_kernel.slice %x dim 1 offset 1 size 2 : (tensor<4x8xf16>) -> tensor<4x3xf16>
  return
}

// -----

func.func @slice_without_size(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.slice' op requires attribute 'size'}}
  %0 = "mirage_kernel.slice"(%x) {dim = 0 : i64, offset = 0 : i64} : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @concat_C1_dim(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.concat' op dimension 2 of 4x8 doesn't exist}}
  %0 = mirage_kernel.concat %x, %x dim 2 : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @concat_C1_shapes(%x: tensor<4x8xf16>, %y: tensor<2x4xf16>) {
  // expected-error @below {{'mirage_kernel.concat' op 4x8 and 2x4 differ outside of dimension 1}}
  %0 = mirage_kernel.concat %x, %y dim 1 : (tensor<4x8xf16>, tensor<2x4xf16>) -> tensor<4x12xf16>
  return
}

// -----

func.func @concat_C1_ranks(%x: tensor<4x8xf16>, %y: tensor<4xf16>) {
  // expected-error @below {{'mirage_kernel.concat' op 4x8 and 4 differ outside of dimension 1}}
  %0 = mirage_kernel.concat %x, %y dim 1 : (tensor<4x8xf16>, tensor<4xf16>) -> tensor<4x9xf16>
  return
}

// -----

func.func @concat_C2(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.concat' op has a result of shape 4x8, but its operands give 4x16}}
  %0 = mirage_kernel.concat %x, %x dim 1 : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @concat_without_dim(%x: tensor<4x8xf16>) {
  // expected-error @below {{'mirage_kernel.concat' op requires attribute 'dim'}}
  %0 = "mirage_kernel.concat"(%x, %x) : (tensor<4x8xf16>, tensor<4x8xf16>) -> tensor<8x8xf16>
  return
}
