// Where dimensions can't be followed the program is cut, its parts are searched, and what is found is verified as a whole.

// RUN: rm -f %t.db
// RUN: mirage-opt %s --mirage-superoptimize="report=%t.json database=%t.db threads=2" -verify-diagnostics | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: mirage-opt %s --mirage-superoptimize="report=%t.json database=%t.db" | FileCheck %s
// RUN: FileCheck %s --check-prefix=AGAIN < %t.json
// RUN: mirage-opt %s --mirage-superoptimize="candidates=3" | FileCheck %s --check-prefix=THREE

// Heads: a norm and its projection, a softmax, and what merges them again.
// CHECK-LABEL: func.func @heads(
// CHECK-SAME:    mirage.verdict = {{.*}}verdict = "proved"
// CHECK:       %[[Q:.*]] = mirage_kernel.graph_defined(
// CHECK:       %[[H:.*]] = mirage_kernel.reshape %[[Q]]
// CHECK:       %[[S:.*]] = mirage_kernel.graph_defined(%[[H]])
// CHECK:       %[[M:.*]] = mirage_kernel.reshape %[[S]]
// CHECK-NEXT:  return %[[M]]
// THREE-LABEL: func.func @heads(
// THREE:       func.func @heads_candidate_1(
// THREE-SAME:    mirage.verdict = {{.*}}verdict = "proved"
// THREE:       func.func @heads_candidate_2(
// REPORT:      "exhausted": true
// REPORT:      "from_database": false
// REPORT:      "function": "heads"
// REPORT:      "parts": 2
// REPORT:      "unsearched": []
// AGAIN:       "from_database": true
// AGAIN:       "parts": 2
func.func @heads(%x: tensor<16x256xf16>, %w: tensor<256x256xf16>) -> tensor<16x256xf16> {
  %q = mirage_kernel.sqr %x : (tensor<16x256xf16>) -> tensor<16x256xf16>
  %s = mirage_kernel.sum %q dim 1 : (tensor<16x256xf16>) -> tensor<16x1xf16>
  %r = mirage_kernel.sqrt %s : (tensor<16x1xf16>) -> tensor<16x1xf16>
  %n = mirage_kernel.div %x, %r : (tensor<16x256xf16>, tensor<16x1xf16>) -> tensor<16x256xf16>
  %p = mirage_kernel.matmul %n, %w : (tensor<16x256xf16>, tensor<256x256xf16>) -> tensor<16x256xf16>
  %h = mirage_kernel.reshape %p : (tensor<16x256xf16>) -> tensor<16x4x64xf16>
  %e = mirage_kernel.exp %h : (tensor<16x4x64xf16>) -> tensor<16x4x64xf16>
  %t = mirage_kernel.sum %e dim 2 : (tensor<16x4x64xf16>) -> tensor<16x4x1xf16>
  %d = mirage_kernel.div %e, %t : (tensor<16x4x64xf16>, tensor<16x4x1xf16>) -> tensor<16x4x64xf16>
  %m = mirage_kernel.reshape %d : (tensor<16x4x64xf16>) -> tensor<16x256xf16>
  return %m : tensor<16x256xf16>
}

// An input that is returned as it is, a value that is returned twice, a constant of two parts.
// CHECK-LABEL: func.func @outputs(
// CHECK-SAME:    %[[X:.*]]: tensor<64x128xf16>)
// CHECK:       %[[A:.*]] = mirage_kernel.graph_defined(%[[X]])
// CHECK:       %[[F:.*]] = mirage_kernel.reshape %[[A]]
// CHECK:       %[[B:.*]] = mirage_kernel.graph_defined(%[[F]])
// CHECK:       return %[[X]], %[[A]], %[[A]], %[[B]]
func.func @outputs(%x: tensor<64x128xf16>) -> (tensor<64x128xf16>, tensor<64x128xf16>, tensor<64x128xf16>, tensor<8192xf16>) {
  %c = mirage.constant 2.0 : tensor<f16>
  %e = mirage_kernel.mul %x, %c : (tensor<64x128xf16>, tensor<f16>) -> tensor<64x128xf16>
  %a = mirage_kernel.exp %e : (tensor<64x128xf16>) -> tensor<64x128xf16>
  %f = mirage_kernel.reshape %a : (tensor<64x128xf16>) -> tensor<8192xf16>
  %g = mirage_kernel.mul %f, %c : (tensor<8192xf16>, tensor<f16>) -> tensor<8192xf16>
  %b = mirage_kernel.silu %g : (tensor<8192xf16>) -> tensor<8192xf16>
  return %x, %a, %a, %b : tensor<64x128xf16>, tensor<64x128xf16>, tensor<64x128xf16>, tensor<8192xf16>
}

// A part that can't be searched stays as it is; nothing says that the space is exhausted.
// CHECK-LABEL: func.func @many(
// CHECK:       mirage_kernel.graph_defined(
// CHECK:       mirage_kernel.reshape
// CHECK-NEXT:  mirage_kernel.exp
// CHECK-NEXT:  return
// REPORT:      "exhausted": false
// REPORT:      "function": "many"
// REPORT:      "parts": 2
// REPORT:      "stopped_by": ""
// REPORT:      "unsearched": [
// REPORT-NEXT: {
// REPORT-NEXT: "part": 2
// REPORT-NEXT: "reason": "an operator takes 67108864 steps at the small sizes at which values are compared, more than 1048576"
// REPORT-NEXT: }
// REPORT-NEXT: ]
func.func @many(%x: tensor<64x128xf16>) -> tensor<2x2x2x2x2x2x2x2x2x2x2x2x2xf16> {
  %s = mirage_kernel.exp %x : (tensor<64x128xf16>) -> tensor<64x128xf16>
  %d = mirage_kernel.sqr %s : (tensor<64x128xf16>) -> tensor<64x128xf16>
  %a = mirage_kernel.reshape %d : (tensor<64x128xf16>) -> tensor<2x2x2x2x2x2x2x2x2x2x2x2x2xf16>
  // expected-remark @below {{part 2 of 2 of the program is not searched: an operator takes 67108864 steps at the small sizes at which values are compared, more than 1048576}}
  %b = mirage_kernel.exp %a : (tensor<2x2x2x2x2x2x2x2x2x2x2x2x2xf16>) -> tensor<2x2x2x2x2x2x2x2x2x2x2x2x2xf16>
  return %b : tensor<2x2x2x2x2x2x2x2x2x2x2x2x2xf16>
}
