//===- PartsTest.cpp - Programs searched part by part ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Mugraph/CanonicalProgram.h"
#include "SearchFixture.h"
#include "SearchParts.h"
#include "Watch.h"
#include "llvm/Support/FormatVariadic.h"
#include "gmock/gmock.h"

using namespace mirage;

namespace {

class PartsTest : public SearchFixture {
protected:
  using SearchPart = llvm::function_ref<llvm::Expected<SearchResult>(
      const KernelGraph &, const SearchOptions &)>;

  /// How many nodes each part has, of which the whole is made up.
  std::vector<size_t> getPartSizes(llvm::StringRef text,
                                   ProgramParts::Products products) {
    const KernelGraph program = parse(text);
    const ProgramParts parts(program, products);
    EXPECT_TRUE(parts.joinToProgram());
    std::vector<size_t> sizes;
    for (const KernelGraph &part : parts.getParts())
      sizes.push_back(part.nodes.size());
    return sizes;
  }

  /// A program of two parts, each searched with `searchPart`.
  SearchResult runParts(SearchPart searchPart) {
    KernelGraph program = parse(R"(
func.func @f(%x: tensor<64x128xf16>) -> tensor<8192xf16> {
  %e = mirage_kernel.relu %x : (tensor<64x128xf16>) -> tensor<64x128xf16>
  %a = mirage_kernel.exp %e : (tensor<64x128xf16>) -> tensor<64x128xf16>
  %m = mirage_kernel.reshape %a : (tensor<64x128xf16>) -> tensor<8192xf16>
  %g = mirage_kernel.exp %m : (tensor<8192xf16>) -> tensor<8192xf16>
  %b = mirage_kernel.silu %g : (tensor<8192xf16>) -> tensor<8192xf16>
  return %b : tensor<8192xf16>
})");
    ProgramParts parts(program, ProgramParts::Products::Any);
    EXPECT_EQ(parts.getParts().size(), 2u);
    return llvm::cantFail(searchParts(program, parts, options,
                                      ProofOfParts::Complete, searchPart));
  }
};

SearchResult findNothing(const KernelGraph &part,
                         const SearchOptions &options) {
  SearchResult result;
  result.referenceCost = estimateCost(part, options.target);
  return result;
}

} // namespace

TEST_F(PartsTest, CutsAtProducts) {
  KernelGraph program = parse(R"(
func.func @f(%x: tensor<64x64xf16>, %v: tensor<64x64xf16>, %w: tensor<64x64xf16>) -> (tensor<64x64xf16>, tensor<64x64xf16>) {
  %n = mirage_kernel.exp %x : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %p = mirage_kernel.matmul %n, %v : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %a = mirage_kernel.silu %p : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %q = mirage_kernel.matmul %a, %w : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %r = mirage_kernel.matmul %x, %w : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  %s = mirage_kernel.add %q, %x : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
  return %s, %r : tensor<64x64xf16>, tensor<64x64xf16>
})");
  using Products = ProgramParts::Products;
  auto getSizes = [&](Products products) {
    std::vector<size_t> sizes;
    for (const KernelGraph &part : ProgramParts(program, products).getParts())
      sizes.push_back(part.nodes.size());
    return sizes;
  };
  EXPECT_THAT(getSizes(Products::Any), testing::ElementsAre(6));
  // exp, both products that depend on none; silu, and what comes behind it.
  EXPECT_THAT(getSizes(Products::Leading), testing::ElementsAre(3, 3));
  // exp, matmul, silu and the product that depends on nothing; the rest.
  EXPECT_THAT(getSizes(Products::OneDeep), testing::ElementsAre(4, 2));
  // The product that depends on nothing; exp, matmul and silu; the rest.
  EXPECT_THAT(getSizes(Products::Apart), testing::ElementsAre(1, 3, 2));
  for (Products products :
       {Products::Leading, Products::OneDeep, Products::Apart}) {
    ProgramParts parts(program, products);
    EXPECT_TRUE(parts.joinToProgram());
  }
}

