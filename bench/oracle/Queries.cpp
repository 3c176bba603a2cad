//===- Queries.cpp - What a search asks of an oracle ----------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Queries.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Operators/Elementwise.h"
#include "Programs.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <optional>

using namespace mirage;
using namespace mirage::bench;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

namespace {

constexpr int64_t kIterations = 3;

/// Writes down what is asked for, and does it.
class Recorder final : public ScalarAlgebra {
public:
  using Kind = Call::Kind;

  /// The slot from which on results may be put.
  unsigned top = 0;
  Queries queries;
  ExprContext context;
  std::vector<Expr> slots;

  unsigned record(Call call) {
    call.to = top++;
    if (slots.size() <= call.to)
      slots.resize(call.to + 1);
    queries.numSlots = slots.size();
    queries.calls.push_back(call);
    size_t end = queries.calls.size();
    queries.replay(context, slots, end - 1, end, [](Expr) {});
    return call.to;
  }
  unsigned record(Kind kind, unsigned a, unsigned b = 0, int64_t factor = 0) {
    return record({kind, 0, a, b, factor, 0});
  }
  void recordQuestion(unsigned a) {
    queries.calls.push_back({Kind::Ask, 0, a, 0, 0, 0});
    ++queries.numAsked;
  }

  Term constant(double value) override {
    return record({Kind::Constant, 0, 0, 0, 0, value});
  }
  Term add(Term a, Term b) override { return record(Kind::Add, a, b); }
  Term sub(Term a, Term b) override { return add(a, mul(constant(-1), b)); }
  Term mul(Term a, Term b) override { return record(Kind::Mul, a, b); }
  Term div(Term a, Term b) override { return record(Kind::Div, a, b); }
  Term max(Term a, Term b) override { return call("max", a, b); }
  Term exp(Term a) override { return record(Kind::Exp, a); }
  Term sqrt(Term a) override { return record(Kind::Sqrt, a); }
  Term log(Term a) override { return call("log", a, a); }
  Term erf(Term a) override { return call("erf", a, a); }
  Term where(Term condition, Term value) override {
    return call("where", condition, value);
  }
  Term function(StringRef name, ArrayRef<Term> operands,
                llvm::function_ref<Term()>) override {
    return call(name, operands.front(), operands.back());
  }
  Term sum(int64_t k, Term a) { return record(Kind::Sum, a, 0, k); }
  Term call(StringRef name, Term a, Term b) {
    size_t number =
        llvm::find(queries.functions, name) - queries.functions.begin();
    if (number == queries.functions.size())
      queries.functions.push_back(name.str());
    return record(Kind::Function, a, b, number);
  }

  /// The result of an operator; nothing for those that aren't tried here.
  std::optional<Term> apply(const Operator &op, ArrayRef<Shape> shapes,
                            ArrayRef<Term> operands, const Params &params) {
    if (op.isElementwise())
      return static_cast<const ElementwiseOperator &>(op).getFormula(
          *this, operands, params);
    StringRef name = op.getName();
    if (name == "matmul")
      return sum(shapes[0].back(), mul(operands[0], operands[1]));
    if (name == "sum")
      return sum(params.size() > 1 ? params[1] : shapes[0][params[0]],
                 operands[0]);
    if (name == "reduce_max")
      return call("max", operands[0], operands[0]);
    if (name == "transpose")
      return operands[0];
    return std::nullopt;
  }
};

/// The block graphs of one placement, depth first.
class Enumerator {
public:
  Enumerator(const Program &program, const KernelGraph &graph,
             ArrayRef<const Operator *> operators, unsigned maxOps,
             size_t maxAsked)
      : program(program), graph(graph), operators(operators), maxOps(maxOps),
        maxAsked(maxAsked) {
    recorder.queries.program = program.name;
    recorder.queries.maxOps = maxOps;
  }

  Queries run() {
    std::vector<unsigned> tensors;
    for (unsigned i = 0; i < graph.numInputs; ++i)
      tensors.push_back(recorder.record(Call::Kind::Variable, 0, 0, i));
    tensors.resize(graph.tensors.size());
    for (const KernelNode &node : graph.nodes) {
      unsigned &result = tensors[node.results[0]];
      if (node.kind == KernelNode::Kind::Constant) {
        result = recorder.constant(node.constant);
        values.push_back({{}, result, program.loops, true});
        continue;
      }
      SmallVector<Shape> shapes;
      SmallVector<unsigned> operands;
      for (unsigned operand : node.operands) {
        shapes.push_back(graph.tensors[operand].shape);
        operands.push_back(tensors[operand]);
      }
      result = *recorder.apply(*node.op, shapes, operands, node.params);
    }
    Queries &queries = recorder.queries;
    queries.numTargetCalls = queries.calls.size();
    queries.target = tensors[graph.outputs[0]];
    target = recorder.slots[queries.target];
    oracle.emplace(recorder.context, target);
    for (auto [i, tile] : llvm::enumerate(program.tiles))
      values.push_back({tile, tensors[i], program.loops, false});
    extend({-1, -1, -1, -1});
    return std::move(queries);
  }

private:
  using Rank = std::tuple<int, int, int, int>;
  struct Value {
    Shape shape;
    unsigned slot;
    bool inLoop, isConstant;
    unsigned uses = 0;
  };

  void extend(const Rank &last) {
    if (numOps == maxOps)
      return;
    for (int latest = std::max(std::get<0>(last), 0);
         latest < static_cast<int>(values.size()); ++latest)
      for (int earlier = -1; earlier <= latest; ++earlier)
        if (!values[latest].isConstant)
          tryOperators(latest, earlier, last);
  }

