//===- Program.cpp - Reads launches and buffers out of a host function ----===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/Program.h"
#include "Mirage/Dialect/Kernel/LibraryCall.h"
#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "Mirage/Dialect/Mirage/TensorMap.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mirage;

namespace {

class Extractor {
public:
  FailureOr<CompiledProgram> run(func::FuncOp function) {
    program.name = function.getName().str();
    if (!function.getBody().hasOneBlock())
      return function.emitOpError("can't be run, expected a body of one block");
    if (failed(addArguments(function)))
      return failure();
    for (Operation &op : function.getBody().front()) {
      LogicalResult result =
          llvm::TypeSwitch<Operation *, LogicalResult>(&op)
              .Case<memref::AllocOp>([&](auto alloc) {
                return addBuffer(alloc, alloc.getMemref(),
                                 BufferKind::Temporary);
              })
              .Case<gpu::LaunchFuncOp>(
                  [&](auto launch) { return addLaunch(launch); })
              .Case<memref::DeallocOp, arith::ConstantOp>(
                  [](Operation *) { return success(); })
              .Case<func::ReturnOp>([](func::ReturnOp op) -> LogicalResult {
                return op.getNumOperands()
                           ? op.emitOpError(
                                 "can't be run, results have to be arguments")
                           : success();
              })
              .Default([](Operation *op) {
                return op->emitOpError("can't be run, expected only buffers "
                                       "and launches of kernels");
              });
      if (failed(result))
        return failure();
    }
    return std::move(program);
  }

private:
  LogicalResult addArguments(func::FuncOp function) {
    auto numResults = function->getAttrOfType<IntegerAttr>(kNumResultsAttr);
    if (!numResults)
      return function.emitOpError("can't be run, it lacks the attribute '")
             << kNumResultsAttr << "'";
    int64_t results = numResults.getInt(),
            arguments = function.getNumArguments();
    if (results < 0 || results > arguments)
      return function.emitOpError("has ")
             << arguments << " arguments, and '" << kNumResultsAttr << "' is "
             << results;
    for (BlockArgument argument : function.getArguments()) {
      bool output = argument.getArgNumber() >= arguments - results;
      if (failed(addBuffer(function, argument,
                           output ? BufferKind::Output : BufferKind::Input)))
        return failure();
    }
    return success();
  }

  LogicalResult addBuffer(Operation *op, Value value, BufferKind kind) {
    auto type = dyn_cast<MemRefType>(value.getType());
    if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity())
      return op->emitOpError("can't be run, ")
             << value.getType()
             << " is not a memref of static shape and identity layout";
    std::optional<ElementType> elementType =
        getElementType(type.getElementType());
    if (!elementType)
      return op->emitOpError("can't be run, expected elements of type f16, "
                             "bf16, f32 or f64, found ")
             << type.getElementType();
    int64_t bytes = static_cast<int64_t>(getElementSize(*elementType));
    for (int64_t size : type.getShape())
      if (llvm::MulOverflow(bytes, size, bytes))
        return op->emitOpError("can't be run, ")
               << type << " has more bytes than can be counted";
    indices[value] = program.buffers.size();
    program.buffers.push_back({kind,
                               llvm::SmallVector<int64_t>(type.getShape()),
                               *elementType, static_cast<size_t>(bytes)});
    return success();
  }

  /// The constant `value` of the launch `op`, at least `least` and at most
  /// `most`.
  FailureOr<uint32_t> getConstant(gpu::LaunchFuncOp op, Value value,
                                  StringRef what, uint32_t least,
                                  uint32_t most) {
    // No other op with such a result gets here.
    APInt constant;
    [[maybe_unused]] bool isConstant =
        matchPattern(value, m_ConstantInt(&constant));
    assert(isConstant && "an integer from another op");
    int64_t integer = constant.getSExtValue();
    if (integer < least || integer > most)
      return op.emitOpError("has ") << what << " " << integer << ", expected "
                                    << least << " to " << most;
    return static_cast<uint32_t>(integer);
  }

