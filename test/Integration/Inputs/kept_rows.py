"""A kernel that computes with rows, and what it should compute.

kept_rows.py make FOLDER KIND ROWS LENGTH TYPE: writes FOLDER/kernel.mlir and its inputs, FOLDER/0.npy and so on. ROWS are those of a tile, "2x3"
for two dimensions
kept_rows.py check FOLDER KIND TYPE: compares FOLDER/out*.npy

KIND:
  norm     rows over the root of the mean of their squares, times a number for each column
  softmax  of a sum with a mask, in which some are -infinity, and the last row all
  sums     the sum of a row's exponentials and its maximum, without rows
  scale    rows times numbers for each column, plus others, nothing summed up
  parts    each row is normed by two blocks, which read all of it and write a half
  common   rows times numbers for each column that are normed, by each row for itself
  rounded  the sum of a row in f16, which overflows, and its root
  twice    the sum of a row's sum, which is one element
"""
import sys

import numpy as np

BLOCKS = 3


def narrow(x, element):
    """bf16 in f32, of which it is the upper half."""
    if element == "f32":
        return x.astype("f4")
    return (x.astype("f4").view("u4") & 0xffff0000).view("f4") if element == "bf16" else x.astype("f2")


def spell(word, shape, element="f32"):
    return f"{word}<{'x'.join(map(str, shape))}x{element}>"


