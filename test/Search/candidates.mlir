// Every μGraph that is returned is equal to the program, also those that are not the best.

// RUN: %python %programs/linalg_programs.py gated_mlp 1 \
// RUN:   | mirage-opt --convert-linalg-to-mirage --mirage-superoptimize="candidates=6 threads=2" -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mirage-opt %t.mlir --mirage-verify-equivalence="seed=4242" -o /dev/null

// CHECK: func.func @gated_mlp(
// CHECK-SAME: verdict = "proved"
// CHECK: func.func private @gated_mlp_reference(
// CHECK-COUNT-5: func.func @gated_mlp_candidate_{{[1-5].*}}verdict = "proved"
