// The benchmark programs, unchanged: nothing of linalg, tensor or arith is left.

// RUN: %python %programs/linalg_programs.py rmsnorm 8 | mirage-opt --convert-linalg-to-mirage | FileCheck %s --check-prefix=RMSNORM
// RUN: %python %programs/linalg_programs.py gated_mlp 8 | mirage-opt --convert-linalg-to-mirage | FileCheck %s --check-prefix=MLP
// RUN: %python %programs/linalg_programs.py lora 8 | mirage-opt --convert-linalg-to-mirage | FileCheck %s --check-prefix=LORA
// RUN: %python %programs/linalg_programs.py gqa 8 | mirage-opt --convert-linalg-to-mirage | FileCheck %s --check-prefix=GQA
// RUN: %python %programs/linalg_programs.py gqa_8k 8 | mirage-opt --convert-linalg-to-mirage | FileCheck %s --check-prefix=GQA8K
// RUN: %python %programs/linalg_programs.py ntrans 8 | mirage-opt --convert-linalg-to-mirage | FileCheck %s --check-prefix=NTRANS

// RUN: %python %programs/linalg_programs.py rmsnorm 1 | mirage-opt --convert-linalg-to-mirage -verify-diagnostics | FileCheck %s --check-prefix=ALL
// RUN: %python %programs/linalg_programs.py rmsnorm 16 | mirage-opt --convert-linalg-to-mirage -verify-diagnostics | FileCheck %s --check-prefix=ALL
// RUN: %python %programs/linalg_programs.py gated_mlp 1 | mirage-opt --convert-linalg-to-mirage -verify-diagnostics | FileCheck %s --check-prefix=ALL
// RUN: %python %programs/linalg_programs.py gated_mlp 16 | mirage-opt --convert-linalg-to-mirage -verify-diagnostics | FileCheck %s --check-prefix=ALL
// RUN: %python %programs/linalg_programs.py lora 1 | mirage-opt --convert-linalg-to-mirage -verify-diagnostics | FileCheck %s --check-prefix=ALL
// RUN: %python %programs/linalg_programs.py lora 16 | mirage-opt --convert-linalg-to-mirage -verify-diagnostics | FileCheck %s --check-prefix=ALL
// RUN: %python %programs/linalg_programs.py qknorm 8 | mirage-opt --convert-linalg-to-mirage -verify-diagnostics | FileCheck %s --check-prefix=ALL

// ALL-NOT: {{linalg|tensor|arith|math}}.{{[a-z]}}
// ALL:     mirage_kernel.matmul
// ALL-NOT: {{linalg|tensor|arith|math}}.{{[a-z]}}

// RMSNORM-LABEL: func.func @rmsnorm(
// RMSNORM-SAME:    %[[X:.*]]: tensor<16x4096xf16>, %[[G:.*]]: tensor<4096xf16>, %[[W:.*]]: tensor<4096x6144xf16>)
// RMSNORM-NEXT:    %[[SQR:.*]] = mirage_kernel.sqr %[[X]] : (tensor<16x4096xf16>) -> tensor<16x4096xf32>
// RMSNORM-NEXT:    %[[SUM:.*]] = mirage_kernel.sum %[[SQR]] dim 1 : (tensor<16x4096xf32>) -> tensor<16x1xf32>
// RMSNORM-NEXT:    %[[N:.*]] = mirage.constant 4.096000e+03 : tensor<f32>
// RMSNORM-NEXT:    %[[MEAN:.*]] = mirage_kernel.div %[[SUM]], %[[N]]
// The f32 nearest to 1e-5, as an f64.
// RMSNORM-NEXT:    %[[EPS:.*]] = mirage.constant 9.9999997473787516E-6 : tensor<f32>
// RMSNORM-NEXT:    %[[SHIFTED:.*]] = mirage_kernel.add %[[MEAN]], %[[EPS]]
// RMSNORM-NEXT:    %[[RMS:.*]] = mirage_kernel.sqrt %[[SHIFTED]] : (tensor<16x1xf32>) -> tensor<16x1xf32>
// RMSNORM-NEXT:    %[[NORM:.*]] = mirage_kernel.div %[[X]], %[[RMS]] : (tensor<16x4096xf16>, tensor<16x1xf32>) -> tensor<16x4096xf16>
// RMSNORM-NEXT:    %[[SCALED:.*]] = mirage_kernel.mul %[[NORM]], %[[G]] : (tensor<16x4096xf16>, tensor<4096xf16>) -> tensor<16x4096xf16>
// RMSNORM-NEXT:    %[[Z:.*]] = mirage_kernel.matmul %[[SCALED]], %[[W]] : (tensor<16x4096xf16>, tensor<4096x6144xf16>) -> tensor<16x6144xf16>
// RMSNORM-NEXT:    return %[[Z]]

