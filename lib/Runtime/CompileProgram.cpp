//===- CompileProgram.cpp - Makes files of compiled programs ------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/Runtime/CompileProgram.h"
#include "Mirage/Dialect/Mirage/Mirage.h"
#include "Mirage/Pipelines/GPULowering.h"
#include "Mirage/Runtime/Program.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace mlir;
using namespace mirage;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Machine code
//===----------------------------------------------------------------------===//

static llvm::Error writeFile(StringRef path, StringRef contents) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  os << contents;
  os.close();
  bool isGood = !error && !os.has_error();
  // An error that is left there ends the process.
  os.clear_error();
  if (!isGood)
    return llvm::createStringError("can't write '" + path + "'");
  return llvm::Error::success();
}

/// What ptxas makes of `ptx`.
static llvm::Expected<std::string>
assemble(StringRef ptx, const std::string &chip, const std::string &ptxas) {
  // In the order: PTX, machine code, what ptxas prints.
  llvm::SmallString<128> paths[3];
  std::vector<llvm::FileRemover> removers;
  removers.reserve(3);
  for (auto [path, suffix] :
       llvm::zip(paths, ArrayRef{"ptx", "cubin", "log"})) {
    if (std::error_code error =
            llvm::sys::fs::createTemporaryFile("mirage", suffix, path))
      return llvm::createStringError("can't create a temporary file: " +
                                     error.message());
    removers.emplace_back(path);
  }
  if (llvm::Error error = writeFile(paths[0], ptx))
    return error;
  std::string arch = "-arch=" + chip;
  StringRef arguments[] = {ptxas, arch, "-O3", paths[0], "-o", paths[1]};
  std::optional<StringRef> redirects[] = {StringRef(), StringRef(paths[2]),
                                          StringRef(paths[2])};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(ptxas, arguments, std::nullopt,
                                         redirects, /*SecondsToWait=*/300,
                                         /*MemoryLimit=*/0, &message);
  if (status) {
    if (auto log = llvm::MemoryBuffer::getFile(paths[2]);
        log && message.empty())
      message = (*log)->getBuffer().trim().str();
    if (message.empty())
      message = "exit status " + std::to_string(status);
    return llvm::createStringError("'" + ptxas + "' failed: " + message);
  }
  auto cubin = llvm::MemoryBuffer::getFile(paths[1], /*IsText=*/false);
  if (!cubin || (*cubin)->getBufferSize() == 0)
    return llvm::createStringError("'" + ptxas + "' has made nothing");
  return (*cubin)->getBuffer().str();
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

static void addBuffers(const CompiledProgram &from,
                       program_file::Program &program) {
  unsigned counts[3] = {};
  const char *prefixes[3] = {"in", "out", "tmp"};
  for (const Buffer &buffer : from.buffers) {
    auto kind = static_cast<unsigned>(buffer.kind);
    program_file::Buffer &added =
        program.buffers.emplace_back(getFileBuffer(buffer));
    added.name = prefixes[kind] + std::to_string(counts[kind]++);
  }
}

llvm::Expected<program_file::Program>
mirage::compileProgram(ModuleOp module, StringRef name,
                       const CompileOptions &options) {
  auto function = module.lookupSymbol<func::FuncOp>(name);
  if (!function)
    return llvm::createStringError("no function '" + name + "' to run");
  FailureOr<CompiledProgram> extracted = extractProgram(function);
  if (failed(extracted))
    return llvm::createStringError("the function '" + name + "' can't be run");

  auto target = module->getAttrOfType<TargetAttr>(MirageDialect::kTargetAttr);
  std::string chip = options.chip;
  if (chip.empty() && target)
    chip = target.getChip().str();
  if (chip.empty())
    return llvm::createStringError(
        "no chip to compile for: the module has no '" +
        MirageDialect::kTargetAttr + "'");
  if (!target || target.getChip() != chip) {
    module.getContext()->getOrLoadDialect<MirageDialect>();
    target = TargetAttr::lookup(module.getContext(), chip);
  }

  program_file::Program program;
  program.producer = "mirage " MIRAGE_VERSION;
  program.name = name.str();
  program.chip = chip;
  if (target) {
    program.bandwidth = target.getBandwidth();
    program.tflops = target.getTflops();
  }
  if (auto verdict =
          function->getAttrOfType<DictionaryAttr>(MirageDialect::kVerdictAttr))
    if (auto text = verdict.getAs<StringAttr>("verdict"))
      program.verdict = text.str();
  addBuffers(*extracted, program);

  // A function may be nothing but temporaries, or nothing at all.
  if (!extracted->launches.empty()) {
    llvm::Expected<std::string> ptx = emitPTX(module, chip);
    if (!ptx)
      return ptx.takeError();
    program_file::Module &kernels = program.modules.emplace_back();
    kernels.name = extracted->launches.front().module;
    kernels.ptx = std::move(*ptx);
    if (!options.ptxas.empty()) {
      llvm::Expected<std::string> cubin =
          assemble(kernels.ptx, chip, options.ptxas);
      if (!cubin)
        return cubin.takeError();
      kernels.cubin = std::move(*cubin);
    }
  }
  for (const Launch &launch : extracted->launches)
    program.launches.push_back({/*module=*/0, launch.kernel, launch.grid,
                                launch.block, launch.sharedBytes,
                                launch.arguments, launch.library});
  if (std::string error = program_file::verify(program); !error.empty())
    return llvm::createStringError("the function '" + name +
                                   "' can't be compiled: " + error);
  return program;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static const char *getName(program_file::Kind kind) {
  const char *names[] = {"input", "output", "temporary"};
  return names[static_cast<unsigned>(kind)];
}

static const char *getName(program_file::Type type) {
  const char *names[] = {"f16", "bf16", "f32", "f64"};
  return names[static_cast<unsigned>(type)];
}

static const char *getName(program_file::LibraryCall::Op op) {
  const char *names[] = {"none", "matmul", "matmul_transposed",
                         "matmul_transposed_lhs"};
  return names[static_cast<unsigned>(op)];
}

/// Strings of a file may be any bytes.
static std::string getText(StringRef text) { return json::fixUTF8(text); }

/// The number of the buffer, or an object for a tensor map of it.
static json::Value describe(const program_file::Argument &argument) {
  if (!argument.map)
    return argument.buffer;
  return json::Object{{"buffer", argument.buffer},
                      {"shape", json::Array(argument.map->shape)},
                      {"box", json::Array(argument.map->box)},
                      {"swizzle_bytes", argument.map->swizzleBytes}};
}

json::Value mirage::describeProgram(const program_file::Program &program) {
  json::Array buffers, modules, launches;
  for (const program_file::Buffer &buffer : program.buffers)
    buffers.push_back(
        json::Object{{"name", getText(buffer.name)},
                     {"kind", getName(buffer.kind)},
                     {"type", getName(buffer.type)},
                     {"shape", json::Array(buffer.shape)},
                     {"bytes", static_cast<int64_t>(buffer.getBytes())}});
  for (const program_file::Module &module : program.modules)
    modules.push_back(json::Object{
        {"name", getText(module.name)},
        {"ptx_bytes", static_cast<int64_t>(module.ptx.size())},
        {"cubin_bytes", static_cast<int64_t>(module.cubin.size())}});
  for (const program_file::Launch &launch : program.launches) {
    json::Array arguments;
    for (const program_file::Argument &argument : launch.arguments)
      arguments.push_back(describe(argument));
    json::Object object{{"kernel", getText(launch.kernel)},
                        {"module", launch.module},
                        {"grid", json::Array(launch.grid)},
                        {"block", json::Array(launch.block)},
                        {"shared_bytes", launch.sharedBytes},
                        {"arguments", std::move(arguments)}};
    using Op = program_file::LibraryCall::Op;
    if (launch.library.op != Op::None)
      object["library"] = json::Object{{"op", getName(launch.library.op)},
                                       {"batch", launch.library.batch},
                                       {"m", launch.library.m},
                                       {"n", launch.library.n},
                                       {"k", launch.library.k}};
    launches.push_back(std::move(object));
  }
  return json::Object{{"format_version", program_file::kVersion},
                      {"producer", getText(program.producer)},
                      {"name", getText(program.name)},
                      {"chip", getText(program.chip)},
                      {"bandwidth_gb_s", program.bandwidth},
                      {"tflops", program.tflops},
                      {"verdict", getText(program.verdict)},
                      {"buffers", std::move(buffers)},
                      {"modules", std::move(modules)},
                      {"launches", std::move(launches)}};
}
