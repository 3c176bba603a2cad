//===- VerdictState.cpp - Whose verdict it is -----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Mugraph/VerdictState.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Mugraph/CanonicalProgram.h"
#include "Mirage/Mugraph/Conversion.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mirage;

std::string mirage::getFingerprint(const KernelGraph &graph) {
  return llvm::utohexstr(llvm::xxh3_64bits(getCanonicalText(graph)),
                         /*LowerCase=*/true, /*Width=*/16);
}

static DictionaryAttr getVerdict(func::FuncOp function) {
  return function->getAttrOfType<DictionaryAttr>(MirageDialect::kVerdictAttr);
}

/// Null: it has no μGraph.
static StringAttr getFingerprintAttr(func::FuncOp function) {
  if (findObstacle(function))
    return {};
  return StringAttr::get(function.getContext(),
                         getFingerprint(*importKernelGraph(function)));
}

VerdictState mirage::getVerdictState(func::FuncOp function) {
  DictionaryAttr verdict = getVerdict(function);
  auto name = verdict ? verdict.getAs<StringAttr>("verdict") : StringAttr();
  if (!name || (name.getValue() != "proved" && name.getValue() != "accepted"))
    return VerdictState::None;
  Attribute fingerprint = verdict.get(kFingerprintKey);
  return fingerprint && fingerprint == getFingerprintAttr(function)
             ? VerdictState::Good
             : VerdictState::OfAnother;
}

void mirage::keepVerdict(func::FuncOp function,
                         llvm::function_ref<void()> change) {
  bool isGood = getVerdictState(function) == VerdictState::Good;
  change();
  if (!isGood)
    return;
  StringAttr fingerprint = getFingerprintAttr(function);
  if (!fingerprint) {
    function->removeAttr(MirageDialect::kVerdictAttr);
    return;
  }
  NamedAttrList verdict(getVerdict(function));
  verdict.set(kFingerprintKey, fingerprint);
  function->setAttr(MirageDialect::kVerdictAttr,
                    verdict.getDictionary(function.getContext()));
}
