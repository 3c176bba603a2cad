//===- Custom.h - Names of opaque operators ---------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_OPERATORS_CUSTOM_H
#define MIRAGE_OPERATORS_CUSTOM_H

#include "Mirage/Operators/Elementwise.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <functional>
#include <string>

namespace mirage {

/// Whether an opaque operator may be called that: an identifier that is neither
/// the name of a built-in operator nor a word of the axioms' language.
bool isFunctionName(llvm::StringRef name);

/// The number of an opaque operator's name, the same in every process, and the
/// name of a number that was returned. Thread safe.
int64_t internFunctionName(llvm::StringRef name);
std::string getFunctionName(int64_t number);

/// What an opaque operator computes from its operands, over any algebra.
using FunctionDefinition = std::function<ScalarAlgebra::Term(
    ScalarAlgebra &, llvm::ArrayRef<ScalarAlgebra::Term>)>;

/// Says what the operator of that number computes, for those who ask for the
/// definition: laws still don't know. To be called once for each definition, or
/// with the same again. Thread safe.
void defineFunction(int64_t number, FunctionDefinition definition);
bool isFunctionDefined(int64_t number);

} // namespace mirage

#endif // MIRAGE_OPERATORS_CUSTOM_H
