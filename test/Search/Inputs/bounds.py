# Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Searches programs with and without the rule `bound`: bounds.py FOLDER PROGRAM..; what they find must cost the same."""
import json
import subprocess
import sys


def search(program, target, more, report):
    subprocess.run([
        "mirage-opt", program, "--convert-linalg-to-mirage",
        f"--mirage-superoptimize=target={target} max-kernel-ops=2 max-block-ops=6 threads=2 report={report} {more}", "-o",
        f"{report}.mlir"
    ],
                   check=True)
    with open(report) as file:
        result = json.load(file)[0]
    assert result["exhausted"] and result["bounds_exceeded"] == 0, (program, target, more)
    return [candidate["nanoseconds"] for candidate in result["candidates"]]


folder, *programs = sys.argv[1:]
for program in programs:
    for target in ("sm_80", "sm_90a"):
        found = [search(program, target, more, f"{folder}/report.json") for more in ("", "without=bound")]
        assert found[0] and found[0] == found[1], (program, target, found)
        print(program, target, found[0])
