// Queries and keys that are one tensor: their rows have one role, which the grid cuts in the queries and the loop in the keys. The maximum
// of each query's scores is one for all keys, so that the loop may rescale by it.

// RUN: mirage-opt %s --mirage-superoptimize=max-kernel-ops=1 | FileCheck %s

// CHECK-LABEL: func.func @self(
// CHECK: mirage_block.loop
// CHECK-DAG: input_iterator %[[X:.*]] imap <x -> 0, y -> 1> fmap <i -> replica>
// CHECK-DAG: input_iterator %[[X]] imap <x -> 0, y -> replica> fmap <i -> 1>
// CHECK: accumulate rescaled_sum
func.func @self(%x: tensor<8x512x64xf16>, %v: tensor<8x512x64xf16>) -> tensor<8x512x64xf16> {
  %t = mirage_kernel.transpose %x permutation [0, 2, 1] : (tensor<8x512x64xf16>) -> tensor<8x64x512xf16>
  %s = mirage_kernel.matmul %x, %t : (tensor<8x512x64xf16>, tensor<8x64x512xf16>) -> tensor<8x512x512xf16>
  %e = mirage_kernel.exp %s : (tensor<8x512x512xf16>) -> tensor<8x512x512xf16>
  %l = mirage_kernel.sum %e dim 2 : (tensor<8x512x512xf16>) -> tensor<8x512x1xf32>
  %p = mirage_kernel.div %e, %l : (tensor<8x512x512xf16>, tensor<8x512x1xf32>) -> tensor<8x512x512xf16>
  %o = mirage_kernel.matmul %p, %v : (tensor<8x512x512xf16>, tensor<8x512x64xf16>) -> tensor<8x512x64xf16>
  return %o : tensor<8x512x64xf16>
}