/// `count` sums of squares, added up if they are to be connected.
std::string makeSums(int count, bool areConnected) {
  std::string inputs, body, results;
  for (int i = 0; i < count; ++i) {
    inputs += llvm::formatv("{0}%x{1}: tensor<8x8xf16>", i ? ", " : "", i);
    body += llvm::formatv(R"(
  %q{0} = mirage_kernel.sqr %x{0} : (tensor<8x8xf16>) -> tensor<8x8xf16>
  %r{0} = mirage_kernel.sum %q{0} dim 1 : (tensor<8x8xf16>) -> tensor<8x1xf16>
  %s{0} = mirage_kernel.sum %r{0} dim 0 : (tensor<8x1xf16>) -> tensor<1x1xf16>)",
                          i);
  }
  std::string last = "%s0", types = "tensor<1x1xf16>";
  for (int i = 1; i < count; ++i) {
    if (areConnected) {
      body += llvm::formatv(R"(
  %a{0} = mirage_kernel.add {1}, %s{0} : (tensor<1x1xf16>, tensor<1x1xf16>) -> tensor<1x1xf16>)",
                            i, last);
      last = "%a" + std::to_string(i);
    } else {
      last += ", %s" + std::to_string(i);
      types += ", tensor<1x1xf16>";
    }
  }
  return llvm::formatv(
      "func.func @f({0}) -> ({1}) {{{2}\n  return {3} : {1}\n}", inputs, types,
      body, last);
}

TEST_F(PartsTest, CutsWhatIsNotConnected) {
  using Products = ProgramParts::Products;
  KernelGraph program = parse(R"(
func.func @f(%x: tensor<8x8xf16>, %y: tensor<8x8xf16>, %z: tensor<8x8xf16>) -> (tensor<8x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>) {
  %c = mirage.constant 2.0 : tensor<f16>
  %a = mirage_kernel.mul %x, %c : (tensor<8x8xf16>, tensor<f16>) -> tensor<8x8xf16>
  %b = mirage_kernel.mul %y, %c : (tensor<8x8xf16>, tensor<f16>) -> tensor<8x8xf16>
  %d = mirage_kernel.exp %x : (tensor<8x8xf16>) -> tensor<8x8xf16>
  %e = mirage_kernel.add %y, %z : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
  return %a, %b, %d, %e : tensor<8x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>, tensor<8x8xf16>
})");
  EXPECT_TRUE(ProgramParts(program, Products::Any).isWhole());
  // A constant and an input connect nothing by themselves; %a and %d both use
  // %x, %b and %e use %y.
  ProgramParts parts(program, Products::Connected);
  ASSERT_EQ(parts.getParts().size(), 2u);
  EXPECT_EQ(parts.getParts()[0].numInputs, 1u);
  EXPECT_EQ(parts.getParts()[1].numInputs, 2u);
  EXPECT_TRUE(parts.joinToProgram());
}

// What is moved of an input connects nothing, either, unless it is returned:
// each of two products has its transposed keys.
TEST_F(PartsTest, MovedInputsConnectNothing) {
  constexpr const char *text = R"(
func.func @f(%x: tensor<8x16xf16>, %y: tensor<4x16xf16>, %k: tensor<8x16xf16>) -> (tensor<8x8xf16>, tensor<4x8xf16>, tensor<{0}xf16>) {{
  %t = mirage_kernel.transpose %k permutation [1, 0] : (tensor<8x16xf16>) -> tensor<16x8xf16>
  %a = mirage_kernel.matmul %x, %t : (tensor<8x16xf16>, tensor<16x8xf16>) -> tensor<8x8xf16>
  %b = mirage_kernel.matmul %y, %t : (tensor<4x16xf16>, tensor<16x8xf16>) -> tensor<4x8xf16>
  %d = mirage_kernel.exp %b : (tensor<4x8xf16>) -> tensor<4x8xf16>
  return %a, %d, %{1} : tensor<8x8xf16>, tensor<4x8xf16>, tensor<{0}xf16>
})";
  const auto dependent = ProgramParts::Products::Dependent;
  EXPECT_THAT(getPartSizes(llvm::formatv(text, "4x8", "b").str(), dependent),
              testing::ElementsAre(2u, 3u));
  EXPECT_THAT(getPartSizes(llvm::formatv(text, "16x8", "t").str(), dependent),
              testing::ElementsAre(4u));
}

