// A program for each family of operators that the import knows.

func.func @activations(%x: tensor<8x16xf16>, %w: tensor<32x16xf16>) -> tensor<8x32xf16> {
  %zero = arith.constant dense<0.0> : tensor<8x32xf32>
  %e = tensor.empty() : tensor<8x32xf16>
  %p = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] ins(%x, %w : tensor<8x16xf16>, tensor<32x16xf16>) outs(%zero : tensor<8x32xf32>) -> tensor<8x32xf32>
  %r = linalg.map ins(%p : tensor<8x32xf32>) outs(%e : tensor<8x32xf16>) (%a: f32, %out: f16) {
    %z = arith.constant 0.0 : f32
    %six = arith.constant 6.0 : f32
    %0 = arith.maximumf %a, %z : f32
    %1 = arith.minimumf %0, %six : f32
    %2 = math.tanh %1 : f32
    %3 = math.erf %a : f32
    %4 = arith.addf %2, %3 : f32
    %5 = math.absf %4 : f32
    %t = arith.truncf %5 : f32 to f16
    linalg.yield %t : f16
  }
  return %r : tensor<8x32xf16>
}

func.func @softmax(%x: tensor<8x16xf16>) -> tensor<8x16xf16> {
  %e = tensor.empty() : tensor<8x16xf16>
  %r = linalg.softmax dimension(1) ins(%x : tensor<8x16xf16>) outs(%e : tensor<8x16xf16>) -> tensor<8x16xf16>
  return %r : tensor<8x16xf16>
}

func.func @convolution(%x: tensor<1x6x6x4xf16>, %w: tensor<8x3x3x4xf16>, %b: tensor<8xf16>) -> tensor<1x3x3x8xf16> {
  %zero = arith.constant 0.0 : f16
  %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f16
  } : tensor<1x6x6x4xf16> to tensor<1x8x8x4xf16>
  %e = tensor.empty() : tensor<1x3x3x8xf16>
  %init = linalg.broadcast ins(%b : tensor<8xf16>) outs(%e : tensor<1x3x3x8xf16>) dimensions = [0, 1, 2]
  %r = linalg.conv_2d_nhwc_fhwc {strides = dense<2> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
      ins(%p, %w : tensor<1x8x8x4xf16>, tensor<8x3x3x4xf16>) outs(%init : tensor<1x3x3x8xf16>) -> tensor<1x3x3x8xf16>
  return %r : tensor<1x3x3x8xf16>
}

func.func @movements(%x: tensor<4x8xf16>, %y: tensor<8x2xf16>) -> tensor<24x10xf16> {
  %e0 = tensor.empty() : tensor<8x4xf16>
  %e1 = tensor.empty() : tensor<3x8x6xf16>
  %t = linalg.transpose ins(%x : tensor<4x8xf16>) outs(%e0 : tensor<8x4xf16>) permutation = [1, 0]
  %c = tensor.concat dim(1) %t, %y : (tensor<8x4xf16>, tensor<8x2xf16>) -> tensor<8x6xf16>
  %b = linalg.broadcast ins(%c : tensor<8x6xf16>) outs(%e1 : tensor<3x8x6xf16>) dimensions = [0]
  %r = tensor.collapse_shape %b [[0, 1], [2]] : tensor<3x8x6xf16> into tensor<24x6xf16>
  %one = arith.constant 1.0 : f16
  %p = tensor.pad %r low[0, 1] high[0, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f16
  } : tensor<24x6xf16> to tensor<24x10xf16>
  return %p : tensor<24x10xf16>
}

func.func @groups(%x: tensor<4x24xf16>) -> tensor<4x3xf16> {
  %zero = arith.constant dense<0.0> : tensor<4x3xf16>
  %g = tensor.expand_shape %x [[0], [1, 2]] output_shape [4, 3, 8] : tensor<4x24xf16> into tensor<4x3x8xf16>
  %r = linalg.reduce { arith.addf } ins(%g : tensor<4x3x8xf16>) outs(%zero : tensor<4x3xf16>) dimensions = [2]
  return %r : tensor<4x3xf16>
}
