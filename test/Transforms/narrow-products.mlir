// RUN: mirage-opt --mirage-narrow-products %s | FileCheck %s

// Weights times rows that are computed in f32; a mark that is there already
// stays, and one on another product goes.
// CHECK-LABEL: func.func @of_f16_and_f32
// CHECK: mirage_block.matmul {{.*}} {mirage.narrowed}
// CHECK: mirage_block.matmul
// CHECK-NOT: mirage.narrowed
// CHECK: return
func.func @of_f16_and_f32(%x: tensor<16x64xf16>, %w: tensor<64x32xf16>) -> (tensor<16x32xf32>, tensor<16x32xf32>) {
  %z:2 = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<16x64xf16>, tensor<64x32xf16>) -> (tensor<16x32xf32>, tensor<16x32xf32>) {
  ^bb0(%X: tensor<16x64xf16>, %W: tensor<64x32xf16>):
    %a = mirage_block.input_iterator %X imap <x -> replica> : tensor<16x64xf16> -> !mirage.tile<16x64xf16>
    %b = mirage_block.input_iterator %W imap <x -> replica> : tensor<64x32xf16> -> !mirage.tile<64x32xf16>
    %s = mirage_block.sqr %a : (!mirage.tile<16x64xf16>) -> !mirage.tile<16x64xf32>
    %p = mirage_block.matmul %s, %b {mirage.narrowed} : (!mirage.tile<16x64xf32>, !mirage.tile<64x32xf16>) -> !mirage.tile<16x32xf32>
    %q = mirage_block.matmul %a, %b {mirage.narrowed} : (!mirage.tile<16x64xf16>, !mirage.tile<64x32xf16>) -> !mirage.tile<16x32xf32>
    mirage_block.output_saver %p omap <x -> replica> : !mirage.tile<16x32xf32> -> tensor<16x32xf32>
    mirage_block.output_saver %q omap <x -> replica> : !mirage.tile<16x32xf32> -> tensor<16x32xf32>
  }
  return %z#0, %z#1 : tensor<16x32xf32>, tensor<16x32xf32>
}

// bf16 has other bits, and of an exponential's argument what is cut off is
// multiplied, too.
// CHECK-LABEL: func.func @others
// CHECK-NOT: mirage.narrowed
// CHECK: return
func.func @others(%x: tensor<16x64xbf16>, %w: tensor<64x32xbf16>, %v: tensor<64x32xf16>) -> (tensor<16x32xf32>, tensor<16x32xf32>) {
  %z:2 = mirage_kernel.graph_defined (%x, %w, %v) grid <x = 1> : (tensor<16x64xbf16>, tensor<64x32xbf16>, tensor<64x32xf16>) -> (tensor<16x32xf32>, tensor<16x32xf32>) {
  ^bb0(%X: tensor<16x64xbf16>, %W: tensor<64x32xbf16>, %V: tensor<64x32xf16>):
    %a = mirage_block.input_iterator %X imap <x -> replica> : tensor<16x64xbf16> -> !mirage.tile<16x64xbf16>
    %b = mirage_block.input_iterator %W imap <x -> replica> : tensor<64x32xbf16> -> !mirage.tile<64x32xbf16>
    %c = mirage_block.input_iterator %V imap <x -> replica> : tensor<64x32xf16> -> !mirage.tile<64x32xf16>
    %s = mirage_block.sqr %a : (!mirage.tile<16x64xbf16>) -> !mirage.tile<16x64xf32>
    %p = mirage_block.matmul %s, %b : (!mirage.tile<16x64xf32>, !mirage.tile<64x32xbf16>) -> !mirage.tile<16x32xf32>
    %q = mirage_block.matmul %s, %c : (!mirage.tile<16x64xf32>, !mirage.tile<64x32xf16>) -> !mirage.tile<16x32xf32>
    %e = mirage_block.exp %q : (!mirage.tile<16x32xf32>) -> !mirage.tile<16x32xf32>
    mirage_block.output_saver %p omap <x -> replica> : !mirage.tile<16x32xf32> -> tensor<16x32xf32>
    mirage_block.output_saver %e omap <x -> replica> : !mirage.tile<16x32xf32> -> tensor<16x32xf32>
  }
  return %z#0, %z#1 : tensor<16x32xf32>, tensor<16x32xf32>
}

// In steps of 8 there is nothing to gain.
// CHECK-LABEL: func.func @steps_of_eight
// CHECK-NOT: mirage.narrowed
// CHECK: return
func.func @steps_of_eight(%x: tensor<16x24xf16>, %w: tensor<24x32xf16>) -> tensor<16x32xf32> {
  %z = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<16x24xf16>, tensor<24x32xf16>) -> tensor<16x32xf32> {
  ^bb0(%X: tensor<16x24xf16>, %W: tensor<24x32xf16>):
    %a = mirage_block.input_iterator %X imap <x -> replica> : tensor<16x24xf16> -> !mirage.tile<16x24xf16>
    %b = mirage_block.input_iterator %W imap <x -> replica> : tensor<24x32xf16> -> !mirage.tile<24x32xf16>
    %s = mirage_block.sqr %a : (!mirage.tile<16x24xf16>) -> !mirage.tile<16x24xf32>
    %p = mirage_block.matmul %s, %b : (!mirage.tile<16x24xf32>, !mirage.tile<24x32xf16>) -> !mirage.tile<16x32xf32>
    mirage_block.output_saver %p omap <x -> replica> : !mirage.tile<16x32xf32> -> tensor<16x32xf32>
  }
  return %z : tensor<16x32xf32>
}

