//===- Programs.cpp - Programs to search ----------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

using namespace mirage;
using namespace mirage::bench;

static constexpr const char *kRMSNorm = R"(
func.func @f(%x: tensor<30x42xf16>, %g: tensor<42xf16>, %w: tensor<42x66xf16>) -> tensor<30x66xf16> {
  %n = mirage.constant 4096.0 : tensor<f32>
  %eps = mirage.constant 1.0e-05 : tensor<f32>
  %0 = mirage_kernel.sqr %x : (tensor<30x42xf16>) -> tensor<30x42xf32>
  %1 = mirage_kernel.sum %0 dim 1 : (tensor<30x42xf32>) -> tensor<30x1xf32>
  %2 = mirage_kernel.div %1, %n : (tensor<30x1xf32>, tensor<f32>) -> tensor<30x1xf32>
  %3 = mirage_kernel.add %2, %eps : (tensor<30x1xf32>, tensor<f32>) -> tensor<30x1xf32>
  %4 = mirage_kernel.sqrt %3 : (tensor<30x1xf32>) -> tensor<30x1xf32>
  %5 = mirage_kernel.div %x, %4 : (tensor<30x42xf16>, tensor<30x1xf32>) -> tensor<30x42xf16>
  %6 = mirage_kernel.mul %5, %g : (tensor<30x42xf16>, tensor<42xf16>) -> tensor<30x42xf16>
  %7 = mirage_kernel.matmul %6, %w : (tensor<30x42xf16>, tensor<42x66xf16>) -> tensor<30x66xf16>
  return %7 : tensor<30x66xf16>
})";

static constexpr const char *kGatedMLP = R"(
func.func @f(%x: tensor<30x42xf16>, %v: tensor<42x66xf16>, %w: tensor<42x66xf16>) -> tensor<30x66xf16> {
  %0 = mirage_kernel.matmul %x, %v : (tensor<30x42xf16>, tensor<42x66xf16>) -> tensor<30x66xf16>
  %1 = mirage_kernel.silu %0 : (tensor<30x66xf16>) -> tensor<30x66xf16>
  %2 = mirage_kernel.matmul %x, %w : (tensor<30x42xf16>, tensor<42x66xf16>) -> tensor<30x66xf16>
  %3 = mirage_kernel.mul %1, %2 : (tensor<30x66xf16>, tensor<30x66xf16>) -> tensor<30x66xf16>
  return %3 : tensor<30x66xf16>
})";

static constexpr const char *kLoRA = R"(
func.func @f(%x: tensor<30x42xf16>, %w: tensor<42x66xf16>, %a: tensor<42x78xf16>, %c: tensor<78x66xf16>) -> tensor<30x66xf16> {
  %0 = mirage_kernel.matmul %x, %w : (tensor<30x42xf16>, tensor<42x66xf16>) -> tensor<30x66xf16>
  %1 = mirage_kernel.matmul %x, %a : (tensor<30x42xf16>, tensor<42x78xf16>) -> tensor<30x78xf16>
  %2 = mirage_kernel.matmul %1, %c : (tensor<30x78xf16>, tensor<78x66xf16>) -> tensor<30x66xf16>
  %3 = mirage_kernel.add %0, %2 : (tensor<30x66xf16>, tensor<30x66xf16>) -> tensor<30x66xf16>
  return %3 : tensor<30x66xf16>
})";

static constexpr const char *kNTrans = R"(
func.func @f(%x: tensor<30x42xf16>, %h: tensor<30x42xf16>, %alpha: tensor<42xf16>) -> tensor<30x42xf16> {
  %n = mirage.constant 4096.0 : tensor<f32>
  %eps = mirage.constant 1.0e-05 : tensor<f32>
  %0 = mirage_kernel.sqr %h : (tensor<30x42xf16>) -> tensor<30x42xf32>
  %1 = mirage_kernel.sum %0 dim 1 : (tensor<30x42xf32>) -> tensor<30x1xf32>
  %2 = mirage_kernel.div %1, %n : (tensor<30x1xf32>, tensor<f32>) -> tensor<30x1xf32>
  %3 = mirage_kernel.add %2, %eps : (tensor<30x1xf32>, tensor<f32>) -> tensor<30x1xf32>
  %4 = mirage_kernel.sqrt %3 : (tensor<30x1xf32>) -> tensor<30x1xf32>
  %5 = mirage_kernel.div %h, %4 : (tensor<30x42xf16>, tensor<30x1xf32>) -> tensor<30x42xf16>
  %6 = mirage_kernel.sub %5, %x : (tensor<30x42xf16>, tensor<30x42xf16>) -> tensor<30x42xf16>
  %7 = mirage_kernel.mul %6, %alpha : (tensor<30x42xf16>, tensor<42xf16>) -> tensor<30x42xf16>
  %8 = mirage_kernel.add %x, %7 : (tensor<30x42xf16>, tensor<30x42xf16>) -> tensor<30x42xf16>
  %9 = mirage_kernel.sqr %8 : (tensor<30x42xf16>) -> tensor<30x42xf32>
  %10 = mirage_kernel.sum %9 dim 1 : (tensor<30x42xf32>) -> tensor<30x1xf32>
  %11 = mirage_kernel.div %10, %n : (tensor<30x1xf32>, tensor<f32>) -> tensor<30x1xf32>
  %12 = mirage_kernel.add %11, %eps : (tensor<30x1xf32>, tensor<f32>) -> tensor<30x1xf32>
  %13 = mirage_kernel.sqrt %12 : (tensor<30x1xf32>) -> tensor<30x1xf32>
  %14 = mirage_kernel.div %8, %13 : (tensor<30x42xf16>, tensor<30x1xf32>) -> tensor<30x42xf16>
  return %14 : tensor<30x42xf16>
})";

