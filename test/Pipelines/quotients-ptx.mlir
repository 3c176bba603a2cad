// No quotient or root of f32 is correctly rounded, whether threads have one element or several.
// RUN: mirage-opt %s --mirage-lower-mugraphs="target=sm_90a compile-to=ptx" | python3 %S/Inputs/extract_ptx.py | FileCheck %s
// CHECK-NOT: {{(div|sqrt|rcp)\.rn}}
// CHECK: div.full.f32
// CHECK-NOT: {{(div|sqrt|rcp)\.rn}}

// Each of 64 rows by the other's, so that there are as many divisors.
func.func @ratio(%x: tensor<64x256xf32>, %y: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %r = mirage_kernel.graph_defined (%x, %y) grid <x = 4> {mirage.scheduled} : (tensor<64x256xf32>, tensor<64x256xf32>) -> tensor<64x256xf32> {
  ^bb0(%X: tensor<64x256xf32>, %Y: tensor<64x256xf32>):
    %a = mirage_block.input_iterator %X imap <x -> 0> : tensor<64x256xf32> -> !mirage.tile<16x256xf32>
    %b = mirage_block.input_iterator %Y imap <x -> 0> : tensor<64x256xf32> -> !mirage.tile<16x256xf32>
    %q = mirage_block.div %a, %b : (!mirage.tile<16x256xf32>, !mirage.tile<16x256xf32>) -> !mirage.tile<16x256xf32>
    mirage_block.output_saver %q omap <x -> 0> : !mirage.tile<16x256xf32> -> tensor<64x256xf32>
  }
  return %r : tensor<64x256xf32>
}

func.func @norm(%x: tensor<1x768xf16>) -> tensor<1x768xf16> {
  %r = mirage_kernel.graph_defined (%x) grid <x = 1> {mirage.scheduled} : (tensor<1x768xf16>) -> tensor<1x768xf16> {
  ^bb0(%X: tensor<1x768xf16>):
    %a = mirage_block.input_iterator %X imap <x -> replica> : tensor<1x768xf16> -> !mirage.tile<1x768xf16>
    %s = mirage_block.sqr %a : (!mirage.tile<1x768xf16>) -> !mirage.tile<1x768xf32>
    %t = mirage_block.sum %s dim 1 : (!mirage.tile<1x768xf32>) -> !mirage.tile<1x1xf32>
    %n = mirage.constant 7.680000e+02 : !mirage.tile<f32>
    %m = mirage_block.div %t, %n : (!mirage.tile<1x1xf32>, !mirage.tile<f32>) -> !mirage.tile<1x1xf32>
    %u = mirage_block.sqrt %m : (!mirage.tile<1x1xf32>) -> !mirage.tile<1x1xf32>
    %q = mirage_block.div %a, %u : (!mirage.tile<1x768xf16>, !mirage.tile<1x1xf32>) -> !mirage.tile<1x768xf32>
    mirage_block.output_saver %q omap <x -> 0> : !mirage.tile<1x768xf32> -> tensor<1x768xf16>
  }
  return %r : tensor<1x768xf16>
}
