// RUN: mirage-opt --tosa-to-mirage -verify-diagnostics %s | FileCheck %s
// The same, pass by pass.
// RUN: mirage-opt --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor,convert-linalg-to-mirage))' %s | FileCheck %s

// TOSA's operators as kernel-level ones, by way of MLIR's lowering to linalg.

// CHECK-LABEL: func.func @matmul(
// CHECK-NEXT:    mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<2x4x8xf16>, tensor<2x8x6xf16>) -> tensor<2x4x6xf32>
// CHECK-NEXT:    return
func.func @matmul(%a: tensor<2x4x8xf16>, %b: tensor<2x8x6xf16>) -> tensor<2x4x6xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf16>} : () -> tensor<1xf16>
  %r = tosa.matmul %a, %b, %z, %z : (tensor<2x4x8xf16>, tensor<2x8x6xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<2x4x6xf32>
  return %r : tensor<2x4x6xf32>
}

// CHECK-LABEL: func.func @conv2d(
// CHECK-SAME:    %[[X:.*]]: tensor<1x5x5x4xf32>, %[[W:.*]]: tensor<8x3x3x4xf32>, %[[B:.*]]: tensor<8xf32>)
// CHECK-NEXT:    %[[T:.*]] = mirage_kernel.transpose %[[W]] permutation [1, 2, 3, 0]
// CHECK-NEXT:    %[[C:.*]] = mirage_kernel.conv_2d %[[X]], %[[T]] strides [2, 2] padding [1, 1, 1, 1]
// CHECK-NEXT:    %[[R:.*]] = mirage_kernel.add %[[C]], %[[B]] : (tensor<1x3x3x8xf32>, tensor<8xf32>) -> tensor<1x3x3x8xf32>
// CHECK-NEXT:    return %[[R]]
func.func @conv2d(%x: tensor<1x5x5x4xf32>, %w: tensor<8x3x3x4xf32>, %b: tensor<8xf32>) -> tensor<1x3x3x8xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 2, 2>, dilation = array<i64: 1, 1>}
      : (tensor<1x5x5x4xf32>, tensor<8x3x3x4xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x8xf32>
  return %r : tensor<1x3x3x8xf32>
}

