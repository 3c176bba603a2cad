#!/usr/bin/env python3
"""Prints the PTX of the gpu.binary in the MLIR on standard input."""
import re
import sys

match = re.search(r'assembly = "((?:[^"\\]|\\.)*)"', sys.stdin.read())
if not match:
    sys.exit("no gpu.binary with PTX on standard input")
print(re.sub(r"\\([0-9A-F]{2})", lambda code: chr(int(code[1], 16)), match[1]))
