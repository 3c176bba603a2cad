// An MLP of eight layers takes more kernels than max-kernel-ops. All graphs of so many are searched, in vain: so it is cut, and each
// layer is one kernel. Who asks for one kernel has that or nothing.

// RUN: mirage-opt %s --mirage-superoptimize="report=%t.json" | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: mirage-opt %s --mirage-superoptimize=max-kernel-ops=1 -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE

// CHECK-LABEL: func.func @mlp(
// CHECK-SAME: verdict = "proved"
// CHECK-COUNT-8: mirage_kernel.graph_defined(
// CHECK-NOT: mirage_kernel.
// CHECK: return
// REPORT: "cut_steps": {{[1-9]}}
// REPORT: "exhausted": true
// REPORT: "parts": 3
// ONE: remark: found no μGraph that is cheaper than the program; it stays as it is{{$}}
func.func @mlp(%x: tensor<16x4096xf16>, %w0: tensor<4096x4096xf16>, %w1: tensor<4096x4096xf16>, %w2: tensor<4096x4096xf16>, %w3: tensor<4096x4096xf16>, %w4: tensor<4096x4096xf16>, %w5: tensor<4096x4096xf16>, %w6: tensor<4096x4096xf16>, %w7: tensor<4096x4096xf16>) -> tensor<16x4096xf16> {
  %m0 = mirage_kernel.matmul %x, %w0 : (tensor<16x4096xf16>, tensor<4096x4096xf16>) -> tensor<16x4096xf16>
  %r0 = mirage_kernel.relu %m0 : (tensor<16x4096xf16>) -> tensor<16x4096xf16>
  %m1 = mirage_kernel.matmul %r0, %w1 : (tensor<16x4096xf16>, tensor<4096x4096xf16>) -> tensor<16x4096xf16>
  %r1 = mirage_kernel.relu %m1 : (tensor<16x4096xf16>) -> tensor<16x4096xf16>
  %m2 = mirage_kernel.matmul %r1, %w2 : (tensor<16x4096xf16>, tensor<4096x4096xf16>) -> tensor<16x4096xf16>
  %r2 = mirage_kernel.relu %m2 : (tensor<16x4096xf16>) -> tensor<16x4096xf16>
  %m3 = mirage_kernel.matmul %r2, %w3 : (tensor<16x4096xf16>, tensor<4096x4096xf16>) -> tensor<16x4096xf16>
  %r3 = mirage_kernel.relu %m3 : (tensor<16x4096xf16>) -> tensor<16x4096xf16>
  %m4 = mirage_kernel.matmul %r3, %w4 : (tensor<16x4096xf16>, tensor<4096x4096xf16>) -> tensor<16x4096xf16>
  %r4 = mirage_kernel.relu %m4 : (tensor<16x4096xf16>) -> tensor<16x4096xf16>
  %m5 = mirage_kernel.matmul %r4, %w5 : (tensor<16x4096xf16>, tensor<4096x4096xf16>) -> tensor<16x4096xf16>
  %r5 = mirage_kernel.relu %m5 : (tensor<16x4096xf16>) -> tensor<16x4096xf16>
  %m6 = mirage_kernel.matmul %r5, %w6 : (tensor<16x4096xf16>, tensor<4096x4096xf16>) -> tensor<16x4096xf16>
  %r6 = mirage_kernel.relu %m6 : (tensor<16x4096xf16>) -> tensor<16x4096xf16>
  %m7 = mirage_kernel.matmul %r6, %w7 : (tensor<16x4096xf16>, tensor<4096x4096xf16>) -> tensor<16x4096xf16>
  %r7 = mirage_kernel.relu %m7 : (tensor<16x4096xf16>) -> tensor<16x4096xf16>
  return %r7 : tensor<16x4096xf16>
}