TEST_F(PartsTest, CutsWhereLeastIsHandedOn) {
  // Self-attention of one head, between projections: four products deep.
  KernelGraph program = parse(R"(
func.func @f(%x: tensor<64x32xf16>, %wq: tensor<32x8xf16>, %wk: tensor<32x8xf16>, %wv: tensor<32x8xf16>, %wo: tensor<8x32xf16>) -> tensor<64x32xf16> {
  %n = mirage_kernel.sqr %x : (tensor<64x32xf16>) -> tensor<64x32xf16>
  %q = mirage_kernel.matmul %n, %wq : (tensor<64x32xf16>, tensor<32x8xf16>) -> tensor<64x8xf16>
  %k = mirage_kernel.matmul %n, %wk : (tensor<64x32xf16>, tensor<32x8xf16>) -> tensor<64x8xf16>
  %v = mirage_kernel.matmul %n, %wv : (tensor<64x32xf16>, tensor<32x8xf16>) -> tensor<64x8xf16>
  %t = mirage_kernel.transpose %k permutation [1, 0] : (tensor<64x8xf16>) -> tensor<8x64xf16>
  %s = mirage_kernel.matmul %q, %t : (tensor<64x8xf16>, tensor<8x64xf16>) -> tensor<64x64xf16>
  %e = mirage_kernel.exp %s : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %a = mirage_kernel.matmul %e, %v : (tensor<64x64xf16>, tensor<64x8xf16>) -> tensor<64x8xf16>
  %o = mirage_kernel.matmul %a, %wo : (tensor<64x8xf16>, tensor<8x32xf16>) -> tensor<64x32xf16>
  %r = mirage_kernel.add %o, %x : (tensor<64x32xf16>, tensor<64x32xf16>) -> tensor<64x32xf16>
  return %r : tensor<64x32xf16>
})");
  ProgramParts parts(program, ProgramParts::Products::TwoDeep);
  ASSERT_EQ(parts.getParts().size(), 3u);
  // The projections; what turns them into one tensor again; the last product,
  // and the residual.
  EXPECT_EQ(parts.getParts()[0].nodes.size(), 4u);
  EXPECT_EQ(parts.getParts()[1].nodes.size(), 4u);
  EXPECT_EQ(parts.getParts()[2].nodes.size(), 2u);
  EXPECT_TRUE(parts.joinToProgram());
}

