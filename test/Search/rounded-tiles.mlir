// Tiles that the program keeps in 16 bits, too, are rounded in front of products, which then run on tensor cores: other computed tiles are f32.

// RUN: mirage-opt %s --split-input-file --mirage-superoptimize=max-kernel-ops=1 2>&1 | FileCheck %s --implicit-check-not=unstable

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

// What the program keeps in f32, too, is not rounded: not its copy in f32, by the way to the product.
// CHECK-LABEL: func.func @both_types(
// CHECK-NOT: mirage_block.add {{.*}} -> !mirage.tile<{{[0-9x]*}}f16>
// CHECK: return
func.func @both_types(%x: tensor<2048x64xf32>, %y: tensor<2048x64xf32>, %u: tensor<64x8xf16>) -> (tensor<2048x64xf32>, tensor<2048x8xf16>) {
  %h = mirage_kernel.add %x, %y : (tensor<2048x64xf32>, tensor<2048x64xf32>) -> tensor<2048x64xf32>
  %h16 = mirage_kernel.add %x, %y : (tensor<2048x64xf32>, tensor<2048x64xf32>) -> tensor<2048x64xf16>
  %c = mirage_kernel.matmul %h16, %u : (tensor<2048x64xf16>, tensor<64x8xf16>) -> tensor<2048x8xf16>
  return %h, %c : tensor<2048x64xf32>, tensor<2048x8xf16>
}

// -----

// Of the one product an exponential is taken, and tensor cores multiply it in tf32: whoever reads the rows reads them in f32.
// CHECK-LABEL: func.func @exponent(
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_block.relu {{.*}} -> !mirage.tile<{{[0-9x]*}}f32>
// CHECK-NOT: mirage_block.relu {{.*}} -> !mirage.tile<{{[0-9x]*}}f16>
// CHECK: return
func.func @exponent(%x: tensor<2048x64xf16>, %y: tensor<64x64xf16>, %z: tensor<64x64xf16>) -> tensor<2048x64xf16> {
  %a = mirage_kernel.relu %x : (tensor<2048x64xf16>) -> tensor<2048x64xf16>
  %c = mirage_kernel.matmul %a, %y : (tensor<2048x64xf16>, tensor<64x64xf16>) -> tensor<2048x64xf16>
  %d = mirage_kernel.exp %c : (tensor<2048x64xf16>) -> tensor<2048x64xf16>
  %e = mirage_kernel.matmul %a, %z : (tensor<2048x64xf16>, tensor<64x64xf16>) -> tensor<2048x64xf16>
  %f = mirage_kernel.mul %d, %e : (tensor<2048x64xf16>, tensor<2048x64xf16>) -> tensor<2048x64xf16>
  return %f : tensor<2048x64xf16>
}

// -----

// Where both are computed tensor cores have no other way.
// CHECK-LABEL: func.func @exponent_of_both(
// CHECK-COUNT-2: mirage_block.relu {{.*}} -> !mirage.tile<{{[0-9x]*}}f16>
// CHECK: mirage_block.exp
func.func @exponent_of_both(%x: tensor<2048x64xf16>, %y: tensor<64x64xf16>) -> tensor<2048x64xf16> {
  %a = mirage_kernel.relu %x : (tensor<2048x64xf16>) -> tensor<2048x64xf16>
  %b = mirage_kernel.relu %y : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %c = mirage_kernel.matmul %a, %b : (tensor<2048x64xf16>, tensor<64x64xf16>) -> tensor<2048x64xf16>
  %d = mirage_kernel.exp %c : (tensor<2048x64xf16>) -> tensor<2048x64xf16>
  return %d : tensor<2048x64xf16>
}

// -----

// Sums that are added up in a loop stay in f32, and what is computed of them is rounded behind it.
// CHECK-LABEL: func.func @sums(
// CHECK: mirage_block.loop iterations {{.*}} -> !mirage.tile<{{[0-9x]*}}f32>
// CHECK: mirage_block.relu {{.*}} -> !mirage.tile<{{[0-9x]*}}f16>
// CHECK: mirage_block.relu {{.*}} -> !mirage.tile<{{[0-9x]*}}f16>
// CHECK: mirage_block.matmul
func.func @sums(%x: tensor<16x8192xf16>, %y: tensor<8192x16xf16>, %z: tensor<16x16xf16>) -> tensor<16x16xf16> {
  %0 = mirage_kernel.matmul %x, %y : (tensor<16x8192xf16>, tensor<8192x16xf16>) -> tensor<16x16xf16>
  %1 = mirage_kernel.relu %0 : (tensor<16x16xf16>) -> tensor<16x16xf16>
  %2 = mirage_kernel.relu %z : (tensor<16x16xf16>) -> tensor<16x16xf16>
  %3 = mirage_kernel.matmul %1, %2 : (tensor<16x16xf16>, tensor<16x16xf16>) -> tensor<16x16xf16>
  return %3 : tensor<16x16xf16>
}
