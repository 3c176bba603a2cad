//===- CrossCheckOracle.cpp - The normal form and Z3 side by side ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Oracle/CrossCheckOracle.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mirage;

CrossCheckOracle::CrossCheckOracle(
    std::unique_ptr<SubexpressionOracle> normalForm,
    std::unique_ptr<SubexpressionOracle> z3, ExprContext &context,
    llvm::ArrayRef<Expr> targets, uint64_t seed)
    : SubexpressionOracle(context, targets), normalForm(std::move(normalForm)),
      z3(std::move(z3)), model(context, seed) {}

llvm::Expected<std::unique_ptr<CrossCheckOracle>>
CrossCheckOracle::create(ExprContext &context, llvm::ArrayRef<Expr> targets,
                         const Z3OracleOptions &options, uint64_t seed) {
  if (options.axioms)
    return llvm::createStringError(options.axioms->file +
                                   ": error: cross-checking compares proofs "
                                   "from the paper's axioms alone");
  auto z3 = Z3Oracle::create(context, targets, options);
  if (!z3)
    return z3.takeError();
  return std::make_unique<CrossCheckOracle>(
      std::make_unique<NormalFormOracle>(context, targets), std::move(*z3),
      context, targets, seed);
}

bool CrossCheckOracle::decide(Expr x) {
  bool affirmed = normalForm->mayContribute(x), proved = z3->mayContribute(x);
  if (!affirmed) {
    if (proved)
      report(OracleDisagreement::Kind::WronglyDenied, x,
             "Z3 proves what the normal form denies");
    return proved;
  }
  statistics.unknowns += !proved;
  std::string reason;
  if (!isWitnessRight(x, reason))
    report(OracleDisagreement::Kind::WronglyAffirmed, x, reason);
  return true;
}

bool CrossCheckOracle::isWitnessRight(Expr x, std::string &text) {
  auto witness = normalForm->explain(x);
  if (!witness) {
    text = "the normal form affirms it without a witness";
    return false;
  }
  auto &[term, target] = *witness;
  if (model.evaluate(term, model.evaluate(x)) ==
      model.evaluate(targets[target]))
    return true;
  llvm::raw_string_ostream os(text);
  os << "the normal form's witness is wrong: ";
  context.printTerm(os, term);
  return false;
}

void CrossCheckOracle::report(OracleDisagreement::Kind kind, Expr x,
                              llvm::StringRef reason) {
  ++statistics.disagreements;
  OracleDisagreement disagreement;
  disagreement.kind = kind;
  disagreement.expr = x;
  llvm::raw_string_ostream os(disagreement.text);
  os << "oracles disagree whether ";
  context.printTerm(os, x);
  os << " is part of ";
  llvm::ListSeparator separator(" or of ");
  for (Expr target : targets) {
    os << separator;
    context.printTerm(os, target);
  }
  os << ": " << reason;
  if (callback)
    callback(disagreement);
  constexpr size_t kMostKept = 10;
  if (disagreements.size() < kMostKept)
    disagreements.push_back(std::move(disagreement));
}

llvm::Error CrossCheckOracle::takeError() {
  llvm::Error error = llvm::Error::success();
  for (const OracleDisagreement &disagreement : disagreements)
    error = llvm::joinErrors(std::move(error),
                             llvm::createStringError(disagreement.text));
  disagreements.clear();
  return error;
}
