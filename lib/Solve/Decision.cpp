//===- Decision.cpp - What follows from axioms ----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decision.h"
#include "Mirage/Operators/Custom.h"

using namespace mirage;
using namespace mirage::prove;
using namespace mirage::solve;
using llvm::ArrayRef;

static const Rational kOne(1, 1);

Decision::Decision(TermContext &context, ArrayRef<Axiom> axioms,
                   ArrayRef<unsigned> unconfirmed, Deadline deadline)
    : context(context), axioms(axioms),
      unconfirmed(unconfirmed.begin(), unconfirmed.end()), deadline(deadline),
      maker(getMaker()) {}

//===----------------------------------------------------------------------===//
// Instances of axioms
//===----------------------------------------------------------------------===//

/// Whether a base is one that axioms are needed for.
static bool isFunction(const Base &base) {
  return base.kind == Base::Kind::Function || base.kind == Base::Kind::Exp;
}

/// Whether a term is about bound indices, and so means nothing on its own.
static bool hasBoundIndices(ArrayRef<Var> free) {
  return llvm::any_of(free, [](Var var) { return var < 0; });
}

static std::set<int64_t> getFunctionValues(const Ground &formula) {
  std::set<int64_t> values;
  forEachTerm(formula, [&](const PolyRef &term) {
    forEachBase(*term, [&](const BaseRef &base) {
      if (isFunction(*base))
        values.insert(base->id);
    });
  });
  return values;
}

static std::set<std::string> getFunctionNames(const Ground &formula) {
  std::set<std::string> names;
  forEachTerm(formula, [&](const PolyRef &term) {
    forEachBase(*term, [&](const BaseRef &base) {
      if (isFunction(*base))
        names.insert(base->kind == Base::Kind::Exp ? "exp" : base->name);
    });
  });
  return names;
}

void Decision::collectTerms(ArrayRef<Ground> formulas,
                            std::vector<PolyRef> &terms) {
  std::set<int64_t> seen;
  auto add = [&](const PolyRef &term) {
    if (!hasBoundIndices(term->free) && seen.insert(term->id).second)
      terms.push_back(term);
  };
  std::vector<BaseRef> functions, others;
  std::set<int64_t> seenBases;
  std::vector<PolyRef> whole;
  for (const Ground &formula : formulas)
    forEachTerm(formula, [&](const PolyRef &term) {
      whole.push_back(term);
      forEachBase(*term, [&](const BaseRef &base) {
        if (!hasBoundIndices(base->free) && seenBases.insert(base->id).second)
          (base->kind == Base::Kind::Function ? functions : others)
              .push_back(base);
      });
    });
  // What functions are applied to, and the parts of it.
  auto addParts = [&](const PolyRef &term) {
    for (const Monomial &monomial : term->monomials) {
      if (!monomial.bound.empty())
        continue;
      PolyRef product = context.product(kOne, monomial.factors);
      add(product);
      if (monomial.coefficient != kOne) {
        add(context.constant(monomial.coefficient));
        add(context.product(monomial.coefficient, monomial.factors));
      }
      for (const Factor &factor : monomial.factors) {
        PolyRef power = context.product(kOne, {factor});
        std::vector<Factor> rest;
        for (const Factor &other : monomial.factors)
          if (other.base->id != factor.base->id)
            rest.push_back(other);
        add(power);
        add(context.product(kOne, rest));
      }
    }
  };
  for (const BaseRef &base : functions)
    for (const PolyRef &arg : base->args)
      add(arg);
  for (const BaseRef &base : functions)
    for (const PolyRef &arg : base->args)
      addParts(arg);
  for (const BaseRef &base : functions)
    add(context.product(kOne, {{base, kOne}}));
  for (const BaseRef &base : others) {
    if (base->kind == Base::Kind::Exp || base->kind == Base::Kind::Poly)
      for (const PolyRef &arg : base->args)
        add(arg);
    for (const Monomial &entry : base->entries)
      if (entry.bound.empty())
        add(entry.factors[0].base->args[0]);
    if (base->kind == Base::Kind::Read)
      add(context.product(kOne, {{base, kOne}}));
  }
  for (const PolyRef &term : whole)
    addParts(term);
  add(context.zero());
  add(context.constant(kOne));
  // A difference of two operands is what turns one into the other.
  for (const BaseRef &a : functions)
    for (const BaseRef &b : functions)
      if (a->id != b->id && a->name == b->name && a->args.size() == 1 &&
          b->args.size() == 1)
        add(context.sub(a->args[0], b->args[0]));
}