  void tryOperators(int latest, int earlier, const Rank &last) {
    if (earlier >= 0 && !values[earlier].isConstant &&
        values[earlier].inLoop != values[latest].inLoop)
      return;
    if (earlier < 0 && values[latest].inLoop) {
      Rank rank{latest, earlier, 0, 0};
      if (last < rank) {
        unsigned before = recorder.top;
        unsigned slot = recorder.sum(kIterations, values[latest].slot);
        tryAdd({values[latest].shape, slot, false, false}, {latest}, rank);
        recorder.top = before;
      }
    }
    unsigned arity = earlier < 0 ? 1 : 2;
    SmallVector<Expr> formulas;
    for (auto [type, op] : llvm::enumerate(operators)) {
      if (op->getNumOperands() != arity)
        continue;
      unsigned orders =
          arity == 2 && earlier != latest && !op->isCommutative() ? 2 : 1;
      for (unsigned order = 0; order < orders; ++order)
        tryOperator(*op, type, order, latest, earlier, last, formulas);
    }
  }

  void tryOperator(const Operator &op, int type, unsigned order, int latest,
                   int earlier, const Rank &last,
                   llvm::SmallVectorImpl<Expr> &formulas) {
    SmallVector<int, 2> operands{latest};
    if (earlier >= 0)
      operands.insert(order ? operands.end() : operands.begin(), earlier);
    SmallVector<Shape> shapes;
    SmallVector<unsigned> slots;
    for (int operand : operands) {
      shapes.push_back(values[operand].shape);
      slots.push_back(values[operand].slot);
    }
    bool inLoop = values[latest].inLoop;
    int variant = order;
    op.enumerateParams(shapes, [&](const Params &params) {
      Rank rank{latest, earlier, type + 1, variant};
      variant += 2;
      Shape shape;
      if (!(last < rank) || !op.inferShape(shapes, params, shape))
        return;
      unsigned before = recorder.top;
      auto slot = recorder.apply(op, shapes, slots, params);
      if (slot &&
          (!op.isElementwise() || isNew(op, shapes, order, params, formulas)))
        tryAdd({shape, *slot, inLoop, false}, operands, rank);
      recorder.top = before;
    });
  }

  /// Whether no other elementwise operator on these operands has this formula.
  bool isNew(const Operator &op, ArrayRef<Shape> shapes, unsigned order,
             const Params &params, llvm::SmallVectorImpl<Expr> &formulas) {
    Expr unknowns[] = {other.variable("x"), other.variable("y")};
    SmallVector<Expr> operands{unknowns[order]};
    if (shapes.size() == 2)
      operands.push_back(unknowns[1 - order]);
    Expr formula = op.getExpr(other, shapes, operands, params);
    if (llvm::is_contained(unknowns, formula) ||
        llvm::is_contained(formulas, formula))
      return false;
    formulas.push_back(formula);
    return true;
  }

  void tryAdd(Value value, ArrayRef<int> operands, const Rank &rank) {
    if (recorder.queries.numAsked >= maxAsked) {
      recorder.queries.exhausted = false;
      return;
    }
    recorder.recordQuestion(value.slot);
    if (!oracle->mayContribute(recorder.slots[value.slot]))
      return;
    for (int operand : operands)
      ++values[operand].uses;
    ++numOps;
    unsigned top = recorder.top;
    recorder.top = std::max(recorder.top, value.slot + 1);
    values.push_back(std::move(value));
    if (canUseAll())
      extend(rank);
    values.pop_back();
    recorder.top = top;
    --numOps;
    for (int operand : operands)
      --values[operand].uses;
  }

  /// Whether the operators that are left can use all values, and each has its
  /// place in the target.
  bool canUseAll() {
    SmallVector<Expr> unused;
    bool inLoop = false;
    for (const Value &value : values)
      if (!value.uses && !value.isConstant) {
        unused.push_back(recorder.slots[value.slot]);
        inLoop |= value.inLoop;
      }
    return numOps + unused.size() - 1 + inLoop <= maxOps &&
           recorder.context.canOccurTogether(unused, target);
  }

  const Program &program;
  const KernelGraph &graph;
  ArrayRef<const Operator *> operators;
  unsigned maxOps, numOps = 0;
  size_t maxAsked;
  Recorder recorder;
  /// For formulas.
  ExprContext other;
  Expr target;
  std::optional<NormalFormOracle> oracle;
  std::vector<Value> values;
};

} // namespace

std::vector<Queries> bench::recordQueries(size_t maxAsked) {
  mlir::DialectRegistry registry;
  registry.insert<MirageDialect, kernel::KernelDialect, block::BlockDialect,
                  mlir::func::FuncDialect>();
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  SmallVector<const Operator *> operators =
      getOperatorsOfLevel(&context, Level::Block);
  // Those with numbers as parameters are not tried: which numbers?
  llvm::erase_if(operators, [](const Operator *op) {
    return op->isElementwise() &&
           static_cast<const ElementwiseOperator *>(op)->getNumNumbers() > 0;
  });
  std::vector<Queries> result;
  for (const Program &program : getPrograms()) {
    auto module =
        mlir::parseSourceString<mlir::ModuleOp>(program.text, &context);
    if (!module)
      llvm::report_fatal_error("a program of the benchmark does not parse");
    auto graph =
        importKernelGraph(module->lookupSymbol<mlir::func::FuncOp>("f"));
    if (mlir::failed(graph))
      llvm::report_fatal_error("a program of the benchmark is not searched");
    std::optional<Queries> longest;
    for (unsigned maxOps = 3; maxOps <= 11; ++maxOps) {
      Queries queries =
          Enumerator(program, *graph, operators, maxOps, maxAsked).run();
      if (longest && !queries.exhausted)
        break;
      longest = std::move(queries);
    }
    result.push_back(std::move(*longest));
  }
  return result;
}
