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
#include "Timing.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"
#include <memory>

using namespace mlir;
using namespace mirage;
namespace cl = llvm::cl;

namespace {

enum class Backend { Host, Cuda, None };

/// Passes of the μGraph optimizer, and parts of them.
enum class OptimizerPass {
  ThreadGraphs,
  SpecializeWarps,
  Clusters,
  ScheduleOperators,
  AssignLayouts,
  PlanMemory
};

struct CommandLine {
  cl::OptionCategory category{"mirage-run options"};
  cl::opt<std::string> file{cl::Positional, cl::desc("FILE.mlir or program"),
                            cl::init("-"), cl::cat(category)};
  cl::opt<std::string> function{
      "function",
      cl::desc("The function to run; the only public one by default"),
      cl::cat(category)};
  cl::opt<Backend> backend{
      "backend", cl::desc("Where to run"), cl::init(Backend::Host),
      cl::values(clEnumValN(Backend::Host, "host", "this machine's CPU"),
                 clEnumValN(Backend::Cuda, "cuda", "an NVIDIA GPU"),
                 clEnumValN(Backend::None, "none", "compile only")),
      cl::cat(category)};
  cl::opt<bool> check{
      "check", cl::desc("Compare with an f64 evaluation of the input program"),
      cl::cat(category)};
  cl::opt<double> rtol{
      "rtol",
      cl::desc("Largest error over largest magnitude that --check allows; "
               "2e-3 by default, 8e-3 for outputs in bf16, "
               "or 1.5 times what the program has as it is written"),
      cl::cat(category)};
  std::optional<double> getTolerance() const {
    return rtol.getNumOccurrences() ? std::optional<double>(rtol)
                                    : std::nullopt;
  }
  cl::opt<uint64_t> seed{"seed",
                         cl::desc("Seed of the random inputs and of the "
                                  "verifier"),
                         cl::init(1), cl::cat(category)};
  cl::list<std::string> inputs{"inputs", cl::CommaSeparated,
                               cl::desc("The inputs as .npy files, in order; "
                                        "uniform in [-1, 1] by default"),
                               cl::cat(category)};
  cl::opt<std::string> outputDir{
      "output-dir", cl::desc("A directory for the results, out0.npy and so on"),
      cl::cat(category)};
  cl::opt<std::string> target{
      "target",
      cl::desc("The GPU to optimize for; by default the module's "
               "(mirage.target), or the one it is to run on, or sm_90a"),
      cl::cat(category)};
  cl::opt<unsigned> threads{"jobs",
                            cl::desc("Threads that search and that run blocks"),
                            cl::init(2), cl::cat(category)};
  cl::opt<unsigned> maxKernelOps{"max-kernel-ops", cl::desc("Kernels, at most"),
                                 cl::init(5), cl::cat(category)};
  cl::opt<unsigned> maxBlockOps{"max-block-ops",
                                cl::desc("Operators of a block graph, at most"),
                                cl::init(11), cl::cat(category)};
  cl::opt<double> timeLimit{"time-limit",
                            cl::desc("Seconds for the search; 0: no limit"),
                            cl::init(120), cl::cat(category)};
  cl::opt<std::string> database{
      "database",
      cl::desc("A file with the results of earlier searches; 'default' for the "
               "one of this user"),
      cl::cat(category)};
  cl::list<OptimizerPass> without{
      "without", cl::CommaSeparated,
      cl::desc("Passes of the μGraph optimizer to leave out, to see what they "
               "are worth"),
      cl::values(clEnumValN(OptimizerPass::ThreadGraphs, "thread-graphs",
                            "fusion into thread graphs"),
                 clEnumValN(OptimizerPass::SpecializeWarps, "specialize-warps",
                            "a warp that loads tiles"),
                 clEnumValN(OptimizerPass::Clusters, "clusters",
                            "blocks that share what they load"),
                 clEnumValN(OptimizerPass::ScheduleOperators,
                            "schedule-operators", "shared barriers"),
                 clEnumValN(OptimizerPass::AssignLayouts, "assign-layouts",
                            "layouts of tiles without bank conflicts"),
                 clEnumValN(OptimizerPass::PlanMemory, "plan-memory",
                            "shared places of tiles")),
      cl::cat(category)};
  cl::opt<std::string> report{"report",
                              cl::desc("A file for the search's JSON report"),
                              cl::cat(category)};
  cl::opt<std::string> ptx{"ptx", cl::desc("A file for the kernels' PTX"),
                           cl::cat(category)};
  cl::opt<bool> checks{
      "checks",
      cl::desc(
          "Check the kernels' memory accesses, with --backend=host: races, "
          "bounds, alignment, uninitialized reads"),
      cl::cat(category)};
  cl::opt<std::string> counters{
      "counters",
      cl::desc("A file for what the kernels do to the machine, as JSON, with "
               "--backend=host"),
      cl::cat(category)};
  cl::opt<uint64_t> countersBlocks{
      "counters-blocks",
      cl::desc("Blocks of each kernel that are counted; 0: all"), cl::init(0),
      cl::cat(category)};
  cl::opt<std::string> emitProgram{
      "emit-program",
      cl::desc("A file for the compiled program, for libMirageRuntime"),
      cl::cat(category)};
  cl::opt<std::string> ptxas{
      "ptxas", cl::value_desc("path"),
      cl::desc("With --emit-program: add the machine code that this makes"),
      cl::cat(category)};
  cl::opt<std::string> reference{
      "reference",
      cl::desc("The program to --check a compiled one, or kernels, against"),
      cl::cat(category)};
  cl::opt<int> device{"device",
                      cl::desc("Which GPU, as the driver counts them"),
                      cl::init(0), cl::cat(category)};
  TimingCommandLine timing{category};
  cl::opt<bool> explain{
      "explain",
      cl::desc("Print the program, the best μGraph and how it was found"),
      cl::cat(category)};
};

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

llvm::Error writeOutputs(llvm::ArrayRef<Array> outputs, StringRef directory) {
  if (std::error_code error = llvm::sys::fs::create_directories(directory))
    return llvm::createStringError("can't create '" + directory +
                                   "': " + error.message());
  for (auto [i, output] : llvm::enumerate(outputs)) {
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, "out" + llvm::Twine(i) + ".npy");
    if (llvm::Error error = writeNpy(path, output))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error writeFile(StringRef path, StringRef contents) {
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &message);
  if (!file)
    return llvm::createStringError(message);
  file->os() << contents;
  return keepOutput(*file, path);
}

llvm::Error writePTX(ModuleOp module, const CommandLine &options) {
  llvm::Expected<std::string> ptx = emitPTX(module, options.target);
  if (!ptx)
    return ptx.takeError();
  return writeFile(options.ptx, *ptx);
}

llvm::Error writeProgram(ModuleOp module, StringRef function,
                         const CommandLine &options) {
  CompileOptions compile;
  compile.chip = options.target;
  compile.ptxas = options.ptxas;
  llvm::Expected<program_file::Program> program =
      compileProgram(module, function, compile);
  if (!program)
    return program.takeError();
  return writeFile(options.emitProgram, program_file::encode(*program));
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
  std::move(inputs.begin(), inputs.end(), arguments->begin());
  if (llvm::Error error = (*program)->run(*arguments))
    return fail(std::move(error));
  llvm::ArrayRef<Array> results =
      llvm::ArrayRef<Array>(*arguments).drop_front(info.numInputs);
  if (!options.outputDir.empty())
    if (llvm::Error error = writeOutputs(results, options.outputDir))
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
                      std::vector<Array> &arguments,
                      const CommandLine &options) {
  HostOptions host = getHostOptions(options);
  host.countedBlocks = options.countersBlocks;
  std::vector<KernelCounters> counters;
  if (options.counters.empty())
    return mirage::runOnHost(module, name, arguments, host);
  host.counters = &counters;
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file =
      openOutputFile(options.counters, &message);
  if (!file)
    return llvm::createStringError(message);
  if (llvm::Error error = mirage::runOnHost(module, name, arguments, host))
    return error;
  file->os() << llvm::formatv("{0:2}\n", toJSON(counters));
  return keepOutput(*file, options.counters);
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
  StringRef name = function.getSymName();
  if (llvm::Error error = runOnHost(module, name, arguments, options))
    return fail(std::move(error));
  if (options.timing.time)
    if (llvm::Error error =
            printHostTiming(module, name, arguments, getHostOptions(options),
                            options.timing, llvm::outs()))
      return fail(std::move(error));
  if (!options.outputDir.empty())
    if (llvm::Error error = writeOutputs(
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
  if (options.threads < 1 || options.threads > 1024)
    return fail("--jobs must be from 1 to 1024");
  if (!(options.timeLimit >= 0))
    return fail("--time-limit must be 0 or more");
  if (!(options.getTolerance().value_or(0) >= 0))
    return fail("--rtol must be 0 or more");
  if ((options.checks || !options.counters.empty()) &&
      options.backend != Backend::Host)
    return fail("--checks and --counters need --backend=host");
  if (options.countersBlocks && options.counters.empty())
    return fail("--counters-blocks needs --counters");
  if (llvm::Error error = options.timing.check())
    return fail(std::move(error));
  if (options.timing.time && options.backend == Backend::None)
    return fail("--time needs a --backend");
  if (!options.ptxas.empty() && options.emitProgram.empty())
    return fail("--ptxas is of use with --emit-program only");
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
  MiragePipelineOptions pipeline;
  pipeline.compileTo = CompilePhase::GPU;
  pipeline.target = options.target.getValue();
  pipeline.threads = options.threads.getValue();
  pipeline.seed = options.seed.getValue();
  pipeline.maxKernelOps = options.maxKernelOps.getValue();
  pipeline.maxBlockOps = options.maxBlockOps.getValue();
  pipeline.timeLimit = options.timeLimit.getValue();
  pipeline.database = options.database.getValue();
  pipeline.report = options.report.getValue();
  auto has = [&](OptimizerPass pass) {
    return !llvm::is_contained(options.without, pass);
  };
  pipeline.threadGraphs = has(OptimizerPass::ThreadGraphs);
  pipeline.specializeWarps = has(OptimizerPass::SpecializeWarps);
  pipeline.clusters = has(OptimizerPass::Clusters);
  pipeline.scheduleOperators = has(OptimizerPass::ScheduleOperators);
  pipeline.assignLayouts = has(OptimizerPass::AssignLayouts);
  pipeline.planMemory = has(OptimizerPass::PlanMemory);
  Explainer explainer(llvm::outs(), llvm::errs(), options.timeLimit);
  if (options.explain)
    explainer.printProgram(*module);
  PassManager pm(&context);
  buildMiragePipeline(pm, pipeline,
                      options.explain ? explainer.getObserver()
                                      : SuperoptimizeObserver());
  if (failed(pm.run(*module)))
    return 1;
  if (!options.ptx.empty())
    if (llvm::Error error = writePTX(*module, options))
      return fail(std::move(error));
  if (!options.emitProgram.empty())
    if (llvm::Error error = writeProgram(*module, name, options))
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
    if (llvm::Error error = runOnHost(*module, name, arguments, options))
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
  if (!options.outputDir.empty())
    if (llvm::Error error = writeOutputs(results, options.outputDir))
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
