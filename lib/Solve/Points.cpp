//===- Points.cpp - Axioms on many points ---------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Formulas.h"
#include "Mirage/Numbers/Random.h"
#include "Mirage/Operators/TensorAlgebra.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mirage;
using namespace mirage::solve;
using Handle = ScalarAlgebra::Term;

namespace {

using Balls = BallNumbers<double>;

/// What is known of a formula at a point. Undefined: some term has no value.
enum class Truth : uint8_t { False, True, Unknown, Undefined };

/// The truth of a formula at each point.
class FormulaEvaluator {
public:
  FormulaEvaluator(TensorAlgebra &algebra, const Assignment &assignment,
                   int64_t points)
      : algebra(algebra), assignment(assignment), points(points) {}

  std::vector<Truth> run(const Formula &formula) {
    std::vector<std::vector<Truth>> args;
    for (const FormulaRef &arg : formula.args)
      args.push_back(run(*arg));
    Handle lhs = 0, rhs = 0;
    if (formula.lhs) {
      lhs = evaluate(*formula.lhs, algebra, assignment);
      rhs = evaluate(*formula.rhs, algebra, assignment);
    }
    std::vector<Truth> result(points);
    for (int64_t i = 0; i < points; ++i) {
      if (formula.lhs)
        result[i] =
            compare(formula.kind, algebra.get(lhs), algebra.get(rhs), i);
      else
        result[i] = combine(formula.kind, args, i);
    }
    return result;
  }

private:
  static Truth compare(Formula::Kind kind, const Tensor &lhs, const Tensor &rhs,
                       int64_t i) {
    auto isUndefined = [i](const Tensor &t) {
      return !t.undefined.empty() && t.undefined[i];
    };
    if (isUndefined(lhs) || isUndefined(rhs))
      return Truth::Undefined;
    double x = lhs.planes[0].as<double>()[i], y = rhs.planes[0].as<double>()[i];
    double error =
        2 * (lhs.planes[1].as<double>()[i] + rhs.planes[1].as<double>()[i]);
    bool exact = error == 0;
    // As in BallNumbers::findDifference.
    error += exact ? 0 : std::numeric_limits<double>::min();
    bool less = x + error < y, greater = y + error < x;
    if (!(error < std::numeric_limits<double>::infinity()))
      return Truth::Unknown;
    switch (kind) {
    case Formula::Kind::Equal:
      return exact && x == y   ? Truth::True
             : less || greater ? Truth::False
                               : Truth::Unknown;
    case Formula::Kind::Less:
      return less                           ? Truth::True
             : greater || (exact && x == y) ? Truth::False
                                            : Truth::Unknown;
    default:
      return less || (exact && x == y) ? Truth::True
             : greater                 ? Truth::False
                                       : Truth::Unknown;
    }
  }

  static Truth negate(Truth truth) {
    return truth == Truth::True    ? Truth::False
           : truth == Truth::False ? Truth::True
                                   : truth;
  }

  static Truth combine(Formula::Kind kind,
                       llvm::ArrayRef<std::vector<Truth>> args, int64_t i) {
    Truth a = args[0][i];
    if (kind == Formula::Kind::Not)
      return negate(a);
    Truth b = args[1][i];
    if (a == Truth::Undefined || b == Truth::Undefined)
      return Truth::Undefined;
    // a and b = not (not a or not b); a => b = not a or b.
    if (kind == Formula::Kind::And)
      b = negate(b);
    if (kind != Formula::Kind::Or)
      a = negate(a);
    Truth either = a == Truth::True || b == Truth::True         ? Truth::True
                   : a == Truth::Unknown || b == Truth::Unknown ? Truth::Unknown
                                                                : Truth::False;
    return kind == Formula::Kind::And ? negate(either) : either;
  }

  TensorAlgebra &algebra;
  const Assignment &assignment;
  int64_t points;
};

} // namespace

