// RUN: mirage-opt --mirage-plan-memory=target=sm_80 %s | FileCheck %s

// Sums in registers go from there to what saves them right behind their loop.
// With another loop in between, which wants the registers, they go through shared memory.
// CHECK-LABEL: func.func @one_after_the_other
// CHECK-COUNT-2: mirage_block.loop iterations 8 -> !mirage.tile<16x64xf32> {
func.func @one_after_the_other(%x: tensor<16x512xf16>, %w: tensor<512x64xf16>) -> (tensor<16x64xf16>, tensor<16x64xf16>) {
  %o:2 = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<16x512xf16>, tensor<512x64xf16>) -> (tensor<16x64xf16>, tensor<16x64xf16>) {
  ^bb0(%X: tensor<16x512xf16>, %W: tensor<512x64xf16>):
    %a = mirage_block.loop iterations 8 -> !mirage.tile<16x64xf32> {
      %x0 = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<16x512xf16> -> !mirage.tile<16x64xf16>
      %w0 = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<512x64xf16> -> !mirage.tile<64x64xf16>
      %p0 = mirage_block.matmul %x0, %w0 : (!mirage.tile<16x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<16x64xf32>
      mirage_block.accumulate sum %p0 : !mirage.tile<16x64xf32>
    }
    mirage_block.output_saver %a omap <x -> replica> : !mirage.tile<16x64xf32> -> tensor<16x64xf16>
    %b = mirage_block.loop iterations 8 -> !mirage.tile<16x64xf32> {
      %x1 = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<16x512xf16> -> !mirage.tile<16x64xf16>
      %w1 = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<512x64xf16> -> !mirage.tile<64x64xf16>
      %p1 = mirage_block.matmul %x1, %w1 : (!mirage.tile<16x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<16x64xf32>
      mirage_block.accumulate sum %p1 : !mirage.tile<16x64xf32>
    }
    mirage_block.output_saver %b omap <x -> replica> : !mirage.tile<16x64xf32> -> tensor<16x64xf16>
  }
  return %o#0, %o#1 : tensor<16x64xf16>, tensor<16x64xf16>
}

// CHECK-LABEL: func.func @with_a_loop_in_between
// CHECK: mirage_block.loop iterations 8 -> !mirage.tile<16x64xf32> attributes {mirage.offsets = array<i64: {{[0-9]+}}>}
// CHECK: mirage_block.loop iterations 8 -> !mirage.tile<16x64xf32> {
func.func @with_a_loop_in_between(%x: tensor<16x512xf16>, %w: tensor<512x64xf16>) -> (tensor<16x64xf16>, tensor<16x64xf16>) {
  %o:2 = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<16x512xf16>, tensor<512x64xf16>) -> (tensor<16x64xf16>, tensor<16x64xf16>) {
  ^bb0(%X: tensor<16x512xf16>, %W: tensor<512x64xf16>):
    %a = mirage_block.loop iterations 8 -> !mirage.tile<16x64xf32> {
      %x0 = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<16x512xf16> -> !mirage.tile<16x64xf16>
      %w0 = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<512x64xf16> -> !mirage.tile<64x64xf16>
      %p0 = mirage_block.matmul %x0, %w0 : (!mirage.tile<16x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<16x64xf32>
      mirage_block.accumulate sum %p0 : !mirage.tile<16x64xf32>
    }
    %b = mirage_block.loop iterations 8 -> !mirage.tile<16x64xf32> {
      %x1 = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<16x512xf16> -> !mirage.tile<16x64xf16>
      %w1 = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<512x64xf16> -> !mirage.tile<64x64xf16>
      %p1 = mirage_block.matmul %x1, %w1 : (!mirage.tile<16x64xf16>, !mirage.tile<64x64xf16>) -> !mirage.tile<16x64xf32>
      mirage_block.accumulate sum %p1 : !mirage.tile<16x64xf32>
    }
    mirage_block.output_saver %a omap <x -> replica> : !mirage.tile<16x64xf32> -> tensor<16x64xf16>
    mirage_block.output_saver %b omap <x -> replica> : !mirage.tile<16x64xf32> -> tensor<16x64xf16>
  }
  return %o#0, %o#1 : tensor<16x64xf16>, tensor<16x64xf16>
}

// Of 64 tiles of 16 x 8 a warp has 16 where 128 threads share them, which fit.
// CHECK-LABEL: func.func @of_few_threads
// CHECK: mirage_block.loop iterations 8 -> !mirage.tile<64x128xf32> {
func.func @of_few_threads(%x: tensor<64x512xf16>, %w: tensor<512x128xf16>) -> tensor<64x128xf16> {
  %o = mirage_kernel.graph_defined (%x, %w) grid <x = 1> {mirage.threads = 128 : i64} : (tensor<64x512xf16>, tensor<512x128xf16>) -> tensor<64x128xf16> {
  ^bb0(%X: tensor<64x512xf16>, %W: tensor<512x128xf16>):
    %a = mirage_block.loop iterations 8 -> !mirage.tile<64x128xf32> {
      %x0 = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x64xf16>
      %w0 = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<512x128xf16> -> !mirage.tile<64x128xf16>
      %p0 = mirage_block.matmul %x0, %w0 : (!mirage.tile<64x64xf16>, !mirage.tile<64x128xf16>) -> !mirage.tile<64x128xf32>
      mirage_block.accumulate sum %p0 : !mirage.tile<64x128xf32>
    }
    mirage_block.output_saver %a omap <x -> replica> : !mirage.tile<64x128xf32> -> tensor<64x128xf16>
  }
  return %o : tensor<64x128xf16>
}

// Each of 1024 threads has 64 registers at most: no room for the two tiles of its warp.
// CHECK-LABEL: func.func @of_many_threads
// CHECK: mirage_block.loop iterations 8 -> !mirage.tile<64x128xf32> attributes {mirage.offsets = array<i64: {{[0-9]+}}>}
func.func @of_many_threads(%x: tensor<64x512xf16>, %w: tensor<512x128xf16>) -> tensor<64x128xf16> {
  %o = mirage_kernel.graph_defined (%x, %w) grid <x = 1> {mirage.threads = 1024 : i64} : (tensor<64x512xf16>, tensor<512x128xf16>) -> tensor<64x128xf16> {
  ^bb0(%X: tensor<64x512xf16>, %W: tensor<512x128xf16>):
    %a = mirage_block.loop iterations 8 -> !mirage.tile<64x128xf32> {
      %x0 = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<64x512xf16> -> !mirage.tile<64x64xf16>
      %w0 = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<512x128xf16> -> !mirage.tile<64x128xf16>
      %p0 = mirage_block.matmul %x0, %w0 : (!mirage.tile<64x64xf16>, !mirage.tile<64x128xf16>) -> !mirage.tile<64x128xf32>
      mirage_block.accumulate sum %p0 : !mirage.tile<64x128xf32>
    }
    mirage_block.output_saver %a omap <x -> replica> : !mirage.tile<64x128xf32> -> tensor<64x128xf16>
  }
  return %o : tensor<64x128xf16>
}
