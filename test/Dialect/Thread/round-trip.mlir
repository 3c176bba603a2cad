// RUN: mirage-opt %s | mirage-opt | FileCheck %s
// RUN: mirage-opt --mlir-print-op-generic %s | mirage-opt | FileCheck %s

// CHECK-LABEL: func.func @operators
func.func @operators(%x: tensor<4x8xf16>) {
  mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x8xf16>) -> () {
  ^bb0(%X: tensor<4x8xf16>):
    %a = mirage_block.input_iterator %X imap <x -> 0> : tensor<4x8xf16> -> !mirage.tile<4x8xf16>
    %r = mirage_block.graph_defined (%a) : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x8xf16> {
    // CHECK: ^bb0(%[[F:.*]]: !mirage.fragment<4x8xf16>):
    ^bb0(%f: !mirage.fragment<4x8xf16>):
      // CHECK: %[[K:.*]] = mirage.constant 2.000000e+00 : !mirage.fragment<f32>
      %k = mirage.constant 2.0 : !mirage.fragment<f32>
      // CHECK: mirage_thread.add %[[F]], %[[K]] : (!mirage.fragment<4x8xf16>, !mirage.fragment<f32>) -> !mirage.fragment<4x8xf32>
      %0 = mirage_thread.add %f, %k : (!mirage.fragment<4x8xf16>, !mirage.fragment<f32>) -> !mirage.fragment<4x8xf32>
      // CHECK: mirage_thread.sub
      %1 = mirage_thread.sub %k, %f : (!mirage.fragment<f32>, !mirage.fragment<4x8xf16>) -> !mirage.fragment<4x8xf32>
      // CHECK: mirage_thread.mul
      %2 = mirage_thread.mul %f, %f {note} : (!mirage.fragment<4x8xf16>, !mirage.fragment<4x8xf16>) -> !mirage.fragment<4x8xf32>
      // CHECK: mirage_thread.div
      %3 = mirage_thread.div %f, %k : (!mirage.fragment<4x8xf16>, !mirage.fragment<f32>) -> !mirage.fragment<4x8xf32>
      // CHECK: mirage_thread.sqr %[[F]] : (!mirage.fragment<4x8xf16>) -> !mirage.fragment<4x8xf32>
      %4 = mirage_thread.sqr %f : (!mirage.fragment<4x8xf16>) -> !mirage.fragment<4x8xf32>
      // CHECK: mirage_thread.sqrt
      %5 = mirage_thread.sqrt %f : (!mirage.fragment<4x8xf16>) -> !mirage.fragment<4x8xf32>
      // CHECK: mirage_thread.exp
      %6 = mirage_thread.exp %f : (!mirage.fragment<4x8xf16>) -> !mirage.fragment<4x8xf32>
      // CHECK: mirage_thread.silu
      %7 = mirage_thread.silu %f : (!mirage.fragment<4x8xf16>) -> !mirage.fragment<4x8xf32>
      // CHECK: %[[C:.*]] = mirage_thread.cast %[[F]] : (!mirage.fragment<4x8xf16>) -> !mirage.fragment<4x8xbf16>
      %8 = mirage_thread.cast %f : (!mirage.fragment<4x8xf16>) -> !mirage.fragment<4x8xbf16>
      // CHECK: mirage_thread.yield {note} %[[C]] : !mirage.fragment<4x8xbf16>
      mirage_thread.yield {note} %8 : !mirage.fragment<4x8xbf16>
    }
  }
  return
}

// CHECK-LABEL: func.func @nothing
func.func @nothing() {
  mirage_kernel.graph_defined () grid <x = 1> : () -> () {
    mirage_block.graph_defined () : () -> () {
      // CHECK: mirage_thread.yield{{$}}
      mirage_thread.yield
    }
  }
  return
}
