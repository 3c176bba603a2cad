// A recurrent cell: two products over different dimensions of one size, in one kernel whose loop cuts both.

// RUN: mirage-opt %s --mirage-superoptimize=report=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json

// CHECK-LABEL: func.func @cell(
// CHECK: = mirage_kernel.graph_defined(
// CHECK: mirage_block.loop
// CHECK-COUNT-4: mirage_block.input_iterator {{.*}} fmap <i -> {{[01]}}>
// CHECK-NEXT: mirage_block.concat_matmul
// CHECK-NEXT: mirage_block.accumulate sum
// CHECK: return
// REPORT: "kernels": 1,
// REPORT: "verdict": "proved",
// REPORT: "exhausted": true
func.func @cell(%x: tensor<256x1024xf16>, %w: tensor<1024x512xf16>, %h: tensor<256x1024xf16>, %u: tensor<1024x512xf16>) -> tensor<256x512xf16> {
  %a = mirage_kernel.matmul %x, %w : (tensor<256x1024xf16>, tensor<1024x512xf16>) -> tensor<256x512xf16>
  %b = mirage_kernel.matmul %h, %u : (tensor<256x1024xf16>, tensor<1024x512xf16>) -> tensor<256x512xf16>
  %s = mirage_kernel.add %a, %b : (tensor<256x512xf16>, tensor<256x512xf16>) -> tensor<256x512xf16>
  %r = mirage_kernel.relu %s : (tensor<256x512xf16>) -> tensor<256x512xf16>
  return %r : tensor<256x512xf16>
}
