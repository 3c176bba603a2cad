//===- mirage-run.cpp - Compiles a linalg program and runs it -------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// mirage-run FILE.mlir takes a tensor program through the whole compiler, runs
// the kernels on the host's CPU (as CUDA threads) or on a GPU, and compares the
// results with an f64 evaluation of the program as it was given. It runs
// compiled programs, too, and makes them (docs/Runtime.md), and modules that
// are lowered to kernels already (docs/HostBackend.md).
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Explain.h"
#include "Functions.h"
#include "Mirage/Dialect/Kernel/Kernel.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/InitAll.h"
#include "Mirage/Pipelines/GPULowering.h"
#include "Mirage/Pipelines/MiragePipeline.h"
#include "Mirage/Runtime/CompileProgram.h"
#include "Mirage/Runtime/Program.h"
#include "Mirage/Runtime/Runtime.h"
#include "Mirage/Search/Interrupt.h"
#include "Mirage/Support/OutputFile.h"
#include "Options.h"
#include "Outputs.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"
#include <memory>

using namespace mlir;
using namespace mirage;
namespace cl = llvm::cl;

namespace {

int fail(const llvm::Twine &message) {
  llvm::WithColor::error(llvm::errs(), "mirage-run") << message << "\n";
  return 1;
}
int fail(llvm::Error error) { return fail(llvm::toString(std::move(error))); }

/// Erases the functions that are not run; an error when the one that is run
/// uses them.
LogicalResult isolate(func::FuncOp function, ModuleOp module) {
  // What a μGraph was found for stays beside it, so that it isn't searched
  // again.
  auto reference =
      function->getAttrOfType<FlatSymbolRefAttr>(MirageDialect::kReferenceAttr);
  for (auto other : llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
    if (other == function ||
        (reference && other.getSymName() == reference.getValue()))
      continue;
    if (auto uses = SymbolTable::getSymbolUses(other, function);
        uses && !uses->empty())
      return uses->begin()->getUser()->emitError("calls '")
             << other.getSymName() << "': a program must be one function";
    other.erase();
  }
  return success();
}

/// Fills the inputs from files or at random.
llvm::Error fillInputs(std::vector<Array> &inputs, const CommandLine &options) {
  if (options.inputs.empty()) {
    for (auto [i, input] : llvm::enumerate(inputs))
      fillUniform(input, options.seed, i);
    return llvm::Error::success();
  }
  if (options.inputs.size() != inputs.size())
    return llvm::createStringError(
        "the program has " + llvm::Twine(inputs.size()) + " inputs, but " +
        llvm::Twine(options.inputs.size()) + " files are given");
  for (auto [path, input] : llvm::zip(options.inputs, inputs)) {
    llvm::Expected<Array> array = readNpy(path);
    if (!array)
      return array.takeError();
    if (array->shape != input.shape)
      return llvm::createStringError(
          path + ": expected " + describeArray(input.shape, input.type) +
          ", found " + describeArray(array->shape, array->type));
    input = array->convertTo(input.type);
  }
  return llvm::Error::success();
}

/// The files that are written in the end.
struct OutputFiles {
  OutputFile ptx, program, counters;

