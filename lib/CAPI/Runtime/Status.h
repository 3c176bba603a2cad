//===- Status.h - Errors of the runtime library -----------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CAPI_RUNTIME_STATUS_H
#define MIRAGE_LIB_CAPI_RUNTIME_STATUS_H

#include "mirage-c/Runtime.h"
#include <string>
#include <utility>

namespace mirage::runtime {

/// Success, or an error with its message. True if it is an error.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(MirageRuntimeStatus code, std::string message)
      : code(code), message(std::move(message)) {}

  explicit operator bool() const { return code != MIRAGE_RUNTIME_SUCCESS; }
  MirageRuntimeStatus getCode() const { return code; }
  const std::string &getMessage() const { return message; }

private:
  MirageRuntimeStatus code = MIRAGE_RUNTIME_SUCCESS;
  std::string message;
};

} // namespace mirage::runtime

#endif // MIRAGE_LIB_CAPI_RUNTIME_STATUS_H
