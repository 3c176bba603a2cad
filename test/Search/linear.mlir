// RUN: mirage-opt --mirage-superoptimize="target=sm_90a threads=2 report=%t.json" %s -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// REPORT-COUNT-4: "exhausted": true

// Linear layers with their weights as they are stored. Where a library is the fastest it transposes, and no kernel does.

// CHECK:      func.func @many_rows
// CHECK-NEXT: %[[Y:.*]] = mirage_kernel.matmul_transposed %{{.*}}, %{{.*}} : (tensor<1024x4096xf16>, tensor<6144x4096xf16>) -> tensor<1024x6144xf16>
// CHECK-NEXT: return %[[Y]]
func.func @many_rows(%x: tensor<1024x4096xf16>, %w: tensor<6144x4096xf16>) -> tensor<1024x6144xf16> {
  %t = mirage_kernel.transpose %w permutation [1, 0] : (tensor<6144x4096xf16>) -> tensor<4096x6144xf16>
  %y = mirage_kernel.matmul %x, %t : (tensor<1024x4096xf16>, tensor<4096x6144xf16>) -> tensor<1024x6144xf16>
  return %y : tensor<1024x6144xf16>
}

// CHECK:      func.func @one_row
// CHECK-NEXT: mirage_kernel.graph_defined
// CHECK-NOT:  mirage_kernel
// CHECK:      return
func.func @one_row(%x: tensor<1x4096xf16>, %w: tensor<6144x4096xf16>) -> tensor<1x6144xf16> {
  %t = mirage_kernel.transpose %w permutation [1, 0] : (tensor<6144x4096xf16>) -> tensor<4096x6144xf16>
  %y = mirage_kernel.matmul %x, %t : (tensor<1x4096xf16>, tensor<4096x6144xf16>) -> tensor<1x6144xf16>
  return %y : tensor<1x6144xf16>
}

// Such a product of a program is fused like one of a transposed tensor.
// CHECK:      func.func @fused
// CHECK-NEXT: mirage_kernel.graph_defined
// CHECK-NOT:  mirage_kernel
// CHECK:      return
func.func @fused(%x: tensor<8x4096xf16>, %w: tensor<6144x4096xf16>, %b: tensor<6144xf16>) -> tensor<8x6144xf16> {
  %y = mirage_kernel.matmul_transposed %x, %w : (tensor<8x4096xf16>, tensor<6144x4096xf16>) -> tensor<8x6144xf16>
  %z = mirage_kernel.add %y, %b : (tensor<8x6144xf16>, tensor<6144xf16>) -> tensor<8x6144xf16>
  %r = mirage_kernel.relu %z : (tensor<8x6144xf16>) -> tensor<8x6144xf16>
  return %r : tensor<8x6144xf16>
}

// The gradient of weights, of rows as they are stored.
// CHECK:      func.func @gradient
// CHECK-NEXT: %[[Y:.*]] = mirage_kernel.matmul_transposed_lhs %{{.*}}, %{{.*}} : (tensor<4096x1024xf16>, tensor<4096x2048xf16>) -> tensor<1024x2048xf16>
// CHECK-NEXT: return %[[Y]]
func.func @gradient(%x: tensor<4096x1024xf16>, %d: tensor<4096x2048xf16>) -> tensor<1024x2048xf16> {
  %t = mirage_kernel.transpose %x permutation [1, 0] : (tensor<4096x1024xf16>) -> tensor<1024x4096xf16>
  %y = mirage_kernel.matmul %t, %d : (tensor<1024x4096xf16>, tensor<4096x2048xf16>) -> tensor<1024x2048xf16>
  return %y : tensor<1024x2048xf16>
}