// Blocks that overlap would write different values of what they have in common.
// CHECK-LABEL: func.func @overlapping
// CHECK-NOT: mirage.narrowed
// CHECK: return
func.func @overlapping(%x: tensor<37x64xf16>, %w: tensor<64x32xf16>) -> tensor<37x32xf32> {
  %z = mirage_kernel.graph_defined (%x, %w) grid <x = 3> : (tensor<37x64xf16>, tensor<64x32xf16>) -> tensor<37x32xf32> {
  ^bb0(%X: tensor<37x64xf16>, %W: tensor<64x32xf16>):
    %a = mirage_block.input_iterator %X imap <x -> 0> : tensor<37x64xf16> -> !mirage.tile<16x64xf16>
    %b = mirage_block.input_iterator %W imap <x -> replica> : tensor<64x32xf16> -> !mirage.tile<64x32xf16>
    %s = mirage_block.sqr %a : (!mirage.tile<16x64xf16>) -> !mirage.tile<16x64xf32>
    %p = mirage_block.matmul %s, %b : (!mirage.tile<16x64xf32>, !mirage.tile<64x32xf16>) -> !mirage.tile<16x32xf32>
    mirage_block.output_saver %p omap <x -> 0> : !mirage.tile<16x32xf32> -> tensor<37x32xf32>
  }
  return %z : tensor<37x32xf32>
}

// What is compared jumps where the least is cut off, also behind the loop that sums it up; a maximum is continuous, and so is what is masked.
// CHECK-LABEL: func.func @compared
// CHECK-NOT: mirage.narrowed
// CHECK: return
func.func @compared(%x: tensor<16x128xf16>, %w: tensor<128x32xf16>) -> tensor<16x32xf32> {
  %z = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<16x128xf16>, tensor<128x32xf16>) -> tensor<16x32xf32> {
  ^bb0(%X: tensor<16x128xf16>, %W: tensor<128x32xf16>):
    %t = mirage_block.loop iterations 2 -> !mirage.tile<16x32xf32> {
      %a = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<16x128xf16> -> !mirage.tile<16x64xf16>
      %b = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<128x32xf16> -> !mirage.tile<64x32xf16>
      %s = mirage_block.sqr %a : (!mirage.tile<16x64xf16>) -> !mirage.tile<16x64xf32>
      %p = mirage_block.matmul %s, %b : (!mirage.tile<16x64xf32>, !mirage.tile<64x32xf16>) -> !mirage.tile<16x32xf32>
      mirage_block.accumulate sum %p : !mirage.tile<16x32xf32>
    }
    %zero = mirage.constant 0.0 : !mirage.tile<f32>
    %r = mirage_block.greater %t, %zero : (!mirage.tile<16x32xf32>, !mirage.tile<f32>) -> !mirage.tile<16x32xf32>
    mirage_block.output_saver %r omap <x -> replica> : !mirage.tile<16x32xf32> -> tensor<16x32xf32>
  }
  return %z : tensor<16x32xf32>
}

// CHECK-LABEL: func.func @maximum
// CHECK: mirage.narrowed
// CHECK: return
func.func @maximum(%x: tensor<16x128xf16>, %w: tensor<128x32xf16>) -> tensor<16x32xf32> {
  %z = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<16x128xf16>, tensor<128x32xf16>) -> tensor<16x32xf32> {
  ^bb0(%X: tensor<16x128xf16>, %W: tensor<128x32xf16>):
    %t = mirage_block.loop iterations 2 -> !mirage.tile<16x32xf32> {
      %a = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<16x128xf16> -> !mirage.tile<16x64xf16>
      %b = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<128x32xf16> -> !mirage.tile<64x32xf16>
      %s = mirage_block.sqr %a : (!mirage.tile<16x64xf16>) -> !mirage.tile<16x64xf32>
      %p = mirage_block.matmul %s, %b : (!mirage.tile<16x64xf32>, !mirage.tile<64x32xf16>) -> !mirage.tile<16x32xf32>
      mirage_block.accumulate sum %p : !mirage.tile<16x32xf32>
    }
    %zero = mirage.constant 0.0 : !mirage.tile<f32>
    %r = mirage_block.max %t, %zero : (!mirage.tile<16x32xf32>, !mirage.tile<f32>) -> !mirage.tile<16x32xf32>
    mirage_block.output_saver %r omap <x -> replica> : !mirage.tile<16x32xf32> -> tensor<16x32xf32>
  }
  return %z : tensor<16x32xf32>
}

// CHECK-LABEL: func.func @masked
// CHECK: mirage.narrowed
// CHECK: return
func.func @masked(%x: tensor<16x128xf16>, %w: tensor<128x32xf16>) -> tensor<16x32xf32> {
  %z = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<16x128xf16>, tensor<128x32xf16>) -> tensor<16x32xf32> {
  ^bb0(%X: tensor<16x128xf16>, %W: tensor<128x32xf16>):
    %t = mirage_block.loop iterations 2 -> !mirage.tile<16x32xf32> {
      %a = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<16x128xf16> -> !mirage.tile<16x64xf16>
      %b = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<128x32xf16> -> !mirage.tile<64x32xf16>
      %s = mirage_block.sqr %a : (!mirage.tile<16x64xf16>) -> !mirage.tile<16x64xf32>
      %p = mirage_block.matmul %s, %b : (!mirage.tile<16x64xf32>, !mirage.tile<64x32xf16>) -> !mirage.tile<16x32xf32>
      mirage_block.accumulate sum %p : !mirage.tile<16x32xf32>
    }
    %zero = mirage.constant 0.0 : !mirage.tile<f32>
    %r = mirage_block.where %zero, %t : (!mirage.tile<f32>, !mirage.tile<16x32xf32>) -> !mirage.tile<16x32xf32>
    mirage_block.output_saver %r omap <x -> replica> : !mirage.tile<16x32xf32> -> tensor<16x32xf32>
  }
  return %z : tensor<16x32xf32>
}