  /// Opens those that are wanted, and makes the directory for the results.
  llvm::Error open(const CommandLine &options) {
    for (auto [file, path] : {std::pair(&ptx, &options.ptx),
                              std::pair(&program, &options.emitProgram),
                              std::pair(&counters, &options.counters)})
      if (llvm::Error error = file->open(*path))
        return error;
    return createOutputDirectory(options.outputDir);
  }
};

llvm::Error writePTX(ModuleOp module, StringRef target, OutputFile &file) {
  llvm::Expected<std::string> ptx = emitPTX(module, target);
  if (!ptx)
    return ptx.takeError();
  return file.write(*ptx);
}

llvm::Error writeProgram(ModuleOp module, StringRef function, StringRef target,
                         StringRef ptxas, OutputFile &file) {
  CompileOptions compile;
  compile.chip = target.str();
  compile.ptxas = ptxas.str();
  llvm::Expected<program_file::Program> program =
      compileProgram(module, function, compile);
  if (!program)
    return program.takeError();
  return file.write(program_file::encode(*program));
}

/// Compiles for the device that is there, runs and, if asked to, measures.
llvm::Error runOnDevice(ModuleOp module, StringRef function,
                        MutableArrayRef<Array> arguments,
                        const CommandLine &options) {
  CudaOptions cuda;
  cuda.device = options.device;
  auto device = CudaDevice::open(cuda);
  if (!device)
    return device.takeError();
  llvm::Expected<std::string> chip = (*device)->getChip();
  if (!chip)
    return chip.takeError();
  CompileOptions compile;
  compile.chip = *chip;
  llvm::Expected<program_file::Program> file =
      compileProgram(module, function, compile);
  if (!file)
    return file.takeError();
  auto program = (*device)->load(program_file::encode(*file));
  if (!program)
    return program.takeError();
  if (llvm::Error error = (*program)->run(arguments))
    return error;
  if (!options.timing.time)
    return llvm::Error::success();
  return printCudaTiming(**program, arguments, options.timing, llvm::outs());
}

/// Fails for options that only the compiler takes, when it has no work: for
/// `what`, a compiled program or kernels.
llvm::Error rejectCompilerOptions(const CommandLine &options, StringRef what) {
  for (const cl::Option *option : std::initializer_list<const cl::Option *>{
           &options.ptx, &options.emitProgram, &options.report,
           &options.database, &options.explain,
           std::addressof(options.without)})
    if (option->getNumOccurrences())
      return llvm::createStringError("--" + option->ArgStr +
                                     " is of no use for " + what);
  if (options.check && options.reference.empty())
    return llvm::createStringError("--check needs a --reference for " + what);
  return llvm::Error::success();
}

/// Runs a compiled program, whose file is `contents`.
int runProgramFile(const CommandLine &options, StringRef contents,
                   MLIRContext &context) {
  if (options.backend != Backend::Cuda)
    return fail("a compiled program runs with --backend=cuda only");
  if (llvm::Error error = rejectCompilerOptions(options, "a compiled program"))
    return fail(std::move(error));
  CudaOptions cuda;
  cuda.device = options.device;
  auto device = CudaDevice::open(cuda);
  if (!device)
    return fail(device.takeError());
  auto program = (*device)->load(contents);
  if (!program)
    return fail(options.file + ": " + llvm::toString(program.takeError()));
  llvm::Expected<std::vector<Array>> arguments = (*program)->makeArguments();
  if (!arguments)
    return fail(arguments.takeError());
  MirageRuntimeProgramInfo info;
  mirageRuntimeGetProgramInfo((*program)->get(), &info);
  std::vector<Array> inputs(arguments->begin(),
                            arguments->begin() + info.numInputs);
  if (llvm::Error error = fillInputs(inputs, options))
    return fail(std::move(error));
  if (llvm::Error error = createOutputDirectory(options.outputDir))
    return fail(std::move(error));
  std::move(inputs.begin(), inputs.end(), arguments->begin());
  if (llvm::Error error = (*program)->run(*arguments))
    return fail(std::move(error));
  llvm::ArrayRef<Array> results =
      llvm::ArrayRef<Array>(*arguments).drop_front(info.numInputs);
  if (llvm::Error error = writeResults(results, options.outputDir))
    return fail(std::move(error));
  // What is wrong need not be fast.
  if (options.check) {
    llvm::Expected<bool> good = checkAgainstFile(
        options.reference, options.function, *arguments, info.numInputs,
        options.getTolerance(), context, llvm::outs());
    if (!good)
      return fail(good.takeError());
    if (!*good)
      return 1;
  }
  if (options.timing.time)
    if (llvm::Error error = printCudaTiming(**program, *arguments,
                                            options.timing, llvm::outs()))
      return fail(std::move(error));
  return 0;
}

HostOptions getHostOptions(const CommandLine &options) {
  HostOptions host;
  host.threads = options.threads;
  host.seed = options.seed;
  host.checks = options.checks;
  return host;
}

llvm::Error runOnHost(ModuleOp module, StringRef name,
                      std::vector<Array> &arguments, const CommandLine &options,
                      OutputFile &counters) {
  HostOptions host = getHostOptions(options);
  host.countedBlocks = options.countersBlocks;
  std::vector<KernelCounters> counted;
  if (counters.isWanted())
    host.counters = &counted;
  if (llvm::Error error = mirage::runOnHost(module, name, arguments, host))
    return error;
  if (!counters.isWanted())
    return llvm::Error::success();
  return counters.write(llvm::formatv("{0:2}\n", toJSON(counted)).str());
}

/// The target to compile for: the one that is named, or the module's, or that
/// of the device that it is to run on, or sm_90a.
llvm::Expected<std::string> findTarget(ModuleOp module,
                                       const CommandLine &options) {
  if (!options.target.empty())
    return options.target.getValue();
  if (auto own = module->getAttrOfType<TargetAttr>(MirageDialect::kTargetAttr))
    return own.getChip().str();
  if (options.backend != Backend::Cuda)
    return "sm_90a";
  CudaOptions cuda;
  cuda.device = options.device;
  auto device = CudaDevice::open(cuda);
  if (!device)
    return device.takeError();
  return (*device)->getChip();
}

/// Runs a function whose kernels stand beside it in `module`, as
/// --mirage-pipeline=compile-to=gpu leaves them.
int runKernels(const CommandLine &options, ModuleOp module,
               func::FuncOp function) {
  if (options.backend != Backend::Host)
    return fail("kernels run with --backend=host only");
  if (llvm::Error error = rejectCompilerOptions(options, "kernels"))
    return fail(std::move(error));
  FailureOr<CompiledProgram> program = extractProgram(function);
  if (failed(program))
    return 1;
  std::vector<Array> inputs, arguments;
  for (const Buffer &buffer : program->buffers) {
    if (buffer.bytes > kMaxArrayBytes)
      return fail("a buffer of " + llvm::Twine(buffer.bytes) +
                  " bytes is too large to be run");
    if (buffer.kind == BufferKind::Input)
      inputs.emplace_back(buffer.shape, buffer.type);
    else if (buffer.kind == BufferKind::Output)
      arguments.emplace_back(buffer.shape, buffer.type);
  }
  if (llvm::Error error = fillInputs(inputs, options))
    return fail(std::move(error));
  arguments.insert(arguments.begin(), inputs.begin(), inputs.end());
  OutputFiles files;
  if (llvm::Error error = files.open(options))
    return fail(std::move(error));
  StringRef name = function.getSymName();
  if (llvm::Error error =
          runOnHost(module, name, arguments, options, files.counters))
    return fail(std::move(error));
  if (options.timing.time)
    if (llvm::Error error =
            printHostTiming(module, name, arguments, getHostOptions(options),
                            options.timing, llvm::outs()))
      return fail(std::move(error));
  if (llvm::Error error = writeResults(
          llvm::ArrayRef<Array>(arguments).drop_front(inputs.size()),
          options.outputDir))
    return fail(std::move(error));
  if (!options.check)
    return 0;
  llvm::Expected<bool> good = checkAgainstFile(
      options.reference, "", arguments, inputs.size(), options.getTolerance(),
      *module.getContext(), llvm::outs());
  if (!good)
    return fail(good.takeError());
  return *good ? 0 : 1;
}

int run(CommandLine &options, MLIRContext &context) {
  if (llvm::Error error = options.validate())
    return fail(std::move(error));
  // Standard input is a program in MLIR.
  if (options.file != "-")
    if (auto file = llvm::MemoryBuffer::getFile(options.file);
        file && program_file::isProgram((*file)->getBufferStart(),
                                        (*file)->getBufferSize()))
      return runProgramFile(options, (*file)->getBuffer(), context);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(options.file, sources, &context);
  if (!module)
    return 1;
  llvm::Expected<func::FuncOp> function =
      findFunction(*module, options.function);
  if (!function)
    return fail(function.takeError());
  if ((*function)->hasAttr(kNumResultsAttr))
    return runKernels(options, *module, *function);
  if (!options.reference.empty())
    return fail("--reference is for compiled programs; others are their own");
  std::string name = function->getSymName().str();
  llvm::Expected<std::vector<Array>> inputs =
      makeArrays(function->getArgumentTypes(), "argument");
  if (!inputs) {
    function->emitError(llvm::toString(inputs.takeError()));
    return 1;
  }
  llvm::Expected<std::vector<Array>> outputs =
      makeArrays(function->getResultTypes(), "result");
  if (!outputs) {
    function->emitError(llvm::toString(outputs.takeError()));
    return 1;
  }
  if (llvm::Error error = fillInputs(*inputs, options))
    return fail(std::move(error));

  if (failed(isolate(*function, *module)))
    return 1;
  if (options.check) {
    WalkResult found = module->walk([](Operation *op) {
      if (op->getName().getDialectNamespace() !=
          kernel::KernelDialect::getDialectNamespace())
        return WalkResult::advance();
      op->emitError("--check evaluates programs in linalg, not μGraphs");
      return WalkResult::interrupt();
    });
    if (found.wasInterrupted())
      return 1;
  }
  OwningOpRef<ModuleOp> original = module->clone();

  llvm::Expected<std::string> target = findTarget(*module, options);
  if (!target)
    return fail(target.takeError());
  options.target = *target;
  OutputFiles files;
  if (llvm::Error error = files.open(options))
    return fail(std::move(error));
  Explainer explainer(llvm::outs(), llvm::errs(), options.timeLimit);
  if (options.explain)
    explainer.printProgram(*module);
  MiragePipelineOptions pipeline;
  options.set(pipeline, *target);
  PassManager pm(&context);
  buildMiragePipeline(pm, pipeline,
                      options.explain ? explainer.getObserver()
                                      : SuperoptimizeObserver());
  if (failed(pm.run(*module)))
    return 1;
  if (files.ptx.isWanted())
    if (llvm::Error error = writePTX(*module, *target, files.ptx))
      return fail(std::move(error));
  if (files.program.isWanted())
    if (llvm::Error error =
            writeProgram(*module, name, *target, options.ptxas, files.program))
      return fail(std::move(error));
  if (options.explain) {
    if (!options.ptx.empty())
      llvm::outs() << "PTX: " << options.ptx << "\n";
    if (!options.report.empty())
      llvm::outs() << "report: " << options.report << "\n";
  }
  if (options.backend == Backend::None)
    return 0;

  std::vector<Array> arguments = *inputs;
  arguments.insert(arguments.end(), outputs->begin(), outputs->end());
  if (options.backend == Backend::Host) {
    if (llvm::Error error =
            runOnHost(*module, name, arguments, options, files.counters))
      return fail(std::move(error));
    if (options.timing.time)
      if (llvm::Error error =
              printHostTiming(*module, name, arguments, getHostOptions(options),
                              options.timing, llvm::outs()))
        return fail(std::move(error));
  } else {
    if (llvm::Error error = runOnDevice(*module, name, arguments, options))
      return fail(std::move(error));
  }
  llvm::ArrayRef<Array> results =
      llvm::ArrayRef<Array>(arguments).drop_front(inputs->size());
  if (llvm::Error error = writeResults(results, options.outputDir))
    return fail(std::move(error));
  if (!options.check)
    return 0;
  llvm::Expected<bool> good =
      checkOutputs(original->lookupSymbol<func::FuncOp>(name), *inputs, results,
                   options.getTolerance(), llvm::outs());
  if (!good)
    return fail(good.takeError());
  return *good ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  endSearchesOnInterrupt();
  llvm::InitLLVM init(argc, argv);
  CommandLine options;
  cl::HideUnrelatedOptions(options.category);
  cl::ParseCommandLineOptions(
      argc, argv,
      "Compiles a tensor program with Mirage, runs it and checks the result\n");
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  // The place in the source says it; the op may be the whole module.
  context.printOpOnDiagnostic(false);
  return run(options, context);
}
