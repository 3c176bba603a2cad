// RUN: mirage-opt --mirage-superoptimize="target=sm_90a threads=1 candidates=64 report=%t.json" %s | FileCheck %s
// RUN: %python -c "import json, sys; r = json.load(open(sys.argv[1]))[0]; \
// RUN:   assert r['stopped_by'] == 'size-limit' and 100000 < r['sizes'] < 250000, r" %t.json

// A covariance: one placement has few derivations, but each is priced with many sizes (of 64 candidates some 260,000 prices in all without a limit for one, and 130,000 with it).
// CHECK: func.func @covariance(
// CHECK-SAME: verdict = "proved"
func.func @covariance(%x: tensor<4096x512xf16>) -> tensor<512x512xf16> {
  %n = mirage.constant 4096.0 : tensor<f32>
  %0 = mirage_kernel.div %x, %n : (tensor<4096x512xf16>, tensor<f32>) -> tensor<4096x512xf32>
  %1 = mirage_kernel.sum %0 dim 0 : (tensor<4096x512xf32>) -> tensor<1x512xf32>
  %2 = mirage_kernel.transpose %x permutation [1, 0] : (tensor<4096x512xf16>) -> tensor<512x4096xf16>
  %3 = mirage_kernel.matmul %2, %x : (tensor<512x4096xf16>, tensor<4096x512xf16>) -> tensor<512x512xf32>
  %4 = mirage_kernel.mul %n, %1 : (tensor<f32>, tensor<1x512xf32>) -> tensor<1x512xf32>
  %5 = mirage_kernel.reshape %4 : (tensor<1x512xf32>) -> tensor<512x1xf32>
  %6 = mirage_kernel.mul %5, %1 : (tensor<512x1xf32>, tensor<1x512xf32>) -> tensor<512x512xf32>
  %7 = mirage_kernel.sub %3, %6 : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
  %m = mirage.constant 4095.0 : tensor<f32>
  %8 = mirage_kernel.div %7, %m : (tensor<512x512xf32>, tensor<f32>) -> tensor<512x512xf16>
  return %8 : tensor<512x512xf16>
}