TEST_F(PartsTest, CutsWhereOperatorsAreFew) {
  // Latent attention: rotated parts have scores of their own, which are added
  // to the others. A product is in front of these, and one behind.
  constexpr const char *text = R"(
func.func @f(%q: tensor<16x32xf16>, %wk: tensor<32x64xf16>, %c: tensor<256x64xf16>, %qr: tensor<16x8xf16>, %kr: tensor<256x8xf16>, %wv: tensor<64x32xf16>) -> tensor<16x32xf16> {{
  %l = mirage_kernel.matmul %q, %wk : (tensor<16x32xf16>, tensor<32x64xf16>) -> tensor<16x64xf16>
  %ct = mirage_kernel.transpose %c permutation [1, 0] : (tensor<256x64xf16>) -> tensor<64x256xf16>
  %s = mirage_kernel.matmul %l, %ct : (tensor<16x64xf16>, tensor<64x256xf16>) -> tensor<16x256xf16>
  %krt = mirage_kernel.transpose %kr permutation [1, 0] : (tensor<256x8xf16>) -> tensor<8x256xf16>
  %sr = mirage_kernel.matmul %qr, %krt : (tensor<16x8xf16>, tensor<8x256xf16>) -> tensor<16x256xf16>
  %t = mirage_kernel.{0} %s, %sr : (tensor<16x256xf16>, tensor<16x256xf16>) -> tensor<16x256xf16>
  %e = mirage_kernel.exp %t : (tensor<16x256xf16>) -> tensor<16x256xf16>
  %a = mirage_kernel.matmul %e, %c : (tensor<16x256xf16>, tensor<256x64xf16>) -> tensor<16x64xf16>
  %o = mirage_kernel.matmul %a, %wv : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf16>
  return %o : tensor<16x32xf16>
})";
  auto getSizes = [&](const char *combiner, ProgramParts::Products products) {
    return getPartSizes(llvm::formatv(text, combiner).str(), products);
  };
  using Sizes = std::vector<size_t>;
  // Both scores are of one part, which reads the latent once, and neither is
  // handed on.
  const auto threeDeep = ProgramParts::Products::ThreeDeep,
             twoDeep = ProgramParts::Products::TwoDeep;
  EXPECT_EQ(getSizes("add", threeDeep), (Sizes{1, 8}));
  EXPECT_EQ(getSizes("add", twoDeep), (Sizes{1, 7, 1}));
  // No operator is such a product.
  EXPECT_EQ(getSizes("mul", twoDeep), (Sizes{3, 5, 1}));
}

TEST_F(PartsTest, DelaysProductsThatAreOnlyAdded) {
  // To a product of a later stage, which the reshape begins. What they are made
  // of is computed in the first.
  constexpr const char *text = R"(
func.func @f(%x: tensor<8x64xf16>, %w: tensor<64x32xf16>, %y: tensor<4x16x{0}xf16>, %z: tensor<4x{0}x256xf16>, %v: tensor<4x4x256xf16>) -> ({1}) {{
  %a = mirage_kernel.matmul %x, %w : (tensor<8x64xf16>, tensor<64x32xf16>) -> tensor<8x32xf16>
  %b = mirage_kernel.reshape %a : (tensor<8x32xf16>) -> tensor<4x16x4xf16>
  %m = mirage_kernel.sum %y dim 2 : (tensor<4x16x{0}xf16>) -> tensor<4x16x1xf16>
  %e = mirage_kernel.div %y, %m : (tensor<4x16x{0}xf16>, tensor<4x16x1xf16>) -> tensor<4x16x{0}xf16>
  %p = mirage_kernel.matmul %e, %z : (tensor<4x16x{0}xf16>, tensor<4x{0}x256xf16>) -> tensor<4x16x256xf16>
  %q = mirage_kernel.matmul %b, %v : (tensor<4x16x4xf16>, tensor<4x4x256xf16>) -> tensor<4x16x256xf16>
  %s = mirage_kernel.add %p, %q : (tensor<4x16x256xf16>, tensor<4x16x256xf16>) -> tensor<4x16x256xf16>
  return {2} : {1}
})";
  auto getSizes = [&](int depth, const char *outputs, const char *types) {
    return getPartSizes(llvm::formatv(text, depth, types, outputs).str(),
                        ProgramParts::Products::Any);
  };
  using Sizes = std::vector<size_t>;
  constexpr const char *type = "tensor<4x16x256xf16>";
  const std::string types = std::string(type) + ", " + type;
  // The quotient goes with the product, as it is larger than its norm.
  EXPECT_EQ(getSizes(64, "%s", type), (Sizes{2, 4}));
  // Its operand is larger than its result.
  EXPECT_EQ(getSizes(512, "%s", type), (Sizes{4, 2}));
  // Its result is wanted by itself.
  EXPECT_EQ(getSizes(64, "%s, %p", types.c_str()), (Sizes{4, 2}));
}

