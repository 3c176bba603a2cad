//===- Ground.h - Formulas without variables --------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SOLVE_GROUND_H
#define MIRAGE_LIB_SOLVE_GROUND_H

#include "Formulas.h"
#include "Mirage/Prove/GraphTerms.h"

namespace mirage::solve {

/// A formula without variables, over terms in normal form.
struct Ground {
  enum class Kind { True, False, Zero, NonNegative, Positive, Not, And, Or };
  Kind kind = Kind::True;
  prove::PolyRef term;
  std::vector<Ground> args;

  static Ground makeZero(prove::PolyRef term);
  static Ground makeNonNegative(prove::PolyRef term);
  static Ground makePositive(prove::PolyRef term);
  static Ground makeNot(Ground arg);
  static Ground makeAnd(std::vector<Ground> args);
  static Ground makeOr(std::vector<Ground> args);
};

/// What must hold for a term to be defined.
Ground getCondition(const prove::Obligation &obligation);

/// Scalar formulas as terms in normal form. Opaque operators are made by
/// `opaque`.
class PolyAlgebra final : public ListAlgebra<prove::PolyRef> {
public:
  PolyAlgebra(prove::TermContext &context, const prove::FunctionMaker &opaque)
      : context(context), opaque(opaque) {}

  Term constant(double value) override { return make(context.constant(value)); }
  Term add(Term a, Term b) override {
    return make(context.add(get(a), get(b)));
  }
  Term sub(Term a, Term b) override {
    return make(context.sub(get(a), get(b)));
  }
  Term mul(Term a, Term b) override {
    return make(context.mul(get(a), get(b)));
  }
  Term div(Term a, Term b) override {
    return make(context.mul(get(a), context.inverse(get(b))));
  }
  Term max(Term a, Term b) override {
    return make(context.max(get(a), get(b)));
  }
  Term exp(Term a) override { return make(context.exp(get(a))); }
  Term sqrt(Term a) override { return make(context.sqrt(get(a))); }
  Term log(Term a) override { return make(context.log(get(a))); }
  Term erf(Term a) override { return make(context.function("erf", get(a))); }
  Term where(Term condition, Term value) override {
    return make(context.function("where", {get(condition), get(value)}));
  }
  Term function(llvm::StringRef name, llvm::ArrayRef<Term> operands,
                llvm::function_ref<Term()> definition) override;

private:
  prove::TermContext &context;
  const prove::FunctionMaker &opaque;
};

/// The formula, and that its terms are defined implies it, for values of the
/// variables. The context has failed where it can't be written down.
Ground instantiate(const Formula &formula, PolyAlgebra &algebra,
                   prove::TermContext &context, const Assignment &assignment);

/// Visits all bases of a term, those inside of others first.
void forEachBase(const prove::Poly &term,
                 llvm::function_ref<void(const prove::BaseRef &)> visit);
void forEachTerm(const Ground &formula,
                 llvm::function_ref<void(const prove::PolyRef &)> visit);

} // namespace mirage::solve

#endif // MIRAGE_LIB_SOLVE_GROUND_H