class Kernel:
    def __init__(self, folder, kind, rows, length, element):
        self.folder, self.kind, self.element, self.length = folder, kind, element, length
        self.rows = tuple(map(int, rows.split("x")))
        self.numbers = np.random.default_rng(length)
        self.inputs, self.lines, self.types, self.savers = {}, [], {}, []

    def load(self, name, tensor, shape, maps):
        if tensor not in self.inputs:
            grown = tuple(n * (BLOCKS if maps[0] == d else 2 if maps[1] == d else 1) for d, n in enumerate(shape))
            self.inputs[tensor] = narrow(self.numbers.standard_normal(grown), self.element)
        self.types[name] = spell("!mirage.tile", shape, self.element)
        of = spell("tensor", self.inputs[tensor].shape, self.element)
        self.lines.append(f"    {name} = mirage_block.input_iterator %{tensor.upper()} {self.spell_map('imap', maps)} : {of} -> {self.types[name]}")

    def spell_map(self, word, maps):
        x, y = ("replica" if dim is None else dim for dim in maps)
        return f"{word} <x -> {x}" + (f", y -> {y}>" if self.kind == "parts" else ">")

    def op(self, result, name, operands, shape, suffix="", element="f32"):
        self.types[result] = spell("!mirage.tile", shape, element)
        types = ", ".join(self.types[operand] for operand in operands)
        self.lines.append(f"    {result} = mirage_block.{name} {', '.join(operands)}{suffix} : ({types}) -> {self.types[result]}")

    def constant(self, name, value):
        self.types[name] = "!mirage.tile<f32>"
        self.lines.append(f"    {name} = mirage.constant {value:.6e} : !mirage.tile<f32>")

    def save(self, tile, shape, maps=(0, None), element=None):
        grown = tuple(n * (BLOCKS if maps[0] == d else 2 if maps[1] == d else 1) for d, n in enumerate(shape))
        tensor = spell("tensor", grown, element or self.element)
        self.savers.append((f"    mirage_block.output_saver {tile} {self.spell_map('omap', maps)} : {self.types[tile]} -> {tensor}", tensor))

    def add_norm(self, whole, full, row, fold):
        self.op("%q", "sqr", [whole], full)
        self.op("%s", "sum", ["%q"], row, fold)
        self.constant("%n", self.length)
        self.op("%m", "div", ["%s", "%n"], row)
        self.op("%r", "sqrt", ["%m"], row)

    def add_body(self):
        full, row, fold = self.rows + (self.length,), self.rows + (1,), f" dim {len(self.rows)}"
        rows, columns = (0, None), (None, None)
        if self.kind == "parts":
            half = self.rows + (self.length // 2,)
            self.load("%p", "x", half, (0, len(self.rows)))
            self.load("%x", "x", full, rows)
            self.load("%g", "g", (self.length // 2,), (None, 0))
            self.add_norm("%x", full, row, fold)
            self.op("%d", "div", ["%p", "%r"], half)
            self.op("%o", "mul", ["%d", "%g"], half)
            return self.save("%o", half, (0, len(self.rows)))
        self.load("%x", "x", full, rows)
        # Of as many dimensions, or of one.
        of_all = tuple(1 for _ in self.rows[1:]) + (self.length,)
        if self.kind in ("norm", "scale", "common"):
            self.load("%g", "g", of_all, columns)
        if self.kind == "common":
            row = of_all[:-1] + (1,)
            self.add_norm("%g", of_all, row, f" dim {len(of_all) - 1}")
            self.op("%d", "div", ["%g", "%r"], of_all)
            self.op("%o", "mul", ["%x", "%d"], full)
            return self.save("%o", full)
        if self.kind == "rounded":
            self.inputs["x"][:] = 2000
            self.op("%s", "sum", ["%x"], row, fold, "f16")
            self.op("%r", "sqrt", ["%s"], row)
            self.save("%s", row, element="f16")
            return self.save("%r", row, element="f32")
        if self.kind == "twice":
            self.op("%s", "sum", ["%x"], row, fold)
            self.op("%r", "sum", ["%s"], row, fold)
            return self.save("%r", row, element="f32")
        if self.kind == "norm":
            self.add_norm("%x", full, row, fold)
            self.op("%d", "div", ["%x", "%r"], full)
            self.op("%o", "mul", ["%d", "%g"], full)
            return self.save("%o", full)
        if self.kind == "scale":
            self.load("%y", "y", full, rows)
            self.op("%d", "mul", ["%x", "%g"], full)
            self.op("%o", "add", ["%d", "%y"], full)
            return self.save("%o", full)
        score = "%x"
        if self.kind == "softmax":
            self.load("%k", "k", full, rows)
            mask = self.inputs["k"]
            mask[..., ::3] = -np.inf
            mask[-1] = -np.inf
            mask[..., 1] = 0
            self.op("%z", "add", ["%x", "%k"], full)
            score = "%z"
        self.op("%m", "reduce_max", [score], row, fold)
        self.op("%d", "sub", [score, "%m"], full)
        self.op("%e", "exp", ["%d"], full)
        self.op("%s", "sum", ["%e"], row, fold)
        if self.kind == "sums":
            self.save("%s", row, element="f32")
            return self.save("%m", row, element="f32")
        self.op("%o", "div", ["%e", "%s"], full)
        return self.save("%o", full)

    def make(self):
        self.add_body()
        tensors = {name: spell("tensor", value.shape, self.element) for name, value in self.inputs.items()}
        results = ", ".join(tensor for _, tensor in self.savers)
        grid = f"x = {BLOCKS}" + (", y = 2" if self.kind == "parts" else "")
        text = [f"func.func @f({', '.join(f'%of_{n}: {t}' for n, t in tensors.items())}) -> ({results}) {{",
                f"  %z:{len(self.savers)} = mirage_kernel.graph_defined ({', '.join(f'%of_{n}' for n in tensors)}) grid <{grid}> "
                f"{{mirage.scheduled}} : ({', '.join(tensors.values())}) -> ({results}) {{",
                f"  ^bb0({', '.join(f'%{n.upper()}: {t}' for n, t in tensors.items())}):", *self.lines, *(line for line, _ in self.savers),
                "  }", f"  return {', '.join(f'%z#{i}' for i in range(len(self.savers)))} : {results}", "}"]
        with open(f"{self.folder}/kernel.mlir", "w") as file:
            file.write("\n".join(text) + "\n")
        for i, (name, value) in enumerate(self.inputs.items()):
            np.save(f"{self.folder}/{i}.npy", value)
        np.savez(f"{self.folder}/inputs.npz", **self.inputs)


def compute(kind, inputs):
    x = {name: value.astype("f8") for name, value in inputs.items()}
    if kind in ("norm", "parts"):
        return [x["x"] / np.sqrt(np.square(x["x"]).mean(-1, keepdims=True)) * x["g"]]
    if kind == "common":
        return [x["x"] * (x["g"] / np.sqrt(np.square(x["g"]).mean(-1, keepdims=True)))]
    if kind == "rounded":
        return [np.full(x["x"].shape[:-1] + (1,), np.inf)] * 2
    if kind == "twice":
        return [x["x"].sum(-1, keepdims=True)]
    if kind == "scale":
        return [x["x"] * x["g"] + x["y"]]
    score = x["x"] + x["k"] if kind == "softmax" else x["x"]
    maximum = score.max(-1, keepdims=True)
    power = np.exp(score - maximum)
    total = power.sum(-1, keepdims=True)
    return [total, maximum] if kind == "sums" else [power / total]


def check(folder, kind, element):
    wanted = compute(kind, dict(np.load(f"{folder}/inputs.npz")))
    for i, want in enumerate(wanted):
        have = np.load(f"{folder}/out{i}.npy").astype("f8")
        error = 0 if np.array_equal(have, want) else abs(have - want).max() / abs(want).max()
        assert error < {"f32": 1e-5, "f16": 1e-3, "bf16": 8e-3}[element], error


if __name__ == "__main__":
    if sys.argv[1] == "make":
        Kernel(*sys.argv[2:5], int(sys.argv[5]), sys.argv[6]).make()
    else:
        check(*sys.argv[2:5])
