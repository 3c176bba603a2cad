#!/usr/bin/env python3
# Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the kernels of the best μGraphs do, counted without a GPU: a table in Markdown. Run from anywhere, after the build.

  bench/codegen.py [--programs rmsnorm,gated_mlp,lora,ntrans,gqa,gqa_8k,qknorm] [--batches 1,8,16] [--targets sm_80,sm_90a]
                   [--bin build/bin] [--ptxas ptxas] [--no-run] [--without PASS] [FILE.mlir ...]

For each program: the kernels' registers and the bytes that they spill (ptxas -v; - without it), and the codes of ptxas's warnings that it
serializes wgmma (C7508 and the like); seconds from the μGraph to PTX with the process's start, and, from a run on the host, the counters of docs/HostBackend.md and the error against an f64 evaluation of the program.
Files are programs in linalg, for rows of their own. --without leaves out a pass of the optimizer: sink-transposes, drop-unit-dims, thread-graphs, chain-products, keep-rows, specialize-warps, clusters and overlap (parts of that),
narrow-products, schedule-operators, assign-layouts or plan-memory.

The exit status is 1 if a search, a compilation or a run failed, a kernel spills, or is serialized, wavefronts are more than 1.02 of the ideal or
sectors more than 1.03, or the error is too large; what and where comes behind the table, on stderr.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# What counts may be at most, over the ideal.
MOST_WAVEFRONTS = 1.02
MOST_SECTORS = 1.03

HEADER = [
    "program", "target", "kernels", "registers", "spilled", "seconds to PTX", "GFLOP on tensor cores", "barriers a block",
    "bytes in flight", "bank conflicts", "wavefronts / ideal", "distinct sectors / ideal", "relative error"
]


# The optimizer's passes and parts of them, as `mirage-run --without` and options of mirage-lower-mugraphs name them.
PASSES = [
    "sink-transposes", "drop-unit-dims", "thread-graphs", "chain-products", "keep-rows", "specialize-warps", "clusters", "overlap", "narrow-products",
    "schedule-operators", "assign-layouts", "plan-memory"
]


def get_lowering(target, phase, without=None):
    """An option of mirage-opt: all that comes after the search, up to a phase, but for one pass."""
    cut = f" {without}=false" if without else ""
    return f"--mirage-lower-mugraphs=target={target} compile-to={phase}{cut}"


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def get_first_line(done):
    """Of what a command that failed says."""
    return next(iter(done.stderr.splitlines()), f"exit status {done.returncode}")


def get_resources(ptxas, ptx, target, folder):
    """Registers of each kernel, with the codes of warnings, and spilled bytes of all."""
    if not ptxas:
        return "-", "-"
    done = run(ptxas, "-v", f"-arch={target}", ptx, "-o", os.path.join(folder, "cubin"))
    if done.returncode:
        return "ptxas failed", get_first_line(done)
    spilled = sum(
        int(n) for n in re.findall(r"(\d+) bytes (?:spill stores|stack frame)", done.stderr))
    registers = " + ".join(re.findall(r"Used (\d+) registers", done.stderr))
    codes = sorted(set(re.findall(r"\b(C75\d\d)\b", done.stderr)))
    return registers + (f" ({', '.join(codes)})" if codes else ""), spilled


