//===- VerdictAttr.cpp - Verdicts that travel with the IR -----------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Verify/VerdictAttr.h"
#include "Mirage/Mugraph/VerdictState.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mirage;
using namespace mlir;

static constexpr llvm::StringLiteral kInParts = "normal form of parts";

std::string mirage::getVerdictText(const EquivalenceResult &result) {
  std::string text;
  llvm::raw_string_ostream out(text);
  switch (result.verdict) {
  case Verdict::Proved:
    // What axioms prove, too, holds for the sizes that are there.
    out << "proved";
    if (!result.axiomsFile.empty())
      out << " (assuming " << result.axiomsFile
          << (result.areAxiomsConsistent
                  ? ")"
                  : ", which is not known to be consistent)");
    else if (result.inParts)
      out << " (part by part)";
    else if (result.sizes == ProvedSizes::These)
      out << " (for these sizes)";
    break;
  case Verdict::Accepted:
    out << "accepted (random, ";
    // Rounded up, since it is a bound.
    if (std::optional<double> bound = result.random->log2Bound)
      out << "error at most 2^" << static_cast<int64_t>(std::ceil(*bound));
    else
      out << "no bound on the error";
    out << ")";
    break;
  case Verdict::Refuted:
    out << "refuted at output " << result.random->output << " [";
    llvm::interleaveComma(result.random->index, out);
    out << "]";
    if (!result.model.empty())
      out << " for " << result.model << ", which satisfies the axioms";
    break;
  case Verdict::Unknown:
    out << "unknown: " << result.reason;
    break;
  }
  return text;
}

DictionaryAttr mirage::getVerdictAttr(MLIRContext *context,
                                      const EquivalenceResult &result,
                                      const KernelGraph &graph) {
  Builder builder(context);
  SmallVector<NamedAttribute> attributes;
  auto set = [&](StringRef name, Attribute value) {
    attributes.push_back(builder.getNamedAttr(name, value));
  };
  set("verdict", builder.getStringAttr(getVerdictName(result.verdict)));
  set(kFingerprintKey, builder.getStringAttr(getFingerprint(graph)));
  if (result.verdict == Verdict::Proved) {
    set("verifier", builder.getStringAttr(result.bySolver  ? "solver"
                                          : result.inParts ? kInParts
                                                           : "normal form"));
    if (!result.usedAxioms.empty())
      set("axioms", builder.getStrArrayAttr(SmallVector<StringRef>(
                        result.usedAxioms.begin(), result.usedAxioms.end())));
    set("sizes", builder.getStringAttr(
                     result.sizes == ProvedSizes::All ? "all" : "these"));
    return builder.getDictionaryAttr(attributes);
  }
  if (!result.random)
    return builder.getDictionaryAttr(attributes);
  const RandomTestResult &random = *result.random;
  set("verifier", builder.getStringAttr("random test over finite fields"));
  set("bound", builder.getStringAttr(random.boundNote));
  if (random.log2Bound)
    set("log2_bound", builder.getF64FloatAttr(*random.log2Bound));
  set("exponents", builder.getBoolAttr(random.exponents));
  set("primes", builder.getDenseI64ArrayAttr(SmallVector<int64_t>(
                    random.primes.begin(), random.primes.end())));
  set("seed", builder.getI64IntegerAttr(random.seed));
  set("trials", builder.getI64IntegerAttr(random.trials));
  return builder.getDictionaryAttr(attributes);
}

std::string mirage::getVerdictText(DictionaryAttr verdict) {
  auto getString = [&](StringRef name) {
    auto string = verdict.getAs<StringAttr>(name);
    return string ? string.getValue() : StringRef();
  };
  std::string text = getString("verdict").str();
  llvm::raw_string_ostream out(text);
  if (text == "proved") {
    if (auto axioms = verdict.getAs<ArrayAttr>("axioms")) {
      out << " (assuming ";
      llvm::interleaveComma(axioms.getAsRange<StringAttr>(), out,
                            [&](StringAttr axiom) { out << axiom.getValue(); });
      out << ")";
    } else if (getString("verifier") == kInParts) {
      out << " (part by part)";
    } else if (getString("sizes") == "these") {
      out << " (for these sizes)";
    }
  } else if (text == "accepted") {
    auto bound = verdict.getAs<FloatAttr>("log2_bound");
    if (bound && std::isfinite(bound.getValueAsDouble()))
      out << " (random, error at most 2^"
          << llvm::format("%.0f", std::ceil(bound.getValueAsDouble())) << ")";
    else
      out << " (random, no bound on the error)";
  }
  return text;
}
