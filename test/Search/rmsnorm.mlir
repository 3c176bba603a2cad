// RMSNorm + Linear becomes one kernel: the gain is folded into x's tile, the sum of squares and the matmul accumulate in
// one loop, and the division by the root mean square comes after it.

// RUN: %python %programs/linalg_programs.py rmsnorm 8 \
// RUN:   | mirage-opt --convert-linalg-to-mirage --mirage-superoptimize="target=sm_90a max-block-ops=11 threads=2 report=%t.json" \
// RUN:   > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: mirage-opt %t.mlir --mirage-verify-equivalence="seed=12345" -o /dev/null
// RUN: %python %programs/linalg_programs.py rmsnorm 1 | mirage-opt --convert-linalg-to-mirage --mirage-superoptimize | FileCheck %s
// RUN: %python %programs/linalg_programs.py rmsnorm 16 | mirage-opt --convert-linalg-to-mirage --mirage-superoptimize | FileCheck %s

// CHECK: module attributes {mirage.target = #mirage.target<"sm_90a"
// CHECK: func.func @rmsnorm(%[[X:.*]]: tensor<[[ROWS:[0-9]+]]x4096xf16>, %[[G:.*]]: tensor<4096xf16>, %[[W:.*]]: tensor<4096x6144xf16>)
// CHECK-SAME: mirage.reference = @rmsnorm_reference
// CHECK-SAME: verdict = "proved"
// CHECK-NEXT: %[[KERNEL:.*]] = mirage_kernel.graph_defined(%[[X]], %[[G]], %[[W]]) grid <x = {{[0-9]+}}> :
// CHECK-NEXT: ^bb0(%[[XIN:.*]]: tensor<[[ROWS]]x4096xf16>, %[[GIN:.*]]: tensor<4096xf16>, %[[WIN:.*]]: tensor<4096x6144xf16>):
// CHECK-NEXT: %[[SUMS:.*]]:2 = mirage_block.loop
// CHECK-NEXT: %[[XTILE:.*]] = mirage_block.input_iterator %[[XIN]] imap <x -> replica> fmap <i -> 1> :
// CHECK-NEXT: %[[GTILE:.*]] = mirage_block.input_iterator %[[GIN]] imap <x -> replica> fmap <i -> 0> :
// CHECK-NEXT: %[[WTILE:.*]] = mirage_block.input_iterator %[[WIN]] imap <x -> 1> fmap <i -> 0> :
// CHECK-DAG: mirage_block.sqr %[[XTILE]]
// CHECK-DAG: %[[XG:.*]] = mirage_block.mul {{%.*}} : (!mirage.tile<{{.*}}xf16>, !mirage.tile<{{.*}}xf16>)
// CHECK-DAG: mirage_block.matmul %[[XG]], %[[WTILE]]
// CHECK: mirage_block.accumulate sum %{{.*}}, sum %{{.*}} :
// CHECK-DAG: mirage.constant 9.9999997473787516E-6
// CHECK-DAG: mirage.constant 4.096000e+03
// CHECK: %[[RMS:.*]] = mirage_block.sqrt
// CHECK: %[[Z:.*]] = mirage_block.div %[[SUMS]]#{{[01]}}, %[[RMS]]
// CHECK-NEXT: mirage_block.output_saver %[[Z]]
// CHECK-NOT: mirage_kernel.
// CHECK: return %[[KERNEL]]
// CHECK: func.func private @rmsnorm_reference

// REPORT: "kernels": 1
// REPORT: "verdict": "proved"
// REPORT: "exhausted": true
