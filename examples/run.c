//===- run.c - Runs a compiled program ----------------------------*- C -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// run PROGRAM: gives it inputs that are all 0.5 and prints the first element of
// each output. Tensors are of f16, bf16 or f32.
//
//===----------------------------------------------------------------------===//

#include "mirage-c/Runtime.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TENSORS 16

static void check(MirageRuntimeStatus status) {
  if (status == MIRAGE_RUNTIME_SUCCESS)
    return;
  fprintf(stderr, "%s: %s\n", mirageRuntimeGetStatusName(status),
          mirageRuntimeGetLastError());
  exit(1);
}

/// Memory for a tensor, filled with 0.5.
static void *makeTensor(const MirageRuntimeTensor *tensor) {
  const float single = 0.5f;
  const uint16_t half = 0x3800, bfloat = 0x3f00;
  const void *value = &single;
  size_t size = sizeof(single);
  if (tensor->elementType != MIRAGE_RUNTIME_F32) {
    value = tensor->elementType == MIRAGE_RUNTIME_F16 ? &half : &bfloat;
    size = sizeof(half);
  }
  char *data = malloc(tensor->bytes);
  for (size_t i = 0; data && i < tensor->bytes; i += size)
    memcpy(data + i, value, size);
  return data;
}

/// The first element of a tensor.
static float getFirst(const MirageRuntimeTensor *tensor, const void *data) {
  if (tensor->elementType == MIRAGE_RUNTIME_F32)
    return *(const float *)data;
  uint16_t bits = *(const uint16_t *)data;
  float value;
  // bf16 is the upper half of f32. f16 has its exponent five bits wide, and a
  // bias that is 112 less.
  uint32_t word = (uint32_t)bits << 16;
  int isHalf = tensor->elementType == MIRAGE_RUNTIME_F16;
  if (isHalf)
    word = (bits & 0x8000u) << 16 | (bits & 0x7fffu) << 13;
  if (isHalf && (bits & 0x7c00) == 0x7c00) // infinite, or not a number
    word |= 0x7f800000;
  memcpy(&value, &word, sizeof(value));
  return isHalf ? value * 0x1p112f : value;
}

int main(int argc, char **argv) {
  MirageRuntimeDevice *device = NULL;
  MirageRuntimeProgram *program = NULL;
  MirageRuntimeProgramInfo info;
  MirageRuntimeTensor tensor;
  void *inputs[MAX_TENSORS], *outputs[MAX_TENSORS];
  if (argc != 2) {
    fprintf(stderr, "usage: %s PROGRAM\n", argv[0]);
    return 2;
  }

  check(mirageRuntimeOpenDevice(0, &device));
  check(mirageRuntimeLoadProgramFile(device, argv[1], &program));
  check(mirageRuntimeGetProgramInfo(program, &info));
  if (info.numInputs > MAX_TENSORS || info.numOutputs > MAX_TENSORS)
    return 1;
  for (size_t i = 0; i < info.numInputs; ++i) {
    check(mirageRuntimeGetInput(program, i, &tensor));
    inputs[i] = makeTensor(&tensor);
  }
  for (size_t i = 0; i < info.numOutputs; ++i) {
    check(mirageRuntimeGetOutput(program, i, &tensor));
    outputs[i] = makeTensor(&tensor);
  }
  check(mirageRuntimeRun(program, (const void *const *)inputs,
                         (void *const *)outputs));

  for (size_t i = 0; i < info.numOutputs; ++i) {
    check(mirageRuntimeGetOutput(program, i, &tensor));
    printf("%s of %s: %g\n", tensor.name, info.name,
           getFirst(&tensor, outputs[i]));
    free(outputs[i]);
  }
  for (size_t i = 0; i < info.numInputs; ++i)
    free(inputs[i]);
  mirageRuntimeDestroyProgram(program);
  mirageRuntimeCloseDevice(device);
  return 0;
}
