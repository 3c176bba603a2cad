// RUN: mirage-opt --mirage-superoptimize="target=sm_90a threads=2 report=%t.json" %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// REPORT-COUNT-9: "exhausted": true

// What a program transposes behind a maximum is computed from transposed inputs, whose maximum is one over another dimension than the program's.

// CHECK: func.func @below_maximum
// CHECK: mirage_kernel.graph_defined
// CHECK: mirage_block.reduce_max {{.*}} dim 0
// CHECK: func.func private @below_maximum_reference
func.func @below_maximum(%x: tensor<1024x512xf16>) -> tensor<512x1024xf16> {
  %m = mirage_kernel.reduce_max %x dim 1 : (tensor<1024x512xf16>) -> tensor<1024x1xf32>
  %d = mirage_kernel.sub %x, %m : (tensor<1024x512xf16>, tensor<1024x1xf32>) -> tensor<1024x512xf16>
  %t = mirage_kernel.transpose %d permutation [1, 0] : (tensor<1024x512xf16>) -> tensor<512x1024xf16>
  return %t : tensor<512x1024xf16>
}

// CHECK: func.func @softmax_of_columns
// CHECK-COUNT-1: mirage_kernel.graph_defined
// CHECK-NOT: mirage_kernel
// CHECK: func.func private @softmax_of_columns_reference
func.func @softmax_of_columns(%x: tensor<512x1024xf16>) -> tensor<512x1024xf16> {
  %t = mirage_kernel.transpose %x permutation [1, 0] : (tensor<512x1024xf16>) -> tensor<1024x512xf16>
  %m = mirage_kernel.reduce_max %t dim 1 : (tensor<1024x512xf16>) -> tensor<1024x1xf32>
  %d = mirage_kernel.sub %t, %m : (tensor<1024x512xf16>, tensor<1024x1xf32>) -> tensor<1024x512xf32>
  %e = mirage_kernel.exp %d : (tensor<1024x512xf32>) -> tensor<1024x512xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<1024x512xf32>) -> tensor<1024x1xf32>
  %q = mirage_kernel.div %e, %s : (tensor<1024x512xf32>, tensor<1024x1xf32>) -> tensor<1024x512xf16>
  %r = mirage_kernel.transpose %q permutation [1, 0] : (tensor<1024x512xf16>) -> tensor<512x1024xf16>
  return %r : tensor<512x1024xf16>
}

// CHECK: func.func @attention_by_rows
// CHECK-COUNT-1: mirage_kernel.graph_defined
// CHECK-NOT: mirage_kernel
// CHECK: func.func private @attention_by_rows_reference
func.func @attention_by_rows(%q: tensor<16x64x64xf16>, %k: tensor<16x64x256xf16>, %v: tensor<16x256x64xf16>) -> tensor<64x16x64xf16> {
  %s = mirage_kernel.matmul %q, %k : (tensor<16x64x64xf16>, tensor<16x64x256xf16>) -> tensor<16x64x256xf16>
  %m = mirage_kernel.reduce_max %s dim 2 : (tensor<16x64x256xf16>) -> tensor<16x64x1xf32>
  %d = mirage_kernel.sub %s, %m : (tensor<16x64x256xf16>, tensor<16x64x1xf32>) -> tensor<16x64x256xf32>
  %e = mirage_kernel.exp %d : (tensor<16x64x256xf32>) -> tensor<16x64x256xf32>
  %l = mirage_kernel.sum %e dim 2 : (tensor<16x64x256xf32>) -> tensor<16x64x1xf32>
  %p = mirage_kernel.div %e, %l : (tensor<16x64x256xf32>, tensor<16x64x1xf32>) -> tensor<16x64x256xf16>
  %o = mirage_kernel.matmul %p, %v : (tensor<16x64x256xf16>, tensor<16x256x64xf16>) -> tensor<16x64x64xf16>
  %t = mirage_kernel.transpose %o permutation [1, 0, 2] : (tensor<16x64x64xf16>) -> tensor<64x16x64xf16>
  return %t : tensor<64x16x64xf16>
}

