// RUN: mirage-opt --convert-linalg-to-mirage --split-input-file --verify-diagnostics %s | FileCheck %s

// Safe softmaxes, which take 0 where all of a row is masked out, up to the division.

#rows = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i, 0)>

// Products, and what is computed of them, are numbers.
// CHECK-LABEL: func.func @numbers(
// CHECK-NOT:     {{linalg|where}}
// CHECK:         mirage_kernel.exp
// CHECK-NOT:     {{linalg|where}}
// CHECK:         return
func.func @numbers(%q: tensor<4x8xf16>, %k: tensor<8x6xf16>) -> tensor<4x6xf32> {
  %minus = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %init = tensor.empty() : tensor<4x6xf32>
  %bits = tensor.empty() : tensor<4x6xi1>
  %column = tensor.empty() : tensor<4x1xf32>
  %flags = tensor.empty() : tensor<4x1xi1>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<4x6xf32>) -> tensor<4x6xf32>
  %lowest = linalg.fill ins(%minus : f32) outs(%column : tensor<4x1xf32>) -> tensor<4x1xf32>
  %start = linalg.fill ins(%true : i1) outs(%flags : tensor<4x1xi1>) -> tensor<4x1xi1>
  %s = linalg.matmul ins(%q, %k : tensor<4x8xf16>, tensor<8x6xf16>) outs(%zeros : tensor<4x6xf32>) -> tensor<4x6xf32>
  %x = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<4x6xf32>) outs(%init : tensor<4x6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %half = arith.constant -0.5 : f32
    %t = arith.mulf %a, %half : f32
    %h = math.tanh %t : f32
    linalg.yield %h : f32
  } -> tensor<4x6xf32>
  %max = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x6xf32>) outs(%lowest : tensor<4x1xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = arith.maximumf %a, %out : f32
    linalg.yield %m : f32
  } -> tensor<4x1xf32>
  %exp = linalg.generic {indexing_maps = [#rows, #row, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<4x6xf32>, tensor<4x1xf32>) outs(%init : tensor<4x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<4x6xf32>
  %is = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x6xf32>) outs(%bits : tensor<4x6xi1>) {
  ^bb0(%a: f32, %out: i1):
    %w = arith.extf %a : f32 to f64
    %low = arith.constant 0xFFF0000000000000 : f64
    %c = arith.cmpf oeq, %w, %low : f64
    linalg.yield %c : i1
  } -> tensor<4x6xi1>
  %all = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%is : tensor<4x6xi1>) outs(%start : tensor<4x1xi1>) {
  ^bb0(%a: i1, %out: i1):
    %c = arith.andi %a, %out : i1
    linalg.yield %c : i1
  } -> tensor<4x1xi1>
  %chosen = linalg.generic {indexing_maps = [#row, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%all, %exp : tensor<4x1xi1>, tensor<4x6xf32>) outs(%init : tensor<4x6xf32>) {
  ^bb0(%a: i1, %b: f32, %out: f32):
    %c = arith.select %a, %zero, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x6xf32>
  return %chosen : tensor<4x6xf32>
}

// -----

#rows = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i, 0)>

// Of a causal mask every row has something left.
// CHECK-LABEL: func.func @causal(
// CHECK:         linalg.generic
// CHECK-NOT:     {{linalg.generic|where}}
// CHECK:         return
func.func @causal(%q: tensor<4x8xf16>, %k: tensor<8x6xf16>) -> tensor<4x6xf32> {
  %minus = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %init = tensor.empty() : tensor<4x6xf32>
  %bits = tensor.empty() : tensor<4x6xi1>
  %column = tensor.empty() : tensor<4x1xf32>
  %flags = tensor.empty() : tensor<4x1xi1>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<4x6xf32>) -> tensor<4x6xf32>
  %lowest = linalg.fill ins(%minus : f32) outs(%column : tensor<4x1xf32>) -> tensor<4x1xf32>
  %start = linalg.fill ins(%true : i1) outs(%flags : tensor<4x1xi1>) -> tensor<4x1xi1>
  %s = linalg.matmul ins(%q, %k : tensor<4x8xf16>, tensor<8x6xf16>) outs(%zeros : tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-remark @below {{not imported: what is computed of positions}}
  %x = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<4x6xf32>) outs(%init : tensor<4x6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi ule, %j, %i : index
    %m = arith.select %c, %zero, %minus : f32
    %b = arith.addf %a, %m : f32
    linalg.yield %b : f32
  } -> tensor<4x6xf32>
  %max = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x6xf32>) outs(%lowest : tensor<4x1xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = arith.maximumf %a, %out : f32
    linalg.yield %m : f32
  } -> tensor<4x1xf32>
  %exp = linalg.generic {indexing_maps = [#rows, #row, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<4x6xf32>, tensor<4x1xf32>) outs(%init : tensor<4x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<4x6xf32>
  %is = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x6xf32>) outs(%bits : tensor<4x6xi1>) {
  ^bb0(%a: f32, %out: i1):
    %w = arith.extf %a : f32 to f64
    %low = arith.constant 0xFFF0000000000000 : f64
    %c = arith.cmpf oeq, %w, %low : f64
    linalg.yield %c : i1
  } -> tensor<4x6xi1>
  %all = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%is : tensor<4x6xi1>) outs(%start : tensor<4x1xi1>) {
  ^bb0(%a: i1, %out: i1):
    %c = arith.andi %a, %out : i1
    linalg.yield %c : i1
  } -> tensor<4x1xi1>
  %chosen = linalg.generic {indexing_maps = [#row, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%all, %exp : tensor<4x1xi1>, tensor<4x6xf32>) outs(%init : tensor<4x6xf32>) {
  ^bb0(%a: i1, %b: f32, %out: f32):
    %c = arith.select %a, %zero, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x6xf32>
  return %chosen : tensor<4x6xf32>
}

// -----

#rows = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i, 0)>

// But not of this one: the first row is 0, which is computed in front.
// CHECK-LABEL: func.func @strict(
// CHECK:         linalg.generic
// CHECK:         linalg.generic {{.*}}reduction
// CHECK:         %[[KEPT:.*]] = linalg.generic
// CHECK:           arith.xori
// CHECK:         %[[ROWS:.*]] = mirage_kernel.reshape %[[KEPT]] : (tensor<4xf16>) -> tensor<4x1xf16>
// CHECK:         mirage_kernel.where %[[ROWS]]
func.func @strict(%q: tensor<4x8xf16>, %k: tensor<8x6xf16>) -> tensor<4x6xf32> {
  %minus = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %init = tensor.empty() : tensor<4x6xf32>
  %bits = tensor.empty() : tensor<4x6xi1>
  %column = tensor.empty() : tensor<4x1xf32>
  %flags = tensor.empty() : tensor<4x1xi1>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<4x6xf32>) -> tensor<4x6xf32>
  %lowest = linalg.fill ins(%minus : f32) outs(%column : tensor<4x1xf32>) -> tensor<4x1xf32>
  %start = linalg.fill ins(%true : i1) outs(%flags : tensor<4x1xi1>) -> tensor<4x1xi1>
  %s = linalg.matmul ins(%q, %k : tensor<4x8xf16>, tensor<8x6xf16>) outs(%zeros : tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-remark @below {{not imported: what is computed of positions}}
  %x = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<4x6xf32>) outs(%init : tensor<4x6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi ult, %j, %i : index
    %m = arith.select %c, %zero, %minus : f32
    %b = arith.addf %a, %m : f32
    linalg.yield %b : f32
  } -> tensor<4x6xf32>
  %max = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x6xf32>) outs(%lowest : tensor<4x1xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = arith.maximumf %a, %out : f32
    linalg.yield %m : f32
  } -> tensor<4x1xf32>
  %exp = linalg.generic {indexing_maps = [#rows, #row, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<4x6xf32>, tensor<4x1xf32>) outs(%init : tensor<4x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<4x6xf32>
  // expected-remark @below {{not imported: element type i1 is not f16, bf16 or f32}}
  %is = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x6xf32>) outs(%bits : tensor<4x6xi1>) {
  ^bb0(%a: f32, %out: i1):
    %w = arith.extf %a : f32 to f64
    %low = arith.constant 0xFFF0000000000000 : f64
    %c = arith.cmpf oeq, %w, %low : f64
    linalg.yield %c : i1
  } -> tensor<4x6xi1>
  // expected-remark @below {{not imported: element type i1 is not f16, bf16 or f32}}
  %all = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%is : tensor<4x6xi1>) outs(%start : tensor<4x1xi1>) {
  ^bb0(%a: i1, %out: i1):
    %c = arith.andi %a, %out : i1
    linalg.yield %c : i1
  } -> tensor<4x1xi1>
  // expected-remark @below {{not imported: what is computed of positions}}
  %chosen = linalg.generic {indexing_maps = [#row, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%all, %exp : tensor<4x1xi1>, tensor<4x6xf32>) outs(%init : tensor<4x6xf32>) {
  ^bb0(%a: i1, %b: f32, %out: f32):
    %c = arith.select %a, %zero, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x6xf32>
  return %chosen : tensor<4x6xf32>
}

// -----

#rows = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i, 0)>

// It is asked of a mask that is an argument, not of the scores.
// CHECK-LABEL: func.func @given(
// CHECK-SAME:    %[[Q:.*]]: tensor<4x8xf16>, %[[K:.*]]: tensor<8x6xf16>, %[[MASK:.*]]: tensor<4x6xf16>)
// CHECK:         %[[ALL:.*]] = linalg.generic {{.*}} ins(%[[MASK]] : tensor<4x6xf16>)
// CHECK:         %[[KEPT:.*]] = linalg.generic {{.*}} ins(%[[ALL]]
// CHECK:         %[[ROWS:.*]] = mirage_kernel.reshape %[[KEPT]] : (tensor<4xf16>) -> tensor<4x1xf16>
// CHECK:         mirage_kernel.where %[[ROWS]]
func.func @given(%q: tensor<4x8xf16>, %k: tensor<8x6xf16>, %mask: tensor<4x6xf16>) -> tensor<4x6xf32> {
  %minus = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %init = tensor.empty() : tensor<4x6xf32>
  %bits = tensor.empty() : tensor<4x6xi1>
  %column = tensor.empty() : tensor<4x1xf32>
  %flags = tensor.empty() : tensor<4x1xi1>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<4x6xf32>) -> tensor<4x6xf32>
  %lowest = linalg.fill ins(%minus : f32) outs(%column : tensor<4x1xf32>) -> tensor<4x1xf32>
  %start = linalg.fill ins(%true : i1) outs(%flags : tensor<4x1xi1>) -> tensor<4x1xi1>
  %s = linalg.matmul ins(%q, %k : tensor<4x8xf16>, tensor<8x6xf16>) outs(%zeros : tensor<4x6xf32>) -> tensor<4x6xf32>
  %x = linalg.generic {indexing_maps = [#rows, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%s, %mask : tensor<4x6xf32>, tensor<4x6xf16>) outs(%init : tensor<4x6xf32>) {
  ^bb0(%a: f32, %b: f16, %out: f32):
    %w = arith.extf %b : f16 to f32
    %n = arith.negf %w : f32
    %d = arith.subf %a, %n : f32
    linalg.yield %d : f32
  } -> tensor<4x6xf32>
  %max = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x6xf32>) outs(%lowest : tensor<4x1xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = arith.maximumf %a, %out : f32
    linalg.yield %m : f32
  } -> tensor<4x1xf32>
  %exp = linalg.generic {indexing_maps = [#rows, #row, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<4x6xf32>, tensor<4x1xf32>) outs(%init : tensor<4x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<4x6xf32>
  %is = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x6xf32>) outs(%bits : tensor<4x6xi1>) {
  ^bb0(%a: f32, %out: i1):
    %w = arith.extf %a : f32 to f64
    %low = arith.constant 0xFFF0000000000000 : f64
    %c = arith.cmpf oeq, %w, %low : f64
    linalg.yield %c : i1
  } -> tensor<4x6xi1>
  // expected-remark @below {{not imported: element type i1 is not f16, bf16 or f32}}
  %all = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%is : tensor<4x6xi1>) outs(%start : tensor<4x1xi1>) {
  ^bb0(%a: i1, %out: i1):
    %c = arith.andi %a, %out : i1
    linalg.yield %c : i1
  } -> tensor<4x1xi1>
  // expected-remark @below {{not imported: what is computed of positions}}
  %chosen = linalg.generic {indexing_maps = [#row, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%all, %exp : tensor<4x1xi1>, tensor<4x6xf32>) outs(%init : tensor<4x6xf32>) {
  ^bb0(%a: i1, %b: f32, %out: f32):
    %c = arith.select %a, %zero, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x6xf32>
  return %chosen : tensor<4x6xf32>
}

// -----

#rows = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i, 0)>

// What a logarithm is can't be told.
// CHECK-LABEL: func.func @unknown(
// CHECK:         linalg.generic
// CHECK:         linalg.generic
func.func @unknown(%q: tensor<4x8xf16>, %k: tensor<8x6xf16>) -> tensor<4x6xf32> {
  %minus = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %init = tensor.empty() : tensor<4x6xf32>
  %bits = tensor.empty() : tensor<4x6xi1>
  %column = tensor.empty() : tensor<4x1xf32>
  %flags = tensor.empty() : tensor<4x1xi1>
  %zeros = linalg.fill ins(%zero : f32) outs(%init : tensor<4x6xf32>) -> tensor<4x6xf32>
  %lowest = linalg.fill ins(%minus : f32) outs(%column : tensor<4x1xf32>) -> tensor<4x1xf32>
  %start = linalg.fill ins(%true : i1) outs(%flags : tensor<4x1xi1>) -> tensor<4x1xi1>
  %s = linalg.matmul ins(%q, %k : tensor<4x8xf16>, tensor<8x6xf16>) outs(%zeros : tensor<4x6xf32>) -> tensor<4x6xf32>
  %x = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<4x6xf32>) outs(%init : tensor<4x6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %p = arith.mulf %a, %a : f32
    %l = math.log %p : f32
    linalg.yield %l : f32
  } -> tensor<4x6xf32>
  %max = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x6xf32>) outs(%lowest : tensor<4x1xf32>) {
  ^bb0(%a: f32, %out: f32):
    %m = arith.maximumf %a, %out : f32
    linalg.yield %m : f32
  } -> tensor<4x1xf32>
  %exp = linalg.generic {indexing_maps = [#rows, #row, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<4x6xf32>, tensor<4x1xf32>) outs(%init : tensor<4x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<4x6xf32>
  %is = linalg.generic {indexing_maps = [#rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x6xf32>) outs(%bits : tensor<4x6xi1>) {
  ^bb0(%a: f32, %out: i1):
    %w = arith.extf %a : f32 to f64
    %low = arith.constant 0xFFF0000000000000 : f64
    %c = arith.cmpf oeq, %w, %low : f64
    linalg.yield %c : i1
  } -> tensor<4x6xi1>
  // expected-remark @below {{not imported: element type i1 is not f16, bf16 or f32}}
  %all = linalg.generic {indexing_maps = [#rows, #row], iterator_types = ["parallel", "reduction"]}
      ins(%is : tensor<4x6xi1>) outs(%start : tensor<4x1xi1>) {
  ^bb0(%a: i1, %out: i1):
    %c = arith.andi %a, %out : i1
    linalg.yield %c : i1
  } -> tensor<4x1xi1>
  // expected-remark @below {{not imported: what is computed of positions}}
  %chosen = linalg.generic {indexing_maps = [#row, #rows, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%all, %exp : tensor<4x1xi1>, tensor<4x6xf32>) outs(%init : tensor<4x6xf32>) {
  ^bb0(%a: i1, %b: f32, %out: f32):
    %c = arith.select %a, %zero, %b : f32
    linalg.yield %c : f32
  } -> tensor<4x6xf32>
  return %chosen : tensor<4x6xf32>
}
