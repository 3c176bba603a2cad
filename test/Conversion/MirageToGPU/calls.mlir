// RUN: mirage-opt --convert-mirage-to-gpu=strict=true --split-input-file %s | FileCheck %s

// A caller stays on tensors, and passes buffers.
// CHECK-LABEL: func.func private @program(
// CHECK-SAME: memref<8xf32>, %{{.*}}: memref<8x1xf32>, %{{.*}}: memref<8xf32>, %{{.*}}: memref<8x1xf32>)
// CHECK-LABEL: func.func @caller(
// CHECK-SAME: %[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<8x1xf32>) -> (tensor<8xf32>, tensor<8x1xf32>)
// CHECK: %[[SIN:.*]] = math.sin %[[X]]
// CHECK-NEXT: %[[A:.*]] = bufferization.to_buffer %[[SIN]] read_only : tensor<8xf32> to memref<8xf32>
// CHECK-NEXT: %[[B:.*]] = bufferization.to_buffer %[[Y]] read_only : tensor<8x1xf32> to memref<8x1xf32>
// CHECK-NEXT: %[[C:.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT: %[[D:.*]] = memref.alloc() : memref<8x1xf32>
// CHECK-NEXT: call @program(%[[A]], %[[B]], %[[C]], %[[D]]) : (memref<8xf32>, memref<8x1xf32>, memref<8xf32>, memref<8x1xf32>) -> ()
// CHECK-NEXT: %[[R:.*]] = bufferization.to_tensor %[[C]] restrict writable : memref<8xf32> to tensor<8xf32>
// CHECK-NEXT: %[[S:.*]] = bufferization.to_tensor %[[D]] restrict writable : memref<8x1xf32> to tensor<8x1xf32>
// CHECK-NEXT: return %[[R]], %[[S]]
func.func private @program(%x: tensor<8xf32>, %y: tensor<8x1xf32>) -> (tensor<8xf32>, tensor<8x1xf32>) {
  %0 = mirage_kernel.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = mirage_kernel.exp %y : (tensor<8x1xf32>) -> tensor<8x1xf32>
  return %0, %1 : tensor<8xf32>, tensor<8x1xf32>
}
func.func @caller(%x: tensor<8xf32>, %y: tensor<8x1xf32>) -> (tensor<8xf32>, tensor<8x1xf32>) {
  %0 = math.sin %x : tensor<8xf32>
  %1:2 = func.call @program(%0, %y) : (tensor<8xf32>, tensor<8x1xf32>) -> (tensor<8xf32>, tensor<8x1xf32>)
  return %1#0, %1#1 : tensor<8xf32>, tensor<8x1xf32>
}

// -----

// Of the same name in another module is another function. What a call says of itself stays.
// CHECK-LABEL: func.func @calls
// CHECK: call @program(%{{.*}}, %{{.*}}) {no_inline, note} : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK: module @inner
// CHECK: call @program(%{{.*}}) : (index) -> index
func.func private @program(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = mirage_kernel.exp %x : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @calls(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = func.call @program(%x) {no_inline, note} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
module @inner {
  func.func private @program(index) -> index
  func.func @other(%x: index) -> index {
    %0 = func.call @program(%x) : (index) -> index
    return %0 : index
  }
}
