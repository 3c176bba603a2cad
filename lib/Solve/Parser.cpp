//===- Parser.cpp - The language of axioms --------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Operators/Custom.h"
#include "Mirage/Solve/Axioms.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"

using namespace mirage;
using namespace mirage::solve;
using llvm::StringRef;

namespace {

enum class Token { Identifier, Number, Symbol, End };

/// A term or a formula, and where it starts.
struct Node {
  TermRef term;
  FormulaRef formula;
  size_t at = 0;
};

/// A recursive-descent parser. After the first error `failed` holds, everything
/// returns at once, and results mean nothing.
class Parser {
public:
  Parser(StringRef text, StringRef file) : text(text) {
    axioms.file = file.str();
    lex();
  }

  llvm::Expected<Axioms> parse() {
    while (!failed && token != Token::End) {
      tokens = 0;
      if (spelling == "function")
        parseDeclaration();
      else if (spelling == "axiom")
        parseAxiom();
      else
        fail(start, "expected 'axiom' or 'function', found " + describe());
    }
    if (failed)
      return llvm::createStringError(error);
    return std::move(axioms);
  }

private:
  //===--------------------------------------------------------------------===//
  // Tokens and errors
  //===--------------------------------------------------------------------===//

  std::pair<unsigned, unsigned> getPlace(size_t at) const {
    StringRef before = text.take_front(at);
    size_t lineStart = before.rfind('\n');
    return {before.count('\n') + 1,
            at - (lineStart == StringRef::npos ? 0 : lineStart + 1) + 1};
  }

  void fail(size_t at, const llvm::Twine &message) {
    if (failed)
      return;
    failed = true;
    auto [line, column] = getPlace(at);
    error = (llvm::Twine(axioms.file) + ":" + llvm::Twine(line) + ":" +
             llvm::Twine(column) + ": error: " + message)
                .str();
  }

  std::string describe() const {
    if (token == Token::End)
      return "the end of the file";
    return ("'" + spelling + "'").str();
  }

  void lex() {
    constexpr unsigned kMaxTokens = 2000;
    if (++tokens > kMaxTokens)
      fail(start, "an axiom of more than 2000 words");
    end = position;
    while (position < text.size()) {
      if (llvm::isSpace(text[position]))
        ++position;
      else if (text.substr(position).starts_with("//"))
        position = std::min(text.find('\n', position), text.size());
      else
        break;
    }
    start = position;
    token = Token::End;
    spelling = "";
    if (position == text.size())
      return;
    StringRef rest = text.substr(position);
    auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
    size_t length = 1;
    if (llvm::isAlpha(rest[0]) || rest[0] == '_') {
      token = Token::Identifier;
      length = rest.take_while(isWord).size();
    } else if (llvm::isDigit(rest[0])) {
      token = Token::Number;
      auto skipDigits = [&](size_t from) {
        return rest.substr(from).take_while(llvm::isDigit).size();
      };
      length = skipDigits(0);
      if (rest.substr(length).starts_with("."))
        if (size_t digits = skipDigits(length + 1))
          length += 1 + digits;
      StringRef tail = rest.substr(length);
      if (tail.starts_with_insensitive("e")) {
        size_t sign = tail.size() > 1 && (tail[1] == '-' || tail[1] == '+');
        if (size_t digits = skipDigits(length + 1 + sign))
          length += 1 + sign + digits;
      }
      if (length < rest.size() && isWord(rest[length]))
        fail(start, "a number ends in a letter");
    } else {
      token = Token::Symbol;
      for (StringRef symbol : {"=>", "<=", ">=", "!="})
        if (rest.starts_with(symbol))
          length = 2;
      if (length == 1 && !StringRef("=<>+-*/(),.").contains(rest[0]))
        fail(start, "unexpected character '" + rest.take_front(1) + "'");
    }
    spelling = rest.take_front(length);
    position += length;
  }

  bool consume(StringRef expected) {
    if (failed || spelling != expected)
      return false;
    lex();
    return true;
  }
  void expect(StringRef expected) {
    if (!consume(expected))
      fail(start, "expected '" + expected + "', found " + describe());
  }

  //===--------------------------------------------------------------------===//
  // Declarations and axioms
  //===--------------------------------------------------------------------===//

  std::string parseName(StringRef what) {
    if (token != Token::Identifier || isKeyword(spelling)) {
      fail(start, "expected " + what + ", found " + describe());
      return "";
    }
    std::string name = spelling.str();
    lex();
    return name;
  }

