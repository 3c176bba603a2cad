// RUN: mirage-opt --mirage-schedule-operators %s | FileCheck %s
// RUN: mirage-opt --mirage-schedule-operators=hoist-loads=false %s | FileCheck %s --check-prefix=FREE
// RUN: mirage-opt --mirage-schedule-operators --mirage-plan-memory=max-stages=1 --mirage-schedule-operators %s | FileCheck %s

// Loads come first, and what doesn't depend on each other shares a depth: four
// for the loop's seven operators. The sums stay where their tiles are made.
// Outside, depths count from 0 again; savers come last.
// CHECK-NOT:   mirage.offsets
// CHECK-LABEL: func.func @attention
// CHECK:       mirage_block.loop iterations 4 {{.*}} attributes {mirage.depth = 0 : i64} {
// CHECK-NEXT:    mirage_block.input_iterator {{.*}} {mirage.depth = 0 : i64} : tensor<16x64xf16>
// CHECK-NEXT:    mirage_block.input_iterator {{.*}} {mirage.depth = 0 : i64} : tensor<64x16xf16>
// CHECK-NEXT:    mirage_block.input_iterator {{.*}} {mirage.depth = 0 : i64} : tensor<64x32xf16>
// CHECK-NEXT:    %[[QK:.*]] = mirage_block.matmul {{.*}} {mirage.depth = 1 : i64}
// CHECK-NEXT:    %[[E:.*]] = mirage_block.exp %[[QK]] {mirage.depth = 2 : i64}
// CHECK-NEXT:    mirage_block.matmul %[[E]], %{{.*}} {mirage.depth = 3 : i64}
// CHECK-NEXT:    mirage_block.sum %[[E]] dim 1 {mirage.depth = 3 : i64}
// CHECK-NEXT:    mirage_block.accumulate
// CHECK-NEXT:  }
// CHECK-NEXT:  mirage_block.div %{{.*}} {mirage.depth = 1 : i64}
// CHECK-NEXT:  mirage_block.output_saver {{.*}} omap <x -> 0> : !mirage.tile<4x32xf32>

// Loads that are free wait: v is loaded where k has been read.
// FREE-LABEL: func.func @attention
// FREE:       mirage_block.loop
// FREE:         mirage_block.input_iterator {{.*}} {mirage.depth = 2 : i64} : tensor<64x32xf16>
func.func @attention(%q: tensor<16x64xf16>, %k: tensor<64x16xf16>, %v: tensor<64x32xf16>) -> tensor<16x32xf16> {
  %z = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 4> : (tensor<16x64xf16>, tensor<64x16xf16>, tensor<64x32xf16>) -> tensor<16x32xf16> {
  ^bb0(%Q: tensor<16x64xf16>, %K: tensor<64x16xf16>, %V: tensor<64x32xf16>):
    %l, %a = mirage_block.loop iterations 4 -> !mirage.tile<4x1xf32>, !mirage.tile<4x32xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> 0> fmap <i -> replica> : tensor<16x64xf16> -> !mirage.tile<4x64xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 1> : tensor<64x16xf16> -> !mirage.tile<64x4xf16>
      %qk = mirage_block.matmul %qt, %kt : (!mirage.tile<4x64xf16>, !mirage.tile<64x4xf16>) -> !mirage.tile<4x4xf32>
      %e = mirage_block.exp %qk : (!mirage.tile<4x4xf32>) -> !mirage.tile<4x4xf16>
      %vt = mirage_block.input_iterator %V imap <x -> 0> fmap <i -> 0> : tensor<64x32xf16> -> !mirage.tile<4x32xf16>
      %p = mirage_block.matmul %e, %vt : (!mirage.tile<4x4xf16>, !mirage.tile<4x32xf16>) -> !mirage.tile<4x32xf32>
      %s = mirage_block.sum %e dim 1 : (!mirage.tile<4x4xf16>) -> !mirage.tile<4x1xf32>
      mirage_block.accumulate sum %s, sum %p : !mirage.tile<4x1xf32>, !mirage.tile<4x32xf32>
    }
    %r = mirage_block.div %a, %l : (!mirage.tile<4x32xf32>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x32xf32>
    mirage_block.output_saver %r omap <x -> 0> : !mirage.tile<4x32xf32> -> tensor<16x32xf16>
  }
  return %z : tensor<16x32xf16>
}

