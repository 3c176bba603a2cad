//===- MirageToGPU.cpp - Functions on tensors that launch kernels ---------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The host side of the lowering: which kernel graphs can be lowered, which
// buffers their tensors live in, and the launches.
//
//===----------------------------------------------------------------------===//

#include "ElementCode.h"
#include "KernelEmitter.h"
#include "Mirage/BlockPlan/BoxCopies.h"
#include "Mirage/BlockPlan/Clusters.h"
#include "Mirage/BlockPlan/KeptRows.h"
#include "Mirage/BlockPlan/MatmulPlan.h"
#include "Mirage/BlockPlan/PlanOptions.h"
#include "Mirage/BlockPlan/RowChain.h"
#include "Mirage/BlockPlan/TileUse.h"
#include "Mirage/BlockPlan/WarpRoles.h"
#include "Mirage/Conversion/MirageToGPU/Passes.h"
#include "Mirage/Dialect/Kernel/LibraryCall.h"
#include "Mirage/Dialect/Mirage/ChipFeatures.h"
#include "Mirage/Dialect/Mirage/ChipLimits.h"
#include "Mirage/Dialect/Mirage/PlanAttributes.h"
#include "Mirage/Dialect/Mirage/TensorView.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Mugraph/VerdictState.h"
#include "TileMemory.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

namespace mirage {
#define GEN_PASS_DEF_CONVERTMIRAGETOGPU
#include "Mirage/Conversion/MirageToGPU/Passes.h.inc"
} // namespace mirage

using namespace mirage;
using namespace mlir;

//===----------------------------------------------------------------------===//
// What can be lowered
//===----------------------------------------------------------------------===//

/// The tensor whose buffer a tensor lives in.
static Value getRoot(Value tensor) {
  while (true) {
    Value whole = getTensorView(tensor).whole;
    if (isReinterpretation(whole.getDefiningOp()))
      whole = whole.getDefiningOp()->getOperand(0);
    if (whole == tensor)
      return tensor;
    tensor = whole;
  }
}

/// Whether some of what an op reads and makes are parts of tensors, which a
/// library doesn't know.
static bool hasParts(Operation *op) {
  return llvm::any_of(
      llvm::concat<Value>(op->getOperands(), op->getResults()),
      [](Value tensor) { return getTensorView(tensor).whole != tensor; });
}