TEST_F(PartsTest, CutsResidualsInFrontOfProducts) {
  // Behind a product the residual would be handed on, too.
  KernelGraph program = parse(R"(
func.func @f(%x: tensor<8x16xf16>, %u: tensor<16x16xf16>, %v: tensor<16x16xf16>, %w: tensor<16x16xf16>) -> tensor<8x16xf16> {
  %a = mirage_kernel.matmul %x, %u : (tensor<8x16xf16>, tensor<16x16xf16>) -> tensor<8x16xf16>
  %b = mirage_kernel.relu %a : (tensor<8x16xf16>) -> tensor<8x16xf16>
  %c = mirage_kernel.add %x, %b : (tensor<8x16xf16>, tensor<8x16xf16>) -> tensor<8x16xf16>
  %d = mirage_kernel.matmul %c, %v : (tensor<8x16xf16>, tensor<16x16xf16>) -> tensor<8x16xf16>
  %e = mirage_kernel.relu %d : (tensor<8x16xf16>) -> tensor<8x16xf16>
  %g = mirage_kernel.add %c, %e : (tensor<8x16xf16>, tensor<8x16xf16>) -> tensor<8x16xf16>
  %h = mirage_kernel.matmul %g, %w : (tensor<8x16xf16>, tensor<16x16xf16>) -> tensor<8x16xf16>
  %i = mirage_kernel.relu %h : (tensor<8x16xf16>) -> tensor<8x16xf16>
  %j = mirage_kernel.add %g, %i : (tensor<8x16xf16>, tensor<8x16xf16>) -> tensor<8x16xf16>
  return %j : tensor<8x16xf16>
})");
  ProgramParts parts(program, ProgramParts::Products::TwoDeep);
  ASSERT_EQ(parts.getParts().size(), 2u);
  EXPECT_EQ(parts.getParts()[0].nodes.size(), 3u);
  EXPECT_EQ(parts.getParts()[1].nodes.size(), 6u);
  EXPECT_EQ(parts.getParts()[1].numInputs, 3u);
  EXPECT_TRUE(parts.joinToProgram());
}

// Keys are normalized in front of a chain of two products: their sums are a
// part, and the quotients, which are larger, go with the products.
TEST_F(PartsTest, CutsInFrontOfProducts) {
  // %0 leads to no product.
  constexpr const char *text = R"(
func.func @f(%q: tensor<64x32xf16>, %k: tensor<32x64xf16>, %v: tensor<64x32xf16>, %x: tensor<64x32xf16>) -> (tensor<64x32xf16>, tensor<64x32xf16>) {{
  %0 = mirage_kernel.sqr %x : (tensor<64x32xf16>) -> tensor<64x32xf16>
  %1 = mirage_kernel.sqr %k : (tensor<32x64xf16>) -> tensor<32x64xf16>
  %2 = mirage_kernel.{0} : (tensor<32x64xf16>) -> {1}
  %3 = mirage_kernel.div %k, %2 : (tensor<32x64xf16>, {1}) -> tensor<32x64xf16>
  %4 = mirage_kernel.matmul %q, %3 : (tensor<64x32xf16>, tensor<32x64xf16>) -> tensor<64x64xf16>
  %5 = mirage_kernel.exp %4 : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %6 = mirage_kernel.matmul %5, %v : (tensor<64x64xf16>, tensor<64x32xf16>) -> tensor<64x32xf16>
  return %6, %0 : tensor<64x32xf16>, tensor<64x32xf16>
})";
  const auto inFront = ProgramParts::Products::InFront;
  const KernelGraph program =
      parse(llvm::formatv(text, "sum %1 dim 0", "tensor<1x64xf16>").str());
  const ProgramParts parts(program, inFront);
  ASSERT_EQ(parts.getParts().size(), 2u);
  EXPECT_EQ(parts.getParts()[0].nodes.size(), 2u);
  EXPECT_EQ(parts.getParts()[1].nodes.size(), 5u);
  EXPECT_TRUE(parts.joinToProgram());
  // Without sums it goes with the products as a whole.
  const KernelGraph elementwise =
      parse(llvm::formatv(text, "exp %1", "tensor<32x64xf16>").str());
  EXPECT_TRUE(ProgramParts(elementwise, inFront).isWhole());
}