  LogicalResult addLaunch(gpu::LaunchFuncOp op) {
    if (op.hasClusterSize())
      return op.emitOpError("can't be run, a size of clusters has to be the "
                            "kernel's ('known_cluster_size')");
    if (!op.getAsyncDependencies().empty() || op.getAsyncToken() ||
        op.getAsyncObject())
      return op.emitOpError(
          "can't be run, asynchronous launches are not supported");
    Launch launch;
    launch.module = op.getKernelModuleName().str();
    launch.kernel = op.getKernelName().str();
    Value grid[] = {op.getGridSizeX(), op.getGridSizeY(), op.getGridSizeZ()};
    Value block[] = {op.getBlockSizeX(), op.getBlockSizeY(),
                     op.getBlockSizeZ()};
    for (int i = 0; i < 3; ++i) {
      FailureOr<uint32_t> blocks =
          getConstant(op, grid[i], "a grid size", 1, kMaxGridSizes[i]);
      FailureOr<uint32_t> threads =
          getConstant(op, block[i], "a block size", 1, kMaxBlockSizes[i]);
      if (failed(blocks) || failed(threads))
        return failure();
      launch.grid[i] = *blocks;
      launch.block[i] = *threads;
    }
    uint32_t threads = launch.block[0] * launch.block[1] * launch.block[2];
    if (threads > kMaxBlockThreads)
      return op.emitOpError("has blocks of ")
             << threads << " threads, expected at most " << kMaxBlockThreads;
    if (failed(checkKernel(op, launch)) || failed(readClusters(op, launch)))
      return failure();

    launch.sharedBytes = 0;
    if (Value size = op.getDynamicSharedMemorySize()) {
      // Of an unknown chip nothing is known.
      auto module = op->getParentOfType<ModuleOp>();
      auto target =
          module->getAttrOfType<TargetAttr>(MirageDialect::kTargetAttr);
      const int64_t most = std::min<int64_t>(
          target ? target.getSharedBytes() : INT32_MAX, INT32_MAX);
      FailureOr<uint32_t> bytes =
          getConstant(op, size, "a size of shared memory", 0, most);
      if (failed(bytes))
        return failure();
      launch.sharedBytes = *bytes;
    }
    for (Value operand : op.getKernelOperands()) {
      auto it = indices.find(operand);
      if (it == indices.end())
        return op.emitOpError("can't be run, operand of type ")
               << operand.getType()
               << " is neither an argument of the function nor a memref.alloc";
      launch.arguments.push_back(it->second);
    }
    if (failed(readTensorMaps(op, launch)) ||
        failed(readLibraryCall(op, launch)))
      return failure();
    program.launches.push_back(std::move(launch));
    return success();
  }

  /// The clusters that the kernel is compiled for.
  LogicalResult readClusters(gpu::LaunchFuncOp op, Launch &launch) {
    auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
        op, op.getKernelAttr());
    if (!kernel || !kernel.getKnownClusterSize())
      return success();
    ArrayRef<int32_t> cluster = *kernel.getKnownClusterSize();
    int64_t blocks = 1;
    for (auto [i, size] : llvm::enumerate(cluster)) {
      if (size < 1 || size > kMaxClusterBlocks ||
          (blocks *= size) > kMaxClusterBlocks)
        return kernel.emitOpError("has clusters of ")
               << cluster[0] << "x" << cluster[1] << "x" << cluster[2]
               << " blocks, expected at most " << kMaxClusterBlocks;
      launch.cluster[i] = size;
    }
    for (auto [grid, size] : llvm::zip_equal(launch.grid, launch.cluster))
      if (grid % size != 0) {
        InFlightDiagnostic diagnostic =
            op.emitOpError("has a grid size of ")
            << launch.grid[0] << "x" << launch.grid[1] << "x" << launch.grid[2];
        diagnostic.attachNote(kernel.getLoc())
            << "the kernel is compiled for clusters of " << cluster[0] << "x"
            << cluster[1] << "x" << cluster[2] << ", which don't divide it";
        return diagnostic;
      }
    return success();
  }

  /// What the kernel wants a tensor map of.
  LogicalResult readTensorMaps(gpu::LaunchFuncOp op, Launch &launch) {
    auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
        op, op.getKernelAttr());
    if (!kernel)
      return success();
    unsigned count =
        std::min<size_t>(kernel.getNumArguments(), launch.arguments.size());
    for (unsigned i = 0; i < count; ++i) {
      Attribute attr = kernel.getArgAttr(i, kTensorMapAttr);
      if (!attr)
        continue;
      FailureOr<TensorMap> map = TensorMap::get(attr, [&] {
        return kernel.emitOpError("has as argument ") << i << " ";
      });
      if (failed(map))
        return failure();
      program_file::Argument &argument = launch.arguments[i];
      const Buffer &buffer = program.buffers[argument.buffer];
      Type found =
          cast<MemRefType>(op.getKernelOperand(i).getType()).getElementType();
      if (map->elementType != found) {
        InFlightDiagnostic diagnostic = op.emitOpError("passes a buffer of ")
                                        << found << " as operand " << i;
        diagnostic.attachNote(kernel.getLoc())
            << "the kernel takes a tensor map of " << map->elementType;
        return diagnostic;
      }
      argument.map = {{map->shape.begin(), map->shape.end()},
                      {map->box.begin(), map->box.end()},
                      static_cast<uint32_t>(map->swizzleBytes)};
      if (std::string error =
              program_file::verify(*argument.map, getFileBuffer(buffer));
          !error.empty())
        return op.emitOpError(error);
    }
    return success();
  }

  LogicalResult readLibraryCall(gpu::LaunchFuncOp op, Launch &launch) {
    Attribute attribute = op->getAttr(kernel::kLibraryAttr);
    if (!attribute)
      return success();
    auto call = dyn_cast<DictionaryAttr>(attribute);
    auto name = call ? call.getAs<StringAttr>("op") : StringAttr();
    using Op = program_file::LibraryCall::Op;
    program_file::LibraryCall &library = launch.library;
    library.op = llvm::StringSwitch<Op>(name ? name.getValue() : "")
                     .Case("matmul", Op::Matmul)
                     .Case("matmul_transposed", Op::MatmulTransposed)
                     .Case("matmul_transposed_lhs", Op::MatmulTransposedLhs)
                     .Default(Op::None);
    if (library.op == Op::None)
      return op.emitOpError("has a '")
             << kernel::kLibraryAttr << "' of " << attribute
             << ", expected a dictionary with op = \"matmul\", op = "
                "\"matmul_transposed\" or op = \"matmul_transposed_lhs\"";
    for (auto [key, size] :
         {std::pair<StringRef, int64_t *>("batch", &library.batch),
          {"m", &library.m},
          {"n", &library.n},
          {"k", &library.k}}) {
      auto value = call.getAs<IntegerAttr>(key);
      if (!value || !value.getType().isSignlessInteger(64))
        return op.emitOpError("has a '")
               << kernel::kLibraryAttr << "' without an i64 '" << key << "'";
      *size = value.getInt();
    }
    std::vector<program_file::Buffer> buffers;
    // Kernels take tensor maps behind the buffers.
    for (const program_file::Argument &argument : launch.arguments)
      if (!argument.map)
        buffers.push_back(getFileBuffer(program.buffers[argument.buffer]));
    std::vector<const program_file::Buffer *> pointers;
    for (const program_file::Buffer &buffer : buffers)
      pointers.push_back(&buffer);
    if (std::string error = program_file::verify(library, pointers);
        !error.empty())
      return op.emitOpError(error);
    return success();
  }

  /// A kernel compiled for fixed sizes must be launched with them.
  LogicalResult checkKernel(gpu::LaunchFuncOp op, const Launch &launch) {
    auto kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
        op, op.getKernelAttr());
    if (!kernel)
      return success();
    auto check = [&](StringRef what, std::optional<ArrayRef<int32_t>> known,
                     const std::array<uint32_t, 3> &launched) -> LogicalResult {
      if (!known || llvm::equal(*known, launched, [](int32_t a, uint32_t b) {
            return uint32_t(a) == b;
          }))
        return success();
      InFlightDiagnostic diagnostic = op.emitOpError("has a ")
                                      << what << " of " << launched[0] << "x"
                                      << launched[1] << "x" << launched[2];
      diagnostic.attachNote(kernel.getLoc())
          << "the kernel is compiled for " << (*known)[0] << "x" << (*known)[1]
          << "x" << (*known)[2];
      return diagnostic;
    };
    if (failed(check("grid size", kernel.getKnownGridSize(), launch.grid)))
      return failure();
    return check("block size", kernel.getKnownBlockSize(), launch.block);
  }

  CompiledProgram program;
  DenseMap<Value, unsigned> indices;
};

} // namespace

