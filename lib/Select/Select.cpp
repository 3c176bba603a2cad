//===- Select.cpp - Selection as a pass -----------------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mirage/BlockPlan/PlanOptions.h"
#include "Mirage/Cost/CostModel.h"
#include "Mirage/Mugraph/Conversion.h"
#include "Mirage/Pipelines/MiragePipeline.h"
#include "Mirage/Select/Passes.h"
#include "Mirage/Select/Profilers.h"
#include "Mirage/Transforms/WriteReport.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace mirage {
#define GEN_PASS_DEF_SELECT
#include "Mirage/Select/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

namespace {

struct SelectPass : public mirage::impl::SelectBase<SelectPass> {
  using SelectBase::SelectBase;
  /// Only options are copied; what follows from them is made when it runs.
  SelectPass(const SelectPass &other) : SelectBase(other) {}

  void getDependentDialects(DialectRegistry &registry) const override {
    // Candidates are compiled by this pipeline.
    OpPassManager pm(ModuleOp::getOperationName());
    MiragePipelineOptions pipeline;
    pipeline.compileTo = CompilePhase::GPU;
    buildMiragePipeline(pm, pipeline);
    pm.getDependentDialects(registry);
  }

  void runOnOperation() override {
    if (failed(readOptions()) || failed(makeRunner()))
      return signalPassFailure();
    ModuleOp module = getOperation();
    auto reportFile = openReport(module, report, results.get());
    if (failed(reportFile))
      return signalPassFailure();
    // By reference, in the order of the module.
    llvm::MapVector<StringAttr, SmallVector<func::FuncOp>> groups;
    for (auto function : module.getOps<func::FuncOp>())
      if (auto name = function->getAttrOfType<FlatSymbolRefAttr>(
              MirageDialect::kReferenceAttr))
        groups[name.getAttr()].push_back(function);
    llvm::json::Array reports;
    // Nothing is chosen from one, but a report has its estimate.
    for (auto &[name, functions] : groups)
      if ((functions.size() > 1 || !report.empty()) &&
          failed(selectOne(name, functions, reports)))
        return signalPassFailure();
    if (failed(writeReport(module, *reportFile, std::move(reports))))
      return signalPassFailure();
  }

private:
  LogicalResult readOptions() {
    ModuleOp module = getOperation();
    if (!(rtol >= 0))
      return emitError(module.getLoc(),
                       "option 'rtol' must be 0 or more, found ")
             << rtol.getValue();
    if (threads == 0)
      return emitError(module.getLoc(), "option 'threads' must be at least 1");
    options.topK = topK;
    options.target = lookUpTarget(module, target);
    if (!options.target)
      return failure();
    if (database.empty())
      return success();
    llvm::Expected<std::unique_ptr<ResultsDatabase>> opened =
        ResultsDatabase::openNamed(database);
    if (!opened)
      return emitError(module.getLoc(), llvm::toString(opened.takeError()));
    results = std::move(*opened);
    options.database = results.get();
    return success();
  }

  LogicalResult makeRunner() {
    if (profile == ProfileKind::Model)
      return success();
    if (profile == ProfileKind::Host) {
      HostOptions host;
      host.threads = threads;
      runner = makeHostRunner(host);
      return success();
    }
    CudaOptions cuda;
    cuda.chip = options.target.getChip().str();
    cuda.driver = cudaDriver;
    llvm::Expected<std::unique_ptr<DeviceRunner>> made = makeCudaRunner(cuda);
    if (made) {
      runner = std::move(*made);
      return success();
    }
    std::string why = llvm::toString(made.takeError());
    if (profile == ProfileKind::Cuda)
      return emitError(getOperation().getLoc(), "option 'profile=cuda': ")
             << why;
    getOperation().emitRemark("ranked by the cost model, as there is no GPU "
                              "to measure on: ")
        << why;
    return success();
  }

