// RUN: mirage-opt --mirage-prove-equivalence --split-input-file %s | FileCheck %s

// QKNorm with a running maximum: roots per row of q and of k, softmax over tiles, divisions where they are cheap.
// CHECK-LABEL: func.func @qknorm_fused
// CHECK-SAME: mirage.verdict = {mugraph = "{{[0-9a-f]+}}", sizes = "all", verdict = "proved", verifier = "normal form"}
func.func private @qknorm(%arg0: tensor<2x16x64xf16>, %arg1: tensor<2x4096x64xf16>, %arg2: tensor<2x4096x64xf16>) -> tensor<2x16x64xf16> {
    %0 = mirage_kernel.sqr %arg0 : (tensor<2x16x64xf16>) -> tensor<2x16x64xf32>
    %1 = mirage_kernel.sum %0 dim 2 : (tensor<2x16x64xf32>) -> tensor<2x16x1xf32>
    %2 = mirage.constant 6.400000e+01 : tensor<f32>
    %3 = mirage_kernel.div %1, %2 : (tensor<2x16x1xf32>, tensor<f32>) -> tensor<2x16x1xf32>
    %4 = mirage.constant 9.9999997473787516E-6 : tensor<f32>
    %5 = mirage_kernel.add %3, %4 : (tensor<2x16x1xf32>, tensor<f32>) -> tensor<2x16x1xf32>
    %6 = mirage_kernel.sqrt %5 : (tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %7 = mirage_kernel.div %arg0, %6 : (tensor<2x16x64xf16>, tensor<2x16x1xf32>) -> tensor<2x16x64xf16>
    %8 = mirage_kernel.sqr %arg1 : (tensor<2x4096x64xf16>) -> tensor<2x4096x64xf32>
    %9 = mirage_kernel.sum %8 dim 2 : (tensor<2x4096x64xf32>) -> tensor<2x4096x1xf32>
    %10 = mirage_kernel.div %9, %2 : (tensor<2x4096x1xf32>, tensor<f32>) -> tensor<2x4096x1xf32>
    %11 = mirage_kernel.add %10, %4 : (tensor<2x4096x1xf32>, tensor<f32>) -> tensor<2x4096x1xf32>
    %12 = mirage_kernel.sqrt %11 : (tensor<2x4096x1xf32>) -> tensor<2x4096x1xf32>
    %13 = mirage_kernel.div %arg1, %12 : (tensor<2x4096x64xf16>, tensor<2x4096x1xf32>) -> tensor<2x4096x64xf16>
    %t = mirage_kernel.transpose %13 permutation [0, 2, 1] : (tensor<2x4096x64xf16>) -> tensor<2x64x4096xf16>
    %15 = mirage_kernel.matmul %7, %t : (tensor<2x16x64xf16>, tensor<2x64x4096xf16>) -> tensor<2x16x4096xf16>
    %16 = mirage_kernel.exp %15 : (tensor<2x16x4096xf16>) -> tensor<2x16x4096xf16>
    %17 = mirage_kernel.matmul %16, %arg2 : (tensor<2x16x4096xf16>, tensor<2x4096x64xf16>) -> tensor<2x16x64xf16>
    %18 = mirage_kernel.sum %16 dim 2 : (tensor<2x16x4096xf16>) -> tensor<2x16x1xf32>
    %19 = mirage_kernel.div %17, %18 : (tensor<2x16x64xf16>, tensor<2x16x1xf32>) -> tensor<2x16x64xf16>
    return %19 : tensor<2x16x64xf16>
}
func.func @qknorm_fused(%arg0: tensor<2x16x64xf16>, %arg1: tensor<2x4096x64xf16>, %arg2: tensor<2x4096x64xf16>) -> tensor<2x16x64xf16> attributes {mirage.reference = @qknorm} {
  %r = mirage_kernel.graph_defined(%arg0, %arg1, %arg2) grid <x = 2, y = 4> : (tensor<2x16x64xf16>, tensor<2x4096x64xf16>, tensor<2x4096x64xf16>) -> tensor<2x16x64xf16> {
  ^bb0(%Q: tensor<2x16x64xf16>, %K: tensor<2x4096x64xf16>, %V: tensor<2x4096x64xf16>):
    %m:3 = mirage_block.loop iterations 32 -> !mirage.tile<1x4x1xf32>, !mirage.tile<1x4x1xf32>, !mirage.tile<1x4x64xf32> {
      %q = mirage_block.input_iterator %Q imap <x -> 0, y -> 1> fmap <i -> replica> : tensor<2x16x64xf16> -> !mirage.tile<1x4x64xf16>
      %k = mirage_block.input_iterator %K imap <x -> 0, y -> replica> fmap <i -> 1> : tensor<2x4096x64xf16> -> !mirage.tile<1x128x64xf16>
      %v = mirage_block.input_iterator %V imap <x -> 0, y -> replica> fmap <i -> 1> : tensor<2x4096x64xf16> -> !mirage.tile<1x128x64xf16>
      %n = mirage.constant 6.400000e+01 : !mirage.tile<f32>
      %e = mirage.constant 9.9999997473787516E-6 : !mirage.tile<f32>
      %qs = mirage_block.sqr %q : (!mirage.tile<1x4x64xf16>) -> !mirage.tile<1x4x64xf32>
      %qr = mirage_block.sum %qs dim 2 : (!mirage.tile<1x4x64xf32>) -> !mirage.tile<1x4x1xf32>
      %qm = mirage_block.div %qr, %n : (!mirage.tile<1x4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<1x4x1xf32>
      %qe = mirage_block.add %qm, %e : (!mirage.tile<1x4x1xf32>, !mirage.tile<f32>) -> !mirage.tile<1x4x1xf32>
      %qq = mirage_block.rsqrt %qe : (!mirage.tile<1x4x1xf32>) -> !mirage.tile<1x4x1xf32>
      %ks = mirage_block.sqr %k : (!mirage.tile<1x128x64xf16>) -> !mirage.tile<1x128x64xf32>
      %kr = mirage_block.sum %ks dim 2 : (!mirage.tile<1x128x64xf32>) -> !mirage.tile<1x128x1xf32>
      %km = mirage_block.div %kr, %n : (!mirage.tile<1x128x1xf32>, !mirage.tile<f32>) -> !mirage.tile<1x128x1xf32>
      %ke = mirage_block.add %km, %e : (!mirage.tile<1x128x1xf32>, !mirage.tile<f32>) -> !mirage.tile<1x128x1xf32>
      %kq = mirage_block.sqrt %ke : (!mirage.tile<1x128x1xf32>) -> !mirage.tile<1x128x1xf32>
      %kt = mirage_block.transpose %k permutation [0, 2, 1] : (!mirage.tile<1x128x64xf16>) -> !mirage.tile<1x64x128xf32>
      %kqt = mirage_block.transpose %kq permutation [0, 2, 1] : (!mirage.tile<1x128x1xf32>) -> !mirage.tile<1x1x128xf32>
      %s0 = mirage_block.matmul %q, %kt : (!mirage.tile<1x4x64xf16>, !mirage.tile<1x64x128xf32>) -> !mirage.tile<1x4x128xf32>
      %s1 = mirage_block.mul %s0, %qq : (!mirage.tile<1x4x128xf32>, !mirage.tile<1x4x1xf32>) -> !mirage.tile<1x4x128xf32>
      %s = mirage_block.div %s1, %kqt : (!mirage.tile<1x4x128xf32>, !mirage.tile<1x1x128xf32>) -> !mirage.tile<1x4x128xf32>
      %mx = mirage_block.reduce_max %s dim 2 : (!mirage.tile<1x4x128xf32>) -> !mirage.tile<1x4x1xf32>
      %sm = mirage_block.sub %s, %mx : (!mirage.tile<1x4x128xf32>, !mirage.tile<1x4x1xf32>) -> !mirage.tile<1x4x128xf32>
      %p = mirage_block.exp %sm : (!mirage.tile<1x4x128xf32>) -> !mirage.tile<1x4x128xf32>
      %l = mirage_block.sum %p dim 2 : (!mirage.tile<1x4x128xf32>) -> !mirage.tile<1x4x1xf32>
      %o = mirage_block.matmul %p, %v : (!mirage.tile<1x4x128xf32>, !mirage.tile<1x128x64xf16>) -> !mirage.tile<1x4x64xf32>
      mirage_block.accumulate max %mx, rescaled_sum %l by %mx, rescaled_sum %o by %mx : !mirage.tile<1x4x1xf32>, !mirage.tile<1x4x1xf32> by !mirage.tile<1x4x1xf32>, !mirage.tile<1x4x64xf32> by !mirage.tile<1x4x1xf32>
    }
    %z = mirage_block.div %m#2, %m#1 : (!mirage.tile<1x4x64xf32>, !mirage.tile<1x4x1xf32>) -> !mirage.tile<1x4x64xf32>
    mirage_block.output_saver %z omap <x -> 0, y -> 1> : !mirage.tile<1x4x64xf32> -> tensor<2x16x64xf16>
  }
  return %r : tensor<2x16x64xf16>
}

// -----

// nTrans: two normalizations, the second of a difference with the first.
// CHECK-LABEL: func.func @ntrans_fused
// CHECK-SAME: sizes = "all", verdict = "proved"
func.func private @ntrans(%h: tensor<16x4096xf16>, %a: tensor<16x4096xf16>, %s: tensor<4096xf16>) -> tensor<16x4096xf16> {
  %n = mirage.constant 4.096000e+03 : tensor<f32>
  %e = mirage.constant 9.9999997473787516E-6 : tensor<f32>
  %0 = mirage_kernel.sqr %a : (tensor<16x4096xf16>) -> tensor<16x4096xf32>
  %1 = mirage_kernel.sum %0 dim 1 : (tensor<16x4096xf32>) -> tensor<16x1xf32>
  %3 = mirage_kernel.div %1, %n : (tensor<16x1xf32>, tensor<f32>) -> tensor<16x1xf32>
  %5 = mirage_kernel.add %3, %e : (tensor<16x1xf32>, tensor<f32>) -> tensor<16x1xf32>
  %6 = mirage_kernel.sqrt %5 : (tensor<16x1xf32>) -> tensor<16x1xf32>
  %7 = mirage_kernel.div %a, %6 : (tensor<16x4096xf16>, tensor<16x1xf32>) -> tensor<16x4096xf16>
  %8 = mirage_kernel.sub %7, %h : (tensor<16x4096xf16>, tensor<16x4096xf16>) -> tensor<16x4096xf16>
  %9 = mirage_kernel.mul %8, %s : (tensor<16x4096xf16>, tensor<4096xf16>) -> tensor<16x4096xf16>
  %10 = mirage_kernel.add %h, %9 : (tensor<16x4096xf16>, tensor<16x4096xf16>) -> tensor<16x4096xf16>
  %11 = mirage_kernel.sqr %10 : (tensor<16x4096xf16>) -> tensor<16x4096xf32>
  %12 = mirage_kernel.sum %11 dim 1 : (tensor<16x4096xf32>) -> tensor<16x1xf32>
  %13 = mirage_kernel.div %12, %n : (tensor<16x1xf32>, tensor<f32>) -> tensor<16x1xf32>
  %14 = mirage_kernel.add %13, %e : (tensor<16x1xf32>, tensor<f32>) -> tensor<16x1xf32>
  %15 = mirage_kernel.sqrt %14 : (tensor<16x1xf32>) -> tensor<16x1xf32>
  %16 = mirage_kernel.div %10, %15 : (tensor<16x4096xf16>, tensor<16x1xf32>) -> tensor<16x4096xf16>
  return %16 : tensor<16x4096xf16>
}
func.func @ntrans_fused(%h: tensor<16x4096xf16>, %a: tensor<16x4096xf16>, %s: tensor<4096xf16>) -> tensor<16x4096xf16> attributes {mirage.reference = @ntrans} {
  %r = mirage_kernel.graph_defined(%h, %a, %s) grid <x = 16> : (tensor<16x4096xf16>, tensor<16x4096xf16>, tensor<4096xf16>) -> tensor<16x4096xf16> {
  ^bb0(%H: tensor<16x4096xf16>, %A: tensor<16x4096xf16>, %S: tensor<4096xf16>):
    %ht = mirage_block.input_iterator %H imap <x -> 0> : tensor<16x4096xf16> -> !mirage.tile<1x4096xf16>
    %at = mirage_block.input_iterator %A imap <x -> 0> : tensor<16x4096xf16> -> !mirage.tile<1x4096xf16>
    %st = mirage_block.input_iterator %S imap <x -> replica> : tensor<4096xf16> -> !mirage.tile<4096xf16>
    %n = mirage.constant 4.096000e+03 : !mirage.tile<f32>
    %e = mirage.constant 9.9999997473787516E-6 : !mirage.tile<f32>
    %0 = mirage_block.sqr %at : (!mirage.tile<1x4096xf16>) -> !mirage.tile<1x4096xf32>
    %1 = mirage_block.sum %0 dim 1 : (!mirage.tile<1x4096xf32>) -> !mirage.tile<1x1xf32>
    %3 = mirage_block.div %1, %n : (!mirage.tile<1x1xf32>, !mirage.tile<f32>) -> !mirage.tile<1x1xf32>
    %5 = mirage_block.add %3, %e : (!mirage.tile<1x1xf32>, !mirage.tile<f32>) -> !mirage.tile<1x1xf32>
    %6 = mirage_block.rsqrt %5 : (!mirage.tile<1x1xf32>) -> !mirage.tile<1x1xf32>
    %7 = mirage_block.mul %at, %6 : (!mirage.tile<1x4096xf16>, !mirage.tile<1x1xf32>) -> !mirage.tile<1x4096xf32>
    %8 = mirage_block.mul %7, %st : (!mirage.tile<1x4096xf32>, !mirage.tile<4096xf16>) -> !mirage.tile<1x4096xf32>
    %9 = mirage_block.mul %ht, %st : (!mirage.tile<1x4096xf16>, !mirage.tile<4096xf16>) -> !mirage.tile<1x4096xf32>
    %10 = mirage_block.sub %ht, %9 : (!mirage.tile<1x4096xf16>, !mirage.tile<1x4096xf32>) -> !mirage.tile<1x4096xf32>
    %11 = mirage_block.add %10, %8 : (!mirage.tile<1x4096xf32>, !mirage.tile<1x4096xf32>) -> !mirage.tile<1x4096xf32>
    %12 = mirage_block.sqr %11 : (!mirage.tile<1x4096xf32>) -> !mirage.tile<1x4096xf32>
    %13 = mirage_block.sum %12 dim 1 : (!mirage.tile<1x4096xf32>) -> !mirage.tile<1x1xf32>
    %14 = mirage_block.div %13, %n : (!mirage.tile<1x1xf32>, !mirage.tile<f32>) -> !mirage.tile<1x1xf32>
    %15 = mirage_block.add %14, %e : (!mirage.tile<1x1xf32>, !mirage.tile<f32>) -> !mirage.tile<1x1xf32>
    %16 = mirage_block.sqrt %15 : (!mirage.tile<1x1xf32>) -> !mirage.tile<1x1xf32>
    %17 = mirage_block.div %11, %16 : (!mirage.tile<1x4096xf32>, !mirage.tile<1x1xf32>) -> !mirage.tile<1x4096xf32>
    mirage_block.output_saver %17 omap <x -> 0> : !mirage.tile<1x4096xf32> -> tensor<16x4096xf16>
  }
  return %r : tensor<16x4096xf16>
}

// -----

// A mean by a constant is one at this size only; what ties a size to a count is said.
// CHECK-LABEL: func.func @doubled
// CHECK-SAME: sizes = "these", verdict = "proved"
func.func private @columns(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %ones = mirage.constant 1.0 : tensor<f32>
  %0 = mirage_kernel.sum %x dim 1 : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %1 = mirage.constant 8.0 : tensor<f32>
  %2 = mirage_kernel.mul %0, %1 : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  return %2 : tensor<4x1xf32>
}
func.func @doubled(%x: tensor<4x8xf32>) -> tensor<4x1xf32> attributes {mirage.reference = @columns} {
  %0 = mirage_kernel.sum %x dim 1 : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %1 = mirage_kernel.broadcast %0 : (tensor<4x1xf32>) -> tensor<4x8xf32>
  %2 = mirage_kernel.sum %1 dim 1 : (tensor<4x8xf32>) -> tensor<4x1xf32>
  return %2 : tensor<4x1xf32>
}

// -----

// The LoRA operator, concatenations, and two products.
// CHECK-LABEL: func.func @one_product
// CHECK-SAME: sizes = "all", verdict = "proved"
// CHECK-LABEL: func.func @concatenated
// CHECK-SAME: sizes = "these", verdict = "proved"
func.func private @two_products(%w: tensor<4x8xf32>, %x: tensor<4x2xf32>, %y: tensor<8x6xf32>, %z: tensor<2x6xf32>) -> tensor<4x6xf32> {
  %0 = mirage_kernel.matmul %w, %y : (tensor<4x8xf32>, tensor<8x6xf32>) -> tensor<4x6xf32>
  %1 = mirage_kernel.matmul %x, %z : (tensor<4x2xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  %2 = mirage_kernel.add %0, %1 : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return %2 : tensor<4x6xf32>
}
func.func @one_product(%w: tensor<4x8xf32>, %x: tensor<4x2xf32>, %y: tensor<8x6xf32>, %z: tensor<2x6xf32>) -> tensor<4x6xf32> attributes {mirage.reference = @two_products} {
  %0 = mirage_kernel.concat_matmul %w, %x, %y, %z : (tensor<4x8xf32>, tensor<4x2xf32>, tensor<8x6xf32>, tensor<2x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}
func.func @concatenated(%w: tensor<4x8xf32>, %x: tensor<4x2xf32>, %y: tensor<8x6xf32>, %z: tensor<2x6xf32>) -> tensor<4x6xf32> attributes {mirage.reference = @two_products} {
  %0 = mirage_kernel.concat %w, %x dim 1 : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
  %1 = mirage_kernel.concat %y, %z dim 0 : (tensor<8x6xf32>, tensor<2x6xf32>) -> tensor<10x6xf32>
  %2 = mirage_kernel.matmul %0, %1 : (tensor<4x10xf32>, tensor<10x6xf32>) -> tensor<4x6xf32>
  return %2 : tensor<4x6xf32>
}

// -----

// One scale divides all rows of a group: that it isn't zero is asked for with the group's number, a part of the row's in one of them.
// CHECK-LABEL: func.func @groups
// CHECK-SAME: mirage.verdict = {mugraph = "{{[0-9a-f]+}}", sizes = "these", verdict = "proved", verifier = "normal form"}
func.func private @merged(%x: tensor<6x16xf16>, %w: tensor<2x8x4xf16>, %s: tensor<2x1x4xf16>) -> tensor<6x4xf32> {
  %0 = mirage_kernel.div %w, %s : (tensor<2x8x4xf16>, tensor<2x1x4xf16>) -> tensor<2x8x4xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<2x8x4xf16>) -> tensor<16x4xf16>
  %2 = mirage_kernel.matmul %x, %1 : (tensor<6x16xf16>, tensor<16x4xf16>) -> tensor<6x4xf32>
  return %2 : tensor<6x4xf32>
}
func.func @groups(%x: tensor<6x16xf16>, %w: tensor<2x8x4xf16>, %s: tensor<2x1x4xf16>) -> tensor<6x4xf32> attributes {mirage.reference = @merged} {
  %0 = mirage_kernel.div %w, %s : (tensor<2x8x4xf16>, tensor<2x1x4xf16>) -> tensor<2x8x4xf16>
  %1 = mirage_kernel.reshape %x : (tensor<6x16xf16>) -> tensor<6x2x8xf16>
  %2 = mirage_kernel.transpose %1 permutation [1, 0, 2] : (tensor<6x2x8xf16>) -> tensor<2x6x8xf16>
  %3 = mirage_kernel.matmul %2, %0 : (tensor<2x6x8xf16>, tensor<2x8x4xf16>) -> tensor<2x6x4xf32>
  %4 = mirage_kernel.sum %3 dim 0 : (tensor<2x6x4xf32>) -> tensor<1x6x4xf32>
  %5 = mirage_kernel.reshape %4 : (tensor<1x6x4xf32>) -> tensor<6x4xf32>
  return %5 : tensor<6x4xf32>
}

// -----

// The norm of what is normalized, with the first norm as a factor of the second root.
// CHECK-LABEL: func.func @one_root
// CHECK-SAME: mirage.verdict = {mugraph = "{{[0-9a-f]+}}", sizes = "all", verdict = "proved", verifier = "normal form"}
func.func private @two_norms(%x: tensor<4x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> {
  %eps = mirage.constant 1.000000e-05 : tensor<f32>
  %0 = mirage_kernel.sqr %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = mirage_kernel.sum %0 dim 1 : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %2 = mirage_kernel.add %1, %eps : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %3 = mirage_kernel.sqrt %2 : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %4 = mirage_kernel.div %x, %3 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  %5 = mirage_kernel.mul %4, %g : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %6 = mirage_kernel.sqr %5 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %7 = mirage_kernel.sum %6 dim 1 : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %8 = mirage_kernel.add %7, %eps : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %9 = mirage_kernel.sqrt %8 : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %10 = mirage_kernel.div %5, %9 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  return %10 : tensor<4x8xf32>
}
func.func @one_root(%x: tensor<4x8xf32>, %g: tensor<8xf32>) -> tensor<4x8xf32> attributes {mirage.reference = @two_norms} {
  %eps = mirage.constant 1.000000e-05 : tensor<f32>
  %0 = mirage_kernel.sqr %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = mirage_kernel.sum %0 dim 1 : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %2 = mirage_kernel.add %1, %eps : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %3 = mirage_kernel.mul %2, %eps : (tensor<4x1xf32>, tensor<f32>) -> tensor<4x1xf32>
  %4 = mirage_kernel.mul %x, %g : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %5 = mirage_kernel.sqr %4 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %6 = mirage_kernel.sum %5 dim 1 : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %7 = mirage_kernel.add %6, %3 : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  %8 = mirage_kernel.sqrt %7 : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %9 = mirage_kernel.div %4, %8 : (tensor<4x8xf32>, tensor<4x1xf32>) -> tensor<4x8xf32>
  return %9 : tensor<4x8xf32>
}