/// Numbers at which formulas are likely to fail.
static std::vector<double> getSpecialNumbers(const Axiom &axiom) {
  std::vector<double> numbers = {
      0,     1,   -1,   2,   -2,   0.5,  -0.5,  3,    -3,    10,   -10,  1e-3,
      -1e-3, 100, -100, 1e6, -1e6, 1e12, -1e12, 1e30, -1e30, 1e-9, -1e-9};
  std::vector<const Term *> written;
  collectNumbers(*axiom.formula, written);
  for (const Term *number : written) {
    double value = number->significand * std::pow(10, number->exponent);
    for (double special : {value, -value, value + 1, value - 1, 2 * value})
      numbers.push_back(special);
    if (value != 0)
      numbers.push_back(1 / value);
  }
  return numbers;
}

std::optional<std::string> solve::findCounterexample(const Axiom &axiom,
                                                     const Model *model,
                                                     unsigned points) {
  Balls numbers(1, false, model ? model->getTable() : FunctionTable());
  std::vector<double> special = getSpecialNumbers(axiom);
  Shape shape{axiom.variables.empty() ? 1 : int64_t(points)};
  for (unsigned count : getCounts(axiom)) {
    TensorAlgebra algebra(numbers, shape);
    Assignment assignment;
    assignment.count = count;
    uint64_t stream = 0;
    for (bool isFamily : axiom.isFamily) {
      auto &values = assignment.values.emplace_back();
      for (unsigned i = 0; i < (isFamily ? count : 1); ++i, ++stream) {
        Tensor tensor = numbers.random(shape, /*seed=*/1, stream);
        double *x = tensor.planes[0].as<double>();
        for (int64_t p = 0; p < shape[0]; ++p) {
          uint64_t word = randomWord(2, stream, p);
          constexpr double kScales[] = {1, 4, 16, 1e3, 1e8};
          // The first points are special in all variables.
          if (p < shape[0] / 4 || word % 4 == 0)
            x[p] = special[(word >> 8) % special.size()];
          else
            x[p] *= kScales[(word >> 8) % std::size(kScales)];
        }
        // All special numbers of a single variable, one after the other.
        if (stream == 0)
          for (int64_t p = 0; p < std::min<int64_t>(special.size(), shape[0]);
               ++p)
            x[p] = special[p];
        values.push_back(algebra.make(std::move(tensor)));
      }
    }
    std::vector<Truth> truths =
        FormulaEvaluator(algebra, assignment, shape[0]).run(*axiom.formula);
    for (auto [p, truth] : llvm::enumerate(truths)) {
      if (truth != Truth::False)
        continue;
      std::string place;
      llvm::raw_string_ostream out(place);
      llvm::ListSeparator separator;
      for (auto [name, values] :
           llvm::zip_equal(axiom.variables, assignment.values))
        for (auto [i, value] : llvm::enumerate(values)) {
          out << separator << name;
          if (values.size() > 1)
            out << '[' << i << ']';
          out << " = "
              << llvm::format("%.6g",
                              algebra.get(value).planes[0].as<double>()[p]);
        }
      return place;
    }
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

std::string Model::getText() const {
  std::string text;
  for (const auto &[name, member] : functions)
    text += (text.empty() ? "" : ", ") + name + "(..) = " + member.text;
  return text;
}

FunctionTable Model::getTable() const {
  return [this](const NumberSystem &numbers, llvm::StringRef name,
                llvm::ArrayRef<Tensor> operands) -> std::optional<Tensor> {
    auto it = functions.find(name.str());
    if (it == functions.end())
      return std::nullopt;
    TensorAlgebra algebra(numbers, operands[0].shape);
    llvm::SmallVector<Handle> handles;
    for (const Tensor &operand : operands)
      handles.push_back(algebra.refer(operand));
    return algebra.take(it->second.apply(algebra, handles));
  };
}

bool Axioms::areConsistent() const {
  return functions.empty() ||
         llvm::any_of(models, [](const Model &m) { return m.confirmed; });
}