  static bool isKeyword(StringRef word) {
    return llvm::StringSwitch<bool>(word)
        .Cases({"axiom", "function", "forall", "and", "or", "not"}, true)
        .Default(false);
  }

  void parseDeclaration() {
    expect("function");
    size_t at = start;
    std::string name = parseName("the name of a function");
    if (!failed && !isFunctionName(name))
      fail(at, "'" + name + "' is a built-in operator");
    expect("(");
    unsigned arity = 0;
    if (token != Token::Number || spelling.getAsInteger(10, arity) ||
        arity < 1 || arity > 16)
      fail(start,
           "expected a number of operands from 1 to 16, found " + describe());
    lex();
    expect(")");
    if (!failed && !axioms.functions.try_emplace(name, arity).second)
      fail(at, "'" + name + "' is declared twice");
    hasDeclarations = true;
  }

  void parseAxiom() {
    axiom = Axiom();
    std::tie(axiom.line, axiom.column) = getPlace(start);
    size_t from = start;
    expect("axiom");
    if (consume("forall")) {
      do {
        size_t at = start;
        std::string name = parseName("the name of a variable");
        if (!failed && (lookupOperator(name) || axioms.functions.count(name)))
          fail(at, "'" + name + "' is a function, not a variable");
        if (!failed && llvm::is_contained(axiom.variables, name))
          fail(at, "'" + name + "' is bound twice");
        axiom.variables.push_back(name);
      } while (consume(","));
      expect(".");
    }
    occursOutside.assign(axiom.variables.size(), false);
    occursInside.assign(axiom.variables.size(), false);
    axiom.formula = getFormula(parseImplication());
    if (failed)
      return;
    axiom.text = text.slice(from, end).str();
    for (size_t i = 0; i < axiom.variables.size(); ++i)
      axiom.isFamily.push_back(occursInside[i] && !occursOutside[i]);
    axioms.axioms.push_back(std::move(axiom));
  }

  //===--------------------------------------------------------------------===//
  // Formulas
  //===--------------------------------------------------------------------===//

  FormulaRef getFormula(const Node &node) {
    if (!failed && !node.formula)
      fail(node.at, "expected a formula, found a number");
    return node.formula;
  }
  TermRef getTerm(const Node &node) {
    if (!failed && !node.term)
      fail(node.at, "expected a number, found a formula");
    return node.term;
  }

  static FormulaRef makeFormula(Formula::Kind kind,
                                std::vector<FormulaRef> args) {
    auto formula = std::make_shared<Formula>();
    formula->kind = kind;
    formula->args = std::move(args);
    return formula;
  }

  /// Operands of `word`, parsed by `parse`, grouped to the left.
  Node parseChain(StringRef word, Formula::Kind kind, Node (Parser::*parse)()) {
    Node left = (this->*parse)();
    while (!failed && spelling == word) {
      getFormula(left);
      lex();
      Node right = (this->*parse)();
      left.formula = makeFormula(kind, {left.formula, getFormula(right)});
    }
    return left;
  }

  Node parseImplication() {
    constexpr unsigned kMaxDepth = 200;
    if (++depth > kMaxDepth)
      fail(start, "nested too deeply");
    Node left = failed ? Node() : parseDisjunction();
    if (!failed && spelling == "=>") {
      getFormula(left);
      lex();
      Node right = parseImplication();
      left.formula = makeFormula(Formula::Kind::Implies,
                                 {left.formula, getFormula(right)});
    }
    --depth;
    return left;
  }
  Node parseDisjunction() {
    return parseChain("or", Formula::Kind::Or, &Parser::parseConjunction);
  }
  Node parseConjunction() {
    return parseChain("and", Formula::Kind::And, &Parser::parseNegation);
  }

  Node parseNegation() {
    size_t at = start;
    if (!consume("not"))
      return parseComparison();
    constexpr unsigned kMaxDepth = 200;
    if (++depth > kMaxDepth)
      fail(start, "nested too deeply");
    Node node{nullptr, nullptr, at};
    node.formula = makeFormula(Formula::Kind::Not,
                               {getFormula(failed ? Node() : parseNegation())});
    --depth;
    return node;
  }

