//===- PlanVerifier.cpp - From plans to candidates ------------------------===//
//
// Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanVerifier.h"
#include "Mirage/Operators/Custom.h"
#include "SizeSpaceImpl.h"
#include "Watch.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mirage;

/// What random tests may take when there is no proof.
static constexpr int64_t kMostVerifierBytes = int64_t(512) << 20;
/// Plans without a verdict that are tried at other sizes.
static constexpr unsigned kMostRetries = 8;

EquivalenceOptions mirage::getEquivalenceOptions(const SearchOptions &options) {
  EquivalenceOptions result;
  result.axioms = options.axioms;
  result.random.seed = options.seed;
  result.solverSeconds = options.solverSeconds;
  result.testsUndefined = false;
  result.random.maxBytes = kMostVerifierBytes;
  return result;
}

/// The program as it was given, with other sizes of the roles of the program
/// that is searched for: with safe exponentials that has other tensors, but the
/// same inputs.
static KernelGraph resizeReference(const SearchProgram &program,
                                   llvm::ArrayRef<int64_t> sizes) {
  std::string error;
  std::optional<Roles> roles = findRoles(program.reference, error);
  assert(roles && "the program was searched");
  std::vector<int64_t> own = roles->size;
  for (unsigned i = 0; i < program.reference.numInputs; ++i)
    for (auto [role, same] :
         llvm::zip(roles->ofTensor[i], program.roles.ofTensor[i]))
      if (role != kNoRole)
        own[role] = sizes[same];
  return resize(program.reference, *roles, own);
}

/// Rounding errors are compared at sizes that are not too large: of programs
/// with many dimensions even small ones may be, and the program's own be
/// smaller.
PlanVerifier::PlanVerifier(std::shared_ptr<const SearchProgram> searched,
                           const SearchOptions &options, SearchPool &pool,
                           const std::atomic<bool> &stop)
    : program(std::move(searched)), options(options), pool(pool), stop(stop) {
  StabilityOptions checkOptions;
  checkOptions.factor = options.stabilityFactor;
  checkOptions.seed = options.seed;
  checkOptions.maxWork = options.stabilityWork;
  checkOptions.stop = &stopVerifying;
  // Of a sample, some milliseconds: what takes more has smaller sizes, and a
  // search that is over waits for what has been begun.
  constexpr double kMuchWork = 1 << 20;
  for (bool smallest : {false, true}) {
    smallSizes = getSmallSizes(*program, smallest);
    if (!checksStability())
      return;
    stability.emplace(resizeReference(*program, *smallSizes), checkOptions);
    if (stability->isPossible() &&
        (smallest || stability->getReferenceWork() <= kMuchWork))
      break;
    smallSizes.reset();
  }
  if (!smallSizes)
    stability.emplace(program->reference, checkOptions);
  if (stability->getReferenceWork() <= kMuchWork)
    pool.setSpareWork([this] { return prepareNext(); });
}

PlanVerifier::~PlanVerifier() { pool.setSpareWork(nullptr); }

/// Evaluates the program on further inputs. False: there are none.
bool PlanVerifier::prepareNext() {
  size_t sample = nextSample++;
  if (stop || sample >= stability->getNumSamples())
    return false;
  stability->prepare(sample);
  return true;
}