static constexpr const char *kQKNorm = R"(
func.func @f(%q: tensor<102x30x42xf16>, %k: tensor<102x66x42xf16>, %v: tensor<102x66x78xf16>) -> tensor<102x30x78xf16> {
  %n = mirage.constant 64.0 : tensor<f32>
  %eps = mirage.constant 1.0e-05 : tensor<f32>
  %0 = mirage_kernel.sqr %q : (tensor<102x30x42xf16>) -> tensor<102x30x42xf32>
  %1 = mirage_kernel.sum %0 dim 2 : (tensor<102x30x42xf32>) -> tensor<102x30x1xf32>
  %2 = mirage_kernel.div %1, %n : (tensor<102x30x1xf32>, tensor<f32>) -> tensor<102x30x1xf32>
  %3 = mirage_kernel.add %2, %eps : (tensor<102x30x1xf32>, tensor<f32>) -> tensor<102x30x1xf32>
  %4 = mirage_kernel.sqrt %3 : (tensor<102x30x1xf32>) -> tensor<102x30x1xf32>
  %5 = mirage_kernel.div %q, %4 : (tensor<102x30x42xf16>, tensor<102x30x1xf32>) -> tensor<102x30x42xf16>
  %6 = mirage_kernel.sqr %k : (tensor<102x66x42xf16>) -> tensor<102x66x42xf32>
  %7 = mirage_kernel.sum %6 dim 2 : (tensor<102x66x42xf32>) -> tensor<102x66x1xf32>
  %8 = mirage_kernel.div %7, %n : (tensor<102x66x1xf32>, tensor<f32>) -> tensor<102x66x1xf32>
  %9 = mirage_kernel.add %8, %eps : (tensor<102x66x1xf32>, tensor<f32>) -> tensor<102x66x1xf32>
  %10 = mirage_kernel.sqrt %9 : (tensor<102x66x1xf32>) -> tensor<102x66x1xf32>
  %11 = mirage_kernel.div %k, %10 : (tensor<102x66x42xf16>, tensor<102x66x1xf32>) -> tensor<102x66x42xf16>
  %12 = mirage_kernel.transpose %11 permutation [0, 2, 1] : (tensor<102x66x42xf16>) -> tensor<102x42x66xf16>
  %13 = mirage_kernel.matmul %5, %12 : (tensor<102x30x42xf16>, tensor<102x42x66xf16>) -> tensor<102x30x66xf16>
  %14 = mirage_kernel.exp %13 : (tensor<102x30x66xf16>) -> tensor<102x30x66xf16>
  %15 = mirage_kernel.matmul %14, %v : (tensor<102x30x66xf16>, tensor<102x66x78xf16>) -> tensor<102x30x78xf16>
  %16 = mirage_kernel.sum %14 dim 2 : (tensor<102x30x66xf16>) -> tensor<102x30x1xf32>
  %17 = mirage_kernel.div %15, %16 : (tensor<102x30x78xf16>, tensor<102x30x1xf32>) -> tensor<102x30x78xf16>
  return %17 : tensor<102x30x78xf16>
})";

static constexpr const char *kGQA = R"(
func.func @f(%q: tensor<102x30x42xf16>, %k: tensor<102x42x66xf16>, %v: tensor<102x66x78xf16>) -> tensor<102x30x78xf16> {
  %0 = mirage_kernel.matmul %q, %k : (tensor<102x30x42xf16>, tensor<102x42x66xf16>) -> tensor<102x30x66xf16>
  %1 = mirage_kernel.exp %0 : (tensor<102x30x66xf16>) -> tensor<102x30x66xf16>
  %2 = mirage_kernel.matmul %1, %v : (tensor<102x30x66xf16>, tensor<102x66x78xf16>) -> tensor<102x30x78xf16>
  %3 = mirage_kernel.sum %1 dim 2 : (tensor<102x30x66xf16>) -> tensor<102x30x1xf32>
  %4 = mirage_kernel.div %2, %3 : (tensor<102x30x78xf16>, tensor<102x30x1xf32>) -> tensor<102x30x78xf16>
  return %4 : tensor<102x30x78xf16>
})";

const std::vector<Program> &bench::getPrograms() {
  static const std::vector<Program> programs = {
      {"rmsnorm", kRMSNorm, {{30, 14}, {14}, {14, 33}}, true},
      {"gated_mlp", kGatedMLP, {{30, 14}, {14, 33}, {14, 33}}, true},
      {"lora", kLoRA, {{30, 14}, {14, 33}, {14, 78}, {78, 33}}, true},
      {"ntrans", kNTrans, {{15, 42}, {15, 42}, {42}}, false},
      {"qknorm", kQKNorm, {{51, 30, 42}, {51, 22, 42}, {51, 22, 78}}, true},
      {"gqa", kGQA, {{51, 30, 42}, {51, 42, 22}, {51, 22, 78}}, true},
  };
  return programs;
}