/// Whether a function has ops of a μGraph, and so is to be lowered.
static bool hasMugraph(func::FuncOp function) {
  WalkResult result = function.walk([](Operation *op) {
    bool ofMugraph =
        isa_and_nonnull<MirageDialect, kernel::KernelDialect>(op->getDialect());
    return ofMugraph ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted() ||
         function->hasAttr(MirageDialect::kReferenceAttr);
}

static LogicalResult verifyTensor(func::FuncOp function, Type type,
                                  const Twine &what) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (tensor && tensor.hasStaticShape() &&
      isa<Float16Type, BFloat16Type, Float32Type>(tensor.getElementType()))
    return success();
  return function.emitOpError("can't be lowered: ")
         << what << " is a " << type
         << ", not a tensor of static shape with elements of f16, bf16 or f32";
}

static LogicalResult verifyOps(Block &body) {
  if (Operation *op = findForeignOp(body))
    return op->emitOpError(
        "can't be lowered: it is not an op of a kernel graph");
  for (auto constant : body.getOps<ConstantOp>())
    return constant.emitOpError("can't be lowered: it has no block graph "
                                "(mirage-schedule-kernels gives it one)");
  return success();
}

/// Refuses graph-defined kernels of which nobody knows what they compute: all
/// but those that stand for one operator.
static LogicalResult verifyVerdict(func::FuncOp function) {
  VerdictState state = getVerdictState(function);
  if (state == VerdictState::Good)
    return success();
  for (auto graph : function.getOps<kernel::GraphDefinedOp>())
    if (!graph->hasAttr(MirageDialect::kScheduledAttr)) {
      InFlightDiagnostic diagnostic =
          graph.emitOpError("is not lowered: its function has ");
      if (state == VerdictState::OfAnother)
        diagnostic << "the '" << MirageDialect::kVerdictAttr
                   << "' of another μGraph";
      else
        diagnostic << "no '" << MirageDialect::kVerdictAttr
                   << "' that says proved or accepted";
      diagnostic.attachNote(function.getLoc())
          << "--mirage-verify-equivalence compares a function with its '"
          << MirageDialect::kReferenceAttr
          << "'; the option 'allow-unverified' lowers it as it is";
      return diagnostic;
    }
  return success();
}

/// The threads of a kernel's blocks, those that only load included.
static int64_t getNumBlockThreads(kernel::GraphDefinedOp graph) {
  return getNumThreads(graph) +
         (hasProducerWarp(graph.getBlockGraph()) ? mirage::kWarpSize : 0);
}

/// Whether `function` is a kernel graph that can be lowered; emits the errors.
static LogicalResult verifyFunction(func::FuncOp function, ModuleOp module,
                                    TargetAttr target) {
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (failed(verifyTensor(function, type, "argument " + Twine(i))))
      return failure();
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    if (failed(verifyTensor(function, type, "result " + Twine(i))))
      return failure();
  if (!function.getBody().hasOneBlock())
    return function.emitOpError("can't be lowered: it has branches");
  if (std::optional<SymbolTable::UseRange> uses =
          SymbolTable::getSymbolUses(function, module))
    for (SymbolTable::SymbolUse use : *uses)
      if (!isa<func::CallOp>(use.getUser()))
        return use.getUser()->emitOpError("can't be lowered: @")
               << function.getName() << " becomes a function on memrefs";

  WalkResult opaque = function.walk([](OperatorOpInterface op) {
    if (!op.getSemantics().isOpaque())
      return WalkResult::advance();
    op->emitOpError("can't be lowered: only the user knows what it computes");
    return WalkResult::interrupt();
  });
  if (opaque.wasInterrupted())
    return failure();
  if (failed(verifyOps(function.getBody().front())))
    return failure();
  for (Operation &op : function.getBody().front()) {
    auto graph = dyn_cast<kernel::GraphDefinedOp>(op);
    if (!graph)
      continue;
    auto kernel = cast<BlockGraphOpInterface>(graph.getOperation());
    for (auto loop : graph.getBlockGraph().getOps<block::LoopOp>()) {
      FailureOr<block::LoopCuts> cuts = block::followCuts(loop);
      if (failed(cuts))
        return failure();
      if (!cuts->unmaskedSums.empty())
        return cuts->unmaskedSums.front()->emitOpError(
            "can't be lowered: it sums up elements that the iteration before "
            "has had (mirage-mask-loops masks them)");
    }
    if (failed(verifyRowChains(graph.getBlockGraph())) ||
        failed(verifyKeptRows(kernel)) ||
        failed(verifyWarpRoles(graph.getBlockGraph(), target.getChip())) ||
        failed(verifyCluster(kernel, target.getChip())) ||
        failed(verifyPlan(graph.getBlockGraph())))
      return failure();
    if (getNumBlockThreads(graph) > kMaxBlockThreads)
      return graph.emitOpError()
             << "has blocks of " << getNumBlockThreads(graph)
             << " threads, with those that load tiles; at most "
             << kMaxBlockThreads << " are possible";
    if (Attribute library = graph->getAttr(kernel::kLibraryAttr)) {
      auto name = dyn_cast<StringAttr>(library);
      if (!name || graph->getNumResults() != 1 ||
          !kernel::isLibraryCall(name, graph->getOperandTypes(),
                                 graph->getResult(0).getType()))
        return graph.emitOpError("can't be lowered: '")
               << kernel::kLibraryAttr << "' is " << library
               << ", which no library computes on these tensors";
      if (!graph->hasAttr(MirageDialect::kScheduledAttr))
        return graph.emitOpError("can't be lowered: it has '")
               << kernel::kLibraryAttr << "', but is not '"
               << MirageDialect::kScheduledAttr << "'";
    }
    SharedPlan plan(graph.getBlockGraph());
    if (plan.size > target.getSharedBytes())
      return graph.emitOpError()
             << "has tiles of " << plan.size << " bytes, but a block of "
             << target.getChip() << " has " << target.getSharedBytes()
             << " bytes of shared memory";
  }
  int64_t bytes = getDeviceBytes(function.getBody().front());
  if (bytes > target.getDeviceBytes())
    return function.emitOpError()
           << "has tensors of " << bytes << " bytes, but " << target.getChip()
           << " has " << target.getDeviceBytes() << " bytes of device memory";
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// What a thread of most kernels can do with, so that ptxas spills nothing.
static constexpr int64_t kEnoughRegisters = 160;

/// The registers that the row chains of a kernel take of a thread; 0 if it has
/// none.
static int64_t getChainRegisters(kernel::GraphDefinedOp graph) {
  int64_t registers = 0;
  for (auto loop : graph.getBlockGraph().getOps<block::LoopOp>())
    if (std::optional<RowChain> chain = getRowChain(loop))
      registers = std::max(
          registers, chain->getSizes().getLeastThreadRegisters(chain->parts));
  return registers;
}

/// How many blocks a multiprocessor has room for in shared memory, and gets of
/// the grid, of which ptxas knows nothing: it saves registers for more of them,
/// down to spilling. 0 if so many leave a thread less than enough registers:
/// then they may be what counts. 1 where there are more threads because sums
/// take many registers: these are worth more than a second block. No more than
/// row chains leave registers for.
static int64_t countBlocksPerSm(kernel::GraphDefinedOp graph, int64_t bytes,
                                TargetAttr target) {
  const int64_t haveRoom = (target.getSharedBytes() + kReservedSharedBytes) /
                           (bytes + kReservedSharedBytes);
  const int64_t ofGrid = llvm::divideCeil(
      mirage::getNumElements(graph.getGrid().getSizes()), target.getSmCount());
  const int64_t threads = getNumBlockThreads(graph);
  int64_t blocks = std::min(haveRoom, ofGrid);
  if (int64_t registers = getChainRegisters(graph);
      registers > kEnoughRegisters)
    blocks =
        std::clamp<int64_t>(kRegistersPerSm / (registers * threads), 1, blocks);
  if (kRegistersPerSm / (blocks * threads) >= kEnoughRegisters)
    return blocks;
  return blocks == 1 || getNumThreads(graph) > kDefaultThreads ? 1 : 0;
}

static MemRefType getBufferType(Type tensor) {
  auto type = cast<ShapedType>(tensor);
  return MemRefType::get(type.getShape(), type.getElementType());
}

namespace {

/// Lowers one function.
class FunctionLowering {
public:
  /// `symbols` are those of `kernels`.
  FunctionLowering(func::FuncOp function, gpu::GPUModuleOp kernels,
                   SymbolTable &symbols, TargetAttr target, int64_t threads)
      : function(function), kernels(kernels), symbols(symbols), target(target),
        threads(threads), builder(function) {}

  /// Replaces the function.
  void run();

private:
  /// Makes a kernel on `buffers` with a body, and launches it.
  gpu::LaunchFuncOp
  launch(Location loc, ArrayRef<int64_t> grid, int64_t threads,
         int64_t sharedBytes, ValueRange buffers,
         function_ref<void(OpBuilder &, ValueRange)> emitBody);
  /// The same with a body that visits each of `count` elements once, in any
  /// order.
  gpu::LaunchFuncOp
  launchForEach(Location loc, int64_t count, ValueRange buffers,
                function_ref<void(OpBuilder &, ValueRange, Value)> visit);
  /// The buffer that a kernel writes a tensor to, or a part of.
  Value getOutputBuffer(Value tensor);
  /// Lets each kernel be launched while the one before still runs, for whose
  /// end it waits itself (docs/Runtime.md, "Overlapping launches"). Kernels'
  /// pointers may alias, so that no load is moved in front of the wait.
  void overlapKernels();
  void launchGraph(kernel::GraphDefinedOp graph);
  void launchOperator(OperatorOpInterface op);
  void launchCopy(Location loc, Value from, Value to);

  func::FuncOp function;
  gpu::GPUModuleOp kernels;
  SymbolTable &symbols;
  /// The function's kernels, in the order of their launches.
  SmallVector<gpu::GPUFuncOp> functionKernels;
  TargetAttr target;
  int64_t threads;
  OpBuilder builder;
  unsigned numKernels = 0;
  llvm::DenseMap<Value, Value> buffers;
  SmallVector<Value> temporaries;
};

} // namespace

gpu::LaunchFuncOp
FunctionLowering::launch(Location loc, ArrayRef<int64_t> grid, int64_t threads,
                         int64_t sharedBytes, ValueRange buffers,
                         function_ref<void(OpBuilder &, ValueRange)> emitBody) {
  const std::array<int64_t, 3> sizes = getLaunchSizes(grid);
  const SmallVector<int32_t, 3> blocks(sizes.begin(), sizes.end());
  auto numThreads = static_cast<int32_t>(threads);

  OpBuilder inModule = OpBuilder::atBlockEnd(kernels.getBody());
  // PTX has letters, digits and underscores, and no name that begins with a
  // digit. Functions whose names differ in other characters would share names
  // without the table.
  std::string name = (function.getName() + "_" + Twine(numKernels++)).str();
  if (llvm::isDigit(name.front()))
    name.insert(0, "k_");
  for (char &c : name)
    if (!llvm::isAlnum(c))
      c = '_';
  auto kernel = gpu::GPUFuncOp::create(
      inModule, loc, name,
      builder.getFunctionType(buffers.getTypes(), TypeRange()));
  symbols.insert(kernel);
  functionKernels.push_back(kernel);
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                  builder.getUnitAttr());
  kernel.setKnownBlockSizeAttr(
      builder.getDenseI32ArrayAttr({numThreads, 1, 1}));
  kernel.setKnownGridSizeAttr(builder.getDenseI32ArrayAttr(blocks));
  OpBuilder inKernel = OpBuilder::atBlockBegin(&kernel.getBody().front());
  emitBody(inKernel, kernel.getArguments());
  inKernel.setInsertionPointToEnd(&kernel.getBody().front());
  gpu::ReturnOp::create(inKernel, loc);

  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value one = index(1);
  Value shared = arith::ConstantIntOp::create(builder, loc, sharedBytes, 32);
  return gpu::LaunchFuncOp::create(
      builder, loc, kernel,
      gpu::KernelDim3{index(blocks[0]), index(blocks[1]), index(blocks[2])},
      gpu::KernelDim3{index(threads), one, one}, shared, buffers);
}

Value FunctionLowering::getOutputBuffer(Value tensor) {
  tensor = getTensorView(tensor).whole;
  Value &buffer = buffers[tensor];
  if (!buffer) {
    buffer = memref::AllocOp::create(builder, tensor.getLoc(),
                                     getBufferType(tensor.getType()));
    temporaries.push_back(buffer);
  }
  return buffer;
}

/// Says that a library's kernel does the same as the one that is launched.
static void setLibraryCall(gpu::LaunchFuncOp launch, StringRef op,
                           TypeRange operands, Type result) {
  launch->setAttr(
      kernel::kLibraryAttr,
      kernel::getLibraryCall(launch.getContext(), op, operands, result));
}

void FunctionLowering::launchGraph(kernel::GraphDefinedOp graph) {
  SmallVector<Value> arguments;
  for (Value input : graph.getInputs())
    arguments.push_back(buffers.lookup(getRoot(input)));
  for (Value output : graph.getOutputs())
    arguments.push_back(getOutputBuffer(output));
  unsigned numBuffers = arguments.size();
  SmallVector<Operation *> mapped = getMappedOps(graph.getBlockGraph());
  auto savers = graph.getBlockGraph().getOps<block::OutputSaver>();
  for (Operation *op : mapped) {
    unsigned buffer = 0;
    if (auto input = dyn_cast<block::InputIterator>(op))
      buffer = cast<BlockArgument>(input.getTensor()).getArgNumber();
    else
      buffer = graph.getInputs().size() +
               std::distance(savers.begin(), llvm::find(savers, op));
    arguments.push_back(arguments[buffer]);
  }
  SharedPlan plan(graph.getBlockGraph());
  gpu::LaunchFuncOp launched = launch(
      graph.getLoc(), graph.getGrid().getSizes(), getNumBlockThreads(graph),
      plan.size, arguments, [&](OpBuilder &inKernel, ValueRange memrefs) {
        emitKernelBody(inKernel, graph, memrefs, plan);
      });
  auto kernel = symbols.lookup<gpu::GPUFuncOp>(launched.getKernelName());
  if (int64_t blocks = countBlocksPerSm(graph, plan.size, target))
    kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                    builder.getI32IntegerAttr(static_cast<int32_t>(blocks)));
  for (auto [i, op] : llvm::enumerate(mapped))
    kernel.setArgAttr(numBuffers + i, kTensorMapAttr,
                      getBoxCopies(op)->map.getAttr(builder.getContext()));
  if (getCluster(graph).size > 1)
    kernel.setKnownClusterSizeAttr(
        builder.getDenseI32ArrayAttr(getClusterSizes(graph)));
  if (auto name = graph->getAttrOfType<StringAttr>(kernel::kLibraryAttr);
      name && !hasParts(graph))
    setLibraryCall(launched, name, graph->getOperandTypes(),
                   graph->getResult(0).getType());
}

