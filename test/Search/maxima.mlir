// Not every maximum calls for a rescaled sum.

// RUN: mirage-opt %s --split-input-file --mirage-superoptimize="threads=2" | FileCheck %s

// A maximum over another dimension than the loop's: each element has its own, and plain sums are right.
// CHECK-LABEL: func.func @columns(
// CHECK-NEXT: mirage_kernel.graph_defined(
// CHECK: mirage_block.loop
// CHECK: mirage_block.exp
// CHECK: mirage_block.accumulate sum
// CHECK: func.func private
func.func @columns(%x: tensor<264x16x4096xf32>) -> tensor<264x16x1xf32> {
  %m = mirage_kernel.reduce_max %x dim 1 : (tensor<264x16x4096xf32>) -> tensor<264x1x4096xf32>
  %d = mirage_kernel.sub %x, %m : (tensor<264x16x4096xf32>, tensor<264x1x4096xf32>) -> tensor<264x16x4096xf32>
  %e = mirage_kernel.exp %d : (tensor<264x16x4096xf32>) -> tensor<264x16x4096xf32>
  %s = mirage_kernel.sum %e dim 2 : (tensor<264x16x4096xf32>) -> tensor<264x16x1xf32>
  return %s : tensor<264x16x1xf32>
}

// -----

// A second maximum, which no exponential is relative to.
// CHECK-LABEL: func.func @weights(
// CHECK: mirage_block.accumulate rescaled_sum
// CHECK: func.func private
func.func @weights(%x: tensor<64x16384xf32>, %z: tensor<16384x32xf32>) -> tensor<64x1xf32> {
  %m = mirage_kernel.reduce_max %x dim 1 : (tensor<64x16384xf32>) -> tensor<64x1xf32>
  %d = mirage_kernel.sub %x, %m : (tensor<64x16384xf32>, tensor<64x1xf32>) -> tensor<64x16384xf32>
  %e = mirage_kernel.exp %d : (tensor<64x16384xf32>) -> tensor<64x16384xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<64x16384xf32>) -> tensor<64x1xf32>
  %r = mirage_kernel.reduce_max %z dim 1 : (tensor<16384x32xf32>) -> tensor<16384x1xf32>
  %o = mirage_kernel.matmul %e, %r : (tensor<64x16384xf32>, tensor<16384x1xf32>) -> tensor<64x1xf32>
  %y = mirage_kernel.div %o, %s : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x1xf32>
  return %y : tensor<64x1xf32>
}

// -----

// Attention with a sink for each head, which the maximum takes part in: exp(s - n) is exp(s - m) exp(m - n), so that keys and
// values are split, and the sink meets the rest in the kernel that combines them.
// CHECK-LABEL: func.func @sinks(
// CHECK-NEXT: %[[PARTS:.*]]:3 = mirage_kernel.graph_defined(%arg0, %arg1, %arg2)
// CHECK: mirage_block.reduce_max
// CHECK: mirage_block.exp
// CHECK: mirage_kernel.graph_defined(%arg3, %[[PARTS]]#0, %[[PARTS]]#1, %[[PARTS]]#2)
// CHECK: mirage_block.max
// CHECK: func.func private
func.func @sinks(%q: tensor<8x16x64xf16>, %k: tensor<8x64x8192xf16>, %v: tensor<8x8192x64xf16>, %sink: tensor<8x1x1xf16>) -> tensor<8x16x64xf16> {
  %s = mirage_kernel.matmul %q, %k : (tensor<8x16x64xf16>, tensor<8x64x8192xf16>) -> tensor<8x16x8192xf32>
  %m = mirage_kernel.reduce_max %s dim 2 : (tensor<8x16x8192xf32>) -> tensor<8x16x1xf32>
  %n = mirage_kernel.max %m, %sink : (tensor<8x16x1xf32>, tensor<8x1x1xf16>) -> tensor<8x16x1xf32>
  %d = mirage_kernel.sub %s, %n : (tensor<8x16x8192xf32>, tensor<8x16x1xf32>) -> tensor<8x16x8192xf32>
  %e = mirage_kernel.exp %d : (tensor<8x16x8192xf32>) -> tensor<8x16x8192xf32>
  %t = mirage_kernel.sum %e dim 2 : (tensor<8x16x8192xf32>) -> tensor<8x16x1xf32>
  %f = mirage_kernel.sub %sink, %n : (tensor<8x1x1xf16>, tensor<8x16x1xf32>) -> tensor<8x16x1xf32>
  %g = mirage_kernel.exp %f : (tensor<8x16x1xf32>) -> tensor<8x16x1xf32>
  %h = mirage_kernel.add %t, %g : (tensor<8x16x1xf32>, tensor<8x16x1xf32>) -> tensor<8x16x1xf32>
  %p = mirage_kernel.div %e, %h : (tensor<8x16x8192xf32>, tensor<8x16x1xf32>) -> tensor<8x16x8192xf16>
  %o = mirage_kernel.matmul %p, %v : (tensor<8x16x8192xf16>, tensor<8x8192x64xf16>) -> tensor<8x16x64xf16>
  return %o : tensor<8x16x64xf16>
}

// -----

