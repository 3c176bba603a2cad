//===- Attributes.td - Grids, maps and targets -------------*- tablegen -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_ATTRIBUTES_TD
#define MIRAGE_DIALECT_MIRAGE_ATTRIBUTES_TD

include "Mirage/Dialect/Mirage/Dialect.td"
include "mlir/IR/AttrTypeBase.td"

class Mirage_Attr<string name, string attrMnemonic>
    : AttrDef<Mirage_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Mirage_GridAttr : Mirage_Attr<"Grid", "grid"> {
  let summary = "How many thread blocks a kernel has in each grid dimension";
  let description = [{
    One to four sizes, for the dimensions x, y and z (paper, section 2) and w:
    `<x = 128>`, `<x = 32, y = 2>`. A size is at least 1. GPUs have no w: blocks
    along z count z first and then w (`getLaunchSizes`), so that attention with
    grouped heads, of tensors of batch x positions x heads x group x head size,
    can be cut along all but the last.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$sizes);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The number of thread blocks.
    int64_t getNumBlocks() const;
  }];
}

class Mirage_GridMapAttr<string name, string attrMnemonic>
    : Mirage_Attr<name, attrMnemonic> {
  let parameters = (ins ArrayRefParameter<"int64_t">:$dims);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Mirage_IMapAttr : Mirage_GridMapAttr<"IMap", "imap"> {
  let summary = "How an input tensor is partitioned over the grid";
  let description = [{
    For each grid dimension the data dimension that it partitions, or `replica`
    when every block along it sees all (paper, section 2): `<x -> 1>`,
    `<x -> replica, y -> 0>`. Kept as one number per grid dimension, with
    `kReplica` for `replica`.
  }];
}

def Mirage_OMapAttr : Mirage_GridMapAttr<"OMap", "omap"> {
  let summary = "How the results of the blocks make up an output tensor";
  let description = [{
    For each grid dimension the data dimension along which the blocks' tiles are
    concatenated. Never `replica`: two blocks would write values of one element.
  }];
}

def Mirage_FMapAttr : Mirage_Attr<"FMap", "fmap"> {
  let summary = "How an input tile is partitioned over the for-loop";
  let description = [{
    The data dimension that the iterations partition, or `replica` when each
    iteration loads all of it: `<i -> 1>`, `<i -> replica>`.
  }];
  let parameters = (ins "int64_t":$dim);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Mirage_TargetAttr : Mirage_Attr<"Target", "target"> {
  let summary = "What the search and the cost model know of a GPU";
  let description = [{
    `#mirage.target<"sm_90a", sm_count = 132, ...>`. `TargetAttr::lookup` has the
    GPUs that are known by name.

    - `sm_count`: streaming multiprocessors.
    - `shared_bytes`: shared memory that one thread block can use, in bytes.
    - `device_bytes`: device memory, in bytes.
    - `bandwidth`: device memory bandwidth, in GB/s.
    - `tflops`: dense f16 tensor-core rate with f32 accumulation, in TFLOP/s.
    - `launch_ns`: the cost of one more kernel in a stream, in nanoseconds.

    All are at least 1, and at most 2^50; `sm_count` at most 2^20, and
    `shared_bytes` less than 2^31.
  }];
  let parameters = (ins StringRefParameter<"the chip, as LLVM names it">:$chip,
                        "int64_t":$sm_count, "int64_t":$shared_bytes,
                        "int64_t":$device_bytes, "int64_t":$bandwidth,
                        "int64_t":$tflops, "int64_t":$launch_ns);
  let assemblyFormat = [{
    `<` $chip `,` struct($sm_count, $shared_bytes, $device_bytes, $bandwidth,
                         $tflops, $launch_ns) `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The description of a GPU known by name, or null.
    static TargetAttr lookup(::mlir::MLIRContext *context,
                             ::llvm::StringRef chip);
    /// The names that `lookup` knows, for error messages.
    static ::llvm::ArrayRef<::llvm::StringLiteral> getKnownChips();
  }];
}

#endif // MIRAGE_DIALECT_MIRAGE_ATTRIBUTES_TD
