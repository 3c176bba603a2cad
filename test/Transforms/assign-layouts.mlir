// RUN: mirage-opt --mirage-schedule-operators --mirage-assign-layouts %s | FileCheck %s
// RUN: mirage-opt --mirage-schedule-operators --mirage-assign-layouts --mirage-plan-memory --mirage-assign-layouts %s | FileCheck %s
// RUN: mirage-opt --mirage-specialize-warps --mirage-schedule-operators --mirage-assign-layouts %s | FileCheck %s --check-prefix=HOPPER
// RUN: mirage-opt --mirage-schedule-operators --mirage-assign-layouts --mirage-plan-memory --convert-mirage-to-gpu=allow-unverified %s | FileCheck %s --check-prefix=GPU

// Operands that `ldmatrix` reads: rows of 128 bytes are a panel; rows of 96 bytes
// would be three of them, which copies along rows don't get without conflicts.
// Sums that are read twice are stored, in pairs.
// CHECK-LABEL: func.func @product
// CHECK:         mirage_block.loop {{.*}}mirage.layouts = ["pair{{[a-z_0-9]*}}"]
// CHECK-NEXT:      mirage_block.input_iterator {{.*}}mirage.layouts = ["swizzle_128"]
// CHECK-NEXT:      mirage_block.input_iterator {{.*}}mirage.layouts = ["rows_32"]
// CHECK-NOT:       mirage.offsets
// CHECK:         return

// The TMA fills panels, which cost nothing, but no other layouts.
// HOPPER-LABEL: func.func @product
// HOPPER:         mirage_block.loop {{.*}}mirage.producer_warp
// HOPPER-NEXT:      mirage_block.input_iterator {{.*}}mirage.layouts = ["swizzle_128"]
// HOPPER-NEXT:      mirage_block.input_iterator {{.*}}mirage.layouts = ["swizzle_32"]

// GPU-LABEL: gpu.func @product_0
// GPU:         arith.xori
func.func @product(%x: tensor<16x256xf16>, %y: tensor<256x48xf16>) -> (tensor<16x48xf16>, tensor<16x48xf32>) {
  %z:2 = mirage_kernel.graph_defined (%x, %y) grid <x = 1> : (tensor<16x256xf16>, tensor<256x48xf16>) -> (tensor<16x48xf16>, tensor<16x48xf32>) {
  ^bb0(%X: tensor<16x256xf16>, %Y: tensor<256x48xf16>):
    %r = mirage_block.loop iterations 4 -> !mirage.tile<16x48xf32> {
      %a = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<16x256xf16> -> !mirage.tile<16x64xf16>
      %b = mirage_block.input_iterator %Y imap <x -> replica> fmap <i -> 0> : tensor<256x48xf16> -> !mirage.tile<64x48xf16>
      %p = mirage_block.matmul %a, %b : (!mirage.tile<16x64xf16>, !mirage.tile<64x48xf16>) -> !mirage.tile<16x48xf32>
      mirage_block.accumulate sum %p : !mirage.tile<16x48xf32>
    }
    mirage_block.output_saver %r omap <x -> replica> : !mirage.tile<16x48xf32> -> tensor<16x48xf16>
    mirage_block.output_saver %r omap <x -> replica> : !mirage.tile<16x48xf32> -> tensor<16x48xf32>
  }
  return %z#0, %z#1 : tensor<16x48xf16>, tensor<16x48xf32>
}

// What is read as it is stored stays row-major.
// CHECK-LABEL: func.func @elementwise
// CHECK-NOT:     mirage.layouts
// CHECK:         return
func.func @elementwise(%x: tensor<16x64xf16>) -> tensor<16x64xf16> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<16x64xf16>) -> tensor<16x64xf16> {
  ^bb0(%X: tensor<16x64xf16>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<16x64xf16> -> !mirage.tile<16x64xf16>
    %e = mirage_block.exp %t : (!mirage.tile<16x64xf16>) -> !mirage.tile<16x64xf32>
    mirage_block.output_saver %e omap <x -> replica> : !mirage.tile<16x64xf32> -> tensor<16x64xf16>
  }
  return %z : tensor<16x64xf16>
}

// Columns, which a transpose makes of rows, are read from several banks.
// CHECK-LABEL: func.func @transposed
// CHECK:         mirage_block.input_iterator {{.*}}mirage.layouts = ["pairs_128"]
// CHECK:         return
func.func @transposed(%x: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<32x32xf32>) -> tensor<32x32xf32> {
  ^bb0(%X: tensor<32x32xf32>):
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<32x32xf32> -> !mirage.tile<32x32xf32>
    %s = mirage_block.transpose %t permutation [1, 0] : (!mirage.tile<32x32xf32>) -> !mirage.tile<32x32xf32>
    %e = mirage_block.exp %s : (!mirage.tile<32x32xf32>) -> !mirage.tile<32x32xf32>
    mirage_block.output_saver %e omap <x -> replica> : !mirage.tile<32x32xf32> -> tensor<32x32xf32>
  }
  return %z : tensor<32x32xf32>
}