// Rotated queries and keys, if both are, and the scores are more than they. The
// last transpose goes with the products, which it is read by.
TEST_F(PartsTest, CutsInFrontOfBothOperands) {
  constexpr const char *text = R"(
func.func @f(%q: tensor<{0}x32xf16>, %k: tensor<64x32xf16>, %v: tensor<64x32xf16>, %c: tensor<32xf16>) -> tensor<{0}x32xf16> {{
  %1 = mirage_kernel.mul %q, %c : (tensor<{0}x32xf16>, tensor<32xf16>) -> tensor<{0}x32xf16>
  %2 = mirage_kernel.mul %k, %c : (tensor<64x32xf16>, tensor<32xf16>) -> tensor<64x32xf16>
  %3 = mirage_kernel.transpose %2 permutation [1, 0] : (tensor<64x32xf16>) -> tensor<32x64xf16>
  %4 = mirage_kernel.matmul {1}, %3 : (tensor<{0}x32xf16>, tensor<32x64xf16>) -> tensor<{0}x64xf16>
  %5 = mirage_kernel.exp %4 : (tensor<{0}x64xf16>) -> tensor<{0}x64xf16>
  %6 = mirage_kernel.matmul %5, %v : (tensor<{0}x64xf16>, tensor<64x32xf16>) -> tensor<{0}x32xf16>
  %7 = mirage_kernel.add %6, %1 : (tensor<{0}x32xf16>, tensor<{0}x32xf16>) -> tensor<{0}x32xf16>
  return %7 : tensor<{0}x32xf16>
})";
  const auto ofBoth = ProgramParts::Products::InFrontOfBoth;
  EXPECT_THAT(getPartSizes(llvm::formatv(text, 64, "%1").str(), ofBoth),
              testing::ElementsAre(2u, 5u));
  EXPECT_THAT(getPartSizes(llvm::formatv(text, 64, "%q").str(), ofBoth),
              testing::ElementsAre(7u));
  EXPECT_THAT(getPartSizes(llvm::formatv(text, 1, "%1").str(), ofBoth),
              testing::ElementsAre(7u));
}

TEST_F(PartsTest, ReshapesAtTheBorderBelongToNoPart) {
  // One that merges dimensions, beside an operator on another input; one of a
  // unit dimension at each side.
  KernelGraph program = parse(R"(
func.func @f(%x: tensor<4x16x64xf16>, %y: tensor<64x32xf16>, %z: tensor<32xf16>) -> tensor<1x64x32xf16> {
  %m = mirage_kernel.reshape %x : (tensor<4x16x64xf16>) -> tensor<64x64xf16>
  %e = mirage_kernel.exp %y : (tensor<64x32xf16>) -> tensor<64x32xf16>
  %u = mirage_kernel.reshape %z : (tensor<32xf16>) -> tensor<1x32xf16>
  %p = mirage_kernel.matmul %m, %e : (tensor<64x64xf16>, tensor<64x32xf16>) -> tensor<64x32xf16>
  %a = mirage_kernel.add %p, %u : (tensor<64x32xf16>, tensor<1x32xf16>) -> tensor<64x32xf16>
  %r = mirage_kernel.reshape %a : (tensor<64x32xf16>) -> tensor<1x64x32xf16>
  return %r : tensor<1x64x32xf16>
})");
  ProgramParts parts(program, ProgramParts::Products::Any);
  ASSERT_EQ(parts.getParts().size(), 1u);
  EXPECT_EQ(parts.getParts()[0].nodes.size(), 3u);
  EXPECT_FALSE(parts.isWhole());
  EXPECT_TRUE(parts.joinToProgram());

  // What else reads the input would not know that it is the same.
  program = parse(R"(
func.func @f(%z: tensor<32xf16>) -> tensor<1x32xf16> {
  %e = mirage_kernel.exp %z : (tensor<32xf16>) -> tensor<32xf16>
  %s = mirage_kernel.sum %e dim 0 : (tensor<32xf16>) -> tensor<1xf16>
  %u = mirage_kernel.reshape %z : (tensor<32xf16>) -> tensor<1x32xf16>
  %d = mirage_kernel.div %u, %s : (tensor<1x32xf16>, tensor<1xf16>) -> tensor<1x32xf16>
  return %d : tensor<1x32xf16>
})");
  EXPECT_TRUE(ProgramParts(program, ProgramParts::Products::Any).isWhole());
}

