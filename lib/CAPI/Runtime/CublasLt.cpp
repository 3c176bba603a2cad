//===- CublasLt.cpp - Products of matrices by cuBLAS ----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CublasLt.h"
#include <dlfcn.h>

using namespace mirage;
using namespace mirage::runtime;

//===----------------------------------------------------------------------===//
// The library's functions
//===----------------------------------------------------------------------===//

namespace {

// Values of cublasLt.h and library_types.h.
using cublasStatus_t = int;
constexpr int kF32 = 0, kF16 = 2, kBF16 = 14;
constexpr int kCompute32F = 68;
constexpr int kDescTransA = 3, kDescTransB = 4;
constexpr int32_t kTransposed = 1;
constexpr int kLayoutBatchCount = 5, kLayoutBatchStride = 6;
constexpr int kPreferenceMaxWorkspaceBytes = 1;
/// For operands A, B, C and the result D.
constexpr int kPreferenceMinAlignment[] = {5, 6, 7, 8};
constexpr size_t kOldestVersion = 110000;
/// What NVIDIA recommends for Hopper, the largest of its recommendations.
constexpr size_t kMaxWorkspaceBytes = 32 << 20;

/// cublasLtMatmulHeuristicResult_t.
struct HeuristicResult {
  uint64_t algorithm[8];
  size_t workspaceSize;
  cublasStatus_t state;
  float wavesCount;
  int reserved[4];
};

} // namespace

#define MIRAGE_CUBLASLT_FUNCTIONS(X)                                           \
  X(size_t, getVersion, "cublasLtGetVersion", ())                              \
  X(int, create, "cublasLtCreate", (void **))                                  \
  X(int, destroy, "cublasLtDestroy", (void *))                                 \
  X(int, descCreate, "cublasLtMatmulDescCreate", (void **, int, int))          \
  X(int, descSetAttribute, "cublasLtMatmulDescSetAttribute",                   \
    (void *, int, const void *, size_t))                                       \
  X(int, descDestroy, "cublasLtMatmulDescDestroy", (void *))                   \
  X(int, layoutCreate, "cublasLtMatrixLayoutCreate",                           \
    (void **, int, uint64_t, uint64_t, int64_t))                               \
  X(int, layoutSetAttribute, "cublasLtMatrixLayoutSetAttribute",               \
    (void *, int, const void *, size_t))                                       \
  X(int, layoutDestroy, "cublasLtMatrixLayoutDestroy", (void *))               \
  X(int, preferenceCreate, "cublasLtMatmulPreferenceCreate", (void **))        \
  X(int, preferenceSetAttribute, "cublasLtMatmulPreferenceSetAttribute",       \
    (void *, int, const void *, size_t))                                       \
  X(int, preferenceDestroy, "cublasLtMatmulPreferenceDestroy", (void *))       \
  X(int, getHeuristic, "cublasLtMatmulAlgoGetHeuristic",                       \
    (void *, void *, void *, void *, void *, void *, void *, int,              \
     HeuristicResult *, int *))                                                \
  X(int, matmul, "cublasLtMatmul",                                             \
    (void *, void *, const void *, const void *, void *, const void *, void *, \
     const void *, const void *, void *, void *, void *, const void *, void *, \
     size_t, CUstream))

struct CublasLt::Functions {
#define MIRAGE_CUBLASLT_MEMBER(result, member, symbol, parameters)             \
  result(*member) parameters = nullptr;
  MIRAGE_CUBLASLT_FUNCTIONS(MIRAGE_CUBLASLT_MEMBER)
#undef MIRAGE_CUBLASLT_MEMBER
};

static std::string describe(const char *function, cublasStatus_t status) {
  return std::string(function) + " failed with status " +
         std::to_string(status);
}

//===----------------------------------------------------------------------===//
// CublasLt
//===----------------------------------------------------------------------===//

CublasLt::CublasLt(std::unique_ptr<Functions> functions)
    : functions(std::move(functions)) {}

CublasLt::~CublasLt() {
  if (handle)
    functions->destroy(handle);
}

std::unique_ptr<CublasLt> CublasLt::open(const std::string &library,
                                         std::string &reason) {
  void *opened = nullptr;
  if (!library.empty()) {
    opened = openLibrary(library.c_str());
  } else {
    for (const char *name : {"libcublasLt.so.13", "libcublasLt.so.12",
                             "libcublasLt.so.11", "libcublasLt.so"})
      if ((opened = openLibrary(name)))
        break;
  }
  if (!opened) {
    reason =
        (library.empty() ? "libcublasLt.so" : library) + " could not be opened";
    return nullptr;
  }
  auto functions = std::make_unique<Functions>();
  const char *missing = nullptr;
#define MIRAGE_CUBLASLT_RESOLVE(result, member, symbol, parameters)            \
  functions->member =                                                          \
      reinterpret_cast<decltype(functions->member)>(dlsym(opened, symbol));    \
  if (!functions->member && !missing)                                          \
    missing = symbol;
  MIRAGE_CUBLASLT_FUNCTIONS(MIRAGE_CUBLASLT_RESOLVE)
#undef MIRAGE_CUBLASLT_RESOLVE
  if (missing) {
    reason = std::string("cublasLt lacks the function ") + missing;
    return nullptr;
  }
  if (size_t version = functions->getVersion(); version < kOldestVersion) {
    reason = "cublasLt has version " + std::to_string(version) +
             ", expected at least " + std::to_string(kOldestVersion);
    return nullptr;
  }
  std::unique_ptr<CublasLt> result(new CublasLt(std::move(functions)));
  if (int status = result->functions->create(&result->handle)) {
    result->handle = nullptr;
    reason = describe("cublasLtCreate", status);
    return nullptr;
  }
  return result;
}

