// 197 tokens have no divisor but 197: the grid cuts their queries into 7 tiles all the same, of which two overlap.

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
// CHECK: mirage_kernel.graph_defined({{.*}} grid <x = 12, y = {{4|7}}
// CHECK: mirage_block.input_iterator {{.*}} : tensor<12x197x64xf16> -> !mirage.tile<1x{{32|64}}x64xf16>
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @attention(%q: tensor<12x197x64xf16>, %k: tensor<12x64x197xf16>, %v: tensor<12x197x64xf16>) -> tensor<12x197x64xf16> {
  %0 = mirage_kernel.matmul %q, %k : (tensor<12x197x64xf16>, tensor<12x64x197xf16>) -> tensor<12x197x197xf16>
  %1 = mirage_kernel.exp %0 : (tensor<12x197x197xf16>) -> tensor<12x197x197xf16>
  %2 = mirage_kernel.sum %1 dim 2 : (tensor<12x197x197xf16>) -> tensor<12x197x1xf16>
  %3 = mirage_kernel.div %1, %2 : (tensor<12x197x197xf16>, tensor<12x197x1xf16>) -> tensor<12x197x197xf16>
  %4 = mirage_kernel.matmul %3, %v : (tensor<12x197x197xf16>, tensor<12x197x64xf16>) -> tensor<12x197x64xf16>
  return %4 : tensor<12x197x64xf16>
}

// Rows that are added up, or meet others of theirs, are whole.
// CHECK-LABEL: func.func @gradient(
// CHECK-NOT: {{tensor<197x.*tile<(16|32|64)x}}
// CHECK: return
func.func @gradient(%x: tensor<197x64xf16>, %g: tensor<197x128xf16>) -> tensor<64x128xf16> {
  %0 = mirage_kernel.transpose %x permutation [1, 0] : (tensor<197x64xf16>) -> tensor<64x197xf16>
  %1 = mirage_kernel.matmul %0, %g : (tensor<64x197xf16>, tensor<197x128xf16>) -> tensor<64x128xf16>
  %2 = mirage_kernel.relu %1 : (tensor<64x128xf16>) -> tensor<64x128xf16>
  return %2 : tensor<64x128xf16>
}

// What is rows is columns of an output that is transposed.
// CHECK-LABEL: func.func @columns(
// CHECK: mirage_block.output_saver {{.*}}!mirage.tile<16x16xf32> -> tensor<64x197xf16>
func.func @columns(%x: tensor<197x64xf16>, %y: tensor<64x197xf16>) -> tensor<64x197xf16> {
  %0 = mirage_kernel.transpose %x permutation [1, 0] : (tensor<197x64xf16>) -> tensor<64x197xf16>
  %1 = mirage_kernel.add %0, %y : (tensor<64x197xf16>, tensor<64x197xf16>) -> tensor<64x197xf16>
  return %1 : tensor<64x197xf16>
}