StopReason PlanVerifier::run(std::vector<Plan> &plans,
                             SearchStatistics &statistics,
                             SearchResult &result) {
  stopVerifying = false;
  Watch watch(options, stopVerifying, kSecondsToVerifyAfterInterrupt);
  EquivalenceOptions checkOptions = getEquivalenceOptions(options);
  checkOptions.random.stop = &stopVerifying;
  EquivalenceChecker checker(program->reference, checkOptions);
  result.candidates.clear();
  result.unstable.clear();
  statistics.accepted = statistics.refuted = statistics.unknown =
      statistics.unstable = 0;
  unsigned retries = 0;
  solverRanOut = false;
  pool.setSpareWork(nullptr);
  std::vector<Plan> kept;
  auto drop = [&](const Plan &plan, const SearchCandidate &candidate,
                  const StabilityResult &stability) {
    ++statistics.unstable;
    result.unstable.push_back({candidate.cost, stability.getWorst()});
    kept.push_back(plan);
  };
  for (Plan &plan : plans) {
    // The first, which is the cheapest, is always tried.
    const bool isFirst = &plan == plans.data();
    if (result.candidates.size() == options.keep || (stopVerifying && !isFirst))
      break;
    std::optional<SearchCandidate> candidate = makeCandidate(plan);
    if (!candidate)
      continue;
    Rounding rounding = getRounding(
        plan, [&] { candidate->verdict = checker.check(candidate->graph); });
    // What is dropped anyway needs no verdict.
    if (rounding.isUnstable()) {
      drop(plan, *candidate, *rounding.report);
      continue;
    }
    if (candidate->verdict.verdict == Verdict::Unknown && !stopVerifying &&
        ++retries <= kMostRetries)
      if (auto other = findOtherSizes(
              plan, options.leastGain * result.referenceCost.nanoseconds,
              checker)) {
        std::tie(plan, *candidate) = std::move(*other);
        rounding = getRounding(plan, nullptr);
        if (rounding.isUnstable()) {
          drop(plan, *candidate, *rounding.report);
          continue;
        }
      }
    switch (candidate->verdict.verdict) {
    case Verdict::Refuted:
      ++statistics.refuted;
      continue;
    case Verdict::Unknown:
      ++statistics.unknown;
      solverRanOut |= candidate->verdict.solverRanOut;
      if (result.unknownReason.empty())
        result.unknownReason = candidate->verdict.reason;
      continue;
    case Verdict::Proved:
    case Verdict::Accepted:
      break;
    }
    if (checksStability() && !rounding.report) {
      ++statistics.unknown;
      if (result.unknownReason.empty())
        result.unknownReason =
            stopVerifying ? "its rounding errors were not compared in time"
                          : "to compare its rounding errors takes too long";
      continue;
    }
    ++statistics.accepted;
    kept.push_back(plan);
    candidate->proxy =
        rounding.proxy ? std::move(*rounding.proxy) : candidate->graph;
    candidate->stability = std::move(rounding.report);
    candidate->sizes =
        makeSizeSpace(program, plan, TargetNumbers(options.target));
    result.candidates.push_back(std::move(*candidate));
  }
  plans = std::move(kept);
  sortByCost(plans);
  sortByCost(result.candidates);
  if (result.candidates.size() == options.keep)
    return StopReason::None;
  return watch.getReason();
}

/// A plan at the program's sizes, without a verdict yet. Nothing if it doesn't
/// fit the device.
std::optional<SearchCandidate>
PlanVerifier::makeCandidate(const Plan &plan) const {
  std::optional<KernelGraph> graph =
      instantiate(*program, plan, program->roles.size);
  if (!graph || !fitsDevice(*graph))
    return std::nullopt;
  SearchCandidate candidate;
  candidate.graph = std::move(*graph);
  candidate.cost = estimateCost(candidate.graph, options.target);
  return candidate;
}

/// The same with one.
std::optional<SearchCandidate>
PlanVerifier::check(const Plan &plan, EquivalenceChecker &checker) const {
  std::optional<SearchCandidate> candidate = makeCandidate(plan);
  if (candidate)
    candidate->verdict = checker.check(candidate->graph);
  return candidate;
}

