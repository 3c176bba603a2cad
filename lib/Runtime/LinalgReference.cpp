//===- LinalgReference.cpp - What a linalg program means, in f64 ----------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/LinalgReference.h"
#include "Jit.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/BufferizationToMemRef/BufferizationToMemRef.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/AllocationOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mirage;

/// What the compiled function is called; not what the user calls it, which
/// could be a function of libm.
static constexpr const char *kFunctionName = "mirage_linalg_reference";

static void registerInterfaces(MLIRContext &context) {
  DialectRegistry registry;
  arith::registerBufferDeallocationOpInterfaceExternalModels(registry);
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  cf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  memref::registerAllocationOpInterfaceExternalModels(registry);
  scf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  context.appendDialectRegistry(registry);
}

/// The tensor type of an argument or result, if the reference can evaluate it.
static RankedTensorType getSupportedType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() &&
                 isa<FloatType>(tensor.getElementType())
             ? tensor
             : nullptr;
}

static APFloat toDouble(APFloat value) {
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value;
}

/// A number is what the program rounds it to.
static void roundConstants(ModuleOp module) {
  module.walk([](arith::TruncFOp op) {
    FloatAttr number;
    if (!matchPattern(op.getIn(), m_Constant(&number)))
      return;
    APFloat value = number.getValue();
    bool losesDigits;
    value.convert(cast<FloatType>(op.getType()).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &losesDigits);
    OpBuilder builder(op);
    op.replaceAllUsesWith(
        arith::ConstantOp::create(builder, op.getLoc(),
                                  FloatAttr::get(op.getType(), value))
            .getResult());
    op.erase();
  });
}

/// Replaces every float type in the module by f64, the constants' included.
/// Fails at what depends on the bits of a float.
static LogicalResult widenFloats(ModuleOp module) {
  roundConstants(module);
  WalkResult obstacle = module.walk([](Operation *op) {
    bool resource = llvm::any_of(op->getAttrs(), [](NamedAttribute attribute) {
      return isa<DenseResourceElementsAttr>(attribute.getValue());
    });
    if (!resource && !isa<arith::BitcastOp>(op))
      return WalkResult::advance();
    op->emitOpError("can't be evaluated in f64");
    return WalkResult::interrupt();
  });
  if (obstacle.wasInterrupted())
    return failure();

  Type f64 = Float64Type::get(module.getContext());
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](FloatType) -> Type { return f64; });
  replacer.addReplacement([&](FloatAttr attribute) {
    return std::pair<Attribute, WalkResult>(
        FloatAttr::get(f64, toDouble(attribute.getValue())),
        WalkResult::skip());
  });
  replacer.addReplacement([&](DenseFPElementsAttr attribute) {
    Attribute widened = attribute.mapValues(f64, [](const APFloat &value) {
      return toDouble(value).bitcastToAPInt();
    });
    return std::pair<Attribute, WalkResult>(widened, WalkResult::skip());
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
  module.walk([](Operation *op) {
    if (!isa<arith::ExtFOp, arith::TruncFOp>(op))
      return;
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  });
  return success();
}

/// The order of a contraction's loops that makes the innermost one run along
/// rows: the last dimension of the result, if every operand that depends on it
/// depends on it in its own last dimension. For a matmul this is m, k, n. Empty
/// when the order is better left alone.
static SmallVector<unsigned> getContiguousOrder(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumReductionLoops() == 0)
    return {};
  AffineMap result = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (result.getNumResults() == 0)
    return {};
  auto inner = dyn_cast<AffineDimExpr>(result.getResults().back());
  if (!inner)
    return {};
  bool read = false;
  for (OpOperand *input : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (!map.isFunctionOfDim(inner.getPosition()))
      continue;
    if (map.getResults().back() != inner ||
        map.getSliceMap(0, map.getNumResults() - 1)
            .isFunctionOfDim(inner.getPosition()))
      return {};
    read = true;
  }
  if (!read)
    return {};
  SmallVector<unsigned> order;
  for (utils::IteratorType kind :
       {utils::IteratorType::parallel, utils::IteratorType::reduction})
    for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
      if (iterator == kind && dim != inner.getPosition())
        order.push_back(dim);
  order.push_back(inner.getPosition());
  return order;
}

static LogicalResult reorderLoops(ModuleOp module) {
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  IRRewriter rewriter(module.getContext());
  for (linalg::LinalgOp op : ops) {
    rewriter.setInsertionPoint(op);
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic) {
      FailureOr<linalg::GenericOp> generalized =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(generalized))
        return op.emitOpError("can't be evaluated in f64");
      generic = *generalized;
    }
    SmallVector<unsigned> order = getContiguousOrder(generic);
    if (!order.empty() &&
        failed(linalg::interchangeGenericOp(rewriter, generic, order)))
      return generic.emitOpError("can't be evaluated in f64");
  }
  return success();
}

/// Takes apart the ops that bufferization doesn't know.
static LogicalResult decomposeOps(ModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  if (failed(applyPatternsGreedily(module, std::move(patterns))))
    return failure();
  SmallVector<linalg::SoftmaxOp> ops;
  module.walk([&](linalg::SoftmaxOp op) { ops.push_back(op); });
  IRRewriter rewriter(module.getContext());
  for (linalg::SoftmaxOp op : ops) {
    rewriter.setInsertionPoint(op);
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
    if (failed(results))
      return op.emitOpError("can't be evaluated in f64");
    rewriter.replaceOp(op, *results);
  }
  return success();
}

