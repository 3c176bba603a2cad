# Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares reports of searches, apart from times, and what depends on the threads: same_reports.py FILE FILE.."""
import json
import sys


def read(path):
    with open(path) as file:
        reports = json.load(file)
    return [{
        key: value
        for key, value in report.items() if key != "threads" and not key.startswith(("seconds", "oracle_"))
    } for report in reports]


first, *others = sys.argv[1:]
expected = read(first)
assert expected and all(report["exhausted"] for report in expected), first
for path in others:
    found = read(path)
    assert len(found) == len(expected), path
    for one, other in zip(expected, found):
        for key in one.keys() | other.keys():
            assert one.get(key) == other.get(key), f"{path}: {key} is {other.get(key)}, not {one.get(key)}"
