#!/usr/bin/env python3
"""Checks programs on the machine with the GPU, from the unpacked bundle: those that `prepare.py --others=FOLDER` has compiled, each by
mirage-run against an f64 evaluation of the program as it is written. They run side by side: most of it the CPU does.

  ./check.py [--jobs N] [--limit 60]

Prints what isn't right, which makes the exit status 1, and how many programs there are.
"""
import argparse
import glob
import os
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from run import check_with_mirage_run, find_mirage_run  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bundle", default=HERE)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=float, default=60, help="seconds that a program may take")
    arguments = parser.parse_args()
    mirage_run = find_mirage_run(arguments.bundle)
    if not mirage_run:
        sys.exit("the bundle has no mirage-run that starts here")
    files = sorted(glob.glob(os.path.join(arguments.bundle, "others", "*.mirage")))
    if not files:
        sys.exit("the bundle has no other programs")
    entries = [{"file": os.path.relpath(file, arguments.bundle), "reference": os.path.relpath(file[:-len("mirage")] + "mlir", arguments.bundle)}
               for file in files]
    with ThreadPoolExecutor(arguments.jobs) as pool:
        verdicts = pool.map(lambda entry: check_with_mirage_run(mirage_run, arguments.bundle, entry, arguments.limit), entries)
        wrong = [(entry["file"], verdict["says"]) for entry, verdict in zip(entries, verdicts) if not verdict["good"]]
    for file, says in wrong:
        print(f"{file}: WRONG: {says}")
    print(f"{len(entries)} programs, {len(wrong)} of them wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
