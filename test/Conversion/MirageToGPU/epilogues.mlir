// RUN: mirage-opt --mirage-schedule-operators --mirage-plan-memory --convert-mirage-to-gpu="target=sm_80 allow-unverified" --canonicalize --cse %s | FileCheck %s
// RUN: mirage-opt --mirage-schedule-operators --mirage-plan-memory %s | FileCheck %s --check-prefix=PLAN

// What a loop has summed up in registers goes from there to who wants it: the
// sums take no shared memory.
// PLAN-LABEL: @stored
// PLAN: mirage_block.loop
// PLAN-NOT: mirage.offsets
// PLAN: mirage_block.input_iterator
// CHECK-LABEL: gpu.func @stored_0
// CHECK: scf.for
// CHECK: nvvm.mma.sync
// CHECK: scf.yield
// CHECK: gpu.barrier
// CHECK-NOT: vector.load
// CHECK-NOT: f32, #gpu.address_space<workgroup>
// CHECK: gpu.shuffle xor
// CHECK: vector.store %{{.*}} : memref<2048xf16>, vector<4xf16>
// CHECK-NOT: vector.load
// CHECK: gpu.return
func.func @stored(%x: tensor<32x64xf16>, %w: tensor<64x64xf16>) -> tensor<32x64xf16> {
  %o = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<32x64xf16>, tensor<64x64xf16>) -> tensor<32x64xf16> {
  ^bb0(%X: tensor<32x64xf16>, %W: tensor<64x64xf16>):
    %a = mirage_block.loop iterations 2 -> !mirage.tile<32x64xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<32x64xf16> -> !mirage.tile<32x32xf16>
      %wt = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<64x64xf16> -> !mirage.tile<32x64xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<32x32xf16>, !mirage.tile<32x64xf16>) -> !mirage.tile<32x64xf32>
      mirage_block.accumulate sum %p : !mirage.tile<32x64xf32>
    }
    mirage_block.output_saver %a omap <x -> 1> : !mirage.tile<32x64xf32> -> tensor<32x64xf16>
  }
  return %o : tensor<32x64xf16>
}

// A thread graph computes on them where they are.
// PLAN-LABEL: @computed
// PLAN: mirage_block.loop
// PLAN-NOT: mirage.offsets
// PLAN: mirage_block.input_iterator
// CHECK-LABEL: gpu.func @computed_0
// CHECK: scf.yield
// CHECK-NOT: vector.load
// CHECK: arith.mulf %[[E:.*]], %[[E]] {{.*}}: vector<4xf32>
// CHECK: gpu.shuffle xor
// CHECK: vector.store %{{.*}} : memref<2048xf16>, vector<4xf16>
func.func @computed(%x: tensor<32x64xf16>, %w: tensor<64x64xf16>) -> tensor<32x64xf16> {
  %o = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<32x64xf16>, tensor<64x64xf16>) -> tensor<32x64xf16> {
  ^bb0(%X: tensor<32x64xf16>, %W: tensor<64x64xf16>):
    %a = mirage_block.loop iterations 2 -> !mirage.tile<32x64xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<32x64xf16> -> !mirage.tile<32x32xf16>
      %wt = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<64x64xf16> -> !mirage.tile<32x64xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<32x32xf16>, !mirage.tile<32x64xf16>) -> !mirage.tile<32x64xf32>
      mirage_block.accumulate sum %p : !mirage.tile<32x64xf32>
    }
    %r = mirage_block.graph_defined (%a) : (!mirage.tile<32x64xf32>) -> !mirage.tile<32x64xf32> {
    ^bb0(%f: !mirage.fragment<32x64xf32>):
      %e = mirage_thread.sqr %f : (!mirage.fragment<32x64xf32>) -> !mirage.fragment<32x64xf32>
      mirage_thread.yield %e : !mirage.fragment<32x64xf32>
    }
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<32x64xf32> -> tensor<32x64xf16>
  }
  return %o : tensor<32x64xf16>
}

