// RUN: mirage-opt --mirage-pipeline=compile-to=ptx %s 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not=searched < %t.err
// RUN: mirage-opt --mirage-pipeline=compile-to=search %s 2>/dev/null | FileCheck %s --check-prefix=SEARCH
// RUN: not mirage-opt --mirage-pipeline="compile-to=ptx outline=false" %s 2>&1 | FileCheck %s --check-prefix=WHOLE

// What Mirage has no operator for stays, between calls to programs: a causal mask, which is one operand of attention.

// REMARK: remark: not imported: 'arith.cmpi' has no Mirage operator yet
// WHOLE: error: 'linalg.generic' op can't be lowered: it is not an op of a kernel graph

// SEARCH-LABEL: func.func @causal(
// SEARCH: %[[MASK:.*]] = linalg.generic
// SEARCH: %[[R:.*]] = call @causal_part_0(%{{.*}}, %{{.*}}, %[[MASK]], %{{.*}})
// SEARCH-NEXT: return %[[R]]
// SEARCH: func.func private @causal_part_0(
// SEARCH-SAME: mirage.reference = @causal_part_0_reference
// SEARCH-SAME: verdict = "proved"
// SEARCH-NEXT: %[[K:.*]] = mirage_kernel.graph_defined
// SEARCH: return %[[K]]

// CHECK: gpu.binary @mirage_kernels
// CHECK-LABEL: func.func @causal(
// CHECK-COUNT-4: bufferization.to_buffer
// CHECK: call @causal_part_0(
// CHECK: bufferization.to_tensor
// CHECK-LABEL: func.func private @causal_part_0(
// CHECK: gpu.launch_func

#m2 = affine_map<(i,j)->(i,j)>
func.func @causal(%q: tensor<256x64xf16>, %k: tensor<64x256xf16>, %v: tensor<256x64xf16>) -> tensor<256x64xf16> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %f = linalg.fill ins(%z: f32) outs(%e: tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%q, %k: tensor<256x64xf16>, tensor<64x256xf16>) outs(%f: tensor<256x256xf32>) -> tensor<256x256xf32>
  %mask = linalg.generic {indexing_maps=[#m2], iterator_types=["parallel","parallel"]} outs(%e: tensor<256x256xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi sle, %j, %i : index
    %zero = arith.constant 0.0 : f32
    %inf = arith.constant 0xFF800000 : f32
    %r = arith.select %c, %zero, %inf : f32
    linalg.yield %r : f32
  } -> tensor<256x256xf32>
  %t = linalg.add ins(%s, %mask: tensor<256x256xf32>, tensor<256x256xf32>) outs(%e: tensor<256x256xf32>) -> tensor<256x256xf32>
  %p = linalg.softmax dimension(1) ins(%t: tensor<256x256xf32>) outs(%e: tensor<256x256xf32>) -> tensor<256x256xf32>
  %e2 = tensor.empty() : tensor<256x256xf16>
  %ph = linalg.generic {indexing_maps=[#m2,#m2], iterator_types=["parallel","parallel"]} ins(%p: tensor<256x256xf32>) outs(%e2: tensor<256x256xf16>) {
  ^bb0(%a: f32, %o: f16):
    %r = arith.truncf %a : f32 to f16
    linalg.yield %r : f16
  } -> tensor<256x256xf16>
  %e3 = tensor.empty() : tensor<256x64xf16>
  %z16 = arith.constant 0.0 : f16
  %f3 = linalg.fill ins(%z16: f16) outs(%e3: tensor<256x64xf16>) -> tensor<256x64xf16>
  %y = linalg.matmul ins(%ph, %v: tensor<256x256xf16>, tensor<256x64xf16>) outs(%f3: tensor<256x64xf16>) -> tensor<256x64xf16>
  return %y : tensor<256x64xf16>
}
