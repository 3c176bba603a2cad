//===- Dialect.td - The base dialect -----------------------*- tablegen -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_DIALECT_TD
#define MIRAGE_DIALECT_MIRAGE_DIALECT_TD

include "mlir/IR/OpBase.td"

def Mirage_Dialect : Dialect {
  let name = "mirage";
  let cppNamespace = "::mirage";
  let summary = "What the three levels of a μGraph share";
  let description = [{
    Attributes (grid, imap, omap, fmap, target), the types of tensors that live
    on the chip (tile in shared memory, fragment in registers), and the
    interface through which every engine asks an operator what it means. The
    kernel, block and thread dialects depend on this one and not on each other.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 0;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    /// On a module: the target (a TargetAttr) that its graphs must fit.
    static constexpr ::llvm::StringLiteral kTargetAttr = "mirage.target";
    /// On a function: the symbol of the function that it must be equal to.
    static constexpr ::llvm::StringLiteral kReferenceAttr = "mirage.reference";
    /// On a function: the verdict of a verifier, a dictionary.
    static constexpr ::llvm::StringLiteral kVerdictAttr = "mirage.verdict";
    /// On a graph-defined kernel: that it is the default schedule of an operator,
    /// and so needs no verdict.
    static constexpr ::llvm::StringLiteral kScheduledAttr = "mirage.scheduled";
    /// On a lowered function: how many of its last arguments are results.
    static constexpr ::llvm::StringLiteral kNumResultsAttr =
        "mirage.num_results";

  private:
    void registerAttributes();
    void registerTypes();

  public:
  }];
}

#endif // MIRAGE_DIALECT_MIRAGE_DIALECT_TD
