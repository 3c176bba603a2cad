// RUN: mirage-opt --split-input-file --verify-diagnostics %s

func.func @C1_rank(%x: tensor<4x8x8xf16>, %w: tensor<3x3x8x2xf16>) {
  // expected-error @below {{'mirage_kernel.conv_2d' op expected an image NxHxWxC and a filter KHxKWxCxF, found 4x8x8 and 3x3x8x2}}
  %0 = mirage_kernel.conv_2d %x, %w strides [1, 1] padding [0, 0, 0, 0] : (tensor<4x8x8xf16>, tensor<3x3x8x2xf16>) -> tensor<4x6x6x2xf16>
  return
}

// -----

func.func @C1_strides(%x: tensor<4x8x8x3xf16>, %w: tensor<3x3x3x2xf16>) {
  // expected-error @below {{'mirage_kernel.conv_2d' op expected 2 'strides' and 4 numbers of 'padding'}}
  %0 = mirage_kernel.conv_2d %x, %w strides [1] padding [0, 0, 0, 0] : (tensor<4x8x8x3xf16>, tensor<3x3x3x2xf16>) -> tensor<4x6x6x2xf16>
  return
}

// -----

// Three strides and three paddings make six, too.
func.func @C1_three(%x: tensor<4x8x8x3xf16>, %w: tensor<3x3x3x2xf16>) {
  // expected-error @below {{'mirage_kernel.conv_2d' op expected 2 'strides' and 4 numbers of 'padding'}}
  %0 = mirage_kernel.conv_2d %x, %w strides [1, 1, 1] padding [0, 0, 0] : (tensor<4x8x8x3xf16>, tensor<3x3x3x2xf16>) -> tensor<4x6x6x2xf16>
  return
}

// -----

func.func @C1_stride_0(%x: tensor<4x8x8x3xf16>, %w: tensor<3x3x3x2xf16>) {
  // expected-error @below {{'mirage_kernel.conv_2d' op a stride must be from 1 to 1048576, found 0}}
  %0 = mirage_kernel.conv_2d %x, %w strides [1, 0] padding [0, 0, 0, 0] : (tensor<4x8x8x3xf16>, tensor<3x3x3x2xf16>) -> tensor<4x6x6x2xf16>
  return
}

// -----

func.func @C1_stride_overflow(%x: tensor<4x8x8x3xf16>, %w: tensor<3x3x3x2xf16>) {
  // expected-error @below {{'mirage_kernel.conv_2d' op a stride must be from 1 to 1048576, found 9223372036854775807}}
  %0 = mirage_kernel.conv_2d %x, %w strides [9223372036854775807, 1] padding [0, 0, 0, 0] : (tensor<4x8x8x3xf16>, tensor<3x3x3x2xf16>) -> tensor<4x1x6x2xf16>
  return
}

// -----

func.func @C1_negative_padding(%x: tensor<4x8x8x3xf16>, %w: tensor<3x3x3x2xf16>) {
  // expected-error @below {{'mirage_kernel.conv_2d' op padding must be from 0 to 1048576, found -1}}
  %0 = mirage_kernel.conv_2d %x, %w strides [1, 1] padding [0, 0, 0, -1] : (tensor<4x8x8x3xf16>, tensor<3x3x3x2xf16>) -> tensor<4x6x5x2xf16>
  return
}

// -----

func.func @C1_padding_overflow(%x: tensor<4x8x8x3xf16>, %w: tensor<3x3x3x2xf16>) {
  // expected-error @below {{'mirage_kernel.conv_2d' op padding must be from 0 to 1048576, found 9223372036854775807}}
  %0 = mirage_kernel.conv_2d %x, %w strides [1, 1] padding [9223372036854775807, 0, 0, 0] : (tensor<4x8x8x3xf16>, tensor<3x3x3x2xf16>) -> tensor<4x6x6x2xf16>
  return
}

// -----

func.func @C1_channels(%x: tensor<4x8x8x3xf16>, %w: tensor<3x3x4x2xf16>) {
  // expected-error @below {{'mirage_kernel.conv_2d' op the image has 3 channels and the filter 4}}
  %0 = mirage_kernel.conv_2d %x, %w strides [1, 1] padding [0, 0, 0, 0] : (tensor<4x8x8x3xf16>, tensor<3x3x4x2xf16>) -> tensor<4x6x6x2xf16>
  return
}

// -----

func.func @C1_filter(%x: tensor<4x8x8x3xf16>, %w: tensor<3x11x3x2xf16>) {
  // expected-error @below {{'mirage_kernel.conv_2d' op the filter, 3x11x3x2, is larger than the padded image, 4x8x8x3}}
  %0 = mirage_kernel.conv_2d %x, %w strides [1, 1] padding [0, 0, 1, 1] : (tensor<4x8x8x3xf16>, tensor<3x11x3x2xf16>) -> tensor<4x6x1x2xf16>
  return
}

// -----

func.func @C1_products(%x: tensor<1x1x1x1xf16>, %w: tensor<1048576x1048576x1x1xf16>) {
  // expected-error @below {{'mirage_kernel.conv_2d' op more than 2^60 products of 1x1x1x1 and 1048576x1048576x1x1}}
  %0 = mirage_kernel.conv_2d %x, %w strides [1, 1] padding [1048576, 524288, 1048576, 524288] : (tensor<1x1x1x1xf16>, tensor<1048576x1048576x1x1xf16>) -> tensor<1x524290x524290x1xf16>
  return
}

// -----

func.func @C2(%x: tensor<4x8x8x3xf16>, %w: tensor<3x3x3x2xf16>) {
  // expected-error @below {{'mirage_kernel.conv_2d' op has a result of shape 4x8x8x2, but its operands give 4x4x6x2}}
  %0 = mirage_kernel.conv_2d %x, %w strides [2, 1] padding [0, 1, 0, 0] : (tensor<4x8x8x3xf16>, tensor<3x3x3x2xf16>) -> tensor<4x8x8x2xf16>
  return
}

// -----

func.func @without_strides(%x: tensor<4x8x8x3xf16>, %w: tensor<3x3x3x2xf16>) {
  // expected-error @below {{'mirage_kernel.conv_2d' op requires attribute 'strides'}}
  %0 = "mirage_kernel.conv_2d"(%x, %w) {padding = array<i64: 0, 0, 0, 0>} : (tensor<4x8x8x3xf16>, tensor<3x3x3x2xf16>) -> tensor<4x6x6x2xf16>
  return
}

// -----

func.func @without_padding(%x: tensor<4x8x8x3xf16>, %w: tensor<3x3x3x2xf16>) {
  // expected-error @below {{'mirage_kernel.conv_2d' op requires attribute 'padding'}}
  %0 = "mirage_kernel.conv_2d"(%x, %w) {strides = array<i64: 1, 1>} : (tensor<4x8x8x3xf16>, tensor<3x3x3x2xf16>) -> tensor<4x6x6x2xf16>
  return
}
