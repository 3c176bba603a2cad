//===- run.c - Runs a compiled program ----------------------------*- C -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// run PROGRAM: gives it inputs of f32 that are all 0.5 and prints the first
// element of each output.
//
//===----------------------------------------------------------------------===//

#include "mirage-c/Runtime.h"
#include <stdio.h>
#include <stdlib.h>

#define MAX_TENSORS 16

static void check(MirageRuntimeStatus status) {
  if (status == MIRAGE_RUNTIME_SUCCESS)
    return;
  fprintf(stderr, "%s: %s\n", mirageRuntimeGetStatusName(status),
          mirageRuntimeGetLastError());
  exit(1);
}

/// Memory for a tensor, filled with `value`.
static float *makeTensor(const MirageRuntimeTensor *tensor, float value) {
  if (tensor->elementType != MIRAGE_RUNTIME_F32) {
    fprintf(stderr, "%s is not of f32\n", tensor->name);
    exit(1);
  }
  float *data = malloc(tensor->bytes);
  for (size_t i = 0; data && i < tensor->bytes / sizeof(float); ++i)
    data[i] = value;
  return data;
}

int main(int argc, char **argv) {
  MirageRuntimeDevice *device = NULL;
  MirageRuntimeProgram *program = NULL;
  MirageRuntimeProgramInfo info;
  MirageRuntimeTensor tensor;
  float *inputs[MAX_TENSORS], *outputs[MAX_TENSORS];
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
    inputs[i] = makeTensor(&tensor, 0.5f);
  }
  for (size_t i = 0; i < info.numOutputs; ++i) {
    check(mirageRuntimeGetOutput(program, i, &tensor));
    outputs[i] = makeTensor(&tensor, 0);
  }
  check(mirageRuntimeRun(program, (const void *const *)inputs,
                         (void *const *)outputs));

  for (size_t i = 0; i < info.numOutputs; ++i) {
    check(mirageRuntimeGetOutput(program, i, &tensor));
    printf("%s of %s: %g\n", tensor.name, info.name, *outputs[i]);
    free(outputs[i]);
  }
  for (size_t i = 0; i < info.numInputs; ++i)
    free(inputs[i]);
  mirageRuntimeDestroyProgram(program);
  mirageRuntimeCloseDevice(device);
  return 0;
}
