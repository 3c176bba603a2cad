#!/usr/bin/env python3
"""Times the search and prints tables in Markdown. Run from the source root after the build, on a quiet machine.

  bench/search.py [--tables growth,programs] [--programs rmsnorm,gated_mlp,lora,ntrans,gqa,gqa_8k,qknorm] [--batches 8]
                  [--threads 1] [--all-threads N] [--repeat 7] [--time-limit 60] [--no-oracle-limit 600]
                  [--block-ops 5,6,7,8,9,10,11] [--mirage-opt build/bin/mirage-opt] [FILE.mlir ...]

Tables:
  growth        how it grows with the limit on block operators (the paper's Table 5)
  programs      what it does on every program
  threads       one thread and all threads, in turn: medians, and how many times as fast all are; and how many times the
                work of one process as many of one thread each do side by side, which is what the machine allows
  lookups       a first run with an empty database, and a second one, whose result is looked up
  cross-check   the oracle's answers compared with Z3's, without limits and to the end: takes minutes

Files are programs in linalg, for a table of their own. Times are of the search, without the start of the process.
"""
import argparse
import concurrent.futures
import json
import os
import statistics
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
            [arguments.mirage_opt, "--convert-linalg-to-mirage", "--mirage-outline-programs",
             f"--mirage-superoptimize=report={report} {options}", "-o", os.devnull, path], stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if status:
            sys.exit(f"{path}: the search failed")
        with open(report) as file:
            # Of several pieces the one that takes longest.
            result = max((r for r in json.load(file) if "seconds" in r), key=lambda r: r["seconds"], default=None)
    if not result:
        sys.exit(f"{path}: nothing in it is searched")
    result["peak"] = usage.ru_maxrss / 1024
    return result


def get_seconds(report):
    """Wall time, or what ended the search before it was done."""
    if report["exhausted"]:
        return f"{report['seconds']:.3f}"
    return f"> {report['seconds']:.0f} ({report['stopped_by'] or 'in part'})"


def print_row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def print_head(*cells):
    print_row(*cells)
    print("| --- " * len(cells) + "|")


def print_growth(arguments, path):
    """The paper's Table 5."""
    write_program("rmsnorm", 8, path)
    threads = arguments.all_threads
    print_head("rmsnorm, block operators", f"{threads} threads, s", "one thread, s", "no oracle, s", "states", "structures")
    for block_ops in filter(None, arguments.block_ops.split(",")):
        limit = f"max-block-ops={block_ops} time-limit={arguments.time_limit}"
        many = search(arguments, path, f"{limit} threads={threads}")
        one = search(arguments, path, f"{limit} threads=1")
        none = "-"
        if arguments.no_oracle_limit > 0:
            none = get_seconds(search(
                arguments, path, f"max-block-ops={block_ops} threads=1 oracle=none time-limit={arguments.no_oracle_limit}"))
        print_row(block_ops, get_seconds(many), get_seconds(one), none, f"{one['states']:,}", f"{one['structures']:,}")


def print_programs(arguments, programs):
    """Everything the report says. The first report says which rules there are."""
    options = f"threads={arguments.threads} time-limit={arguments.time_limit}"
    for i, (label, path) in enumerate(programs):
        r = search(arguments, path, options)
        rules = sorted(r["pruned"])
        if i == 0:
            print_head("program", "seconds", "to the first", "exhausted", "kernels searched", "sizes bounded", "placements", "states",
                       *rules, "oracle queries", "us each", "verified", "structures", "sizes", "MiB",
                       "best: kernels, device MB, us (estimate), verdict")
        best = r["candidates"][0] if r["candidates"] else None
        text = (f"{best['kernels']}, {best['device_bytes'] / 1e6:.2f}, {best['nanoseconds'] / 1000:.1f}, {best['verdict']}"
                if best else "none")
        each = r["oracle_microseconds"] / max(r["oracle_queries"], 1)
        print_row(label, f"{r['seconds']:.3f}", f"{r['seconds_to_first']:.3f}", "yes" if r["exhausted"] else "no",
                  r["kernels_searched"], f"{r['sizes_bounded']:,}", f"{r['placements']:,}", f"{r['states']:,}",
                  *(f"{r['pruned'][rule]:,}" for rule in rules),
                  f"{r['oracle_queries']:,}", f"{each:.3f}", r["verified"], f"{r['structures']:,}", f"{r['sizes']:,}",
                  f"{r['peak']:.0f}", text)


