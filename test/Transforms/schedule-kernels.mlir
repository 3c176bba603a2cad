// RUN: mirage-opt --mirage-schedule-kernels=target=sm_90a %s | FileCheck %s

// The rows are few; columns over the grid, k over the loop.
// CHECK-LABEL: func.func @matmul
// CHECK:       mirage_kernel.graph_defined(%{{.*}}) grid <x = [[#]]>
// CHECK:       mirage_block.loop iterations [[#]] -> !mirage.tile<16x[[#N:]]xf32>
// CHECK-NEXT:    mirage_block.input_iterator %{{.*}} imap <x -> replica> fmap <i -> 1>
// CHECK-NEXT:    mirage_block.input_iterator %{{.*}} imap <x -> 1> fmap <i -> 0>
// CHECK-NEXT:    %[[P:.*]] = mirage_block.matmul {{.*}} -> !mirage.tile<16x[[#N]]xf32>
// CHECK-NEXT:    mirage_block.accumulate sum %[[P]]
// CHECK:       mirage_block.output_saver %{{.*}} omap <x -> 1> : !mirage.tile<16x[[#N]]xf32> -> tensor<16x6144xf16>
func.func @matmul(%x: tensor<16x4096xf16>, %w: tensor<4096x6144xf16>) -> tensor<16x6144xf16> {
  %y = mirage_kernel.matmul %x, %w : (tensor<16x4096xf16>, tensor<4096x6144xf16>) -> tensor<16x6144xf16>
  return %y : tensor<16x6144xf16>
}

// Broadcast dimensions are replicas; constants move inside.
// CHECK-LABEL: func.func @broadcast
// CHECK-SAME:    %[[X:.*]]: tensor<64x512xf16>, %[[S:.*]]: tensor<64x1xf16>
// CHECK-NOT:   mirage.constant {{.*}} tensor<
// CHECK:       mirage_kernel.graph_defined(%[[X]], %[[S]]) grid <x = [[#]], y = [[#]]>
// CHECK:         mirage_block.input_iterator %{{.*}} imap <x -> 1, y -> 0> : tensor<64x512xf16>
// CHECK-NEXT:    mirage_block.input_iterator %{{.*}} imap <x -> replica, y -> 0> : tensor<64x1xf16>
// CHECK-NEXT:    mirage_block.add
// CHECK-NEXT:    mirage_block.output_saver %{{.*}} omap <x -> 1, y -> 0>
// CHECK:       mirage_kernel.graph_defined(%{{.*}}) grid
// CHECK:         %[[C:.*]] = mirage.constant 2.500000e-01 : !mirage.tile<f32>
// CHECK-NEXT:    mirage_block.mul %{{.*}}, %[[C]]
func.func @broadcast(%x: tensor<64x512xf16>, %s: tensor<64x1xf16>) -> tensor<64x512xf16> {
  %y = mirage_kernel.add %x, %s : (tensor<64x512xf16>, tensor<64x1xf16>) -> tensor<64x512xf16>
  %c = mirage.constant 0.25 : tensor<f32>
  %z = mirage_kernel.mul %y, %c : (tensor<64x512xf16>, tensor<f32>) -> tensor<64x512xf16>
  return %z : tensor<64x512xf16>
}

// The reduction alone doesn't fit: it is cut by the loop.
// CHECK-LABEL: func.func @sum
// CHECK:       mirage_block.loop iterations [[#]] -> !mirage.tile<1x1xf32>
// CHECK-NEXT:    mirage_block.input_iterator %{{.*}} imap <x -> replica> fmap <i -> 1>
// CHECK-NEXT:    mirage_block.sum %{{.*}} dim 1
// CHECK:       mirage_block.output_saver %{{.*}} omap <x -> replica>
func.func @sum(%x: tensor<1x65536xf32>) -> tensor<1x1xf32> {
  %y = mirage_kernel.sum %x dim 1 : (tensor<1x65536xf32>) -> tensor<1x1xf32>
  return %y : tensor<1x1xf32>
}

// A prime number of rows is cut into tiles that overlap, and so is depth that is one.
// CHECK-LABEL: func.func @prime_rows
// CHECK:       mirage_block.loop iterations 13
// CHECK:       mirage_block.input_iterator %{{.*}} imap <x -> 1, y -> replica, z -> 0> fmap <i -> 2> : tensor<12x197x197xf16> -> !mirage.tile<6x16x16xf16>
// CHECK:       mirage_block.output_saver %{{.*}} omap <x -> 1, y -> 2, z -> 0> : !mirage.tile<6x16x8xf32> -> tensor<12x197x64xf16>
func.func @prime_rows(%x: tensor<12x197x197xf16>, %w: tensor<12x197x64xf16>) -> tensor<12x197x64xf16> {
  %y = mirage_kernel.matmul %x, %w : (tensor<12x197x197xf16>, tensor<12x197x64xf16>) -> tensor<12x197x64xf16>
  return %y : tensor<12x197x64xf16>
}

// CHECK-LABEL: func.func @prime_depth
// CHECK:       mirage_block.loop iterations 16
// CHECK:       mirage_block.input_iterator %{{.*}} fmap <i -> 1> : tensor<64x1009xf16> -> !mirage.tile<{{.*}}x64xf16>
func.func @prime_depth(%x: tensor<64x1009xf16>, %w: tensor<1009x4096xf16>) -> tensor<64x4096xf16> {
  %y = mirage_kernel.matmul %x, %w : (tensor<64x1009xf16>, tensor<1009x4096xf16>) -> tensor<64x4096xf16>
  return %y : tensor<64x4096xf16>
}

