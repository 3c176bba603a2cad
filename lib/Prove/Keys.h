//===- Keys.h - What makes a term the same as another -----------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_PROVE_KEYS_H
#define MIRAGE_LIB_PROVE_KEYS_H

#include "Mirage/Prove/NormalForm.h"

namespace mirage::prove {

/// What a key, and thereby an id, is of.
enum class KeyKind { Base, Monomial, Poly, Obligation, Index };

inline llvm::FoldingSetNodeID makeKey(KeyKind kind) {
  llvm::FoldingSetNodeID key;
  key.AddInteger(static_cast<int>(kind));
  return key;
}

void addNumber(llvm::FoldingSetNodeID &key, const Rational &value);
void addFactor(llvm::FoldingSetNodeID &key, const Factor &factor);

} // namespace mirage::prove

#endif // MIRAGE_LIB_PROVE_KEYS_H