TEST_F(PartsTest, CutsIntoHalves) {
  // Narrow in the middle, and narrower still where it would be no half.
  KernelGraph program = parse(R"(
func.func @f(%x: tensor<64x64xf16>, %y: tensor<64x64xf16>) -> tensor<64x64xf16> {
  %a = mirage_kernel.sum %x dim 1 : (tensor<64x64xf16>) -> tensor<64x1xf16>
  %b = mirage_kernel.mul %y, %a : (tensor<64x64xf16>, tensor<64x1xf16>) -> tensor<64x64xf16>
  %c = mirage_kernel.sum %b dim 0 : (tensor<64x64xf16>) -> tensor<1x64xf16>
  %d = mirage_kernel.add %y, %c : (tensor<64x64xf16>, tensor<1x64xf16>) -> tensor<64x64xf16>
  %e = mirage_kernel.exp %d : (tensor<64x64xf16>) -> tensor<64x64xf16>
  %g = mirage_kernel.relu %e : (tensor<64x64xf16>) -> tensor<64x64xf16>
  return %g : tensor<64x64xf16>
})");
  ProgramParts parts(program, ProgramParts::Products::Halves);
  ASSERT_EQ(parts.getParts().size(), 2u);
  EXPECT_EQ(parts.getParts()[0].nodes.size(), 3u);
  EXPECT_EQ(parts.getParts()[1].nodes.size(), 3u);
}

TEST_F(PartsTest, AHalfOfTransposedInputsIsNone) {
  // They go with what reads them.
  KernelGraph program = parse(R"(
func.func @f(%x: tensor<64x8xf16>, %y: tensor<64x8xf16>, %z: tensor<64x8xf16>) -> tensor<8x8xf16> {
  %a = mirage_kernel.transpose %x permutation [1, 0] : (tensor<64x8xf16>) -> tensor<8x64xf16>
  %b = mirage_kernel.exp %y : (tensor<64x8xf16>) -> tensor<64x8xf16>
  %c = mirage_kernel.matmul %a, %b : (tensor<8x64xf16>, tensor<64x8xf16>) -> tensor<8x8xf16>
  return %c : tensor<8x8xf16>
})");
  EXPECT_TRUE(ProgramParts(program, ProgramParts::Products::Halves).isWhole());
}

TEST_F(PartsTest, AHalfOfASumIsOne) {
  KernelGraph program = parse(R"(
func.func @f(%a: tensor<8x8xf16>, %b: tensor<8x8xf16>, %c: tensor<8x8xf16>, %d: tensor<8x8xf16>, %e: tensor<8x8xf16>) -> tensor<8x8xf16> {
  %0 = mirage_kernel.add %a, %b : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
  %1 = mirage_kernel.add %0, %c : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
  %2 = mirage_kernel.add %1, %d : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
  %3 = mirage_kernel.add %2, %e : (tensor<8x8xf16>, tensor<8x8xf16>) -> tensor<8x8xf16>
  return %3 : tensor<8x8xf16>
})");
  ProgramParts parts(program, ProgramParts::Products::Halves);
  ASSERT_EQ(parts.getParts().size(), 2u);
  EXPECT_EQ(parts.getParts()[0].nodes.size(), 2u);
  EXPECT_EQ(parts.getParts()[1].nodes.size(), 2u);
}

