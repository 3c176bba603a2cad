//===- Linearity.cpp - The terms of opaque operators ----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether an operator is linear is asked once (docs/Axioms.md, "Linear
// operators"); its terms are then distributed over sums.
//
//===----------------------------------------------------------------------===//

#include "Decision.h"

using namespace mirage;
using namespace mirage::prove;
using namespace mirage::solve;
using llvm::ArrayRef;

static const Rational kOne(1, 1);

FunctionMaker Decision::getMaker() {
  return [this](llvm::StringRef name, ArrayRef<PolyRef> args) -> PolyRef {
    if (model) {
      auto it = model->functions.find(name.str());
      if (it != model->functions.end()) {
        PolyAlgebra algebra(context, maker);
        llvm::SmallVector<ScalarAlgebra::Term> handles;
        for (const PolyRef &arg : args)
          handles.push_back(algebra.make(arg));
        return algebra.get(it->second.apply(algebra, handles));
      }
    }
    auto it = linear.find(name.str());
    if (it == linear.end() || it->second.additive.size() != args.size())
      return context.function(name, args);
    const LinearFunction &law = it->second;
    used.insert(law.used.begin(), law.used.end());
    if (law.homogeneous)
      return context.mul(args[0],
                         context.function(name, {context.constant(kOne)}));
    // F(2 sum_k a_k + b) = 2 sum_k F(a_k) + F(b), one operand after the other.
    std::function<PolyRef(llvm::SmallVector<PolyRef>, size_t)> distribute =
        [&](llvm::SmallVector<PolyRef> list, size_t position) -> PolyRef {
      if (position == list.size())
        return context.function(name, list);
      if (!law.additive[position])
        return distribute(list, position + 1);
      PolyRef sum = context.zero();
      for (const Monomial &monomial : list[position]->monomials) {
        Monomial opened = context.openScope(monomial);
        llvm::SmallVector<PolyRef> inner(list);
        inner[position] = context.product(kOne, opened.factors);
        PolyRef part = distribute(inner, position + 1);
        for (const Bound &bound : opened.bound)
          part = context.sumOver(bound.var, part);
        sum = context.add(
            sum, context.mul(context.constant(opened.coefficient), part));
      }
      return sum;
    };
    return distribute(llvm::SmallVector<PolyRef>(args), 0);
  };
}

/// Whether some model shows that a function need not be additive in an operand.
static bool isRefuted(llvm::StringRef name, unsigned arity, unsigned operand,
                      ArrayRef<Model> models) {
  std::string variables = "y", x, y, sum;
  for (unsigned k = 0; k < arity; ++k) {
    std::string variable = "x" + std::to_string(k);
    variables += ", " + variable;
    llvm::StringRef comma = k ? ", " : "";
    x += (comma + variable).str();
    y += (comma + (k == operand ? "y" : variable)).str();
    sum += (comma + variable + (k == operand ? " + y" : "")).str();
  }
  auto apply = [&](const std::string &args) {
    return (name + "(" + args + ")").str();
  };
  llvm::Expected<Axioms> law =
      parseAxioms("axiom forall " + variables + ". " + apply(sum) + " = " +
                      apply(x) + " + " + apply(y),
                  "");
  if (!law) {
    llvm::consumeError(law.takeError());
    return false;
  }
  constexpr unsigned kPoints = 64;
  return llvm::any_of(models, [&](const Model &model) {
    return findCounterexample(law->axioms[0], &model, kPoints).has_value();
  });
}

void Decision::learnLinearity(llvm::StringRef name, unsigned arity,
                              ArrayRef<Model> models) {
  LinearFunction law;
  law.additive.resize(arity);
  constexpr double kMostSeconds = 1;
  Deadline whole = deadline;
  deadline = Deadline(std::min(kMostSeconds, whole.getSecondsLeft() / 4));
  std::set<unsigned> before = std::exchange(used, {});
  unsigned next = kFirstNumber;
  auto makeNumber = [&] { return context.read(next++, {}); };
  auto follows = [&](const PolyRef &term) {
    return prove(Ground::makeZero(term), {});
  };
  for (unsigned i = 0; i < arity; ++i) {
    if (isRefuted(name, arity, i, models))
      continue;
    llvm::SmallVector<PolyRef> args;
    for (unsigned k = 0; k < arity; ++k)
      args.push_back(makeNumber());
    PolyRef x = args[i], y = makeNumber();
    auto apply = [&](const PolyRef &arg) {
      args[i] = arg;
      return context.function(name, args);
    };
    law.additive[i] = follows(
        context.sub(apply(context.add(x, y)), context.add(apply(x), apply(y))));
  }
  if (arity == 1 && law.additive[0]) {
    PolyRef x = makeNumber(), c = makeNumber();
    law.homogeneous =
        follows(context.sub(context.function(name, {context.mul(c, x)}),
                            context.mul(c, context.function(name, {x}))));
  }
  deadline = whole;
  law.used = std::exchange(used, before);
  if (llvm::is_contained(law.additive, true))
    linear[name.str()] = law;
}
