// RUN: mirage-opt --mirage-construct-thread-graphs --split-input-file %s | FileCheck %s
// RUN: sed 's/"sm_90a", sm_count/"sm_80", sm_count/' %s | mirage-opt --mirage-construct-thread-graphs=target=sm_80 --split-input-file | FileCheck %s --check-prefix=SMALLER
// RUN: mirage-opt --mirage-construct-thread-graphs=reciprocals=false --split-input-file %s | FileCheck %s --check-prefix=WITHOUT
// RUN: not mirage-opt --mirage-construct-thread-graphs=target=sm_70 %s 2>&1 | FileCheck %s --check-prefix=TARGET

// TARGET: error: unknown target 'sm_70', expected one of sm_80, sm_90a
// WITHOUT-LABEL: func.func @rows
// WITHOUT-NOT:     mirage_thread.mul
// WITHOUT:         mirage_thread.div

// Rows that are divided by their sums are multiplied by reciprocals, of which a
// row has one. What divides twice has one tile of them.
// CHECK-LABEL: func.func @rows
// CHECK:         %[[SUM:.*]] = mirage_block.sum
// CHECK:         %[[ONES:.*]] = mirage_block.graph_defined(%[[SUM]])
// CHECK:           %[[ONE:.*]] = mirage.constant 1.{{.*}} : !mirage.fragment<f32>
// CHECK:           mirage_thread.div %[[ONE]], %{{.*}} : {{.*}} -> !mirage.fragment<32x1xf32>
// CHECK-NOT:     mirage_thread.div
// CHECK:         mirage_block.graph_defined(%{{.*}}, %[[ONES]])
// CHECK:           mirage_thread.mul
// CHECK:           mirage_thread.mul
// CHECK-NOT:     mirage_thread.div
// CHECK:         mirage_block.output_saver
func.func @rows(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<32x64xf32>) -> tensor<32x64xf32> {
  ^bb0(%X: tensor<32x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<32x64xf32> -> !mirage.tile<32x64xf32>
    %s = mirage_block.sum %t dim 1 : (!mirage.tile<32x64xf32>) -> !mirage.tile<32x1xf32>
    %q = mirage_block.div %t, %s : (!mirage.tile<32x64xf32>, !mirage.tile<32x1xf32>) -> !mirage.tile<32x64xf32>
    %r = mirage_block.div %q, %s : (!mirage.tile<32x64xf32>, !mirage.tile<32x1xf32>) -> !mirage.tile<32x64xf32>
    mirage_block.output_saver %r omap <x -> replica> : !mirage.tile<32x64xf32> -> tensor<32x64xf32>
  }
  return %z : tensor<32x64xf32>
}

// A constant has a constant for its reciprocal.
// CHECK-LABEL: func.func @constant(
// CHECK-NOT:     mirage.constant 4.0
// CHECK:         %[[FOURTH:.*]] = mirage.constant 2.5{{0*}}e-01
// CHECK-NOT:     mirage.constant
// CHECK:         mirage_thread.mul %{{.*}}, %[[FOURTH]]
func.func @constant(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<32x64xf32>) -> tensor<32x64xf32> {
  ^bb0(%X: tensor<32x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<32x64xf32> -> !mirage.tile<32x64xf32>
    %c = mirage.constant 4.0 : !mirage.tile<f32>
    %q = mirage_block.div %t, %c : (!mirage.tile<32x64xf32>, !mirage.tile<f32>) -> !mirage.tile<32x64xf32>
    mirage_block.output_saver %q omap <x -> replica> : !mirage.tile<32x64xf32> -> tensor<32x64xf32>
  }
  return %z : tensor<32x64xf32>
}

// The constant is rounded to its type first, here to 4096.
// CHECK-LABEL: func.func @rounded(
// CHECK:         mirage.constant 2.44140625E-4 :
// CHECK:         mirage_thread.mul
func.func @rounded(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<32x64xf32>) -> tensor<32x64xf32> {
  ^bb0(%X: tensor<32x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<32x64xf32> -> !mirage.tile<32x64xf32>
    %c = mirage.constant 4096.9 : !mirage.tile<f16>
    %q = mirage_block.div %t, %c : (!mirage.tile<32x64xf32>, !mirage.tile<f16>) -> !mirage.tile<32x64xf32>
    mirage_block.output_saver %q omap <x -> replica> : !mirage.tile<32x64xf32> -> tensor<32x64xf32>
  }
  return %z : tensor<32x64xf32>
}

