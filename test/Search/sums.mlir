// Layer norm with gain and shift in front of a SwiGLU: without the rule `indices` too many ways to distribute the products over the
// norm's sums. Without distributing any it is one kernel, whose blocks normalize all rows, as it is with the rule.

// RUN: mirage-opt %s --mirage-superoptimize="without=indices report=%t.json" | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// REPORT: "exhausted": false
// REPORT: "stopped_by": "size-limit"

// RUN: mirage-opt %s --mirage-superoptimize=report=%t.all.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=ALL < %t.all.json
// ALL: "exhausted": true

// What is found is looked up: all searches of it are in the database.
// RUN: rm -f %t.db
// RUN: mirage-opt %s --mirage-superoptimize="without=indices database=%t.db" -o %t.first.mlir
// RUN: mirage-opt %s --mirage-superoptimize="without=indices database=%t.db report=%t.again.json" -o %t.again.mlir
// RUN: FileCheck %s --check-prefix=AGAIN < %t.again.json
// RUN: diff %t.first.mlir %t.again.mlir
// AGAIN: "from_database": true

// CHECK-LABEL: func.func @layer_norm_swiglu(
// CHECK-SAME: verdict = "proved"
// CHECK: = mirage_kernel.graph_defined
// CHECK-COUNT-2: mirage_block.matmul
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @layer_norm_swiglu(%x: tensor<16x1024xbf16>, %g: tensor<1024xbf16>, %b: tensor<1024xbf16>, %u: tensor<1024x2816xbf16>, %v: tensor<1024x2816xbf16>) -> tensor<16x2816xbf16> {
  %sum = mirage_kernel.sum %x dim 1 : (tensor<16x1024xbf16>) -> tensor<16x1xf32>
  %n = mirage.constant 1.024000e+03 : tensor<f32>
  %mean = mirage_kernel.div %sum, %n : (tensor<16x1xf32>, tensor<f32>) -> tensor<16x1xf32>
  %c = mirage_kernel.sub %x, %mean : (tensor<16x1024xbf16>, tensor<16x1xf32>) -> tensor<16x1024xf32>
  %s = mirage_kernel.sqr %c : (tensor<16x1024xf32>) -> tensor<16x1024xf32>
  %t = mirage_kernel.sum %s dim 1 : (tensor<16x1024xf32>) -> tensor<16x1xf32>
  %var = mirage_kernel.div %t, %n : (tensor<16x1xf32>, tensor<f32>) -> tensor<16x1xf32>
  %eps = mirage.constant 1.000000e-05 : tensor<f32>
  %e = mirage_kernel.add %var, %eps : (tensor<16x1xf32>, tensor<f32>) -> tensor<16x1xf32>
  %d = mirage_kernel.sqrt %e : (tensor<16x1xf32>) -> tensor<16x1xf32>
  %q = mirage_kernel.div %c, %d : (tensor<16x1024xf32>, tensor<16x1xf32>) -> tensor<16x1024xf32>
  %gain = mirage_kernel.mul %q, %g : (tensor<16x1024xf32>, tensor<1024xbf16>) -> tensor<16x1024xf32>
  %h = mirage_kernel.add %gain, %b : (tensor<16x1024xf32>, tensor<1024xbf16>) -> tensor<16x1024xbf16>
  %up = mirage_kernel.matmul %h, %u : (tensor<16x1024xbf16>, tensor<1024x2816xbf16>) -> tensor<16x2816xbf16>
  %act = mirage_kernel.silu %up : (tensor<16x2816xbf16>) -> tensor<16x2816xbf16>
  %gate = mirage_kernel.matmul %h, %v : (tensor<16x1024xbf16>, tensor<1024x2816xbf16>) -> tensor<16x2816xbf16>
  %o = mirage_kernel.mul %act, %gate : (tensor<16x2816xbf16>, tensor<16x2816xbf16>) -> tensor<16x2816xbf16>
  return %o : tensor<16x2816xbf16>
}