/// The prover wants kernels that cut one dimension to cut it alike, so that the
/// parts of one are parts of the others' parts. There mostly are such sizes
/// that cost hardly more, and less than the program still.
std::optional<std::pair<Plan, SearchCandidate>>
PlanVerifier::findOtherSizes(const Plan &plan, double mostNanoseconds,
                             EquivalenceChecker &checker) const {
  constexpr double kHardlyMore = 1.05;
  mostNanoseconds = std::min(mostNanoseconds, kHardlyMore * plan.nanoseconds);
  constexpr size_t kMostTries = 32;
  auto space = makeSizeSpace(program, plan, TargetNumbers(options.target));
  // One number is changed.
  std::vector<SizeSpace::Ranked> others;
  for (auto [d, decision] : llvm::enumerate(space->getDecisions()))
    for (int64_t choice : decision.choices) {
      SizeSpace::Ranked other{space->getChosen(), 0};
      if (other.point[d] == choice)
        continue;
      other.point[d] = choice;
      std::optional<KernelGraph> graph = space->instantiate(other.point);
      if (!graph)
        continue;
      other.cost = estimateCost(*graph, options.target).nanoseconds;
      if (other.cost < mostNanoseconds)
        others.push_back(std::move(other));
    }
  llvm::sort(others, [](const auto &x, const auto &y) {
    return std::tie(x.cost, x.point) < std::tie(y.cost, y.point);
  });
  others.resize(std::min(others.size(), kMostTries));
  for (const SizeSpace::Ranked &ranked : others) {
    if (stopVerifying)
      break;
    Plan other = withSizes(plan, ranked.point);
    std::optional<SearchCandidate> candidate = check(other, checker);
    if (!candidate || (candidate->verdict.verdict != Verdict::Proved &&
                       candidate->verdict.verdict != Verdict::Accepted))
      continue;
    other.nanoseconds = 0;
    for (SizedKernel &kernel : other.kernels) {
      kernel.nanoseconds =
          estimateKernel(*program, kernel, options.target).value();
      other.nanoseconds += kernel.nanoseconds;
    }
    return std::pair(std::move(other), std::move(*candidate));
  }
  return std::nullopt;
}

/// The program's tensors fit, but partial results may not.
bool PlanVerifier::fitsDevice(const KernelGraph &graph) const {
  llvm::SmallBitVector isView(graph.tensors.size());
  for (const KernelNode &node : graph.nodes)
    if (graph.isWithoutKernel(node))
      isView.set(node.results[0]);
  double bytes = 0;
  for (auto [t, tensor] : llvm::enumerate(graph.tensors))
    if (!isView.test(t))
      bytes += static_cast<double>(getNumElements(tensor.shape)) *
               tensor.elementType.getIntOrFloatBitWidth() / 8;
  return bytes <= options.target.getDeviceBytes();
}

/// Nobody knows how an opaque operator rounds, if it has no definition.
bool PlanVerifier::checksStability() const {
  return options.stabilityFactor != 0 &&
         llvm::all_of(program->functions, [](const auto &function) {
           return isFunctionDefined(function.first[0]);
         });
}

PlanVerifier::Rounding
PlanVerifier::getRounding(const Plan &plan, llvm::function_ref<void()> beside) {
  Rounding rounding;
  rounding.proxy =
      smallSizes ? instantiate(*program, withSmallSizes(plan), *smallSizes)
                 : instantiate(*program, plan, program->roles.size);
  std::optional<StabilityChecker::Comparison> comparison;
  if (rounding.proxy && stability)
    comparison.emplace(*stability, *rounding.proxy);
  size_t numSamples = comparison ? stability->getNumSamples() : 0;
  // What takes longest begins first, where there are others for the rest.
  // Nearly all that is looked at is stable, and proved, so that both are
  // needed.
  size_t numOther = beside && options.threads != 1 ? 1 : 0;
  pool.forEach(numOther + numSamples, [&](size_t task, SearchWorker &) {
    if (task < numOther)
      beside();
    else
      comparison->measure(task - numOther);
  });
  if (comparison)
    rounding.report = comparison->getResult();
  if (beside && numOther == 0 && !rounding.isUnstable())
    beside();
  return rounding;
}