// Beside x xᵀ elementwise, the rows and columns of x are one dimension: x is
// read twice, as it is and transposed.
TEST_F(PartsTest, RowsAndColumnsOfOneDimensionNeedNoParts) {
  KernelGraph program = parse(R"(
func.func @f(%x: tensor<24x24xf16>) -> (tensor<24x24xf16>, tensor<24x24xf16>) {
  %t = mirage_kernel.transpose %x permutation [1, 0] : (tensor<24x24xf16>) -> tensor<24x24xf16>
  %a = mirage_kernel.mul %x, %t : (tensor<24x24xf16>, tensor<24x24xf16>) -> tensor<24x24xf16>
  %u = mirage_kernel.transpose %x permutation [1, 0] : (tensor<24x24xf16>) -> tensor<24x24xf16>
  %b = mirage_kernel.matmul %x, %u : (tensor<24x24xf16>, tensor<24x24xf16>) -> tensor<24x24xf16>
  return %a, %b : tensor<24x24xf16>, tensor<24x24xf16>
})");
  options.maxKernelOps = 1;
  SearchResult result = llvm::cantFail(mirage::search(program, options));
  EXPECT_EQ(result.parts, 1u);
  ASSERT_FALSE(result.candidates.empty());
  EXPECT_EQ(result.candidates.front().cost.kernels, 1u);
  EXPECT_EQ(result.candidates.front().verdict.verdict, Verdict::Proved);
}

TEST_F(PartsTest, TooManyDimensionsAreCut) {
  SearchResult result = llvm::cantFail(
      mirage::search(parse(makeSums(16, /*areConnected=*/false)), options));
  EXPECT_EQ(result.parts, 16u);
  ASSERT_FALSE(result.candidates.empty());
  EXPECT_EQ(result.candidates.front().verdict.verdict, Verdict::Proved);

  auto failed =
      mirage::search(parse(makeSums(16, /*areConnected=*/true)), options);
  ASSERT_FALSE(failed);
  EXPECT_EQ(llvm::toString(failed.takeError()),
            "the program has 32 independent dimensions, more than 30");
}

TEST_F(PartsTest, RefutedJoinsAreCounted) {
  // A part without its last operator: cheaper, and wrong.
  auto searchPart = [](const KernelGraph &part, const SearchOptions &options) {
    SearchResult result = findNothing(part, options);
    SearchCandidate &candidate = result.candidates.emplace_back();
    candidate.graph = part;
    candidate.graph.outputs = {candidate.graph.nodes.back().operands[0]};
    candidate.graph.nodes.pop_back();
    candidate.graph.tensors.pop_back();
    candidate.cost = estimateCost(candidate.graph, options.target);
    return result;
  };
  options.keep = 3;
  SearchResult result = runParts(searchPart);
  EXPECT_TRUE(result.candidates.empty());
  EXPECT_EQ(result.statistics.refuted, 3);
  EXPECT_EQ(result.statistics.unknown, 0);
  EXPECT_EQ(result.unknownReason, "");
}

TEST_F(PartsTest, ShareOneMemoryLimit) {
  if (getResidentBytes() == 0)
    GTEST_SKIP() << "nobody says how large the process is";
  constexpr int64_t kLimit = int64_t(256) << 20, kUsed = int64_t(96) << 20;
  options.memoryLimit = kLimit;
  std::vector<std::vector<char>> held;
  std::vector<int64_t> limits;
  auto searchPart = [&](const KernelGraph &part, const SearchOptions &options) {
    limits.push_back(options.memoryLimit);
    // Written, so that it is there.
    held.emplace_back(kUsed, 1);
    return findNothing(part, options);
  };
  runParts(searchPart);
  ASSERT_EQ(limits.size(), 2u);
  EXPECT_GT(limits[0], kLimit - kUsed / 2);
  EXPECT_LT(limits[1], kLimit - kUsed / 2);
  // What is used up is not "no limit".
  options.memoryLimit = 1 << 20;
  runParts(searchPart);
  EXPECT_EQ(limits[3], 1);
}
