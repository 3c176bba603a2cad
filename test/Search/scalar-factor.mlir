// The norm of all gradients scales each of them. As linalg has it, the norm is a scalar, which a reshape to no dimensions makes of the last sum: a
// kernel that scales a vector adds up, too.

// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-superoptimize=report=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json
// REPORT-COUNT-2: "exhausted": true

// CHECK-LABEL: func.func @scaled(
// CHECK-COUNT-2: mirage_kernel.graph_defined(
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @scaled(%m: tensor<4096x1024xf32>, %v: tensor<1000xf32>) -> tensor<1000xf32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %0 = tensor.empty() : tensor<4096x1024xf32>
  %1 = linalg.square ins(%m : tensor<4096x1024xf32>) outs(%0 : tensor<4096x1024xf32>) -> tensor<4096x1024xf32>
  %2 = linalg.reduce { arith.addf } ins(%1 : tensor<4096x1024xf32>) outs(%zero : tensor<f32>) dimensions = [0, 1]
  %3 = tensor.empty() : tensor<1000xf32>
  %4 = linalg.broadcast ins(%2 : tensor<f32>) outs(%3 : tensor<1000xf32>) dimensions = [0]
  %5 = linalg.mul ins(%v, %4 : tensor<1000xf32>, tensor<1000xf32>) outs(%3 : tensor<1000xf32>) -> tensor<1000xf32>
  return %5 : tensor<1000xf32>
}

// CHECK-LABEL: func.func @clipped(
// CHECK-COUNT-2: mirage_kernel.graph_defined(
// CHECK-NOT: mirage_kernel.
// CHECK: return
func.func @clipped(%w: tensor<4096x1024xf32>, %b: tensor<1024xf32>) -> (tensor<4096x1024xf32>, tensor<1024xf32>) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %one = arith.constant dense<1.0> : tensor<f32>
  %0 = tensor.empty() : tensor<4096x1024xf32>
  %1 = tensor.empty() : tensor<1024xf32>
  %2 = linalg.square ins(%w : tensor<4096x1024xf32>) outs(%0 : tensor<4096x1024xf32>) -> tensor<4096x1024xf32>
  %3 = linalg.reduce { arith.addf } ins(%2 : tensor<4096x1024xf32>) outs(%zero : tensor<f32>) dimensions = [0, 1]
  %4 = linalg.square ins(%b : tensor<1024xf32>) outs(%1 : tensor<1024xf32>) -> tensor<1024xf32>
  %5 = linalg.reduce { arith.addf } ins(%4 : tensor<1024xf32>) outs(%zero : tensor<f32>) dimensions = [0]
  %6 = arith.addf %3, %5 : tensor<f32>
  %7 = math.sqrt %6 : tensor<f32>
  %8 = arith.divf %one, %7 : tensor<f32>
  %9 = arith.minimumf %8, %one : tensor<f32>
  %10 = linalg.broadcast ins(%9 : tensor<f32>) outs(%0 : tensor<4096x1024xf32>) dimensions = [0, 1]
  %11 = linalg.broadcast ins(%9 : tensor<f32>) outs(%1 : tensor<1024xf32>) dimensions = [0]
  %12 = linalg.mul ins(%w, %10 : tensor<4096x1024xf32>, tensor<4096x1024xf32>) outs(%0 : tensor<4096x1024xf32>) -> tensor<4096x1024xf32>
  %13 = linalg.mul ins(%b, %11 : tensor<1024xf32>, tensor<1024xf32>) outs(%1 : tensor<1024xf32>) -> tensor<1024xf32>
  return %12, %13 : tensor<4096x1024xf32>, tensor<1024xf32>
}
