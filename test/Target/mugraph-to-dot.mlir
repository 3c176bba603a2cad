// RUN: mirage-translate --mugraph-to-dot %s | FileCheck %s --check-prefixes=ALL,THREAD
// RUN: mirage-translate --mugraph-to-dot --level=thread %s | FileCheck %s --check-prefixes=ALL,THREAD
// RUN: mirage-translate --mugraph-to-dot --level=block %s | FileCheck %s --check-prefixes=ALL,BLOCK --implicit-check-not=mirage_thread
// RUN: mirage-translate --mugraph-to-dot --level=kernel %s | FileCheck %s --check-prefixes=ALL,KERNEL --implicit-check-not=loop --implicit-check-not=mirage_block.
// RUN: not mirage-translate --mugraph-to-dot --level=warp %s 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: for the --level option: Cannot find option named 'warp'

// RMS norm and a matmul, as the search finds it.
// ALL:      digraph mugraph {
// ALL:      subgraph cluster0 {
// ALL-NEXT:   label="@rmsnorm\l"
// ALL-NEXT:   n0 [label="%arg0 = input 0\n16x64xf16\n"
// ALL-NEXT:   n1 [label="%arg1 = input 1\n64xf16\n"
// ALL-NEXT:   n2 [label="%arg2 = input 2\n64x32xf16\n"

// The nodes of a graph come before the graphs in it.
// THREAD-NEXT: [[OUTPUT:n[0-9]+]] [label="output 0: %0\n16x32xf16\n"
// THREAD-NEXT: subgraph cluster1 {
// THREAD-NEXT:   label="%0 = graph_defined\lgrid x = 2, y = 2\l"
// THREAD-NEXT:   [[SAVER:n[0-9]+]] [label="%0 = output_saver of %2\nomap x -> 0, y -> 1\n16x32xf16\n"
// THREAD-SAME:       tooltip="mirage_block.output_saver %2 omap <x -> 0, y -> 1> : !mirage.tile<8x16xf32> -> tensor<16x32xf16>"
// THREAD-NEXT:   subgraph cluster2 {
// THREAD-NEXT:     label="%1#0, %1#1, %1#2 = loop\literations 4\l"
// THREAD-NEXT:     [[X:n[0-9]+]] [label="%[[XT:[0-9]+]] = input_iterator of %arg0\nimap x -> 0, y -> replica\nfmap i -> 1\n8x16xf16\n"
// THREAD-NEXT:     [[G:n[0-9]+]] [label="%{{[0-9]+}} = input_iterator of %arg1\nimap x -> replica, y -> replica\nfmap i -> 0\n16xf16\n"
// THREAD-NEXT:     [[W:n[0-9]+]] [label="%[[WT:[0-9]+]] = input_iterator of %arg2\nimap x -> replica, y -> 1\nfmap i -> 0\n16x16xf16\n"
// THREAD-NEXT:     [[SQR:n[0-9]+]] [label="%[[SQ:[0-9]+]] = sqr of %[[XT]]\n8x16xf32\n"
// THREAD-NEXT:     [[SUM:n[0-9]+]] [label="%[[S:[0-9]+]] = sum of %[[SQ]]\ndim 1\n8x1xf32\n"
// THREAD-NEXT:     [[MUL:n[0-9]+]] [label="%[[XG:[0-9]+]] = mul
// THREAD-NEXT:     [[MM:n[0-9]+]] [label="%[[P:[0-9]+]] = matmul of %[[XG]], %[[WT]]\n8x16xf32\n"
// THREAD-NEXT:     [[ACC0:n[0-9]+]] [label="%1#0 = accumulate sum of %[[S]]\n8x1xf32\n"
// THREAD-NEXT:     [[ACC1:n[0-9]+]] [label="%1#1 = accumulate rescaled_sum of %[[P]], %[[S]]\n8x16xf32\n"
// THREAD-NEXT:     [[ACC2:n[0-9]+]] [label="%1#2 = accumulate concat of %[[S]]\ndim 1\n8x4xf32\n"
// THREAD-NEXT:   }
// THREAD-NEXT:   subgraph cluster3 {
// THREAD-NEXT:     label="%2 = graph_defined\lthread graph\l"
// THREAD-NEXT:     [[EPS:n[0-9]+]] [label="%[[E:[0-9]+]] = 1e-05\nf32\n"
// THREAD-NEXT:     [[ADD:n[0-9]+]] [label="%[[A:[0-9]+]] = add of %1#0, %[[E]]\n
// THREAD-NEXT:     [[SQRT:n[0-9]+]] [label="%[[R:[0-9]+]] = sqrt of %[[A]]\n
// THREAD-NEXT:     [[DIV:n[0-9]+]] [label="%[[D:[0-9]+]] = div of %1#1, %[[R]]\n8x16xf32\n"
// THREAD-NEXT:     [[YIELD:n[0-9]+]] [label="%2 = yield of %[[D]]\n8x16xf32\n"
// THREAD-NEXT:   }
// THREAD-NEXT: }
// An edge leads to what reads a tensor, not to the graph that it is in.
// THREAD-DAG: n0 -> [[X]];
// THREAD-DAG: n1 -> [[G]];
// THREAD-DAG: n2 -> [[W]];
// THREAD-DAG: [[X]] -> [[SQR]];
// THREAD-DAG: [[X]] -> [[MUL]];
// THREAD-DAG: [[G]] -> [[MUL]];
// THREAD-DAG: [[MUL]] -> [[MM]];
// THREAD-DAG: [[W]] -> [[MM]];
// THREAD-DAG: [[SUM]] -> [[ACC0]];
// THREAD-DAG: [[MM]] -> [[ACC1]];
// THREAD-DAG: [[SUM]] -> [[ACC1]];
// THREAD-DAG: [[SUM]] -> [[ACC2]];
// THREAD-DAG: [[ACC0]] -> [[ADD]];
// THREAD-DAG: [[EPS]] -> [[ADD]];
// THREAD-DAG: [[SQRT]] -> [[DIV]];
// THREAD-DAG: [[ACC1]] -> [[DIV]];
// THREAD-DAG: [[DIV]] -> [[YIELD]];
// THREAD-DAG: [[YIELD]] -> [[SAVER]];
// THREAD-DAG: [[SAVER]] -> [[OUTPUT]];

