// RUN: mirage-opt --mirage-superoptimize="target=sm_90a threads=1 report=%t.json" %s -o /dev/null
// RUN: mirage-opt --mirage-superoptimize="target=sm_90a threads=1 without=arrangements report=%t.all.json" %s -o /dev/null
// RUN: %python -c "import json, sys; few, whole = (json.load(open(f))[0] for f in sys.argv[1:]); \
// RUN:   assert few['exhausted'] and whole['exhausted'], (few, whole); \
// RUN:   assert few['candidates'][0]['nanoseconds'] == whole['candidates'][0]['nanoseconds'], (few, whole); \
// RUN:   assert few['pruned']['arrangement'] > 0 and 2 * few['structures'] < whole['structures'], (few, whole)" %t.json %t.all.json

// A linear layer with a scale for each block of its weights: tiles of the scales can be transposed, and transposed back, so
// that each can be computed by way of the other. The rule `arrangements` leaves out most of what they can be arranged in,
// and finds the same.
func.func @linear(%arg0: tensor<64x4096xbf16>, %arg1: tensor<6144x4096xbf16>, %arg2: tensor<48x32xf32>) -> tensor<64x6144xbf16> {
  %0 = mirage_kernel.reshape %arg1 : (tensor<6144x4096xbf16>) -> tensor<48x128x32x128xbf16>
  %1 = mirage_kernel.reshape %arg2 : (tensor<48x32xf32>) -> tensor<48x1x32x1xf32>
  %2 = mirage_kernel.mul %0, %1 : (tensor<48x128x32x128xbf16>, tensor<48x1x32x1xf32>) -> tensor<48x128x32x128xbf16>
  %3 = mirage_kernel.transpose %2 permutation [0, 2, 3, 1] : (tensor<48x128x32x128xbf16>) -> tensor<48x32x128x128xbf16>
  %4 = mirage_kernel.reshape %arg0 : (tensor<64x4096xbf16>) -> tensor<1x64x32x128xbf16>
  %5 = mirage_kernel.transpose %4 permutation [0, 2, 1, 3] : (tensor<1x64x32x128xbf16>) -> tensor<1x32x64x128xbf16>
  %6 = mirage_kernel.matmul %5, %3 : (tensor<1x32x64x128xbf16>, tensor<48x32x128x128xbf16>) -> tensor<48x32x64x128xf32>
  %7 = mirage_kernel.sum %6 dim 1 : (tensor<48x32x64x128xf32>) -> tensor<48x1x64x128xbf16>
  %8 = mirage_kernel.reshape %7 : (tensor<48x1x64x128xbf16>) -> tensor<48x64x128xbf16>
  %9 = mirage_kernel.transpose %8 permutation [1, 0, 2] : (tensor<48x64x128xbf16>) -> tensor<64x48x128xbf16>
  %10 = mirage_kernel.reshape %9 : (tensor<64x48x128xbf16>) -> tensor<64x6144xbf16>
  return %10 : tensor<64x6144xbf16>
}