def get_row(name, file, target, options, folder):
    """A row of the table, as strings, and what is wrong with it."""
    ptx, counters, mugraph, lowered = (os.path.join(folder, f)
                                       for f in ("p.ptx", "c.json", "m.mlir", "l.mlir"))
    tool = lambda t: os.path.join(options.bin, t)
    stop = lambda row, fault: (row + [""] * (len(HEADER) - len(row)), [fault])
    searched = run(tool("mirage-opt"), file, "--convert-linalg-to-mirage",
                   f"--mirage-superoptimize=target={target}", "-o", mugraph)
    if searched.returncode:
        return stop([name, target, "search failed"], get_first_line(searched))
    start = time.monotonic()
    compiled = run(tool("mirage-opt"), mugraph, get_lowering(target, "ptx", options.without), "-o",
                   lowered)
    seconds = time.monotonic() - start
    if compiled.returncode:
        return stop([name, target, "compilation failed"], get_first_line(compiled))

    command = [
        tool("mirage-run"), file, f"--target={target}", f"--ptx={ptx}", f"--jobs={os.cpu_count()}"
    ]
    if options.without:
        command.append(f"--without={options.without}")
    if options.no_run:
        command.append("--backend=none")
    else:
        command += ["--check", f"--counters={counters}"]
    done = run(*command)
    error = re.search(r"relative (\S+) \(([^;]+);", done.stdout)
    # A result that is wrong has counters, too.
    if done.returncode and not error:
        return stop([name, target, "run failed"], get_first_line(done))
    registers, spilled = get_resources(options.ptxas, ptx, target, folder)
    row = [name, target, "", registers, str(spilled), f"{seconds:.2f}"]
    faults = []
    if spilled not in ("-", 0):
        faults.append(f"{registers}: {spilled}" if registers == "ptxas failed" else
                      f"{spilled} bytes are spilled")
    if "C75" in registers:
        faults.append("wgmma is serialized")
    if options.no_run:
        return row + ["-"] * (len(HEADER) - len(row)), faults
    with open(counters) as counted:
        kernels = json.load(counted)["kernels"]
    total = lambda *path: sum(get(kernel, path) for kernel in kernels)
    row[2] = str(len(kernels))
    row.append(f"{sum(count_flops(kernel) for kernel in kernels) / 1e9:.3f}")
    row.append(" + ".join(str(k["barriers"] // k["blocks"]) for k in kernels))
    row.append(" + ".join(f"{k['most_bytes_in_flight']:,}" for k in kernels))
    row.append(f"{total('shared', 'bank_conflicts'):,}")
    ideal = total("shared", "ideal_wavefronts")
    wavefronts = total("shared", "wavefronts") / ideal if ideal else None
    row.append(f"{wavefronts:.3f}" if ideal else "-")
    if ideal and wavefronts > MOST_WAVEFRONTS:
        faults.append(f"wavefronts are {wavefronts:.3f} of the ideal")
    distinct = total("device", "distinct_read_sectors") + total("device",
                                                                "distinct_written_sectors")
    sectors = distinct / (total("device", "ideal_read_sectors") +
                          total("device", "ideal_written_sectors"))
    row.append(f"{sectors:.3f}")
    if sectors > MOST_SECTORS:
        faults.append(f"sectors are {sectors:.3f} of the ideal")
    row.append(f"{error.group(1)} {error.group(2)}" if error else "failed")
    if not error or error.group(2) != "ok":
        faults.append(f"the error is {row[-1]}")
    return row, faults


def count_flops(kernel):
    """Of instructions such as m16n8k16.f16.f32."""
    flops = 0
    for instruction, count in kernel["mma"].items():
        m, n, k = map(int, re.match(r"m(\d+)n(\d+)k(\d+)", instruction).groups())
        flops += 2 * m * n * k * count
    return flops


def get(value, path):
    for key in path:
        value = value[key]
    return value or 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--programs", default="rmsnorm,gated_mlp,lora,ntrans,gqa,gqa_8k,qknorm")
    parser.add_argument("--batches", default="1,8,16")
    parser.add_argument("--targets", default="sm_80,sm_90a")
    parser.add_argument("--bin", default=os.path.join(ROOT, "build/bin"))
    parser.add_argument("--ptxas",
                        default=shutil.which("ptxas")
                        or shutil.which("ptxas", path="/usr/local/cuda/bin"))
    parser.add_argument("--no-run", action="store_true", help="compile only")
    parser.add_argument("--without", choices=PASSES)
    options = parser.parse_args()

    faults = []
    print("| " + " | ".join(HEADER) + " |")
    print("| --- " * len(HEADER) + "|", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        programs = [(os.path.basename(f), f) for f in options.files]
        for program in filter(None, options.programs.split(",")):
            for batch in options.batches.split(","):
                file = os.path.join(folder, f"{program}-{batch}.mlir")
                generator = os.path.join(ROOT, "utils/programs/linalg_programs.py")
                with open(file, "w") as out:
                    subprocess.run([sys.executable, generator, program, batch], check=True, stdout=out)
                programs.append((f"{program}, batch {batch}", file))
        for name, file in programs:
            for target in options.targets.split(","):
                row, wrong = get_row(name, file, target, options, folder)
                faults += [f"{name}, {target}: {fault}" for fault in wrong]
                print("| " + " | ".join(row) + " |", flush=True)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
