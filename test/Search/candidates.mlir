// Every μGraph that is returned is equal to the program, also those that are not the best.

// RUN: %python %programs/linalg_programs.py gated_mlp 1 \
// RUN:   | mirage-opt --convert-linalg-to-mirage --mirage-superoptimize="candidates=6 threads=2" -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mirage-opt %t.mlir --mirage-verify-equivalence="seed=4242" -o /dev/null

// CHECK: func.func @gated_mlp(
// CHECK-SAME: verdict = "proved"
// CHECK: func.func private @gated_mlp_reference(
// CHECK-COUNT-5: func.func @gated_mlp_candidate_{{[1-5].*}}verdict = "proved"

// Who asks for several gets the best one, too: attention with a sink has more operators than a kernel may have, unless functions are in one
// piece.

// RUN: %python %programs/more_programs.py sink_column > %t.sink.mlir
// RUN: mirage-opt %t.sink.mlir --convert-linalg-to-mirage --mirage-superoptimize="threads=2 report=%t.one.json" -o /dev/null
// RUN: mirage-opt %t.sink.mlir --convert-linalg-to-mirage --mirage-superoptimize="candidates=4 threads=2 report=%t.four.json" -o /dev/null
// RUN: %python -c 'import json, sys; one, four = ([c["nanoseconds"] for c in json.load(open(f))[0]["candidates"]] for f in sys.argv[1:]); \
// RUN:   print(len(one), len(four), one[0] == four[0])' %t.one.json %t.four.json | FileCheck %s --check-prefix=SINK
// SINK: 1 4 True
