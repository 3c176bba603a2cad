#!/usr/bin/env python3
"""How good the cost model is (docs/CostModel.md). Run from anywhere, after the build.

  bench/cost/cost.py [--measurements bench/cost/measurements.json]     ranks measured candidates by the model and compares
  bench/cost/cost.py --inputs [--programs lora,ntrans] [--batches 1]   checks what the model counts against the host's counters, of
                                                                       all programs at batches 1, 8 and 16 by default
  bench/cost/cost.py --inputs --programs "ntrans 24 5000"              the same of programs in sizes that odd_shapes.py takes
  bench/cost/cost.py --inputs --odd-shapes                             the same of many of these
  bench/cost/cost.py --counters FILE.json --module FILE.mlir --function NAME
                                                                       the same for one function and counters that are there

Without measurements the first does as the second. The exit status is 1 if a count is off by more than --limit.
"""
import argparse
import collections
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SECTOR = 32

# Batches of 3 and 24, contexts of 1000, hidden sizes that are no powers of two, and rows of odd lengths.
ODD_SHAPES = [
    "gqa 3 100 1000 64", "gqa 12 24 1000 80", "gqa 24 16 1000 64", "qknorm 3 24 1000 128", "qknorm 12 16 1000 64",
    "rmsnorm 3 1000 1000", "rmsnorm 3 3000 1000", "rmsnorm 24 1000 3000", "rmsnorm 24 5000 5000", "rmsnorm 24 1000 11008",
    "rmsnorm 48 1100 1300", "rmsnorm 77 97 97", "lora 3 1000 3000 16", "lora 24 1000 3000 16", "lora 48 1000 1000 20",
    "gated_mlp 3 1000 3000", "gated_mlp 24 3000 1000", "gated_mlp 3 1000 11008", "gated_mlp 48 1100 1300", "gated_mlp 77 97 97",
    "ntrans 3 1000", "ntrans 3 1100", "ntrans 24 3000", "ntrans 24 5000", "ntrans 24 11008", "ntrans 77 97",
    "softmax 24 1000", "softmax 24 3000", "softmax 3 5000", "softmax 77 97"]


def count_sectors(*fields):
    return lambda kernel: SECTOR * sum(kernel["device"][field] for field in fields)


def count_mma_flops(kernel):
    """Of instructions such as m16n8k16.f16.f32."""
    flops = 0
    for instruction, count in kernel["mma"].items():
        m, n, k = map(int, re.match(r"m(\d+)n(\d+)k(\d+)", instruction).groups())
        flops += 2 * m * n * k * count
    return flops


# What the host counts for a kernel (docs/CostModel.md), and the model's number for the same.
COUNTS = [
    ("device bytes", count_sectors("ideal_read_sectors", "ideal_written_sectors"), "device_bytes"),
    ("requested bytes", count_sectors("read_sectors", "written_sectors"), "requested_bytes"),
    ("flops of mma", count_mma_flops, "tensor_flops"),
    ("special functions", lambda kernel: sum(kernel["special_functions"].values()), "special_functions"),
]


def fail(message):
    sys.exit(f"cost.py: {message}")


def read_json(path):
    try:
        with open(path) as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        fail(f"{path}: {error}")


def run(command):
    process = subprocess.run(command, capture_output=True, text=True)
    if process.returncode:
        fail(f"{' '.join(command)} failed:\n{process.stderr}")


def estimate(arguments, module, target):
    """What the model says of all candidates in a module, by name. `module` is its path, or its text, which has more than one line."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        if "\n" in module:
            path = os.path.join(folder, "module.mlir")
            with open(path, "w") as file:
                file.write(module)
            module = path
        run([arguments.mirage_opt, module, f"--mirage-select=profile=model target={target} report={report}", "-o", os.devnull])
        return {candidate["candidate"]: candidate for function in read_json(report) for candidate in function["candidates"]}


def make_candidate(module, name):
    """A program for which nothing cheaper was found has no reference: it becomes its own, so that the model estimates it, too."""
    with open(module) as file:
        text = file.read()
    if "mirage.reference" in text:
        return
    with open(module, "w") as file:
        file.write(re.sub(rf"(func\.func @{name}\(.*) {{$", rf"\1 attributes {{mirage.reference = @{name}}} {{", text, flags=re.M))


def get_ranks(values):
    """Ranks from 1 on; equals share the mean of theirs."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    ranks = [0.0] * len(values)
    first = 0
    while first < len(order):
        last = first
        while last + 1 < len(order) and values[order[last + 1]] == values[order[first]]:
            last += 1
        for i in range(first, last + 1):
            ranks[order[i]] = (first + last) / 2 + 1
        first = last + 1
    return ranks


