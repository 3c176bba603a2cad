// A product reads exponentials transposed, which threads compute of rows as they were loaded: no bank conflicts. Without the pass they read
// columns.

// RUN: mirage-run %s --target=sm_80 --check --checks --counters=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=ROWS < %t.json
// RUN: mirage-run %s --target=sm_90a --check --checks --counters=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=ROWS < %t.json
// RUN: mirage-run %s --target=sm_90a --check --without=sink-transposes --counters=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=COLUMNS < %t.json
// RUN: mirage-opt %s --mirage-pipeline="target=sm_90a compile-to=thread" | FileCheck %s --check-prefix=SUNK
// RUN: mirage-opt %s --mirage-pipeline="target=sm_90a compile-to=thread sink-transposes=false" | FileCheck %s --check-prefix=LOADED

// CHECK: output 0: {{.*}} (ok; limit
// ROWS: "bank_conflicts": 0,
// COLUMNS: "bank_conflicts": {{[1-9]}}
// SUNK: mirage_thread.exp
// SUNK: mirage_block.transpose
// SUNK: mirage_block.matmul
// LOADED: mirage_block.transpose
// LOADED: mirage_thread.exp
// LOADED: mirage_block.matmul
func.func @la(%a0: tensor<2x256x64xf16>, %a1: tensor<2x256x64xf16>, %a2: tensor<2x256x64xf16>) -> (tensor<2x256x64xf16>) {
  %v1 = tensor.empty() : tensor<2x256x64xf16>
  %v2 = linalg.generic {indexing_maps = [affine_map<(h, q, d) -> (h, q, d)>, affine_map<(h, q, d) -> (h, q, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a1 : tensor<2x256x64xf16>) outs(%v1 : tensor<2x256x64xf16>) {
  ^bb0(%i0: f16, %o: f16):
    %x0 = arith.extf %i0 : f16 to f32
    %f = math.exp %x0 : f32
    %r = arith.truncf %f : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x256x64xf16>
  %v3 = tensor.empty() : tensor<2x256x64xf16>
  %v4 = linalg.generic {indexing_maps = [affine_map<(h, q, d) -> (h, q, d)>, affine_map<(h, q, d) -> (h, q, d)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a0 : tensor<2x256x64xf16>) outs(%v3 : tensor<2x256x64xf16>) {
  ^bb0(%i0: f16, %o: f16):
    %x0 = arith.extf %i0 : f16 to f32
    %f = math.exp %x0 : f32
    %r = arith.truncf %f : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x256x64xf16>
  %v5 = arith.constant 0.0 : f32
  %v6 = tensor.empty() : tensor<2x64x64xf32>
  %v7 = linalg.fill ins(%v5 : f32) outs(%v6 : tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %v8 = linalg.generic {indexing_maps = [affine_map<(h, d, e, q) -> (h, q, d)>, affine_map<(h, d, e, q) -> (h, q, e)>, affine_map<(h, d, e, q) -> (h, d, e)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v2, %a2 : tensor<2x256x64xf16>, tensor<2x256x64xf16>) outs(%v7 : tensor<2x64x64xf32>) {
  ^bb0(%i0: f16, %i1: f16, %o: f32):
    %x0 = arith.extf %i0 : f16 to f32
    %x1 = arith.extf %i1 : f16 to f32
    %m = arith.mulf %x0, %x1 : f32
    %f = arith.addf %o, %m : f32
    linalg.yield %f : f32
  } -> tensor<2x64x64xf32>
  %v9 = tensor.empty() : tensor<2x64x64xf16>
  %v10 = linalg.generic {indexing_maps = [affine_map<(h, d, e) -> (h, d, e)>, affine_map<(h, d, e) -> (h, d, e)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v8 : tensor<2x64x64xf32>) outs(%v9 : tensor<2x64x64xf16>) {
  ^bb0(%i0: f32, %o: f16):
    %r = arith.truncf %i0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x64x64xf16>
  %v11 = arith.constant 0.0 : f32
  %v12 = tensor.empty() : tensor<2x256x64xf32>
  %v13 = linalg.fill ins(%v11 : f32) outs(%v12 : tensor<2x256x64xf32>) -> tensor<2x256x64xf32>
  %v14 = linalg.generic {indexing_maps = [affine_map<(h, q, e, d) -> (h, q, d)>, affine_map<(h, q, e, d) -> (h, d, e)>, affine_map<(h, q, e, d) -> (h, q, e)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v4, %v10 : tensor<2x256x64xf16>, tensor<2x64x64xf16>) outs(%v13 : tensor<2x256x64xf32>) {
  ^bb0(%i0: f16, %i1: f16, %o: f32):
    %x0 = arith.extf %i0 : f16 to f32
    %x1 = arith.extf %i1 : f16 to f32
    %m = arith.mulf %x0, %x1 : f32
    %f = arith.addf %o, %m : f32
    linalg.yield %f : f32
  } -> tensor<2x256x64xf32>
  %v15 = tensor.empty() : tensor<2x256x64xf16>
  %v16 = linalg.generic {indexing_maps = [affine_map<(h, q, e) -> (h, q, e)>, affine_map<(h, q, e) -> (h, q, e)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v14 : tensor<2x256x64xf32>) outs(%v15 : tensor<2x256x64xf16>) {
  ^bb0(%i0: f32, %o: f16):
    %r = arith.truncf %i0 : f32 to f16
    linalg.yield %r : f16
  } -> tensor<2x256x64xf16>
  return %v16 : tensor<2x256x64xf16>
}
