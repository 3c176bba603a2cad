//===- Report.cpp - What mirage-verify prints -----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Report.h"
#include "Mirage/Verify/VerdictAttr.h"

using namespace mirage;

void Report::print(llvm::raw_ostream &os) const {
  os << "candidate " << index << ": " << getVerdictText(result) << "\n";
}

llvm::json::Value Report::toJSON() const {
  llvm::json::Object object{{"index", index},
                            {"name", name},
                            {"verdict", getVerdictName(result.verdict)},
                            {"seconds", seconds}};
  if (!result.reason.empty())
    object["reason"] = result.reason;
  if (result.verdict == Verdict::Proved) {
    object["verifier"] = result.bySolver ? "solver" : "proof";
    object["sizes"] = result.sizes == ProvedSizes::All ? "all" : "these";
    if (!result.axiomsFile.empty()) {
      object["axioms"] = llvm::json::Array(result.usedAxioms);
      object["consistent"] = result.areAxiomsConsistent;
    }
  }
  if (result.verdict == Verdict::Accepted) {
    object["verifier"] = "random";
    object["trials"] = result.random->trials;
    object["primes"] = llvm::json::Array(result.random->primes);
    // log2 of a bound on the probability that this is wrong.
    if (result.random->log2Bound)
      object["bound"] = *result.random->log2Bound;
    else
      object["bound"] = nullptr;
    object["bound_note"] = result.random->boundNote;
  }
  if (result.verdict == Verdict::Refuted) {
    object["verifier"] = "random";
    if (!result.model.empty())
      object["model"] = result.model;
    object["output"] = result.random->output;
    object["element"] = llvm::json::Array(result.random->index);
    object["failing_seed"] = result.random->failingSeed;
  }
  return object;
}