// The heads of attention side by side, as the next layer reads them: transposed once, behind the loop.
// CHECK: func.func @heads_last
// CHECK: mirage_kernel.graph_defined
// CHECK: mirage_block.loop
// CHECK: mirage_block.accumulate
// CHECK: mirage_block.transpose {{.*}} permutation [1, 0, 2]
// CHECK-NEXT: mirage_block.output_saver
// CHECK-NOT: mirage_kernel
// CHECK: func.func private @heads_last_reference
func.func @heads_last(%q: tensor<8x64x64xf16>, %k: tensor<8x64x1024xf16>, %v: tensor<8x1024x64xf16>) -> tensor<64x8x64xf16> {
  %a = mirage_kernel.matmul %q, %k : (tensor<8x64x64xf16>, tensor<8x64x1024xf16>) -> tensor<8x64x1024xf32>
  %e = mirage_kernel.exp %a : (tensor<8x64x1024xf32>) -> tensor<8x64x1024xf16>
  %s = mirage_kernel.sum %e dim 2 : (tensor<8x64x1024xf16>) -> tensor<8x64x1xf32>
  %o = mirage_kernel.matmul %e, %v : (tensor<8x64x1024xf16>, tensor<8x1024x64xf16>) -> tensor<8x64x64xf32>
  %d = mirage_kernel.div %o, %s : (tensor<8x64x64xf32>, tensor<8x64x1xf32>) -> tensor<8x64x64xf16>
  %t = mirage_kernel.transpose %d permutation [1, 0, 2] : (tensor<8x64x64xf16>) -> tensor<64x8x64xf16>
  return %t : tensor<64x8x64xf16>
}

// An output both ways is computed once.
// CHECK: func.func @both_ways
// CHECK: mirage_kernel.graph_defined
// CHECK-COUNT-1: mirage_block.matmul
// CHECK-NOT: mirage_block.matmul
// CHECK-COUNT-2: mirage_block.output_saver
// CHECK-NOT: mirage_kernel
// CHECK: func.func private @both_ways_reference
func.func @both_ways(%x: tensor<512x512xf16>, %w: tensor<512x512xf16>) -> (tensor<512x512xf16>, tensor<512x512xf16>) {
  %m = mirage_kernel.matmul %x, %w : (tensor<512x512xf16>, tensor<512x512xf16>) -> tensor<512x512xf16>
  %r = mirage_kernel.relu %m : (tensor<512x512xf16>) -> tensor<512x512xf16>
  %t = mirage_kernel.transpose %r permutation [1, 0] : (tensor<512x512xf16>) -> tensor<512x512xf16>
  return %r, %t : tensor<512x512xf16>, tensor<512x512xf16>
}

// What is handed on transposed has the type that it has in the program.
// CHECK: func.func @transposed_output
// CHECK: mirage_kernel.graph_defined({{.*}} -> tensor<512x16xf16> {
// CHECK: mirage_kernel.graph_defined(
// CHECK: func.func private @transposed_output_reference
func.func @transposed_output(%x: tensor<16x512xf16>, %v: tensor<512x512xf16>, %w: tensor<512x512xf16>) -> tensor<512x16xf16> {
  %h = mirage_kernel.matmul %x, %v : (tensor<16x512xf16>, tensor<512x512xf16>) -> tensor<16x512xf16>
  %r = mirage_kernel.relu %h : (tensor<16x512xf16>) -> tensor<16x512xf16>
  %y = mirage_kernel.matmul %r, %w : (tensor<16x512xf16>, tensor<512x512xf16>) -> tensor<16x512xf16>
  %t = mirage_kernel.transpose %y permutation [1, 0] : (tensor<16x512xf16>) -> tensor<512x16xf16>
  return %t : tensor<512x16xf16>
}

