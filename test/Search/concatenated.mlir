// Programs that have the sum of two products as one operator. Each of the products is a sum of the program's, too, without which the
// operator can't be found: once nothing was.

// RUN: mirage-opt --mirage-superoptimize="target=sm_90a" %s | FileCheck %s

// Of more keys a loop for one of the products is as fast by the model, but for one part in a hundred.
// RUN: sed '/@exponential/,/^}/s/2048/4096/g' %s | mirage-opt --mirage-superoptimize="target=sm_90a candidates=8" \
// RUN:   | FileCheck %s --check-prefix=LONG
// LONG-LABEL: func.func @exponential(
// LONG:       func.func @exponential_candidate_{{[0-9]+}}(
// LONG:         mirage_block.concat_matmul
// LONG-LABEL: func.func @adapter(

// CHECK-LABEL: func.func @exponential(
// CHECK:         mirage_kernel.graph_defined
// CHECK:           mirage_block.concat_matmul
// CHECK:           mirage_block.exp
// CHECK-NOT:     mirage_kernel.graph_defined
// CHECK:         return
func.func @exponential(%q1: tensor<32x16x64xf16>, %q2: tensor<32x16x32xf16>, %k1: tensor<32x64x2048xf16>, %k2: tensor<32x32x2048xf16>) -> tensor<32x16x2048xf16> {
  %0 = mirage_kernel.concat_matmul %q1, %q2, %k1, %k2 : (tensor<32x16x64xf16>, tensor<32x16x32xf16>, tensor<32x64x2048xf16>, tensor<32x32x2048xf16>) -> tensor<32x16x2048xf16>
  %1 = mirage_kernel.exp %0 : (tensor<32x16x2048xf16>) -> tensor<32x16x2048xf16>
  return %1 : tensor<32x16x2048xf16>
}

// LoRA, the weights and the adapter as one matrix.
// CHECK-LABEL: func.func @adapter(
// CHECK:         mirage_kernel.graph_defined
// CHECK-NOT:     mirage_kernel.graph_defined
// CHECK:         return
func.func @adapter(%x: tensor<16x256xf16>, %w: tensor<256x4096xf16>, %a: tensor<256x16xf16>, %b: tensor<16x4096xf16>) -> tensor<16x4096xf16> {
  %0 = mirage_kernel.matmul %x, %a : (tensor<16x256xf16>, tensor<256x16xf16>) -> tensor<16x16xf16>
  %1 = mirage_kernel.concat_matmul %x, %0, %w, %b : (tensor<16x256xf16>, tensor<16x16xf16>, tensor<256x4096xf16>, tensor<16x4096xf16>) -> tensor<16x4096xf16>
  return %1 : tensor<16x4096xf16>
}

// What is concatenated is an argument, and what a kernel computes: that comes first. Once this crashed.
// CHECK-LABEL: func.func @of_both(
// CHECK:         mirage_kernel.concat
// CHECK:         return
func.func @of_both(%x: tensor<12x50xf16>, %y: tensor<12x50xf16>) -> tensor<24x100xf16> {
  %0 = mirage_kernel.exp %y : (tensor<12x50xf16>) -> tensor<12x50xf16>
  %1 = mirage_kernel.concat %x, %0 dim 1 : (tensor<12x50xf16>, tensor<12x50xf16>) -> tensor<12x100xf16>
  %2 = mirage_kernel.relu %y : (tensor<12x50xf16>) -> tensor<12x50xf16>
  %3 = mirage_kernel.concat %2, %x dim 1 : (tensor<12x50xf16>, tensor<12x50xf16>) -> tensor<12x100xf16>
  %4 = mirage_kernel.concat %1, %3 dim 0 : (tensor<12x100xf16>, tensor<12x100xf16>) -> tensor<24x100xf16>
  return %4 : tensor<24x100xf16>
}
