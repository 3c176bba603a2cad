// 577 keys (24 x 24 patches and a class token) have no divisor but 577: the loop cuts them into tiles all the same, the last of which
// overlaps the one in front of it. Sums of norms and products, too.

// RUN: mirage-opt %s --mirage-superoptimize="target=sm_90a threads=2 report=%t.json" > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// REPORT-COUNT-3: "exhausted": true

// What is stored is found again.
// RUN: rm -f %t.db
// RUN: mirage-opt %s --mirage-superoptimize="target=sm_90a database=%t.db" > %t.first.mlir
// RUN: mirage-opt %s --mirage-superoptimize="target=sm_90a database=%t.db report=%t.again.json" | diff %t.first.mlir -
// RUN: FileCheck %s --check-prefix=AGAIN < %t.again.json
// AGAIN-COUNT-3: "from_database": true

// CHECK-LABEL: func.func @attention(
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.graph_defined(
// CHECK: mirage_block.loop iterations
// CHECK: mirage_block.input_iterator {{.*}} fmap <i -> 2> : tensor<16x64x577xf16> -> !mirage.tile<1x64x{{128|96|64|48|32}}xf16>
// CHECK: mirage_block.accumulate
// CHECK-SAME: rescaled_sum
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @attention(%q: tensor<16x577x64xf16>, %k: tensor<16x64x577xf16>, %v: tensor<16x577x64xf16>) -> tensor<16x577x64xf16> {
  %0 = mirage_kernel.matmul %q, %k : (tensor<16x577x64xf16>, tensor<16x64x577xf16>) -> tensor<16x577x577xf16>
  %1 = mirage_kernel.exp %0 : (tensor<16x577x577xf16>) -> tensor<16x577x577xf16>
  %2 = mirage_kernel.sum %1 dim 2 : (tensor<16x577x577xf16>) -> tensor<16x577x1xf16>
  %3 = mirage_kernel.div %1, %2 : (tensor<16x577x577xf16>, tensor<16x577x1xf16>) -> tensor<16x577x577xf16>
  %4 = mirage_kernel.matmul %3, %v : (tensor<16x577x577xf16>, tensor<16x577x64xf16>) -> tensor<16x577x64xf16>
  return %4 : tensor<16x577x64xf16>
}

// CHECK-LABEL: func.func @norm(
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_block.loop iterations
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @norm(%x: tensor<64x4168xf16>, %w: tensor<4168x4096xf16>) -> tensor<64x4096xf16> {
  %0 = mirage_kernel.sqr %x : (tensor<64x4168xf16>) -> tensor<64x4168xf32>
  %1 = mirage_kernel.sum %0 dim 1 : (tensor<64x4168xf32>) -> tensor<64x1xf32>
  %2 = mirage_kernel.sqrt %1 : (tensor<64x1xf32>) -> tensor<64x1xf32>
  %3 = mirage_kernel.div %x, %2 : (tensor<64x4168xf16>, tensor<64x1xf32>) -> tensor<64x4168xf16>
  %4 = mirage_kernel.matmul %3, %w : (tensor<64x4168xf16>, tensor<4168x4096xf16>) -> tensor<64x4096xf16>
  return %4 : tensor<64x4096xf16>
}

// 1000 have divisors, but none that leaves rows or a depth that tensor cores take whole. Eight tiles would be of 125, so they are nine.

// CHECK-LABEL: func.func @thousand(
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_block.loop iterations {{9|11|16|21|32}}
// CHECK: mirage_block.input_iterator {{.*}} fmap <i -> 2> : tensor<24x64x1000xf16> -> !mirage.tile<1x64x{{112|96|64|48|32}}xf16>
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @thousand(%q: tensor<24x1000x64xf16>, %k: tensor<24x64x1000xf16>, %v: tensor<24x1000x64xf16>) -> tensor<24x1000x64xf16> {
  %0 = mirage_kernel.matmul %q, %k : (tensor<24x1000x64xf16>, tensor<24x64x1000xf16>) -> tensor<24x1000x1000xf16>
  %1 = mirage_kernel.exp %0 : (tensor<24x1000x1000xf16>) -> tensor<24x1000x1000xf16>
  %2 = mirage_kernel.sum %1 dim 2 : (tensor<24x1000x1000xf16>) -> tensor<24x1000x1xf16>
  %3 = mirage_kernel.div %1, %2 : (tensor<24x1000x1000xf16>, tensor<24x1000x1xf16>) -> tensor<24x1000x1000xf16>
  %4 = mirage_kernel.matmul %3, %v : (tensor<24x1000x1000xf16>, tensor<24x1000x64xf16>) -> tensor<24x1000x64xf16>
  return %4 : tensor<24x1000x64xf16>
}