// Two readers: they find the sums in shared memory.
// PLAN-LABEL: @read_twice
// PLAN: mirage_block.loop
// PLAN-SAME: mirage.offsets
func.func @read_twice(%x: tensor<32x64xf16>, %w: tensor<64x64xf16>) -> (tensor<32x64xf16>, tensor<32x1xf32>) {
  %o:2 = mirage_kernel.graph_defined (%x, %w) grid <x = 1> : (tensor<32x64xf16>, tensor<64x64xf16>) -> (tensor<32x64xf16>, tensor<32x1xf32>) {
  ^bb0(%X: tensor<32x64xf16>, %W: tensor<64x64xf16>):
    %a = mirage_block.loop iterations 2 -> !mirage.tile<32x64xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<32x64xf16> -> !mirage.tile<32x32xf16>
      %wt = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<64x64xf16> -> !mirage.tile<32x64xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<32x32xf16>, !mirage.tile<32x64xf16>) -> !mirage.tile<32x64xf32>
      mirage_block.accumulate sum %p : !mirage.tile<32x64xf32>
    }
    %s = mirage_block.sum %a dim 1 : (!mirage.tile<32x64xf32>) -> !mirage.tile<32x1xf32>
    mirage_block.output_saver %a omap <x -> 1> : !mirage.tile<32x64xf32> -> tensor<32x64xf16>
    mirage_block.output_saver %s omap <x -> 0> : !mirage.tile<32x1xf32> -> tensor<32x1xf32>
  }
  return %o#0, %o#1 : tensor<32x64xf16>, tensor<32x1xf32>
}

// Two sums together.
// PLAN-LABEL: @two_sums
// PLAN: mirage_block.loop
// PLAN-NOT: mirage.offsets
// PLAN: mirage_block.input_iterator
// CHECK-LABEL: gpu.func @two_sums_0
// CHECK: scf.yield
// CHECK-NOT: vector.load
// CHECK: arith.mulf %{{.*}}, %{{.*}} : vector<4xf32>
// CHECK: vector.store %{{.*}} : memref<2048xf16>, vector<4xf16>
func.func @two_sums(%x: tensor<32x64xf16>, %w: tensor<64x64xf16>, %v: tensor<64x64xf16>) -> tensor<32x64xf16> {
  %o = mirage_kernel.graph_defined (%x, %w, %v) grid <x = 1> : (tensor<32x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<32x64xf16> {
  ^bb0(%X: tensor<32x64xf16>, %W: tensor<64x64xf16>, %V: tensor<64x64xf16>):
    %a:2 = mirage_block.loop iterations 2 -> !mirage.tile<32x64xf32>, !mirage.tile<32x64xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<32x64xf16> -> !mirage.tile<32x32xf16>
      %wt = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> 0> : tensor<64x64xf16> -> !mirage.tile<32x64xf16>
      %vt = mirage_block.input_iterator %V imap <x -> replica> fmap <i -> 0> : tensor<64x64xf16> -> !mirage.tile<32x64xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<32x32xf16>, !mirage.tile<32x64xf16>) -> !mirage.tile<32x64xf32>
      %q = mirage_block.matmul %xt, %vt : (!mirage.tile<32x32xf16>, !mirage.tile<32x64xf16>) -> !mirage.tile<32x64xf32>
      mirage_block.accumulate sum %p, sum %q : !mirage.tile<32x64xf32>, !mirage.tile<32x64xf32>
    }
    %r = mirage_block.graph_defined (%a#0, %a#1) : (!mirage.tile<32x64xf32>, !mirage.tile<32x64xf32>) -> !mirage.tile<32x64xf32> {
    ^bb0(%f: !mirage.fragment<32x64xf32>, %g: !mirage.fragment<32x64xf32>):
      %e = mirage_thread.mul %f, %g : (!mirage.fragment<32x64xf32>, !mirage.fragment<32x64xf32>) -> !mirage.fragment<32x64xf32>
      mirage_thread.yield %e : !mirage.fragment<32x64xf32>
    }
    mirage_block.output_saver %r omap <x -> 1> : !mirage.tile<32x64xf32> -> tensor<32x64xf16>
  }
  return %o : tensor<32x64xf16>
}