def print_threads(arguments, programs):
    """In turn, since such machines change by the minute."""
    threads = arguments.all_threads
    print_head("program", "one thread, s", f"{threads} threads, s", "times as fast", f"{threads} processes")
    for label, path in programs:
        alone, together, side_by_side = [], [], []

        def run(number):
            return search(arguments, path, f"threads={number} time-limit={arguments.time_limit}")

        for _ in range(arguments.repeat):
            alone.append(run(1))
            together.append(run(threads))
            with concurrent.futures.ThreadPoolExecutor(threads) as pool:
                side_by_side += pool.map(run, [1] * threads)
        if any(r["stopped_by"] == "time-limit" for r in alone + together + side_by_side):
            print_row(label, "-", "-", "not done in time", "-")
            continue
        one, many, slowed = (statistics.median(r["seconds"] for r in runs) for runs in (alone, together, side_by_side))
        print_row(label, f"{one:.3f}", f"{many:.3f}", f"{one / many:.2f}", f"{threads * one / slowed:.2f}")


def print_lookups(arguments, programs):
    print_head("program", "searched, s", "looked up, s")
    for label, path in programs:
        with tempfile.TemporaryDirectory() as folder:
            options = (f"threads={arguments.threads} time-limit={arguments.time_limit} "
                       f"database={os.path.join(folder, 'results.db')}")
            first, second = search(arguments, path, options), search(arguments, path, options)
        print_row(label, get_seconds(first), f"{second['seconds']:.3f}" if second["from_database"] else "not stored")


def print_cross_check(arguments, programs):
    """A disagreement would end a search with an error."""
    print_head("program", "seconds", "questions", "that were not asked before", "left open by Z3")
    for label, path in programs:
        r = search(arguments, path, "threads=1 oracle=cross-check")
        print_row(label, get_seconds(r), f"{r['oracle_queries']:,}", f"{r['oracle_decided']:,}", f"{r['oracle_unproved']:,}")


TABLES = {"programs": print_programs, "threads": print_threads, "lookups": print_lookups, "cross-check": print_cross_check}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--tables", default="growth,programs")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--all-threads", type=int, default=os.cpu_count())
    parser.add_argument("--repeat", type=int, default=7, help="runs of each in the table of threads")
    parser.add_argument("--programs", default="rmsnorm,gated_mlp,lora,ntrans,gqa,gqa_8k,qknorm")
    parser.add_argument("--batches", default="8")
    parser.add_argument("--time-limit", type=float, default=60)
    parser.add_argument("--no-oracle-limit", type=float, default=600, help="0: don't search without an oracle")
    parser.add_argument("--block-ops", default="5,6,7,8,9,10,11")
    parser.add_argument("--mirage-opt", default=os.path.join(ROOT, "build/bin/mirage-opt"))
    arguments = parser.parse_args()
    tables = arguments.tables.split(",")
    if unknown := [table for table in tables if table != "growth" and table not in TABLES]:
        parser.error(f"there is no table '{unknown[0]}'")

    with tempfile.TemporaryDirectory() as folder:
        def get_programs():
            path = os.path.join(folder, "program.mlir")
            for batch in filter(None, arguments.batches.split(",")):
                for name in filter(None, arguments.programs.split(",")):
                    write_program(name, batch, path)
                    yield f"{name}, batch {batch}", path

        def get_files():
            return ((os.path.basename(file), file) for file in arguments.files)

        prints = []
        for table in tables:
            if table == "growth":
                prints.append(lambda: print_growth(arguments, os.path.join(folder, "growth.mlir")))
                continue
            if arguments.programs:
                prints.append(lambda table=table: TABLES[table](arguments, get_programs()))
            if arguments.files:
                prints.append(lambda table=table: TABLES[table](arguments, get_files()))
        for i, print_one in enumerate(prints):
            if i > 0:
                print()
            print_one()


if __name__ == "__main__":
    main()
