//===- Operator.cpp - Defaults and the registry ---------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Operators/Operator.h"
#include "OperatorDefinitions.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mirage;

ScalarAlgebra::~ScalarAlgebra() = default;
Operator::~Operator() = default;

Params Operator::readParams(mlir::Operation *) const { return {}; }

void Operator::writeParams(mlir::OperationState &, const Params &) const {}

void Operator::enumerateParams(llvm::ArrayRef<Shape>,
                               llvm::function_ref<void(const Params &)>) const {
}

namespace {
struct Registry {
  Registry() {
    addElementwiseOperators(list);
    addContractions(list);
    addDataMovements(list);
    addConvolution(list);
    addCustomOperator(list);
    for (const std::unique_ptr<const Operator> &op : list)
      byName[op->getName()] = op.get();
  }

  OperatorList list;
  llvm::StringMap<const Operator *> byName;
};
} // namespace

static const Registry &getRegistry() {
  static const Registry registry;
  return registry;
}

const Operator *mirage::lookupOperator(llvm::StringRef name) {
  return getRegistry().byName.lookup(name);
}

llvm::SmallVector<const Operator *> mirage::getOperators() {
  return llvm::map_to_vector(getRegistry().list,
                             [](auto &op) { return op.get(); });
}

const Operator &mirage::getOperator(llvm::StringRef name) {
  const Operator *op = lookupOperator(name);
  if (!op)
    llvm::report_fatal_error("an op names an operator without a definition: " +
                             llvm::Twine(name));
  return *op;
}
