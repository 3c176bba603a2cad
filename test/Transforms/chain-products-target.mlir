// RUN: mirage-opt --mirage-chain-products %s | FileCheck %s

// What a chain sums up is in registers: 32 KiB less than the tiles of 190 KiB that the graph would have, of which a block of sm_80 has 163.
// CHECK-LABEL: func.func @whole
// CHECK: mirage_block.loop iterations 1
// CHECK: mirage.chained
module attributes {mirage.target = #mirage.target<"sm_80", sm_count = 108, shared_bytes = 166912, device_bytes = 80000000000, bandwidth = 2039, tflops = 312, launch_ns = 2000>} {
func.func @whole(%q: tensor<64x928xf16>, %k: tensor<928x16xf16>, %v: tensor<16x160xf16>) -> tensor<64x160xf16> {
  %r = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1> : (tensor<64x928xf16>, tensor<928x16xf16>, tensor<16x160xf16>) -> tensor<64x160xf16> {
  ^bb0(%Q: tensor<64x928xf16>, %K: tensor<928x16xf16>, %V: tensor<16x160xf16>):
    %qt = mirage_block.input_iterator %Q imap <x -> replica> : tensor<64x928xf16> -> !mirage.tile<64x928xf16>
    %kt = mirage_block.input_iterator %K imap <x -> replica> : tensor<928x16xf16> -> !mirage.tile<928x16xf16>
    %vt = mirage_block.input_iterator %V imap <x -> replica> : tensor<16x160xf16> -> !mirage.tile<16x160xf16>
    %s = mirage_block.matmul %qt, %kt : (!mirage.tile<64x928xf16>, !mirage.tile<928x16xf16>) -> !mirage.tile<64x16xf32>
    %e = mirage_block.sqr %s : (!mirage.tile<64x16xf32>) -> !mirage.tile<64x16xf32>
    %o = mirage_block.matmul %e, %vt : (!mirage.tile<64x16xf32>, !mirage.tile<16x160xf16>) -> !mirage.tile<64x160xf32>
    mirage_block.output_saver %o omap <x -> 0> : !mirage.tile<64x160xf32> -> tensor<64x160xf16>
  }
  return %r : tensor<64x160xf16>
}
}