gpu::LaunchFuncOp FunctionLowering::launchForEach(
    Location loc, int64_t count, ValueRange buffers,
    function_ref<void(OpBuilder &, ValueRange, Value)> visit) {
  constexpr int64_t kMaxBlocks = 1024;
  int64_t numBlocks =
      std::clamp<int64_t>(llvm::divideCeil(count, threads), 1, kMaxBlocks);
  return launch(
      loc, {numBlocks}, threads, /*sharedBytes=*/0, buffers,
      [&](OpBuilder &b, ValueRange memrefs) {
        auto index = [&](int64_t value) -> Value {
          return arith::ConstantIndexOp::create(b, loc, value);
        };
        Value block = gpu::BlockIdOp::create(b, loc, gpu::Dimension::x);
        Value thread = gpu::ThreadIdOp::create(b, loc, gpu::Dimension::x);
        Value first = arith::AddIOp::create(
            b, loc, arith::MulIOp::create(b, loc, block, index(threads)),
            thread);
        auto loop = scf::ForOp::create(b, loc, first, index(count),
                                       index(numBlocks * threads));
        OpBuilder inLoop = OpBuilder::atBlockBegin(loop.getBody());
        visit(inLoop, memrefs, loop.getInductionVar());
      });
}

/// A kernel that copies a buffer, for a result that shares its buffer with an
/// argument or with another result.
void FunctionLowering::launchCopy(Location loc, Value from, Value to) {
  int64_t count = cast<MemRefType>(from.getType()).getNumElements();
  launchForEach(loc, count, {from, to},
                [&](OpBuilder &b, ValueRange memrefs, Value i) {
                  Value source = reinterpretMemRef(b, loc, memrefs[0], {count});
                  Value target = reinterpretMemRef(b, loc, memrefs[1], {count});
                  Value element = memref::LoadOp::create(b, loc, source, i);
                  memref::StoreOp::create(b, loc, element, target, i);
                });
}

