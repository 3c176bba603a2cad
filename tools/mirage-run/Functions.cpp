//===- Functions.cpp - Functions that are run -----------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Functions.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mirage;

llvm::Expected<func::FuncOp> mirage::findFunction(ModuleOp module,
                                                  StringRef name) {
  if (!name.empty()) {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    if (function && function.isExternal())
      return llvm::createStringError("function '" + name + "' has no body");
    if (function)
      return function;
    return llvm::createStringError("there is no function '" + name + "'");
  }
  func::FuncOp found;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    if (found)
      return llvm::createStringError(
          "there are several functions; choose one with --function");
    found = function;
  }
  if (!found)
    return llvm::createStringError("there is no function to run");
  return found;
}

llvm::Expected<std::vector<Array>> mirage::makeArrays(TypeRange types,
                                                      StringRef what) {
  std::vector<Array> arrays;
  for (auto [i, type] : llvm::enumerate(types)) {
    std::string text;
    llvm::raw_string_ostream(text) << what << " " << i << " is a " << type;
    if (!isSupportedTensor(type))
      return llvm::createStringError(text + ", not " + kSupportedTensor.str());
    auto tensor = cast<RankedTensorType>(type);
    int64_t bytes =
        tensor.getNumElements() * tensor.getElementTypeBitWidth() / 8;
    if (bytes > kMaxArrayBytes)
      return llvm::createStringError(text + " of " + std::to_string(bytes) +
                                     " bytes, too large to be run");
    arrays.emplace_back(tensor.getShape(),
                        *getElementType(tensor.getElementType()));
  }
  return arrays;
}
