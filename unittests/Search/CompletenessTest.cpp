//===- CompletenessTest.cpp - The oracle loses nothing --------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphText.h"
#include "SearchFixture.h"
#include <random>
#include <set>

using namespace mirage;

namespace {

/// A program of a few operators, and limits within which it is found, and the
/// search ends without an oracle.
struct TinyProgram {
  std::string name;
  KernelGraph graph;
  /// Operators that count, and that don't in a row.
  unsigned maxBlockOps = 0, maxFreeOps = 0;
  std::set<std::string> operators;
};

class ProgramBuilder {
public:
  ProgramBuilder(mlir::MLIRContext &context, std::string name)
      : type(mlir::Float32Type::get(&context)) {
    program.name = std::move(name);
  }

  unsigned input(Shape shape) {
    program.graph.tensors.push_back({std::move(shape), type});
    freeOps.push_back(0);
    return program.graph.numInputs++;
  }

  /// The result, or nothing where the operator doesn't exist on such operands.
  std::optional<unsigned> apply(llvm::StringRef name,
                                llvm::ArrayRef<unsigned> operands,
                                const Params &params = {}) {
    const Operator &op = getOperator(name);
    std::vector<KernelTensor> &tensors = program.graph.tensors;
    llvm::SmallVector<Shape> shapes;
    unsigned row = 0;
    for (unsigned operand : operands) {
      shapes.push_back(tensors[operand].shape);
      row = std::max(row, freeOps[operand]);
    }
    Shape shape;
    if (!op.inferShape(shapes, params, shape))
      return std::nullopt;
    KernelNode node;
    node.op = &op;
    node.params = params;
    node.operands.assign(operands.begin(), operands.end());
    node.results = {static_cast<unsigned>(tensors.size())};
    program.graph.nodes.push_back(std::move(node));
    tensors.push_back({shape, type});
    bool ofOneTile =
        op.isElementwise() && llvm::all_of(operands, [&](unsigned operand) {
          return operand == operands[0];
        });
    bool counts = !ofOneTile && name != "transpose";
    program.maxBlockOps += counts;
    freeOps.push_back(counts ? 0 : row + 1);
    program.maxFreeOps = std::max(program.maxFreeOps, freeOps.back());
    program.operators.insert(name.str());
    return tensors.size() - 1;
  }

  TinyProgram finish(unsigned output) {
    program.graph.outputs = {output};
    return std::move(program);
  }

