// RUN: mirage-opt --mirage-schedule-operators --convert-mirage-to-gpu="target=sm_80 threads=64 allow-unverified" --canonicalize %s | FileCheck %s

// A maximum begins at -infinity; the tiles of a concatenation go where they
// belong, and nothing is there before. Both are taken from registers.
// CHECK-LABEL: gpu.func @max_and_concat_0(
// CHECK-DAG:   %[[LOWEST:.*]] = arith.constant 0xFF800000 : f32
// CHECK-DAG:   %[[C8:.*]] = arith.constant 8 : index
// CHECK:       %[[MAX:.*]] = memref.view {{.*}} to memref<32xf32, #gpu.address_space<workgroup>>
// CHECK:       %[[ALL:.*]] = memref.view {{.*}} to memref<128xf16, #gpu.address_space<workgroup>>
// CHECK-NOT:   memref.view
// CHECK:       scf.if
// CHECK:         memref.store %[[LOWEST]], %[[MAX]]
// CHECK-NOT:   memref.store
// CHECK:       scf.for %[[I:.*]] = %c0
// CHECK:         %[[ELEMENT:.*]] = memref.load %{{.*}} : memref<128xf16>
// CHECK:         %[[OFFSET:.*]] = arith.muli %[[I]], %[[C8]]
// CHECK:         arith.addi %[[OFFSET]], %{{.*}} : index
// CHECK:         memref.store %[[ELEMENT]], %[[ALL]][
// CHECK:         %[[WIDE:.*]] = arith.extf %[[ELEMENT]]
// CHECK:         %[[BEFORE:.*]] = memref.load %[[MAX]]
// CHECK:         %[[AFTER:.*]] = arith.maximumf %[[BEFORE]], %[[WIDE]]
// CHECK:         memref.store %[[AFTER]], %[[MAX]]
// CHECK-NOT:     gpu.barrier
// CHECK:       }
// CHECK:       gpu.return
func.func @max_and_concat(%x: tensor<4x32xf16>) -> (tensor<4x8xf32>, tensor<4x32xf16>) {
  %z:2 = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x32xf16>) -> (tensor<4x8xf32>, tensor<4x32xf16>) {
  ^bb0(%X: tensor<4x32xf16>):
    %a:2 = mirage_block.loop iterations 4 -> !mirage.tile<4x8xf32>, !mirage.tile<4x32xf16> {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x32xf16> -> !mirage.tile<4x8xf16>
      mirage_block.accumulate max %t, concat %t dim 1 : !mirage.tile<4x8xf16>, !mirage.tile<4x8xf16>
    }
    mirage_block.output_saver %a#0 omap <x -> replica> : !mirage.tile<4x8xf32> -> tensor<4x8xf32>
    mirage_block.output_saver %a#1 omap <x -> replica> : !mirage.tile<4x32xf16> -> tensor<4x32xf16>
  }
  return %z#0, %z#1 : tensor<4x8xf32>, tensor<4x32xf16>
}