/// A kernel for an operator without a block graph: a thread reads all that an
/// element takes from device memory.
void FunctionLowering::launchOperator(OperatorOpInterface op) {
  Location loc = op.getLoc();
  SmallVector<Value> operands(op->getOperands()), arguments;
  for (Value operand : operands)
    arguments.push_back(buffers.lookup(getRoot(operand)));
  Value result = op->getResult(0);
  arguments.push_back(getOutputBuffer(result));
  auto type = cast<RankedTensorType>(result.getType());

  gpu::LaunchFuncOp launched = launchForEach(
      loc, type.getNumElements(), arguments,
      [&](OpBuilder &b, ValueRange memrefs, Value i) {
        SmallVector<Value> index(type.getRank());
        for (size_t d = index.size(); d-- > 0;) {
          Value size =
              arith::ConstantIndexOp::create(b, loc, type.getDimSize(d));
          index[d] = arith::RemUIOp::create(b, loc, i, size);
          i = arith::DivUIOp::create(b, loc, i, size);
        }
        // The place of an element in the whole that a tensor may be a part of.
        auto getPlace = [&](Value tensor, ValueRange position) {
          SmallVector<Value> place(position);
          for (auto [i, offset] :
               llvm::zip_equal(place, getTensorView(tensor).offsets))
            if (offset != 0)
              i = arith::AddIOp::create(
                  b, loc, i, arith::ConstantIndexOp::create(b, loc, offset));
          return place;
        };
        auto getWhole = [&](Value tensor, Value memref) {
          return reinterpretMemRef(b, loc, memref,
                                   getTensorView(tensor).getShape());
        };
        auto read = [&](Value operand, ValueRange position) -> Value {
          // Operands that are one value have buffers that are one, too.
          size_t n = llvm::find(operands, operand) - operands.begin();
          Value element =
              memref::LoadOp::create(b, loc, getWhole(operand, memrefs[n]),
                                     getPlace(operand, position));
          return convertFloat(b, loc, element, b.getF32Type());
        };
        Value element = emitOperatorElement(b, op, index, read);
        memref::StoreOp::create(
            b, loc, convertFloat(b, loc, element, type.getElementType()),
            getWhole(result, memrefs.back()), getPlace(result, index));
      });
  StringRef name = op.getSemantics().getName();
  if (kernel::isLibraryCall(name, op->getOperandTypes(), type) && !hasParts(op))
    setLibraryCall(launched, name, op->getOperandTypes(), type);
}

