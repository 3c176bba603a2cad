//===- FakeCublasLt.cpp - cublasLt without a GPU --------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Part of the library of FakeCuda.cpp. It computes products as cublasLt defines
// them, column-major, from the descriptors that it is given, so that wrong
// layouts, leading dimensions or strides give wrong results.
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"
#include "Mirage/Numbers/Float16.h"
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <utility>

namespace {

struct Layout {
  int type;
  uint64_t rows, columns;
  int64_t ld;
  int32_t batch = 1;
  int64_t stride = 0;
};
std::map<const void *, Layout> &layouts() {
  static std::map<const void *, Layout> layouts;
  return layouts;
}

/// Products that transpose A, and those that transpose B.
std::set<const void *> &transposing(char operand) {
  static std::set<const void *> descs[2];
  return descs[operand - 'A'];
}

// bf16 is 14.
constexpr int kF32 = 0, kF16 = 2;
constexpr int kInvalidValue = 7;
constexpr uint64_t kAlgorithm = 0x5eed;
constexpr size_t kWorkspaceBytes = 4096;

/// cublasLtMatmulHeuristicResult_t.
struct HeuristicResult {
  uint64_t algorithm[8];
  size_t workspaceSize;
  int state;
  float wavesCount;
  int reserved[4];
};

size_t getSize(int type) { return type == kF32 ? 4 : 2; }

int64_t getOffset(const Layout &layout, int64_t batch, uint64_t row,
                  uint64_t column) {
  return batch * layout.stride + int64_t(column) * layout.ld + int64_t(row);
}

float load(const void *data, const Layout &layout, int64_t offset) {
  if (layout.type == kF32)
    return static_cast<const float *>(data)[offset];
  uint16_t bits = static_cast<const uint16_t *>(data)[offset];
  return layout.type == kF16 ? mirage::halfToFloat(bits)
                             : mirage::bfloatToFloat(bits);
}

void store(void *data, const Layout &layout, int64_t offset, float value) {
  if (layout.type == kF32)
    static_cast<float *>(data)[offset] = value;
  else
    static_cast<uint16_t *>(data)[offset] = layout.type == kF16
                                                ? mirage::floatToHalf(value)
                                                : mirage::floatToBFloat(value);
}

bool isMemory(const void *data, const Layout &layout) {
  int64_t last =
      getOffset(layout, layout.batch - 1, layout.rows - 1, layout.columns - 1);
  return fake::isMemory(data, (last + 1) * getSize(layout.type));
}

} // namespace

#define ENTER                                                                  \
  if (int code = fake::enter(__func__))                                        \
    return code;

