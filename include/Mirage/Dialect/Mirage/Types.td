//===- Types.td - Tiles and fragments ----------------------*- tablegen -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_TYPES_TD
#define MIRAGE_DIALECT_MIRAGE_TYPES_TD

include "Mirage/Dialect/Mirage/Dialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

class Mirage_ShapedType<string name, string typeMnemonic>
    : TypeDef<Mirage_Dialect, name, [ShapedTypeInterface]> {
  let mnemonic = typeMnemonic;
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    bool hasRank() const { return true; }
    ::mlir::ShapedType cloneWith(
        std::optional<::llvm::ArrayRef<int64_t>> shape,
        ::mlir::Type elementType) const {
      return get(getContext(), shape.value_or(getShape()), elementType);
    }
  }];
}

def Mirage_TileType : Mirage_ShapedType<"Tile", "tile"> {
  let summary = "A tensor in the shared memory of a thread block";
  let description = [{
    `!mirage.tile<16x64xf16>`: static shape; f16, bf16 or f32.

    C1: the element type is one of these. C2: sizes are at least 1. C3: there are
    at most 2^40 elements.
  }];
}

def Mirage_FragmentType : Mirage_ShapedType<"Fragment", "fragment"> {
  let summary = "A tensor spread over the registers of a block's threads";
  let description = [{
    `!mirage.fragment<16x64xf32>`. The shape is that of the tile it is a part of;
    each thread holds some of the elements. Constrained like a tile.
  }];
}

def Mirage_Float : AnyTypeOf<[F16, BF16, F32], "f16, bf16 or f32">;
def Mirage_Tensor
    : Type<CPred<"::mirage::isSupportedTensor($_self)">,
           "statically shaped, non-empty tensor of f16, bf16 or f32 with at most "
           "2^40 elements",
           "::mlir::TensorType">;
def Mirage_Tile : Type<CPred<"::llvm::isa<::mirage::TileType>($_self)">, "tile",
                       "::mirage::TileType">;
def Mirage_Fragment : Type<CPred<"::llvm::isa<::mirage::FragmentType>($_self)">,
                           "fragment", "::mirage::FragmentType">;
def Mirage_AnyTensor
    : AnyTypeOf<[Mirage_Tensor, Mirage_Tile, Mirage_Fragment],
                "statically shaped tensor, tile or fragment of floats",
                "::mlir::ShapedType">;

#endif // MIRAGE_DIALECT_MIRAGE_TYPES_TD
