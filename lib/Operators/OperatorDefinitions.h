//===- OperatorDefinitions.h - All definitions ------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_OPERATORS_OPERATORDEFINITIONS_H
#define MIRAGE_LIB_OPERATORS_OPERATORDEFINITIONS_H

#include "Mirage/Operators/Operator.h"
#include <memory>
#include <vector>

namespace mirage {

using OperatorList = std::vector<std::unique_ptr<const Operator>>;

void addElementwiseOperators(OperatorList &list);
void addContractions(OperatorList &list);
void addDataMovements(OperatorList &list);
void addConvolution(OperatorList &list);
void addCustomOperator(OperatorList &list);

} // namespace mirage

#endif // MIRAGE_LIB_OPERATORS_OPERATORDEFINITIONS_H
