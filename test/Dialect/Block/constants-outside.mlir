// CSE replaces a constant of a loop by an equal one of the block graph: the μGraph stays valid, and means the same to the verifier,
// the drawings and the lowering.
// RUN: mirage-opt --cse %s -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// CHECK-LABEL: func.func @f(
// CHECK:         %[[TWO:.*]] = mirage.constant 2.0
// CHECK:         mirage_block.loop
// CHECK-NOT:       mirage.constant
// CHECK:           mirage_block.div %{{.*}}, %[[TWO]]

// RUN: mirage-opt --mirage-verify-equivalence %t.mlir -o %t.verified.mlir
// RUN: FileCheck %s --check-prefix=VERIFIED --input-file=%t.verified.mlir
// VERIFIED: verdict = "proved"
// RUN: mirage-translate --mugraph-to-dot %t.mlir | FileCheck %s --check-prefix=DOT
// DOT-DAG: [[TWO:n[0-9]+]] [label="%1 = 2
// DOT-DAG: [[BEFORE:n[0-9]+]] [label="%4 = div of %3, %1
// DOT-DAG: [[LOOP:n[0-9]+]] [label="%9 = div of %8, %1
// DOT-DAG: [[TWO]] -> [[BEFORE]];
// DOT-DAG: [[TWO]] -> [[LOOP]];
// RUN: mirage-translate --mugraph-to-html %t.mlir -o /dev/null

// Each pass on block graphs gives the loop a constant of its own.
// RUN: mirage-opt --mirage-construct-thread-graphs %t.mlir | FileCheck %s --check-prefix=COPY
// RUN: mirage-opt --mirage-specialize-warps %t.mlir | FileCheck %s --check-prefix=COPY
// RUN: mirage-opt --mirage-schedule-operators %t.mlir | FileCheck %s --check-prefix=COPY
// RUN: mirage-opt --mirage-assign-layouts %t.mlir | FileCheck %s --check-prefix=COPY
// RUN: mirage-opt --mirage-plan-memory %t.mlir | FileCheck %s --check-prefix=COPY
// COPY: mirage_block.loop
// COPY:   mirage.constant 2.0
// COPY:   mirage_block.accumulate

// RUN: mirage-opt --convert-mirage-to-gpu %t.verified.mlir -o %t.plain.mlir
// RUN: mirage-run %t.plain.mlir --checks --check --reference=%S/Inputs/row-sums.mlir | FileCheck %s --check-prefix=SUMS
// RUN: mirage-opt --mirage-pipeline="compile-to=gpu" %t.verified.mlir -o %t.kernels.mlir
// RUN: mirage-run %t.kernels.mlir --checks --check --reference=%S/Inputs/row-sums.mlir | FileCheck %s --check-prefix=SUMS
// SUMS: output 0: 8x1xf32, {{.*}} (ok;

func.func @f(%x: tensor<8x64xf16>) -> tensor<8x1xf32> attributes {mirage.reference = @sums} {
  %z = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<8x64xf16>) -> tensor<8x1xf32> {
  ^bb0(%X: tensor<8x64xf16>):
    %c = mirage.constant 2.0 : !mirage.tile<f32>
    %t = mirage_block.input_iterator %X imap <x -> replica> : tensor<8x64xf16> -> !mirage.tile<8x64xf16>
    %s = mirage_block.sum %t dim 1 : (!mirage.tile<8x64xf16>) -> !mirage.tile<8x1xf32>
    %d = mirage_block.div %s, %c : (!mirage.tile<8x1xf32>, !mirage.tile<f32>) -> !mirage.tile<8x1xf32>
    %r = mirage_block.loop iterations 4 -> !mirage.tile<8x1xf32> {
      %k = mirage.constant 2.0 : !mirage.tile<f32>
      %u = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> 1> : tensor<8x64xf16> -> !mirage.tile<8x16xf16>
      %e = mirage_block.sum %u dim 1 : (!mirage.tile<8x16xf16>) -> !mirage.tile<8x1xf32>
      %v = mirage_block.div %e, %k : (!mirage.tile<8x1xf32>, !mirage.tile<f32>) -> !mirage.tile<8x1xf32>
      mirage_block.accumulate sum %v : !mirage.tile<8x1xf32>
    }
    %o = mirage_block.add %r, %d : (!mirage.tile<8x1xf32>, !mirage.tile<8x1xf32>) -> !mirage.tile<8x1xf32>
    mirage_block.output_saver %o omap <x -> 0> : !mirage.tile<8x1xf32> -> tensor<8x1xf32>
  }
  return %z : tensor<8x1xf32>
}

// What it is compared with: half of the sums twice.
func.func private @sums(%x: tensor<8x64xf16>) -> tensor<8x1xf32> {
  %s = mirage_kernel.sum %x dim 1 : (tensor<8x64xf16>) -> tensor<8x1xf32>
  return %s : tensor<8x1xf32>
}
