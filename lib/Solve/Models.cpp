//===- Models.cpp - Functions that satisfy axioms -------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formulas.h"
#include <cmath>

using namespace mirage;
using namespace mirage::solve;
using Handle = ScalarAlgebra::Term;
using Args = llvm::ArrayRef<Handle>;
using Algebra = ScalarAlgebra;

static Handle negate(Algebra &a, Handle x) { return a.sub(a.constant(0), x); }
static Handle sumAll(Algebra &a, Args x) {
  Handle sum = x[0];
  for (Handle term : x.drop_front())
    sum = a.add(sum, term);
  return sum;
}

/// Functions of some operands; those that satisfy fewer laws by accident first.
static std::vector<Member> getFamily(unsigned arity,
                                     llvm::ArrayRef<double> numbers) {
  std::vector<Member> family;
  auto add = [&](llvm::StringRef text, auto apply) {
    family.push_back({text.str(), apply});
  };
  auto format = [](double number) {
    std::string text = std::to_string(number);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
      text.pop_back();
    return text;
  };
  if (arity == 1) {
    add("3/2 * x",
        [](Algebra &a, Args x) { return a.mul(a.constant(1.5), x[0]); });
    add("-x", [](Algebra &a, Args x) { return negate(a, x[0]); });
    add("x", [](Algebra &, Args x) { return x[0]; });
    add("3/2 * x + 1/2", [](Algebra &a, Args x) {
      return a.add(a.mul(a.constant(1.5), x[0]), a.constant(0.5));
    });
    add("|x|", [](Algebra &a, Args x) { return a.max(x[0], negate(a, x[0])); });
    add("max(x, 0)",
        [](Algebra &a, Args x) { return a.max(x[0], a.constant(0)); });
    add("min(x, 0)", [](Algebra &a, Args x) {
      return negate(a, a.max(negate(a, x[0]), a.constant(0)));
    });
    add("2 * max(x, 0)", [](Algebra &a, Args x) {
      return a.mul(a.constant(2), a.max(x[0], a.constant(0)));
    });
    add("x^2", [](Algebra &a, Args x) { return a.mul(x[0], x[0]); });
    add("-x^2",
        [](Algebra &a, Args x) { return negate(a, a.mul(x[0], x[0])); });
    add("x^3",
        [](Algebra &a, Args x) { return a.mul(x[0], a.mul(x[0], x[0])); });
    add("exp(x)", [](Algebra &a, Args x) { return a.exp(x[0]); });
    add("exp(-x)", [](Algebra &a, Args x) { return a.exp(negate(a, x[0])); });
    add("erf(x)", [](Algebra &a, Args x) { return a.erf(x[0]); });
    add("1 / (1 + exp(-x))", [](Algebra &a, Args x) {
      Handle one = a.constant(1);
      return a.div(one, a.add(one, a.exp(negate(a, x[0]))));
    });
    add("1 + x^2", [](Algebra &a, Args x) {
      return a.add(a.constant(1), a.mul(x[0], x[0]));
    });
  } else {
    add("3/2 * (x + y + ..)", [](Algebra &a, Args x) {
      return a.mul(a.constant(1.5), sumAll(a, x));
    });
    add("3 * x + 5 * y + ..", [](Algebra &a, Args x) {
      Handle sum = a.constant(0);
      for (size_t i = 0; i < x.size(); ++i)
        sum = a.add(sum, a.mul(a.constant(2. * i + 3), x[i]));
      return sum;
    });
    add("x * y * ..", [](Algebra &a, Args x) {
      Handle product = x[0];
      for (Handle factor : x.drop_front())
        product = a.mul(product, factor);
      return product;
    });
    add("x + y + ..", sumAll);
    add("max(x, y, ..)", [](Algebra &a, Args x) {
      Handle largest = x[0];
      for (Handle term : x.drop_front())
        largest = a.max(largest, term);
      return largest;
    });
    add("min(x, y, ..)", [](Algebra &a, Args x) {
      Handle largest = negate(a, x[0]);
      for (Handle term : x.drop_front())
        largest = a.max(largest, negate(a, term));
      return negate(a, largest);
    });
    add("the mean", [](Algebra &a, Args x) {
      return a.mul(a.constant(1. / x.size()), sumAll(a, x));
    });
    add("x - y - ..", [](Algebra &a, Args x) {
      Handle difference = x[0];
      for (Handle term : x.drop_front())
        difference = a.sub(difference, term);
      return difference;
    });
    add("the sum of squares", [](Algebra &a, Args x) {
      Handle sum = a.constant(0);
      for (Handle term : x)
        sum = a.add(sum, a.mul(term, term));
      return sum;
    });
    for (unsigned i = 0; i < arity; ++i)
      add("operand " + std::to_string(i),
          [i](Algebra &, Args x) { return x[i]; });
    for (unsigned i = 0; i < arity; ++i)
      add("max(operand " + std::to_string(i) + ", 0)",
          [i](Algebra &a, Args x) { return a.max(x[i], a.constant(0)); });
  }
  // With the numbers of the file.
  for (double number : numbers) {
    std::string text = format(number);
    if (arity == 1) {
      add(text + " * x", [number](Algebra &a, Args x) {
        return a.mul(a.constant(number), x[0]);
      });
      add("x + " + text, [number](Algebra &a, Args x) {
        return a.add(x[0], a.constant(number));
      });
      add(text + " * max(x, 0)", [number](Algebra &a, Args x) {
        return a.mul(a.constant(number), a.max(x[0], a.constant(0)));
      });
    } else {
      add(text + " * (x + y + ..)", [number](Algebra &a, Args x) {
        return a.mul(a.constant(number), sumAll(a, x));
      });
    }
    add(text, [number](Algebra &a, Args) { return a.constant(number); });
  }
  return family;
}

