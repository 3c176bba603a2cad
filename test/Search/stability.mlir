// μGraphs that are equal over the reals but overflow where the program doesn't are dropped: here exp(-m) sum(exp(x)) for
// sum(exp(x - m)). The cheapest one is among them, and the next takes its place.

// RUN: mirage-opt %s --mirage-superoptimize="max-block-ops=6" 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: mirage-opt %s --mirage-superoptimize="max-block-ops=6 stability-factor=0" 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: mirage-opt %s --mirage-superoptimize="max-block-ops=6 candidates=64 report=%t.json" 2>/dev/null -o %t.mlir
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: FileCheck %s --check-prefix=ALL < %t.mlir

// CHECK: func.func @denominator(
// CHECK: mirage_block.exp
// CHECK-NOT: mirage_block.exp
// CHECK: func.func private @denominator_reference(

// REMARK: remark: dropped {{[0-9]+}} numerically unstable μGraph
// REMARK: note: on inputs 'times-{{[0-9]+}}' its error is infinite ({{[0-9]+}} elements overflow), the program's is {{[0-9.]+}} ulps

// OFF-NOT: remark
// OFF: mirage_block.exp
// OFF: mirage_block.exp
// OFF: func.func private @denominator_reference(

// REPORT: "candidates": [
// REPORT: "stability": {
// REPORT-NEXT: "inputs": "{{[a-z0-9-]+}}",
// REPORT-NEXT: "output": null,
// REPORT-NEXT: "overflows": 0,
// REPORT-NEXT: "reference_overflows": 0,
// REPORT-NEXT: "reference_ulps": {{[0-9.]+}},
// REPORT-NEXT: "ulps": {{[0-9.]+}}
// REPORT: "dropped": [
// REPORT: "stability": {
// REPORT-NEXT: "inputs": "times-{{[0-9]+}}",
// REPORT-NEXT: "output": null,
// REPORT-NEXT: "overflows": {{[1-9]}}
// REPORT-NEXT: "reference_overflows": 0,
// REPORT-NEXT: "reference_ulps": {{[0-9.]+}},
// REPORT-NEXT: "ulps": null
// REPORT: "stability_factor": 4,
// REPORT: "unstable": {{[1-9]}}

// No exponential is multiplied by another one.
// ALL: func.func private @denominator_reference(
// ALL: func.func @denominator_candidate_1(
// ALL-NOT: mirage_block.mul {{.*}}tile<{{[0-9]+}}x1xf32>, !mirage.tile<{{[0-9]+}}x1xf32>
func.func @denominator(%x: tensor<512x256xf32>, %m: tensor<512x1xf32>) -> tensor<512x1xf32> {
  %c = mirage.constant -1.0 : tensor<f32>
  %n = mirage_kernel.mul %m, %c : (tensor<512x1xf32>, tensor<f32>) -> tensor<512x1xf32>
  %d = mirage_kernel.add %x, %n : (tensor<512x256xf32>, tensor<512x1xf32>) -> tensor<512x256xf32>
  %e = mirage_kernel.exp %d : (tensor<512x256xf32>) -> tensor<512x256xf32>
  %s = mirage_kernel.sum %e dim 1 : (tensor<512x256xf32>) -> tensor<512x1xf32>
  return %s : tensor<512x1xf32>
}