// MLP-LABEL: func.func @gated_mlp(
// MLP-SAME:    %[[X:.*]]: tensor<64x4096xf16>, %[[W1:.*]]: tensor<4096x4096xf16>, %[[W2:.*]]: tensor<4096x4096xf16>)
// MLP-NEXT:    %[[GATE:.*]] = mirage_kernel.matmul %[[X]], %[[W1]]
// MLP-NEXT:    %[[SILU:.*]] = mirage_kernel.silu %[[GATE]] : (tensor<64x4096xf16>) -> tensor<64x4096xf16>
// MLP-NEXT:    %[[UP:.*]] = mirage_kernel.matmul %[[X]], %[[W2]]
// MLP-NEXT:    %[[Z:.*]] = mirage_kernel.mul %[[SILU]], %[[UP]]
// MLP-NEXT:    return %[[Z]]

// LORA-LABEL: func.func @lora(
// LORA-SAME:    %[[X:.*]]: tensor<128x256xf16>, %[[W:.*]]: tensor<256x4096xf16>, %[[A:.*]]: tensor<256x16xf16>, %[[C:.*]]: tensor<16x4096xf16>)
// LORA-NEXT:    %[[XW:.*]] = mirage_kernel.matmul %[[X]], %[[W]]
// LORA-NEXT:    %[[XA:.*]] = mirage_kernel.matmul %[[X]], %[[A]]
// LORA-NEXT:    %[[XAC:.*]] = mirage_kernel.matmul %[[XA]], %[[C]]
// LORA-NEXT:    %[[Z:.*]] = mirage_kernel.add %[[XW]], %[[XAC]]
// LORA-NEXT:    return %[[Z]]

// GQA-LABEL: func.func @gqa(
// GQA-NEXT:    %[[S:.*]] = mirage_kernel.matmul
// GQA-NEXT:    %[[E:.*]] = mirage_kernel.exp %[[S]]
// GQA-NEXT:    %[[EV:.*]] = mirage_kernel.matmul %[[E]],
// GQA-NEXT:    %[[SUM:.*]] = mirage_kernel.sum %[[E]] dim 2
// GQA-NEXT:    %[[Z:.*]] = mirage_kernel.div %[[EV]], %[[SUM]] : (tensor<16x256x64xf16>, tensor<16x256x1xf32>) -> tensor<16x256x64xf16>
// GQA-NEXT:    return %[[Z]]

// GQA8K-LABEL: func.func @gqa_8k(
// GQA8K-NEXT:    %[[S:.*]] = mirage_kernel.matmul
// GQA8K-NEXT:    %[[SCALE:.*]] = mirage.constant 0.088388353586196899
// GQA8K-NEXT:    %[[SCALED:.*]] = mirage_kernel.mul %[[S]], %[[SCALE]]
// GQA8K-NEXT:    mirage_kernel.exp %[[SCALED]]

// NTRANS-LABEL: func.func @ntrans(
// NTRANS-NOT:     {{linalg|tensor|arith|math}}.{{[a-z]}}
// NTRANS-COUNT-2: mirage_kernel.sqrt
// NTRANS-NOT:     {{linalg|tensor|arith|math}}.{{[a-z]}}