unsigned CompiledProgram::getNumInputs() const {
  return llvm::count_if(
      buffers, [](const Buffer &b) { return b.kind == BufferKind::Input; });
}

unsigned CompiledProgram::getNumOutputs() const {
  return llvm::count_if(
      buffers, [](const Buffer &b) { return b.kind == BufferKind::Output; });
}

static program_file::Kind convert(BufferKind kind) {
  switch (kind) {
  case BufferKind::Input:
    return program_file::Kind::Input;
  case BufferKind::Output:
    return program_file::Kind::Output;
  case BufferKind::Temporary:
    break;
  }
  return program_file::Kind::Temporary;
}

static program_file::Type convert(ElementType type) {
  switch (type) {
  case ElementType::F16:
    return program_file::Type::F16;
  case ElementType::BF16:
    return program_file::Type::BF16;
  case ElementType::F32:
    return program_file::Type::F32;
  case ElementType::F64:
    break;
  }
  return program_file::Type::F64;
}

program_file::Buffer mirage::getFileBuffer(const Buffer &buffer) {
  return {convert(buffer.kind),
          convert(buffer.type),
          /*name=*/"",
          {buffer.shape.begin(), buffer.shape.end()}};
}

FailureOr<CompiledProgram> mirage::extractProgram(func::FuncOp function) {
  return Extractor().run(function);
}

llvm::Error mirage::checkArguments(const CompiledProgram &program,
                                   ArrayRef<Array> arguments) {
  if (arguments.size() != program.getNumArguments())
    return llvm::createStringError("'%s' takes %u arrays, found %zu",
                                   program.name.c_str(),
                                   program.getNumArguments(), arguments.size());
  for (auto [index, array] : llvm::enumerate(arguments)) {
    const Buffer &buffer = program.buffers[index];
    if (ArrayRef<int64_t>(array.shape) != ArrayRef<int64_t>(buffer.shape) ||
        array.type != buffer.type || array.bytes.size() != buffer.bytes)
      return llvm::createStringError(
          "argument %zu of '%s': expected %s, found %s", index,
          program.name.c_str(),
          describeArray(buffer.shape, buffer.type).c_str(),
          describeArray(array.shape, array.type).c_str());
  }
  return llvm::Error::success();
}
