#!/usr/bin/env python3
"""Runs the benchmark on the machine with the GPU, from the unpacked bundle: checks and times every program, then the others, then the
programs without one pass, then other candidates of the search.

  ./run.py [--programs gqa,...] [--batches 1,8,16] [--iterations 200] [--repeats 20] [--out results] [--skip-check]
           [--check-limit 60] [--baselines-limit 240] [--dry-run]

Writes results.json, results.md and measurements.json, which bench/cost/cost.py reads, into --out, after each step anew, so that an
interrupted run leaves what it has. A wrong result is reported, is not timed, and makes the exit status 1. Without PyTorch only Mirage's
programs are timed.

--dry-run goes through everything but what needs a GPU's or PyTorch's results: libMirageRuntime may then be given a fake driver. Its
numbers are no measurements, and the report says so.
"""
import argparse
import datetime
import json
import math
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import report  # noqa: E402
from baselines import BASELINES  # noqa: E402
from harness import Harness, summarize  # noqa: E402
from mirage_runtime import Device, Error, Program  # noqa: E402
from programs import PROGRAMS  # noqa: E402

# Largest error over largest magnitude, as mirage-run has it.
TOLERANCE = 2e-3
# What the runtime and PyTorch raise when a program fails on the device.
FAULTS = (Error, RuntimeError)


def find_torch(dry_run):
    """PyTorch with a GPU, or None with the reason."""
    if dry_run:
        return None, "dry run"
    try:
        import torch
    except ImportError as error:
        return None, str(error)
    if not torch.cuda.is_available():
        return None, "PyTorch finds no GPU"
    return torch, ""


def find_mirage_run(bundle):
    """(path, environment) of the bundle's mirage-run, or None: it isn't there, or can't start here."""
    tool = os.path.join(bundle, "bin", "mirage-run")
    if not os.path.exists(tool):
        return None
    # Z3's library is in the bundle.
    paths = [os.path.abspath(os.path.join(bundle, "lib")), os.environ.get("LD_LIBRARY_PATH", "")]
    environment = {**os.environ, "LD_LIBRARY_PATH": os.pathsep.join(filter(None, paths))}
    try:
        done = subprocess.run([tool, "--version"], env=environment, capture_output=True, text=True)
        if done.returncode == 0:
            return tool, environment
        reason = done.stderr.strip()
    except OSError as error:
        reason = str(error)
    print(f"mirage-run can't start here: {reason}", file=sys.stderr)
    return None


def run_tool(command, environment, limit):
    """(exit status, last line), or (None, why) if it has not ended after `limit` seconds."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               start_new_session=True)
    try:
        lines = process.communicate(timeout=limit)[0].strip().splitlines()
    except subprocess.TimeoutExpired:
        # With what it has started.
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None, f"no end after {limit:g} s"
    return process.returncode, lines[-1] if lines else ""


def check_with_mirage_run(mirage_run, bundle, entry, limit):
    """The verdict of mirage-run --check, or None if there is no such tool."""
    if not mirage_run:
        return None
    tool, environment = mirage_run
    command = [tool, os.path.join(bundle, entry["file"]), "--backend=cuda", "--check",
               "--reference=" + os.path.join(bundle, entry["reference"])]
    status, line = run_tool(command, environment, limit)
    return {"good": status == 0, "says": line}


def check_with_sanitizer(sanitizer, mirage_run, bundle, entry, limit):
    """Whether compute-sanitizer finds errors, or None where it can't tell: it is slow, and not every device and driver has what it needs."""
    if not sanitizer or not mirage_run:
        return None
    tool, environment = mirage_run
    found = 9
    command = [sanitizer, f"--error-exitcode={found}", tool, os.path.join(bundle, entry["file"]), "--backend=cuda"]
    status, line = run_tool(command, environment, limit)
    if status not in (0, found):
        print(f"{entry['name']} b{entry['batch']}: compute-sanitizer can't tell: {line}", file=sys.stderr)
        return None
    return {"good": status == 0, "says": line}