// A rescaled sum: the tile and the maximum are in shared memory, and so are the
// maximum so far and its factors. After a barrier the maximum grows, once for
// each element, after another the sum is rescaled. A lane finds the maximum of a
// row of 16 bytes.
// CHECK-LABEL: gpu.func @rescaled_0(
// CHECK-DAG:   %[[LOWEST:.*]] = arith.constant 0xFF800000 : f32
// CHECK-DAG:   %[[M:.*]] = memref.view {{.*}} to memref<4xf32, #gpu.address_space<workgroup>>
// CHECK-DAG:   %[[SUM:.*]] = memref.view {{.*}} to memref<32xf32, #gpu.address_space<workgroup>>
// CHECK:       %[[RUNNING:.*]] = memref.view {{.*}} to memref<4xf32, #gpu.address_space<workgroup>>
// CHECK:       %[[OF_SUM:.*]] = memref.view {{.*}} to memref<4xf32, #gpu.address_space<workgroup>>
// CHECK:       %[[OF_TERM:.*]] = memref.view {{.*}} to memref<4xf32, #gpu.address_space<workgroup>>
// CHECK:       memref.store %[[LOWEST]], %[[RUNNING]]
// CHECK:       scf.for {{.*}} = %c0
// CHECK:         gpu.barrier
// CHECK:         nvgpu.device_async_copy
// CHECK:         gpu.barrier
// CHECK:         %[[T:.*]] = memref.view {{.*}} to memref<32xf16, #gpu.address_space<workgroup>>
// CHECK:         scf.if
// CHECK:           vector.load {{.*}} : memref<32xf16, #gpu.address_space<workgroup>>, vector<8xf16>
// CHECK-COUNT-7:   arith.maximumf {{.*}} : f32
// CHECK-NOT:       gpu.shuffle
// CHECK:           memref.store %{{.*}}, %[[M]]
// CHECK:         gpu.barrier
// CHECK:         scf.if
// CHECK-DAG:       %[[OLD:.*]] = memref.load %[[RUNNING]]
// CHECK-DAG:       %[[NOW:.*]] = memref.load %[[M]]
// CHECK:           %[[NEW:.*]] = arith.maximumf %[[OLD]], %[[NOW]]
// One exponential: the other factor is 1.
// CHECK:           %[[GROWS:.*]] = arith.cmpf olt, %[[OLD]], %[[NOW]]
// CHECK:           %[[LESS:.*]] = arith.select %[[GROWS]], %[[OLD]], %[[NOW]]
// CHECK:           %[[SAME:.*]] = arith.cmpf oeq, %[[LESS]], %[[NEW]]
// CHECK:           %[[EXP:.*]] = math.exp2
// CHECK:           %[[FACTOR:.*]] = arith.select %[[SAME]], %{{.*}}, %[[EXP]]
// CHECK:           %[[SCALES:.*]] = arith.select %[[GROWS]], %[[FACTOR]], %{{.*}}
// CHECK:           %[[SCALED:.*]] = arith.select %[[GROWS]], %{{.*}}, %[[FACTOR]]
// CHECK:           memref.store %[[SCALES]], %[[OF_SUM]]
// CHECK:           memref.store %[[SCALED]], %[[OF_TERM]]
// CHECK:           memref.store %{{.*}}, %[[RUNNING]]
// CHECK-NEXT:    }
// CHECK:         gpu.barrier
// CHECK:         scf.if
// CHECK-NOT:       math.exp2
// CHECK-DAG:       memref.load %[[OF_SUM]]
// CHECK-DAG:       memref.load %[[OF_TERM]]
// CHECK:           memref.store %{{.*}}, %[[SUM]]
// CHECK-NEXT:    }
// CHECK-NEXT:  }
// CHECK:       gpu.return

// 64 bytes, 16 of the maximum and thrice as many of the one that grows, the sum's 128.
// CHECK-LABEL: func.func @rescaled(
// CHECK:       arith.constant 256 : i32
func.func @rescaled(%x: tensor<4x32xf16>) -> tensor<4x8xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<4x32xf16>) -> tensor<4x8xf32> {
  ^bb0(%X: tensor<4x32xf16>):
    %a = mirage_block.loop iterations 4 -> !mirage.tile<4x8xf32> {
      %t = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<4x32xf16> -> !mirage.tile<4x8xf16>
      %m = mirage_block.reduce_max %t dim 1 : (!mirage.tile<4x8xf16>) -> !mirage.tile<4x1xf32>
      mirage_block.accumulate rescaled_sum %t by %m : !mirage.tile<4x8xf16> by !mirage.tile<4x1xf32>
    }
    mirage_block.output_saver %a omap <x -> replica> : !mirage.tile<4x8xf32> -> tensor<4x8xf32>
  }
  return %z : tensor<4x8xf32>
}