  const TinyProgram &get() const { return program; }

private:
  TinyProgram program;
  mlir::Type type;
  std::vector<unsigned> freeOps;
};

// Sizes of different primes: what sums over them is told apart by its factor.
const Shape kX = {4, 9}, kW = {9, 25}, kRow = {4, 1};

std::vector<TinyProgram> makeWritten(mlir::MLIRContext &context) {
  std::vector<TinyProgram> programs;
  auto add = [&](const char *name, llvm::ArrayRef<Shape> inputs, auto body) {
    ProgramBuilder builder(context, name);
    for (const Shape &shape : inputs)
      builder.input(shape);
    unsigned output = body(builder);
    programs.push_back(builder.finish(output));
  };
  using B = ProgramBuilder;
  add("(x + y) * y", {kX, kX},
      [](B &b) { return *b.apply("mul", {*b.apply("add", {0, 1}), 1}); });
  add("x y + x y", {kX, kX}, [](B &b) {
    unsigned product = *b.apply("mul", {0, 1});
    return *b.apply("add", {product, product});
  });
  add("sum(x * y)", {kX, kX},
      [](B &b) { return *b.apply("sum", {*b.apply("mul", {0, 1})}, {1}); });
  add("x / sum(x)", {kX},
      [](B &b) { return *b.apply("div", {0, *b.apply("sum", {0}, {1})}); });
  add("sum(x w)", {kX, kW},
      [](B &b) { return *b.apply("sum", {*b.apply("matmul", {0, 1})}, {1}); });
  add("(x / r) w", {kX, kRow, kW},
      [](B &b) { return *b.apply("matmul", {*b.apply("div", {0, 1}), 2}); });
  add("exp(x w)", {kX, kW},
      [](B &b) { return *b.apply("exp", {*b.apply("matmul", {0, 1})}); });
  add("sum(x^2)", {kX},
      [](B &b) { return *b.apply("sum", {*b.apply("sqr", {0})}, {1}); });
  add("exp(x) * y", {kX, kX},
      [](B &b) { return *b.apply("mul", {*b.apply("exp", {0}), 1}); });
  add("exp(x) exp(y)", {kX, kX}, [](B &b) {
    return *b.apply("mul", {*b.apply("exp", {0}), *b.apply("exp", {1})});
  });
  add("x w + x w", {kX, kW}, [](B &b) {
    unsigned product = *b.apply("matmul", {0, 1});
    return *b.apply("add", {product, product});
  });
  add("x w^T", {kX, {25, 9}}, [](B &b) {
    return *b.apply("matmul", {0, *b.apply("transpose", {1}, {1, 0})});
  });
  add("sqrt(sum(x^2))", {kX}, [](B &b) {
    return *b.apply("sqrt", {*b.apply("sum", {*b.apply("sqr", {0})}, {1})});
  });
  add("sqrt(x) / sqrt(y)", {kX, kX}, [](B &b) {
    return *b.apply("div", {*b.apply("sqrt", {0}), *b.apply("sqrt", {1})});
  });
  add("sqrt(exp(x w))", {kX, kW}, [](B &b) {
    return *b.apply("sqrt", {*b.apply("exp", {*b.apply("matmul", {0, 1})})});
  });
  add("sum(exp(x)^2)", {kX}, [](B &b) {
    return *b.apply("sum", {*b.apply("sqr", {*b.apply("exp", {0})})}, {1});
  });
  add("exp(sum(x^2))", {kX}, [](B &b) {
    return *b.apply("exp", {*b.apply("sum", {*b.apply("sqr", {0})}, {1})});
  });
  add("sum(x^T)^2", {kX}, [](B &b) {
    unsigned transposed = *b.apply("transpose", {0}, {1, 0});
    return *b.apply("sqr", {*b.apply("sum", {transposed}, {0})});
  });
  add("x v + y w", {kX, kW, kX, kW}, [](B &b) {
    return *b.apply("add",
                    {*b.apply("matmul", {0, 1}), *b.apply("matmul", {2, 3})});
  });
  add("x + x w^T", {kX, {kX.back(), kX.back()}}, [](B &b) {
    unsigned transposed = *b.apply("transpose", {1}, {1, 0});
    return *b.apply("add", {0, *b.apply("matmul", {0, transposed})});
  });
  add("exp(x) y^2", {kX, kX}, [](B &b) {
    return *b.apply("mul", {*b.apply("exp", {0}), *b.apply("sqr", {1})});
  });
  return programs;
}

/// A random straight-line program; nothing when it came out too small or too
/// large.
std::optional<TinyProgram> makeRandom(mlir::MLIRContext &context,
                                      unsigned seed) {
  std::mt19937 random(seed);
  auto pick = [&](unsigned below) { return random() % below; };
  ProgramBuilder builder(context, "seed " + std::to_string(seed));
  std::vector<unsigned> unused = {builder.input(kX)};
  switch (pick(3)) {
  case 0:
    unused.push_back(builder.input(kX));
    break;
  case 1:
    unused.push_back(builder.input(kW));
  }
  std::vector<unsigned> all = unused;
  unsigned count = 2 + pick(4);
  for (unsigned i = 0; i < count; ++i) {
    constexpr const char *kNames[] = {"matmul", "add", "mul", "div",
                                      "exp",    "sqr", "sum", "transpose"};
    const char *name = kNames[pick(std::size(kNames))];
    const Operator &op = getOperator(name);
    Params params;
    if (op.getName() == "sum")
      params = {1};
    if (op.getName() == "transpose")
      params = {1, 0};
    // What is unused first, so that little is left over.
    llvm::SmallVector<unsigned> operands = {unused[pick(unused.size())]};
    if (op.getNumOperands() == 2)
      operands.push_back(all[pick(all.size())]);
    std::optional<unsigned> result = builder.apply(name, operands, params);
    if (!result)
      continue;
    llvm::erase_if(unused, [&](unsigned tensor) {
      return llvm::is_contained(operands, tensor);
    });
    unused.push_back(*result);
    all.push_back(*result);
  }
  const TinyProgram &made = builder.get();
  // The number of values without an oracle grows with all of these.
  unsigned pairings = 0;
  for (const std::string &name : made.operators)
    if (getOperator(name).getNumOperands() == 2)
      pairings += getOperator(name).isCommutative() ? 1 : 2;
  unsigned size = 2 * made.maxFreeOps + made.graph.numInputs + pairings;
  bool fits =
      made.maxBlockOps == 1 ? size <= 6 : made.maxBlockOps == 2 && size <= 4;
  if (unused.size() != 1 || made.graph.nodes.size() < 2 || !fits)
    return std::nullopt;
  return builder.finish(unused[0]);
}

class CompletenessTest : public SearchFixture {
protected:
  CompletenessTest() {
    options.maxGridDims = 1;
    options.keep = 10000;
    options.stabilityFactor = 0;
    options.safeExponentials = false;
    // Nothing that keeps one of several equals, or the cheapest.
    for (SearchRule rule :
         {SearchRule::FactoredSums, SearchRule::Exponentials,
          SearchRule::Maxima, SearchRule::Duplicates, SearchRule::Transposes,
          SearchRule::Bound, SearchRule::WholeTensors, SearchRule::Cuts})
      options.without.insert(rule);
  }