std::unique_ptr<CublasLt::Plan>
CublasLt::plan(const program_file::LibraryCall &call, const Buffers &buffers,
               std::string &reason) const {
  auto plan = std::make_unique<Plan>(*this);
  if (!plan->create(call, buffers, reason))
    return nullptr;
  return plan;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

static int getDataType(program_file::Type type) {
  switch (type) {
  case program_file::Type::F16:
    return kF16;
  case program_file::Type::BF16:
    return kBF16;
  default:
    return kF32;
  }
}

bool CublasLt::Plan::create(const program_file::LibraryCall &call,
                            const Buffers &buffers, std::string &reason) {
  const Functions &functions = *library.functions;
  auto works = [&](const char *function, cublasStatus_t status) {
    if (status != 0 && reason.empty())
      reason = describe(function, status);
    return status == 0;
  };
  if (!works("cublasLtMatmulDescCreate",
             functions.descCreate(&product, kCompute32F, kF32)))
    return false;

  using Op = program_file::LibraryCall::Op;
  const bool isRhsTransposed = call.op == Op::MatmulTransposed,
             isLhsTransposed = call.op == Op::MatmulTransposedLhs;
  if ((isRhsTransposed || isLhsTransposed) &&
      !works("cublasLtMatmulDescSetAttribute",
             functions.descSetAttribute(
                 product, isRhsTransposed ? kDescTransA : kDescTransB,
                 &kTransposed, sizeof(kTransposed))))
    return false;

  // A row-major r x c matrix is a column-major c x r one with leading dimension
  // c, so the transposed product is asked for: n x k times k x m. What is to be
  // transposed is stored as k x n, or as m x k.
  struct {
    const program_file::Buffer &buffer;
    int64_t rows, columns;
  } matrices[3] = {{*buffers[1], isRhsTransposed ? call.k : call.n,
                    isRhsTransposed ? call.n : call.k},
                   {*buffers[0], isLhsTransposed ? call.m : call.k,
                    isLhsTransposed ? call.k : call.m},
                   {*buffers[2], call.n, call.m}};
  int32_t batch = static_cast<int32_t>(call.batch);
  for (int i = 0; i < 3; ++i) {
    auto &[buffer, rows, columns] = matrices[i];
    size_t elements = buffer.getBytes() / getSize(buffer.type);
    bool isRepeated = elements == static_cast<size_t>(rows * columns);
    int64_t stride = isRepeated ? 0 : rows * columns;
    if (!works("cublasLtMatrixLayoutCreate",
               functions.layoutCreate(&layouts[i], getDataType(buffer.type),
                                      rows, columns, /*ld=*/rows)) ||
        !works("cublasLtMatrixLayoutSetAttribute",
               functions.layoutSetAttribute(layouts[i], kLayoutBatchCount,
                                            &batch, sizeof(batch))) ||
        !works("cublasLtMatrixLayoutSetAttribute",
               functions.layoutSetAttribute(layouts[i], kLayoutBatchStride,
                                            &stride, sizeof(stride))))
      return false;
  }

  void *preference = nullptr;
  if (!works("cublasLtMatmulPreferenceCreate",
             functions.preferenceCreate(&preference)))
    return false;
  HeuristicResult found = {};
  int count = 0;
  bool good = works("cublasLtMatmulPreferenceSetAttribute",
                    functions.preferenceSetAttribute(
                        preference, kPreferenceMaxWorkspaceBytes,
                        &kMaxWorkspaceBytes, sizeof(kMaxWorkspaceBytes)));
  const uint32_t alignment = 16;
  for (int attribute : kPreferenceMinAlignment)
    good = good &&
           works("cublasLtMatmulPreferenceSetAttribute",
                 functions.preferenceSetAttribute(
                     preference, attribute, &alignment, sizeof(alignment)));
  good =
      good && works("cublasLtMatmulAlgoGetHeuristic",
                    functions.getHeuristic(library.handle, product, layouts[0],
                                           layouts[1], layouts[2], layouts[2],
                                           preference, 1, &found, &count));
  functions.preferenceDestroy(preference);
  if (!good)
    return false;
  if (count < 1 || found.state != 0) {
    reason = "cublasLt has no algorithm for these sizes";
    return false;
  }
  for (int i = 0; i < 8; ++i)
    algorithm[i] = found.algorithm[i];
  workspaceBytes = found.workspaceSize;
  return true;
}

CublasLt::Plan::~Plan() {
  for (void *layout : layouts)
    if (layout)
      library.functions->layoutDestroy(layout);
  if (product)
    library.functions->descDestroy(product);
}

Status CublasLt::Plan::enqueue(CUdeviceptr lhs, CUdeviceptr rhs,
                               CUdeviceptr result, CUdeviceptr workspace,
                               CUstream stream) const {
  auto pointer = [](CUdeviceptr address) {
    return reinterpret_cast<void *>(static_cast<uintptr_t>(address));
  };
  const float one = 1, zero = 0;
  int status = library.functions->matmul(
      library.handle, product, &one, pointer(rhs), layouts[0], pointer(lhs),
      layouts[1], &zero, pointer(result), layouts[2], pointer(result),
      layouts[2], algorithm, pointer(workspace), workspaceBytes, stream);
  if (status)
    return {MIRAGE_RUNTIME_LIBRARY_ERROR, describe("cublasLtMatmul", status)};
  return {};
}
