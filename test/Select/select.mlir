// The model prefers the grid with more blocks; the host's check lets both pass.

// RUN: mirage-opt %s --mirage-select=profile=model -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s < %t.mlir
// RUN: mirage-opt %s --mirage-select="profile=auto cuda-driver=/nonexistent/libcuda.so" 2>&1 >%t.auto | FileCheck %s --check-prefix=AUTO
// RUN: FileCheck %s < %t.auto
// RUN: rm -f %t.db
// RUN: mirage-opt %s --mirage-select="profile=host database=%t.db report=%t.json" -o /dev/null
// RUN: FileCheck %s --check-prefix=REPORT --input-file %t.json
// RUN: mirage-opt %s --mirage-select="profile=host database=%t.db report=%t.json" -o /dev/null
// RUN: FileCheck %s --check-prefix=AGAIN --input-file %t.json

// REMARK: remark: kept 'f_candidate_1' of 2 candidates: {{[0-9.]+}} us by the model
// AUTO: remark: ranked by the cost model, as there is no GPU to measure on: {{.*}}/nonexistent/libcuda.so
// RUN: mirage-opt %s --mirage-select="profile=model report=%t.model.json" -o /dev/null
// RUN: FileCheck %s --check-prefix=ALONE --input-file %t.model.json

// What has no other candidate is reported, too.
// ALONE: "candidate": "f_candidate_1"
// ALONE: "candidate": "f"
// ALONE: "candidate": "alone"
// ALONE: "kernels": [
// ALONE: "function": "alone"
// REPORT-COUNT-2: "from_database": false
// REPORT: "device": "host"
// REPORT: "function": "f"
// AGAIN-COUNT-2: "from_database": true

// CHECK: func.func @f(
// CHECK-SAME: mirage.reference = @f_reference, mirage.verdict = {mugraph = "08116add5ae5c3c8", verdict = "proved"}
// CHECK: grid <x = 64>
// CHECK-NOT: func.func @f_candidate_1
// CHECK: func.func private @f_reference(
// CHECK-NOT: func.func @f_candidate_1
// CHECK: func.func @alone(
// CHECK: grid <x = 1>
func.func @f(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {mirage.reference = @f_reference, mirage.verdict = {mugraph = "62627d139b9721a8", verdict = "accepted"}} {
  %y = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%X: tensor<64x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<64x64xf32> -> !mirage.tile<64x64xf32>
    %e = mirage_block.exp %t : (!mirage.tile<64x64xf32>) -> !mirage.tile<64x64xf32>
    mirage_block.output_saver %e omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %y : tensor<64x64xf32>
}
func.func private @f_reference(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %y = mirage_kernel.exp %x : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
func.func @f_candidate_1(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {mirage.reference = @f_reference, mirage.verdict = {mugraph = "08116add5ae5c3c8", verdict = "proved"}} {
  %y = mirage_kernel.graph_defined (%x) grid <x = 64> : (tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%X: tensor<64x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<64x64xf32> -> !mirage.tile<1x64xf32>
    %e = mirage_block.exp %t : (!mirage.tile<1x64xf32>) -> !mirage.tile<1x64xf32>
    mirage_block.output_saver %e omap <x -> 0> : !mirage.tile<1x64xf32> -> tensor<64x64xf32>
  }
  return %y : tensor<64x64xf32>
}
// It has no candidates, and stays.
func.func @alone(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {mirage.reference = @alone_reference, mirage.verdict = {mugraph = "62627d139b9721a8", verdict = "proved"}} {
  %y = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%X: tensor<64x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<64x64xf32> -> !mirage.tile<64x64xf32>
    %e = mirage_block.exp %t : (!mirage.tile<64x64xf32>) -> !mirage.tile<64x64xf32>
    mirage_block.output_saver %e omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %y : tensor<64x64xf32>
}
func.func private @alone_reference(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %y = mirage_kernel.exp %x : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
