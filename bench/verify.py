#!/usr/bin/env python3
"""Verdicts on mutants of right μGraphs, and how fast they are: docs/results/verification.md.

    bench/verify.py [--build=build] [--mutants=1500] [--full-size-mutants=4] [--seed=1]

Runs build/bench/verify on the μGraphs of test/Target/Inputs/peer, found by another system, and of bench/verify/programs,
once at small sizes with the same grids and loops, once at the sizes of the files, and prints tables in Markdown.
Ends with status 1 when a verdict was wrong.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import time

# Mutants of these take longer, or less long.
SHARES = {"lora": 2, "ntrans": 2, "attention": 0.5, "gqa_bs1": 0.35, "qknorm": 0.25}

ROOT = pathlib.Path(__file__).resolve().parent.parent


def find_programs():
    """(name, reference, candidates)"""
    peer = ROOT / "test/Target/Inputs/peer"
    for candidates in sorted(peer.glob("*.json")):
        yield candidates.stem, peer / f"{candidates.stem}.mlir", candidates
    own = ROOT / "bench/verify/programs"
    for reference in sorted(own.glob("*.reference.mlir")):
        name = reference.name.split(".")[0]
        yield name, reference, own / f"{name}.mugraph.mlir"


def run(build, reference, candidates, mutants, seed, flags=()):
    command = [build / "bench/verify", reference, candidates, f"--mutants={mutants}", f"--seed={seed}", *flags]
    result = subprocess.run(command, capture_output=True, text=True)
    sys.stderr.write(result.stderr)
    if result.returncode not in (0, 1):
        sys.exit(f"{command}: status {result.returncode}")
    return json.loads(result.stdout)


def print_table(rows):
    columns = ["mutants", "refuted", "proved", "accepted", "unknown", "wrong"]
    print("| program | right μGraphs | " + " | ".join(columns) + " | ms each | slowest, ms |")
    print("| --- |" + " ---: |" * (len(columns) + 3))
    total = {c: 0 for c in columns}
    kinds = {}
    for name, row in rows:
        for c in columns:
            total[c] += row[c]
        for kind, count in row["kinds"].items():
            kinds[kind] = kinds.get(kind, 0) + count
        print(f"| {name} | {row['originals']} | " + " | ".join(str(row[c]) for c in columns)
              + f" | {row['milliseconds_each']:.1f} | {row['slowest_milliseconds']:.0f} |")
    print("| all | | " + " | ".join(str(total[c]) for c in columns) + " | | |")
    print("\nBy kind: " + ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())) + ".\n")
    return total["wrong"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=ROOT / "build", type=pathlib.Path)
    parser.add_argument("--mutants", default=1500, type=int, help="of each program, times its share")
    parser.add_argument("--full-size-mutants", default=4, type=int)
    parser.add_argument("--seed", default=1, type=int)
    options = parser.parse_args()
    programs = list(find_programs())

    print("Right μGraphs:\n")
    print("| program | μGraphs | proved | seconds, all of them |\n| --- | ---: | ---: | ---: |")
    verify = options.build / "bin/mirage-verify"
    for name, reference, candidates in programs:
        begin = time.time()
        output = subprocess.run([verify, reference, candidates], capture_output=True, text=True).stdout.splitlines()
        seconds = time.time() - begin
        print(f"| {name} | {len(output)} | {sum(line.endswith(': proved') for line in output)} | {seconds:.2f} |")

    def run_all(mutants, jobs, *flags):
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            rows = pool.map(lambda p: (p[0], run(options.build, p[1], p[2], round(mutants * SHARES.get(p[0], 1)),
                                                 options.seed, flags)), programs)
            return print_table(list(rows))

    print("\nMutants, at small sizes:\n")
    wrong = run_all(options.mutants, os.cpu_count())
    sys.stdout.flush()
    print("Mutants, at the sizes of the files:\n")
    wrong += run_all(options.full_size_mutants, 1, "--full-size")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