std::vector<Decision::Instance>
Decision::makeInstances(ArrayRef<PolyRef> terms,
                        const std::set<std::string> &functions) {
  std::vector<Instance> instances;
  // What is made after a failure means nothing.
  if (context.hasFailed())
    return instances;
  // The number of tuples that are tried for one axiom.
  constexpr size_t kMaxTuples = 3000;
  // An axiom matters if it speaks of a function that occurs.
  auto mayMatter = [&](const Axiom &axiom) {
    PolyAlgebra algebra(context, maker);
    Assignment assignment;
    for (size_t i = 0; i < axiom.variables.size(); ++i)
      assignment.values.push_back(
          {algebra.make(context.read(kFirstNumber + i, {}))});
    Ground formula = instantiate(*axiom.formula, algebra, context, assignment);
    std::set<std::string> names = getFunctionNames(formula);
    return llvm::any_of(
        names, [&](const std::string &name) { return functions.count(name); });
  };
  auto add = [&](const Axiom &axiom, std::optional<unsigned> number) {
    for (unsigned count : getCounts(axiom)) {
      if (count > 2)
        continue;
      size_t places = 0;
      for (bool isFamily : axiom.isFamily)
        places += isFamily ? count : 1;
      size_t limit = terms.size();
      while (limit > 1 && std::pow(limit, places) > kMaxTuples)
        --limit;
      llvm::SmallVector<size_t> choice(places, 0);
      for (bool more = limit > 0; more && !deadline.hasPassed();) {
        PolyAlgebra algebra(context, maker);
        Assignment assignment;
        assignment.count = count;
        size_t place = 0;
        for (bool isFamily : axiom.isFamily) {
          auto &values = assignment.values.emplace_back();
          for (unsigned i = 0; i < (isFamily ? count : 1); ++i)
            values.push_back(algebra.make(terms[choice[place++]]));
        }
        Instance instance;
        instance.axiom = number;
        instance.formula =
            instantiate(*axiom.formula, algebra, context, assignment);
        bool failed = context.hasFailed();
        context.forgetFailure();
        if (!failed && instance.formula.kind != Ground::Kind::True) {
          instance.values = getFunctionValues(instance.formula);
          instances.push_back(std::move(instance));
        }
        more = false;
        for (size_t &digit : choice) {
          if (++digit < limit) {
            more = true;
            break;
          }
          digit = 0;
        }
      }
    }
  };
  for (auto [number, axiom] : llvm::enumerate(axioms))
    if (!unconfirmed.count(number))
      add(axiom, number);
  for (const Axiom &axiom : getBuiltinAxioms())
    if (!functions.empty() && mayMatter(axiom))
      add(axiom, std::nullopt);
  return instances;
}

//===----------------------------------------------------------------------===//
// Proofs
//===----------------------------------------------------------------------===//

Satisfiability Decision::check(ArrayRef<Ground> formulas,
                               ArrayRef<const Instance *> instances,
                               double seconds) {
  try {
    Z3Problem problem(context);
    for (const Ground &formula : formulas)
      problem.require(formula);
    for (const Instance *instance : instances)
      problem.require(instance->formula);
    return problem.check(seconds);
  } catch (const z3::exception &) {
    // What Z3 can't do is unknown.
    return Satisfiability::Unknown;
  }
}

/// Whether Z3's answer is a proof, and of what: the axioms must not prove
/// everything, and those that aren't needed are left out.
bool Decision::acceptProof(const Ground &negation,
                           const std::vector<Ground> &hypotheses,
                           std::vector<const Instance *> instances) {
  if (instances.empty())
    return true;
  constexpr double kSeconds = 1;
  if (check(hypotheses, instances, kSeconds) == Satisfiability::Unsatisfiable) {
    contradiction = true;
    return false;
  }
  std::set<unsigned> numbers;
  for (const Instance *instance : instances)
    if (instance->axiom)
      numbers.insert(*instance->axiom);
  std::vector<Ground> formulas = hypotheses;
  formulas.push_back(negation);
  for (unsigned number : std::set<unsigned>(numbers)) {
    auto fewer = instances;
    llvm::erase_if(fewer, [&](auto *i) { return i->axiom == number; });
    if (check(formulas, fewer, kSeconds) != Satisfiability::Unsatisfiable)
      continue;
    instances = std::move(fewer);
    numbers.erase(number);
  }
  used.insert(numbers.begin(), numbers.end());
  return true;
}