void FunctionLowering::overlapKernels() {
  if (!hasGridDependences(target.getChip()))
    return;
  for (size_t i = 0; i < functionKernels.size(); ++i) {
    gpu::GPUFuncOp kernel = functionKernels[i];
    OpBuilder inKernel = OpBuilder::atBlockBegin(&kernel.getBody().front());
    auto emit = [&](NVVM::GridDepActionKind kind) {
      NVVM::GriddepcontrolOp::create(inKernel, kernel.getLoc(), kind);
    };
    if (i + 1 < functionKernels.size())
      emit(NVVM::GridDepActionKind::launch_dependents);
    if (i > 0)
      emit(NVVM::GridDepActionKind::wait);
  }
}

void FunctionLowering::run() {
  SmallVector<Type> types;
  for (Type type : function.getArgumentTypes())
    types.push_back(getBufferType(type));
  for (Type type : function.getResultTypes())
    types.push_back(getBufferType(type));
  unsigned numInputs = function.getNumArguments();

  auto lowered =
      func::FuncOp::create(builder, function.getLoc(), function.getName(),
                           builder.getFunctionType(types, TypeRange()));
  lowered.setVisibility(function.getVisibility());
  lowered->setDiscardableAttrs(function->getDiscardableAttrDictionary());
  lowered->setAttr(MirageDialect::kNumResultsAttr,
                   builder.getI64IntegerAttr(function.getNumResults()));
  Block *body = lowered.addEntryBlock();
  builder.setInsertionPointToStart(body);

  // Results are written to where they are wanted. What can't be (an argument,
  // or what another result is already) is copied at the end.
  for (BlockArgument argument : function.getArguments())
    buffers[argument] = body->getArgument(argument.getArgNumber());
  auto returnOp =
      cast<func::ReturnOp>(function.getBody().front().getTerminator());
  SmallVector<std::pair<Value, Value>> copies;
  for (auto [i, result] : llvm::enumerate(returnOp.getOperands())) {
    Value root = getRoot(result);
    Value output = body->getArgument(numInputs + i);
    if (!buffers.try_emplace(root, output).second)
      copies.emplace_back(buffers[root], output);
  }

  for (Operation &op : function.getBody().front()) {
    if (auto graph = dyn_cast<kernel::GraphDefinedOp>(op))
      launchGraph(graph);
    else if (auto semantics = dyn_cast<OperatorOpInterface>(op);
             semantics && !isInPlace(&op) && !isReinterpretation(&op))
      launchOperator(semantics);
  }
  for (auto [from, to] : copies)
    launchCopy(returnOp.getLoc(), from, to);
  overlapKernels();
  for (Value temporary : temporaries)
    memref::DeallocOp::create(builder, returnOp.getLoc(), temporary);
  func::ReturnOp::create(builder, returnOp.getLoc());
  function.erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Drops the functions' references, and the private functions that nothing else
/// uses, from `functions`, too.
static void dropReferences(ModuleOp module,
                           SmallVectorImpl<func::FuncOp> &functions) {
  llvm::SetVector<Operation *> references;
  for (auto function : module.getOps<func::FuncOp>()) {
    auto name = dyn_cast_or_null<FlatSymbolRefAttr>(
        function->removeAttr(MirageDialect::kReferenceAttr));
    if (Operation *reference = name ? module.lookupSymbol(name) : nullptr)
      references.insert(reference);
  }
  for (Operation *reference : references)
    if (cast<SymbolOpInterface>(reference).isPrivate() &&
        SymbolTable::symbolKnownUseEmpty(reference, module)) {
      llvm::erase(functions, reference);
      reference->erase();
    }
}

/// The calls of a module to a function, those of modules in it apart, where the
/// name is another's.
static SmallVector<func::CallOp> findCalls(ModuleOp module,
                                           func::FuncOp function) {
  SmallVector<func::CallOp> calls;
  if (std::optional<SymbolTable::UseRange> uses =
          SymbolTable::getSymbolUses(function, module))
    for (SymbolTable::SymbolUse use : *uses)
      if (auto call = dyn_cast<func::CallOp>(use.getUser()))
        calls.push_back(call);
  return calls;
}

/// Lets a call go on between tensors when its function takes buffers.
static void lowerCall(func::CallOp call) {
  OpBuilder builder(call);
  Location loc = call.getLoc();
  SmallVector<Value> buffers;
  for (Value operand : call.getOperands())
    buffers.push_back(bufferization::ToBufferOp::create(
        builder, loc, getBufferType(operand.getType()), operand,
        /*read_only=*/true));
  for (Type type : call.getResultTypes())
    buffers.push_back(
        memref::AllocOp::create(builder, loc, getBufferType(type)));
  auto lowered = func::CallOp::create(builder, loc, call.getCallee(),
                                      TypeRange(), buffers);
  // Attributes of operands and results are those of tensors.
  lowered.setNoInline(call.getNoInline());
  lowered->setDiscardableAttrs(call->getDiscardableAttrDictionary());
  ArrayRef<Value> results =
      ArrayRef<Value>(buffers).drop_front(call.getNumOperands());
  for (auto [result, buffer] : llvm::zip_equal(call.getResults(), results))
    result.replaceAllUsesWith(bufferization::ToTensorOp::create(
        builder, loc, result.getType(), buffer, /*restrict=*/true,
        /*writable=*/true));
  call.erase();
}

/// Erases pure ops whose results nobody uses.
static void eraseDeadOps(func::FuncOp function) {
  for (Block &block : function.getBody())
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isOpTriviallyDead(&op))
        op.erase();
}