// 0 has no reciprocal,
// CHECK-LABEL: func.func @zero(
// CHECK-NOT:     mirage_thread.mul
// CHECK:         mirage_thread.div
// CHECK-NOT:     mirage_thread.mul
// CHECK:         return
func.func @zero(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<32x64xf32>) -> tensor<32x64xf32> {
  ^bb0(%X: tensor<32x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<32x64xf32> -> !mirage.tile<32x64xf32>
    %c = mirage.constant 0.0 : !mirage.tile<f32>
    %q = mirage_block.div %t, %c : (!mirage.tile<32x64xf32>, !mirage.tile<f32>) -> !mirage.tile<32x64xf32>
    mirage_block.output_saver %q omap <x -> replica> : !mirage.tile<32x64xf32> -> tensor<32x64xf32>
  }
  return %z : tensor<32x64xf32>
}

// that of a small number is infinite in f32,
// CHECK-LABEL: func.func @small(
// CHECK-NOT:     mirage_thread.mul
// CHECK:         mirage_thread.div
// CHECK-NOT:     mirage_thread.mul
// CHECK:         return
func.func @small(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<32x64xf32>) -> tensor<32x64xf32> {
  ^bb0(%X: tensor<32x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<32x64xf32> -> !mirage.tile<32x64xf32>
    %c = mirage.constant 1.0e-40 : !mirage.tile<f32>
    %q = mirage_block.div %t, %c : (!mirage.tile<32x64xf32>, !mirage.tile<f32>) -> !mirage.tile<32x64xf32>
    mirage_block.output_saver %q omap <x -> replica> : !mirage.tile<32x64xf32> -> tensor<32x64xf32>
  }
  return %z : tensor<32x64xf32>
}

// and that of a great one has lost bits there.
// CHECK-LABEL: func.func @great(
// CHECK-NOT:     mirage_thread.mul
// CHECK:         mirage_thread.div
// CHECK-NOT:     mirage_thread.mul
// CHECK:         return
func.func @great(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<32x64xf32>) -> tensor<32x64xf32> {
  ^bb0(%X: tensor<32x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<32x64xf32> -> !mirage.tile<32x64xf32>
    %c = mirage.constant 3.0e+38 : !mirage.tile<f32>
    %q = mirage_block.div %t, %c : (!mirage.tile<32x64xf32>, !mirage.tile<f32>) -> !mirage.tile<32x64xf32>
    mirage_block.output_saver %q omap <x -> replica> : !mirage.tile<32x64xf32> -> tensor<32x64xf32>
  }
  return %z : tensor<32x64xf32>
}

