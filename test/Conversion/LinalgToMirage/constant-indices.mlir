// RUN: mirage-opt --convert-linalg-to-mirage --split-input-file %s 2>/dev/null | FileCheck %s
// RUN: mirage-opt --convert-linalg-to-mirage --split-input-file %s 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// All elements of a tensor that are read in their order, by indices that are constants (or count from the end), are the tensor in another shape: so torch-mlir has
// the gains of a group norm.

// CHECK-LABEL: func.func @channels(
// CHECK-SAME:    %[[X:.*]]: tensor<2x2x3x1xf16>)
// CHECK-NEXT:    %[[Y:.*]] = mirage_kernel.reshape %[[X]] : (tensor<2x2x3x1xf16>) -> tensor<2x6xf16>
// CHECK-NEXT:    return %[[Y]]
#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
func.func @channels(%x: tensor<2x2x3x1xf16>) -> tensor<2x6xf16> {
  %n = arith.constant dense<[[0, 0, 0, 0, 0, 0], [-1, -1, -1, -1, -1, -1]]> : tensor<2x6xi64>
  %g = arith.constant dense<[0, 0, 0, 1, 1, 1]> : tensor<6xi64>
  %c = arith.constant dense_resource<channels> : tensor<2x6xi64>
  %zero = arith.constant 0 : i64
  %two = arith.constant 2 : i64
  %none = arith.constant 0 : index
  %e = tensor.empty() : tensor<2x6xf16>
  %y = linalg.generic {indexing_maps = [#map, #row, #map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%n, %g, %c : tensor<2x6xi64>, tensor<6xi64>, tensor<2x6xi64>) outs(%e : tensor<2x6xf16>) {
    ^bb0(%in: i64, %ig: i64, %ic: i64, %out: f16):
      %isNegative = arith.cmpi slt, %in, %zero : i64
      %fromEnd = arith.addi %in, %two : i64
      %first = arith.select %isNegative, %fromEnd, %in : i64
      %i = arith.index_cast %first : i64 to index
      %j = arith.index_cast %ig : i64 to index
      %k = arith.index_cast %ic : i64 to index
      %element = tensor.extract %x[%i, %j, %k, %none] : tensor<2x2x3x1xf16>
      linalg.yield %element : f16
    } -> tensor<2x6xf16>
  return %y : tensor<2x6xf16>
}

{-#
  dialect_resources: {
    builtin: {
      channels: "0x08000000000000000000000001000000000000000200000000000000000000000000000001000000000000000200000000000000000000000000000001000000000000000200000000000000000000000000000001000000000000000200000000000000"
    }
  }
#-}

// -----

// In another order, or outside of the tensor, they are not.

// CHECK-LABEL: func.func @reversed(
// CHECK:         tensor.extract
// CHECK-LABEL: func.func @outside(
// CHECK:         tensor.extract
// REMARK-COUNT-2: not imported:
#map = affine_map<(d0) -> (d0)>
func.func @reversed(%x: tensor<3xf16>) -> tensor<3xf16> {
  %n = arith.constant dense<[2, 1, 0]> : tensor<3xi64>
  %e = tensor.empty() : tensor<3xf16>
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%n : tensor<3xi64>) outs(%e : tensor<3xf16>) {
    ^bb0(%in: i64, %out: f16):
      %i = arith.index_cast %in : i64 to index
      %element = tensor.extract %x[%i] : tensor<3xf16>
      linalg.yield %element : f16
    } -> tensor<3xf16>
  return %y : tensor<3xf16>
}
func.func @outside(%x: tensor<3xf16>) -> tensor<3xf16> {
  %n = arith.constant dense<[0, 1, 3]> : tensor<3xi64>
  %e = tensor.empty() : tensor<3xf16>
  %y = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%n : tensor<3xi64>) outs(%e : tensor<3xf16>) {
    ^bb0(%in: i64, %out: f16):
      %i = arith.index_cast %in : i64 to index
      %element = tensor.extract %x[%i] : tensor<3xf16>
      linalg.yield %element : f16
    } -> tensor<3xf16>
  return %y : tensor<3xf16>
}
