// RUN: mirage-opt --mirage-superoptimize="target=sm_90a threads=1 report=%t.json" %s -o %t.mlir
// RUN: mirage-opt --mirage-superoptimize="target=sm_90a threads=1 without=orders report=%t.without.json" %s -o %t.mlir
// RUN: %python -c "import json, sys; a, b = [[r['candidates'][0]['nanoseconds'] for r in json.load(open(f))] for f in sys.argv[1:]]; \
// RUN:   assert len(a) == 2 and a == b, (a, b)" %t.json %t.without.json

// Rule `orders`: what the program gives dimensions of size 1 behind a product may have them in front of it.

func.func @groups(%q: tensor<16x1024x64xf16>, %k: tensor<16x64x1024xf16>, %v: tensor<16x4x1024x64xf16>) -> tensor<16x4x1024x64xf16> {
  %s = mirage_kernel.matmul %q, %k : (tensor<16x1024x64xf16>, tensor<16x64x1024xf16>) -> tensor<16x1024x1024xf16>
  %r = mirage_kernel.reshape %s : (tensor<16x1024x1024xf16>) -> tensor<16x1x1024x1024xf16>
  %o = mirage_kernel.matmul %r, %v : (tensor<16x1x1024x1024xf16>, tensor<16x4x1024x64xf16>) -> tensor<16x4x1024x64xf16>
  return %o : tensor<16x4x1024x64xf16>
}

func.func @rows(%arg0: tensor<4096x4096xf16>, %arg1: tensor<2048x4096xf16>) -> tensor<1x4096x1xf32> {
  %v0 = mirage_kernel.matmul %arg1, %arg0 : (tensor<2048x4096xf16>, tensor<4096x4096xf16>) -> tensor<2048x4096xf32>
  %v2 = mirage_kernel.reshape %v0 : (tensor<2048x4096xf32>) -> tensor<1x2048x4096xf32>
  %v5 = mirage_kernel.sum %v2 dim 1 : (tensor<1x2048x4096xf32>) -> tensor<1x1x4096xf32>
  %v6 = mirage_kernel.transpose %v5 permutation [1, 2, 0] : (tensor<1x1x4096xf32>) -> tensor<1x4096x1xf32>
  return %v6 : tensor<1x4096x1xf32>
}
