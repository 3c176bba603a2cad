//===- FormArithmetic.h - Quotients of polynomials, by size -----*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_VERIFY_FORMARITHMETIC_H
#define MIRAGE_LIB_VERIFY_FORMARITHMETIC_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

/// Upper bounds for the sizes of formulas, as quotients of polynomials: what
/// ElementForm (DegreeBound.h) is computed from.
namespace mirage::forms {

/// A sorted list of indices' variables.
using Variables = llvm::SmallVector<uint32_t, 4>;
Variables unite(llvm::ArrayRef<uint32_t> a, llvm::ArrayRef<uint32_t> b);

/// A polynomial's degree, the log2 of the sum of its coefficients' magnitudes,
/// log2 of the number of exponentials that it is a sum over, and the degree and
/// height of their exponents.
struct Size {
  double degree = 0, height = 0, logTerms = 0;
  double exponentDegree = 0, exponentHeight = 0;

  /// The size of the power.
  Size operator*(double exponent) const {
    return {degree * exponent, height * exponent, logTerms * exponent,
            exponentDegree * exponent, exponentHeight * exponent};
  }
  /// The size of the product.
  Size operator+(const Size &o) const {
    return {degree + o.degree, height + o.height, logTerms + o.logTerms,
            exponentDegree + o.exponentDegree,
            exponentHeight + o.exponentHeight};
  }
};

/// Something of which there is one for each value of some variables: a
/// divisor's numerator, a root, a function's value. Equal numbers mean the same
/// one.
struct Indexed {
  uint32_t id;
  Variables variables;
};
struct Divisor : Indexed {
  Size size;
  double multiplicity = 1;
};
struct Atom : Indexed {
  double count = 1;
};

/// N / (2^shift D), D a product of divisors.
struct Form {
  Size numerator;
  double shift = 0;
  std::vector<Divisor> divisors;
  std::vector<Atom> roots, functions;
  double argumentDegree = 0, argumentHeight = 0;
  bool exponentials = false;
  Variables variables;

  Size getDenominator() const {
    Size size;
    for (const Divisor &divisor : divisors)
      size = size + divisor.size * divisor.multiplicity;
    return size;
  }
};

/// The form of the sum, or of the difference.
Form addForms(const Form &a, const Form &b);
Form multiplyForms(const Form &a, const Form &b);
/// `id` names b's numerator.
Form divideForms(const Form &a, const Form &b, uint32_t id);
Form makeConstant(double value);
/// `id` names the root.
Form makeRoot(const Form &a, uint32_t id);
Form makeExponential(const Form &a);
/// The value of a function, a variable of its own. `argument` inherits from all
/// arguments and has their largest numerator and divisors.
Form makeFunction(const Form &argument, uint32_t id, double arguments);

} // namespace mirage::forms

#endif // MIRAGE_LIB_VERIFY_FORMARITHMETIC_H
