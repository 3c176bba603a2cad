// RUN: mirage-opt --mirage-schedule-operators=work-limit=1 --verify-diagnostics %s -o /dev/null
// RUN: not mirage-opt --mirage-schedule-operators=threads=48 %s 2>&1 | FileCheck %s --check-prefix=THREADS

// THREADS: error: the number of threads must be a multiple of 32 from 32 to 1024, found 48

// Nothing is tried: %b is loaded first, where it waits for its reader.
func.func @given_up(%x: tensor<16x16xf16>, %b: tensor<16x1xf32>) -> tensor<16x1xf16> {
  // expected-remark @below {{has operators that could run at several depths, too many to try all; the best order that was found takes 640 bytes of shared memory}}
  %z = mirage_kernel.graph_defined (%x, %b) grid <x = 1> : (tensor<16x16xf16>, tensor<16x1xf32>) -> tensor<16x1xf16> {
  ^bb0(%X: tensor<16x16xf16>, %B: tensor<16x1xf32>):
    %bt = mirage_block.input_iterator %B imap <x -> replica> : tensor<16x1xf32> -> !mirage.tile<16x1xf32>
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<16x16xf16> -> !mirage.tile<16x16xf16>
    %m = mirage_block.reduce_max %xt dim 1 : (!mirage.tile<16x16xf16>) -> !mirage.tile<16x1xf32>
    %n = mirage_block.exp %m : (!mirage.tile<16x1xf32>) -> !mirage.tile<16x1xf32>
    %o = mirage_block.sub %n, %bt : (!mirage.tile<16x1xf32>, !mirage.tile<16x1xf32>) -> !mirage.tile<16x1xf32>
    mirage_block.output_saver %o omap <x -> replica> : !mirage.tile<16x1xf32> -> tensor<16x1xf16>
  }
  return %z : tensor<16x1xf16>
}
