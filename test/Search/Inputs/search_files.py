#!/usr/bin/env python3
"""Imports and searches programs as a compiler around Mirage would, and says of each piece what the report says.

  search_files.py MIRAGE-OPT PREFIX FILE...

Files are written to PREFIX.*."""
import json
import os
import subprocess
import sys

opt, prefix, *files = sys.argv[1:]
for path in files:
    subprocess.run([opt, path, f"--mirage-pipeline=compile-to=search threads=2 report={prefix}.json", "-o", f"{prefix}.out"],
                   check=True, capture_output=True)
    with open(f"{prefix}.json") as file:
        reports = json.load(file)
    pieces = []
    for report in reports:
        assert "not_searched" not in report, report
        best = report["candidates"][0] if report["candidates"] else report["reference"]
        kernels = "one kernel" if best["kernels"] == 1 else f"{best['kernels']} kernels"
        pieces.append(f"{best.get('verdict', 'as it was')}, {kernels}" + ("" if report["exhausted"] else ", not exhausted"))
    name = os.path.join(os.path.basename(os.path.dirname(path)), os.path.basename(path).removesuffix(".mlir"))
    print(f"{name}: {'; '.join(pieces)}")
