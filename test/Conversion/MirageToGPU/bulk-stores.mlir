// RUN: mirage-opt --mirage-specialize-warps --mirage-schedule-operators --mirage-assign-layouts --mirage-plan-memory --convert-mirage-to-gpu="target=sm_90a allow-unverified" --canonicalize --cse %s | FileCheck %s
// RUN: mirage-opt --mirage-schedule-operators --mirage-assign-layouts --mirage-plan-memory --convert-mirage-to-gpu="target=sm_90a allow-unverified" %s | FileCheck %s --check-prefix=OFF

// OFF-NOT: mirage.tensor_map
// OFF-NOT: nvvm.cp.async.bulk

// The kernel takes the result's buffer as a tensor map, too.
// CHECK-LABEL: gpu.func @columns_0(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<256x128xf16>, %[[OUT:[a-z0-9]+]]: memref<16x128xf32>,
// CHECK-SAME: %{{[a-z0-9]+}}: memref<256x128xf16> {mirage.tensor_map
// CHECK-SAME: %[[MAP:[a-z0-9]+]]: memref<16x128xf32> {mirage.tensor_map = {box = array<i64: 1, 64>, shape = array<i64: 16, 128>, swizzle = 0 : i64, type = f32}}
// CHECK: %[[MAPPED:.*]] = memref.extract_aligned_pointer_as_index %[[MAP]]

// Each thread's stores are seen by the TMA, which one thread tells to store.
// CHECK: scf.for
// CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
// CHECK-NEXT: nvvm.barrier id
// CHECK: scf.if
// CHECK: nvvm.cp.async.bulk.tensor.global.shared.cta %{{.*}}, %{{.*}}, box[%{{.*}}, %{{.*}}]
// CHECK-NEXT: nvvm.cp.async.bulk.commit.group
// CHECK-NEXT: nvvm.cp.async.bulk.wait_group 0 {read}
// CHECK-NOT: memref.store
// CHECK-NOT: vector.store
func.func @columns(%x: tensor<256x128xf16>) -> tensor<16x128xf32> {
  %o = mirage_kernel.graph_defined (%x) grid <x = 16, y = 2> : (tensor<256x128xf16>) -> tensor<16x128xf32> {
  ^bb0(%X: tensor<256x128xf16>):
    %a = mirage_block.loop iterations 2 -> !mirage.tile<1x64xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> 0, y -> 1> fmap <i -> 0> : tensor<256x128xf16> -> !mirage.tile<8x64xf16>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<8x64xf16>) -> !mirage.tile<1x64xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x64xf32>
    }
    mirage_block.output_saver %a omap <x -> 0, y -> 1> : !mirage.tile<1x64xf32> -> tensor<16x128xf32>
  }
  return %o : tensor<16x128xf32>
}

// The TMA changes no types, and moves rows of no less than 16 bytes.
// CHECK-LABEL: gpu.func @others_0(
// CHECK-NOT: nvvm.cp.async.bulk.tensor.global
func.func @others(%x: tensor<16x64xf16>) -> (tensor<1x64xf16>, tensor<16x1xf32>) {
  %o:2 = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<16x64xf16>) -> (tensor<1x64xf16>, tensor<16x1xf32>) {
  ^bb0(%X: tensor<16x64xf16>):
    %a = mirage_block.loop iterations 2 -> !mirage.tile<1x64xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 0> : tensor<16x64xf16> -> !mirage.tile<8x64xf16>
      %s = mirage_block.sum %xt dim 0 : (!mirage.tile<8x64xf16>) -> !mirage.tile<1x64xf32>
      mirage_block.accumulate sum %s : !mirage.tile<1x64xf32>
    }
    %b = mirage_block.loop iterations 2 -> !mirage.tile<16x1xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<16x64xf16> -> !mirage.tile<16x32xf16>
      %s = mirage_block.sum %xt dim 1 : (!mirage.tile<16x32xf16>) -> !mirage.tile<16x1xf32>
      mirage_block.accumulate sum %s : !mirage.tile<16x1xf32>
    }
    mirage_block.output_saver %a omap <x -> 0> : !mirage.tile<1x64xf32> -> tensor<1x64xf16>
    mirage_block.output_saver %b omap <x -> 0> : !mirage.tile<16x1xf32> -> tensor<16x1xf32>
  }
  return %o#0, %o#1 : tensor<1x64xf16>, tensor<16x1xf32>
}

// CHECK-LABEL: func.func @columns(
// CHECK: gpu.launch_func @mirage_kernels::@columns_0
// CHECK-SAME: args(%[[A:.*]] : memref<256x128xf16>, %[[B:.*]] : memref<16x128xf32>, %[[A]] : memref<256x128xf16>, %[[B]] : memref<16x128xf32>)
