// RUN: mirage-opt %s --mirage-superoptimize | FileCheck %s

// What reductions result in decides how many blocks they have by themselves: one that results in one element is cut along the grid, and
// another kernel adds the parts up.

// CHECK-LABEL: func.func @sum(
// CHECK:         %[[P:.*]] = mirage_kernel.graph_defined(%{{.*}}) grid {{.*}} -> tensor<{{[0-9]+}}x1xf32>
// CHECK:         mirage_kernel.graph_defined(%[[P]]) grid <x = 1>
func.func @sum(%x: tensor<1x1048576xf32>) -> tensor<1x1xf32> {
  %s = mirage_kernel.sum %x dim 1 : (tensor<1x1048576xf32>) -> tensor<1x1xf32>
  return %s : tensor<1x1xf32>
}

// Squares of differences are not written out for it.

// CHECK-LABEL: func.func @squared_error(
// CHECK:         %[[P:.*]] = mirage_kernel.graph_defined(%{{.*}}, %{{.*}}) grid {{.*}} -> tensor<{{[0-9]+}}x1xf32>
// CHECK:         mirage_kernel.graph_defined(%[[P]]) grid <x = 1>
func.func @squared_error(%x: tensor<1x1048576xf16>, %y: tensor<1x1048576xf16>) -> tensor<1x1xf32> {
  %d = mirage_kernel.sub %x, %y : (tensor<1x1048576xf16>, tensor<1x1048576xf16>) -> tensor<1x1048576xf32>
  %q = mirage_kernel.sqr %d : (tensor<1x1048576xf32>) -> tensor<1x1048576xf32>
  %s = mirage_kernel.sum %q dim 1 : (tensor<1x1048576xf32>) -> tensor<1x1xf32>
  return %s : tensor<1x1xf32>
}

// Of many rows each block has some.

// CHECK-LABEL: func.func @rows(
// CHECK:         %[[S:.*]] = mirage_kernel.graph_defined({{.*}} -> tensor<4096x1xf32>
// CHECK:         return %[[S]]
func.func @rows(%x: tensor<4096x1024xf32>) -> tensor<4096x1xf32> {
  %s = mirage_kernel.sum %x dim 1 : (tensor<4096x1024xf32>) -> tensor<4096x1xf32>
  return %s : tensor<4096x1xf32>
}
