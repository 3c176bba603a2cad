// RUN: mirage-opt --convert-mirage-to-gpu="target=sm_80 allow-unverified" %s | FileCheck %s

// 96 KiB of the 163 that a block can have: one block. 64 KiB: two, which leaves
// each of 128 threads 256 registers.
// CHECK-LABEL: gpu.func @large_0({{.*}}nvvm.minctasm = 1 : i32
// CHECK-LABEL: gpu.func @half_0({{.*}}nvvm.minctasm = 2 : i32
// 256 threads are those of kernels whose sums take many registers.
// CHECK-LABEL: gpu.func @wide_0({{.*}}nvvm.minctasm = 1 : i32
// Of a kernel with little shared memory registers decide how many blocks run together.
// CHECK-LABEL: gpu.func @small_0(
// CHECK-NOT: nvvm.minctasm
// Or the grid: of 300 blocks none of 108 multiprocessors gets more than three.
// CHECK-LABEL: gpu.func @few_0({{.*}}nvvm.minctasm = 3 : i32
// CHECK-LABEL: gpu.func @alone_0({{.*}}nvvm.minctasm = 1 : i32
// Shared memory has room for four blocks of a row chain whose tiles take 164
// registers of each of 128 threads, which leave room for three. Of a chain of
// little shared memory and few registers these decide.
// CHECK-LABEL: gpu.func @many_columns_0({{.*}}nvvm.minctasm = 3 : i32
// CHECK-LABEL: gpu.func @few_columns_0(
// CHECK-NOT: nvvm.minctasm
func.func @large(%x: tensor<384000x64xf32>) -> tensor<384000x1xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1000> : (tensor<384000x64xf32>) -> tensor<384000x1xf32> {
  ^bb0(%X: tensor<384000x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<384000x64xf32> -> !mirage.tile<384x64xf32>
    %s = mirage_block.sum %t dim 1 : (!mirage.tile<384x64xf32>) -> !mirage.tile<384x1xf32>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<384x1xf32> -> tensor<384000x1xf32>
  }
  return %z : tensor<384000x1xf32>
}
func.func @half(%x: tensor<256000x64xf32>) -> tensor<256000x1xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1000> : (tensor<256000x64xf32>) -> tensor<256000x1xf32> {
  ^bb0(%X: tensor<256000x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<256000x64xf32> -> !mirage.tile<256x64xf32>
    %s = mirage_block.sum %t dim 1 : (!mirage.tile<256x64xf32>) -> !mirage.tile<256x1xf32>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<256x1xf32> -> tensor<256000x1xf32>
  }
  return %z : tensor<256000x1xf32>
}
func.func @wide(%x: tensor<256000x64xf32>) -> tensor<256000x1xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1000> {mirage.threads = 256 : i64} : (tensor<256000x64xf32>) -> tensor<256000x1xf32> {
  ^bb0(%X: tensor<256000x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<256000x64xf32> -> !mirage.tile<256x64xf32>
    %s = mirage_block.sum %t dim 1 : (!mirage.tile<256x64xf32>) -> !mirage.tile<256x1xf32>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<256x1xf32> -> tensor<256000x1xf32>
  }
  return %z : tensor<256000x1xf32>
}
func.func @small(%x: tensor<16000x64xf32>) -> tensor<16000x1xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1000> : (tensor<16000x64xf32>) -> tensor<16000x1xf32> {
  ^bb0(%X: tensor<16000x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<16000x64xf32> -> !mirage.tile<16x64xf32>
    %s = mirage_block.sum %t dim 1 : (!mirage.tile<16x64xf32>) -> !mirage.tile<16x1xf32>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<16x1xf32> -> tensor<16000x1xf32>
  }
  return %z : tensor<16000x1xf32>
}
func.func @few(%x: tensor<4800x64xf32>) -> tensor<4800x1xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 300> : (tensor<4800x64xf32>) -> tensor<4800x1xf32> {
  ^bb0(%X: tensor<4800x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<4800x64xf32> -> !mirage.tile<16x64xf32>
    %s = mirage_block.sum %t dim 1 : (!mirage.tile<16x64xf32>) -> !mirage.tile<16x1xf32>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<16x1xf32> -> tensor<4800x1xf32>
  }
  return %z : tensor<4800x1xf32>
}
func.func @alone(%x: tensor<16x64xf32>) -> tensor<16x1xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<16x64xf32>) -> tensor<16x1xf32> {
  ^bb0(%X: tensor<16x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<16x64xf32> -> !mirage.tile<16x64xf32>
    %s = mirage_block.sum %t dim 1 : (!mirage.tile<16x64xf32>) -> !mirage.tile<16x1xf32>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<16x1xf32> -> tensor<16x1xf32>
  }
  return %z : tensor<16x1xf32>
}
func.func @many_columns(%q: tensor<64000x32xf16>, %k: tensor<32x150xf16>, %v: tensor<150x64xf16>) -> tensor<64000x64xf16> {
  %z = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1000> : (tensor<64000x32xf16>, tensor<32x150xf16>, tensor<150x64xf16>) -> tensor<64000x64xf16> {
  ^bb0(%Q: tensor<64000x32xf16>, %K: tensor<32x150xf16>, %V: tensor<150x64xf16>):
    %t = mirage_block.loop iterations 1 -> !mirage.tile<64x64xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> 0> fmap <i -> 1> : tensor<64000x32xf16> -> !mirage.tile<64x32xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 0> : tensor<32x150xf16> -> !mirage.tile<32x150xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<150x64xf16> -> !mirage.tile<150x64xf16>
      %s = mirage_block.matmul %qt, %kt {mirage.chained} : (!mirage.tile<64x32xf16>, !mirage.tile<32x150xf16>) -> !mirage.tile<64x150xf32>
      %e = mirage_block.sqr %s {mirage.chained} : (!mirage.tile<64x150xf32>) -> !mirage.tile<64x150xf32>
      %o = mirage_block.matmul %e, %vt : (!mirage.tile<64x150xf32>, !mirage.tile<150x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate sum %o : !mirage.tile<64x64xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64000x64xf16>
  }
  return %z : tensor<64000x64xf16>
}
func.func @few_columns(%q: tensor<64000x32xf16>, %k: tensor<32x16xf16>, %v: tensor<16x64xf16>) -> tensor<64000x64xf16> {
  %z = mirage_kernel.graph_defined (%q, %k, %v) grid <x = 1000> : (tensor<64000x32xf16>, tensor<32x16xf16>, tensor<16x64xf16>) -> tensor<64000x64xf16> {
  ^bb0(%Q: tensor<64000x32xf16>, %K: tensor<32x16xf16>, %V: tensor<16x64xf16>):
    %t = mirage_block.loop iterations 1 -> !mirage.tile<64x64xf32> {
      %qt = mirage_block.input_iterator %Q imap <x -> 0> fmap <i -> 1> : tensor<64000x32xf16> -> !mirage.tile<64x32xf16>
      %kt = mirage_block.input_iterator %K imap <x -> replica> fmap <i -> 0> : tensor<32x16xf16> -> !mirage.tile<32x16xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<16x64xf16> -> !mirage.tile<16x64xf16>
      %s = mirage_block.matmul %qt, %kt {mirage.chained} : (!mirage.tile<64x32xf16>, !mirage.tile<32x16xf16>) -> !mirage.tile<64x16xf32>
      %e = mirage_block.sqr %s {mirage.chained} : (!mirage.tile<64x16xf32>) -> !mirage.tile<64x16xf32>
      %o = mirage_block.matmul %e, %vt : (!mirage.tile<64x16xf32>, !mirage.tile<16x64xf16>) -> !mirage.tile<64x64xf32>
      mirage_block.accumulate sum %o : !mirage.tile<64x64xf32>
    }
    mirage_block.output_saver %t omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64000x64xf16>
  }
  return %z : tensor<64000x64xf16>
}