// BLOCK:      [[TG:n[0-9]+]] [label="%2 = graph_defined of %1#0, %1#1\nadd, sqrt, div\n8x16xf32\n", {{.*}}peripheries=2
// BLOCK:      subgraph cluster2 {
// BLOCK:      [[ACC0:n[0-9]+]] [label="%1#0 = accumulate sum
// BLOCK:      [[ACC0]] -> [[TG]];
// BLOCK:      subgraph cluster3 {
// BLOCK-NEXT:   label="@two\l"

// KERNEL-NEXT: n3 [label="%0 = graph_defined of %arg0, %arg1, %arg2\ngrid x = 2, y = 2\niterations 4\nsqr, sum, mul, matmul, add, sqrt, div\n16x32xf16\n", {{.*}}peripheries=2
// KERNEL-NEXT: n4 [label="output 0: %0\n16x32xf16\n"
// KERNEL-NEXT: }
// KERNEL-NEXT: n0 -> n3;
// KERNEL-NEXT: n1 -> n3;
// KERNEL-NEXT: n2 -> n3;
// KERNEL-NEXT: n3 -> n4;
func.func @rmsnorm(%x: tensor<16x64xf16>, %g: tensor<64xf16>, %w: tensor<64x32xf16>) -> tensor<16x32xf16> {
  %z = mirage_kernel.graph_defined (%x, %g, %w) grid <x = 2, y = 2> : (tensor<16x64xf16>, tensor<64xf16>, tensor<64x32xf16>) -> tensor<16x32xf16> {
  ^bb0(%X: tensor<16x64xf16>, %G: tensor<64xf16>, %W: tensor<64x32xf16>):
    %ss, %mm, %all = mirage_block.loop iterations 4 -> !mirage.tile<8x1xf32>, !mirage.tile<8x16xf32>, !mirage.tile<8x4xf32> {
      %xt = mirage_block.input_iterator %X imap <x -> 0, y -> replica> fmap <i -> 1> : tensor<16x64xf16> -> !mirage.tile<8x16xf16>
      %gt = mirage_block.input_iterator %G imap <x -> replica, y -> replica> fmap <i -> 0> : tensor<64xf16> -> !mirage.tile<16xf16>
      %wt = mirage_block.input_iterator %W imap <x -> replica, y -> 1> fmap <i -> 0> : tensor<64x32xf16> -> !mirage.tile<16x16xf16>
      %sq = mirage_block.sqr %xt : (!mirage.tile<8x16xf16>) -> !mirage.tile<8x16xf32>
      %s = mirage_block.sum %sq dim 1 : (!mirage.tile<8x16xf32>) -> !mirage.tile<8x1xf32>
      %xg = mirage_block.mul %xt, %gt : (!mirage.tile<8x16xf16>, !mirage.tile<16xf16>) -> !mirage.tile<8x16xf32>
      %p = mirage_block.matmul %xg, %wt : (!mirage.tile<8x16xf32>, !mirage.tile<16x16xf16>) -> !mirage.tile<8x16xf32>
      mirage_block.accumulate sum %s, rescaled_sum %p by %s, concat %s dim 1 : !mirage.tile<8x1xf32>, !mirage.tile<8x16xf32> by !mirage.tile<8x1xf32>, !mirage.tile<8x1xf32>
    }
    %r = mirage_block.graph_defined (%ss, %mm) : (!mirage.tile<8x1xf32>, !mirage.tile<8x16xf32>) -> !mirage.tile<8x16xf32> {
    ^bb0(%fs: !mirage.fragment<8x1xf32>, %fm: !mirage.fragment<8x16xf32>):
      %eps = mirage.constant 9.9999997473787516E-6 : !mirage.fragment<f32>
      %a = mirage_thread.add %fs, %eps : (!mirage.fragment<8x1xf32>, !mirage.fragment<f32>) -> !mirage.fragment<8x1xf32>
      %q = mirage_thread.sqrt %a : (!mirage.fragment<8x1xf32>) -> !mirage.fragment<8x1xf32>
      %d = mirage_thread.div %fm, %q : (!mirage.fragment<8x16xf32>, !mirage.fragment<8x1xf32>) -> !mirage.fragment<8x16xf32>
      mirage_thread.yield %d : !mirage.fragment<8x16xf32>
    }
    mirage_block.output_saver %r omap <x -> 0, y -> 1> : !mirage.tile<8x16xf32> -> tensor<16x32xf16>
  }
  return %z : tensor<16x32xf16>
}