// One more than the sum, and zero beside the maximum ("softmax off by one").
// CHECK-LABEL: func.func @off_by_one(
// CHECK: mirage_block.accumulate max %{{.*}}, rescaled_sum
// CHECK: func.func private
func.func @off_by_one(%x: tensor<264x65536xf16>) -> tensor<264x1xf32> {
  %m = mirage_kernel.reduce_max %x dim 1 : (tensor<264x65536xf16>) -> tensor<264x1xf32>
  %n = mirage_kernel.relu %m : (tensor<264x1xf32>) -> tensor<264x1xf32>
  %d = mirage_kernel.sub %x, %n : (tensor<264x65536xf16>, tensor<264x1xf32>) -> tensor<264x65536xf32>
  %e = mirage_kernel.exp %d : (tensor<264x65536xf32>) -> tensor<264x65536xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<264x65536xf32>) -> tensor<264x1xf32>
  %z = mirage_kernel.neg %n : (tensor<264x1xf32>) -> tensor<264x1xf32>
  %f = mirage_kernel.exp %z : (tensor<264x1xf32>) -> tensor<264x1xf32>
  %t = mirage_kernel.add %s, %f : (tensor<264x1xf32>, tensor<264x1xf32>) -> tensor<264x1xf32>
  return %t : tensor<264x1xf32>
}

// -----

// Functions of one tensor are searched in one piece first, but for exponentials that have to be made safe.
// CHECK-LABEL: func.func @scaled_and_shifted(
// CHECK: mirage_block.reduce_max
// CHECK: mirage_block.accumulate rescaled_sum
// CHECK: func.func private
func.func @scaled_and_shifted(%q: tensor<64x64xf16>, %k: tensor<64x4096xf16>, %v: tensor<4096x64xf16>) -> tensor<64x64xf16> {
  %scale = mirage.constant 0.125 : tensor<f32>
  %shift = mirage.constant 1.5 : tensor<f32>
  %a = mirage_kernel.matmul %q, %k : (tensor<64x64xf16>, tensor<64x4096xf16>) -> tensor<64x4096xf16>
  %b = mirage_kernel.mul %a, %scale : (tensor<64x4096xf16>, tensor<f32>) -> tensor<64x4096xf32>
  %c = mirage_kernel.sub %b, %shift : (tensor<64x4096xf32>, tensor<f32>) -> tensor<64x4096xf32>
  %e = mirage_kernel.exp %c : (tensor<64x4096xf32>) -> tensor<64x4096xf16>
  %s = mirage_kernel.sum %e dim 1 : (tensor<64x4096xf16>) -> tensor<64x1xf32>
  %o = mirage_kernel.matmul %e, %v : (tensor<64x4096xf16>, tensor<4096x64xf16>) -> tensor<64x64xf32>
  %y = mirage_kernel.div %o, %s : (tensor<64x64xf32>, tensor<64x1xf32>) -> tensor<64x64xf16>
  return %y : tensor<64x64xf16>
}

// -----

// An exponential of another one isn't relative to a maximum: nothing divides by a sum.
// CHECK-LABEL: func.func @nested(
// CHECK-NEXT: mirage_kernel.graph_defined(
// CHECK-NOT: reduce_max
// CHECK: mirage_block.exp
// CHECK-NOT: mirage_kernel.graph_defined(
// CHECK: func.func private
func.func @nested(%x: tensor<1024x1024xf16>, %a: tensor<1024x1024xf16>) -> tensor<1024x1024xf16> {
  %e = mirage_kernel.exp %a : (tensor<1024x1024xf16>) -> tensor<1024x1024xf32>
  %n = mirage_kernel.neg %e : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %m = mirage_kernel.mul %x, %n : (tensor<1024x1024xf16>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %y = mirage_kernel.exp %m : (tensor<1024x1024xf32>) -> tensor<1024x1024xf16>
  return %y : tensor<1024x1024xf16>
}

// -----

// That of a softmax of one is.
// CHECK-LABEL: func.func @softmax_of_exponentials(
// CHECK: mirage_block.reduce_max
// CHECK: mirage_block.accumulate {{.*}}rescaled_sum
// CHECK: func.func private
func.func @softmax_of_exponentials(%x: tensor<64x16384xf32>) -> tensor<64x1xf32> {
  %a = mirage_kernel.exp %x : (tensor<64x16384xf32>) -> tensor<64x16384xf32>
  %e = mirage_kernel.exp %a : (tensor<64x16384xf32>) -> tensor<64x16384xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<64x16384xf32>) -> tensor<64x1xf32>
  %p = mirage_kernel.mul %e, %x : (tensor<64x16384xf32>, tensor<64x16384xf32>) -> tensor<64x16384xf32>
  %o = mirage_kernel.sum %p dim 1 : (tensor<64x16384xf32>) -> tensor<64x1xf32>
  %y = mirage_kernel.div %o, %s : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x1xf32>
  return %y : tensor<64x1xf32>
}

// -----

// Iterations may have maxima of parts of a dimension, of which the maximum is taken behind the loop.
// CHECK-LABEL: func.func @relative(
// CHECK-NEXT: mirage_kernel.graph_defined(
// CHECK: mirage_block.loop
// CHECK-NEXT: %[[X:.*]] = mirage_block.input_iterator
// CHECK-NEXT: mirage_block.accumulate max %[[X]]
// CHECK: mirage_block.reduce_max
// CHECK: func.func private
func.func @relative(%x: tensor<64x1024xf32>, %r: tensor<64x1xf32>) -> tensor<64x1024xf32> {
  %m = mirage_kernel.reduce_max %x dim 1 : (tensor<64x1024xf32>) -> tensor<64x1xf32>
  %s = mirage_kernel.sub %m, %r : (tensor<64x1xf32>, tensor<64x1xf32>) -> tensor<64x1xf32>
  %d = mirage_kernel.sub %x, %s : (tensor<64x1024xf32>, tensor<64x1xf32>) -> tensor<64x1024xf32>
  return %d : tensor<64x1024xf32>
}
