#!/usr/bin/env python3
"""Runs the benchmark on the machine with the GPU, from the unpacked bundle: checks every program, then times it beside the others.

  ./run.py [--programs gqa,...] [--batches 1,8,16] [--iterations 200] [--repeats 20] [--out results] [--skip-check] [--dry-run]

Writes results.json and results.md into --out, after each program anew, so that an interrupted run leaves what it has. A wrong result is
reported, is not timed, and makes the exit status 1. Without PyTorch only Mirage's programs are timed.

--dry-run goes through everything but what needs a GPU's or PyTorch's results: libMirageRuntime may then be given a fake driver. Its
numbers are no measurements, and the report says so.
"""
import argparse
import datetime
import json
import os
import random
import shutil
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import report  # noqa: E402
from baselines import BASELINES  # noqa: E402
from harness import Harness, summarize  # noqa: E402
from mirage_runtime import Device, Error, Program  # noqa: E402
from programs import PROGRAMS  # noqa: E402

# Largest error over largest magnitude, as mirage-run has it.
TOLERANCE = 2e-3


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


def check_with_mirage_run(mirage_run, bundle, entry, sanitizer=None):
    """The verdict of mirage-run --check, or None if there is no such tool."""
    if not mirage_run:
        return None
    tool, environment = mirage_run
    command = [tool, os.path.join(bundle, entry["file"]), "--backend=cuda"]
    if sanitizer:
        command = [sanitizer, "--error-exitcode=9", *command]
    else:
        command += ["--check", "--reference=" + os.path.join(bundle, entry["reference"])]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    lines = (done.stdout + done.stderr).strip().splitlines()
    return {"good": done.returncode == 0, "says": lines[-1] if lines else ""}


class Tensors:
    """Inputs and outputs of a program in device memory, from PyTorch or from the runtime."""

    def __init__(self, torch, device, program, seed=1):
        self.torch, self.device, self.tensors = torch, device, []
        if torch:
            torch.manual_seed(seed)
            for shape, _, _ in program.inputs:
                self.tensors.append((torch.rand(shape, device="cuda") * 2 - 1).mul_(0.5).half())
            for shape, _, _ in program.outputs:
                self.tensors.append(torch.full(shape, float("nan"), dtype=torch.float16, device="cuda"))
            self.pointers = [t.data_ptr() for t in self.tensors]
            return
        # The same values in every row of 4096: what they are doesn't matter, that they aren't zero does.
        numbers = random.Random(seed)
        row = b"".join(struct.pack("<e", numbers.uniform(-0.5, 0.5)) for _ in range(4096))
        self.pointers = []
        for _, _, size in program.inputs + program.outputs:
            self.pointers.append(device.allocate(size))
            device.write(self.pointers[-1], (row * (size // len(row) + 1))[:size])

    def close(self):
        if not self.torch:
            for pointer in self.pointers:
                self.device.free(pointer)


def check_with_torch(torch, definition, program, tensors):
    """The largest error over the largest magnitude, against the formula in f32 on the same inputs."""
    inputs = tensors.tensors[:len(program.inputs)]
    have = tensors.tensors[-1].float()
    want = definition.function(torch, *[t.float() for t in inputs])
    error = ((have - want).abs().max() / want.abs().max()).item()
    return {"good": error <= TOLERANCE, "says": f"relative error {error:.2e}"}


def time_ours(harness, program, tensors, arguments, cold):
    if harness is None:
        return program.time(tensors.pointers, arguments.iterations, repeats=1 if cold else arguments.repeats, cold=cold)
    torch = harness.torch
    return harness.measure(lambda: program.launch(tensors.pointers, torch.cuda.current_stream().cuda_stream), cold)


def time_baselines(harness, definition, tensors, count, reason):
    """Of each: times, or why there are none."""
    results = {}
    for name, (make, is_whole) in BASELINES.items():
        entry = results[name] = {"whole": is_whole}
        if harness is None:
            entry["missing"] = reason
            continue
        try:
            function = make(harness.torch, definition, tensors.tensors[:count])
            if function is None:
                entry["missing"] = "does not apply"
                continue
            for cold in (False, True):
                entry["cold" if cold else "warm"] = summarize(harness.measure(function, cold))
        except Exception as error:  # Whatever it is, the others go on.
            entry["missing"] = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
    return results


def run_one(bundle, entry, device, torch, harness, reason, mirage_run, arguments):
    definition = PROGRAMS[entry["name"]]
    result = {"name": entry["name"], "batch": entry["batch"], "floor_us": definition.floor_us(entry["batch"]),
              "bytes": definition.bytes(entry["batch"]), "checks": {}}
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
        if not arguments.skip_check and not arguments.dry_run:
            verdict = check_with_mirage_run(mirage_run, bundle, entry)
            if verdict:
                result["checks"]["mirage-run"] = verdict
            if torch:
                program.launch(tensors.pointers, torch.cuda.current_stream().cuda_stream)
                torch.cuda.synchronize()
                result["checks"]["torch"] = check_with_torch(torch, definition, program, tensors)
        if all(check["good"] for check in result["checks"].values()):
            result["ours"] = {"cold" if cold else "warm": summarize(time_ours(harness, program, tensors, arguments, cold))
                              for cold in (False, True)}
        result["others"] = time_baselines(harness, definition, tensors, len(program.inputs), reason)
    except Error as error:
        result["error"] = str(error)
    finally:
        tensors.close()
        program.close()
    return result


def run_ablation(bundle, entry, device, torch, harness, arguments):
    result = {key: entry[key] for key in ("name", "batch", "without")}
    try:
        program = Program(device, os.path.join(bundle, entry["file"]))
        tensors = Tensors(torch, device, program)
        for cold in (False, True):
            result["cold" if cold else "warm"] = summarize(time_ours(harness, program, tensors, arguments, cold))
        tensors.close()
        program.close()
    except Error as error:
        result["error"] = str(error)
    return result


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
               "method": {"iterations": arguments.iterations, "repeats": arguments.repeats}, "programs": [], "ablations": []}

    empty = Program(device, os.path.join(bundle, "programs", "empty.mirage"))
    nothing = Tensors(torch, device, empty)
    results["launch_us"] = summarize(time_ours(harness, empty, nothing, arguments, True))["median"]
    empty.close()
    is_checked = not arguments.dry_run and not arguments.skip_check
    mirage_run = find_mirage_run(bundle) if is_checked else None
    sanitizer = shutil.which("compute-sanitizer") if is_checked else None
    sanitized = set()
    for entry in entries:
        result = run_one(bundle, entry, device, torch, harness, reason, mirage_run, arguments)
        if sanitizer and entry["name"] not in sanitized:
            sanitized.add(entry["name"])
            verdict = check_with_mirage_run(mirage_run, bundle, entry, sanitizer)
            if verdict:
                result["checks"]["compute-sanitizer"] = verdict
        results["programs"].append(result)
        write(results, arguments.out)
        print(report.line(result), *report.cluster_lines(result), sep="\n", flush=True)
    for entry in filter(chosen, manifest["ablations"]):
        results["ablations"].append(run_ablation(bundle, entry, device, torch, harness, arguments))
    write(results, arguments.out)
    device.close()
    print(os.path.join(arguments.out, "results.md"))
    bad = any("error" in result or not all(check["good"] for check in result["checks"].values()) for result in results["programs"])
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