// Few elements, and as many divisors as elements, are divided.
// CHECK-LABEL: func.func @few
// CHECK:         mirage_thread.div
// CHECK:         mirage_thread.div
// CHECK-NOT:     mirage_thread.mul
func.func @few(%x: tensor<32x64xf32>, %y: tensor<4x64xf32>) -> (tensor<32x64xf32>, tensor<4x64xf32>) {
  %z:2 = mirage_kernel.graph_defined (%x, %y) grid <x = 1> : (tensor<32x64xf32>, tensor<4x64xf32>) -> (tensor<32x64xf32>, tensor<4x64xf32>) {
  ^bb0(%X: tensor<32x64xf32>, %Y: tensor<4x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<32x64xf32> -> !mirage.tile<32x64xf32>
    %u = mirage_block.input_iterator %Y imap <x -> replica> : tensor<4x64xf32> -> !mirage.tile<4x64xf32>
    %s = mirage_block.sum %u dim 1 : (!mirage.tile<4x64xf32>) -> !mirage.tile<4x1xf32>
    %q = mirage_block.div %t, %t : (!mirage.tile<32x64xf32>, !mirage.tile<32x64xf32>) -> !mirage.tile<32x64xf32>
    %r = mirage_block.div %u, %s : (!mirage.tile<4x64xf32>, !mirage.tile<4x1xf32>) -> !mirage.tile<4x64xf32>
    mirage_block.output_saver %q omap <x -> replica> : !mirage.tile<32x64xf32> -> tensor<32x64xf32>
    mirage_block.output_saver %r omap <x -> replica> : !mirage.tile<4x64xf32> -> tensor<4x64xf32>
  }
  return %z#0, %z#1 : tensor<32x64xf32>, tensor<4x64xf32>
}

// A quotient that is a divisor, too.
// CHECK-LABEL: func.func @both
// CHECK-COUNT-2: mirage_thread.div %{{.*}} -> !mirage.fragment<32x{{1|64}}xf32>
// CHECK-NOT:     mirage_thread.div
func.func @both(%x: tensor<32x64xf32>, %y: tensor<8x32x64xf32>) -> tensor<8x32x64xf32> {
  %z = mirage_kernel.graph_defined (%x, %y) grid <x = 1> : (tensor<32x64xf32>, tensor<8x32x64xf32>) -> tensor<8x32x64xf32> {
  ^bb0(%X: tensor<32x64xf32>, %Y: tensor<8x32x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<32x64xf32> -> !mirage.tile<32x64xf32>
    %u = mirage_block.input_iterator %Y imap <x -> replica> : tensor<8x32x64xf32> -> !mirage.tile<8x32x64xf32>
    %s = mirage_block.sum %t dim 1 : (!mirage.tile<32x64xf32>) -> !mirage.tile<32x1xf32>
    %q = mirage_block.div %t, %s : (!mirage.tile<32x64xf32>, !mirage.tile<32x1xf32>) -> !mirage.tile<32x64xf32>
    %r = mirage_block.div %u, %q : (!mirage.tile<8x32x64xf32>, !mirage.tile<32x64xf32>) -> !mirage.tile<8x32x64xf32>
    mirage_block.output_saver %r omap <x -> replica> : !mirage.tile<8x32x64xf32> -> tensor<8x32x64xf32>
  }
  return %z : tensor<8x32x64xf32>
}

// Without a target of the module, the tile of reciprocals must fit that of the
// option: with its 40000 bytes this kernel takes 200032.
// CHECK-LABEL: func.func @fits_one
// CHECK:         mirage_thread.div %{{.*}} -> !mirage.fragment<10000xf32>
// CHECK:         mirage_thread.mul
// SMALLER-LABEL: func.func @fits_one
// SMALLER-NOT:     mirage_thread.mul
// SMALLER:         mirage_thread.div %{{.*}} -> !mirage.fragment<4x10000xf32>
// SMALLER-NOT:     mirage_thread.mul
// SMALLER:         output_saver
func.func @fits_one(%x: tensor<4x10000xf16>, %y: tensor<10000xf16>) -> (tensor<4x10000xf16>, tensor<4x1xf32>) {
  %z:2 = mirage_kernel.graph_defined (%x, %y) grid <x = 1> : (tensor<4x10000xf16>, tensor<10000xf16>) -> (tensor<4x10000xf16>, tensor<4x1xf32>) {
  ^bb0(%X: tensor<4x10000xf16>, %Y: tensor<10000xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x10000xf16> -> !mirage.tile<4x10000xf16>
    %u = mirage_block.input_iterator %Y imap <x -> replica> : tensor<10000xf16> -> !mirage.tile<10000xf16>
    %q = mirage_block.div %t, %u : (!mirage.tile<4x10000xf16>, !mirage.tile<10000xf16>) -> !mirage.tile<4x10000xf16>
    %s = mirage_block.sum %q dim 1 : (!mirage.tile<4x10000xf16>) -> !mirage.tile<4x1xf32>
    mirage_block.output_saver %q omap <x -> replica> : !mirage.tile<4x10000xf16> -> tensor<4x10000xf16>
    mirage_block.output_saver %s omap <x -> replica> : !mirage.tile<4x1xf32> -> tensor<4x1xf32>
  }
  return %z#0, %z#1 : tensor<4x10000xf16>, tensor<4x1xf32>
}

// -----

// What fits the module's target still does: with a tile of reciprocals this
// kernel would take 245760 bytes.
// CHECK-LABEL: func.func @full
// CHECK-NOT:     mirage_thread.mul
// CHECK:         mirage_thread.div %{{.*}} -> !mirage.fragment<4x8192xf32>
// CHECK-NOT:     mirage_thread.mul
// CHECK:       return
module attributes {mirage.target = #mirage.target<"sm_90a", sm_count = 132, shared_bytes = 232448, device_bytes = 80000000000, bandwidth = 4800, tflops = 990, launch_ns = 2000>} {
  func.func @full(%x: tensor<4x8192xf16>, %y: tensor<8192xf16>) -> (tensor<4x8192xf32>, tensor<4x1xf32>, tensor<1x8192xf32>) {
    %z:3 = mirage_kernel.graph_defined (%x, %y) grid <x = 1> : (tensor<4x8192xf16>, tensor<8192xf16>) -> (tensor<4x8192xf32>, tensor<4x1xf32>, tensor<1x8192xf32>) {
    ^bb0(%X: tensor<4x8192xf16>, %Y: tensor<8192xf16>):
      %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x8192xf16> -> !mirage.tile<4x8192xf16>
      %u = mirage_block.input_iterator %Y imap <x -> replica> : tensor<8192xf16> -> !mirage.tile<8192xf16>
      %q = mirage_block.div %t, %u : (!mirage.tile<4x8192xf16>, !mirage.tile<8192xf16>) -> !mirage.tile<4x8192xf32>
      %s = mirage_block.sum %q dim 1 : (!mirage.tile<4x8192xf32>) -> !mirage.tile<4x1xf32>
      %r = mirage_block.sum %q dim 0 : (!mirage.tile<4x8192xf32>) -> !mirage.tile<1x8192xf32>
      mirage_block.output_saver %q omap <x -> replica> : !mirage.tile<4x8192xf32> -> tensor<4x8192xf32>
      mirage_block.output_saver %s omap <x -> replica> : !mirage.tile<4x1xf32> -> tensor<4x1xf32>
      mirage_block.output_saver %r omap <x -> replica> : !mirage.tile<1x8192xf32> -> tensor<1x8192xf32>
    }
    return %z#0, %z#1, %z#2 : tensor<4x8192xf32>, tensor<4x1xf32>, tensor<1x8192xf32>
  }
}

// -----

// Reciprocals of what is computed are in the place of the divisors ...
// CHECK-LABEL: func.func @in_place
// CHECK:         mirage_thread.sqrt
// CHECK:         mirage_thread.div %{{.*}} -> !mirage.fragment<8192xf32>
// CHECK:         mirage_thread.mul
// CHECK-NOT:     mirage_thread.div
// CHECK:         return
module attributes {mirage.target = #mirage.target<"sm_90a", sm_count = 132, shared_bytes = 190000, device_bytes = 80000000000, bandwidth = 4800, tflops = 990, launch_ns = 2000>} {
  func.func @in_place(%x: tensor<4x8192xf16>, %y: tensor<8192xf16>) -> (tensor<4x8192xf16>, tensor<4x1xf32>) {
    %z:2 = mirage_kernel.graph_defined (%x, %y) grid <x = 1> : (tensor<4x8192xf16>, tensor<8192xf16>) -> (tensor<4x8192xf16>, tensor<4x1xf32>) {
    ^bb0(%X: tensor<4x8192xf16>, %Y: tensor<8192xf16>):
      %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x8192xf16> -> !mirage.tile<4x8192xf16>
      %u = mirage_block.input_iterator %Y imap <x -> replica> : tensor<8192xf16> -> !mirage.tile<8192xf16>
      %v = mirage_block.sqrt %u : (!mirage.tile<8192xf16>) -> !mirage.tile<8192xf32>
      %q = mirage_block.div %t, %v : (!mirage.tile<4x8192xf16>, !mirage.tile<8192xf32>) -> !mirage.tile<4x8192xf16>
      %s = mirage_block.sum %q dim 1 : (!mirage.tile<4x8192xf16>) -> !mirage.tile<4x1xf32>
      mirage_block.output_saver %q omap <x -> replica> : !mirage.tile<4x8192xf16> -> tensor<4x8192xf16>
      mirage_block.output_saver %s omap <x -> replica> : !mirage.tile<4x1xf32> -> tensor<4x1xf32>
    }
    return %z#0, %z#1 : tensor<4x8192xf16>, tensor<4x1xf32>
  }

  // ... unless they are wider,
  // CHECK-LABEL: func.func @wider
  // CHECK-NOT:     mirage_thread.mul
  // CHECK:         mirage_thread.div %{{.*}} -> !mirage.fragment<4x8192xf32>
  // CHECK-NOT:     mirage_thread.mul
  // CHECK:         return
  func.func @wider(%x: tensor<4x8192xf16>, %y: tensor<8192xf32>) -> (tensor<4x8192xf16>, tensor<4x1xf32>) {
    %z:2 = mirage_kernel.graph_defined (%x, %y) grid <x = 1> : (tensor<4x8192xf16>, tensor<8192xf32>) -> (tensor<4x8192xf16>, tensor<4x1xf32>) {
    ^bb0(%X: tensor<4x8192xf16>, %Y: tensor<8192xf32>):
      %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x8192xf16> -> !mirage.tile<4x8192xf16>
      %u = mirage_block.input_iterator %Y imap <x -> replica> : tensor<8192xf32> -> !mirage.tile<8192xf32>
      %v = mirage_block.sqrt %u : (!mirage.tile<8192xf32>) -> !mirage.tile<8192xf16>
      %q = mirage_block.div %t, %v : (!mirage.tile<4x8192xf16>, !mirage.tile<8192xf16>) -> !mirage.tile<4x8192xf16>
      %s = mirage_block.sum %q dim 1 : (!mirage.tile<4x8192xf16>) -> !mirage.tile<4x1xf32>
      mirage_block.output_saver %q omap <x -> replica> : !mirage.tile<4x8192xf16> -> tensor<4x8192xf16>
      mirage_block.output_saver %s omap <x -> replica> : !mirage.tile<4x1xf32> -> tensor<4x1xf32>
    }
    return %z#0, %z#1 : tensor<4x8192xf16>, tensor<4x1xf32>
  }

  // or somebody else reads the divisors.
  // CHECK-LABEL: func.func @read
  // CHECK-NOT:     mirage_thread.mul
  // CHECK:         mirage_thread.div %{{.*}} -> !mirage.fragment<4x8192xf32>
  // CHECK-NOT:     mirage_thread.mul
  // CHECK:         return
  func.func @read(%x: tensor<4x8192xf16>, %y: tensor<8192xf16>) -> (tensor<4x8192xf16>, tensor<4x1xf32>, tensor<8192xf32>) {
    %z:3 = mirage_kernel.graph_defined (%x, %y) grid <x = 1> : (tensor<4x8192xf16>, tensor<8192xf16>) -> (tensor<4x8192xf16>, tensor<4x1xf32>, tensor<8192xf32>) {
    ^bb0(%X: tensor<4x8192xf16>, %Y: tensor<8192xf16>):
      %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x8192xf16> -> !mirage.tile<4x8192xf16>
      %u = mirage_block.input_iterator %Y imap <x -> replica> : tensor<8192xf16> -> !mirage.tile<8192xf16>
      %v = mirage_block.sqrt %u : (!mirage.tile<8192xf16>) -> !mirage.tile<8192xf32>
      %q = mirage_block.div %t, %v : (!mirage.tile<4x8192xf16>, !mirage.tile<8192xf32>) -> !mirage.tile<4x8192xf16>
      %s = mirage_block.sum %q dim 1 : (!mirage.tile<4x8192xf16>) -> !mirage.tile<4x1xf32>
      mirage_block.output_saver %q omap <x -> replica> : !mirage.tile<4x8192xf16> -> tensor<4x8192xf16>
      mirage_block.output_saver %s omap <x -> replica> : !mirage.tile<4x1xf32> -> tensor<4x1xf32>
      mirage_block.output_saver %v omap <x -> replica> : !mirage.tile<8192xf32> -> tensor<8192xf32>
    }
    return %z#0, %z#1, %z#2 : tensor<4x8192xf16>, tensor<4x1xf32>, tensor<8192xf32>
  }
}