bool Decision::decide(const Ground &goal,
                      const std::vector<Ground> &hypotheses) {
  Ground negation = Ground::makeNot(goal);
  std::vector<Ground> formulas = hypotheses;
  formulas.push_back(negation);
  double third = deadline.getSecondsLeft() / 3;
  if (check(formulas, {}, third) == Satisfiability::Unsatisfiable)
    return true;

  std::vector<PolyRef> terms;
  collectTerms(formulas, terms);
  std::set<int64_t> known;
  std::set<std::string> functions;
  for (const Ground &formula : formulas) {
    known.merge(getFunctionValues(formula));
    functions.merge(getFunctionNames(formula));
  }
  std::vector<Instance> instances = makeInstances(terms, functions);
  auto countNew = [&](const Instance &instance) {
    return llvm::count_if(instance.values,
                          [&](int64_t v) { return !known.count(v); });
  };
  // First what speaks of nothing new, then what leads to a new value, and what
  // speaks of these.
  std::vector<const Instance *> chosen;
  std::set<int64_t> seen;
  constexpr size_t kMaxInstances = 250;
  for (unsigned round = 0; round < 3; ++round) {
    std::set<int64_t> added;
    size_t before = chosen.size();
    for (const Instance &instance : instances) {
      auto fresh = static_cast<size_t>(countNew(instance));
      bool isRelevant =
          instance.values.empty()
              ? instance.axiom && axioms[*instance.axiom].hasFunctions
              : fresh == 0 || (round == 1 && fresh == 1 &&
                               instance.values.size() > 1 && instance.axiom);
      if (!isRelevant || chosen.size() >= kMaxInstances ||
          llvm::is_contained(chosen, &instance))
        continue;
      chosen.push_back(&instance);
      added.insert(instance.values.begin(), instance.values.end());
    }
    known.insert(added.begin(), added.end());
    if (chosen.size() == before || deadline.hasPassed())
      continue;
    if (check(formulas, chosen,
              std::min(third / 2, deadline.getSecondsLeft())) ==
        Satisfiability::Unsatisfiable)
      return acceptProof(negation, hypotheses, chosen);
  }
  return false;
}

/// Adds that functions of equal arguments are equal, for those that occur.
void Decision::addCongruences(std::vector<Ground> &hypotheses,
                              const Ground &goal, unsigned depth) {
  std::vector<BaseRef> bases;
  std::set<int64_t> seen;
  auto collect = [&](const Ground &formula) {
    forEachTerm(formula, [&](const PolyRef &term) {
      forEachBase(*term, [&](const BaseRef &base) {
        if (!base->args.empty() && !hasBoundIndices(base->free) &&
            seen.insert(base->id).second)
          bases.push_back(base);
      });
    });
  };
  collect(goal);
  for (const Ground &hypothesis : std::vector<Ground>(hypotheses))
    collect(hypothesis);
  auto hasSums = [](const PolyRef &term) {
    bool found = false;
    auto look = [&](const Poly &poly) {
      found |= llvm::any_of(poly.monomials, [](const Monomial &monomial) {
        return !monomial.bound.empty();
      });
    };
    look(*term);
    forEachBase(*term, [&](const BaseRef &base) {
      for (const PolyRef &arg : base->args)
        look(*arg);
    });
    return found;
  };
  constexpr unsigned kMaxPairs = 40, kMaxDepth = 3;
  unsigned pairs = 0;
  for (size_t j = 0; j < bases.size(); ++j)
    for (size_t i = 0; i < j && pairs < kMaxPairs; ++i) {
      const Base &a = *bases[i], &b = *bases[j];
      if (a.kind != b.kind || a.name != b.name ||
          a.args.size() != b.args.size())
        continue;
      ++pairs;
      std::vector<Ground> clause;
      bool nested = false;
      for (auto [x, y] : llvm::zip_equal(a.args, b.args)) {
        PolyRef difference = context.sub(x, y);
        clause.push_back(Ground::makeNot(Ground::makeZero(difference)));
        nested |= hasSums(difference);
      }
      // Z3 knows polynomials, but not when two sums are equal.
      if (nested && depth < kMaxDepth)
        for (auto [x, y] : llvm::zip_equal(a.args, b.args))
          if (PolyRef difference = context.sub(x, y);
              isZero(difference, hypotheses, depth + 1))
            hypotheses.push_back(Ground::makeZero(difference));
      if (a.kind == Base::Kind::Poly)
        continue;
      clause.push_back(Ground::makeZero(
          context.sub(context.product(kOne, {{bases[i], kOne}}),
                      context.product(kOne, {{bases[j], kOne}}))));
      hypotheses.push_back(Ground::makeOr(std::move(clause)));
    }
}

bool Decision::prove(const Ground &goal, std::vector<Ground> hypotheses) {
  if (context.hasFailed() || deadline.hasPassed())
    return false;
  if (goal.kind == Ground::Kind::True)
    return true;
  addCongruences(hypotheses, goal, depthNow);
  return !context.hasFailed() && decide(goal, hypotheses);
}

