// RUN: mirage-opt --split-input-file --verify-diagnostics --mirage-select=profile=model %s
// RUN: not mirage-opt %s --split-input-file --mirage-select="profile=cuda cuda-driver=/nonexistent/libcuda.so" 2>&1 | FileCheck %s --check-prefix=CUDA
// RUN: not mirage-opt %s --split-input-file --mirage-select=target=sm_1 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not mirage-opt %s --split-input-file --mirage-select=rtol=-1 2>&1 | FileCheck %s --check-prefix=RTOL
// RUN: not mirage-opt %s --split-input-file --mirage-select=threads=0 2>&1 | FileCheck %s --check-prefix=THREADS
// RUN: not mirage-opt %s --split-input-file --mirage-select=database=%s 2>&1 | FileCheck %s --check-prefix=DATABASE

// CUDA: error: option 'profile=cuda': {{.*}}/nonexistent/libcuda.so
// TARGET: error: unknown target 'sm_1', expected one of sm_80, sm_90a
// RTOL: error: option 'rtol' must be 0 or more, found -1
// THREADS: error: option 'threads' must be at least 1
// DATABASE: error: {{.*}}select-invalid.mlir

// expected-error @below {{'mirage.reference' names 'nobody', which is no function with a body}}
func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {mirage.reference = @nobody} {
  return %x : tensor<4x4xf32>
}
func.func @f_candidate_1(%x: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {mirage.reference = @nobody} {
  return %x : tensor<4x4xf32>
}

// -----

func.func @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {mirage.reference = @g} {
  return %x : tensor<4x4xf32>
}
// expected-error @below {{has another type than its reference 'g'}}
func.func @f_candidate_1(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.reference = @g} {
  return %x : tensor<4xf32>
}
func.func private @g(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  return %x : tensor<4x4xf32>
}
