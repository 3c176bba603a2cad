//===- BlockGraphReader.h - Reads block graphs ------------------*- C++ -*-===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TARGET_MUGRAPHJSON_BLOCKGRAPHREADER_H
#define MIRAGE_LIB_TARGET_MUGRAPHJSON_BLOCKGRAPHREADER_H

#include "Mirage/Dialect/Block/Block.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "OperatorTypes.h"
#include <list>
#include <map>

namespace mirage {

/// Reads the block graph of one kernel into a `mirage_kernel.graph_defined`.
class BlockGraphReader {
public:
  /// `fields` are those of the kernel operator; `inputs` and `outputs` its
  /// tensors, with the values of the inputs.
  BlockGraphReader(mlir::OpBuilder &builder, const Fields &fields,
                   llvm::ArrayRef<TensorFields> inputs,
                   llvm::ArrayRef<TensorFields> outputs,
                   mlir::ValueRange inputValues, mlir::Location loc)
      : builder(builder), kernelFields(fields), inputs(inputs),
        outputs(outputs), inputValues(inputValues), loc(loc),
        context(builder.getContext()) {}

  /// The values of the outputs, in order.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> read();

private:
  /// A tile. What an iterator loads can be had in the loop and, unless the loop
  /// cuts it, after the loop; other tiles are on one side. Without a loop all
  /// tiles count as after it.
  struct Tile {
    TensorFields tensor;
    bool afterAccumulation;
    mlir::Location loc;
    mlir::Value valueInLoop = nullptr, valueAfterLoop = nullptr;
    /// An iterator, built where it is used first.
    bool isLoaded = false;
    mlir::Value source = nullptr;
    IMapAttr imap = nullptr;
    int64_t loopDim = kReplica;
  };

  mlir::LogicalResult readOperator(const Fields &fields, unsigned index);
  mlir::LogicalResult readInput(const Fields &fields, mlir::Location loc);
  mlir::LogicalResult readOutput(const Fields &fields, mlir::Location loc);
  mlir::LogicalResult readComputation(const OperatorType &type,
                                      const Fields &fields, mlir::Location loc);
  mlir::FailureOr<mlir::Value> readAccumulator(const OperatorType &type,
                                               const Fields &fields,
                                               mlir::Value tile,
                                               mlir::Location loc);
  /// Reads a map: for each dimension of the grid a data dimension or kReplica.
  mlir::FailureOr<llvm::SmallVector<int64_t>>
  readMap(const Fields &fields, llvm::StringRef key, int64_t rank);
  mlir::FailureOr<int64_t> getReductionDimX();
  /// The tile that an operator reads.
  mlir::FailureOr<Tile *> findTile(const Fields &input);
  /// The tile that an operator makes.
  mlir::FailureOr<Tile *> addTile(const Fields &fields, bool afterAccumulation,
                                  mlir::Location loc);
  mlir::FailureOr<mlir::Value> getValue(Tile &tile, bool after,
                                        const Fields &user);
  /// A value of the loop, accumulated over it.
  mlir::Value accumulate(block::AccumulatorKind kind, mlir::Value tile,
                         mlir::Location loc);
  mlir::OpBuilder getBuilder(bool after);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>> finish();

  bool hasLoop() const { return iterations > 1; }

  mlir::OpBuilder &builder;
  const Fields &kernelFields;
  llvm::ArrayRef<TensorFields> inputs, outputs;
  mlir::ValueRange inputValues;
  mlir::Location loc;
  mlir::MLIRContext *context;

  llvm::SmallVector<int64_t> grid;
  int64_t iterations = 1;
  std::optional<Fields> graphFields;
  /// The region; its arguments after the inputs stand for the loop's results
  /// until there is a loop.
  std::unique_ptr<mlir::Block> afterLoop;
  /// Uses the arguments of `afterLoop`, so it goes first.
  std::unique_ptr<mlir::Block> loopBody;
  llvm::SmallVector<mlir::Value> accumulated;
  llvm::SmallVector<mlir::Attribute> accumulatorKinds;
  /// A list never moves its elements.
  std::list<Tile> tileList;
  std::map<int64_t, Tile *> tiles;
  /// Which output each saver writes, in the savers' order.
  llvm::SmallVector<unsigned> savedOutputs;
};

} // namespace mirage

#endif // MIRAGE_LIB_TARGET_MUGRAPHJSON_BLOCKGRAPHREADER_H
