//===- FormArithmetic.cpp - Quotients of polynomials, by size -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FormArithmetic.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace mirage;
using namespace mirage::forms;
using llvm::ArrayRef;

Variables forms::unite(ArrayRef<uint32_t> a, ArrayRef<uint32_t> b) {
  Variables result;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(),
                 std::back_inserter(result));
  return result;
}

/// log2(2^a + 2^b)
static double addLogs(double a, double b) {
  double larger = std::max(a, b);
  return std::isinf(larger)
             ? larger
             : larger + std::log2(1 + std::exp2(std::min(a, b) - larger));
}

/// The size of the sum.
static Size addSizes(const Size &a, const Size &b, bool exponentials) {
  return {std::max(a.degree, b.degree), addLogs(a.height, b.height),
          exponentials ? addLogs(a.logTerms, b.logTerms) : 0,
          std::max(a.exponentDegree, b.exponentDegree),
          std::max(a.exponentHeight, b.exponentHeight)};
}

template <typename List> static auto *find(List &list, uint32_t id) {
  auto it = llvm::find_if(list, [&](const auto &x) { return x.id == id; });
  return it == list.end() ? nullptr : &*it;
}

static std::vector<Atom> uniteAtoms(const std::vector<Atom> &a,
                                    const std::vector<Atom> &b) {
  std::vector<Atom> result = a;
  for (const Atom &atom : b)
    if (!find(result, atom.id))
      result.push_back(atom);
  return result;
}

/// What the result of any function of two forms inherits.
static Form inherit(const Form &a, const Form &b) {
  Form result;
  result.roots = uniteAtoms(a.roots, b.roots);
  result.functions = uniteAtoms(a.functions, b.functions);
  result.argumentDegree = std::max(a.argumentDegree, b.argumentDegree);
  result.argumentHeight = std::max(a.argumentHeight, b.argumentHeight);
  result.exponentials = a.exponentials || b.exponentials;
  result.variables = unite(a.variables, b.variables);
  return result;
}

Form forms::addForms(const Form &a, const Form &b) {
  Form result = inherit(a, b);
  result.shift = std::max(a.shift, b.shift);
  // What each numerator must be multiplied by for the common denominator.
  Size left, right;
  result.divisors = a.divisors;
  for (const Divisor &divisor : b.divisors) {
    Divisor *other = find(result.divisors, divisor.id);
    double has = other ? other->multiplicity : 0;
    if (divisor.multiplicity > has)
      left = left + divisor.size * (divisor.multiplicity - has);
    if (!other)
      result.divisors.push_back(divisor);
    else
      other->multiplicity = std::max(has, divisor.multiplicity);
  }
  for (const Divisor &divisor : a.divisors) {
    const Divisor *other = find(b.divisors, divisor.id);
    double has = other ? other->multiplicity : 0;
    if (divisor.multiplicity > has)
      right = right + divisor.size * (divisor.multiplicity - has);
  }
  left = left + a.numerator;
  right = right + b.numerator;
  left.height += result.shift - a.shift;
  right.height += result.shift - b.shift;
  result.numerator = addSizes(left, right, result.exponentials);
  return result;
}

Form forms::multiplyForms(const Form &a, const Form &b) {
  Form result = inherit(a, b);
  result.numerator = a.numerator + b.numerator;
  result.shift = a.shift + b.shift;
  result.divisors = a.divisors;
  for (const Divisor &divisor : b.divisors) {
    if (Divisor *other = find(result.divisors, divisor.id))
      other->multiplicity += divisor.multiplicity;
    else
      result.divisors.push_back(divisor);
  }
  return result;
}

Form forms::divideForms(const Form &a, const Form &b, uint32_t id) {
  Form reciprocal = b;
  reciprocal.numerator = b.getDenominator();
  reciprocal.numerator.height += b.shift;
  reciprocal.shift = 0;
  reciprocal.divisors.assign(1, Divisor{{id, b.variables}, b.numerator});
  return multiplyForms(a, reciprocal);
}

Form forms::makeConstant(double value) {
  Form result;
  if (value == 0)
    return result;
  if (!std::isfinite(value)) {
    result.numerator.height = INFINITY;
    return result;
  }
  int exponent = 0;
  double fraction = std::abs(std::frexp(value, &exponent));
  while (fraction != std::floor(fraction)) {
    fraction *= 2;
    --exponent;
  }
  result.numerator.height = std::log2(fraction) + std::max(exponent, 0);
  result.shift = std::max(-exponent, 0);
  return result;
}

// y = sqrt(N / (2^s D)) = sqrt(2^s N D) / (2^s D): y D is the root of a
// polynomial.
Form forms::makeRoot(const Form &a, uint32_t id) {
  Form result = a;
  Size radicand = a.numerator + a.getDenominator();
  radicand.height += a.shift;
  result.numerator = radicand * 0.5;
  result.roots.push_back(Atom{{id, a.variables}});
  return result;
}

Form forms::makeExponential(const Form &a) {
  Form result = a;
  Size denominator = a.getDenominator();
  result.numerator = {};
  result.numerator.exponentDegree =
      std::max(a.numerator.degree, denominator.degree);
  result.numerator.exponentHeight =
      a.shift + std::max(a.numerator.height, denominator.height);
  // An exponential of an exponential has no value in the field.
  if (a.exponentials)
    result.numerator.exponentDegree = INFINITY;
  result.exponentials = true;
  result.shift = 0;
  result.divisors.clear();
  return result;
}

Form forms::makeFunction(const Form &argument, uint32_t id, double arguments) {
  Form result = argument;
  Size size = argument.numerator + argument.getDenominator();
  result.argumentDegree = std::max(argument.argumentDegree, size.degree);
  result.argumentHeight =
      std::max(argument.argumentHeight, size.height + argument.shift);
  result.functions.push_back(Atom{{id, argument.variables}, arguments});
  result.numerator = {};
  result.numerator.degree = 1;
  result.shift = 0;
  result.divisors.clear();
  return result;
}
