#!/usr/bin/env python3
"""Writes q.npy, k.npy and v.npy (f16) for gqa at batch 1, without NumPy: make_attention_inputs.py FOLDER LARGEST

Keys and values are uniform in [-1, 1], queries in [-LARGEST, LARGEST]."""
import random
import struct
import sys


def write(path, shape, largest):
    header = f"{{'descr': '<f2', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    count = shape[0] * shape[1] * shape[2]
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        file.write(struct.pack(f"<{count}e", *(random.uniform(-largest, largest) for _ in range(count))))


random.seed(1)
folder, largest = sys.argv[1], float(sys.argv[2])
write(f"{folder}/q.npy", (2, 256, 64), largest)
write(f"{folder}/k.npy", (2, 64, 4096), 1)
write(f"{folder}/v.npy", (2, 4096, 64), 1)