  Node parseComparison() {
    Node left = parseSum();
    StringRef symbol = spelling;
    if (failed ||
        !llvm::is_contained({"=", "!=", "<", "<=", ">", ">="}, symbol))
      return left;
    TermRef lhs = getTerm(left);
    lex();
    TermRef rhs = getTerm(parseSum());
    if (!failed &&
        llvm::is_contained({"=", "!=", "<", "<=", ">", ">="}, spelling))
      fail(start, "a comparison of three numbers");
    auto formula = std::make_shared<Formula>();
    formula->kind = symbol.contains('<') || symbol.contains('>')
                        ? (symbol.contains('=') ? Formula::Kind::LessEqual
                                                : Formula::Kind::Less)
                        : Formula::Kind::Equal;
    if (symbol.contains('>'))
      std::swap(lhs, rhs);
    formula->lhs = lhs;
    formula->rhs = rhs;
    Node node{nullptr, formula, left.at};
    if (symbol == "!=")
      node.formula = makeFormula(Formula::Kind::Not, {formula});
    return node;
  }

  //===--------------------------------------------------------------------===//
  // Terms
  //===--------------------------------------------------------------------===//

  static TermRef makeTerm(Term::Kind kind, std::vector<TermRef> args) {
    auto term = std::make_shared<Term>();
    term->kind = kind;
    term->args = std::move(args);
    return term;
  }

  Node parseSum() {
    Node left = parseProduct();
    while (!failed && (spelling == "+" || spelling == "-")) {
      getTerm(left);
      auto kind = spelling == "+" ? Term::Kind::Add : Term::Kind::Sub;
      lex();
      left.term = makeTerm(kind, {left.term, getTerm(parseProduct())});
    }
    return left;
  }
  Node parseProduct() {
    Node left = parseUnary();
    while (!failed && (spelling == "*" || spelling == "/")) {
      getTerm(left);
      auto kind = spelling == "*" ? Term::Kind::Mul : Term::Kind::Div;
      lex();
      left.term = makeTerm(kind, {left.term, getTerm(parseUnary())});
    }
    return left;
  }
  Node parseUnary() {
    size_t at = start;
    bool negative = false;
    while (consume("-"))
      negative = !negative;
    Node node = parsePrimary();
    if (!negative)
      return node;
    auto zero = std::make_shared<Term>();
    return {makeTerm(Term::Kind::Sub, {zero, getTerm(node)}), nullptr, at};
  }

  TermRef parseNumber() {
    auto term = std::make_shared<Term>();
    auto [digits, power] = std::pair(spelling, StringRef());
    if (size_t e = spelling.find_insensitive("e"); e != StringRef::npos) {
      digits = spelling.take_front(e);
      power = spelling.drop_front(e + 1);
      power.consume_front("+");
    }
    auto [whole, fraction] = digits.split('.');
    std::string significand =
        StringRef(whole.str() + fraction.str()).ltrim('0').str();
    int64_t value = 0, exponent = 0;
    constexpr int kMaxExponent = 100;
    constexpr size_t kMaxDigits = 15;
    if (!power.empty() && (power.getAsInteger(10, exponent) ||
                           exponent < -kMaxExponent || exponent > kMaxExponent))
      fail(start, "the exponent of a number is larger than 100");
    else if (significand.size() > kMaxDigits)
      fail(start, "a number with more than 15 digits");
    else if (fraction.size() > kMaxExponent)
      fail(start, "a number with more than 100 decimals");
    else if (!significand.empty())
      StringRef(significand).getAsInteger(10, value);
    term->significand = static_cast<double>(value);
    term->exponent = exponent - static_cast<int>(fraction.size());
    lex();
    return term;
  }

  Node parsePrimary() {
    size_t at = start;
    if (failed)
      return {};
    if (consume("(")) {
      size_t open = at;
      Node node = parseImplication();
      if (!failed && spelling != ")")
        fail(start, "expected ')' for the '(' at " + getPlaceText(open) +
                        ", found " + describe());
      consume(")");
      node.at = at;
      return node;
    }
    if (token == Token::Number)
      return {parseNumber(), nullptr, at};
    if (token != Token::Identifier || isKeyword(spelling)) {
      fail(at,
           "expected a number, a variable or a function, found " + describe());
      return {};
    }
    std::string name = spelling.str();
    lex();
    if (spelling == "(")
      return {parseCall(name, at), nullptr, at};
    auto *it = llvm::find(axiom.variables, name).base();
    size_t number = it - axiom.variables.data();
    if (number == axiom.variables.size()) {
      fail(at, "variable '" + name + "' is not bound by a forall");
      return {};
    }
    (insideSum ? occursInside : occursOutside)[number] = true;
    auto term = std::make_shared<Term>();
    term->kind = Term::Kind::Variable;
    term->variable = number;
    return {term, nullptr, at};
  }