// CHECK-LABEL: func.func @binary(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<1x8xf32>)
// CHECK-NEXT:    %[[ADD:.*]] = mirage_kernel.add %[[X]], %[[Y]]
// CHECK-NEXT:    %[[SUB:.*]] = mirage_kernel.sub %[[ADD]], %[[X]]
// CHECK-NEXT:    %[[MUL:.*]] = mirage_kernel.mul %[[SUB]], %[[Y]]
// CHECK-NEXT:    %[[MAX:.*]] = mirage_kernel.max %[[MUL]], %[[Y]]
// CHECK-NEXT:    %[[MIN:.*]] = mirage_kernel.min %[[MAX]], %[[X]]
// CHECK-NEXT:    return %[[MIN]]
func.func @binary(%x: tensor<4x8xf32>, %y: tensor<1x8xf32>) -> tensor<4x8xf32> {
  %shift = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %0 = tosa.add %x, %y : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %1 = tosa.sub %0, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = tosa.mul %1, %y, %shift : (tensor<4x8xf32>, tensor<1x8xf32>, tensor<1xi8>) -> tensor<4x8xf32>
  %3 = tosa.maximum %2, %y {nan_mode = IGNORE} : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  %4 = tosa.minimum %3, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @unary(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>)
// CHECK-DAG:     %[[NEG:.*]] = mirage_kernel.neg %[[X]]
// CHECK-DAG:     %[[EXP:.*]] = mirage_kernel.exp %[[NEG]]
// CHECK-DAG:     %[[LOG:.*]] = mirage_kernel.log %[[EXP]]
// CHECK-DAG:     %[[SIGMOID:.*]] = mirage_kernel.sigmoid %[[LOG]]
// CHECK-DAG:     %[[TANH:.*]] = mirage_kernel.tanh %[[SIGMOID]]
// CHECK-DAG:     %[[ERF:.*]] = mirage_kernel.erf %[[TANH]]
// CHECK-DAG:     %[[RSQRT:.*]] = mirage_kernel.rsqrt %[[ERF]]
// CHECK-DAG:     %[[ONE:.*]] = mirage.constant 1.000000e+00
// CHECK-DAG:     %[[RECIPROCAL:.*]] = mirage_kernel.div %[[ONE]], %[[RSQRT]]
// CHECK-DAG:     %[[MINUS:.*]] = mirage_kernel.neg %[[RECIPROCAL]]
// CHECK-DAG:     %[[ABS:.*]] = mirage_kernel.max %[[RECIPROCAL]], %[[MINUS]]
// CHECK:         return %[[ABS]]
func.func @unary(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.negate %x, %z, %z : (tensor<4x8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x8xf32>
  %1 = tosa.exp %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = tosa.log %1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = tosa.sigmoid %2 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = tosa.tanh %3 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = tosa.erf %4 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %6 = tosa.rsqrt %5 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %7 = tosa.reciprocal %6 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %8 = tosa.abs %7 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %8 : tensor<4x8xf32>
}

// With bounds that are the type's own, a clamp is a relu.

// CHECK-LABEL: func.func @bounds(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT:    %[[CLAMP:.*]] = mirage_kernel.clamp %[[X]] from -1.000000e+00 to 2.000000e+00
// CHECK-NEXT:    %[[RELU:.*]] = mirage_kernel.relu %[[X]]
// CHECK-NEXT:    %[[RELU6:.*]] = mirage_kernel.clamp %[[X]] from 0.000000e+00 to 6.000000e+00
// CHECK-NEXT:    return %[[CLAMP]], %[[RELU]], %[[RELU6]]
func.func @bounds(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = tosa.clamp %x {min_val = -1.0 : f32, max_val = 2.0 : f32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = tosa.clamp %x {min_val = 0.0 : f32, max_val = 3.40282347E+38 : f32} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = tosa.clamp %x {min_val = 0.0 : f32, max_val = 6.0 : f32, nan_mode = IGNORE} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @pow(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>)
// CHECK-DAG:     %[[CUBE:.*]] = mirage_kernel.pow %[[X]] to 3.000000e+00
// CHECK-DAG:     %[[SQR:.*]] = mirage_kernel.sqr %[[X]]
// CHECK:         return %[[CUBE]], %[[SQR]]
func.func @pow(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %three = "tosa.const"() {values = dense<3.0> : tensor<1x1xf32>} : () -> tensor<1x1xf32>
  %two = "tosa.const"() {values = dense<2.0> : tensor<4x8xf32>} : () -> tensor<4x8xf32>
  %0 = tosa.pow %x, %three : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %1 = tosa.pow %x, %two : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @reductions(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>)
// CHECK-DAG:     %[[MAX:.*]] = mirage_kernel.reduce_max %[[X]] dim 1 : (tensor<4x8xf32>) -> tensor<4x1xf32>
// CHECK-DAG:     %[[SUM:.*]] = mirage_kernel.sum %[[X]] dim 0 : (tensor<4x8xf32>) -> tensor<1x8xf32>
// CHECK-DAG:     %[[NEG:.*]] = mirage_kernel.neg %[[X]]
// CHECK-DAG:     %[[NEGMIN:.*]] = mirage_kernel.reduce_max %[[NEG]] dim 1
// CHECK-DAG:     %[[MIN:.*]] = mirage_kernel.neg %[[NEGMIN]]
// CHECK:         return %[[MAX]], %[[SUM]], %[[MIN]]
func.func @reductions(%x: tensor<4x8xf32>) -> (tensor<4x1xf32>, tensor<1x8xf32>, tensor<4x1xf32>) {
  %0 = tosa.reduce_max %x {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %1 = tosa.reduce_sum %x {axis = 0 : i32} : (tensor<4x8xf32>) -> tensor<1x8xf32>
  %2 = tosa.reduce_min %x {axis = 1 : i32} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  return %0, %1, %2 : tensor<4x1xf32>, tensor<1x8xf32>, tensor<4x1xf32>
}

// CHECK-LABEL: func.func @movements(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4x2xf32>)
// CHECK-DAG:     %[[TRANSPOSE:.*]] = mirage_kernel.transpose %[[X]] permutation [1, 0]
// CHECK-DAG:     %[[RESHAPE:.*]] = mirage_kernel.reshape %[[X]] : (tensor<4x8xf32>) -> tensor<2x16xf32>
// CHECK-DAG:     %[[CONCAT:.*]] = mirage_kernel.concat %[[X]], %[[Y]] dim 1 : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
// CHECK-DAG:     %[[ROWS:.*]] = mirage_kernel.repeat %[[X]] dim 0 times 3 : (tensor<4x8xf32>) -> tensor<12x8xf32>
// CHECK-DAG:     %[[TILE:.*]] = mirage_kernel.repeat %[[ROWS]] dim 1 times 2 : (tensor<12x8xf32>) -> tensor<12x16xf32>
// CHECK-DAG:     %[[CAST:.*]] = mirage_kernel.cast %[[X]] : (tensor<4x8xf32>) -> tensor<4x8xbf16>
// CHECK:         return %[[TRANSPOSE]], %[[RESHAPE]], %[[CONCAT]], %[[TILE]], %[[CAST]]
func.func @movements(%x: tensor<4x8xf32>, %y: tensor<4x2xf32>)
    -> (tensor<8x4xf32>, tensor<2x16xf32>, tensor<4x10xf32>, tensor<12x16xf32>, tensor<4x8xbf16>) {
  %shape = tosa.const_shape {values = dense<[2, 16]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %times = tosa.const_shape {values = dense<[3, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %0 = tosa.transpose %x {perms = array<i32: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %1 = tosa.reshape %x, %shape : (tensor<4x8xf32>, !tosa.shape<2>) -> tensor<2x16xf32>
  %2 = tosa.concat %x, %y {axis = 1 : i32} : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
  %3 = tosa.tile %x, %times : (tensor<4x8xf32>, !tosa.shape<2>) -> tensor<12x16xf32>
  %4 = tosa.cast %x : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  return %0, %1, %2, %3, %4 : tensor<8x4xf32>, tensor<2x16xf32>, tensor<4x10xf32>, tensor<12x16xf32>, tensor<4x8xbf16>
}
