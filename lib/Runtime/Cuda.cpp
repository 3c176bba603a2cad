//===- Cuda.cpp - The runtime library, for arrays in host memory ----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/Cuda.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace mirage;

static llvm::Error check(MirageRuntimeStatus status) {
  if (status == MIRAGE_RUNTIME_SUCCESS)
    return llvm::Error::success();
  return llvm::createStringError(llvm::StringRef(mirageRuntimeGetLastError()));
}

CudaDevice::~CudaDevice() { mirageRuntimeCloseDevice(device); }

llvm::Expected<std::unique_ptr<CudaDevice>>
CudaDevice::open(const CudaOptions &options) {
  MirageRuntimeDeviceOptions deviceOptions = {
      options.device, options.driver.empty() ? nullptr : options.driver.c_str(),
      /*cublasLt=*/nullptr};
  MirageRuntimeDevice *device = nullptr;
  if (llvm::Error error =
          check(mirageRuntimeOpenDeviceWithOptions(&deviceOptions, &device)))
    return error;
  return std::unique_ptr<CudaDevice>(new CudaDevice(device));
}

llvm::Expected<std::string> CudaDevice::getChip() const {
  MirageRuntimeDeviceInfo info;
  if (llvm::Error error = check(mirageRuntimeGetDeviceInfo(device, &info)))
    return error;
  if (info.major < 8)
    return llvm::createStringError(
        "the device has compute capability %d.%d, expected 8.0 or newer",
        info.major, info.minor);
  return info.major == 9 && info.minor == 0 ? "sm_90a" : "sm_80";
}

llvm::Expected<std::unique_ptr<CudaProgram>>
CudaDevice::load(StringRef contents) {
  MirageRuntimeProgram *program = nullptr;
  if (llvm::Error error = check(mirageRuntimeLoadProgram(
          device, contents.data(), contents.size(), &program)))
    return error;
  return std::unique_ptr<CudaProgram>(new CudaProgram(device, program));
}

llvm::Expected<std::string> CudaDevice::getName() const {
  MirageRuntimeDeviceInfo info;
  if (llvm::Error error = check(mirageRuntimeGetDeviceInfo(device, &info)))
    return error;
  return std::string(info.name);
}

CudaProgram::~CudaProgram() { mirageRuntimeDestroyProgram(program); }

static ElementType convert(MirageRuntimeElementType type) {
  switch (type) {
  case MIRAGE_RUNTIME_F16:
    return ElementType::F16;
  case MIRAGE_RUNTIME_BF16:
    return ElementType::BF16;
  case MIRAGE_RUNTIME_F32:
    return ElementType::F32;
  case MIRAGE_RUNTIME_F64:
    break;
  }
  return ElementType::F64;
}

llvm::Expected<std::vector<Array>> CudaProgram::makeArguments() const {
  MirageRuntimeProgramInfo info;
  if (llvm::Error error = check(mirageRuntimeGetProgramInfo(program, &info)))
    return error;
  std::vector<Array> arrays;
  for (size_t i = 0; i < info.numInputs + info.numOutputs; ++i) {
    MirageRuntimeTensor tensor;
    if (llvm::Error error = check(
            i < info.numInputs
                ? mirageRuntimeGetInput(program, i, &tensor)
                : mirageRuntimeGetOutput(program, i - info.numInputs, &tensor)))
      return error;
    arrays.emplace_back(llvm::ArrayRef<int64_t>(tensor.dims, tensor.rank),
                        convert(tensor.elementType));
  }
  return arrays;
}

llvm::Error CudaProgram::run(llvm::MutableArrayRef<Array> arrays) {
  MirageRuntimeProgramInfo info;
  if (llvm::Error error = check(mirageRuntimeGetProgramInfo(program, &info)))
    return error;
  std::vector<const void *> inputs;
  std::vector<void *> outputs;
  for (auto [i, array] : llvm::enumerate(arrays)) {
    if (i < info.numInputs)
      inputs.push_back(array.bytes.data());
    else
      outputs.push_back(array.bytes.data());
  }
  return check(mirageRuntimeRun(program, inputs.data(), outputs.data()));
}

llvm::Expected<MirageRuntimeTiming>
CudaProgram::time(llvm::ArrayRef<Array> arrays,
                  const MirageRuntimeTimingOptions &options) {
  std::vector<void *> arguments;
  llvm::scope_exit release([&] {
    for (void *pointer : arguments)
      mirageRuntimeFree(device, pointer);
  });
  for (const Array &array : arrays) {
    void *pointer = nullptr;
    if (llvm::Error error =
            check(mirageRuntimeAllocate(device, array.bytes.size(), &pointer)))
      return error;
    arguments.push_back(pointer);
    if (llvm::Error error = check(mirageRuntimeCopyToDevice(
            device, pointer, array.bytes.data(), array.bytes.size())))
      return error;
  }
  MirageRuntimeTiming timing;
  if (llvm::Error error =
          check(mirageRuntimeTime(program, arguments.data(), &options, &timing,
                                  /*samples=*/nullptr)))
    return error;
  return timing;
}
