// RUN: mirage-opt --mirage-schedule-operators --convert-mirage-to-gpu="target=sm_80 threads=64 allow-unverified" %s | FileCheck %s

// CHECK-LABEL: gpu.func @matmul_0(
// CHECK-SAME:    %[[X:.*]]: memref<16x64xf16>, %[[W:.*]]: memref<64x32xf16>, %[[OUT:.*]]: memref<16x32xf16>) kernel attributes
// CHECK-SAME:    known_block_size = array<i32: 64, 1, 1>, known_grid_size = array<i32: 2, 4, 1>
// CHECK-DAG:   %[[TID:.*]] = gpu.thread_id  x
// CHECK-DAG:   %[[BX:.*]] = gpu.block_id  x
// CHECK-DAG:   %[[BY:.*]] = gpu.block_id  y
// CHECK:       %[[SMEM:.*]] = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
// Two tiles and the accumulator: the product has none.
// CHECK:       memref.view %[[SMEM]][%{{.*}}][] : {{.*}} to memref<4x16xf16, #gpu.address_space<workgroup>>
// CHECK:       memref.view %[[SMEM]][%{{.*}}][] : {{.*}} to memref<16x16xf16, #gpu.address_space<workgroup>>
// CHECK:       %[[ACC:.*]] = memref.view %[[SMEM]][%{{.*}}][] : {{.*}} to memref<4x16xf32, #gpu.address_space<workgroup>>
// CHECK-NOT:   memref.view
// CHECK:       scf.for %{{.*}} = %[[TID]]
// CHECK:         memref.store %{{.*}}, %[[ACC]]
// The loop: copies, barrier, products, barrier.
// CHECK:       scf.for %[[I:.*]] = %c0
// CHECK:         vector.load %[[X]]{{.*}} vector<8xf16>
// CHECK:         vector.load %[[W]]{{.*}} vector<8xf16>
// CHECK:         gpu.barrier
// CHECK:         scf.for {{.*}} iter_args
// CHECK:         memref.load %[[ACC]]
// CHECK:         memref.store %{{.*}}, %[[ACC]]
// CHECK:         gpu.barrier
// CHECK-NEXT:  }
// CHECK-NEXT:  gpu.barrier
// CHECK:       memref.load %[[ACC]]
// CHECK:       arith.truncf {{.*}} : f32 to f16
// CHECK:       memref.store %{{.*}}, %[[OUT]]
// CHECK-NOT:   gpu.barrier
// CHECK:       gpu.return

// CHECK-LABEL: gpu.func @copy_free_0(
// A saved thread graph goes from registers to the output: one tile, one barrier.
// CHECK:       memref.view
// CHECK-NOT:   memref.view
// CHECK:       gpu.barrier
// CHECK-NOT:   gpu.barrier
// CHECK:       math.exp2
// CHECK:       arith.mulf
// CHECK-COUNT-2: memref.store %{{.*}}, %{{.*}} : memref<4x6x
// CHECK:       gpu.return

// Without a product in between nothing has to be kept in shared memory but the
// accumulator, and no thread waits.
// CHECK-LABEL: gpu.func @accumulate_0(
// CHECK:       memref.view
// CHECK-NOT:   memref.view
// CHECK:       scf.for %{{.*}} = %c0
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
