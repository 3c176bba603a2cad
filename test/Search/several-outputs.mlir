// A kernel for each of several outputs, or for some of them.

// RUN: mirage-opt %s --mirage-superoptimize="max-kernel-ops=5 report=%t.json" | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// REPORT-COUNT-8: "exhausted": true
// RUN: rm -f %t.db
// RUN: mirage-opt %s --mirage-superoptimize="max-kernel-ops=5 database=%t.db" -o %t.first.mlir
// RUN: mirage-opt %s --mirage-superoptimize="max-kernel-ops=5 database=%t.db report=%t.again.json" -o %t.again.mlir
// RUN: FileCheck %s --check-prefix=AGAIN < %t.again.json
// RUN: diff %t.first.mlir %t.again.mlir
// AGAIN-COUNT-8: "from_database": true

// Two programs in one, of different shapes: a grid dimension cuts the rows of both, one the columns.
// CHECK-LABEL: func.func @independent(
// CHECK: = mirage_kernel.graph_defined({{.*}}) grid <{{.*}}> : {{.*}} -> (tensor<512x1024xf16>, tensor<2048x256xf16>) {
// CHECK: output_saver {{.*}} omap <x -> 1, y -> 0> : {{.*}} -> tensor<512x1024xf16>
// CHECK: output_saver {{.*}} omap <x -> 1, y -> 0> : {{.*}} -> tensor<2048x256xf16>
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @independent(%x: tensor<512x1024xf16>, %y: tensor<2048x256xf16>) -> (tensor<512x1024xf16>, tensor<2048x256xf16>) {
  %a = mirage_kernel.exp %x : (tensor<512x1024xf16>) -> tensor<512x1024xf16>
  %b = mirage_kernel.relu %a : (tensor<512x1024xf16>) -> tensor<512x1024xf16>
  %c = mirage_kernel.exp %y : (tensor<2048x256xf16>) -> tensor<2048x256xf16>
  %d = mirage_kernel.relu %c : (tensor<2048x256xf16>) -> tensor<2048x256xf16>
  return %b, %d : tensor<512x1024xf16>, tensor<2048x256xf16>
}

// A normalization and two projections of it, as queries and keys have them: blocks cut both alike.
// CHECK-LABEL: func.func @projections(
// CHECK: = mirage_kernel.graph_defined({{.*}}) grid <x = {{[0-9]+}}, y = {{[0-9]+}}> : {{.*}} -> (tensor<16x4096xf16>, tensor<16x4096xf16>) {
// CHECK: input_iterator {{.*}} imap <x -> 0, y -> replica> fmap <i -> 1> : tensor<16x4096xf16>
// CHECK: input_iterator {{.*}} imap <x -> replica, y -> 1> fmap <i -> 0> : tensor<4096x4096xf16>
// CHECK: input_iterator {{.*}} imap <x -> replica, y -> 1> fmap <i -> 0> : tensor<4096x4096xf16>
// CHECK-COUNT-2: output_saver {{.*}} omap <x -> 0, y -> 1> : {{.*}} -> tensor<16x4096xf16>
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @projections(%x: tensor<16x4096xf16>, %q: tensor<4096x4096xf16>, %k: tensor<4096x4096xf16>) -> (tensor<16x4096xf16>, tensor<16x4096xf16>) {
  %s = mirage_kernel.sqr %x : (tensor<16x4096xf16>) -> tensor<16x4096xf32>
  %t = mirage_kernel.sum %s dim 1 : (tensor<16x4096xf32>) -> tensor<16x1xf32>
  %r = mirage_kernel.sqrt %t : (tensor<16x1xf32>) -> tensor<16x1xf32>
  %n = mirage_kernel.div %x, %r : (tensor<16x4096xf16>, tensor<16x1xf32>) -> tensor<16x4096xf16>
  %a = mirage_kernel.matmul %n, %q : (tensor<16x4096xf16>, tensor<4096x4096xf16>) -> tensor<16x4096xf16>
  %b = mirage_kernel.matmul %n, %k : (tensor<16x4096xf16>, tensor<4096x4096xf16>) -> tensor<16x4096xf16>
  return %a, %b : tensor<16x4096xf16>, tensor<16x4096xf16>
}