/// Whether a term is made of built-in functions and numbers.
static bool isBuiltin(const Term &term) {
  return term.kind != Term::Kind::Function && term.kind != Term::Kind::Sum &&
         llvm::all_of(term.args,
                      [](const TermRef &arg) { return isBuiltin(*arg); });
}

/// The function that an axiom F(x, y, ..) = t defines, if it is one.
static std::optional<Member> getDefinition(const Axiom &axiom,
                                           llvm::StringRef name) {
  const Formula &formula = *axiom.formula;
  if (formula.kind != Formula::Kind::Equal ||
      formula.lhs->kind != Term::Kind::Function || formula.lhs->name != name ||
      !isBuiltin(*formula.rhs))
    return std::nullopt;
  llvm::SmallVector<unsigned> variables;
  for (const TermRef &arg : formula.lhs->args) {
    if (arg->kind != Term::Kind::Variable ||
        llvm::is_contained(variables, arg->variable))
      return std::nullopt;
    variables.push_back(arg->variable);
  }
  if (variables.size() != axiom.variables.size())
    return std::nullopt;
  Member member;
  member.text = "as defined";
  member.apply = [variables, rhs = formula.rhs](Algebra &a, Args x) {
    Assignment assignment;
    assignment.values.resize(variables.size());
    for (size_t i = 0; i < variables.size(); ++i)
      assignment.values[variables[i]] = {x[i]};
    return evaluate(*rhs, a, assignment);
  };
  return member;
}

std::vector<Model> solve::findModels(const Axioms &axioms) {
  constexpr size_t kMaxNumbers = 6, kMaxModels = 6, kMaxTries = 4000;
  constexpr unsigned kFewPoints = 64, kManyPoints = 4000;
  std::vector<Model> models;
  if (axioms.functions.empty())
    return models;
  std::vector<double> numbers = {0, 1, 0.5};
  for (const Axiom &axiom : axioms.axioms) {
    std::vector<const Term *> written;
    collectNumbers(*axiom.formula, written);
    for (const Term *number : written)
      for (double sign : {1, -1}) {
        double value =
            sign * number->significand * std::pow(10, number->exponent);
        if (numbers.size() < kMaxNumbers && !llvm::is_contained(numbers, value))
          numbers.push_back(value);
      }
  }
  std::vector<std::string> names;
  std::vector<std::vector<Member>> families;
  size_t largestSum = 0;
  for (const auto &[name, arity] : axioms.functions) {
    names.push_back(name);
    families.push_back(getFamily(arity, numbers));
    for (const Axiom &axiom : axioms.axioms)
      if (auto member = getDefinition(axiom, name)) {
        families.back() = {*member};
        break;
      }
    largestSum += families.back().size() - 1;
  }
  auto holds = [&](const Model &model, unsigned points) {
    return llvm::none_of(axioms.axioms, [&](const Axiom &axiom) {
      return axiom.hasFunctions && findCounterexample(axiom, &model, points);
    });
  };
  // Members of small numbers first, so that no family is left out.
  size_t tries = 0;
  llvm::SmallVector<size_t> choice(names.size());
  std::function<void(size_t, size_t)> choose = [&](size_t place, size_t left) {
    if (models.size() >= kMaxModels || tries >= kMaxTries)
      return;
    if (place + 1 < names.size()) {
      for (size_t i = 0; i <= left && i < families[place].size(); ++i) {
        choice[place] = i;
        choose(place + 1, left - i);
      }
      return;
    }
    if (left >= families[place].size())
      return;
    choice[place] = left;
    ++tries;
    Model model;
    for (size_t f = 0; f < names.size(); ++f)
      model.functions[names[f]] = families[f][choice[f]];
    if (holds(model, kFewPoints) && holds(model, kManyPoints))
      models.push_back(std::move(model));
  };
  for (size_t sum = 0; sum <= largestSum; ++sum)
    choose(0, sum);
  return models;
}
