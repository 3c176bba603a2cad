// RUN: mirage-opt --convert-linalg-to-mirage --split-input-file --verify-diagnostics %s | FileCheck %s

// What a body computes of positions, integers, booleans or scalars from outside alone becomes an operand, computed in front of it.

#matrix = affine_map<(i, j) -> (i, j)>
#heads = affine_map<(h, i, j) -> (h, i, j)>

// A causal mask: one for all heads, which is added.
// CHECK-LABEL: func.func @causal
// CHECK-SAME: (%[[X:.*]]: tensor<2x4x4xf32>)
// CHECK: %[[M:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4x4xf16>)
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[C:.*]] = arith.cmpi sle, %[[J]], %[[I]]
// CHECK: arith.select %[[C]], %{{.*}}, %{{.*}} : f16
// CHECK: %[[S:.*]] = mirage_kernel.add %[[X]], %[[M]] : (tensor<2x4x4xf32>, tensor<4x4xf16>) -> tensor<2x4x4xf32>
// CHECK-NEXT: %[[E:.*]] = mirage_kernel.exp %[[S]]
// CHECK-NEXT: return %[[E]]
func.func @causal(%x: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %init = tensor.empty() : tensor<2x4x4xf32>
  // expected-remark @below {{not imported: what is computed of positions, integers, booleans or scalars from outside; it becomes an operand}}
  %0 = linalg.generic {indexing_maps = [#heads, #heads], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x4x4xf32>) outs(%init : tensor<2x4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi sle, %j, %i : index
    %low = arith.constant 0xFF800000 : f32
    %s = arith.select %c, %a, %low : f32
    %e = math.exp %s : f32
    linalg.yield %e : f32
  } -> tensor<2x4x4xf32>
  return %0 : tensor<2x4x4xf32>
}

// -----

#matrix = affine_map<(i, j) -> (i, j)>

// An infinity on the other side, which is added, and a pole kept from it; zeros on either side, and two values.
// CHECK-LABEL: func.func @sides
// CHECK-SAME: (%[[X:.*]]: tensor<4x4xbf16>, %[[Y:.*]]: tensor<4x4xbf16>)
// CHECK: %[[I:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4x4xbf16>)
// CHECK: %[[M:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4x4xf16>)
// CHECK-DAG: mirage_kernel.add %[[X]], %[[I]] : (tensor<4x4xbf16>, tensor<4x4xbf16>)
// CHECK-DAG: %[[P:.*]] = mirage_kernel.greater %[[I]], %{{.*}}
// CHECK-DAG: %[[L:.*]] = mirage_kernel.log %[[X]]
// CHECK-DAG: %[[W:.*]] = mirage_kernel.where %[[P]], %[[L]]
// CHECK-DAG: mirage_kernel.add %[[W]], %[[I]]
// CHECK-DAG: %[[A:.*]] = mirage_kernel.where %[[M]], %[[X]]
// CHECK-DAG: %[[N:.*]] = mirage_kernel.sub %{{.*}}, %[[M]]
// CHECK-DAG: mirage_kernel.where %[[N]], %[[X]]
// CHECK-DAG: %[[B:.*]] = mirage_kernel.where %[[N]], %[[Y]]
// CHECK-DAG: mirage_kernel.add %[[A]], %[[B]]
func.func @sides(%x: tensor<4x4xbf16>, %y: tensor<4x4xbf16>) -> (tensor<4x4xbf16>, tensor<4x4xbf16>, tensor<4x4xbf16>, tensor<4x4xbf16>, tensor<4x4xbf16>) {
  %init = tensor.empty() : tensor<4x4xbf16>
  // expected-remark @below {{not imported: what is computed of positions}}
  %0:5 = linalg.generic {indexing_maps = [#matrix, #matrix, #matrix, #matrix, #matrix, #matrix, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4x4xbf16>, tensor<4x4xbf16>)
      outs(%init, %init, %init, %init, %init : tensor<4x4xbf16>, tensor<4x4xbf16>, tensor<4x4xbf16>, tensor<4x4xbf16>, tensor<4x4xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %o0: bf16, %o1: bf16, %o2: bf16, %o3: bf16, %o4: bf16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi ult, %i, %j : index
    %low = arith.constant 0xFF80 : bf16
    %zero = arith.constant 0.0 : bf16
    %0 = arith.select %c, %low, %a : bf16
    %e = math.exp %0 : bf16
    %1 = arith.select %c, %a, %zero : bf16
    %2 = arith.select %c, %zero, %a : bf16
    %3 = arith.select %c, %a, %b : bf16
    %log = math.log %a : bf16
    %4 = arith.select %c, %low, %log : bf16
    %e4 = math.exp %4 : bf16
    linalg.yield %e, %1, %2, %3, %e4 : bf16, bf16, bf16, bf16, bf16
  } -> (tensor<4x4xbf16>, tensor<4x4xbf16>, tensor<4x4xbf16>, tensor<4x4xbf16>, tensor<4x4xbf16>)
  return %0#0, %0#1, %0#2, %0#3, %0#4 : tensor<4x4xbf16>, tensor<4x4xbf16>, tensor<4x4xbf16>, tensor<4x4xbf16>, tensor<4x4xbf16>
}

// -----

#matrix = affine_map<(i, j) -> (i, j)>

// Distances times a slope; a rotation's angles, of the rows only. What is no number on the way doesn't matter.
// CHECK-LABEL: func.func @numbers
// CHECK: %[[D:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4x6xf32>)
// CHECK: linalg.yield %{{.*}} : f32
// CHECK: %[[C:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4xf32>)
// CHECK: math.cos
// CHECK: linalg.yield %{{.*}} : f32
// CHECK: mirage_kernel.reshape %[[C]] : (tensor<4xf32>) -> tensor<4x1xf32>
// CHECK-NOT: linalg
func.func @numbers(%x: tensor<4x6xf32>, %slope: tensor<4xf32>) -> tensor<4x6xf32> {
  %init = tensor.empty() : tensor<4x6xf32>
  // expected-remark @below {{not imported: what is computed of positions}}
  %0 = linalg.generic {indexing_maps = [#matrix, affine_map<(i, j) -> (i)>, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%x, %slope : tensor<4x6xf32>, tensor<4xf32>) outs(%init : tensor<4x6xf32>) {
  ^bb0(%a: f32, %k: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = arith.index_cast %i : index to i32
    %column = arith.index_cast %j : index to i32
    %difference = arith.subi %column, %row : i32
    %distance = arith.sitofp %difference : i32 to f32
    %bias = arith.mulf %distance, %k : f32
    %s = arith.addf %a, %bias : f32
    %angle = arith.sitofp %row : i32 to f32
    %tenth = arith.constant 0.1 : f32
    %scaled = arith.mulf %angle, %tenth : f32
    %cos = math.cos %scaled : f32
    %r = arith.mulf %s, %cos : f32
    linalg.yield %r : f32
  } -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// -----

#matrix = affine_map<(i, j) -> (i, j)>

// In a reduction: the sum of a triangle.
// CHECK-LABEL: func.func @triangle
// CHECK: %[[M:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4x4xf16>)
// CHECK: %[[P:.*]] = mirage_kernel.where %[[M]], %{{.*}}
// CHECK: mirage_kernel.sum %[[P]] dim 1
func.func @triangle(%x: tensor<4x4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  // expected-remark @below {{not imported: what is computed of positions}}
  %0 = linalg.generic {indexing_maps = [#matrix, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x4xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sle, %j, %i : index
    %s = arith.select %c, %a, %zero : f32
    %r = arith.addf %acc, %s : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

#matrix = affine_map<(i, j) -> (i, j)>
#heads = affine_map<(h, i, j) -> (h, i, j)>

// A mask of booleans, which is read no more behind the operand that it becomes, and a large number where it holds. What starts a
// product from zeros is nothing, beside a choice, too.
// CHECK-LABEL: func.func @booleans
// CHECK-SAME: %[[MASK:[^ ]*]]: tensor<4x4xi1>
// CHECK: %[[P:.*]] = mirage_kernel.matmul
// CHECK: %[[M:.*]] = linalg.generic {{.*}} ins(%[[MASK]] : tensor<4x4xi1>) outs(%{{.*}} : tensor<4x4xf16>)
// CHECK-NOT: linalg.generic
// CHECK-DAG: %[[N:.*]] = mirage_kernel.sub %{{.*}}, %[[M]]
// CHECK-DAG: mirage_kernel.where %[[M]], %{{.*}}
// CHECK-DAG: mirage_kernel.where %[[N]], %[[P]]
func.func @booleans(%x: tensor<2x4x8xf16>, %y: tensor<2x8x4xf16>, %mask: tensor<4x4xi1>) -> tensor<2x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %init = tensor.empty() : tensor<2x4x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %p = linalg.batch_matmul ins(%x, %y : tensor<2x4x8xf16>, tensor<2x8x4xf16>) outs(%zeros : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  %low = arith.constant -1.0e9 : f32
  // expected-remark @below {{not imported: what is computed of positions}}
  %0 = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (i, j)>, #heads, #heads], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%mask, %p : tensor<4x4xi1>, tensor<2x4x4xf32>) outs(%init : tensor<2x4x4xf32>) {
  ^bb0(%c: i1, %a: f32, %o: f32):
    %s = arith.select %c, %low, %a : f32
    linalg.yield %s : f32
  } -> tensor<2x4x4xf32>
  return %0 : tensor<2x4x4xf32>
}

// -----

#matrix = affine_map<(i, j) -> (i, j)>

// All of it is of positions: there is nothing else to import.
// CHECK-LABEL: func.func @nothing
// CHECK-NOT: mirage
// CHECK: return
func.func @nothing(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %init = tensor.empty() : tensor<4x4xf32>
  // expected-remark @below {{not imported: 'arith.sitofp' has no Mirage operator yet}}
  %0 = linalg.generic {indexing_maps = [#matrix], iterator_types = ["parallel", "parallel"]} outs(%init : tensor<4x4xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %row = arith.index_cast %i : index to i32
    %f = arith.sitofp %row : i32 to f32
    linalg.yield %f : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

#vector = affine_map<(i) -> (i)>

// Scalars from outside, also as operands, are tensors of rank 0.
// CHECK-LABEL: func.func @scalars
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[S:.*]]: f32, %[[T:.*]]: f32, %[[N:.*]]: i32)
// CHECK: %[[A:.*]] = linalg.generic {{.*}}iterator_types = []} {{.*}}outs(%{{.*}} : tensor<f32>)
// CHECK: %[[B:.*]] = linalg.generic {{.*}}iterator_types = []} {{.*}}outs(%{{.*}} : tensor<f32>)
// CHECK: arith.sitofp
// CHECK: linalg.yield
// CHECK-DAG: mirage_kernel.mul %[[X]], %[[A]] : (tensor<4xf32>, tensor<f32>)
// CHECK-DAG: mirage_kernel.add %{{.*}}, %[[B]] : (tensor<4xf32>, tensor<f32>)
func.func @scalars(%x: tensor<4xf32>, %s: f32, %t: f32, %n: i32) -> tensor<4xf32> {
  // expected-remark @below {{not imported: what is computed of positions}}
  %0 = linalg.generic {indexing_maps = [#vector, affine_map<(i) -> ()>, #vector], iterator_types = ["parallel"]}
      ins(%x, %s : tensor<4xf32>, f32) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %number = arith.sitofp %n : i32 to f32
    %q = arith.mulf %number, %t : f32
    %r = arith.addf %p, %q : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

#heads = affine_map<(h, i, j) -> (h, i, j)>

// So is a condition on elements of arguments beside an infinity, where it is smaller than what it chooses from, or that is computed.
// CHECK-LABEL: func.func @given
// CHECK-SAME: (%[[X:.*]]: tensor<2x4x4xf32>, %[[MASK:.*]]: tensor<4x4xf16>)
// CHECK: %[[M:.*]] = linalg.generic {{.*}} ins(%[[MASK]] : tensor<4x4xf16>) outs(%{{.*}} : tensor<4x4xf16>)
// CHECK: arith.cmpf
// CHECK: mirage_kernel.add %[[X]], %[[M]]
// CHECK: %[[E:.*]] = mirage_kernel.exp
// CHECK: %[[N:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<2x4x4xf32>) outs(%{{.*}} : tensor<2x4x4xf16>)
// CHECK: %[[W:.*]] = mirage_kernel.where %{{.*}}, %[[E]]
// CHECK: %[[L:.*]] = mirage_kernel.add %[[W]], %[[N]]
// CHECK: %[[R:.*]] = mirage_kernel.exp %[[L]]
// CHECK: return %[[R]]
func.func @given(%x: tensor<2x4x4xf32>, %mask: tensor<4x4xf16>) -> tensor<2x4x4xf32> {
  %init = tensor.empty() : tensor<2x4x4xf32>
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  // expected-remark @below {{not imported: what is computed of positions}}
  %0 = linalg.generic {indexing_maps = [#heads, affine_map<(h, i, j) -> (i, j)>, #heads], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %mask : tensor<2x4x4xf32>, tensor<4x4xf16>) outs(%init : tensor<2x4x4xf32>) {
  ^bb0(%a: f32, %b: f16, %o: f32):
    %half = arith.constant 0.5 : f16
    %c = arith.cmpf ogt, %b, %half : f16
    %s = arith.select %c, %a, %low : f32
    linalg.yield %s : f32
  } -> tensor<2x4x4xf32>
  %1 = linalg.exp ins(%0 : tensor<2x4x4xf32>) outs(%init : tensor<2x4x4xf32>) -> tensor<2x4x4xf32>
  // expected-remark @below {{not imported: what is computed of positions}}
  %2 = linalg.generic {indexing_maps = [#heads, #heads, #heads], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %1 : tensor<2x4x4xf32>, tensor<2x4x4xf32>) outs(%init : tensor<2x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.cmpf ogt, %a, %zero : f32
    %s = arith.select %c, %b, %low : f32
    %e = math.exp %s : f32
    linalg.yield %e : f32
  } -> tensor<2x4x4xf32>
  return %2 : tensor<2x4x4xf32>
}

// -----

#matrix = affine_map<(i, j) -> (i, j)>

// Together with a comparison of numbers.
// CHECK-LABEL: func.func @both
// CHECK-SAME: (%[[X:.*]]: tensor<4x4xf32>)
// CHECK: %[[M:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4x4xf16>)
// CHECK: %[[G:.*]] = mirage_kernel.greater %[[X]], %{{.*}}
// CHECK: %[[C:.*]] = mirage_kernel.mul %[[M]], %[[G]]
// CHECK: mirage_kernel.where %[[C]], %[[X]]
func.func @both(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %init = tensor.empty() : tensor<4x4xf32>
  // expected-remark @below {{not imported: what is computed of positions}}
  %0 = linalg.generic {indexing_maps = [#matrix, #matrix], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1.0 : f32
    %b = arith.cmpi ult, %i, %j : index
    %n = arith.cmpf ogt, %a, %one : f32
    %c = arith.andi %b, %n : i1
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

#heads = affine_map<(h, i, j) -> (h, i, j)>

// MLIR merges conditions with all positions as operands of index arithmetic: a mask is no larger for it.
// CHECK-LABEL: func.func @merged
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<4x4xf16>)
// CHECK: mirage_kernel.where
func.func @merged(%x: tensor<2x4x4xf32>) -> tensor<2x4x4xf32> {
  %init = tensor.empty() : tensor<2x4x4xf32>
  %zero = arith.constant 0.0 : f32
  // expected-remark @below {{not imported: what is computed of positions}}
  %0 = linalg.generic {indexing_maps = [#heads, #heads], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x4x4xf32>) outs(%init : tensor<2x4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %h = linalg.index 0 : index
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %row = affine.apply affine_map<(d0, d1, d2) -> (d1)>(%h, %i, %j)
    %column = affine.apply affine_map<(d0, d1, d2) -> (d2 + 1)>(%h, %i, %j)
    %c = arith.cmpi ult, %row, %column : index
    %s = arith.select %c, %a, %zero : f32
    linalg.yield %s : f32
  } -> tensor<2x4x4xf32>
  return %0 : tensor<2x4x4xf32>
}

// -----

#matrix = affine_map<(i, j) -> (i, j)>

// A mask of the program's own, compared in other ways than the operand of a condition is, or another result beside one.
// CHECK-LABEL: func.func @own_mask
// CHECK-SAME: (%[[X:.*]]: tensor<4x4xf32>)
// CHECK: %[[M:.*]]:2 = linalg.generic
// CHECK-DAG: mirage_kernel.greater %[[M]]#0, %{{.*}}
// CHECK-DAG: mirage_kernel.greater %{{.*}}, %[[M]]#0
// CHECK-DAG: %[[G:.*]] = mirage_kernel.greater %[[M]]#1, %{{.*}}
// CHECK-DAG: mirage_kernel.where %[[G]], %[[X]]
// CHECK-DAG: mirage_kernel.where %[[M]]#0, %[[X]]
func.func @own_mask(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %init = tensor.empty() : tensor<4x4xf32>
  // expected-remark @below {{not imported: 'arith.cmpi' has no Mirage operator yet}}
  %m:2 = linalg.generic {indexing_maps = [#matrix, #matrix], iterator_types = ["parallel", "parallel"]} outs(%init, %init : tensor<4x4xf32>, tensor<4x4xf32>) {
  ^bb0(%o: f32, %p: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %one = arith.constant 1.0 : f32
    %zero = arith.constant 0.0 : f32
    %c = arith.cmpi ult, %i, %j : index
    %s = arith.select %c, %one, %zero : f32
    %k = arith.index_cast %j : index to i32
    %f = arith.sitofp %k : i32 to f32
    linalg.yield %s, %f : f32, f32
  } -> (tensor<4x4xf32>, tensor<4x4xf32>)
  %0 = linalg.map ins(%m#0, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) (%a: f32, %b: f32, %o: f32) {
    %zero = arith.constant 0.0 : f32
    %low = arith.constant -1.0e9 : f32
    %c = arith.cmpf oeq, %a, %zero : f32
    %s = arith.select %c, %low, %b : f32
    linalg.yield %s : f32
  }
  %1 = linalg.map ins(%m#1, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) (%a: f32, %b: f32, %o: f32) {
    %zero = arith.constant 0.0 : f32
    %c = arith.cmpf ogt, %a, %zero : f32
    %s = arith.select %c, %b, %zero : f32
    linalg.yield %s : f32
  }
  %2 = linalg.map ins(%m#0, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) (%a: f32, %b: f32, %o: f32) {
    %zero = arith.constant 0.0 : f32
    %c = arith.cmpf ogt, %a, %zero : f32
    %s = arith.select %c, %b, %zero : f32
    linalg.yield %s : f32
  }
  return %0, %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// A boolean from outside by which zeros are chosen, in two ops.
// CHECK-LABEL: func.func @from_outside
// CHECK: %[[M:.*]] = linalg.generic
// CHECK: arith.xori
// CHECK: mirage_kernel.where %[[M]]
// CHECK: mirage_kernel.where %[[M]]
func.func @from_outside(%flag: i1, %x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  // expected-remark @below {{not imported: what is computed of positions}}
  %0 = linalg.map ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) (%a: f32, %o: f32) {
    %s = arith.select %flag, %zero, %a : f32
    linalg.yield %s : f32
  }
  // expected-remark @below {{not imported: what is computed of positions}}
  %1 = linalg.map ins(%0 : tensor<8xf32>) outs(%x : tensor<8xf32>) (%a: f32, %o: f32) {
    %e = math.exp %a : f32
    %s = arith.select %flag, %zero, %e : f32
    linalg.yield %s : f32
  }
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}
