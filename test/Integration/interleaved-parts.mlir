// Rotary embeddings whose pairs are next to each other, of queries that a product makes, transposed between slices and
// concatenation: what is computed of every other element keeps the dimension of the pairs. One kernel, without copies.

// RUN: mirage-run %s --target=sm_80 --check --checks | FileCheck %s
// RUN: mirage-run %s --target=sm_90a --check --checks | FileCheck %s
// RUN: mirage-opt --convert-linalg-to-mirage %s | FileCheck %s --check-prefix=IMPORT
// RUN: mirage-opt --convert-linalg-to-mirage --mirage-superoptimize="target=sm_90a" %s | FileCheck %s --check-prefix=BEST

// CHECK: output 0: 8x4x12xf16, {{.*}} (ok; limit

// IMPORT-LABEL: func.func @rotated(
// IMPORT-SAME:    %[[X:.*]]: tensor<4x8x12xf16>, %[[C:[a-z0-9]*]]: tensor<8x6xf16>, %
// IMPORT:         %[[PAIRS:.*]] = mirage_kernel.reshape %[[X]] : (tensor<4x8x12xf16>) -> tensor<4x8x6x2xf16>
// IMPORT:         %[[FIRST:.*]] = mirage_kernel.slice %[[PAIRS]] dim 3 offset 0 size 1
// IMPORT:         %[[COS:.*]] = mirage_kernel.reshape %[[C]] : (tensor<8x6xf16>) -> tensor<1x8x6x1xf16>
// IMPORT:         mirage_kernel.mul %[[FIRST]], %[[COS]]
// IMPORT:         mirage_kernel.reshape %{{.*}} : (tensor<8x6xf16>) -> tensor<1x8x6x1xf16>
// IMPORT-NOT:     reshape
// IMPORT:         %[[R:.*]] = mirage_kernel.concat
// IMPORT-NEXT:    mirage_kernel.reshape %[[R]]
// IMPORT-NEXT:    return

// BEST-LABEL: func.func @rotated(
// BEST-COUNT-1: mirage_kernel.graph_defined
// BEST-NOT:     mirage_kernel.graph_defined
// BEST:         return
#all = affine_map<(h, s, d) -> (h, s, d)>
#heads = affine_map<(h, s, d) -> (s, h, d)>
#rows = affine_map<(h, s, d) -> (s, d)>
func.func @rotated(%x: tensor<4x8x12xf16>, %cos: tensor<8x6xf16>, %sin: tensor<8x6xf16>) -> tensor<8x4x12xf16> {
  %a = tensor.extract_slice %x[0, 0, 0] [4, 8, 6] [1, 1, 2] : tensor<4x8x12xf16> to tensor<4x8x6xf16>
  %b = tensor.extract_slice %x[0, 0, 1] [4, 8, 6] [1, 1, 2] : tensor<4x8x12xf16> to tensor<4x8x6xf16>
  %init = tensor.empty() : tensor<8x4x6xf16>
  %parts:2 = linalg.generic {indexing_maps = [#all, #all, #rows, #rows, #heads, #heads], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %b, %cos, %sin : tensor<4x8x6xf16>, tensor<4x8x6xf16>, tensor<8x6xf16>, tensor<8x6xf16>) outs(%init, %init : tensor<8x4x6xf16>, tensor<8x4x6xf16>) {
    ^bb0(%p: f16, %q: f16, %c: f16, %s: f16, %o0: f16, %o1: f16):
      %pc = arith.mulf %p, %c : f16
      %qs = arith.mulf %q, %s : f16
      %first = arith.subf %pc, %qs : f16
      %ps = arith.mulf %p, %s : f16
      %qc = arith.mulf %q, %c : f16
      %second = arith.addf %ps, %qc : f16
      linalg.yield %first, %second : f16, f16
    } -> (tensor<8x4x6xf16>, tensor<8x4x6xf16>)
  %empty = tensor.empty() : tensor<8x4x6x2xf16>
  %one = tensor.insert_slice %parts#0 into %empty[0, 0, 0, 0] [8, 4, 6, 1] [1, 1, 1, 1] : tensor<8x4x6xf16> into tensor<8x4x6x2xf16>
  %both = tensor.insert_slice %parts#1 into %one[0, 0, 0, 1] [8, 4, 6, 1] [1, 1, 1, 1] : tensor<8x4x6xf16> into tensor<8x4x6x2xf16>
  %y = tensor.collapse_shape %both [[0], [1], [2, 3]] : tensor<8x4x6x2xf16> into tensor<8x4x12xf16>
  return %y : tensor<8x4x12xf16>
}