// %b is read at the last depth only, and loaded with the others all the same, so
// that its latency is waited for once. The maximum is of the addition, which alone
// reads it. The saver that stands in
// front of an operator moves behind it, the other stays the second. Constants have
// no depth, unless they are saved.
// CHECK-LABEL: func.func @late
// CHECK:         mirage.constant 1.000000e+00 : !mirage.tile<f32>
// CHECK-NEXT:    %[[B:.*]] = mirage_block.input_iterator {{.*}} {mirage.depth = 0 : i64} : tensor<16x1xf32>
// CHECK-NEXT:    %[[X:.*]] = mirage_block.input_iterator {{.*}} {mirage.depth = 0 : i64} : tensor<16x16xf16>
// CHECK-NEXT:    mirage.constant 2.000000e+00 {mirage.depth = 0 : i64} : !mirage.tile<f32>
// CHECK-NEXT:    %[[M:.*]] = mirage_block.reduce_max %[[X]] dim 1 : {{.*}}
// CHECK-NEXT:    mirage_block.add %[[M]], {{.*}} {mirage.depth = 1 : i64}
// CHECK-NEXT:    mirage_block.sub {{.*}} {mirage.depth = 2 : i64}
// CHECK-NEXT:    mirage_block.output_saver %{{.*}} -> tensor<f16>
// CHECK-NEXT:    mirage_block.output_saver %{{.*}} -> tensor<16x1xf16>
func.func @late(%x: tensor<16x16xf16>, %b: tensor<16x1xf32>) -> (tensor<f16>, tensor<16x1xf16>) {
  %z:2 = mirage_kernel.graph_defined (%x, %b) grid <x = 1> : (tensor<16x16xf16>, tensor<16x1xf32>) -> (tensor<f16>, tensor<16x1xf16>) {
  ^bb0(%X: tensor<16x16xf16>, %B: tensor<16x1xf32>):
    %bt = mirage_block.input_iterator %B imap <x -> replica> : tensor<16x1xf32> -> !mirage.tile<16x1xf32>
    %one = mirage.constant 1.0 : !mirage.tile<f32>
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<16x16xf16> -> !mirage.tile<16x16xf16>
    %two = mirage.constant 2.0 : !mirage.tile<f32>
    mirage_block.output_saver %two omap <x -> replica> : !mirage.tile<f32> -> tensor<f16>
    %m = mirage_block.reduce_max %xt dim 1 : (!mirage.tile<16x16xf16>) -> !mirage.tile<16x1xf32>
    %n = mirage_block.add %m, %one : (!mirage.tile<16x1xf32>, !mirage.tile<f32>) -> !mirage.tile<16x1xf32>
    %o = mirage_block.sub %n, %bt : (!mirage.tile<16x1xf32>, !mirage.tile<16x1xf32>) -> !mirage.tile<16x1xf32>
    mirage_block.output_saver %o omap <x -> replica> : !mirage.tile<16x1xf32> -> tensor<16x1xf16>
  }
  return %z#0, %z#1 : tensor<f16>, tensor<16x1xf16>
}

// What reads nothing but hoisted tiles is behind the operators that make them.
// CHECK-LABEL: func.func @after_hoisted
// CHECK:         mirage_block.input_iterator {{.*}} {mirage.depth = 0 : i64}
// CHECK:         mirage_block.matmul {{.*}} {mirage.depth = 1 : i64}
// CHECK:         mirage_block.exp {{.*}} {mirage.depth = 2 : i64}
func.func @after_hoisted(%x: tensor<16x16xf16>) -> tensor<16x16xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<16x16xf16>) -> tensor<16x16xf32> {
  ^bb0(%X: tensor<16x16xf16>):
    %r = mirage_block.loop iterations 2 -> !mirage.tile<16x16xf32> {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> replica> : tensor<16x16xf16> -> !mirage.tile<16x16xf16>
      %p = mirage_block.matmul %t, %t : (!mirage.tile<16x16xf16>, !mirage.tile<16x16xf16>) -> !mirage.tile<16x16xf32>
      %e = mirage_block.exp %p : (!mirage.tile<16x16xf32>) -> !mirage.tile<16x16xf32>
      mirage_block.accumulate sum %e : !mirage.tile<16x16xf32>
    }
    mirage_block.output_saver %r omap <x -> replica> : !mirage.tile<16x16xf32> -> tensor<16x16xf32>
  }
  return %z : tensor<16x16xf32>
}

// Three products at once have three results at once, for which an A100 has no room: there they have no depths.
// RUN: mirage-opt --mirage-schedule-operators=target=sm_80 %s | FileCheck %s --check-prefix=SMALL
// RUN: not mirage-opt --mirage-schedule-operators=target=sm_1 %s 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: {{.*}}sm_1
// CHECK-LABEL: func.func @products
// CHECK-COUNT-3: mirage_block.matmul {{.*}} {mirage.depth = 1 : i64}
// SMALL-LABEL: func.func @products
// SMALL-NOT: mirage.depth
// SMALL: return
func.func @products(%x: tensor<96x512xf16>, %w: tensor<512x48xf16>) -> (tensor<96x48xf16>, tensor<96x48xf16>, tensor<96x48xf16>) {
  %z:3 = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<96x512xf16>, tensor<512x48xf16>) -> (tensor<96x48xf16>, tensor<96x48xf16>, tensor<96x48xf16>) {
  ^bb0(%X: tensor<96x512xf16>, %W: tensor<512x48xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<96x512xf16> -> !mirage.tile<96x512xf16>
    %u = mirage_block.input_iterator %W imap <x -> replica> : tensor<512x48xf16> -> !mirage.tile<512x48xf16>
    %0 = mirage_block.matmul %t, %u : (!mirage.tile<96x512xf16>, !mirage.tile<512x48xf16>) -> !mirage.tile<96x48xf32>
    %1 = mirage_block.matmul %t, %u : (!mirage.tile<96x512xf16>, !mirage.tile<512x48xf16>) -> !mirage.tile<96x48xf32>
    %2 = mirage_block.matmul %t, %u : (!mirage.tile<96x512xf16>, !mirage.tile<512x48xf16>) -> !mirage.tile<96x48xf32>
    mirage_block.output_saver %0 omap <x -> replica> : !mirage.tile<96x48xf32> -> tensor<96x48xf16>
    mirage_block.output_saver %1 omap <x -> replica> : !mirage.tile<96x48xf32> -> tensor<96x48xf16>
    mirage_block.output_saver %2 omap <x -> replica> : !mirage.tile<96x48xf32> -> tensor<96x48xf16>
  }
  return %z#0, %z#1, %z#2 : tensor<96x48xf16>, tensor<96x48xf16>, tensor<96x48xf16>
}