namespace {
class ConvertMirageToGPU
    : public mirage::impl::ConvertMirageToGPUBase<ConvertMirageToGPU> {
public:
  using ConvertMirageToGPUBase::ConvertMirageToGPUBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    TargetAttr chip = lookUpTarget(module, target);
    if (!chip || failed(verifyThreadCount(module, threads)))
      return signalPassFailure();

    SmallVector<func::FuncOp> functions;
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isDeclaration() && hasMugraph(function))
        functions.push_back(function);
    dropReferences(module, functions);
    for (func::FuncOp function : functions) {
      copyConstantsIntoLoops(function);
      eraseDeadOps(function);
      for (auto graph : function.getOps<kernel::GraphDefinedOp>())
        setDefaultThreads(graph, threads);
      if (failed(verifyFunction(function, module, chip)) ||
          (!allowUnverified && failed(verifyVerdict(function))))
        return signalPassFailure();
      // What is compiled doesn't say that it is verified unless it is.
      if (getVerdictState(function) == VerdictState::OfAnother)
        function->removeAttr(MirageDialect::kVerdictAttr);
    }
    SmallVector<func::CallOp> calls;
    llvm::DenseSet<Operation *> callers;
    for (func::FuncOp function : functions)
      for (func::CallOp call : findCalls(module, function)) {
        calls.push_back(call);
        callers.insert(call->getParentOfType<func::FuncOp>());
      }
    if (strict)
      for (auto function : module.getOps<func::FuncOp>())
        if (function.isPublic() && !function.isDeclaration() &&
            !llvm::is_contained(functions, function) &&
            !callers.contains(function)) {
          Block &body = function.getBody().front();
          bool isEmpty = body.without_terminator().empty();
          function.emitError("'")
              << function.getName()
              << (isEmpty ? "' computes nothing"
                          : "' can't be compiled: the remarks say why");
          return signalPassFailure();
        }
    if (functions.empty())
      return;

    module->setAttr(MirageDialect::kTargetAttr, chip);
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                    UnitAttr::get(&getContext()));
    // In no block yet, so that the table sees what has the name already, and
    // gives the kernels another.
    OpBuilder builder(&getContext());
    auto kernels =
        gpu::GPUModuleOp::create(builder, module.getLoc(), "mirage_kernels");
    SymbolTable(module).insert(kernels, module.getBody()->begin());
    SymbolTable symbols(kernels);
    for (func::CallOp call : calls)
      lowerCall(call);
    for (func::FuncOp function : functions)
      FunctionLowering(function, kernels, symbols, chip, threads).run();
  }
};
} // namespace
