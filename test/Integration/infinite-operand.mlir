// An infinite f32 operand of a product in three tf32 parts: exp of what is minus infinity is 0, and no NaN comes of the remainder of infinity.
// RUN: rm -rf %t && mkdir -p %t
// RUN: %python -c "import numpy as n; x = n.linspace(-1, 1, 512).reshape(16, 32).astype('f2'); x[3, 5] = -n.inf; n.save(r'%t/x.npy', x); n.save(r'%t/y.npy', n.linspace(.1, 1, 2048).reshape(32, 64).astype('f2'))"
// RUN: mirage-run %s --inputs=%t/x.npy,%t/y.npy --output-dir=%t
// RUN: %python -c "import numpy as n; x, y, z = (n.load(r'%t/' + f + '.npy').astype('f8') for f in ('x', 'y', 'out0')); e = n.exp(.7 * x @ y); assert (z[3] == 0).all() and abs(z - e).max() < 1e-5 * e.max()"

func.func @f(%x: tensor<16x32xf16>, %y: tensor<32x64xf16>) -> tensor<16x64xf32> {
  %z = mirage_kernel.graph_defined (%x, %y) grid <x = 1> {mirage.scheduled} : (tensor<16x32xf16>, tensor<32x64xf16>) -> tensor<16x64xf32> {
  ^bb0(%X: tensor<16x32xf16>, %Y: tensor<32x64xf16>):
    %a = mirage_block.input_iterator %X imap <x -> replica> : tensor<16x32xf16> -> !mirage.tile<16x32xf16>
    %b = mirage_block.input_iterator %Y imap <x -> replica> : tensor<32x64xf16> -> !mirage.tile<32x64xf16>
    %c = mirage.constant 0.7 : !mirage.tile<f32>
    %s = mirage_block.mul %a, %c : (!mirage.tile<16x32xf16>, !mirage.tile<f32>) -> !mirage.tile<16x32xf32>
    %p = mirage_block.matmul %s, %b : (!mirage.tile<16x32xf32>, !mirage.tile<32x64xf16>) -> !mirage.tile<16x64xf32>
    %e = mirage_block.exp %p : (!mirage.tile<16x64xf32>) -> !mirage.tile<16x64xf32>
    mirage_block.output_saver %e omap <x -> 0> : !mirage.tile<16x64xf32> -> tensor<16x64xf32>
  }
  return %z : tensor<16x64xf32>
}
