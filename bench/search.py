#!/usr/bin/env python3
"""Times the search and prints tables in Markdown: how it grows with the limit on block operators (the paper's Table 5), and what it
does on every program. Run from the source root after the build, on a quiet machine.

  bench/search.py [--threads 1] [--all-threads N] [--batches 8] [--time-limit 60] [--no-oracle-limit 600]
                  [--programs rmsnorm,gated_mlp,lora,ntrans,gqa,gqa_8k,qknorm] [--block-ops 5,6,7,8,9,10,11]
                  [--mirage-opt build/bin/mirage-opt] [FILE.mlir ...]

Files are programs in linalg, for a table of their own. Times are of the search, without the start of the process.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def write_program(name, batch, path):
    """A program of one of the two collections."""
    for generator in ("linalg_programs.py", "more_programs.py"):
        command = [sys.executable, os.path.join(ROOT, "utils/programs", generator)]
        if name in subprocess.run(command + ["list"], check=True, capture_output=True, text=True).stdout.split():
            with open(path, "w") as file:
                subprocess.run(command + [name, str(batch)], check=True, stdout=file)
            return
    sys.exit(f"there is no program '{name}'")


def search(arguments, path, options):
    """The report of one search, with the peak memory of the process in MiB as `peak`."""
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        process = subprocess.Popen(
            [arguments.mirage_opt, "--convert-linalg-to-mirage", f"--mirage-superoptimize=report={report} {options}", "-o", os.devnull,
             path], stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            sys.exit(f"{path}: the search failed")
        with open(report) as file:
            result = json.load(file)[0]
    result["peak"] = usage.ru_maxrss / 1024
    return result


def get_seconds(report):
    """Wall time, or what ended the search before it was done."""
    if report["exhausted"]:
        return f"{report['seconds']:.3f}"
    return f"> {report['seconds']:.0f} ({report['stopped_by'] or 'in part'})"


def print_growth(arguments, path):
    """The paper's Table 5."""
    threads = arguments.all_threads
    print(f"| rmsnorm, block operators | {threads} threads, s | one thread, s | no oracle, s | states | structures |")
    print("| --- " * 6 + "|")
    for block_ops in filter(None, arguments.block_ops.split(",")):
        limit = f"max-block-ops={block_ops} time-limit={arguments.time_limit}"
        many = search(arguments, path, f"{limit} threads={threads}")
        one = search(arguments, path, f"{limit} threads=1")
        none = "-"
        if arguments.no_oracle_limit > 0:
            none = get_seconds(search(
                arguments, path, f"max-block-ops={block_ops} threads=1 oracle=none time-limit={arguments.no_oracle_limit}"))
        print(f"| {block_ops} | {get_seconds(many)} | {get_seconds(one)} | {none} | {one['states']:,} | {one['structures']:,} |",
              flush=True)
    print()


def print_head(rules):
    print("| program | seconds | to the first | exhausted | kernels searched | placements | states | " + " | ".join(rules) +
          " | oracle queries | us each | verified | structures | sizes | MiB | best: kernels, device MB, us (estimate), verdict |")
    print("| --- " * (len(rules) + 14) + "|")


def print_table(searches):
    """Of labels and reports. The first says which rules there are."""
    for i, (label, report) in enumerate(searches):
        if i == 0:
            print_head(sorted(report["pruned"]))
        print_row(label, report)


def print_row(label, r):
    best = r["candidates"][0] if r["candidates"] else None
    text = (f"{best['kernels']}, {best['device_bytes'] / 1e6:.2f}, {best['nanoseconds'] / 1000:.1f}, {best['verdict']}"
            if best else "none")
    each = r["oracle_microseconds"] / max(r["oracle_queries"], 1)
    print(f"| {label} | {r['seconds']:.3f} | {r['seconds_to_first']:.3f} | {'yes' if r['exhausted'] else 'no'} | "
          f"{r['kernels_searched']} | {r['placements']:,} | {r['states']:,} | " +
          " | ".join(f"{number:,}" for _, number in sorted(r["pruned"].items())) +
          f" | {r['oracle_queries']:,} | {each:.3f} | {r['verified']} | {r['structures']:,} | {r['sizes']:,} | {r['peak']:.0f} | "
          f"{text} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--all-threads", type=int, default=os.cpu_count())
    parser.add_argument("--programs", default="rmsnorm,gated_mlp,lora,ntrans,gqa,gqa_8k,qknorm")
    parser.add_argument("--batches", default="8")
    parser.add_argument("--time-limit", type=float, default=60)
    parser.add_argument("--no-oracle-limit", type=float, default=600, help="0: don't search without an oracle")
    parser.add_argument("--block-ops", default="5,6,7,8,9,10,11")
    parser.add_argument("--mirage-opt", default=os.path.join(ROOT, "build/bin/mirage-opt"))
    arguments = parser.parse_args()

    options = f"threads={arguments.threads} time-limit={arguments.time_limit}"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "program.mlir")
        if arguments.block_ops:
            write_program("rmsnorm", 8, path)
            print_growth(arguments, path)

        def search_programs():
            for batch in filter(None, arguments.batches.split(",")):
                for name in filter(None, arguments.programs.split(",")):
                    write_program(name, batch, path)
                    yield f"{name}, batch {batch}", search(arguments, path, options)

        print_table(search_programs())
    if arguments.files:
        print()
    print_table((os.path.basename(file), search(arguments, file, options)) for file in arguments.files)


if __name__ == "__main__":
    main()
