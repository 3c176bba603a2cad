// RUN: mirage-opt --convert-linalg-to-mirage %s | FileCheck %s

// A large product is worth a concatenation.

// CHECK-LABEL: func.func @large_parts(
// CHECK:         mirage_kernel.concat %{{.*}} : (tensor<2048x512xf16>, tensor<2048x512xf16>) -> tensor<2048x1024xf16>
// CHECK:         mirage_kernel.concat_matmul %{{.*}} -> tensor<2048x2048xf16>
func.func @large_parts(%x: tensor<2048x512xf16>, %y: tensor<2048x512xf16>, %z: tensor<2048x512xf16>, %w: tensor<1536x2048xf16>) -> tensor<2048x2048xf16> {
  %0 = mirage_kernel.concat %x, %y dim 1 : (tensor<2048x512xf16>, tensor<2048x512xf16>) -> tensor<2048x1024xf16>
  %1 = mirage_kernel.concat %0, %z dim 1 : (tensor<2048x1024xf16>, tensor<2048x512xf16>) -> tensor<2048x1536xf16>
  %2 = mirage_kernel.matmul %1, %w : (tensor<2048x1536xf16>, tensor<1536x2048xf16>) -> tensor<2048x2048xf16>
  return %2 : tensor<2048x2048xf16>
}

// To take the other factor apart would take as much as it spares.

// CHECK-LABEL: func.func @apart(
// CHECK:         mirage_kernel.reshape %{{.*}} : (tensor<4x16x32xf16>) -> tensor<64x32xf16>
// CHECK:         mirage_kernel.matmul %{{.*}}, %{{.*}} : (tensor<64x64xf16>, tensor<64x32xf16>) -> tensor<64x32xf32>
func.func @apart(%x: tensor<64x64xf16>, %w: tensor<4x16x32xf16>, %s: tensor<4x1x32xf16>) -> tensor<64x32xf32> {
  %m = mirage_kernel.sum %x dim 1 : (tensor<64x64xf16>) -> tensor<64x1xf16>
  %n = mirage_kernel.sub %x, %m : (tensor<64x64xf16>, tensor<64x1xf16>) -> tensor<64x64xf16>
  %0 = mirage_kernel.mul %w, %s : (tensor<4x16x32xf16>, tensor<4x1x32xf16>) -> tensor<4x16x32xf16>
  %1 = mirage_kernel.reshape %0 : (tensor<4x16x32xf16>) -> tensor<64x32xf16>
  %2 = mirage_kernel.matmul %n, %1 : (tensor<64x64xf16>, tensor<64x32xf16>) -> tensor<64x32xf32>
  return %2 : tensor<64x32xf32>
}
