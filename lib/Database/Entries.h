//===- Entries.h - Entries as JSON lines ------------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_DATABASE_ENTRIES_H
#define MIRAGE_LIB_DATABASE_ENTRIES_H

#include "Mirage/Database/ResultsDatabase.h"
#include "llvm/Support/raw_ostream.h"

namespace mirage {

std::optional<EntryKind> parseEntryKind(llvm::StringRef name);

/// SHA-256 of all fields except the number, in hexadecimal digits.
std::string getChecksum(const ResultsEntry &entry);

/// Why an entry can't be stored: JSON has no way to write it, or it is of no
/// time.
llvm::Error checkEntry(const ResultsEntry &entry);

/// Writes and reads an export (docs/Database.md). Errors name buffer and line.
void writeEntries(llvm::ArrayRef<ResultsEntry> entries, llvm::raw_ostream &os);
llvm::Expected<std::vector<ResultsEntry>>
readEntries(llvm::MemoryBufferRef buffer);

} // namespace mirage

#endif // MIRAGE_LIB_DATABASE_ENTRIES_H
