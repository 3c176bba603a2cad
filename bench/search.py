#!/usr/bin/env python3
"""Times the search and prints a table in Markdown: how it grows with the limit on block operators, and what it does on
the programs that it can fuse. Run from the source root after `make demo`.

  bench/search.py [--threads N] [--programs rmsnorm,gated_mlp,lora] [--batch 8] [--block-ops 5,6,7,8,9,10,11]
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def search(program, threads, block_ops):
    """The report of one search, with the wall time of the whole process as `process_seconds`."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        options = f"threads={threads} max-block-ops={block_ops} report={report}"
        begin = time.time()
        subprocess.run(
            [os.path.join(ROOT, "build/bin/mirage-opt"), "--convert-linalg-to-mirage", f"--mirage-superoptimize={options}",
             "-o", os.devnull, program], check=True, stderr=subprocess.DEVNULL)
        seconds = time.time() - begin
        with open(report) as file:
            result = json.load(file)[0]
    result["process_seconds"] = seconds
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--programs", default="rmsnorm,gated_mlp,lora")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--block-ops", default="5,6,7,8,9,10,11")
    arguments = parser.parse_args()

    print("| program | block operators | seconds | states | structures | verified | best, kernels | best, ns (estimate) | exhausted |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in arguments.programs.split(","):
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as program:
            generator = os.path.join(ROOT, "utils/programs/linalg_programs.py")
            subprocess.run([sys.executable, generator, name, str(arguments.batch)], check=True, stdout=program)
            for block_ops in map(int, arguments.block_ops.split(",")):
                r = search(program.name, arguments.threads, block_ops)
                best = r["candidates"][0] if r["candidates"] else {"kernels": "-", "nanoseconds": float("nan")}
                print(f"| {name} | {block_ops} | {r['process_seconds']:.2f} | {r['states']} | {r['structures']} | {r['verified']} "
                      f"| {best['kernels']} | {best['nanoseconds']:.0f} | {r['exhausted']} |", flush=True)


if __name__ == "__main__":
    main()