// Rows of 20 bytes: halves of 128 bytes change places, wherever rows begin. Sums
// with rows of 400 bytes are stored and read in pairs, four rows at a time: padding
// puts these into different banks.
// CHECK-LABEL: func.func @odd_rows
// CHECK:         mirage_block.input_iterator {{.*}}mirage.layouts = ["halves_128"]{{.*}} -> !mirage.tile<1000x10xf16>
// CHECK:         mirage_block.matmul {{.*}}mirage.layouts = ["padded_32"]{{.*}} -> !mirage.tile<16x100xf32>
func.func @odd_rows(%x: tensor<3x1000xf16>, %w: tensor<1000x10xf16>, %q: tensor<16x64xf16>, %k: tensor<64x100xf16>, %v: tensor<100x16xf16>) -> (tensor<3x10xf16>, tensor<16x16xf16>) {
  %z:2 = mirage_kernel.graph_defined (%x, %w, %q, %k, %v) grid <x = 1> : (tensor<3x1000xf16>, tensor<1000x10xf16>, tensor<16x64xf16>, tensor<64x100xf16>, tensor<100x16xf16>) -> (tensor<3x10xf16>, tensor<16x16xf16>) {
  ^bb0(%X: tensor<3x1000xf16>, %W: tensor<1000x10xf16>, %Q: tensor<16x64xf16>, %K: tensor<64x100xf16>, %V: tensor<100x16xf16>):
    %a = mirage_block.input_iterator %X imap <x -> replica> : tensor<3x1000xf16> -> !mirage.tile<3x1000xf16>
    %b = mirage_block.input_iterator %W imap <x -> replica> : tensor<1000x10xf16> -> !mirage.tile<1000x10xf16>
    %p = mirage_block.matmul %a, %b : (!mirage.tile<3x1000xf16>, !mirage.tile<1000x10xf16>) -> !mirage.tile<3x10xf32>
    %c = mirage_block.input_iterator %Q imap <x -> replica> : tensor<16x64xf16> -> !mirage.tile<16x64xf16>
    %d = mirage_block.input_iterator %K imap <x -> replica> : tensor<64x100xf16> -> !mirage.tile<64x100xf16>
    %e = mirage_block.input_iterator %V imap <x -> replica> : tensor<100x16xf16> -> !mirage.tile<100x16xf16>
    %s = mirage_block.matmul %c, %d : (!mirage.tile<16x64xf16>, !mirage.tile<64x100xf16>) -> !mirage.tile<16x100xf32>
    %o = mirage_block.matmul %s, %e : (!mirage.tile<16x100xf32>, !mirage.tile<100x16xf16>) -> !mirage.tile<16x16xf32>
    mirage_block.output_saver %p omap <x -> replica> : !mirage.tile<3x10xf32> -> tensor<3x10xf16>
    mirage_block.output_saver %o omap <x -> replica> : !mirage.tile<16x16xf32> -> tensor<16x16xf16>
  }
  return %z#0, %z#1 : tensor<3x10xf16>, tensor<16x16xf16>
}

// There is no room for padding: what needs none is the best.
// CHECK-LABEL: func.func @tight
// CHECK:         mirage_block.matmul {{.*}}mirage.layouts = ["halves_128"]{{.*}} -> !mirage.tile<16x100xf32>
func.func @tight(%x: tensor<1x50280xf32>, %q: tensor<16x64xf16>, %k: tensor<64x100xf16>, %v: tensor<100x16xf16>) -> (tensor<1x50280xf32>, tensor<16x16xf16>) {
  %z:2 = mirage_kernel.graph_defined (%x, %q, %k, %v) grid <x = 1> : (tensor<1x50280xf32>, tensor<16x64xf16>, tensor<64x100xf16>, tensor<100x16xf16>) -> (tensor<1x50280xf32>, tensor<16x16xf16>) {
  ^bb0(%X: tensor<1x50280xf32>, %Q: tensor<16x64xf16>, %K: tensor<64x100xf16>, %V: tensor<100x16xf16>):
    %g = mirage_block.input_iterator %X imap <x -> replica> : tensor<1x50280xf32> -> !mirage.tile<1x50280xf32>
    %c = mirage_block.input_iterator %Q imap <x -> replica> : tensor<16x64xf16> -> !mirage.tile<16x64xf16>
    %d = mirage_block.input_iterator %K imap <x -> replica> : tensor<64x100xf16> -> !mirage.tile<64x100xf16>
    %e = mirage_block.input_iterator %V imap <x -> replica> : tensor<100x16xf16> -> !mirage.tile<100x16xf16>
    %s = mirage_block.matmul %c, %d : (!mirage.tile<16x64xf16>, !mirage.tile<64x100xf16>) -> !mirage.tile<16x100xf32>
    %o = mirage_block.matmul %s, %e : (!mirage.tile<16x100xf32>, !mirage.tile<100x16xf16>) -> !mirage.tile<16x16xf32>
    %f = mirage_block.exp %g : (!mirage.tile<1x50280xf32>) -> !mirage.tile<1x50280xf32>
    mirage_block.output_saver %f omap <x -> replica> : !mirage.tile<1x50280xf32> -> tensor<1x50280xf32>
    mirage_block.output_saver %o omap <x -> replica> : !mirage.tile<16x16xf32> -> tensor<16x16xf16>
  }
  return %z#0, %z#1 : tensor<1x50280xf32>, tensor<16x16xf16>
}
