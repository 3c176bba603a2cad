// A mean squared error is a scalar that an operator computes from the last sum: the division goes into the kernel in front of it.

// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-superoptimize=report=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT --input-file=%t.json

// CHECK-LABEL: func.func @mse(
// CHECK: = mirage_kernel.graph_defined(
// CHECK: %[[SUM:.*]] = mirage_kernel.sum
// CHECK-NEXT: %[[R:.*]] = mirage_kernel.reshape %[[SUM]] : (tensor<1x1xf32>) -> tensor<f32>
// CHECK-NEXT: return %[[R]] : tensor<f32>
// REPORT: "verdict": "proved"
// REPORT: "exhausted": true
func.func @mse(%x: tensor<24x1000xf32>, %y: tensor<24x1000xf32>) -> tensor<f32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %n = arith.constant dense<24000.0> : tensor<f32>
  %e = tensor.empty() : tensor<24x1000xf32>
  %d = linalg.sub ins(%x, %y : tensor<24x1000xf32>, tensor<24x1000xf32>) outs(%e : tensor<24x1000xf32>) -> tensor<24x1000xf32>
  %q = linalg.square ins(%d : tensor<24x1000xf32>) outs(%e : tensor<24x1000xf32>) -> tensor<24x1000xf32>
  %s = linalg.reduce { arith.addf } ins(%q : tensor<24x1000xf32>) outs(%zero : tensor<f32>) dimensions = [0, 1]
  %m = arith.divf %s, %n : tensor<f32>
  return %m : tensor<f32>
}
