// Times on a fake GPU, whose kernels write what the reference computes, but for the one that FAKE_CUDA_WRONG names.

// RUN: rm -rf %t && mkdir -p %t
// RUN: mirage-run %s --function=f --backend=host --seed=1 --output-dir=%t
// RUN: %python -c "open(r'%t/result', 'wb').write(open(r'%t/out0.npy', 'rb').read()[-4 * 64 * 64:])"
// DEFINE: %{gpu} = env FAKE_CUDA_RESULT=%t/result
// DEFINE: %{select} = mirage-opt %s -o %t/out.mlir --mirage-select="cuda-driver=%fake-cuda report=%t/report.json
// DEFINE: %{check} = FileCheck %s --check-prefix

// The model prefers 'f_candidate_1', which is slow here. 'f' is not measured: the model has it last.
// RUN: %{gpu} FAKE_CUDA_SLOW=f_candidate_1_0 %{select} profile=cuda top-k=2 database=%t/times.db" 2>&1 | %{check}=FASTEST
// RUN: %{check}=TIMES < %t/report.json
// RUN: %{check}=KEPT < %t/out.mlir
// FASTEST-NOT: has no time
// FASTEST: remark: kept 'f_candidate_2' of 3 candidates: {{[5-9]}}.0 us measured, {{[0-9.]+}} us by the model
// TIMES:      "candidate": "f_candidate_2"
// TIMES:      "from_database": false
// TIMES:      "microseconds": {{[4-9]}}
// TIMES:      "candidate": "f_candidate_1"
// TIMES:      "from_database": false
// TIMES:      "microseconds": {{100|99.9}}
// TIMES:      "candidate": "f"
// TIMES-NOT:  "microseconds"
// TIMES:      "device": "Fake GPU"
// KEPT: func.func @f(
// KEPT: grid <x = 8>

// The second time nothing is run: what kernels write now is wrong.
// RUN: %{select} profile=cuda top-k=2 database=%t/times.db" 2>&1 | %{check}=FASTEST
// RUN: %{check}=AGAIN < %t/report.json
// AGAIN-COUNT-2: "from_database": true
// RUN: mirage-db list --database=%t/times.db | %{check}=STORED
// STORED-COUNT-2: f_candidate_

// One whose result is wrong is not chosen, however fast, and its time is not kept.
// RUN: %{gpu} FAKE_CUDA_SLOW=f_candidate_1_0 FAKE_CUDA_WRONG=f_candidate_2_0 %{select} profile=cuda top-k=3 database=%t/wrong.db" 2>&1 | %{check}=OTHER
// RUN: %{check}=ERROR < %t/report.json
// OTHER-DAG: remark: kept 'f' of 3 candidates: {{[5-9]}}.0 us measured
// OTHER-DAG: remark: has no time: it computes something else: the relative error of output 0 is
// ERROR:      "candidate": "f"
// ERROR:      "candidate": "f_candidate_1"
// ERROR:      "candidate": "f_candidate_2"
// ERROR-NEXT: "error": "it computes something else: the relative error of output 0 is
// ERROR-NOT:  "microseconds"
// ERROR:      "device"
// RUN: %{gpu} FAKE_CUDA_SLOW=f_candidate_1_0 %{select} profile=cuda top-k=3 database=%t/wrong.db" 2>/dev/null
// RUN: %{check}=RETRIED < %t/report.json
// RETRIED-COUNT-1: "from_database": false

// A GPU that is there is used without being asked for.
// RUN: %{gpu} FAKE_CUDA_SLOW=f_candidate_1_0 %{select} profile=auto top-k=2" 2>&1 | %{check}=FASTEST

// One that can't be timed is not chosen either, and where none can be that is an error.
// RUN: %{gpu} FAKE_CUDA_FAIL=cuGraphLaunch %{select} profile=cuda top-k=2" 2>&1 | %{check}=GRAPH
// GRAPH: remark: has no time: CUDA: launching a graph failed: unknown error
// GRAPH: remark: kept 'f_candidate_2' of 3
// RUN: not %{select} profile=cuda" 2>&1 | %{check}=NONE
// NONE: error: no candidate could be measured; of 'f_candidate_1': it computes something else
// RUN: env FAKE_CUDA_BAD_PTX=1 not %{select} profile=cuda" 2>&1 | %{check}=PTX
// PTX: error: no candidate could be measured; of 'f_candidate_1': {{.*}}ptxas: line 7: oops

func.func @f(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {mirage.reference = @f_reference, mirage.verdict = {mugraph = "62627d139b9721a8", verdict = "proved"}} {
  %y = mirage_kernel.graph_defined (%x) grid <x = 1> : (tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%X: tensor<64x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<64x64xf32> -> !mirage.tile<64x64xf32>
    %e = mirage_block.exp %t : (!mirage.tile<64x64xf32>) -> !mirage.tile<64x64xf32>
    mirage_block.output_saver %e omap <x -> 0> : !mirage.tile<64x64xf32> -> tensor<64x64xf32>
  }
  return %y : tensor<64x64xf32>
}
func.func @f_candidate_1(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {mirage.reference = @f_reference, mirage.verdict = {mugraph = "08116add5ae5c3c8", verdict = "proved"}} {
  %y = mirage_kernel.graph_defined (%x) grid <x = 64> : (tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%X: tensor<64x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<64x64xf32> -> !mirage.tile<1x64xf32>
    %e = mirage_block.exp %t : (!mirage.tile<1x64xf32>) -> !mirage.tile<1x64xf32>
    mirage_block.output_saver %e omap <x -> 0> : !mirage.tile<1x64xf32> -> tensor<64x64xf32>
  }
  return %y : tensor<64x64xf32>
}
func.func @f_candidate_2(%x: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {mirage.reference = @f_reference, mirage.verdict = {mugraph = "5934d4faf003f283", verdict = "proved"}} {
  %y = mirage_kernel.graph_defined (%x) grid <x = 8> : (tensor<64x64xf32>) -> tensor<64x64xf32> {
  ^bb0(%X: tensor<64x64xf32>):
    %t = mirage_block.input_iterator %X imap <x -> 0> : tensor<64x64xf32> -> !mirage.tile<8x64xf32>
    %e = mirage_block.exp %t : (!mirage.tile<8x64xf32>) -> !mirage.tile<8x64xf32>
    mirage_block.output_saver %e omap <x -> 0> : !mirage.tile<8x64xf32> -> tensor<64x64xf32>
  }
  return %y : tensor<64x64xf32>
}
func.func private @f_reference(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %y = mirage_kernel.exp %x : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
