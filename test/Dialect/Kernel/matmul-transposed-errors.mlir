// RUN: mirage-opt --split-input-file --verify-diagnostics %s

func.func @depth(%x: tensor<4x8xf16>, %w: tensor<8x4xf16>) {
  // expected-error @below {{'mirage_kernel.matmul_transposed' op the last dimensions of 4x8 and 8x4 differ}}
  %0 = mirage_kernel.matmul_transposed %x, %w : (tensor<4x8xf16>, tensor<8x4xf16>) -> tensor<4x8xf16>
  return
}

// -----

func.func @rank_1(%x: tensor<8xf16>) {
  // expected-error @below {{op expected operands of one rank, at least 2, found 8 and 8}}
  %0 = mirage_kernel.matmul_transposed %x, %x : (tensor<8xf16>, tensor<8xf16>) -> tensor<f16>
  return
}

// -----

func.func @ranks(%x: tensor<4x8xf16>, %w: tensor<8xf16>) {
  // expected-error @below {{op expected operands of one rank, at least 2, found 4x8 and 8}}
  %0 = mirage_kernel.matmul_transposed %x, %w : (tensor<4x8xf16>, tensor<8xf16>) -> tensor<4xf16>
  return
}

// -----

func.func @batches(%x: tensor<2x4x8xf16>, %w: tensor<3x4x8xf16>) {
  // expected-error @below {{op batch dimension 0 differs between 2x4x8 and 3x8x4}}
  %0 = mirage_kernel.matmul_transposed %x, %w : (tensor<2x4x8xf16>, tensor<3x4x8xf16>) -> tensor<2x4x4xf16>
  return
}

// -----

func.func @depth_of_lhs(%x: tensor<4x8xf16>, %w: tensor<8x4xf16>) {
  // expected-error @below {{'mirage_kernel.matmul_transposed_lhs' op the dimensions before the last of 4x8 and 8x4 differ}}
  %0 = mirage_kernel.matmul_transposed_lhs %x, %w : (tensor<4x8xf16>, tensor<8x4xf16>) -> tensor<8x4xf16>
  return
}

// -----

func.func @rank_1_of_lhs(%x: tensor<8xf16>) {
  // expected-error @below {{op expected operands of one rank, at least 2, found 8 and 8}}
  %0 = mirage_kernel.matmul_transposed_lhs %x, %x : (tensor<8xf16>, tensor<8xf16>) -> tensor<f16>
  return
}

// -----

func.func @batches_of_lhs(%x: tensor<2x4x8xf16>, %w: tensor<3x4x8xf16>) {
  // expected-error @below {{op batch dimension 0 differs between 2x8x4 and 3x4x8}}
  %0 = mirage_kernel.matmul_transposed_lhs %x, %w : (tensor<2x4x8xf16>, tensor<3x4x8xf16>) -> tensor<2x8x8xf16>
  return
}

// -----

// Tiles are transposed, which takes nothing.
func.func @block(%x: !mirage.tile<4x8xf16>) {
  // expected-error @below {{unregistered operation 'mirage_block.matmul_transposed' found in dialect ('mirage_block') that does not allow unknown operations}}
  %0 = "mirage_block.matmul_transposed"(%x, %x) : (!mirage.tile<4x8xf16>, !mirage.tile<4x8xf16>) -> !mirage.tile<4x4xf16>
  return
}