  /// All verified μGraphs, and those among them with the program's expression.
  /// `mostKernels`: of one of them.
  struct Found {
    std::set<std::string> all, equal;
    unsigned mostKernels = 0;
  };

  Found find(const TinyProgram &program, OracleKind oracle) {
    options.oracle = oracle;
    options.maxBlockOps = program.maxBlockOps;
    options.maxFreeOps = program.maxFreeOps;
    options.operators.assign(program.operators.begin(),
                             program.operators.end());
    SearchResult result = run(program.graph);
    EXPECT_TRUE(result.statistics.exhausted);
    EXPECT_LT(result.candidates.size(), options.keep);
    ExprContext exprs;
    std::vector<Expr> target = getExprs(exprs, program.graph);
    Found found;
    for (const SearchCandidate &candidate : result.candidates) {
      std::string text = getText(candidate.graph);
      found.mostKernels =
          std::max(found.mostKernels, candidate.graph.getNumKernels());
      found.all.insert(text);
      if (getExprs(exprs, candidate.graph) == target)
        found.equal.insert(text);
    }
    return found;
  }

  /// Returns how many μGraphs only the search without oracle finds.
  size_t compare(const TinyProgram &program) {
    SCOPED_TRACE(program.name);
    Found with = find(program, OracleKind::NormalForm);
    Found without = find(program, OracleKind::None);
    EXPECT_FALSE(with.all.empty());
    EXPECT_EQ(with.mostKernels, options.maxKernelOps);
    EXPECT_EQ(with.equal, without.equal);
    // Pre-defined kernels are tried without asking an oracle.
    EXPECT_TRUE(std::includes(without.all.begin(), without.all.end(),
                              with.all.begin(), with.all.end()));
    return without.all.size() - without.equal.size();
  }
};

TEST_F(CompletenessTest, WrittenPrograms) {
  size_t lost = 0;
  for (const TinyProgram &program : makeWritten(context))
    lost += compare(program);
  // The axioms know no cancellation, so something is outside of the theorem.
  EXPECT_GT(lost, 0u);
}

TEST_F(CompletenessTest, TwoKernels) {
  options.maxKernelOps = 2;
  unsigned programs = 0;
  for (const TinyProgram &program : makeWritten(context))
    // Without an oracle there are too many quotients and products. Of fewer
    // operators two kernels are no cheaper than the program.
    if (program.graph.nodes.size() == 3 && !program.operators.count("div") &&
        !program.operators.count("matmul")) {
      compare(program);
      ++programs;
    }
  EXPECT_EQ(programs, 6u);
}

// Two grid dimensions cut the rows and the columns of x x^T, which are the
// same.
TEST_F(CompletenessTest, OneRoleTwice) {
  options.maxGridDims = 2;
  ProgramBuilder builder(context, "exp(x x^T)");
  builder.input(kX);
  unsigned transposed = *builder.apply("transpose", {0}, {1, 0});
  unsigned product = *builder.apply("matmul", {0, transposed});
  unsigned output = *builder.apply("exp", {product});
  TinyProgram program = builder.finish(output);
  compare(program);
  Found found = find(program, OracleKind::NormalForm);
  EXPECT_TRUE(llvm::any_of(found.all, [](llvm::StringRef text) {
    return text.contains("tile[0,-1 of 4,2") &&
           text.contains("tile[-1,0 of 4,2");
  }));
}

TEST_F(CompletenessTest, RandomPrograms) {
  unsigned programs = 0;
  for (unsigned seed = 1; programs < 12; ++seed)
    if (std::optional<TinyProgram> program = makeRandom(context, seed)) {
      compare(*program);
      ++programs;
    }
}

} // namespace
