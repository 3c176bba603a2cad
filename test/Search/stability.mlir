// μGraphs that are equal over the reals but overflow where the program doesn't are dropped: here exp(-m) sum(exp(x)) for
// sum(exp(x - m)). The cheapest one is among them, and the next takes its place. The rule `exponentials` doesn't make them,
// as the program takes no such exponentials.

// RUN: mirage-opt %s --mirage-superoptimize="max-block-ops=6" 2>&1 | FileCheck %s --implicit-check-not=remark
// RUN: mirage-opt %s --mirage-superoptimize="max-block-ops=6 without=exponentials" 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks
// RUN: mirage-opt %s --mirage-superoptimize="max-block-ops=6 without=exponentials stability-factor=0" 2>&1 | FileCheck %s --check-prefix=OFF
// RUN: mirage-opt %s --mirage-superoptimize="max-block-ops=6 without=exponentials candidates=64 report=%t.json" 2>/dev/null -o %t.mlir
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

// A kernel matrix of radial basis functions times weights: |x|² - 2 xy + |y|² is the exponent of one exponential, though
// that of |x|² could be taken out of the sum over y, and what is left would overflow.

// CHECK: func.func @radial(
// CHECK-COUNT-1: mirage_block.exp
// CHECK-NOT: mirage_block.exp
// CHECK: func.func private @radial_reference(
func.func @radial(%x: tensor<64x64xf16>, %y: tensor<512x64xf16>, %w: tensor<512x16xf16>) -> tensor<64x16xf16> {
  %g = mirage.constant -0.05 : tensor<f32>
  %two = mirage.constant 2.0 : tensor<f32>
  %xx = mirage_kernel.sqr %x : (tensor<64x64xf16>) -> tensor<64x64xf32>
  %a = mirage_kernel.sum %xx dim 1 : (tensor<64x64xf32>) -> tensor<64x1xf32>
  %t = mirage_kernel.transpose %y permutation [1, 0] : (tensor<512x64xf16>) -> tensor<64x512xf16>
  %yy = mirage_kernel.sqr %t : (tensor<64x512xf16>) -> tensor<64x512xf32>
  %b = mirage_kernel.sum %yy dim 0 : (tensor<64x512xf32>) -> tensor<1x512xf32>
  %c = mirage_kernel.matmul %x, %t : (tensor<64x64xf16>, tensor<64x512xf16>) -> tensor<64x512xf32>
  %d = mirage_kernel.add %a, %b : (tensor<64x1xf32>, tensor<1x512xf32>) -> tensor<64x512xf32>
  %e = mirage_kernel.mul %c, %two : (tensor<64x512xf32>, tensor<f32>) -> tensor<64x512xf32>
  %f = mirage_kernel.sub %d, %e : (tensor<64x512xf32>, tensor<64x512xf32>) -> tensor<64x512xf32>
  %h = mirage_kernel.mul %f, %g : (tensor<64x512xf32>, tensor<f32>) -> tensor<64x512xf32>
  %k = mirage_kernel.exp %h : (tensor<64x512xf32>) -> tensor<64x512xf16>
  %o = mirage_kernel.matmul %k, %w : (tensor<64x512xf16>, tensor<512x16xf16>) -> tensor<64x16xf16>
  return %o : tensor<64x16xf16>
}
