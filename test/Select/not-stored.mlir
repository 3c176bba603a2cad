// What can't be stored is found and measured all the same. Texts in the database are UTF-8, and this name isn't.

// RUN: rm -f %t.search.db %t.select.db
// RUN: mirage-opt %s --mirage-superoptimize="candidates=2 database=%t.search.db" -o %t.mlir 2>&1 | FileCheck %s --check-prefix=SEARCH
// RUN: FileCheck %s < %t.mlir
// RUN: mirage-opt %t.mlir --mirage-select="profile=host database=%t.select.db" -o %t.selected 2>&1 | FileCheck %s --check-prefix=SELECT
// RUN: FileCheck %s < %t.selected

// SEARCH: warning: the search is not stored: {{.*}}.search.db: not stored: the text 'function' is not UTF-8
// SELECT: warning: times are not stored: {{.*}}.select.db: not stored: the text 'function' is not UTF-8
// CHECK: mirage_kernel.graph_defined
func.func @"\FF"(%x: tensor<64x128xf16>) -> tensor<64x128xf16> {
  %e = mirage_kernel.exp %x : (tensor<64x128xf16>) -> tensor<64x128xf16>
  %s = mirage_kernel.sqr %e : (tensor<64x128xf16>) -> tensor<64x128xf16>
  return %s : tensor<64x128xf16>
}
