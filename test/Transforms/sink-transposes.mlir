// RUN: mirage-opt %s --mirage-sink-transposes | FileCheck %s
// RUN: mirage-opt %s --mirage-sink-transposes --mirage-sink-transposes | FileCheck %s

// What a product reads in 16 bits is computed of rows as they were loaded, and transposed in the end; a sum reads the same.
// CHECK-LABEL: func.func @product
// CHECK: %[[K:.*]] = mirage_block.input_iterator %{{.*}} -> !mirage.tile<32x16xf16>
// CHECK-NOT: mirage_block.transpose
// CHECK: %[[R:.*]] = mirage_block.relu %[[K]] : (!mirage.tile<32x16xf16>) -> !mirage.tile<32x16xf32>
// CHECK-NOT: mirage_block.transpose
// CHECK: %[[M:.*]] = mirage_block.mul %[[R]], %{{.*}} : (!mirage.tile<32x16xf32>, !mirage.tile<f32>) -> !mirage.tile<32x16xf16>
// CHECK-NEXT: %[[T:.*]] = mirage_block.transpose %[[M]] permutation [1, 0] : (!mirage.tile<32x16xf16>) -> !mirage.tile<16x32xf16>
// CHECK: mirage_block.matmul %{{.*}}, %[[T]]
// CHECK: mirage_block.sum %[[T]] dim 0
func.func @product(%q: tensor<16x16xf16>, %k: tensor<64x16xf16>) -> (tensor<16x64xf16>, tensor<1x64xf16>) {
  %z:2 = mirage_kernel.graph_defined (%q, %k) grid <x = 2> : (tensor<16x16xf16>, tensor<64x16xf16>) -> (tensor<16x64xf16>, tensor<1x64xf16>) {
  ^bb0(%Q: tensor<16x16xf16>, %K: tensor<64x16xf16>):
    %qt = mirage_block.input_iterator %Q imap <x -> replica> : tensor<16x16xf16> -> !mirage.tile<16x16xf16>
    %kt = mirage_block.input_iterator %K imap <x -> 0> : tensor<64x16xf16> -> !mirage.tile<32x16xf16>
    %t = mirage_block.transpose %kt permutation [1, 0] : (!mirage.tile<32x16xf16>) -> !mirage.tile<16x32xf32>
    %r = mirage_block.relu %t : (!mirage.tile<16x32xf32>) -> !mirage.tile<16x32xf32>
    %c = mirage.constant 2.0 : !mirage.tile<f32>
    %m = mirage_block.mul %r, %c : (!mirage.tile<16x32xf32>, !mirage.tile<f32>) -> !mirage.tile<16x32xf16>
    %p = mirage_block.matmul %qt, %m : (!mirage.tile<16x16xf16>, !mirage.tile<16x32xf16>) -> !mirage.tile<16x32xf32>
    %s = mirage_block.sum %m dim 0 : (!mirage.tile<16x32xf16>) -> !mirage.tile<1x32xf32>
    mirage_block.output_saver %p omap <x -> 1> : !mirage.tile<16x32xf32> -> tensor<16x64xf16>
    mirage_block.output_saver %s omap <x -> 1> : !mirage.tile<1x32xf32> -> tensor<1x64xf16>
  }
  return %z#0, %z#1 : tensor<16x64xf16>, tensor<1x64xf16>
}