extern "C" {
size_t cublasLtGetVersion() {
  std::string version = fake::getVariable("FAKE_CUBLASLT_VERSION");
  return version.empty() ? 120405 : std::strtoul(version.c_str(), nullptr, 10);
}
int cublasLtCreate(void **handle) {
  ENTER
  *handle = fake::create("cublasLt");
  return 0;
}
int cublasLtDestroy(void *handle) {
  int code = fake::enter(__func__);
  return fake::destroy("cublasLt", handle) ? code : kInvalidValue;
}
int cublasLtMatmulDescCreate(void **desc, int compute, int scale) {
  ENTER
  // CUBLAS_COMPUTE_32F with f32 factors.
  if (compute != 68 || scale != kF32)
    return kInvalidValue;
  *desc = fake::create("product");
  return 0;
}
int cublasLtMatmulDescSetAttribute(void *desc, int attribute, const void *value,
                                   size_t size) {
  ENTER
  // CUBLASLT_MATMUL_DESC_TRANSA or _TRANSB, CUBLAS_OP_T.
  int32_t operation = 0;
  if ((attribute != 3 && attribute != 4) || size != 4)
    return kInvalidValue;
  std::memcpy(&operation, value, size);
  if (operation != 1)
    return kInvalidValue;
  transposing(attribute == 3 ? 'A' : 'B').insert(desc);
  return 0;
}
int cublasLtMatmulDescDestroy(void *desc) {
  int code = fake::enter(__func__);
  for (char operand : {'A', 'B'})
    transposing(operand).erase(desc);
  return fake::destroy("product", desc) ? code : kInvalidValue;
}
int cublasLtMatrixLayoutCreate(void **layout, int type, uint64_t rows,
                               uint64_t columns, int64_t ld) {
  ENTER
  *layout = fake::create("layout");
  layouts()[*layout] = {type, rows, columns, ld};
  return 0;
}
int cublasLtMatrixLayoutSetAttribute(void *layout, int attribute,
                                     const void *value, size_t size) {
  ENTER
  Layout &set = layouts()[layout];
  if (attribute == 5 && size == 4)
    std::memcpy(&set.batch, value, size);
  else if (attribute == 6 && size == 8)
    std::memcpy(&set.stride, value, size);
  else
    return kInvalidValue;
  return 0;
}
int cublasLtMatrixLayoutDestroy(void *layout) {
  int code = fake::enter(__func__);
  layouts().erase(layout);
  return fake::destroy("layout", layout) ? code : kInvalidValue;
}
int cublasLtMatmulPreferenceCreate(void **preference) {
  ENTER
  *preference = fake::create("preference");
  return 0;
}
int cublasLtMatmulPreferenceSetAttribute(void *, int attribute, const void *,
                                         size_t size) {
  ENTER
  bool known = (attribute == 1 && size == 8) ||
               (attribute >= 5 && attribute <= 8 && size == 4);
  return known ? 0 : kInvalidValue;
}
int cublasLtMatmulPreferenceDestroy(void *preference) {
  int code = fake::enter(__func__);
  return fake::destroy("preference", preference) ? code : kInvalidValue;
}
int cublasLtMatmulAlgoGetHeuristic(void *, void *desc, void *a, void *b,
                                   void *c, void *d, void *, int wanted,
                                   HeuristicResult *results, int *count) {
  ENTER
  const Layout &A = layouts().at(a), &B = layouts().at(b), &D = layouts().at(d);
  auto getSides = [&](const Layout &layout, char operand) {
    return transposing(operand).count(desc)
               ? std::pair(layout.columns, layout.rows)
               : std::pair(layout.rows, layout.columns);
  };
  const auto [rows, depth] = getSides(A, 'A');
  bool fits = c == d && rows == D.rows &&
              getSides(B, 'B') == std::pair(depth, D.columns) &&
              A.type == B.type && (D.type == A.type || D.type == kF32) &&
              A.batch == B.batch && A.batch == D.batch;
  for (const Layout *layout : {&A, &B, &D})
    fits &= layout->ld >= int64_t(layout->rows);
  if (!fits || wanted < 1)
    return kInvalidValue;
  if (!fake::getVariable("FAKE_CUBLASLT_NO_ALGORITHM").empty()) {
    *count = 0;
    return 0;
  }
  results[0] = {};
  results[0].algorithm[0] = kAlgorithm;
  results[0].workspaceSize = kWorkspaceBytes;
  *count = 1;
  return 0;
}
int cublasLtMatmul(void *handle, void *desc, const void *alpha, const void *a,
                   void *aLayout, const void *b, void *bLayout,
                   const void *beta, const void *c, void *cLayout, void *d,
                   void *dLayout, const void *algorithm, void *workspace,
                   size_t workspaceSize, void *stream) {
  ENTER
  const Layout A = layouts().at(aLayout), B = layouts().at(bLayout),
               D = layouts().at(dLayout);
  if (!fake::exists("cublasLt", handle) || !fake::exists("product", desc) ||
      *static_cast<const float *>(alpha) != 1 ||
      *static_cast<const float *>(beta) != 0 || c != d || cLayout != dLayout ||
      *static_cast<const uint64_t *>(algorithm) != kAlgorithm ||
      workspaceSize != kWorkspaceBytes ||
      !fake::isMemory(workspace, workspaceSize) || !isMemory(a, A) ||
      !isMemory(b, B) || !isMemory(d, D)) {
    fake::countMisuse("a product of something else");
    return kInvalidValue;
  }
  const bool transposesA = transposing('A').count(desc),
             transposesB = transposing('B').count(desc);
  return fake::enqueue(stream, 9, [=] {
    for (int64_t batch = 0; batch < D.batch; ++batch)
      for (uint64_t i = 0; i < D.rows; ++i)
        for (uint64_t j = 0; j < D.columns; ++j) {
          float sum = 0;
          for (uint64_t k = 0; k < (transposesB ? B.columns : B.rows); ++k)
            sum += load(a, A,
                        transposesA ? getOffset(A, batch, k, i)
                                    : getOffset(A, batch, i, k)) *
                   load(b, B,
                        transposesB ? getOffset(B, batch, j, k)
                                    : getOffset(B, batch, k, j));
          store(d, D, getOffset(D, batch, i, j), sum);
        }
  });
}
}