// Several results, parameters of operators, an operand that a block graph doesn't
// read, and one that it reads twice.
// THREAD:      label="@two\l"
// THREAD:      [label="%[[T:[0-9]+]] = transpose of %arg0\npermutation [1, 0]\n8x4xf16\n"
// THREAD:      [label="%[[C:[0-9]+]] = clamp of %[[T]]\nlower -0.5\nupper ≈ 0.333333\n8x4xf16\n"
// THREAD:      [label="%[[F:[0-9]+]] = custom of %[[C]]\nfunction f\n8x4xf16\n"
// THREAD:      [[FIRST:n[0-9]+]] [label="output 0: %[[K:[0-9]+]]#1\n
// THREAD-NEXT: [[SECOND:n[0-9]+]] [label="output 1: %[[K]]#0\n
// THREAD-NEXT: subgraph
// THREAD-NEXT:   label="%[[K]]#0, %[[K]]#1 = graph_defined\lgrid x = 1\l"
// THREAD-NEXT:   [[UNUSED:n[0-9]+]] [label="unused: %arg1\n"
// THREAD-NEXT:   [[IN:n[0-9]+]] [label="%[[IT:[0-9]+]] = input_iterator of %[[F]]\nimap x -> replica\n8x4xf16\n"
// THREAD-NEXT:   [[PROD:n[0-9]+]] [label="%{{[0-9]+}} = mul of %[[IT]], %[[IT]]\n
// THREAD-NEXT:   [[SAVE0:n[0-9]+]] [label="%[[K]]#0 = output_saver of
// THREAD-NEXT:   [[SAVE1:n[0-9]+]] [label="%[[K]]#1 = output_saver of %[[IT]]\n
// THREAD-DAG:  [[IN]] -> [[PROD]];
// THREAD-DAG:  [[IN]] -> [[PROD]];
// THREAD-DAG:  [[SAVE0]] -> [[SECOND]];
// THREAD-DAG:  [[SAVE1]] -> [[FIRST]];
func.func @two(%x: tensor<4x8xf16>, %y: tensor<8x4xf16>) -> (tensor<8x4xf16>, tensor<8x4xf16>) {
  %t = mirage_kernel.transpose %x permutation [1, 0] : (tensor<4x8xf16>) -> tensor<8x4xf16>
  %c = mirage_kernel.clamp %t from -0.5 to 0.33333333333333331 : (tensor<8x4xf16>) -> tensor<8x4xf16>
  %f = mirage_kernel.custom "f"(%c) : (tensor<8x4xf16>) -> tensor<8x4xf16>
  %k:2 = mirage_kernel.graph_defined (%f, %y) grid <x = 1> : (tensor<8x4xf16>, tensor<8x4xf16>) -> (tensor<8x4xf16>, tensor<8x4xf16>) {
  ^bb0(%F: tensor<8x4xf16>, %Y: tensor<8x4xf16>):
    %ft = mirage_block.input_iterator %F imap <x -> replica> : tensor<8x4xf16> -> !mirage.tile<8x4xf16>
    %p = mirage_block.mul %ft, %ft : (!mirage.tile<8x4xf16>, !mirage.tile<8x4xf16>) -> !mirage.tile<8x4xf32>
    mirage_block.output_saver %p omap <x -> 0> : !mirage.tile<8x4xf32> -> tensor<8x4xf16>
    mirage_block.output_saver %ft omap <x -> 0> : !mirage.tile<8x4xf16> -> tensor<8x4xf16>
  }
  return %k#1, %k#0 : tensor<8x4xf16>, tensor<8x4xf16>
}
