// A report that can't be written in the end is a warning: what was found is not lost.
// RUN: mirage-opt %s --mirage-superoptimize="report=/dev/full" 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNING < %t.err
// CHECK: mirage_kernel.graph_defined(
// WARNING: warning: the report is not written: /dev/full: No space left on device
func.func @f(%x: tensor<64x1024xf16>) -> tensor<64x1024xf16> {
  %e = mirage_kernel.exp %x : (tensor<64x1024xf16>) -> tensor<64x1024xf16>
  %s = mirage_kernel.sum %e dim 1 : (tensor<64x1024xf16>) -> tensor<64x1xf16>
  %d = mirage_kernel.div %e, %s : (tensor<64x1024xf16>, tensor<64x1xf16>) -> tensor<64x1024xf16>
  return %d : tensor<64x1024xf16>
}
