//===- FakeCuda.cpp - A CUDA driver without a GPU -------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shared library with the driver's functions that the runtime uses, for tests
// of the calls that it makes. Device memory is host memory. A launch writes
// what it was launched with, and the first input, to its last parameter.
// Environment variables choose the compute capability and make calls fail.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {
int contexts = 0, modules = 0, allocations = 0, maxShared = 48 << 10;
std::string target;

bool isSet(const char *name) { return std::getenv(name) != nullptr; }
} // namespace

extern "C" {
int cuInit(unsigned) { return isSet("FAKE_CUDA_NO_DEVICE") ? 100 : 0; }
int cuGetErrorName(int code, const char **text) {
  *text = code == 100   ? "CUDA_ERROR_NO_DEVICE"
          : code == 218 ? "CUDA_ERROR_INVALID_PTX"
                        : "CUDA_ERROR_ILLEGAL_ADDRESS";
  return 0;
}
int cuGetErrorString(int code, const char **text) {
  *text = code == 100   ? "no CUDA-capable device is detected"
          : code == 218 ? "a PTX JIT compilation failed"
                        : "an illegal memory access was encountered";
  return 0;
}
int cuDeviceGetCount(int *count) { return *count = 1, 0; }
int cuDeviceGet(int *device, int) { return *device = 7, 0; }
int cuDeviceGetAttribute(int *value, int attribute, int device) {
  const char *major = std::getenv("FAKE_CUDA_MAJOR");
  *value = attribute == 75   ? (major ? std::atoi(major) : 9)
           : attribute == 97 ? 227 << 10
                             : 0;
  return device == 7 ? 0 : 101;
}
int cuDevicePrimaryCtxRetain(void **context, int) {
  ++contexts;
  *context = &contexts;
  return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) { return --contexts, 0; }
int cuCtxSetCurrent(void *) { return 0; }
int cuCtxSynchronize() { return isSet("FAKE_CUDA_FAULT") ? 700 : 0; }
int cuModuleLoadDataEx(void **module, const void *image, unsigned count,
                       int *options, void **values) {
  const char *text = static_cast<const char *>(image);
  if (isSet("FAKE_CUDA_BAD_PTX")) {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == 5)
        std::strcpy(static_cast<char *>(values[i]), "ptxas: line 7: oops\n");
    return 218;
  }
  const char *at = std::strstr(text, ".target ");
  target = at ? std::string(at + 8, std::strcspn(at + 8, "\n")) : "";
  ++modules;
  *module = &modules;
  return 0;
}
int cuModuleUnload(void *) { return --modules, 0; }
int cuModuleGetFunction(void **function, void *, const char *) {
  *function = &target;
  return 0;
}
int cuFuncSetAttribute(void *, int attribute, int value) {
  if (attribute == 8)
    maxShared = value;
  return 0;
}
int cuMemAlloc_v2(unsigned long long *pointer, size_t bytes) {
  ++allocations;
  *pointer = reinterpret_cast<uintptr_t>(std::calloc(bytes, 1));
  return 0;
}
int cuMemFree_v2(unsigned long long pointer) {
  --allocations;
  std::free(reinterpret_cast<void *>(static_cast<uintptr_t>(pointer)));
  return 0;
}
int cuMemsetD8_v2(unsigned long long pointer, unsigned char value, size_t n) {
  std::memset(reinterpret_cast<void *>(static_cast<uintptr_t>(pointer)), value,
              n);
  return 0;
}
int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t bytes) {
  std::memcpy(reinterpret_cast<void *>(static_cast<uintptr_t>(to)), from,
              bytes);
  return 0;
}
int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t bytes) {
  std::memcpy(to, reinterpret_cast<void *>(static_cast<uintptr_t>(from)),
              bytes);
  return 0;
}
/// The kernel (x: 2xf32, y: 9xf32): everything it was launched with.
int cuLaunchKernel(void *, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                   unsigned by, unsigned bz, unsigned shared, void *,
                   void **parameters, void **) {
  auto get = [&](int i) {
    return reinterpret_cast<float *>(static_cast<uintptr_t>(
        *static_cast<unsigned long long *>(parameters[i])));
  };
  float *x = get(0), *y = get(1);
  const float values[] = {float(gx * 100 + gy * 10 + gz),
                          float(bx * 100 + by * 10 + bz),
                          float(shared),
                          float(maxShared),
                          x[0],
                          x[1],
                          target == "sm_90a" ? 90.f : 80.f,
                          float(contexts * 100 + modules * 10 + allocations)};
  // The last element is left as it was.
  std::memcpy(y, values, sizeof values);
  return 0;
}
}
