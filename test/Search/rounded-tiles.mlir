// Tiles that the program keeps in 16 bits, too, are rounded in front of products, which then run on tensor cores: other computed tiles are f32.

// RUN: mirage-opt %s --split-input-file --mirage-superoptimize=max-kernel-ops=1 | FileCheck %s

// Both operands are computed: in f32 the product would be one of scalars.
// CHECK-LABEL: func.func @both(
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_block.relu %{{.*}} -> !mirage.tile<{{[0-9x]*}}f16>
// CHECK: mirage_block.relu %{{.*}} -> !mirage.tile<{{[0-9x]*}}f16>
// CHECK: mirage_block.matmul
func.func @both(%x: tensor<64x1024xf16>, %y: tensor<1024x256xf16>) -> tensor<64x256xf16> {
  %a = mirage_kernel.relu %x : (tensor<64x1024xf16>) -> tensor<64x1024xf16>
  %b = mirage_kernel.relu %y : (tensor<1024x256xf16>) -> tensor<1024x256xf16>
  %c = mirage_kernel.matmul %a, %b : (tensor<64x1024xf16>, tensor<1024x256xf16>) -> tensor<64x256xf16>
  return %c : tensor<64x256xf16>
}

// -----

// The program keeps one of them in bf16, and one in f32.
// CHECK-LABEL: func.func @one(
// CHECK: mirage_block.relu %{{.*}} : (!mirage.tile<{{[0-9x]*}}bf16>) -> !mirage.tile<{{[0-9x]*}}bf16>
// CHECK: mirage_block.relu %{{.*}} -> !mirage.tile<{{[0-9x]*}}f32>
// CHECK: mirage_block.matmul
func.func @one(%x: tensor<64x1024xbf16>, %y: tensor<1024x256xf32>) -> tensor<64x256xf32> {
  %a = mirage_kernel.relu %x : (tensor<64x1024xbf16>) -> tensor<64x1024xbf16>
  %b = mirage_kernel.relu %y : (tensor<1024x256xf32>) -> tensor<1024x256xf32>
  %c = mirage_kernel.matmul %a, %b : (tensor<64x1024xbf16>, tensor<1024x256xf32>) -> tensor<64x256xf32>
  return %c : tensor<64x256xf32>
}

// -----

// Keys are rows of memory, and summed up with something before they are transposed.
// CHECK-LABEL: func.func @transposed(
// CHECK: mirage_block.add %{{.*}} -> !mirage.tile<{{[0-9x]*}}f16>
// CHECK: mirage_block.add %{{.*}} -> !mirage.tile<{{[0-9x]*}}f16>
// CHECK: mirage_block.matmul
func.func @transposed(%x: tensor<64x128xf16>, %y: tensor<256x128xf16>, %b: tensor<128xf16>, %c: tensor<128xf16>) -> tensor<64x256xf16> {
  %0 = mirage_kernel.add %x, %b : (tensor<64x128xf16>, tensor<128xf16>) -> tensor<64x128xf16>
  %1 = mirage_kernel.add %y, %c : (tensor<256x128xf16>, tensor<128xf16>) -> tensor<256x128xf16>
  %2 = mirage_kernel.transpose %1 permutation [1, 0] : (tensor<256x128xf16>) -> tensor<128x256xf16>
  %3 = mirage_kernel.matmul %0, %2 : (tensor<64x128xf16>, tensor<128x256xf16>) -> tensor<64x256xf16>
  return %3 : tensor<64x256xf16>
}

// -----

// Sums that are added up in a loop stay in f32.
// CHECK-LABEL: func.func @sums(
// CHECK: mirage_block.loop iterations {{.*}} -> !mirage.tile<{{[0-9x]*}}f32>
func.func @sums(%x: tensor<16x4096xf16>, %y: tensor<4096x16xf16>, %z: tensor<16x16xf16>) -> tensor<16x16xf16> {
  %a = mirage_kernel.matmul %x, %y : (tensor<16x4096xf16>, tensor<4096x16xf16>) -> tensor<16x16xf16>
  %b = mirage_kernel.matmul %a, %z : (tensor<16x16xf16>, tensor<16x16xf16>) -> tensor<16x16xf16>
  return %b : tensor<16x16xf16>
}