// So it is of two tiles that are transposed in the same way, but not if one of them isn't, or is a row that others have in common.
// CHECK-LABEL: func.func @two
// CHECK: mirage_block.add {{.*}} -> !mirage.tile<32x16xf16>
// CHECK-NEXT: mirage_block.transpose
// CHECK: mirage_block.sub {{.*}} -> !mirage.tile<16x32xf16>
// CHECK: mirage_block.mul {{.*}} -> !mirage.tile<16x32xf16>
func.func @two(%q: tensor<16x16xf16>, %k: tensor<32x16xf16>, %l: tensor<32x16xf16>, %n: tensor<16x32xf16>, %g: tensor<1x32xf16>) -> (tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>) {
  %z:3 = mirage_kernel.graph_defined (%q, %k, %l, %n, %g) grid <x = 1> : (tensor<16x16xf16>, tensor<32x16xf16>, tensor<32x16xf16>, tensor<16x32xf16>, tensor<1x32xf16>) -> (tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>) {
  ^bb0(%Q: tensor<16x16xf16>, %K: tensor<32x16xf16>, %L: tensor<32x16xf16>, %N: tensor<16x32xf16>, %G: tensor<1x32xf16>):
    %qt = mirage_block.input_iterator %Q imap <x -> replica> : tensor<16x16xf16> -> !mirage.tile<16x16xf16>
    %kt = mirage_block.input_iterator %K imap <x -> replica> : tensor<32x16xf16> -> !mirage.tile<32x16xf16>
    %lt = mirage_block.input_iterator %L imap <x -> replica> : tensor<32x16xf16> -> !mirage.tile<32x16xf16>
    %nt = mirage_block.input_iterator %N imap <x -> replica> : tensor<16x32xf16> -> !mirage.tile<16x32xf16>
    %gt = mirage_block.input_iterator %G imap <x -> replica> : tensor<1x32xf16> -> !mirage.tile<1x32xf16>
    %k1 = mirage_block.transpose %kt permutation [1, 0] : (!mirage.tile<32x16xf16>) -> !mirage.tile<16x32xf16>
    %l1 = mirage_block.transpose %lt permutation [1, 0] : (!mirage.tile<32x16xf16>) -> !mirage.tile<16x32xf16>
    %g1 = mirage_block.transpose %gt permutation [0, 1] : (!mirage.tile<1x32xf16>) -> !mirage.tile<1x32xf16>
    %a = mirage_block.add %k1, %l1 : (!mirage.tile<16x32xf16>, !mirage.tile<16x32xf16>) -> !mirage.tile<16x32xf16>
    %b = mirage_block.sub %k1, %nt : (!mirage.tile<16x32xf16>, !mirage.tile<16x32xf16>) -> !mirage.tile<16x32xf16>
    %c = mirage_block.mul %k1, %g1 : (!mirage.tile<16x32xf16>, !mirage.tile<1x32xf16>) -> !mirage.tile<16x32xf16>
    %pa = mirage_block.matmul %qt, %a : (!mirage.tile<16x16xf16>, !mirage.tile<16x32xf16>) -> !mirage.tile<16x32xf32>
    %pb = mirage_block.matmul %qt, %b : (!mirage.tile<16x16xf16>, !mirage.tile<16x32xf16>) -> !mirage.tile<16x32xf32>
    %pc = mirage_block.matmul %qt, %c : (!mirage.tile<16x16xf16>, !mirage.tile<16x32xf16>) -> !mirage.tile<16x32xf32>
    mirage_block.output_saver %pa omap <x -> replica> : !mirage.tile<16x32xf32> -> tensor<16x32xf16>
    mirage_block.output_saver %pb omap <x -> replica> : !mirage.tile<16x32xf32> -> tensor<16x32xf16>
    mirage_block.output_saver %pc omap <x -> replica> : !mirage.tile<16x32xf32> -> tensor<16x32xf16>
  }
  return %z#0, %z#1, %z#2 : tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>
}

// Nor where a transpose rounds, where a product reads f32, or where none reads it.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-4: mirage_block.relu {{.*}} -> !mirage.tile<16x32x
func.func @others(%q: tensor<16x16xf16>, %k: tensor<32x16xf32>, %l: tensor<32x16xbf16>) -> (tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>) {
  %z:4 = mirage_kernel.graph_defined (%q, %k, %l) grid <x = 1> : (tensor<16x16xf16>, tensor<32x16xf32>, tensor<32x16xbf16>) -> (tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>) {
  ^bb0(%Q: tensor<16x16xf16>, %K: tensor<32x16xf32>, %L: tensor<32x16xbf16>):
    %lt = mirage_block.input_iterator %L imap <x -> replica> : tensor<32x16xbf16> -> !mirage.tile<32x16xbf16>
    %g = mirage_block.transpose %lt permutation [1, 0] : (!mirage.tile<32x16xbf16>) -> !mirage.tile<16x32xf16>
    %d = mirage_block.relu %g : (!mirage.tile<16x32xf16>) -> !mirage.tile<16x32xf16>
    %qt = mirage_block.input_iterator %Q imap <x -> replica> : tensor<16x16xf16> -> !mirage.tile<16x16xf16>
    %kt = mirage_block.input_iterator %K imap <x -> replica> : tensor<32x16xf32> -> !mirage.tile<32x16xf32>
    %h = mirage_block.transpose %kt permutation [1, 0] : (!mirage.tile<32x16xf32>) -> !mirage.tile<16x32xf16>
    %f = mirage_block.transpose %kt permutation [1, 0] : (!mirage.tile<32x16xf32>) -> !mirage.tile<16x32xf32>
    %a = mirage_block.relu %h : (!mirage.tile<16x32xf16>) -> !mirage.tile<16x32xf16>
    %b = mirage_block.relu %f : (!mirage.tile<16x32xf32>) -> !mirage.tile<16x32xf32>
    %c = mirage_block.relu %f : (!mirage.tile<16x32xf32>) -> !mirage.tile<16x32xf16>
    %pa = mirage_block.matmul %qt, %a : (!mirage.tile<16x16xf16>, !mirage.tile<16x32xf16>) -> !mirage.tile<16x32xf32>
    %pb = mirage_block.matmul %qt, %b : (!mirage.tile<16x16xf16>, !mirage.tile<16x32xf32>) -> !mirage.tile<16x32xf32>
    mirage_block.output_saver %pa omap <x -> replica> : !mirage.tile<16x32xf32> -> tensor<16x32xf16>
    mirage_block.output_saver %pb omap <x -> replica> : !mirage.tile<16x32xf32> -> tensor<16x32xf16>
    %pd = mirage_block.matmul %qt, %d : (!mirage.tile<16x16xf16>, !mirage.tile<16x32xf16>) -> !mirage.tile<16x32xf32>
    mirage_block.output_saver %c omap <x -> replica> : !mirage.tile<16x32xf16> -> tensor<16x32xf16>
    mirage_block.output_saver %pd omap <x -> replica> : !mirage.tile<16x32xf32> -> tensor<16x32xf16>
  }
  return %z#0, %z#1, %z#2, %z#3 : tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>, tensor<16x32xf16>
}
