// Attention with grouped queries on tensors of four dimensions: heads and rows are merged, which costs nothing, and what is between
// the two products is fused with them.

// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-superoptimize=report=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json

// CHECK: func.func @attention(
// CHECK-NEXT: %[[Q:.*]] = mirage_kernel.reshape %arg0 : (tensor<8x4x16x64xf16>) -> tensor<8x64x64xf16>
// CHECK-NEXT: %[[O:.*]] = mirage_kernel.graph_defined({{.*}}%arg{{[12]}}, 
// CHECK-NOT: mirage_kernel.
// CHECK: %[[R:.*]] = mirage_kernel.reshape %[[O]] : (tensor<8x64x64xf16>) -> tensor<8x4x16x64xf16>
// CHECK-NEXT: return %[[R]]
// REPORT-COUNT-2: "verdict": "proved"
#q = affine_map<(b, h, s, t, d) -> (b, h, s, d)>
#k = affine_map<(b, h, s, t, d) -> (b, t, d)>
#p = affine_map<(b, h, s, t, d) -> (b, h, s, t)>
func.func @attention(%q: tensor<8x4x16x64xf16>, %k: tensor<8x1024x64xf16>, %v: tensor<8x1024x64xf16>) -> tensor<8x4x16x64xf16> {
  %zero = arith.constant dense<0.0> : tensor<8x4x16x1024xf16>
  %s = linalg.contract indexing_maps = [#q, #k, #p]
      ins(%q, %k : tensor<8x4x16x64xf16>, tensor<8x1024x64xf16>) outs(%zero : tensor<8x4x16x1024xf16>) -> tensor<8x4x16x1024xf16>
  %empty = tensor.empty() : tensor<8x4x16x1024xf16>
  %p = linalg.softmax dimension(3) ins(%s : tensor<8x4x16x1024xf16>) outs(%empty : tensor<8x4x16x1024xf16>) -> tensor<8x4x16x1024xf16>
  %zeros = arith.constant dense<0.0> : tensor<8x4x16x64xf16>
  %o = linalg.contract indexing_maps = [#p, #k, #q]
      ins(%p, %v : tensor<8x4x16x1024xf16>, tensor<8x1024x64xf16>) outs(%zeros : tensor<8x4x16x64xf16>) -> tensor<8x4x16x64xf16>
  return %o : tensor<8x4x16x64xf16>
}

// Blocks cut rows of one head and rows of two: no proof of all at once divides the merged dimension so. That of the part is enough.

// CHECK: func.func @uneven(
// CHECK-NEXT: %[[Q:.*]] = mirage_kernel.reshape %arg0
// CHECK-NEXT: %[[O:.*]] = mirage_kernel.graph_defined(
// CHECK-NOT: mirage_kernel.
// CHECK: %[[R:.*]] = mirage_kernel.reshape %[[O]]
// CHECK-NEXT: return %[[R]]
func.func @uneven(%q: tensor<2x4x3x24xf16>, %k: tensor<2x40x24xf16>, %v: tensor<2x40x24xf16>) -> tensor<2x4x3x24xf16> {
  %zero = arith.constant dense<0.0> : tensor<2x4x3x40xf16>
  %s = linalg.contract indexing_maps = [#q, #k, #p]
      ins(%q, %k : tensor<2x4x3x24xf16>, tensor<2x40x24xf16>) outs(%zero : tensor<2x4x3x40xf16>) -> tensor<2x4x3x40xf16>
  %empty = tensor.empty() : tensor<2x4x3x40xf16>
  %p = linalg.softmax dimension(3) ins(%s : tensor<2x4x3x40xf16>) outs(%empty : tensor<2x4x3x40xf16>) -> tensor<2x4x3x40xf16>
  %zeros = arith.constant dense<0.0> : tensor<2x4x3x24xf16>
  %o = linalg.contract indexing_maps = [#p, #k, #q]
      ins(%p, %v : tensor<2x4x3x40xf16>, tensor<2x40x24xf16>) outs(%zeros : tensor<2x4x3x24xf16>) -> tensor<2x4x3x24xf16>
  return %o : tensor<2x4x3x24xf16>
}

// As layers keep them, positions first: heads can't become rows. The result is transposed by a kernel of its own, so that attention has room for
// larger tiles. The report says that it is the best.

// CHECK: func.func @positions_first(
// CHECK-COUNT-2: mirage_kernel.graph_defined(
// CHECK-NOT: mirage_kernel.graph_defined(
// CHECK: func.func private @positions_first_reference
#q5 = affine_map<(b, k, r, n, m, d) -> (b, k, r, n, d)>
#k5 = affine_map<(b, k, r, n, m, d) -> (b, k, m, d)>
#p5 = affine_map<(b, k, r, n, m, d) -> (b, k, r, n, m)>
func.func @positions_first(%q: tensor<1x1024x8x4x128xf16>, %k: tensor<1x1024x8x128xf16>, %v: tensor<1x1024x8x128xf16>) -> tensor<1x1024x8x4x128xf16> {
  %e0 = tensor.empty() : tensor<1x8x4x1024x128xf16>
  %e1 = tensor.empty() : tensor<1x8x1024x128xf16>
  %e2 = tensor.empty() : tensor<1x8x4x1024x1024xf16>
  %e3 = tensor.empty() : tensor<1x1024x8x4x128xf16>
  %qt = linalg.transpose ins(%q : tensor<1x1024x8x4x128xf16>) outs(%e0 : tensor<1x8x4x1024x128xf16>) permutation = [0, 2, 3, 1, 4]
  %kt = linalg.transpose ins(%k : tensor<1x1024x8x128xf16>) outs(%e1 : tensor<1x8x1024x128xf16>) permutation = [0, 2, 1, 3]
  %vt = linalg.transpose ins(%v : tensor<1x1024x8x128xf16>) outs(%e1 : tensor<1x8x1024x128xf16>) permutation = [0, 2, 1, 3]
  %zero = arith.constant dense<0.0> : tensor<1x8x4x1024x1024xf16>
  %s = linalg.contract indexing_maps = [#q5, #k5, #p5]
      ins(%qt, %kt : tensor<1x8x4x1024x128xf16>, tensor<1x8x1024x128xf16>) outs(%zero : tensor<1x8x4x1024x1024xf16>) -> tensor<1x8x4x1024x1024xf16>
  %p = linalg.softmax dimension(4) ins(%s : tensor<1x8x4x1024x1024xf16>) outs(%e2 : tensor<1x8x4x1024x1024xf16>) -> tensor<1x8x4x1024x1024xf16>
  %zeros = arith.constant dense<0.0> : tensor<1x8x4x1024x128xf16>
  %o = linalg.contract indexing_maps = [#p5, #k5, #q5]
      ins(%p, %vt : tensor<1x8x4x1024x1024xf16>, tensor<1x8x1024x128xf16>) outs(%zeros : tensor<1x8x4x1024x128xf16>) -> tensor<1x8x4x1024x128xf16>
  %y = linalg.transpose ins(%o : tensor<1x8x4x1024x128xf16>) outs(%e3 : tensor<1x1024x8x4x128xf16>) permutation = [0, 3, 1, 2, 4]
  return %y : tensor<1x1024x8x4x128xf16>
}