def get_spearman(x, y):
    """Pearson's correlation of the ranks; nothing if one of them is constant."""
    x, y = get_ranks(x), get_ranks(y)
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    covariance = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y))
    scale = (sum((a - mean_x)**2 for a in x) * sum((b - mean_y)**2 for b in y))**0.5
    return covariance / scale if scale else None


def get_recall(estimated, measured, count=5):
    """The part of the `count` fastest that is among the model's first `count`."""
    def best(values):
        return set(sorted(range(len(values)), key=lambda i: (values[i], i))[:count])

    return len(best(estimated) & best(measured)) / min(count, len(measured))


def report_ranking(arguments, measurements):
    folder = os.path.dirname(os.path.abspath(arguments.measurements))
    modules = {}
    groups = collections.defaultdict(list)
    for number, entry in enumerate(measurements):
        for field, kind in [("program", str), ("batch", int), ("target", str), ("device", str), ("module", str), ("candidate", str),
                            ("microseconds", (int, float))]:
            if not isinstance(entry, dict) or not isinstance(entry.get(field), kind):
                fail(f"{arguments.measurements}: entry {number} has no '{field}', or of another type")
        groups[tuple(entry[field] for field in ("program", "batch", "target", "device"))].append(entry)
    print("| program | target | device | candidates | Spearman | top-5 recall | model's best, of the fastest |")
    print("| --- " * 7 + "|")
    totals, logarithms = [], collections.defaultdict(list)
    for (program, batch, target, device), entries in sorted(groups.items()):
        estimated = []
        for entry in entries:
            module = entry["module"] if "\n" in entry["module"] else os.path.join(folder, entry["module"])
            if (module, target) not in modules:
                modules[module, target] = estimate(arguments, module, target)
            candidate = modules[module, target].get(entry["candidate"])
            if not candidate:
                fail(f"the module of {program}, batch {batch}, has no candidate '{entry['candidate']}'")
            estimated.append(candidate["estimated_microseconds"])
        measured = [entry["microseconds"] for entry in entries]
        logarithms[program] += [math.log(m / e) for m, e in zip(measured, estimated)]
        spearman, recall = get_spearman(estimated, measured), get_recall(estimated, measured)
        chosen = measured[min(range(len(estimated)), key=lambda i: estimated[i])] / min(measured)
        totals.append((spearman, recall))
        print(f"| {program}, batch {batch} | {target} | {device} | {len(entries)} | " +
              ("-" if spearman is None else f"{spearman:.3f}") + f" | {recall:.2f} | {chosen:.2f} |")
    known = [spearman for spearman, _ in totals if spearman is not None]
    if known:
        print(f"\nmean of Spearman's rank correlation: {sum(known) / len(known):.3f}")
    print(f"mean of top-5 recall: {sum(recall for _, recall in totals) / len(totals):.3f}")
    print(f"spread of log(measured / estimated): {statistics.pstdev(sum(logarithms.values(), [])):.2f}; " +
          ", ".join(f"{program} {statistics.pstdev(values):.2f}" for program, values in logarithms.items()))


