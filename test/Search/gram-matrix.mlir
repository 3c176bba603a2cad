// Rows and columns of x xᵀ have one role, which two grid dimensions cut, each into as many parts as it likes.

// RUN: rm -f %t.db
// RUN: mirage-opt %s --split-input-file --mirage-superoptimize=database=%t.db -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// Grids are stored, too.
// RUN: mirage-opt %s --split-input-file "--mirage-superoptimize=database=%t.db report=%t.json" -o %t.again.mlir
// RUN: diff %t.mlir %t.again.mlir
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// REPORT: "from_database": true

// CHECK-LABEL: func.func @relu_gram(
// CHECK: graph_defined({{.*}}) grid <x = {{[0-9]+}}, y = {{[0-9]+}}>
// CHECK-DAG: input_iterator %[[X:.*]] imap <x -> 0, y -> replica>
// CHECK-DAG: input_iterator %[[X]] imap <x -> replica, y -> 0>
// CHECK: output_saver {{.*}} omap <x -> 0, y -> 1>
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @relu_gram(%x: tensor<1024x128xf16>) -> tensor<1024x1024xf16> {
  %t = mirage_kernel.transpose %x permutation [1, 0] : (tensor<1024x128xf16>) -> tensor<128x1024xf16>
  %g = mirage_kernel.matmul %x, %t : (tensor<1024x128xf16>, tensor<128x1024xf16>) -> tensor<1024x1024xf16>
  %r = mirage_kernel.relu %g : (tensor<1024x1024xf16>) -> tensor<1024x1024xf16>
  return %r : tensor<1024x1024xf16>
}

// -----

// Of two outputs, too: what each dimension cuts is in the same place of both.

// CHECK-LABEL: func.func @both_signs(
// CHECK: graph_defined({{.*}}) grid <x = {{[0-9]+}}, y = {{[0-9]+}}>
// CHECK-COUNT-2: output_saver {{.*}} omap <x -> 0, y -> 1>
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @both_signs(%x: tensor<1024x128xf16>) -> (tensor<1024x1024xf16>, tensor<1024x1024xf16>) {
  %t = mirage_kernel.transpose %x permutation [1, 0] : (tensor<1024x128xf16>) -> tensor<128x1024xf16>
  %g = mirage_kernel.matmul %x, %t : (tensor<1024x128xf16>, tensor<128x1024xf16>) -> tensor<1024x1024xf16>
  %r = mirage_kernel.relu %g : (tensor<1024x1024xf16>) -> tensor<1024x1024xf16>
  %e = mirage_kernel.silu %g : (tensor<1024x1024xf16>) -> tensor<1024x1024xf16>
  return %r, %e : tensor<1024x1024xf16>, tensor<1024x1024xf16>
}

// -----

// A step of a Kalman filter.

// CHECK-LABEL: func.func @covariance(
// CHECK: mirage_kernel.matmul
// CHECK: graph_defined({{.*}}) grid <x = {{[0-9]+}}, y = {{[0-9]+}}>
// CHECK-DAG: input_iterator {{.*}} imap <x -> replica, y -> 0> fmap <i -> 1>
// CHECK-DAG: input_iterator {{.*}} imap <x -> 0, y -> replica> fmap <i -> 1>
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @covariance(%f: tensor<512x512xf16>, %p: tensor<512x512xf16>, %q: tensor<512x512xf16>) -> tensor<512x512xf16> {
  %t = mirage_kernel.transpose %f permutation [1, 0] : (tensor<512x512xf16>) -> tensor<512x512xf16>
  %fp = mirage_kernel.matmul %f, %p : (tensor<512x512xf16>, tensor<512x512xf16>) -> tensor<512x512xf16>
  %fpf = mirage_kernel.matmul %fp, %t : (tensor<512x512xf16>, tensor<512x512xf16>) -> tensor<512x512xf16>
  %s = mirage_kernel.add %fpf, %q : (tensor<512x512xf16>, tensor<512x512xf16>) -> tensor<512x512xf16>
  return %s : tensor<512x512xf16>
}

// -----

// Of one tensor in four ways: rows and columns that are cut, in products and as they are.

// CHECK-LABEL: func.func @mixed(
// CHECK: graph_defined({{.*}}) grid <x = {{[0-9]+}}, y = {{[0-9]+}}>
// CHECK-COUNT-4: input_iterator
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @mixed(%x: tensor<1024x1024xf16>) -> tensor<1024x1024xf16> {
  %t = mirage_kernel.transpose %x permutation [1, 0] : (tensor<1024x1024xf16>) -> tensor<1024x1024xf16>
  %g = mirage_kernel.matmul %x, %t : (tensor<1024x1024xf16>, tensor<1024x1024xf16>) -> tensor<1024x1024xf16>
  %m = mirage_kernel.mul %g, %x : (tensor<1024x1024xf16>, tensor<1024x1024xf16>) -> tensor<1024x1024xf16>
  %s = mirage_kernel.add %m, %t : (tensor<1024x1024xf16>, tensor<1024x1024xf16>) -> tensor<1024x1024xf16>
  return %s : tensor<1024x1024xf16>
}

// -----

// Squared distances: sums of the loop and of tiles meet behind it, and what is found fits (it once had more tiles than were counted).

// CHECK-LABEL: func.func @distances(
// CHECK: graph_defined({{.*}}) grid <x = {{[0-9]+}}, y = {{[0-9]+}}>
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @distances(%x: tensor<2048x256xf16>) -> tensor<2048x2048xf16> {
  %t = mirage_kernel.transpose %x permutation [1, 0] : (tensor<2048x256xf16>) -> tensor<256x2048xf16>
  %p = mirage_kernel.matmul %x, %t : (tensor<2048x256xf16>, tensor<256x2048xf16>) -> tensor<2048x2048xf16>
  %d = mirage_kernel.add %p, %p : (tensor<2048x2048xf16>, tensor<2048x2048xf16>) -> tensor<2048x2048xf16>
  %q = mirage_kernel.sqr %x : (tensor<2048x256xf16>) -> tensor<2048x256xf16>
  %r = mirage_kernel.sum %q dim 1 : (tensor<2048x256xf16>) -> tensor<2048x1xf32>
  %c = mirage_kernel.transpose %r permutation [1, 0] : (tensor<2048x1xf32>) -> tensor<1x2048xf32>
  %s = mirage_kernel.add %r, %c : (tensor<2048x1xf32>, tensor<1x2048xf32>) -> tensor<2048x2048xf16>
  %e = mirage_kernel.sub %d, %s : (tensor<2048x2048xf16>, tensor<2048x2048xf16>) -> tensor<2048x2048xf16>
  return %e : tensor<2048x2048xf16>
}
