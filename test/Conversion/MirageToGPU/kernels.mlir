// RUN: mirage-opt --mirage-schedule-operators=threads=64 --convert-mirage-to-gpu="target=sm_80 allow-unverified" --canonicalize %s | FileCheck %s

// Two tiles and the sum behind the loop: what is summed up is in registers. The
// result's 16 columns are the rows of the tensor cores' tile, and its 4 rows 4 of
// their 8 columns; one warp computes them.
// CHECK-LABEL: gpu.func @matmul_0(
// CHECK-SAME:    %[[X:.*]]: memref<16x64xf16>, %[[W:.*]]: memref<64x32xf16>, %[[OUT:.*]]: memref<16x32xf16>) kernel attributes
// CHECK-SAME:    known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 2, 4, 1>
// CHECK-DAG:   %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<4xf32>
// CHECK-DAG:   %[[TID:.*]] = gpu.thread_id  x
// CHECK-DAG:   %[[FROM_X:.*]] = memref.reinterpret_cast %[[X]] to offset: [0], sizes: [1024]
// CHECK-DAG:   %[[FROM_W:.*]] = memref.reinterpret_cast %[[W]] to offset: [0], sizes: [2048]
// CHECK-DAG:   %[[TO:.*]] = memref.reinterpret_cast %[[OUT]] to offset: [0], sizes: [512]
// CHECK:       %[[SMEM:.*]] = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
// CHECK:       %[[SUM:.*]] = memref.view %[[SMEM]][%{{.*}}][] : {{.*}} to memref<64xf32, #gpu.address_space<workgroup>>
// The loop: copies, barrier, products.
// CHECK:       %[[SUMS:.*]] = scf.for %{{.*}} = %c0 {{.*}} iter_args(%[[BEFORE:.*]] = %[[ZERO]]) -> (vector<4xf32>)
// CHECK:         gpu.barrier
// CHECK:         nvgpu.device_async_copy %[[FROM_X]][%{{.*}}], %{{.*}}[%{{.*}}], 8 {bypassL1}
// CHECK:         nvgpu.device_async_copy %[[FROM_W]][%{{.*}}], %{{.*}}[%{{.*}}], 8 {bypassL1}
// CHECK:         nvvm.cp.async.commit.group
// CHECK-NEXT:    nvvm.cp.async.wait.group 0
// CHECK-NEXT:    gpu.barrier
// CHECK:         scf.if
// CHECK:           %[[COLS:.*]] = nvgpu.ldmatrix %{{.*}} {numTiles = 2 : i32, transpose = false} : memref<64xf16
// CHECK:           %[[ROWS:.*]] = nvgpu.ldmatrix %{{.*}} {numTiles = 4 : i32, transpose = true} : memref<256xf16
// CHECK:           vector.extract %[[BEFORE]][0]
// CHECK:           nvvm.mma.sync A{{.*}} shape = #nvvm.shape<m = 16, n = 8, k = 16>
// CHECK:       }
// CHECK:       gpu.barrier
// CHECK:       vector.extract %[[SUMS]][0]
// CHECK-COUNT-4: memref.store %{{.*}}, %[[SUM]][
// CHECK:       gpu.barrier
// CHECK:       memref.load %[[SUM]]
// CHECK:       arith.truncf {{.*}} : f32 to f16
// CHECK:       memref.store %{{.*}}, %[[TO]]
// CHECK-NOT:   gpu.barrier
// CHECK:       gpu.return

// CHECK-LABEL: gpu.func @copy_free_0(
// A saved thread graph goes from registers to the output: one tile, one barrier.
// Rows of 12 bytes are copied 4 bytes at a time.
// CHECK:       memref.view
// CHECK-NOT:   memref.view
// CHECK:       nvgpu.device_async_copy {{.*}}, 2 :
// CHECK:       gpu.barrier
// CHECK-NOT:   gpu.barrier
// CHECK:       math.exp2
// CHECK:       arith.mulf
// CHECK:       memref.store %{{.*}}, %{{.*}} : memref<24xf16>
// CHECK:       memref.store %{{.*}}, %{{.*}} : memref<24xf32>
// CHECK:       gpu.return