  LogicalResult selectOne(StringAttr name, ArrayRef<func::FuncOp> functions,
                          llvm::json::Array &reports) {
    func::FuncOp function = functions.front();
    auto reference = getOperation().lookupSymbol<func::FuncOp>(name.getValue());
    if (!reference || reference.isExternal())
      return function.emitError("'")
             << MirageDialect::kReferenceAttr << "' names '" << name.getValue()
             << "', which is no function with a body";
    std::vector<SelectCandidate> candidates;
    for (func::FuncOp candidate : functions) {
      if (candidate.getFunctionType() != reference.getFunctionType())
        return candidate.emitError("has another type than its reference '")
               << name.getValue() << "'";
      FailureOr<KernelGraph> graph = importKernelGraph(candidate);
      if (failed(graph))
        return failure();
      candidates.push_back(
          {candidate.getSymName().str(), std::move(*graph), candidate});
    }
    std::unique_ptr<Profiler> profiler;
    FailureOr<KernelGraph> program = failure();
    if (runner && functions.size() > 1) {
      program = importKernelGraph(reference);
      if (failed(program))
        return failure();
      ProfilerOptions profilerOptions;
      profilerOptions.chip = options.target.getChip().str();
      profilerOptions.seed = seed;
      if (rtol > 0)
        profilerOptions.tolerance = rtol;
      profiler = makeProfiler(*program, *runner, profilerOptions);
    }
    llvm::Expected<Selection> selection =
        select(candidates, options, profiler.get());
    if (!selection)
      return function.emitError(llvm::toString(selection.takeError()));
    if (!selection->databaseError.empty())
      function.emitWarning("times are not stored: ")
          << selection->databaseError;
    for (const RankedCandidate &ranked : selection->ranked)
      if (!ranked.error.empty())
        candidates[ranked.index].function.emitRemark("has no time: ")
            << ranked.error;
    reports.push_back(getReport(function, candidates, *selection));
    if (functions.size() == 1)
      return success();
    const RankedCandidate &best = selection->ranked.front();
    InFlightDiagnostic remark = function.emitRemark("kept '")
                                << candidates[best.index].name << "' of "
                                << candidates.size() << " candidates: ";
    if (best.measured)
      remark
          << llvm::formatv("{0:f1} us measured, ", *best.measured / 1000).str();
    remark
        << llvm::formatv("{0:f1} us by the model", best.estimate / 1000).str();
    keep(functions, functions[best.index]);
    return success();
  }

  /// The model's inputs and times for each kernel.
  llvm::json::Array getKernels(const KernelGraph &graph) {
    TargetNumbers numbers(options.target);
    llvm::json::Array list;
    for (const KernelNode &node : graph.nodes) {
      if (estimateKernel(graph, node, options.target).kernels == 0)
        continue;
      KernelLoad load = getKernelLoad(graph, node, numbers);
      KernelTimes times = estimateTimes(load, numbers);
      list.push_back(llvm::json::Object{
          {"blocks", load.blocks},
          {"iterations", load.iterations},
          {"device_bytes", load.deviceBytes},
          {"requested_bytes", load.requestedBytes + load.repeatedBytes},
          {"access_cycles", load.accessCycles},
          {"shared_traffic_bytes", load.sharedTraffic},
          {"steps", load.steps},
          {"waits", load.waits},
          {"shared_bytes", load.sharedBytes},
          {"stage_bytes", load.stageBytes},
          {"registers", load.registers},
          {"tensor_flops", load.work.tensorFlops + load.squareFlops},
          {"tf32_flops", load.tf32Flops},
          {"scalar_flops", load.work.scalarFlops},
          {"special_functions",
           load.work.specialFunctions + load.repeatedFunctions},
          {"stages", times.stages},
          {"blocks_per_sm", times.blocksPerSm},
          {"waves", times.waves},
          {"device_ns", times.device},
          {"l2_ns", times.l2},
          {"on_chip_ns", times.onChip},
          {"tensor_ns", times.tensor},
          {"arithmetic_ns", times.arithmetic},
          {"exposed_ns", times.exposed},
          {"nanoseconds", times.total}});
    }
    return list;
  }

  llvm::json::Object getReport(func::FuncOp function,
                               ArrayRef<SelectCandidate> candidates,
                               const Selection &selection) {
    llvm::json::Array list;
    for (const RankedCandidate &ranked : selection.ranked) {
      llvm::json::Object entry{
          {"candidate", candidates[ranked.index].name},
          {"estimated_microseconds", ranked.estimate / 1000},
          {"kernels", getKernels(candidates[ranked.index].graph)}};
      if (ranked.measured) {
        entry["microseconds"] = *ranked.measured / 1000;
        entry["from_database"] = ranked.isFromDatabase;
      }
      if (!ranked.error.empty())
        entry["error"] = ranked.error;
      list.push_back(std::move(entry));
    }
    return llvm::json::Object{
        {"function", function.getSymName()},
        {"target", options.target.getChip()},
        {"device", runner ? runner->getDevice() : "model"},
        {"candidates", std::move(list)}};
  }

  /// Puts the best into the first one's place, and erases the others.
  void keep(ArrayRef<func::FuncOp> functions, func::FuncOp best) {
    func::FuncOp first = functions.front();
    if (best != first) {
      first.getBody().takeBody(best.getBody());
      if (Attribute verdict = best->getAttr(MirageDialect::kVerdictAttr))
        first->setAttr(MirageDialect::kVerdictAttr, verdict);
      else
        first->removeAttr(MirageDialect::kVerdictAttr);
      // What lost its body must go; what refers to it gets the same function.
      (void)SymbolTable::replaceAllSymbolUses(best, first.getSymNameAttr(),
                                              getOperation());
      best.erase();
    }
    for (func::FuncOp other : functions.drop_front())
      if (other != best && // which may be gone by now
          SymbolTable::symbolKnownUseEmpty(other, getOperation()))
        other.erase();
  }

  SelectionOptions options;
  std::unique_ptr<ResultsDatabase> results;
  std::unique_ptr<DeviceRunner> runner;
};

} // namespace