// Of different widths, as many queries and few keys have: as many tiles of each.
// CHECK-LABEL: func.func @uneven(
// CHECK: = mirage_kernel.graph_defined({{.*}}) grid <x = {{[0-9]+}}> : {{.*}} -> (tensor<16x4096xf16>, tensor<16x1024xf16>) {
// CHECK: output_saver {{.*}} omap <x -> 1> : {{.*}} -> tensor<16x4096xf16>
// CHECK: output_saver {{.*}} omap <x -> 1> : {{.*}} -> tensor<16x1024xf16>
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @uneven(%x: tensor<16x4096xf16>, %q: tensor<4096x4096xf16>, %k: tensor<4096x1024xf16>) -> (tensor<16x4096xf16>, tensor<16x1024xf16>) {
  %s = mirage_kernel.sqr %x : (tensor<16x4096xf16>) -> tensor<16x4096xf32>
  %t = mirage_kernel.sum %s dim 1 : (tensor<16x4096xf32>) -> tensor<16x1xf32>
  %r = mirage_kernel.sqrt %t : (tensor<16x1xf32>) -> tensor<16x1xf32>
  %n = mirage_kernel.div %x, %r : (tensor<16x4096xf16>, tensor<16x1xf32>) -> tensor<16x4096xf16>
  %a = mirage_kernel.matmul %n, %q : (tensor<16x4096xf16>, tensor<4096x4096xf16>) -> tensor<16x4096xf16>
  %b = mirage_kernel.matmul %n, %k : (tensor<16x4096xf16>, tensor<4096x1024xf16>) -> tensor<16x1024xf16>
  return %a, %b : tensor<16x4096xf16>, tensor<16x1024xf16>
}

// Keys, transposed, and values: a grid dimension cuts rows of the ones and columns of the others, another one both.
// CHECK-LABEL: func.func @places(
// CHECK: = mirage_kernel.graph_defined({{.*}}) grid <{{.*}}> : {{.*}} -> (tensor<128x4000xf16>, tensor<4000x128xf16>) {
// CHECK: output_saver {{.*}} omap <x -> 1, y -> 0> : {{.*}} -> tensor<128x4000xf16>
// CHECK: output_saver {{.*}} omap <x -> 0, y -> 1> : {{.*}} -> tensor<4000x128xf16>
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @places(%c: tensor<4000x512xf16>, %u: tensor<512x128xf16>, %v: tensor<512x128xf16>) -> (tensor<128x4000xf16>, tensor<4000x128xf16>) {
  %k = mirage_kernel.matmul %c, %u : (tensor<4000x512xf16>, tensor<512x128xf16>) -> tensor<4000x128xf16>
  %t = mirage_kernel.transpose %k permutation [1, 0] : (tensor<4000x128xf16>) -> tensor<128x4000xf16>
  %w = mirage_kernel.matmul %c, %v : (tensor<4000x512xf16>, tensor<512x128xf16>) -> tensor<4000x128xf16>
  return %t, %w : tensor<128x4000xf16>, tensor<4000x128xf16>
}

// An output that another one is made of: it is written once, and read.
// CHECK-LABEL: func.func @hidden(
// CHECK: %[[H:.*]] = mirage_kernel.graph_defined(
// CHECK: mirage_kernel.{{.*}}%[[H]]
// CHECK: return %[[H]],
func.func @hidden(%x: tensor<16x4096xf16>, %u: tensor<4096x4096xf16>, %v: tensor<4096x4096xf16>) -> (tensor<16x4096xf16>, tensor<16x4096xf16>) {
  %a = mirage_kernel.matmul %x, %u : (tensor<16x4096xf16>, tensor<4096x4096xf16>) -> tensor<16x4096xf16>
  %h = mirage_kernel.relu %a : (tensor<16x4096xf16>) -> tensor<16x4096xf16>
  %b = mirage_kernel.matmul %h, %v : (tensor<16x4096xf16>, tensor<4096x4096xf16>) -> tensor<16x4096xf16>
  return %h, %b : tensor<16x4096xf16>, tensor<16x4096xf16>
}

