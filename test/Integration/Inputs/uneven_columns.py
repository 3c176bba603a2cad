"""Inputs and results of the kernels by hand of uneven-columns.test.

uneven_columns.py make FOLDER KERNEL: writes FOLDER/0.npy and so on
uneven_columns.py check FOLDER KERNEL: compares FOLDER/out*.npy
"""
import sys

import numpy as np

# Name: the inputs' shapes, and what is computed of them.
KERNELS = {
    "product": ([(8, 64), (64, 74), (74,)], lambda x, w, b: [x @ w + b]),
    "vectors": ([(74,), (74,)], lambda x, y: [x * y]),
    "stores": ([(16, 74), (16, 74)], lambda x, y: [np.sum(x * y, 0), x * y]),
}

what, folder, name = sys.argv[1:]
shapes, compute = KERNELS[name]
random = np.random.default_rng(1)
inputs = [random.standard_normal(shape).astype(np.float16) for shape in shapes]
if what == "make":
    for i, array in enumerate(inputs):
        np.save(f"{folder}/{i}.npy", array)
else:
    for i, want in enumerate(compute(*(array.astype(np.float64) for array in inputs))):
        have = np.load(f"{folder}/out{i}.npy").astype(np.float64)
        assert have.shape == want.shape and np.max(np.abs(have - want)) < 2e-3 * np.max(np.abs(want)), f"{name}, output {i}"
