//===- Attributes.cpp - Syntax and constraints of grids and maps ----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mirage;

#define GET_ATTRDEF_CLASSES
#include "Mirage/Dialect/Mirage/Attributes.cpp.inc"

void MirageDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Mirage/Dialect/Mirage/Attributes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

/// Parses `x`, `y`, `z` or `w`, whichever comes at place `dim`.
static ParseResult parseGridDimName(AsmParser &parser, unsigned dim) {
  SMLoc loc = parser.getCurrentLocation();
  if (dim >= kMaxGridDims)
    return parser.emitError(loc, "a grid has at most four dimensions");
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  if (name != getGridDimName(dim))
    return parser.emitError(loc, "expected grid dimension '")
           << getGridDimName(dim) << "', found '" << name << "'";
  return success();
}

Attribute GridAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t, kMaxGridDims> sizes;
  SMLoc loc = parser.getCurrentLocation();
  auto parseSize = [&]() -> ParseResult {
    if (parseGridDimName(parser, sizes.size()) || parser.parseEqual())
      return failure();
    return parser.parseInteger(sizes.emplace_back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseSize))
    return {};
  return parser.getChecked<GridAttr>(loc, parser.getContext(), sizes);
}

void GridAttr::print(AsmPrinter &printer) const {
  printer << "<";
  for (auto [dim, size] : llvm::enumerate(getSizes()))
    printer << (dim ? ", " : "") << getGridDimName(dim) << " = " << size;
  printer << ">";
}

LogicalResult GridAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> sizes) {
  if (sizes.empty() || sizes.size() > kMaxGridDims)
    return emitError() << "a grid has one to four dimensions, found "
                       << sizes.size();
  constexpr size_t kLast = kMaxGridSizes.size() - 1;
  for (auto [dim, size] : llvm::enumerate(sizes)) {
    const int64_t most = kMaxGridSizes[std::min(dim, kLast)];
    if (size < 1 || size > most)
      return emitError() << "the size of grid dimension " << getGridDimName(dim)
                         << " must be from 1 to " << most << ", found " << size;
  }
  if (!canLaunch(sizes))
    return emitError() << "grid dimensions z and w must have at most "
                       << kMaxGridSizes.back() << " blocks together, found "
                       << getLaunchSizes(sizes).back();
  return success();
}

int64_t GridAttr::getNumBlocks() const {
  int64_t blocks = 1;
  for (int64_t size : getSizes())
    blocks *= size;
  return blocks;
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

/// Parses what a map's arrow points to: a data dimension or `replica`.
static ParseResult parseMapTarget(AsmParser &parser, int64_t &dim) {
  if (succeeded(parser.parseOptionalKeyword("replica"))) {
    dim = kReplica;
    return success();
  }
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseInteger(dim))
    return failure();
  if (dim < 0)
    return parser.emitError(loc, "expected a data dimension or 'replica'");
  return success();
}

static void printMapTarget(AsmPrinter &printer, int64_t dim) {
  if (dim == kReplica)
    printer << "replica";
  else
    printer << dim;
}

template <typename MapAttr> static Attribute parseGridMap(AsmParser &parser) {
  SmallVector<int64_t, kMaxGridDims> dims;
  SMLoc loc = parser.getCurrentLocation();
  auto parseEntry = [&]() -> ParseResult {
    if (parseGridDimName(parser, dims.size()) || parser.parseArrow())
      return failure();
    return parseMapTarget(parser, dims.emplace_back());
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseEntry))
    return {};
  return parser.getChecked<MapAttr>(loc, parser.getContext(), dims);
}

static void printGridMap(AsmPrinter &printer, ArrayRef<int64_t> dims) {
  printer << "<";
  for (auto [i, dim] : llvm::enumerate(dims)) {
    printer << (i ? ", " : "") << getGridDimName(i) << " -> ";
    printMapTarget(printer, dim);
  }
  printer << ">";
}

static LogicalResult verifyGridMap(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<int64_t> dims) {
  if (dims.empty() || dims.size() > kMaxGridDims)
    return emitError() << "a map has an entry for each grid dimension, one to "
                          "four, found "
                       << dims.size();
  for (int64_t dim : dims)
    if (dim < kReplica)
      return emitError() << "a data dimension can't be " << dim;
  return success();
}

Attribute IMapAttr::parse(AsmParser &parser, Type) {
  return parseGridMap<IMapAttr>(parser);
}
void IMapAttr::print(AsmPrinter &printer) const {
  printGridMap(printer, getDims());
}
LogicalResult IMapAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> dims) {
  return verifyGridMap(emitError, dims);
}

Attribute OMapAttr::parse(AsmParser &parser, Type) {
  return parseGridMap<OMapAttr>(parser);
}
void OMapAttr::print(AsmPrinter &printer) const {
  printGridMap(printer, getDims());
}
LogicalResult OMapAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<int64_t> dims) {
  return verifyGridMap(emitError, dims);
}

Attribute FMapAttr::parse(AsmParser &parser, Type) {
  int64_t dim;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword("i") || parser.parseArrow() ||
      parseMapTarget(parser, dim) || parser.parseGreater())
    return {};
  return parser.getChecked<FMapAttr>(loc, parser.getContext(), dim);
}
void FMapAttr::print(AsmPrinter &printer) const {
  printer << "<i -> ";
  printMapTarget(printer, getDim());
  printer << ">";
}
LogicalResult FMapAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               int64_t dim) {
  if (dim < kReplica)
    return emitError() << "a data dimension can't be " << dim;
  return success();
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

namespace {
struct KnownTarget {
  StringLiteral chip;
  int64_t smCount, sharedBytes, deviceBytes, bandwidth, tflops, launchNs;
};
} // namespace

/// A100 SXM 80 GB and H200 SXM, from NVIDIA's data sheets; shared memory from
/// the CUDA programming guide, table of compute capabilities. What a launch
/// costs inside of a CUDA graph is our estimate.
static constexpr KnownTarget kTargets[] = {
    {"sm_80", 108, 163 * 1024, 80'000'000'000, 2039, 312, 2000},
    {"sm_90a", 132, 227 * 1024, 141'000'000'000, 4800, 990, 2000},
};

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef, int64_t smCount,
                                 int64_t sharedBytes, int64_t deviceBytes,
                                 int64_t bandwidth, int64_t tflops,
                                 int64_t launchNs) {
  struct Number {
    StringRef name;
    int64_t value, most;
  };
  // Far more than any chip has, so that nothing computed of them overflows.
  constexpr int64_t kMostOfBlock = INT32_MAX, kMost = int64_t(1) << 50;
  for (const auto &[name, value, most] :
       {Number{"sm_count", smCount, 1 << 20},
        Number{"shared_bytes", sharedBytes, kMostOfBlock},
        Number{"device_bytes", deviceBytes, kMost},
        Number{"bandwidth", bandwidth, kMost}, Number{"tflops", tflops, kMost},
        Number{"launch_ns", launchNs, kMost}})
    if (value < 1 || value > most)
      return emitError() << "'" << name << "' must be from 1 to " << most
                         << ", found " << value;
  return success();
}

TargetAttr TargetAttr::lookup(MLIRContext *context, StringRef chip) {
  for (const KnownTarget &t : kTargets)
    if (t.chip == chip)
      return get(context, t.chip, t.smCount, t.sharedBytes, t.deviceBytes,
                 t.bandwidth, t.tflops, t.launchNs);
  return {};
}

ArrayRef<StringLiteral> TargetAttr::getKnownChips() {
  static constexpr StringLiteral chips[] = {kTargets[0].chip, kTargets[1].chip};
  return chips;
}