def compare_inputs(arguments, label, kernels, counters):
    """Compares the sums over kernels; returns whether all are within the limit."""
    good = True
    for name, count, model in COUNTS:
        try:
            counted = sum(count(kernel) for kernel in counters)
        except (KeyError, TypeError, AttributeError) as error:
            fail(f"{label}: the counters don't say what is needed for the {name}: {error!r}")
        expected = sum(kernel[model] for kernel in kernels)
        error = abs(counted - expected) / max(counted, expected, 1)
        good &= error <= arguments.limit
        print(f"| {label} | {name} | {expected:,.0f} | {counted:,.0f} | {100 * error:.1f} % |" +
              ("" if error <= arguments.limit else " TOO FAR OFF"))
    return good


def print_inputs_head():
    print("| program | count | model | host | difference |")
    print("| --- " * 5 + "|")


def get_kernels(path):
    counters = read_json(path)
    if not isinstance(counters, dict) or not isinstance(counters.get("kernels"), list):
        fail(f"{path}: no list of 'kernels'")
    return counters["kernels"]


def check_counters(arguments):
    candidates = estimate(arguments, arguments.module, arguments.target)
    if arguments.function not in candidates:
        fail(f"{arguments.module} has no candidate '{arguments.function}'")
    print_inputs_head()
    return compare_inputs(arguments, arguments.function, candidates[arguments.function]["kernels"], get_kernels(arguments.counters))


def check_inputs(arguments):
    """The best of the search, run on the host; mirage-run finds the same one."""
    programs = []
    for entry in arguments.programs.split(","):
        name, *sizes = entry.split()
        if sizes:
            programs.append((name, "x".join(sizes), ["odd_shapes.py", name, *sizes]))
        else:
            programs += [(name, f"batch {batch}", ["linalg_programs.py", name, batch]) for batch in arguments.batches.split(",")]
    good = True
    print_inputs_head()
    with tempfile.TemporaryDirectory() as folder:
        program, module, counters = (os.path.join(folder, name) for name in ("program.mlir", "best.mlir", "counters.json"))
        for name, sizes, (generator, *how) in programs:
            with open(program, "w") as file:
                subprocess.run([sys.executable, os.path.join(ROOT, "utils/programs", generator), *how], check=True, stdout=file)
            # What a library would compute on a GPU, the host computes by our own block graphs.
            run([arguments.mirage_opt, program, "--convert-linalg-to-mirage", f"--mirage-superoptimize=target={arguments.target}",
                 f"--mirage-schedule-kernels=target={arguments.target}", "-o", module])
            run([arguments.mirage_run, program, f"--target={arguments.target}", "--backend=host", f"--counters={counters}"])
            make_candidate(module, name)
            kernels = estimate(arguments, module, arguments.target)[name]["kernels"]
            good &= compare_inputs(arguments, f"{name}, {sizes}", kernels, get_kernels(counters))
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measurements", default=os.path.join(ROOT, "bench/cost/measurements.json"))
    parser.add_argument("--inputs", action="store_true")
    parser.add_argument("--counters")
    parser.add_argument("--module")
    parser.add_argument("--function")
    parser.add_argument("--programs", default="rmsnorm,gated_mlp,lora,ntrans,gqa,gqa_8k,qknorm")
    parser.add_argument("--odd-shapes", action="store_true")
    parser.add_argument("--batches", default="1,8,16")
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--limit", type=float, default=0.05)
    parser.add_argument("--mirage-opt", default=os.path.join(ROOT, "build/bin/mirage-opt"))
    parser.add_argument("--mirage-run", default=os.path.join(ROOT, "build/bin/mirage-run"))
    arguments = parser.parse_args()
    if arguments.odd_shapes:
        arguments.programs = ",".join(ODD_SHAPES)
    if arguments.counters:
        if not arguments.module or not arguments.function:
            parser.error("--counters needs --module and --function")
        return 0 if check_counters(arguments) else 1
    measurements = [] if arguments.inputs else read_json(arguments.measurements)
    if not isinstance(measurements, list):
        fail(f"{arguments.measurements}: no list")
    if measurements:
        report_ranking(arguments, measurements)
        return 0
    if not arguments.inputs:
        print("no measurements: what the model counts is compared with what the host's emulation counts\n")
    return 0 if check_inputs(arguments) else 1


if __name__ == "__main__":
    sys.exit(main())
