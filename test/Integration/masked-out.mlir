// Attention with a mask of -infinity, for all keys from a quarter on: a loop, or a block of a split grid, meets tiles of which nothing
// is left. The maximum of such a tile is the lowest number, so that the difference to it is one.
// DEFINE: %{compare} = import numpy as n, sys; q, k, v, m, o = (n.load(sys.argv[1] + '/' + f + '.npy').astype('f8') for f in ('q', 'k', 'v', 'm', 'out0')); e = n.exp(q @ k + m - (q @ k + m).max(1, keepdims=True)); e = e @ v / e.sum(1, keepdims=True); assert abs(o - e).max() < 5e-3 * abs(e).max()
// RUN: rm -rf %t && mkdir -p %t
// RUN: %python -c "import numpy as n; r = n.random.default_rng(5); [n.save(r'%t/' + f + '.npy', r.standard_normal(s).astype('f2')) for f, s in (('q', (16, 64)), ('k', (64, 2048)), ('v', (2048, 64)))]; m = n.zeros((16, 2048), 'f2'); m[:, 512:] = -n.inf; n.save(r'%t/m.npy', m)"
// RUN: mirage-run %s --max-kernel-ops=1 --report=%t/1.json --inputs=%t/q.npy,%t/k.npy,%t/v.npy,%t/m.npy --output-dir=%t
// RUN: FileCheck %s --check-prefix=ONE < %t/1.json
// RUN: %python -c "%{compare}" %t
// RUN: mirage-run %s --report=%t/2.json --inputs=%t/q.npy,%t/k.npy,%t/v.npy,%t/m.npy --output-dir=%t
// RUN: FileCheck %s --check-prefix=TWO < %t/2.json
// RUN: %python -c "%{compare}" %t
// ONE: "kernels": 1,
// TWO: "kernels": 2,

func.func @f(%q: tensor<16x64xf16>, %k: tensor<64x2048xf16>, %v: tensor<2048x64xf16>, %m: tensor<16x2048xf16>) -> tensor<16x64xf16> {
  %s = mirage_kernel.matmul %q, %k : (tensor<16x64xf16>, tensor<64x2048xf16>) -> tensor<16x2048xf16>
  %t = mirage_kernel.add %s, %m : (tensor<16x2048xf16>, tensor<16x2048xf16>) -> tensor<16x2048xf16>
  %x = mirage_kernel.reduce_max %t dim 1 : (tensor<16x2048xf16>) -> tensor<16x1xf32>
  %d = mirage_kernel.sub %t, %x : (tensor<16x2048xf16>, tensor<16x1xf32>) -> tensor<16x2048xf16>
  %e = mirage_kernel.exp %d : (tensor<16x2048xf16>) -> tensor<16x2048xf16>
  %o = mirage_kernel.matmul %e, %v : (tensor<16x2048xf16>, tensor<2048x64xf16>) -> tensor<16x64xf16>
  %l = mirage_kernel.sum %e dim 1 : (tensor<16x2048xf16>) -> tensor<16x1xf32>
  %r = mirage_kernel.div %o, %l : (tensor<16x64xf16>, tensor<16x1xf32>) -> tensor<16x64xf16>
  return %r : tensor<16x64xf16>
}
