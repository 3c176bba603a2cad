// Rotated keys of one head, whole in a block: as one function they take the memory of what they are, but as its operators, whose shapes
// differ, that of what these hand on. A μGraph that doesn't fit is none that the search returns.

// RUN: mirage-opt %s --mirage-superoptimize="target=sm_80 max-kernel-ops=1 threads=2" | FileCheck %s

// CHECK: func.func @rotary({{.*}}verdict = "proved"
// CHECK: mirage_kernel.graph_defined(
func.func @rotary(%arg0: tensor<1x16x24xf16>, %arg1: tensor<1x577x24xf16>, %arg2: tensor<1x577x24xf16>, %arg3: tensor<16x24xf16>, %arg4: tensor<16x24xf16>, %arg5: tensor<577x24xf16>, %arg6: tensor<577x24xf16>) -> tensor<1x16x24xf16> {
  %0 = mirage_kernel.slice %arg0 dim 2 offset 12 size 12 : (tensor<1x16x24xf16>) -> tensor<1x16x12xf16>
  %1 = mirage_kernel.slice %arg0 dim 2 offset 0 size 12 : (tensor<1x16x24xf16>) -> tensor<1x16x12xf16>
  %2 = mirage_kernel.slice %arg4 dim 1 offset 0 size 12 : (tensor<16x24xf16>) -> tensor<16x12xf16>
  %3 = mirage_kernel.slice %arg4 dim 1 offset 12 size 12 : (tensor<16x24xf16>) -> tensor<16x12xf16>
  %4 = mirage_kernel.mul %1, %3 : (tensor<1x16x12xf16>, tensor<16x12xf16>) -> tensor<1x16x12xf16>
  %5 = mirage_kernel.slice %arg3 dim 1 offset 0 size 12 : (tensor<16x24xf16>) -> tensor<16x12xf16>
  %6 = mirage_kernel.mul %1, %5 : (tensor<1x16x12xf16>, tensor<16x12xf16>) -> tensor<1x16x12xf16>
  %7 = mirage_kernel.mul %0, %2 : (tensor<1x16x12xf16>, tensor<16x12xf16>) -> tensor<1x16x12xf16>
  %8 = mirage_kernel.sub %6, %7 : (tensor<1x16x12xf16>, tensor<1x16x12xf16>) -> tensor<1x16x12xf16>
  %9 = mirage_kernel.slice %arg3 dim 1 offset 12 size 12 : (tensor<16x24xf16>) -> tensor<16x12xf16>
  %10 = mirage_kernel.mul %0, %9 : (tensor<1x16x12xf16>, tensor<16x12xf16>) -> tensor<1x16x12xf16>
  %11 = mirage_kernel.add %10, %4 : (tensor<1x16x12xf16>, tensor<1x16x12xf16>) -> tensor<1x16x12xf16>
  %12 = mirage_kernel.reshape %arg1 : (tensor<1x577x24xf16>) -> tensor<577x24xf16>
  %13 = mirage_kernel.slice %12 dim 1 offset 12 size 12 : (tensor<577x24xf16>) -> tensor<577x12xf16>
  %14 = mirage_kernel.slice %12 dim 1 offset 0 size 12 : (tensor<577x24xf16>) -> tensor<577x12xf16>
  %15 = mirage_kernel.slice %arg6 dim 1 offset 0 size 12 : (tensor<577x24xf16>) -> tensor<577x12xf16>
  %16 = mirage_kernel.slice %arg6 dim 1 offset 12 size 12 : (tensor<577x24xf16>) -> tensor<577x12xf16>
  %17 = mirage_kernel.mul %14, %16 : (tensor<577x12xf16>, tensor<577x12xf16>) -> tensor<577x12xf16>
  %18 = mirage_kernel.slice %arg5 dim 1 offset 0 size 12 : (tensor<577x24xf16>) -> tensor<577x12xf16>
  %19 = mirage_kernel.mul %14, %18 : (tensor<577x12xf16>, tensor<577x12xf16>) -> tensor<577x12xf16>
  %20 = mirage_kernel.mul %13, %15 : (tensor<577x12xf16>, tensor<577x12xf16>) -> tensor<577x12xf16>
  %21 = mirage_kernel.sub %19, %20 : (tensor<577x12xf16>, tensor<577x12xf16>) -> tensor<577x12xf16>
  %22 = mirage_kernel.slice %arg5 dim 1 offset 12 size 12 : (tensor<577x24xf16>) -> tensor<577x12xf16>
  %23 = mirage_kernel.mul %13, %22 : (tensor<577x12xf16>, tensor<577x12xf16>) -> tensor<577x12xf16>
  %24 = mirage_kernel.add %23, %17 : (tensor<577x12xf16>, tensor<577x12xf16>) -> tensor<577x12xf16>
  %25 = mirage_kernel.transpose %21 permutation [1, 0] : (tensor<577x12xf16>) -> tensor<12x577xf16>
  %26 = mirage_kernel.transpose %24 permutation [1, 0] : (tensor<577x12xf16>) -> tensor<12x577xf16>
  %27 = mirage_kernel.reshape %25 : (tensor<12x577xf16>) -> tensor<1x12x577xf16>
  %28 = mirage_kernel.reshape %26 : (tensor<12x577xf16>) -> tensor<1x12x577xf16>
  %29 = mirage_kernel.concat_matmul %8, %11, %27, %28 : (tensor<1x16x12xf16>, tensor<1x16x12xf16>, tensor<1x12x577xf16>, tensor<1x12x577xf16>) -> tensor<1x16x577xf16>
  %30 = mirage.constant 0.2041240930557251 : tensor<f32>
  %31 = mirage_kernel.mul %29, %30 : (tensor<1x16x577xf16>, tensor<f32>) -> tensor<1x16x577xf16>
  %32 = mirage_kernel.reduce_max %31 dim 2 : (tensor<1x16x577xf16>) -> tensor<1x16x1xf32>
  %33 = mirage.constant -6.550400e+04 : tensor<f32>
  %34 = mirage_kernel.max %32, %33 : (tensor<1x16x1xf32>, tensor<f32>) -> tensor<1x16x1xf32>
  %35 = mirage_kernel.sub %31, %34 : (tensor<1x16x577xf16>, tensor<1x16x1xf32>) -> tensor<1x16x577xf32>
  %36 = mirage_kernel.exp %35 : (tensor<1x16x577xf32>) -> tensor<1x16x577xf16>
  %37 = mirage_kernel.sum %36 dim 2 : (tensor<1x16x577xf16>) -> tensor<1x16x1xf32>
  %38 = mirage_kernel.div %36, %37 : (tensor<1x16x577xf16>, tensor<1x16x1xf32>) -> tensor<1x16x577xf16>
  %39 = mirage_kernel.matmul %38, %arg2 : (tensor<1x16x577xf16>, tensor<1x577x24xf16>) -> tensor<1x16x24xf16>
  return %39 : tensor<1x16x24xf16>
}