// CHECK-LABEL: func.func @prime_sum
// CHECK:       mirage_block.loop iterations 64
func.func @prime_sum(%x: tensor<1000003xf16>) -> tensor<1xf16> {
  %y = mirage_kernel.sum %x dim 0 : (tensor<1000003xf16>) -> tensor<1xf16>
  return %y : tensor<1xf16>
}

// So is a prime number of elements.
// CHECK-LABEL: func.func @prime
// CHECK:       grid <x = 256>
// CHECK:       tensor<1000003xf16> -> !mirage.tile<3920xf16>
func.func @prime(%x: tensor<1000003xf16>) -> tensor<1000003xf16> {
  %y = mirage_kernel.exp %x : (tensor<1000003xf16>) -> tensor<1000003xf16>
  return %y : tensor<1000003xf16>
}

// A reshape stays; the constant that it reads is written by a kernel.
// CHECK-LABEL: func.func @reshape
// CHECK:       %[[C:.*]] = mirage_kernel.graph_defined() grid <x = 1> {mirage.scheduled} : () -> tensor<f32> {
// CHECK-NEXT:    %[[V:.*]] = mirage.constant 3.000000e+00 : !mirage.tile<f32>
// CHECK-NEXT:    mirage_block.output_saver %[[V]] omap <x -> replica>
// CHECK:       mirage_kernel.reshape %[[C]]
func.func @reshape() -> tensor<1x1xf32> {
  %c = mirage.constant 3.0 : tensor<f32>
  %y = mirage_kernel.reshape %c : (tensor<f32>) -> tensor<1x1xf32>
  return %y : tensor<1x1xf32>
}

// The rows of a transpose are the columns of its operand.
// CHECK-LABEL: func.func @transpose
// CHECK:       grid <x = 2>
// CHECK:         mirage_block.input_iterator %{{.*}} imap <x -> 0>
// CHECK-NEXT:    mirage_block.transpose %{{.*}} permutation [1, 0]
// CHECK-NEXT:    mirage_block.output_saver %{{.*}} omap <x -> 1>
func.func @transpose(%x: tensor<64x32xf16>) -> tensor<32x64xf16> {
  %y = mirage_kernel.transpose %x permutation [1, 0] : (tensor<64x32xf16>) -> tensor<32x64xf16>
  return %y : tensor<32x64xf16>
}

// Four dimensions are cut.
// CHECK-LABEL: func.func @four_dimensions
// CHECK:       grid <x = [[#]], y = [[#]], z = [[#]], w = [[#]]>
func.func @four_dimensions(%x: tensor<64x48x40x36x8xf16>) -> tensor<36x40x48x64x8xf16> {
  %0 = mirage_kernel.transpose %x permutation [3, 2, 1, 0, 4] : (tensor<64x48x40x36x8xf16>) -> tensor<36x40x48x64x8xf16>
  return %0 : tensor<36x40x48x64x8xf16>
}

// 130 are ten tiles of 13, which can't be cut in two, but there are 22 of 6.
// CHECK-LABEL: func.func @primes_behind_even_cuts
// CHECK-NOT:   !mirage.tile<{{[0-9]+}}x1xf16>
// CHECK:       return
func.func @primes_behind_even_cuts(%x: tensor<113x130xf16>, %w: tensor<130x130xf16>) -> tensor<113x130xf16> {
  %y = mirage_kernel.matmul %x, %w : (tensor<113x130xf16>, tensor<130x130xf16>) -> tensor<113x130xf16>
  return %y : tensor<113x130xf16>
}

// Rows that stay whole leave room for few of the others, which fall to single ones where no number of parts is left.
// CHECK-LABEL: func.func @maximum_of_long_rows
// CHECK: mirage_kernel.graph_defined
// CHECK-SAME: mirage.scheduled
// CHECK-LABEL: func.func @maximum_of_long_columns
// CHECK: mirage_kernel.graph_defined
// CHECK-SAME: mirage.scheduled
// CHECK-LABEL: func.func @maximum_of_few_columns
// CHECK: mirage_kernel.graph_defined
// CHECK-SAME: mirage.scheduled
func.func @maximum_of_long_rows(%x: tensor<130x10000xf32>) -> tensor<130x1xf32> {
  %y = mirage_kernel.reduce_max %x dim 1 : (tensor<130x10000xf32>) -> tensor<130x1xf32>
  return %y : tensor<130x1xf32>
}
func.func @maximum_of_long_columns(%x: tensor<10000x130xf32>) -> tensor<1x130xf32> {
  %y = mirage_kernel.reduce_max %x dim 0 : (tensor<10000x130xf32>) -> tensor<1x130xf32>
  return %y : tensor<1x130xf32>
}
func.func @maximum_of_few_columns(%x: tensor<10000x11xf32>) -> tensor<1x11xf32> {
  %y = mirage_kernel.reduce_max %x dim 0 : (tensor<10000x11xf32>) -> tensor<1x11xf32>
  return %y : tensor<1x11xf32>
}
