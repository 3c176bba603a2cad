#!/usr/bin/env python3
"""Searches programs, and says of each what the report says.

  search_benchmarks.py [--database=FILE] PROGRAMS.py MIRAGE-OPT PREFIX BATCH [NAME...]

PROGRAMS.py lists its programs with `list` and writes one with `NAME BATCH`; files are written to PREFIX.*."""
import json
import re
import subprocess
import sys

arguments = sys.argv[1:]
database = arguments.pop(0).removeprefix("--") if arguments[0].startswith("--database=") else ""
programs, opt, prefix, batch, *names = arguments


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def count_bytes(types):
    """Of the tensor types in a text."""
    total = 0
    for shape, bits in re.findall(r"tensor<([0-9x]*)f(16|32)>", types):
        size = int(bits) // 8
        for dim in shape.split("x")[:-1]:
            size *= int(dim)
        total += size
    return total


for name in names or run(sys.executable, programs, "list").split():
    text = run(sys.executable, programs, name, batch)
    with open(f"{prefix}.mlir", "w") as file:
        file.write(text)
    run(opt, f"{prefix}.mlir", "--convert-linalg-to-mirage",
        f"--mirage-superoptimize=threads=2 {database} report={prefix}.json", "-o", f"{prefix}.out")
    with open(f"{prefix}.json") as file:
        report = json.load(file)[0]
    assert report["bounds_exceeded"] == 0
    facts = ["looked up"] if report["from_database"] else []
    facts.append("exhausted" if report["exhausted"] else "not exhausted")
    if not report["candidates"]:
        facts.append("nothing cheaper")
    else:
        best = report["candidates"][0]
        signature = re.search(r"func\.func @\w+(\(.*\)) \{", text).group(1)
        facts.append(best["verdict"])
        facts.append("one kernel" if best["kernels"] == 1 else f"{best['kernels']} kernels")
        if best["device_bytes"] == count_bytes(signature):
            facts.append("fewest bytes")
        assert best["nanoseconds"] < report["reference"]["nanoseconds"]
    print(f"{name}: {', '.join(facts)}")