/// From linalg on tensors to linalg on buffers, which are the arguments.
static void buildBufferizationPipeline(OpPassManager &pm) {
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  pm.addPass(createCanonicalizerPass());
  bufferization::BufferResultsToOutParamsPassOptions results;
  results.hoistStaticAllocs = true;
  results.modifyPublicFunctions = true;
  pm.addPass(bufferization::createBufferResultsToOutParamsPass(results));
  bufferization::buildBufferDeallocationPipeline(pm);
  pm.addPass(createConvertBufferizationToMemRefPass());
}

/// Copies as loops: what memref.copy becomes for buffers that aren't contiguous
/// is a call of MLIR's runtime library.
static void replaceCopies(ModuleOp module) {
  SmallVector<memref::CopyOp> copies;
  module.walk([&](memref::CopyOp copy) { copies.push_back(copy); });
  IRRewriter rewriter(module.getContext());
  for (memref::CopyOp copy : copies) {
    rewriter.setInsertionPoint(copy);
    rewriter.replaceOpWithNewOp<linalg::CopyOp>(copy, copy.getSource(),
                                                copy.getTarget());
  }
}

/// From linalg on buffers to LLVM, with bare pointers for arguments and then
/// results.
static void buildLLVMPipeline(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addPass(createCanonicalizerPass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  ConvertFuncToLLVMPassOptions function;
  function.useBarePtrCallConv = true;
  pm.addPass(createConvertFuncToLLVMPass(function));
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

/// Makes a function of one block return every value once (MLIR's bufferization
/// crashes on a value that is returned twice); gives the new place of each
/// result.
static SmallVector<unsigned> returnEachOnce(func::FuncOp function) {
  SmallVector<unsigned> places;
  if (!function.getBody().hasOneBlock()) {
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      places.push_back(i);
    return places;
  }
  Operation *terminator = function.getBody().front().getTerminator();
  llvm::SetVector<Value> values;
  for (Value value : terminator->getOperands()) {
    values.insert(value);
    places.push_back(llvm::find(values, value) - values.begin());
  }
  terminator->setOperands(values.getArrayRef());
  function.setFunctionType(
      FunctionType::get(function.getContext(), function.getArgumentTypes(),
                        TypeRange(ValueRange(values.getArrayRef()))));
  function.removeResAttrsAttr();
  return places;
}

llvm::Expected<std::vector<Array>>
mirage::evaluateLinalgF64(func::FuncOp function, ArrayRef<Array> inputs) {
  std::string name = function.getName().str();
  FunctionType type = function.getFunctionType();
  for (TypeRange types : {type.getInputs(), type.getResults()})
    for (Type each : types)
      if (!getSupportedType(each)) {
        function.emitOpError("has ")
            << each
            << " in its signature, expected tensors of floats, of static shape";
        return llvm::createStringError("'%s' can't be evaluated", name.c_str());
      }
  if (inputs.size() != type.getNumInputs())
    return llvm::createStringError("'%s' takes %u arrays, found %zu",
                                   name.c_str(), type.getNumInputs(),
                                   inputs.size());
  for (auto [index, input] : llvm::enumerate(inputs))
    if (getSupportedType(type.getInput(index)).getShape() !=
        ArrayRef<int64_t>(input.shape))
      return llvm::createStringError(
          "argument %zu of '%s': the shape of %s doesn't fit", index,
          name.c_str(), describeArray(input.shape, input.type).c_str());

  MLIRContext *context = function.getContext();
  registerInterfaces(*context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(function.getLoc());
  auto clone = cast<func::FuncOp>(function->clone());
  clone.setName(kFunctionName);
  clone.setPublic();
  module->push_back(clone);
  // One that doesn't hold, for inputs that nobody chose, would end the process.
  clone.walk([](cf::AssertOp op) { op.erase(); });
  PassManager bufferize(context), lower(context);
  buildBufferizationPipeline(bufferize);
  buildLLVMPipeline(lower);
  auto fails = [&] {
    return llvm::createStringError("'%s' can't be evaluated", name.c_str());
  };
  if (failed(widenFloats(*module)) || failed(decomposeOps(*module)) ||
      failed(reorderLoops(*module)))
    return fails();
  // What does nothing was folded: two values may have become one.
  const SmallVector<unsigned> places = returnEachOnce(clone);
  if (failed(bufferize.run(*module)))
    return fails();
  replaceCopies(*module);
  if (failed(lower.run(*module)))
    return fails();

  auto engine = compileForHost(*module, /*cpu=*/"", /*symbols=*/{});
  if (!engine)
    return engine.takeError();
  auto compiled = (*engine)->lookupPacked(kFunctionName);
  if (!compiled)
    return compiled.takeError();

  // Copies, since bufferization may let the program overwrite its arguments.
  std::vector<Array> arguments;
  for (const Array &input : inputs)
    arguments.push_back(input.convertTo(ElementType::F64));
  unsigned numUnique =
      places.empty() ? 0 : *std::max_element(places.begin(), places.end()) + 1;
  arguments.resize(inputs.size() + numUnique);
  for (auto [place, result] : llvm::zip_equal(places, type.getResults()))
    arguments[inputs.size() + place] =
        Array(cast<RankedTensorType>(result).getShape(), ElementType::F64);
  std::vector<void *> addresses, parameters;
  for (Array &argument : arguments)
    addresses.push_back(argument.bytes.data());
  for (void *&address : addresses)
    parameters.push_back(&address);
  (*compiled)(parameters.data());
  std::vector<Array> results;
  for (unsigned place : places)
    results.push_back(arguments[inputs.size() + place]);
  return results;
}