bool Decision::isZero(const PolyRef &term, ArrayRef<Ground> hypotheses,
                      unsigned depth) {
  // After a failure all terms are zero and mean nothing.
  if (context.hasFailed() || deadline.hasPassed())
    return false;
  if (term->isZero())
    return true;
  bool hasSums = llvm::any_of(term->monomials, [](const Monomial &monomial) {
    return !monomial.bound.empty();
  });
  constexpr unsigned kMaxDepth = 3;
  if (hasSums && depth < kMaxDepth) {
    // Sums over equal ranges are equal if their terms are: one set of indices
    // for each range.
    std::map<std::vector<int64_t>, llvm::SmallVector<Var>> vars;
    std::map<std::vector<int64_t>, PolyRef> terms;
    for (const Monomial &monomial : term->monomials) {
      Monomial opened = context.openScope(monomial);
      std::vector<int64_t> range;
      for (const Bound &bound : opened.bound)
        range.push_back(bound.extent);
      auto &common = vars[range];
      if (common.empty())
        for (int64_t extent : range)
          common.push_back(context.makeVar(extent));
      PolyRef part = context.product(opened.coefficient, opened.factors);
      for (auto [bound, var] : llvm::zip_equal(opened.bound, common))
        part = context.substitute(part, bound.var,
                                  Index::fromVar(var, bound.extent));
      auto [it, isNew] = terms.try_emplace(range, part);
      if (!isNew)
        it->second = context.add(it->second, part);
    }
    if (context.hasFailed())
      return false;
    if (llvm::all_of(terms, [&](auto &entry) {
          return isZero(entry.second, hypotheses, depth + 1);
        }))
      return true;
  }
  if (context.hasFailed())
    return false;
  unsigned before = std::exchange(depthNow, depth);
  bool result =
      prove(Ground::makeZero(term),
            std::vector<Ground>(hypotheses.begin(), hypotheses.end()));
  depthNow = before;
  return result;
}

bool Decision::findContradiction() {
  std::vector<PolyRef> terms;
  std::set<int64_t> seen;
  auto add = [&](const PolyRef &term) {
    if (seen.insert(term->id).second)
      terms.push_back(term);
  };
  add(context.zero());
  add(context.constant(kOne));
  PolyRef x = context.read(kFirstNumber, {});
  add(x);
  add(context.constant(Rational(-1, 1)));
  PolyAlgebra algebra(context, maker);
  for (const Axiom &axiom : axioms) {
    std::vector<const Term *> numbers;
    collectNumbers(*axiom.formula, numbers);
    constexpr size_t kMaxTerms = 12;
    for (const Term *number : numbers)
      if (terms.size() < kMaxTerms)
        add(algebra.get(evaluate(*number, algebra, {})));
  }
  add(context.constant(Rational(2, 1)));
  // Values of functions, for axioms about functions of these.
  std::map<std::string, size_t> arities;
  for (const Instance &instance : makeInstances({x}, {}))
    forEachTerm(instance.formula, [&](const PolyRef &term) {
      forEachBase(*term, [&](const BaseRef &base) {
        if (base->kind == Base::Kind::Function && isFunctionName(base->name))
          arities[base->name] = base->args.size();
      });
    });
  for (const auto &[name, arity] : arities)
    for (const PolyRef &arg : {context.zero(), x})
      add(context.function(name, llvm::SmallVector<PolyRef>(arity, arg)));
  std::vector<Instance> instances = makeInstances(terms, {});
  // Those that speak of the least come first.
  std::vector<const Instance *> sorted;
  for (const Instance &instance : instances)
    sorted.push_back(&instance);
  llvm::sort(sorted, [](const Instance *a, const Instance *b) {
    return std::pair(a->values.size(), a) < std::pair(b->values.size(), b);
  });
  std::vector<const Instance *> chosen;
  std::vector<Ground> formulas;
  for (size_t limit : {40, 400}) {
    chosen.clear();
    formulas.clear();
    // Some of each axiom.
    std::map<unsigned, size_t> counts;
    for (const Instance *instance : sorted)
      if (counts[*instance->axiom]++ <
          limit / std::max<size_t>(axioms.size(), 1))
        chosen.push_back(instance);
    for (const Instance *instance : chosen)
      formulas.push_back(instance->formula);
    for (bool congruences : {false, true}) {
      if (congruences)
        addCongruences(formulas, Ground(), /*depth=*/0);
      if (check(formulas, {}, deadline.getSecondsLeft() / 4) ==
          Satisfiability::Unsatisfiable)
        return true;
    }
  }
  return false;
}
