// A model has the same parts in each of its layers: they are searched once, and three layers take no more states than two. What the
// first layer reads is an input of the program, and computed for the others.

// RUN: mirage-opt %s --mirage-superoptimize="report=%t.json" | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json

// REPORT: "parts": 4,
// REPORT: "states": [[STATES:[0-9]+]],
// REPORT: "parts": 6,
// REPORT: "states": [[STATES]],


// CHECK-LABEL: func.func @two(
// CHECK-SAME: verdict = "proved"
// CHECK-COUNT-4: mirage_kernel.graph_defined(
// CHECK-NOT: mirage_kernel.graph_defined(
// CHECK: return
func.func @two(%x: tensor<16x512xf16>, %w0: tensor<512x512xf16>, %w1: tensor<512x512xf16>) -> tensor<16x512xf16> {
  %h0 = mirage_kernel.reshape %x : (tensor<16x512xf16>) -> tensor<16x8x64xf16>
  %q0 = mirage_kernel.sqr %h0 : (tensor<16x8x64xf16>) -> tensor<16x8x64xf32>
  %s0 = mirage_kernel.sum %q0 dim 2 : (tensor<16x8x64xf32>) -> tensor<16x8x1xf32>
  %d0 = mirage_kernel.div %h0, %s0 : (tensor<16x8x64xf16>, tensor<16x8x1xf32>) -> tensor<16x8x64xf16>
  %n0 = mirage_kernel.reshape %d0 : (tensor<16x8x64xf16>) -> tensor<16x512xf16>
  %m0 = mirage_kernel.matmul %n0, %w0 : (tensor<16x512xf16>, tensor<512x512xf16>) -> tensor<16x512xf16>
  %a0 = mirage_kernel.silu %m0 : (tensor<16x512xf16>) -> tensor<16x512xf16>
  %y0 = mirage_kernel.add %x, %a0 : (tensor<16x512xf16>, tensor<16x512xf16>) -> tensor<16x512xf16>
  %h1 = mirage_kernel.reshape %y0 : (tensor<16x512xf16>) -> tensor<16x8x64xf16>
  %q1 = mirage_kernel.sqr %h1 : (tensor<16x8x64xf16>) -> tensor<16x8x64xf32>
  %s1 = mirage_kernel.sum %q1 dim 2 : (tensor<16x8x64xf32>) -> tensor<16x8x1xf32>
  %d1 = mirage_kernel.div %h1, %s1 : (tensor<16x8x64xf16>, tensor<16x8x1xf32>) -> tensor<16x8x64xf16>
  %n1 = mirage_kernel.reshape %d1 : (tensor<16x8x64xf16>) -> tensor<16x512xf16>
  %m1 = mirage_kernel.matmul %n1, %w1 : (tensor<16x512xf16>, tensor<512x512xf16>) -> tensor<16x512xf16>
  %a1 = mirage_kernel.silu %m1 : (tensor<16x512xf16>) -> tensor<16x512xf16>
  %y1 = mirage_kernel.add %y0, %a1 : (tensor<16x512xf16>, tensor<16x512xf16>) -> tensor<16x512xf16>
  return %y1 : tensor<16x512xf16>
}

// CHECK-LABEL: func.func @three(
// CHECK-SAME: verdict = "proved"
// CHECK-COUNT-6: mirage_kernel.graph_defined(
// CHECK-NOT: mirage_kernel.graph_defined(
// CHECK: return
func.func @three(%x: tensor<16x512xf16>, %w0: tensor<512x512xf16>, %w1: tensor<512x512xf16>, %w2: tensor<512x512xf16>) -> tensor<16x512xf16> {
  %h0 = mirage_kernel.reshape %x : (tensor<16x512xf16>) -> tensor<16x8x64xf16>
  %q0 = mirage_kernel.sqr %h0 : (tensor<16x8x64xf16>) -> tensor<16x8x64xf32>
  %s0 = mirage_kernel.sum %q0 dim 2 : (tensor<16x8x64xf32>) -> tensor<16x8x1xf32>
  %d0 = mirage_kernel.div %h0, %s0 : (tensor<16x8x64xf16>, tensor<16x8x1xf32>) -> tensor<16x8x64xf16>
  %n0 = mirage_kernel.reshape %d0 : (tensor<16x8x64xf16>) -> tensor<16x512xf16>
  %m0 = mirage_kernel.matmul %n0, %w0 : (tensor<16x512xf16>, tensor<512x512xf16>) -> tensor<16x512xf16>
  %a0 = mirage_kernel.silu %m0 : (tensor<16x512xf16>) -> tensor<16x512xf16>
  %y0 = mirage_kernel.add %x, %a0 : (tensor<16x512xf16>, tensor<16x512xf16>) -> tensor<16x512xf16>
  %h1 = mirage_kernel.reshape %y0 : (tensor<16x512xf16>) -> tensor<16x8x64xf16>
  %q1 = mirage_kernel.sqr %h1 : (tensor<16x8x64xf16>) -> tensor<16x8x64xf32>
  %s1 = mirage_kernel.sum %q1 dim 2 : (tensor<16x8x64xf32>) -> tensor<16x8x1xf32>
  %d1 = mirage_kernel.div %h1, %s1 : (tensor<16x8x64xf16>, tensor<16x8x1xf32>) -> tensor<16x8x64xf16>
  %n1 = mirage_kernel.reshape %d1 : (tensor<16x8x64xf16>) -> tensor<16x512xf16>
  %m1 = mirage_kernel.matmul %n1, %w1 : (tensor<16x512xf16>, tensor<512x512xf16>) -> tensor<16x512xf16>
  %a1 = mirage_kernel.silu %m1 : (tensor<16x512xf16>) -> tensor<16x512xf16>
  %y1 = mirage_kernel.add %y0, %a1 : (tensor<16x512xf16>, tensor<16x512xf16>) -> tensor<16x512xf16>
  %h2 = mirage_kernel.reshape %y1 : (tensor<16x512xf16>) -> tensor<16x8x64xf16>
  %q2 = mirage_kernel.sqr %h2 : (tensor<16x8x64xf16>) -> tensor<16x8x64xf32>
  %s2 = mirage_kernel.sum %q2 dim 2 : (tensor<16x8x64xf32>) -> tensor<16x8x1xf32>
  %d2 = mirage_kernel.div %h2, %s2 : (tensor<16x8x64xf16>, tensor<16x8x1xf32>) -> tensor<16x8x64xf16>
  %n2 = mirage_kernel.reshape %d2 : (tensor<16x8x64xf16>) -> tensor<16x512xf16>
  %m2 = mirage_kernel.matmul %n2, %w2 : (tensor<16x512xf16>, tensor<512x512xf16>) -> tensor<16x512xf16>
  %a2 = mirage_kernel.silu %m2 : (tensor<16x512xf16>) -> tensor<16x512xf16>
  %y2 = mirage_kernel.add %y1, %a2 : (tensor<16x512xf16>, tensor<16x512xf16>) -> tensor<16x512xf16>
  return %y2 : tensor<16x512xf16>
}
