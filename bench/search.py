#!/usr/bin/env python3
"""Times the search and prints two tables in Markdown: how it grows with the limit on block operators (the paper's Table 5), and
what it does on every program. Run from the source root after the build.

  bench/search.py [--threads N] [--batch 8] [--time-limit 60] [--mirage-opt build/bin/mirage-opt]
                  [--programs rmsnorm,gated_mlp,lora,ntrans,gqa,gqa_8k,qknorm] [--block-ops 5,6,7,8,9,10,11]
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def search(arguments, name, options):
    """The report of one search, with the peak memory of the process in MiB as `peak`."""
    with tempfile.TemporaryDirectory() as folder:
        program, report = os.path.join(folder, "program.mlir"), os.path.join(folder, "report.json")
        generator = os.path.join(ROOT, "utils/programs/linalg_programs.py")
        with open(program, "w") as file:
            subprocess.run([sys.executable, generator, name, str(arguments.batch)], check=True, stdout=file)
        options = f"threads={arguments.threads} time-limit={arguments.time_limit} report={report} {options}"
        process = subprocess.Popen(
            [arguments.mirage_opt, "--convert-linalg-to-mirage", f"--mirage-superoptimize={options}", "-o", os.devnull, program],
            stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            sys.exit(f"{name}: the search failed")
        with open(report) as file:
            result = json.load(file)[0]
    result["peak"] = usage.ru_maxrss / 1024
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--programs", default="rmsnorm,gated_mlp,lora,ntrans,gqa,gqa_8k,qknorm")
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--time-limit", type=float, default=60)
    parser.add_argument("--block-ops", default="5,6,7,8,9,10,11")
    parser.add_argument("--mirage-opt", default=os.path.join(ROOT, "build/bin/mirage-opt"))
    arguments = parser.parse_args()

    print("| rmsnorm, block operators | seconds | states | structures |")
    print("| --- | --- | --- | --- |")
    for block_ops in filter(None, arguments.block_ops.split(",")):
        r = search(arguments, "rmsnorm", f"max-block-ops={block_ops}")
        print(f"| {block_ops} | {r['seconds']:.3f} | {r['states']:,} | {r['structures']:,} |", flush=True)
    print()
    rules = ["bound", "duplicate", "loop", "memory", "needed", "oracle", "shape"]
    print("| program | seconds | to the first | exhausted | kernels searched | placements | states | " + " | ".join(rules) +
          " | structures | sizes | MiB | best: kernels, us (estimate), verdict |")
    print("| --- " * (len(rules) + 11) + "|")
    for name in arguments.programs.split(","):
        r = search(arguments, name, "")
        best = r["candidates"][0] if r["candidates"] else None
        text = f"{best['kernels']}, {best['nanoseconds'] / 1000:.1f}, {best['verdict']}" if best else "none"
        print(f"| {name} | {r['seconds']:.2f} | {r['seconds_to_first']:.2f} | {r['exhausted']} | {r['kernels_searched']} | "
              f"{r['placements']:,} | {r['states']:,} | " + " | ".join(f"{r['pruned'][rule]:,}" for rule in rules) +
              f" | {r['structures']:,} | {r['sizes']:,} | {r['peak']:.0f} | {text} |", flush=True)


if __name__ == "__main__":
    main()