// Of more than four outputs a kernel computes one, or all.
// CHECK-LABEL: func.func @five(
// CHECK: %{{.*}}:5 = mirage_kernel.graph_defined(
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @five(%a: tensor<512x1024xf32>, %b: tensor<512x2048xf32>, %c: tensor<512x512xf32>, %d: tensor<512x256xf32>, %e: tensor<256x512xf32>)
    -> (tensor<512x1024xf32>, tensor<512x2048xf32>, tensor<512x512xf32>, tensor<512x256xf32>, tensor<256x512xf32>) {
  %f = mirage_kernel.exp %a : (tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %g = mirage_kernel.exp %b : (tensor<512x2048xf32>) -> tensor<512x2048xf32>
  %h = mirage_kernel.exp %c : (tensor<512x512xf32>) -> tensor<512x512xf32>
  %i = mirage_kernel.exp %d : (tensor<512x256xf32>) -> tensor<512x256xf32>
  %j = mirage_kernel.exp %e : (tensor<256x512xf32>) -> tensor<256x512xf32>
  %k = mirage_kernel.relu %f : (tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %l = mirage_kernel.relu %g : (tensor<512x2048xf32>) -> tensor<512x2048xf32>
  %m = mirage_kernel.relu %h : (tensor<512x512xf32>) -> tensor<512x512xf32>
  %n = mirage_kernel.relu %i : (tensor<512x256xf32>) -> tensor<512x256xf32>
  %o = mirage_kernel.relu %j : (tensor<256x512xf32>) -> tensor<256x512xf32>
  return %k, %l, %m, %n, %o : tensor<512x1024xf32>, tensor<512x2048xf32>, tensor<512x512xf32>, tensor<512x256xf32>, tensor<256x512xf32>
}

// One value in two types, as a residual stream and the next layer want it: one kernel stores both.
// CHECK-LABEL: func.func @two_types(
// CHECK: = mirage_kernel.graph_defined({{.*}} -> (tensor<512x1024xf32>, tensor<512x1024xf16>) {
// CHECK: %[[SUM:.*]] = mirage_block.add
// CHECK: output_saver %[[SUM]] {{.*}} -> tensor<512x1024xf32>
// CHECK: output_saver %[[SUM]] {{.*}} -> tensor<512x1024xf16>
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @two_types(%x: tensor<512x1024xf16>, %y: tensor<512x1024xf16>) -> (tensor<512x1024xf32>, tensor<512x1024xf16>) {
  %a = mirage_kernel.add %x, %y : (tensor<512x1024xf16>, tensor<512x1024xf16>) -> tensor<512x1024xf32>
  %b = mirage_kernel.cast %a : (tensor<512x1024xf32>) -> tensor<512x1024xf16>
  return %a, %b : tensor<512x1024xf32>, tensor<512x1024xf16>
}

// A residual that is added, normalized and multiplied by weights, and returned, too: blocks cut the sum's columns where they
// return it, and the product's; the loop runs over the sum's columns where the product reads them.
// CHECK-LABEL: func.func @residual(
// CHECK: = mirage_kernel.graph_defined({{.*}}) grid <{{.*}}y = {{[0-9]+}}> : {{.*}} -> (tensor<8x5120xf16>, tensor<8x2560xf16>) {
// CHECK: input_iterator {{.*}} imap <x -> 0, y -> replica> fmap <i -> 1> : tensor<8x5120xf16>
// CHECK: input_iterator {{.*}} imap <x -> replica, y -> 1> fmap <i -> 0> : tensor<5120x2560xf16>
// CHECK: input_iterator {{.*}} imap <x -> 0, y -> 1> : tensor<8x5120xf16>
// CHECK: output_saver {{.*}} omap <x -> 0, y -> 1> : {{.*}} -> tensor<8x5120xf16>
// CHECK: output_saver {{.*}} omap <x -> 0, y -> 1> : {{.*}} -> tensor<8x2560xf16>
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @residual(%x: tensor<8x5120xf16>, %y: tensor<8x5120xf16>, %w: tensor<5120x2560xf16>) -> (tensor<8x5120xf16>, tensor<8x2560xf16>) {
  %h = mirage_kernel.add %x, %y : (tensor<8x5120xf16>, tensor<8x5120xf16>) -> tensor<8x5120xf16>
  %s = mirage_kernel.sqr %h : (tensor<8x5120xf16>) -> tensor<8x5120xf32>
  %t = mirage_kernel.sum %s dim 1 : (tensor<8x5120xf32>) -> tensor<8x1xf32>
  %r = mirage_kernel.sqrt %t : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %n = mirage_kernel.div %h, %r : (tensor<8x5120xf16>, tensor<8x1xf32>) -> tensor<8x5120xf16>
  %p = mirage_kernel.matmul %n, %w : (tensor<8x5120xf16>, tensor<5120x2560xf16>) -> tensor<8x2560xf16>
  return %h, %p : tensor<8x5120xf16>, tensor<8x2560xf16>
}
