// With each oracle the same program is found; the normal form and Z3 don't disagree.

// RUN: mirage-opt %s --mirage-superoptimize="max-kernel-ops=1 max-block-ops=2 max-free-ops=1 max-grid-dims=1 report=%t.nf.json" -o %t.nf
// RUN: mirage-opt %s --mirage-superoptimize="max-kernel-ops=1 max-block-ops=2 max-free-ops=1 max-grid-dims=1 oracle=z3 report=%t.z3.json" -o %t.z3
// RUN: mirage-opt %s --mirage-superoptimize="max-kernel-ops=1 max-block-ops=2 max-free-ops=1 max-grid-dims=1 oracle=cross-check threads=2" -o %t.cc
// RUN: mirage-opt %s --mirage-superoptimize="max-kernel-ops=1 max-block-ops=2 max-free-ops=1 max-grid-dims=1 oracle=none operators=mul,sum without=bound,needed report=%t.no.json" -o %t.no
// RUN: diff %t.nf %t.z3
// RUN: diff %t.nf %t.cc
// RUN: diff %t.nf %t.no
// RUN: FileCheck %s < %t.nf
// RUN: FileCheck %s --check-prefix=NF < %t.nf.json
// RUN: FileCheck %s --check-prefix=Z3 < %t.z3.json
// RUN: FileCheck %s --check-prefix=NONE < %t.no.json

// CHECK: func.func @f(
// CHECK-NEXT: mirage_kernel.graph_defined(
// CHECK: mirage_block.mul
// CHECK: mirage_block.sum
// CHECK: func.func private @f_reference

// NF: "oracle": "normal-form"
// NF: "oracle_affirmed": {{[1-9]}}
// NF: "oracle_queries": {{[1-9]}}
// NF: "oracle_unproved": 0
// NF: "without": []

// Z3: "oracle": "z3"
// Z3: "oracle_unproved": {{[1-9]}}

// NONE: "operators": [
// NONE-NEXT: "mul",
// NONE-NEXT: "sum"
// NONE: "oracle": "none"
// NONE: "without": [
// NONE-NEXT: "needed",
// NONE-NEXT: "bound"
func.func @f(%x: tensor<256x256xf16>, %y: tensor<256x256xf16>) -> tensor<256x1xf16> {
  %a = mirage_kernel.mul %x, %y : (tensor<256x256xf16>, tensor<256x256xf16>) -> tensor<256x256xf16>
  %b = mirage_kernel.sum %a dim 1 : (tensor<256x256xf16>) -> tensor<256x1xf16>
  return %b : tensor<256x1xf16>
}
