//===- Axioms.h - Laws of operators -----------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SOLVE_AXIOMS_H
#define MIRAGE_SOLVE_AXIOMS_H

#include "Mirage/Numbers/BallNumbers.h"
#include "Mirage/Operators/Elementwise.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>

/// Laws of operators in first-order logic: the language of docs/Axioms.md.
namespace mirage::solve {

struct Term;
struct Formula;
using TermRef = std::shared_ptr<const Term>;
using FormulaRef = std::shared_ptr<const Formula>;

/// A real number.
struct Term {
  enum class Kind {
    Number,   ///< significand * 10^exponent
    Variable, ///< number `variable` of the axiom
    Add,
    Sub,
    Mul,
    Div,
    Operator, ///< a built-in elementwise operator
    Function, ///< the opaque operator `name`
    Sum,      ///< of args[0] over any index
  };
  Kind kind = Kind::Number;
  double significand = 0;
  int exponent = 0;
  unsigned variable = 0;
  const ElementwiseOperator *op = nullptr;
  Params params;
  std::string name;
  std::vector<TermRef> args;
};

struct Formula {
  enum class Kind { Equal, Less, LessEqual, Not, And, Or, Implies };
  Kind kind = Kind::Equal;
  TermRef lhs, rhs;
  std::vector<FormulaRef> args;
};

/// A formula that holds for all values of its variables for which all of its
/// terms are defined.
struct Axiom {
  /// As written, and where.
  std::string text;
  unsigned line = 0, column = 0;
  std::vector<std::string> variables;
  /// Whether a variable occurs in sums only, so that it has a value for each
  /// index.
  std::vector<bool> isFamily;
  FormulaRef formula;
  bool hasFunctions = false, hasSums = false;
};

/// A function that may stand for an opaque operator.
struct Member {
  std::string text;
  std::function<ScalarAlgebra::Term(ScalarAlgebra &,
                                    llvm::ArrayRef<ScalarAlgebra::Term>)>
      apply;
};
/// Functions for the opaque operators for which the axioms hold.
struct Model {
  std::map<std::string, Member> functions;
  /// Whether the solver has proved that the axioms hold; on thousands of points
  /// they always do.
  bool confirmed = false;

  /// "F(x) = 3/2 * x, .."
  std::string getText() const;
  /// For programs, over the reals. The model must outlive it.
  FunctionTable getTable() const;
};

/// The axioms of a file.
struct Axioms {
  std::string file;
  /// The opaque operators and their numbers of operands.
  std::map<std::string, unsigned> functions;
  std::vector<Axiom> axioms;
  /// Axioms about built-in functions alone that hold wherever they were tried,
  /// but don't follow from what is known of these: no proof uses them.
  std::vector<unsigned> unconfirmed;
  /// Some models of the axioms, the most telling ones first.
  std::vector<Model> models;

  /// Whether some model is confirmed: then the axioms don't contradict each
  /// other.
  bool areConsistent() const;
};

/// Reads the language. Errors start with "FILE:LINE:COLUMN: ".
llvm::Expected<Axioms> parseAxioms(llvm::StringRef text, llvm::StringRef file);

/// Reads a file's text and checks what it says: an axiom about built-in
/// functions that is false somewhere, or axioms that contradict each other, are
/// errors, too. Takes some seconds at most.
llvm::Expected<Axioms> readAxioms(llvm::StringRef text, llvm::StringRef file);

/// The axioms that the definitions of built-in operators state.
const std::vector<Axiom> &getBuiltinAxioms();

/// A point where an axiom is certainly false in f64, as "c = -1, x = 2";
/// nothing when none of thousands is. Without a model the axiom must be about
/// built-in functions alone.
std::optional<std::string>
findCounterexample(const Axiom &axiom, const Model *model, unsigned points);

} // namespace mirage::solve

#endif // MIRAGE_SOLVE_AXIOMS_H
