#!/usr/bin/env python3
"""Writes a .npy file without NumPy: make_npy.py FILE DESCR SHAPE [BYTES]

DESCR is NumPy's name of an element type ('<f2'), SHAPE the text of a tuple ('(4, 8)'). The elements are 1/8, 2/8, ...;
BYTES says how many bytes of them to write when it is not what the shape asks for.
"""
import struct
import sys

path, descr, shape = sys.argv[1:4]
header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
header += " " * (63 - (10 + len(header)) % 64) + "\n"
count = 1
for size in shape.strip("()").split(","):
    count *= int(size) if size.strip() else 1
formats = {"<f2": "e", "<f4": "f", "<f8": "d", "<i4": "i"}
size = int(sys.argv[4]) if len(sys.argv) > 4 else abs(count) * struct.calcsize(formats[descr])
data = b""
for i in range(min(abs(count), size)):
    data += struct.pack("<" + formats[descr], i + 1 if descr == "<i4" else (i + 1) / 8)
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    file.write(data.ljust(size, b"\0")[:size])