// What is summed before it is transposed is computed from inputs in an order that the program has of no tensor.
// CHECK: func.func @sums_transposed
// CHECK-COUNT-1: mirage_kernel.graph_defined
// CHECK-NOT: mirage_kernel
// CHECK: mirage_kernel.reshape
// CHECK-NEXT: return
// CHECK: func.func private @sums_transposed_reference
func.func @sums_transposed(%x: tensor<16x32x128xf32>, %v: tensor<16x32x128xf32>) -> tensor<32x16xf32> {
  %m = mirage_kernel.reduce_max %x dim 2 : (tensor<16x32x128xf32>) -> tensor<16x32x1xf32>
  %d = mirage_kernel.sub %x, %m : (tensor<16x32x128xf32>, tensor<16x32x1xf32>) -> tensor<16x32x128xf32>
  %e = mirage_kernel.exp %d : (tensor<16x32x128xf32>) -> tensor<16x32x128xf32>
  %s = mirage_kernel.sum %e dim 2 : (tensor<16x32x128xf32>) -> tensor<16x32x1xf32>
  %q = mirage_kernel.div %e, %s : (tensor<16x32x128xf32>, tensor<16x32x1xf32>) -> tensor<16x32x128xf32>
  %p = mirage_kernel.mul %q, %v : (tensor<16x32x128xf32>, tensor<16x32x128xf32>) -> tensor<16x32x128xf32>
  %o = mirage_kernel.sum %p dim 2 : (tensor<16x32x128xf32>) -> tensor<16x32x1xf32>
  %t = mirage_kernel.transpose %o permutation [1, 0, 2] : (tensor<16x32x1xf32>) -> tensor<32x16x1xf32>
  %r = mirage_kernel.reshape %t : (tensor<32x16x1xf32>) -> tensor<32x16xf32>
  return %r : tensor<32x16xf32>
}

// Two transposes, one behind the other.
// CHECK: func.func @sums_of_transposed
// CHECK-COUNT-1: mirage_kernel.graph_defined
// CHECK-NOT: mirage_kernel
// CHECK: func.func private @sums_of_transposed_reference
func.func @sums_of_transposed(%x: tensor<7x6x5xf32>, %v: tensor<6x5x7xf32>) -> tensor<5x6x1xf32> {
  %e = mirage_kernel.exp %x : (tensor<7x6x5xf32>) -> tensor<7x6x5xf32>
  %p = mirage_kernel.transpose %e permutation [1, 2, 0] : (tensor<7x6x5xf32>) -> tensor<6x5x7xf32>
  %m = mirage_kernel.mul %p, %v : (tensor<6x5x7xf32>, tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  %s = mirage_kernel.sum %m dim 2 : (tensor<6x5x7xf32>) -> tensor<6x5x1xf32>
  %t = mirage_kernel.transpose %s permutation [1, 0, 2] : (tensor<6x5x1xf32>) -> tensor<5x6x1xf32>
  return %t : tensor<5x6x1xf32>
}

// Weights that are divided by their sum in front of a product whose heads are transposed, for a product with weights of
// each head: the quotient goes behind the product, and it, not the sum, is transposed.
// CHECK: func.func @quotient_of_heads
// CHECK-COUNT-1: mirage_kernel.graph_defined
// CHECK-NOT: mirage_kernel
// CHECK: func.func private @quotient_of_heads_reference
func.func @quotient_of_heads(%x: tensor<8x16x512xf16>, %v: tensor<8x512x128xf16>, %w: tensor<16x128x128xf16>) -> tensor<16x8x128xf16> {
  %e = mirage_kernel.exp %x : (tensor<8x16x512xf16>) -> tensor<8x16x512xf16>
  %s = mirage_kernel.sum %e dim 2 : (tensor<8x16x512xf16>) -> tensor<8x16x1xf32>
  %p = mirage_kernel.div %e, %s : (tensor<8x16x512xf16>, tensor<8x16x1xf32>) -> tensor<8x16x512xf16>
  %o = mirage_kernel.matmul %p, %v : (tensor<8x16x512xf16>, tensor<8x512x128xf16>) -> tensor<8x16x128xf16>
  %t = mirage_kernel.transpose %o permutation [1, 0, 2] : (tensor<8x16x128xf16>) -> tensor<16x8x128xf16>
  %r = mirage_kernel.matmul %t, %w : (tensor<16x8x128xf16>, tensor<16x128x128xf16>) -> tensor<16x8x128xf16>
  return %r : tensor<16x8x128xf16>
}
