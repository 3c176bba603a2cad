// The report tells of functions that can't be searched, too.

// RUN: mirage-opt %s --mirage-superoptimize="report=%t.json" -o /dev/null 2>/dev/null
// RUN: FileCheck %s < %t.json

// CHECK:      "function": "searched"
// CHECK-NOT:  not_searched
// CHECK:      "function": "identity",
// CHECK-NEXT: "not_searched": "an output is an input"
// CHECK:      "function": "nothing",
// CHECK-NEXT: "not_searched": "nothing is returned"

// Nor with the bounds off, by which what costs nothing is left out.
// RUN: mirage-opt %s --mirage-superoptimize="without=bound" -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// REMARK: remark: not searched: nothing is returned

func.func @searched(%a: tensor<16x16xf16>) -> tensor<16x16xf16> {
  %b = mirage_kernel.exp %a : (tensor<16x16xf16>) -> tensor<16x16xf16>
  return %b : tensor<16x16xf16>
}

func.func @identity(%a: tensor<16x16xf16>) -> tensor<16x16xf16> {
  return %a : tensor<16x16xf16>
}

func.func @nothing(%a: tensor<16x16xf16>) {
  %b = mirage_kernel.exp %a : (tensor<16x16xf16>) -> tensor<16x16xf16>
  return
}
