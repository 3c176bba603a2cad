//===- RegisterWgmma.cpp - wgmma of rows in registers ---------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Conversion/InlinePTX/RegisterWgmma.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
using namespace mlir;

static constexpr StringLiteral kInstruction =
    "wgmma.mma_async.sync.aligned.m64n";

std::string RegisterWgmma::getText() const {
  auto list = [](int64_t first, int64_t count) {
    return llvm::join(
        llvm::map_range(llvm::seq(first, first + count),
                        [](int64_t i) { return "$" + std::to_string(i); }),
        ", ");
  };
  StringRef type = element == Element::F16 ? "f16" : "bf16";
  // Behind the results come the sums that they are tied to.
  int64_t numSums = n / 2, firstRow = 2 * numSums;
  return llvm::formatv("{{\n"
                       ".reg .pred p;\n"
                       "setp.ne.b32 p, 1, 0;\n"
                       "{0}{1}k16.f32.{2}.{2} {{{3}}, {{{4}}, ${5}, p, 1, 1, "
                       "{6};\n"
                       "}",
                       kInstruction, n, type, list(0, numSums),
                       list(firstRow, kRowRegisters), firstRow + kRowRegisters,
                       transposesB ? 1 : 0);
}

std::string RegisterWgmma::getConstraints() const {
  std::string constraints;
  for (int64_t i = 0; i < n / 2; ++i)
    constraints += "=f,";
  for (int64_t i = 0; i < n / 2; ++i)
    constraints += std::to_string(i) + ",";
  for (int64_t i = 0; i < kRowRegisters; ++i)
    constraints += "r,";
  return constraints + "l";
}

std::optional<RegisterWgmma> RegisterWgmma::match(LLVM::InlineAsmOp op) {
  StringRef text = op.getAsmString();
  // The rest is compared with what it would have to be.
  auto [before, instruction] = text.split(kInstruction);
  RegisterWgmma wgmma;
  if (instruction.consumeInteger(10, wgmma.n) || wgmma.n % 8 != 0 ||
      wgmma.n < 8 || wgmma.n > 256)
    return std::nullopt;
  wgmma.element = instruction.contains(".bf16") ? Element::BF16 : Element::F16;
  wgmma.transposesB = instruction.ends_with(" 1;\n}");
  auto hasTypes = [&] {
    auto sums = dyn_cast<LLVM::LLVMStructType>(op->getResult(0).getType());
    auto isF32 = [](Type type) { return type.isF32(); };
    return sums && !sums.isPacked() &&
           static_cast<int64_t>(sums.getBody().size()) == wgmma.n / 2 &&
           llvm::all_of(sums.getBody(), isF32) &&
           llvm::all_of(getSums(op).getTypes(), isF32) &&
           llvm::all_of(getRows(op).getTypes(),
                        [](Type type) { return type.isInteger(32); }) &&
           getDescriptor(op).getType().isInteger(64);
  };
  size_t numSums = wgmma.n / 2;
  if (!op.getHasSideEffects() || text != wgmma.getText() ||
      op.getConstraints() != wgmma.getConstraints() ||
      op.getOperands().size() != numSums + kRowRegisters + 1 ||
      op->getNumResults() != 1 || !hasTypes())
    return std::nullopt;
  return wgmma;
}

LLVM::InlineAsmOp RegisterWgmma::create(OpBuilder &builder, Location loc,
                                        Value sums, ValueRange rows,
                                        Value descriptor) const {
  SmallVector<Value> operands;
  for (int64_t i = 0; i < n / 2; ++i)
    operands.push_back(LLVM::ExtractValueOp::create(builder, loc, sums, i));
  llvm::append_range(operands, rows);
  operands.push_back(descriptor);
  return LLVM::InlineAsmOp::create(
      builder, loc, sums.getType(), operands, getText(), getConstraints(),
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None,
      LLVM::AsmDialectAttr::get(builder.getContext(), LLVM::AsmDialect::AD_ATT),
      /*operand_attrs=*/ArrayAttr());
}