def check_all(bundle, entries, mirage_run, sanitizer, limit):
    """What the tools say of each program, by their names. They run side by side, before anything is timed: most of what they do the CPU does."""
    def check(entry, is_first):
        return {"mirage-run": check_with_mirage_run(mirage_run, bundle, entry, limit),
                "compute-sanitizer": check_with_sanitizer(sanitizer if is_first else None, mirage_run, bundle, entry, limit)}

    names = [entry["name"] for entry in entries]
    firsts = [name not in names[:i] for i, name in enumerate(names)]
    with ThreadPoolExecutor(max(1, os.cpu_count() // 2)) as pool:
        return [{tool: verdict for tool, verdict in verdicts.items() if verdict} for verdicts in pool.map(check, entries, firsts)]


def make_input(torch, shape):
    return (torch.rand(shape, device="cuda") * 2 - 1).mul_(0.5).half()


class Tensors:
    """Inputs and outputs of a program in device memory, from PyTorch or from the runtime."""

    def __init__(self, torch, device, program, seed=1):
        self.torch, self.device, self.tensors = torch, device, []
        if torch:
            torch.manual_seed(seed)
            for shape, _, _ in program.inputs:
                self.tensors.append(make_input(torch, shape))
            for shape, _, _ in program.outputs:
                self.tensors.append(torch.full(shape, float("nan"), dtype=torch.float16, device="cuda"))
            self.pointers = [t.data_ptr() for t in self.tensors]
            return
        # Few values, again and again. Their number is a prime, so that no two rows are alike.
        numbers = random.Random(seed)
        some = b"".join(struct.pack("<e", numbers.uniform(-0.5, 0.5)) for _ in range(4099))
        self.pointers = []
        for _, _, size in program.inputs + program.outputs:
            self.pointers.append(device.allocate(size))
            device.write(self.pointers[-1], (some * (size // len(some) + 1))[:size])

    def run(self, program):
        """The result of a program with such tensors: a tensor of PyTorch's in f32, or a tuple. What isn't written is NaN."""
        if self.torch:
            self.tensors[-1].fill_(float("nan"))
            program.launch(self.pointers, self.torch.cuda.current_stream().cuda_stream)
            self.torch.cuda.synchronize()
            return self.tensors[-1].float()
        size = program.outputs[-1][2]
        self.device.fill(self.pointers[-1], 0xff, size)
        program.launch(self.pointers)
        return struct.unpack(f"<{size // 2}e", self.device.read(self.pointers[-1], size))

    def close(self):
        if not self.torch:
            for pointer in self.pointers:
                self.device.free(pointer)


def evaluate(torch, definition, program, tensors):
    """The formula in f32 on the program's inputs."""
    return definition.function(torch, *[t.float() for t in tensors.tensors[:len(program.inputs)]])


def compare(torch, have, want):
    """The largest error over the largest magnitude."""
    if torch:
        error = ((have - want).abs().max() / want.abs().max()).item()
    elif all(map(math.isfinite, have + want)):
        error = max(abs(a - b) for a, b in zip(have, want)) / (max(map(abs, want)) or 1)
    else:
        error = math.nan
    return {"good": error <= TOLERANCE, "says": f"relative error {error:.2e}"}


def time_ours(harness, program, tensors, arguments, cold):
    if harness is None:
        return program.time(tensors.pointers, arguments.iterations, repeats=1 if cold else arguments.repeats, cold=cold)
    torch = harness.torch
    return harness.measure(lambda: program.launch(tensors.pointers, torch.cuda.current_stream().cuda_stream), cold)


def time_baseline(name, harness, entry, reason):
    """Its times for a program, or why there are none."""
    make, is_whole = BASELINES[name]
    result = {"whole": is_whole}
    if harness is None:
        return {**result, "missing": reason}
    definition, torch = PROGRAMS[entry["name"]], harness.torch
    try:
        torch.manual_seed(1)
        function = make(torch, definition, [make_input(torch, shape) for shape in definition.shapes(entry["batch"])])
        if function is None:
            return {**result, "missing": "does not apply"}
        for cold in (False, True):
            result["cold" if cold else "warm"] = summarize(harness.measure(function, cold))
    except Exception as error:  # Whatever it is, the others go on.
        result["missing"] = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
    return result


def run_one(bundle, entry, verdicts, device, torch, harness, arguments):
    """The times of a program that the tools find right."""
    definition = PROGRAMS[entry["name"]]
    result = {"name": entry["name"], "batch": entry["batch"], "floor_us": definition.floor_us(entry["batch"]),
              "bytes": definition.bytes(entry["batch"]), "checks": dict(verdicts), "others": {}}
    try:
        program = Program(device, os.path.join(bundle, entry["file"]))
    except Error as error:
        result["error"] = str(error)
        return result
    tensors = Tensors(torch, device, program)
    try:
        expected = [list(shape) for shape in [*definition.shapes(entry["batch"]), definition.result(entry["batch"])]]
        if [shape for shape, _, _ in program.inputs + program.outputs] != expected:
            result["error"] = "the program has other shapes than the benchmark"
            return result
        result["launches"] = program.launches()
        # What has no end, or faults, must not do so here.
        if torch and is_good(result) and not arguments.skip_check and not arguments.dry_run:
            result["checks"]["torch"] = compare(torch, tensors.run(program), evaluate(torch, definition, program, tensors))
        if is_good(result):
            result["ours"] = {"cold" if cold else "warm": summarize(time_ours(harness, program, tensors, arguments, cold))
                              for cold in (False, True)}
    except FAULTS as error:
        result["error"] = str(error)
    finally:
        tensors.close()
        program.close()
    return result


def is_good(result):
    return "error" not in result and all(check["good"] for check in result["checks"].values())


def run_others(bundle, best, entries, device, torch, harness, arguments):
    """Other programs that compute what that of `best` does, checked and timed. Without PyTorch they are compared with that, which was
    checked by mirage-run."""
    definition = PROGRAMS[best["name"]]
    results = [{**{key: entry[key] for key in entry if key not in ("file", "module")}, "checks": {}} for entry in entries]
    is_checked = not arguments.skip_check and not arguments.dry_run
    program = Program(device, os.path.join(bundle, best["file"]))
    tensors = Tensors(torch, device, program)
    if is_checked:
        want = evaluate(torch, definition, program, tensors) if torch else tensors.run(program)
    for entry, result in zip(entries, results):
        try:
            other = Program(device, os.path.join(bundle, entry["file"]))
            if is_checked:
                result["checks"]["torch" if torch else "the program"] = compare(torch, tensors.run(other), want)
            if is_good(result):
                for cold in (False, True):
                    result["cold" if cold else "warm"] = summarize(time_ours(harness, other, tensors, arguments, cold))
            other.close()
        except FAULTS as error:
            result["error"] = str(error)
    tensors.close()
    program.close()
    return results


def get_measurements(results, bundle, entries):
    """What bench/cost/cost.py reads (docs/CostModel.md), of those candidates that have times."""
    modules = {(entry["name"], entry["batch"], entry["candidate"]): entry["module"] for entry in entries}
    measurements = []
    for result in results["candidates"]:
        if "cold" not in result:
            continue
        with open(os.path.join(bundle, modules[result["name"], result["batch"], result["candidate"]])) as file:
            module = file.read()
        method = f"CUDA graph, L2 cache cold, median of {result['cold']['n']}"
        measurements.append({
            "program": result["name"], "batch": result["batch"], "target": results["target"], "device": results["device"]["name"],
            "date": results["date"], "version": results["version"], "method": "dry run" if results["dry_run"] else method,
            "candidate": result["candidate"], "microseconds": round(result["cold"]["median"], 3),
            "p10": round(result["cold"]["p10"], 3), "p90": round(result["cold"]["p90"], 3), "module": module})
    return measurements


def write(results, folder):
    with open(os.path.join(folder, "results.json"), "w") as file:
        json.dump(results, file, indent=1)
    with open(os.path.join(folder, "results.md"), "w") as file:
        file.write(report.render(results))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bundle", default=HERE)
    parser.add_argument("--programs", default="")
    parser.add_argument("--batches", default="")
    parser.add_argument("--iterations", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--out", default="results")
    parser.add_argument("--skip-check", action="store_true")
    parser.add_argument("--check-limit", type=float, default=60, help="seconds that a check may take")
    parser.add_argument("--baselines-limit", type=float, default=240, help="seconds after which no other baseline is begun")
    parser.add_argument("--dry-run", action="store_true")
    arguments = parser.parse_args()

    bundle = arguments.bundle
    with open(os.path.join(bundle, "manifest.json")) as file:
        manifest = json.load(file)
    names = arguments.programs.split(",") if arguments.programs else list(PROGRAMS)
    batches = [int(b) for b in arguments.batches.split(",")] if arguments.batches else None
    chosen = lambda entry: entry["name"] in names and (batches is None or entry["batch"] in batches)
    entries = [entry for entry in manifest["programs"] if chosen(entry)]
    if not entries:
        sys.exit("the bundle has none of these programs")
    os.makedirs(arguments.out, exist_ok=True)

    torch, reason = find_torch(arguments.dry_run)
    try:
        device = Device(os.path.join(bundle, "lib", "libMirageRuntime.so"))
    except (Error, OSError) as error:
        sys.exit(f"no GPU to run on: {error}")
    harness = Harness(torch, device.describe()["l2_bytes"], arguments.iterations, arguments.repeats) if torch else None
    results = {"dry_run": arguments.dry_run, "date": datetime.date.today().isoformat(), "version": manifest["version"],
               "target": manifest["target"], "device": device.describe(), "torch": torch.__version__ if torch else f"none ({reason})",
               "method": {"iterations": arguments.iterations, "repeats": arguments.repeats}, "programs": [], "ablations": [], "candidates": []}

    empty = Program(device, os.path.join(bundle, "programs", "empty.mirage"))
    nothing = Tensors(torch, device, empty)
    results["launch_us"] = summarize(time_ours(harness, empty, nothing, arguments, True))["median"]
    empty.close()
    is_checked = not arguments.dry_run and not arguments.skip_check
    mirage_run = find_mirage_run(bundle) if is_checked else None
    sanitizer = shutil.which("compute-sanitizer") if is_checked else None
    for entry, verdicts in zip(entries, check_all(bundle, entries, mirage_run, sanitizer, arguments.check_limit)):
        results["programs"].append(run_one(bundle, entry, verdicts, device, torch, harness, arguments))
        write(results, arguments.out)
        print(report.line(results["programs"][-1]), *report.cluster_lines(results["programs"][-1]), sep="\n", flush=True)
    start = time.monotonic()
    for name in BASELINES:
        # For attention there are functions of its own: what is compiled for it comes last, should time run out.
        for entry, result in sorted(zip(entries, results["programs"]), key=lambda pair: bool(PROGRAMS[pair[0]["name"]].attention)):
            is_late = harness and time.monotonic() - start >= arguments.baselines_limit
            result["others"][name] = time_baseline(name, None if is_late else harness, entry, "no time was left" if is_late else reason)
        write(results, arguments.out)
    if harness:
        print(*map(report.line, results["programs"]), sep="\n", flush=True)
    def write_measurements():
        with open(os.path.join(arguments.out, "measurements.json"), "w") as file:
            json.dump(get_measurements(results, bundle, manifest["candidates"]), file, indent=1)

    write_measurements()
    for kind in ("ablations", "candidates"):
        for entry, result in zip(entries, results["programs"]):
            others = [other for other in manifest[kind] if (other["name"], other["batch"]) == (entry["name"], entry["batch"])]
            if others and is_good(result):
                try:
                    results[kind] += run_others(bundle, entry, others, device, torch, harness, arguments)
                except FAULTS as error:
                    result["error"] = str(error)
                write(results, arguments.out)
                write_measurements()
    device.close()
    print(os.path.join(arguments.out, "results.md"))
    bad = not all(map(is_good, results["programs"] + results["ablations"] + results["candidates"]))
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
