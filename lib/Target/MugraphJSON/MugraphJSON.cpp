//===- MugraphJSON.cpp - Import of saved μGraphs --------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Target/MugraphJSON.h"
#include "KernelGraphReader.h"
#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Support/ParseJSON.h"
#include "Places.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mirage;
namespace json = llvm::json;

std::string MugraphJSONError::getPlace(StringRef file) const {
  return (file + ":" + Twine(line) + ":" + Twine(column)).str();
}

/// The parser says `[line:column, byte=offset]: message`, with columns from 0.
static MugraphJSONError getSyntaxError(llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  StringRef rest = text;
  MugraphJSONError result;
  if (rest.consume_front("[") && !rest.consumeInteger(10, result.line) &&
      rest.consume_front(":") && !rest.consumeInteger(10, result.column))
    rest = rest.split("]: ").second;
  ++result.column;
  result.message = rest.str();
  return result;
}

/// Verifies a function; the first error in `error`.
static LogicalResult verifyQuietly(func::FuncOp function, ReadError &error) {
  ScopedDiagnosticHandler handler(
      function.getContext(), [&](Diagnostic &diagnostic) {
        if (error.message.empty()) {
          if (auto name = dyn_cast<NameLoc>(diagnostic.getLocation()))
            error.message = (name.getName().strref() + ": ").str();
          error.message += diagnostic.str();
        }
        return success();
      });
  return mlir::verify(function);
}

static LogicalResult readCandidate(const json::Value &candidate, unsigned index,
                                   ModuleOp module, ReadError &error) {
  std::string where = "candidate " + std::to_string(index);
  const json::Array *operators = candidate.getAsArray();
  if (!operators) {
    error.message = where + ": is not a list of operators";
    return failure();
  }
  MLIRContext *context = module.getContext();
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto function = func::FuncOp::create(
      builder, NameLoc::get(StringAttr::get(context, where)),
      "candidate_" + std::to_string(index), FunctionType::get(context, {}, {}));
  if (succeeded(KernelGraphReader(function, where, error).read(*operators)) &&
      succeeded(verifyQuietly(function, error)))
    return success();
  function.erase();
  return failure();
}

ImportedMugraphs mirage::importMugraphJSON(StringRef text,
                                           MLIRContext *context) {
  context->loadDialect<MirageDialect, kernel::KernelDialect,
                       block::BlockDialect, func::FuncDialect>();
  ImportedMugraphs result;
  result.module = ModuleOp::create(UnknownLoc::get(context));
  llvm::Expected<json::Value> file = parseJSON(text);
  if (!file) {
    result.errors.push_back(getSyntaxError(file.takeError()));
    return result;
  }
  const json::Array *list = file->getAsArray();
  if (!list || list->empty()) {
    result.errors.push_back({1, 1,
                             "expected a list of μGraphs, or the list of "
                             "operators of one"});
    return result;
  }
  bool isSingle = list->front().getAsObject();
  auto read = [&](const json::Value &candidate, unsigned index) {
    ReadError error;
    if (succeeded(readCandidate(candidate, index, *result.module, error)))
      return;
    SmallVector<PathStep> path;
    if (!isSingle)
      path.push_back(index);
    for (auto [level, op] : llvm::enumerate(error.place)) {
      if (level > 0)
        path.append({StringRef("bgraph"), StringRef("operators")});
      path.push_back(op);
    }
    auto [line, column] = findPlace(text, path);
    result.errors.push_back({line, column, error.message});
  };
  if (isSingle)
    read(*file, 0);
  else
    for (auto [i, candidate] : llvm::enumerate(*list))
      read(candidate, i);
  return result;
}

bool mirage::looksLikeMugraphJSON(StringRef text) {
  text = text.ltrim();
  return text.starts_with("[") ||
         (text.starts_with("{") && !text.starts_with("{-"));
}
