//===- CheckAxioms.cpp - Whether axioms can be true -----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decision.h"

using namespace mirage;
using namespace mirage::prove;
using namespace mirage::solve;

static llvm::Error makeError(const Axioms &axioms, const Axiom &axiom,
                             const llvm::Twine &message) {
  return llvm::createStringError(
      llvm::Twine(axioms.file) + ":" + llvm::Twine(axiom.line) + ":" +
      llvm::Twine(axiom.column) + ": error: " + message);
}

/// Whether an axiom follows from what is known of built-in functions and, with
/// a model, from what this says of the opaque ones.
static bool confirm(const Axiom &axiom, const Model *model, double seconds) {
  for (unsigned count : getCounts(axiom)) {
    TermContext context;
    Decision decision(context, {}, {}, Deadline(seconds));
    decision.setModel(model);
    FunctionMaker maker = decision.getMaker();
    PolyAlgebra algebra(context, maker);
    Assignment assignment;
    assignment.count = count;
    unsigned number = 0;
    for (bool isFamily : axiom.isFamily) {
      auto &values = assignment.values.emplace_back();
      for (unsigned i = 0; i < (isFamily ? count : 1); ++i)
        values.push_back(algebra.make(context.read(number++, {})));
    }
    Ground goal = instantiate(*axiom.formula, algebra, context, assignment);
    if (context.hasFailed() || !decision.prove(goal, {}))
      return false;
  }
  return true;
}

/// Whether the functions of a model have a value everywhere, as those of opaque
/// operators do.
static bool isTotal(const Model &model, const Axioms &axioms) {
  TermContext context;
  FunctionMaker none = [&](llvm::StringRef, llvm::ArrayRef<PolyRef>) {
    return context.zero();
  };
  PolyAlgebra algebra(context, none);
  for (const auto &[name, arity] : axioms.functions) {
    llvm::SmallVector<ScalarAlgebra::Term> args;
    for (unsigned i = 0; i < arity; ++i)
      args.push_back(algebra.make(context.read(i, {})));
    model.functions.at(name).apply(algebra, args);
  }
  return !context.hasFailed() && context.takeObligations().empty();
}

/// Whether axioms contradict each other, as far as that can be seen.
static bool contradict(llvm::ArrayRef<Axiom> axioms, double seconds) {
  TermContext context;
  Decision decision(context, axioms, {}, Deadline(seconds));
  return decision.findContradiction();
}

llvm::Expected<Axioms> solve::readAxioms(llvm::StringRef text,
                                         llvm::StringRef file) {
  llvm::Expected<Axioms> parsed = parseAxioms(text, file);
  if (!parsed)
    return parsed.takeError();
  Axioms axioms = std::move(*parsed);
  constexpr unsigned kPoints = 20000;
  constexpr double kSeconds = 1, kContradictionSeconds = 3;
  for (auto [i, axiom] : llvm::enumerate(axioms.axioms)) {
    if (axiom.hasFunctions)
      continue;
    if (auto place = findCounterexample(axiom, nullptr, kPoints))
      return makeError(axioms, axiom,
                       "axiom is false" +
                           (place->empty() ? "" : ": at " + *place));
    if (!confirm(axiom, nullptr, kSeconds))
      axioms.unconfirmed.push_back(i);
  }
  if (axioms.functions.empty())
    return axioms;

  axioms.models = findModels(axioms);
  for (Model &model : axioms.models)
    model.confirmed =
        isTotal(model, axioms) &&
        llvm::all_of(axioms.axioms, [&](const Axiom &axiom) {
          return !axiom.hasFunctions || confirm(axiom, &model, kSeconds);
        });
  if (axioms.areConsistent())
    return axioms;
  std::vector<Axiom> guilty;
  for (auto [i, axiom] : llvm::enumerate(axioms.axioms))
    if (!llvm::is_contained(axioms.unconfirmed, i))
      guilty.push_back(axiom);
  if (!contradict(guilty, kContradictionSeconds))
    return axioms;
  // Name those that do.
  for (size_t i = 0; i < guilty.size();) {
    std::vector<Axiom> fewer = guilty;
    fewer.erase(fewer.begin() + i);
    if (!fewer.empty() && contradict(fewer, kSeconds))
      guilty = std::move(fewer);
    else
      ++i;
  }
  if (guilty.size() == 1)
    return makeError(axioms, guilty[0], "axiom contradicts itself");
  std::string lines;
  for (const Axiom &axiom : llvm::ArrayRef(guilty).drop_back())
    lines += (lines.empty() ? "" : ", ") + std::to_string(axiom.line);
  return makeError(axioms, guilty.back(),
                   "axiom contradicts " +
                       llvm::Twine(guilty.size() == 2 ? "that" : "those") +
                       " in line" + (guilty.size() == 2 ? " " : "s ") + lines);
}