// Without a product in between nothing has to be kept in shared memory but the
// sum, and no thread waits for others.
// CHECK-LABEL: gpu.func @accumulate_0(
// CHECK:       memref.view
// CHECK-NOT:   memref.view
// CHECK-NOT:   gpu.barrier
// CHECK:       arith.addf
// CHECK:       gpu.barrier
// CHECK-NOT:   gpu.barrier
// CHECK:       gpu.return

// CHECK-LABEL: func.func @matmul(
// CHECK-SAME:    %[[X:.*]]: memref<16x64xf16>, %[[W:.*]]: memref<64x32xf16>, %[[OUT:.*]]: memref<16x32xf16>) attributes {mirage.num_results = 1 : i64}
// CHECK-DAG:   %[[BYTES:.*]] = arith.constant 896 : i32
// CHECK:       gpu.launch_func @mirage_kernels::@matmul_0 blocks in (%c2, %c4, %{{.*}}) threads in (%c64, %{{.*}}, %{{.*}}) dynamic_shared_memory_size %[[BYTES]] args(%[[X]] : memref<16x64xf16>, %[[W]] : memref<64x32xf16>, %[[OUT]] : memref<16x32xf16>)
// CHECK-NEXT:  return
func.func @matmul(%x: tensor<16x64xf16>, %w: tensor<64x32xf16>) -> tensor<16x32xf16> {
  %z = mirage_kernel.graph_defined (%x, %w) grid <x = 2, y = 4> : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf16> {
  ^bb0(%X: tensor<16x64xf16>, %W: tensor<64x32xf16>):
    %sum = mirage_block.loop iterations 4 -> !mirage.tile<4x16xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica, y -> 0> fmap <i -> 1> : tensor<16x64xf16> -> !mirage.tile<4x16xf16>
      %wt = mirage_block.input_iterator %W imap <x -> 1, y -> replica> fmap <i -> 0> : tensor<64x32xf16> -> !mirage.tile<16x16xf16>
      %p = mirage_block.matmul %xt, %wt : (!mirage.tile<4x16xf16>, !mirage.tile<16x16xf16>) -> !mirage.tile<4x16xf32>
      mirage_block.accumulate sum %p : !mirage.tile<4x16xf32>
    }
    mirage_block.output_saver %sum omap <x -> 1, y -> 0> : !mirage.tile<4x16xf32> -> tensor<16x32xf16>
  }
  return %z : tensor<16x32xf16>
}

func.func @copy_free(%x: tensor<4x6xf16>) -> (tensor<4x6xf16>, tensor<4x6xf32>) {
  %z:2 = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x6xf16>) -> (tensor<4x6xf16>, tensor<4x6xf32>) {
  ^bb0(%X: tensor<4x6xf16>):
    %xt = mirage_block.input_iterator %X imap <x -> replica> : tensor<4x6xf16> -> !mirage.tile<4x6xf16>
    %r:2 = mirage_block.graph_defined (%xt) : (!mirage.tile<4x6xf16>) -> (!mirage.tile<4x6xf16>, !mirage.tile<4x6xf32>) {
    ^bb0(%f: !mirage.fragment<4x6xf16>):
      %e = mirage_thread.exp %f : (!mirage.fragment<4x6xf16>) -> !mirage.fragment<4x6xf32>
      %s = mirage_thread.sqr %e : (!mirage.fragment<4x6xf32>) -> !mirage.fragment<4x6xf32>
      mirage_thread.yield %e, %s : !mirage.fragment<4x6xf32>, !mirage.fragment<4x6xf32>
    }
    mirage_block.output_saver %r#0 omap <x -> 0> : !mirage.tile<4x6xf16> -> tensor<4x6xf16>
    mirage_block.output_saver %r#1 omap <x -> 0> : !mirage.tile<4x6xf32> -> tensor<4x6xf32>
  }
  return %z#0, %z#1 : tensor<4x6xf16>, tensor<4x6xf32>
}

func.func @accumulate(%x: tensor<4x64xf16>) -> tensor<4x16xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x64xf16>) -> tensor<4x16xf16> {
  ^bb0(%X: tensor<4x64xf16>):
    %sum = mirage_block.loop iterations 4 -> !mirage.tile<4x16xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x64xf16> -> !mirage.tile<4x16xf16>
      mirage_block.accumulate sum %xt : !mirage.tile<4x16xf16>
    }
    mirage_block.output_saver %sum omap <x -> 0> : !mirage.tile<4x16xf32> -> tensor<4x16xf16>
  }
  return %z : tensor<4x16xf16>
}
