// A value that is returned twice, and once more as a transpose that does nothing, under a name that PTX could not spell.

// RUN: mirage-run %s --check --ptx=%t.ptx | FileCheck %s
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx

// CHECK: output 0: 16x16xf16, {{.*}} (ok;
// CHECK: output 1: 16x16xf16, {{.*}} (ok;
// CHECK: output 2: 16x16xf16, {{.*}} (ok;
// PTX: .entry a_strange_name___0

func.func @"a strange.name\\/"(%x: tensor<16x16xf16>) -> (tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf16>) {
  %init = tensor.empty() : tensor<16x16xf16>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16x16xf16>) outs(%init : tensor<16x16xf16>) {
    ^bb0(%a: f16, %out: f16):
      %b = arith.addf %a, %a : f16
      linalg.yield %b : f16
    } -> tensor<16x16xf16>
  %t = linalg.transpose ins(%y : tensor<16x16xf16>) outs(%init : tensor<16x16xf16>) permutation = [0, 1]
  return %y, %y, %t : tensor<16x16xf16>, tensor<16x16xf16>, tensor<16x16xf16>
}