  std::string getPlaceText(size_t at) const {
    auto [line, column] = getPlace(at);
    return std::to_string(line) + ":" + std::to_string(column);
  }

  TermRef parseCall(const std::string &name, size_t at) {
    auto term = std::make_shared<Term>();
    std::vector<size_t> places;
    bool isSum = name == "sum";
    if (isSum && insideSum)
      fail(at, "a sum within a sum");
    insideSum |= isSum;
    expect("(");
    do {
      places.push_back(start);
      Node argument = parseImplication();
      term->args.push_back(getTerm(argument));
    } while (consume(","));
    if (!failed && spelling != ")")
      fail(start, "expected ')' or ',' in the call of '" + name + "' at " +
                      getPlaceText(at) + ", found " + describe());
    consume(")");
    if (failed)
      return term;
    auto expectArity = [&](size_t arity) {
      if (term->args.size() != arity)
        fail(at, "'" + name + "' has " + llvm::Twine(arity) + " operand" +
                     (arity == 1 ? "" : "s") + ", found " +
                     llvm::Twine(term->args.size()));
    };
    if (isSum) {
      insideSum = false;
      axiom.hasSums = true;
      term->kind = Term::Kind::Sum;
      expectArity(1);
      return term;
    }
    const Operator *op = lookupOperator(name);
    if (op && (!op->isElementwise() || op->isOpaque())) {
      fail(at, "'" + name + "' is not an elementwise operator");
      return term;
    }
    if (op) {
      term->kind = Term::Kind::Operator;
      term->op = static_cast<const ElementwiseOperator *>(op);
      unsigned numbers = term->op->getNumNumbers();
      expectArity(op->getNumOperands() + numbers);
      for (; !failed && numbers; --numbers) {
        std::optional<double> value = getDouble(*term->args.back());
        if (!value) {
          fail(places[term->args.size() - 1],
               "'" + name + "' needs a number written out here");
          return term;
        }
        term->params.insert(term->params.begin(),
                            llvm::bit_cast<int64_t>(*value));
        term->args.pop_back();
      }
      return term;
    }
    term->kind = Term::Kind::Function;
    term->name = name;
    axiom.hasFunctions = true;
    auto it = axioms.functions.find(name);
    if (it == axioms.functions.end()) {
      if (hasDeclarations) {
        fail(at, "unknown function '" + name + "'");
        return term;
      }
      axioms.functions[name] = term->args.size();
      return term;
    }
    expectArity(it->second);
    return term;
  }

  /// A number as written, or its negation: the nearest double.
  static std::optional<double> getDouble(const Term &term) {
    if (term.kind == Term::Kind::Sub) {
      const Term &zero = *term.args[0];
      if (zero.kind != Term::Kind::Number || zero.significand != 0)
        return std::nullopt;
      if (auto value = getDouble(*term.args[1]))
        return -*value;
      return std::nullopt;
    }
    if (term.kind != Term::Kind::Number || std::abs(term.exponent) > 22)
      return std::nullopt;
    // Powers of ten up to 10^22 are doubles, so that there is one rounding.
    double power = 1;
    for (int i = 0; i < std::abs(term.exponent); ++i)
      power *= 10;
    double value =
        term.exponent > 0 ? term.significand * power : term.significand / power;
    return value;
  }

  StringRef text;
  Axioms axioms;
  Axiom axiom;
  std::vector<bool> occursOutside, occursInside;
  bool insideSum = false, hasDeclarations = false;
  unsigned depth = 0, tokens = 0;

  /// The token at `start`; the next one is looked for at `position`, and the
  /// last one ended at `end`.
  Token token = Token::End;
  StringRef spelling;
  size_t start = 0, position = 0, end = 0;
  bool failed = false;
  std::string error;
};

} // namespace

llvm::Expected<Axioms> solve::parseAxioms(StringRef text, StringRef file) {
  return Parser(text, file).parse();
}

const std::vector<Axiom> &solve::getBuiltinAxioms() {
  static const std::vector<Axiom> axioms = [] {
    std::vector<Axiom> result;
    for (const Operator *op : getOperators()) {
      llvm::Expected<Axioms> parsed =
          parseAxioms(op->getAxioms(), op->getName());
      if (parsed)
        llvm::append_range(result, parsed->axioms);
      else
        llvm::report_fatal_error(parsed.takeError());
    }
    return result;
  }();
  return axioms;
}
