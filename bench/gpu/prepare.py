#!/usr/bin/env python3
"""Prepares the GPU benchmark where Mirage is built: compiles the programs, with and without each pass of the optimizer, and of each some
other μGraphs to measure the cost model by, and packs them with the runtime library and the scripts. What comes out needs a GPU, its driver and Python on the other machine; PyTorch for the
comparisons; and mirage-run, which is taken along with Z3's library if it is linked statically, for the checks.

  bench/gpu/prepare.py [--build build] [--static-build build-static] [--target sm_90a] [--programs gqa,...] [--batches 1,8,16]
                       [--candidates 10] [--gradients 512,2048] [--others FOLDER] [--time-limit 120] [--ptxas PATH] [--out dist/mirage-gpu-bench.tar.xz]
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
from codegen import PASSES, get_lowering  # noqa: E402
from programs import PROGRAMS  # noqa: E402

SCRIPTS = ["backward.py", "baselines.py", "check.py", "harness.py", "mirage_runtime.py", "programs.py", "report.py", "run.py", "triton_kernels.py"]


class ToolError(Exception):
    """A tool failed; says what it printed."""

    def get_reason(self):
        """The first line that it printed, or else what failed."""
        lines = str(self).splitlines()
        return lines[min(1, len(lines) - 1)]


class Tools:
    def __init__(self, build):
        self.build = build

    def run(self, tool, *arguments, log=None):
        command = [os.path.join(self.build, tool), *arguments]
        try:
            done = subprocess.run(command, capture_output=True, text=True)
        except OSError as error:
            raise ToolError(str(error))
        if log:
            with open(log, "a") as file:
                file.write(" ".join(command) + "\n" + done.stderr)
        if done.returncode:
            raise ToolError(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr}")


def lower(tools, arguments, source, program, without=None):
    """From μGraphs to a program file, without one pass. Returns the seconds that it took."""
    start = time.monotonic()
    lowered = program + ".mlir"
    tools.run("bin/mirage-opt", get_lowering(arguments.target, "gpu", without), source, "-o", lowered)
    extra = [f"--ptxas={arguments.ptxas}"] if arguments.ptxas else []
    tools.run("bin/mirage-translate", "--mlir-to-program", f"--chip={arguments.target}", *extra, lowered, "-o", program)
    os.remove(lowered)
    return time.monotonic() - start


def search(tools, arguments, source, best, log):
    tools.run("bin/mirage-opt", f"--mirage-pipeline=compile-to=search target={arguments.target} threads={arguments.threads} "
              f"time-limit={arguments.time_limit}", source, "-o", best, log=log)


def make_candidates(tools, arguments, name, batch, stage):
    """Other μGraphs for a program, of several structures and sizes: entries of the manifest for those that can be compiled."""
    folder = f"candidates/{name}_b{batch}"
    os.makedirs(os.path.join(stage, folder))
    tools.run("bench/candidates", f"--target={arguments.target}", f"--count={arguments.candidates}", f"--jobs={arguments.threads}",
              f"--time-limit={arguments.time_limit}", f"--out={os.path.join(stage, folder)}",
              os.path.join(stage, "programs", f"{name}_b{batch}.mlir"))
    entries = []
    for module in sorted(os.listdir(os.path.join(stage, folder))):
        candidate = module.removesuffix(".mlir")
        path = f"{folder}/{candidate}.mirage"
        try:
            lower(tools, arguments, os.path.join(stage, folder, module), os.path.join(stage, path))
        except ToolError as error:
            print(f"{candidate} of batch {batch} is left out: {error.get_reason()}", file=sys.stderr)
            continue
        entries.append({"name": name, "batch": batch, "candidate": candidate, "module": f"{folder}/{module}", "file": path})
    return entries


def make_gradients(tools, arguments, positions, stage):
    """The backward pass of attention, in two programs: entries of the manifest."""
    heads, depth = 16, 64
    entries = []
    for name in ("query_gradients", "key_gradients"):
        stem = os.path.join("gradients", f"{name}_{positions}")
        source = os.path.join(stage, stem + ".mlir")
        with open(source, "w") as file:
            subprocess.run([sys.executable, os.path.join(ROOT, "utils/programs/odd_shapes.py"), name,
                            *map(str, (heads, positions, positions, depth))], check=True, stdout=file)
        best = os.path.join(stage, "logs", f"{name}_{positions}.mugraph.mlir")
        search(tools, arguments, source, best, log=None)
        lower(tools, arguments, best, os.path.join(stage, stem + ".mirage"))
        entries.append({"name": name, "heads": heads, "positions": positions, "depth": depth, "file": stem + ".mirage",
                        "reference": stem + ".mlir"})
        print(f"{name} of {positions} positions", flush=True)
    return entries


def make_others(tools, arguments, stage):
    """Other programs, to be checked: those of a folder that can be compiled."""
    extra = [f"--ptxas={arguments.ptxas}"] if arguments.ptxas else []
    for name in sorted(os.listdir(arguments.others)):
        if not name.endswith(".mlir"):
            continue
        source = os.path.join(stage, "others", name)
        shutil.copy(os.path.join(arguments.others, name), source)
        try:
            tools.run("bin/mirage-run", "--backend=none", f"--target={arguments.target}", f"--jobs={arguments.threads}",
                      f"--time-limit={arguments.time_limit}", *extra, f"--emit-program={source[:-len('mlir')]}mirage", source)
        except ToolError as error:
            print(f"{name} is left out: {error.get_reason()}", file=sys.stderr)
            os.remove(source)


def find_z3(program):
    """The shared library of Z3, of which Debian has no archive, that a program is linked with; None if with none."""
    for line in subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout.splitlines():
        name, _, place = line.strip().partition(" => ")
        if name.startswith("libz3."):
            return name, place.split(" (")[0]
    return None


def prepare(arguments, stage):
    tools = Tools(arguments.build)
    for folder in ("programs", "ablation", "candidates", "gradients", "others", "lib", "bin", "logs"):
        os.makedirs(os.path.join(stage, folder))
    manifest = {"version": subprocess.run(["git", "-C", ROOT, "describe", "--always", "--dirty"], capture_output=True,
                                          text=True).stdout.strip() or "unknown",
                "target": arguments.target, "programs": [], "ablations": [], "candidates": [], "gradients": []}
    for name in arguments.programs:
        for batch in arguments.batches:
            stem = f"{name}_b{batch}"
            source = os.path.join(stage, "programs", stem + ".mlir")
            with open(source, "w") as file:
                subprocess.run([sys.executable, os.path.join(ROOT, "utils/programs/linalg_programs.py"), name, str(batch)], check=True,
                               stdout=file)
            log = os.path.join(stage, "logs", stem + ".log")
            best = os.path.join(stage, "logs", stem + ".mugraph.mlir")
            start = time.monotonic()
            search(tools, arguments, source, best, log)
            searched = time.monotonic() - start
            seconds = lower(tools, arguments, best, os.path.join(stage, "programs", stem + ".mirage"))
            manifest["programs"].append({"name": name, "batch": batch, "file": f"programs/{stem}.mirage", "reference":
                                         f"programs/{stem}.mlir", "search_seconds": searched, "lowering_seconds": seconds})
            for without in PASSES:
                os.makedirs(os.path.join(stage, "ablation", without), exist_ok=True)
                path = f"ablation/{without}/{stem}.mirage"
                lower(tools, arguments, best, os.path.join(stage, path), without)
                manifest["ablations"].append({"name": name, "batch": batch, "without": without, "file": path})
            candidates = make_candidates(tools, arguments, name, batch, stage) if arguments.candidates else []
            manifest["candidates"] += candidates
            print(f"{stem}: search {searched:.1f} s, lowering {seconds:.1f} s, {len(candidates)} candidates", flush=True)
    for positions in arguments.gradients:
        manifest["gradients"] += make_gradients(tools, arguments, positions, stage)
    if arguments.others:
        make_others(tools, arguments, stage)
    tools.run("bin/mirage-translate", "--mlir-to-program", f"--chip={arguments.target}", os.path.join(HERE, "empty.mlir"), "-o",
              os.path.join(stage, "programs", "empty.mirage"))
    # The static build's needs no libstdc++ there.
    libraries = [os.path.join(build, "lib", "libMirageRuntime.so") for build in (arguments.static_build, arguments.build)]
    shutil.copy(next((path for path in libraries if os.path.exists(path)), libraries[-1]), os.path.join(stage, "lib"))
    mirage_run = os.path.join(arguments.static_build, "bin", "mirage-run")
    if os.path.exists(mirage_run):
        shutil.copy(mirage_run, os.path.join(stage, "bin"))
        if z3 := find_z3(mirage_run):
            shutil.copy(z3[1], os.path.join(stage, "lib", z3[0]))
    else:
        print(f"{mirage_run} is not there: results will be compared with PyTorch alone", file=sys.stderr)
    for script in SCRIPTS:
        shutil.copy(os.path.join(HERE, script), stage)
    with open(os.path.join(stage, "manifest.json"), "w") as file:
        json.dump(manifest, file, indent=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--static-build", default=os.path.join(ROOT, "build-static"))
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--programs", default=",".join(PROGRAMS), type=lambda text: text.split(","))
    parser.add_argument("--batches", default="1,8,16", type=lambda text: [int(b) for b in text.split(",")])
    parser.add_argument("--candidates", type=int, default=10, help="for each program, at most; 0: none")
    parser.add_argument("--gradients", default="512,2048", type=lambda text: [int(n) for n in text.split(",") if n],
                        help="positions of the attention whose backward pass is compiled; empty: none")
    parser.add_argument("--others", help="a folder with linalg programs to check, of one function each")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--time-limit", type=float, default=120)
    parser.add_argument("--ptxas", default="")
    parser.add_argument("--out", default=os.path.join(ROOT, "dist", "mirage-gpu-bench.tar.xz"))
    arguments = parser.parse_args()
    for name in arguments.programs:
        if name not in PROGRAMS:
            sys.exit(f"there is no program '{name}'; known are {', '.join(PROGRAMS)}")
    if arguments.others and not os.path.isdir(arguments.others):
        sys.exit(f"'{arguments.others}' is no folder")
    os.makedirs(os.path.dirname(os.path.abspath(arguments.out)), exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        stage = os.path.join(folder, "mirage-gpu-bench")
        os.mkdir(stage)
        try:
            prepare(arguments, stage)
        except ToolError as error:
            sys.exit(str(error))
        with tarfile.open(arguments.out, "w:xz") as archive:
            archive.add(stage, "mirage-gpu-bench")
    print(arguments.out)


if __name__ == "__main__":
    main()
