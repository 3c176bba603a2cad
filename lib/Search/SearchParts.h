//===- SearchParts.h - Searching a program part by part ---------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_SEARCHPARTS_H
#define MIRAGE_LIB_SEARCH_SEARCHPARTS_H

#include "CandidateVerifier.h"
#include "Mirage/Search/Search.h"
#include "ProgramParts.h"

namespace mirage {
/// Searches for each part with `searchPart`, and verifies the cheapest joins of
/// what is found against the whole program. A part that can't be searched stays
/// as it is, and the search is not exhausted; if none can, the first one's
/// error is returned. Limits of time and memory are those of all parts
/// together. `proof`: what joins of proved parts are known to be.
llvm::Expected<SearchResult> searchParts(
    const KernelGraph &program, const ProgramParts &parts,
    const SearchOptions &options, ProofOfParts proof,
    llvm::function_ref<llvm::Expected<SearchResult>(const KernelGraph &,
                                                    const SearchOptions &)>
        searchPart);

} // namespace mirage

#endif // MIRAGE_LIB_SEARCH_SEARCHPARTS_H
