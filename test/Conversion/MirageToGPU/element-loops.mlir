// How threads visit the elements of tiles.

// RUN: mirage-opt --convert-mirage-to-gpu="target=sm_80 threads=128 allow-unverified" --canonicalize --cse %s | FileCheck %s

// 4 x 4 f32 for each thread: copies and elements in straight-line code, and all
// that is loaded before any is stored.
// CHECK-LABEL: gpu.func @few_0(
// CHECK:         %[[THREAD:.*]] = gpu.thread_id  x
// CHECK-COUNT-4: nvgpu.device_async_copy {{.*}}, 4 {bypassL1}
// CHECK-NOT:     nvgpu.device_async_copy
// CHECK:         gpu.barrier
// CHECK-COUNT-4: vector.load
// CHECK-NOT:     vector.load
// CHECK-COUNT-4: vector.store
// CHECK-NOT:     scf.for
// CHECK:         gpu.return
func.func @few(%x: tensor<16x128xf32>) -> tensor<16x128xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<16x128xf32>) -> tensor<16x128xf32> {
  ^bb0(%X: tensor<16x128xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<16x128xf32> -> !mirage.tile<16x128xf32>
    %n = mirage_block.neg %t : (!mirage.tile<16x128xf32>) -> !mirage.tile<16x128xf32>
    mirage_block.output_saver %n omap <x -> replica> : !mirage.tile<16x128xf32> -> tensor<16x128xf32>
  }
  return %z : tensor<16x128xf32>
}

// 18 for each thread: six at a time, in three iterations. What is left over is
// for some of the threads.
// CHECK-LABEL: gpu.func @many_0(
// CHECK:         %[[THREAD:.*]] = gpu.thread_id  x
// CHECK:         scf.for %{{.*}} = %c0 to %c18 step %c6
// CHECK-COUNT-6:   nvgpu.device_async_copy
// CHECK-NOT:       nvgpu.device_async_copy
// CHECK:         }
// CHECK:         %[[IS_LEFT:.*]] = arith.cmpi ult, %[[THREAD]], %c13
// CHECK:         scf.if %[[IS_LEFT]] {
// CHECK-NEXT:      %[[OWN:.*]] = arith.muli %[[THREAD]], %c4
// CHECK-NEXT:      %[[LAST:.*]] = arith.addi %[[OWN]], %c9216
// CHECK-NEXT:      nvgpu.device_async_copy %{{.*}}[%[[LAST]]]
// CHECK:         }
// CHECK:         gpu.barrier
// CHECK:         scf.for %{{.*}} = %c0 to %c18 step %c6
// CHECK-COUNT-6:   vector.load
// CHECK-NOT:       vector.load
// CHECK-COUNT-6:   vector.store
// CHECK:         scf.if %[[IS_LEFT]]
// CHECK:         gpu.return
func.func @many(%x: tensor<7x1324xf32>) -> tensor<7x1324xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<7x1324xf32>) -> tensor<7x1324xf32> {
  ^bb0(%X: tensor<7x1324xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<7x1324xf32> -> !mirage.tile<7x1324xf32>
    %n = mirage_block.neg %t : (!mirage.tile<7x1324xf32>) -> !mirage.tile<7x1324xf32>
    mirage_block.output_saver %n omap <x -> replica> : !mirage.tile<7x1324xf32> -> tensor<7x1324xf32>
  }
  return %z : tensor<7x1324xf32>
}

// Where there are fewer elements than threads there is no loop.
// CHECK-LABEL: gpu.func @fewer_than_threads_0(
// CHECK-NOT:     scf.for
// CHECK:         gpu.return
func.func @fewer_than_threads(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<3x5xf32>) -> tensor<3x5xf32> {
  ^bb0(%X: tensor<3x5xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<3x5xf32> -> !mirage.tile<3x5xf32>
    %n = mirage_block.neg %t : (!mirage.tile<3x5xf32>) -> !mirage.tile<3x5xf32>
    mirage_block.output_saver %n omap <x -> replica> : !mirage.tile<3x5xf32> -> tensor<3x5xf32>
  }
  return %z : tensor<3x5xf32>
}

// Of what takes many instructions fewer are computed at a time.
// CHECK-LABEL: gpu.func @heavy_0(
// CHECK:         gpu.barrier
// CHECK:         scf.for %{{.*}} = %c0 to %c4 step %c2
// CHECK-COUNT-2:   vector.load
// CHECK-NOT:       vector.load
// CHECK:         gpu.return
func.func @heavy(%x: tensor<16x128xf32>) -> tensor<16x128xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<16x128xf32>) -> tensor<16x128xf32> {
  ^bb0(%X: tensor<16x128xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<16x128xf32> -> !mirage.tile<16x128xf32>
    %e = mirage_block.graph_defined(%t) : (!mirage.tile<16x128xf32>) -> !mirage.tile<16x128xf32> {
    ^bb0(%f: !mirage.fragment<16x128xf32>):
      %0 = mirage_thread.exp %f : (!mirage.fragment<16x128xf32>) -> !mirage.fragment<16x128xf32>
      %1 = mirage_thread.exp %0 : (!mirage.fragment<16x128xf32>) -> !mirage.fragment<16x128xf32>
      %2 = mirage_thread.exp %1 : (!mirage.fragment<16x128xf32>) -> !mirage.fragment<16x128xf32>
      mirage_thread.yield %2 : !mirage.fragment<16x128xf32>
    }
    mirage_block.output_saver %e omap <x -> replica> : !mirage.tile<16x128xf32> -> tensor<16x128xf32>
  }
  return %z : tensor<16x128xf32>
}
