"""A kernel whose loop multiplies, computes with the rows, and multiplies again, and what it should compute.

row_chain.py make FOLDER KIND ROWS COLUMNS DEPTH WIDTH TYPE: writes FOLDER/kernel.mlir and its inputs, FOLDER/0.npy and so on
row_chain.py check FOLDER KIND TYPE: compares FOLDER/out*.npy

KIND:
  softmax  a product, rescaled by the row's maximum, with the sums and the maxima
  sums     the same without the product
  masked   softmax of scores plus a mask, times a number for each row and one for each column; some are -infinity, and a whole tile
  keys     softmax of scores with keys that are rows, not columns
  values   softmax of scores times values that are columns, not rows
  relued   softmax of scores times values that are computed where they are read, as are keys
  joined   softmax of the sum of two products, of which the first has computed operands, rounded, and keys that are rows
  huge     softmax of scores times a number for each row that makes them 2^125 or so
  edge     softmax of scores of which one is 2^27 and all others the next number below
  narrow   softmax of large scores, whose differences to their maximum are rounded to f16
  rounded  softmax of large scores, whose maximum is rounded to f16
  beside   softmax divided by its sums, plus another product that the loop sums up
  plain    squares of scores, nothing rescaled
  counted  the same, and the sums and maxima of the squares
  apart    the same as plain, and another product that the loop sums up
  side     the same, and the sum of the squares times a row's sum of another tile
  gradient  exponentials of scores minus a number for each row, times another product minus such numbers, multiplied: the gradient of queries
  gradients  both the exponentials, rounded, and such products of theirs with another product, multiplied: gradients of values and keys
  weighted softmax of scores times another product
  lasts    two sums of softmax times values
  two      two chains, of which the first waits for what takes a few steps
  whole-K  the same as K, of one tile of columns, without a loop
  uneven-K the same as K, of a few columns less than the iterations' tiles have, so that the last tile overlaps the one in front of it
"""
import re
import sys

import numpy as np

# More than there are stages.
ITERATIONS = 5
WHOLE, UNEVEN = "whole-", "uneven-"


def narrow(x, element):
    """bf16 in f32, of which it is the upper half."""
    return (x.astype("f4").view("u4") & 0xffff0000).view("f4") if element == "bf16" else x.astype("f2")


def spell(word, shape, element="f32"):
    return f"{word}<{'x'.join(map(str, shape))}x{element}>"


class Kernel:
    def __init__(self, folder, kind, rows, columns, depth, width, element):
        self.folder, self.kind, self.element = folder, kind.removeprefix(WHOLE).removeprefix(UNEVEN), element
        self.in_loop = not kind.startswith(WHOLE)
        overlap = 0
        if kind.startswith(UNEVEN):
            # Tiles that are no multiple of 16 have few columns in common. Iterations are not to divide what is left.
            overlap = min(columns * 3 // 4, 79) if columns % 16 == 0 else 2
            overlap -= overlap % ITERATIONS == 0
        kind, self.iterations = self.kind, ITERATIONS if self.in_loop else 1
        self.numbers = np.random.default_rng(rows + columns)
        self.context = context = self.iterations * columns - overlap
        self.rows, self.columns, self.depth, self.width = rows, columns, depth, width
        # Name: array, shape of a tile, dimension that the loop cuts, type.
        self.inputs, self.lines, self.types = {}, [], {}
        self.add_input("q", (rows, depth), (rows, depth), "replica", 1500 if kind in ("rounded", "narrow") else 1)
        self.add_input("k", *((context, depth), (columns, depth), 0) if kind == "keys" else ((depth, context), (depth, columns), 1), 1500 if kind == "narrow" else 1)
        self.add_input("v", *((width, context), (width, columns), 1) if kind == "values" else ((context, width), (columns, width), 0))

    def add_input(self, name, shape, tile, cut, scale=1, element=None):
        element = element or self.element
        value = narrow(scale * self.numbers.standard_normal(shape), element)
        self.inputs[name] = (value, tile, cut, element)
        self.types[f"%{name}t"] = spell("!mirage.tile", tile, element)
        return value

    def op(self, result, name, operands, shape, suffix="", element="f32"):
        self.types[result] = spell("!mirage.tile", shape, element)
        types = ", ".join(self.types[operand] for operand in operands)
        self.lines.append(f"      {result} = mirage_block.{name} {', '.join(operands)}{suffix} : ({types}) -> {self.types[result]}")

    def add_softmax(self, score):
        full, row, element = (self.rows, self.columns), (self.rows, 1), "f16" if self.kind == "rounded" else "f32"
        self.op("%x", "reduce_max", [score], row, " dim 1", element)
        self.op("%d", "sub", [score, "%x"], full, element="f16" if self.kind == "narrow" else "f32")
        self.op("%e", "exp", ["%d"], full)
        self.op("%l", "sum", ["%e"], row, " dim 1")

    def add_body(self):
        """Returns what the loop accumulates, and what is saved of it; the ops behind it."""
        full, row, out = (self.rows, self.columns), (self.rows, 1), (self.rows, self.width)
        kind, behind = self.kind, []
        if kind in ("side", "two", "masked"):
            mask = self.add_input("m", (self.rows, self.context), full, 1, element="f16")
        if kind == "masked":
            if self.in_loop:
                mask[:, self.columns:2 * self.columns] = -np.inf
            mask[1, :self.context - 1] = -np.inf
            self.add_input("r", row, row, "replica", element="f16")[:] = self.numbers.uniform(.5, 1, row)
            self.add_input("c", (1, self.context), (1, self.columns), 1, element="f16")[:] = self.numbers.uniform(.5, 1, (1, self.context))
        if kind == "two":
            self.add_input("g", (self.rows, self.depth), (self.rows, self.depth), "replica")
            self.add_input("h", (self.depth, self.context), (self.depth, self.columns), 1)
            self.op("%u0", "sum", ["%mt"], row, " dim 1")
            for i in range(3):
                self.op(f"%w{i}", "add", ["%mt", f"%u{i}"], full)
                self.op(f"%u{i + 1}", "reduce_max", [f"%w{i}"], row, " dim 1")
        if kind == "keys":
            self.op("%kk", "transpose", ["%kt"], (self.depth, self.columns), " permutation [1, 0]", self.element)
        if kind == "relued":
            self.op("%kk", "relu", ["%kt"], (self.depth, self.columns), element=self.element)
            self.op("%vv", "relu", ["%vt"], (self.columns, self.width), element=self.element)
        if kind == "joined":
            self.add_input("p", (self.rows, self.depth), (self.rows, self.depth), "replica")
            self.add_input("j", (self.context, self.depth), (self.columns, self.depth), 0)
            self.op("%pr", "relu", ["%pt"], (self.rows, self.depth), element=self.element)
            self.op("%jr", "relu", ["%jt"], (self.columns, self.depth), element=self.element)
            self.op("%jj", "transpose", ["%jr"], (self.depth, self.columns), " permutation [1, 0]", self.element)
            self.op("%s0", "concat_matmul", ["%pr", "%qt", "%jj", "%kt"], full)
        else:
            self.op("%s0", "matmul", ["%qt", "%kk" if kind in ("keys", "relued") else "%kt"], full)
        score = "%s0"
        if kind == "masked":
            for i, (name, operand) in enumerate((("mul", "%rt"), ("mul", "%ct"), ("add", "%mt"))):
                self.op(f"%s{i + 1}", name, [score, operand], full)
                score = f"%s{i + 1}"
        if kind == "edge":
            q, k = self.inputs["q"][0], self.inputs["k"][0]
            q[:], k[:] = 0, 0
            q[:, 0], q[:, 1], k[0], k[1, 1:] = 2**14, 8, 2**13, -1
        if kind == "huge":
            # Of a standard deviation of 2^125.
            self.add_input("r", row, row, "replica")[:] = 2.0**122
            self.op("%s1", "mul", [score, "%rt"], full)
            score = "%s1"
        if kind in ("gradient", "gradients", "weighted"):
            self.add_input("g", (self.rows, self.depth), (self.rows, self.depth), "replica")
            self.add_input("h", (self.depth, self.context), (self.depth, self.columns), 1)
            self.op("%t0", "matmul", ["%gt", "%ht"], full)
        if kind in ("gradients", "lasts"):
            self.add_input("u", (self.context, self.width), (self.columns, self.width), 0)
        if kind in ("gradient", "gradients"):
            self.inputs["q"][0][:] = narrow(self.inputs["q"][0] / 8, self.element)
            self.add_input("r", row, row, "replica")
            self.add_input("c", (1, self.context), (1, self.columns), 1)
            self.op("%d", "sub", [score, "%rt"], full)
            self.op("%e", "exp", ["%d"], full, element=self.element)
            self.op("%t1", "sub", ["%t0", "%ct"], full)
            self.op("%w", "mul", ["%e", "%t1"], full, element=self.element)
            last = "%w" if kind == "gradient" else "%e"
            self.op("%o", "matmul", [last, "%vt"], out)
            if kind == "gradient":
                return ["sum %o"], [0], behind
            self.op("%p", "matmul", ["%w", "%ut"], out)
            return ["sum %o", "sum %p"], [0, 1], behind
        if kind in ("weighted", "lasts"):
            self.add_softmax(score)
            if kind == "weighted":
                self.op("%w", "mul", ["%e", "%t0"], full)
            self.op("%o", "matmul", ["%w" if kind == "weighted" else "%e", "%vt"], out)
            if kind == "weighted":
                return ["rescaled_sum %o by %x", "rescaled_sum %l by %x", "max %x"], [0, 1, 2], behind
            self.op("%p", "matmul", ["%e", "%ut"], out)
            return ["rescaled_sum %o by %x", "rescaled_sum %p by %x", "rescaled_sum %l by %x"], [0, 1, 2], behind
        if kind == "two":
            self.op("%e", "mul", [score, "%u3"], full)
        elif kind in ("plain", "counted", "apart", "side"):
            self.op("%e", "sqr", [score], full)
        else:
            self.add_softmax(score)
        if kind == "side":
            self.op("%w", "sum", ["%mt"], row, " dim 1")
        if kind == "values":
            self.op("%vv", "transpose", ["%vt"], (self.columns, self.width), " permutation [1, 0]", self.element)
        self.op("%o", "matmul", ["%e", "%vv" if kind in ("values", "relued") else "%vt"], out)
        if kind == "plain":
            return ["sum %o"], [0], behind
        if kind == "counted":
            self.op("%l", "sum", ["%e"], row, " dim 1")
            self.op("%x", "reduce_max", ["%e"], row, " dim 1")
            return ["sum %o", "sum %l", "max %x"], [0, 1, 2], behind
        if kind == "apart":
            self.add_input("g", (self.rows, self.iterations * self.depth), (self.rows, self.depth), 1)
            self.add_input("h", (self.iterations * self.depth, self.width), (self.depth, self.width), 0)
            self.op("%p", "matmul", ["%gt", "%ht"], out)
            return ["sum %o", "sum %p"], [0, 1], behind
        if kind == "side":
            self.op("%r0", "sum", ["%e"], row, " dim 1")
            self.op("%r", "mul", ["%r0", "%w"], row)
            return ["sum %o", "sum %r"], [0, 1], behind
        if kind == "two":
            self.op("%s9", "matmul", ["%gt", "%ht"], full)
            self.op("%f", "sqr", ["%s9"], full)
            self.op("%p", "matmul", ["%f", "%vt"], out)
            return ["sum %o", "sum %p"], [0, 1], behind
        accumulated = ["rescaled_sum %o by %x", "rescaled_sum %l by %x"]
        if kind == "rounded":
            return accumulated, [0, 1], behind
        if kind == "beside":
            self.add_input("g", (self.rows, self.iterations * self.depth), (self.rows, self.depth), 1)
            self.add_input("h", (self.iterations * self.depth, self.width), (self.depth, self.width), 0)
            self.op("%p", "matmul", ["%gt", "%ht"], out)
            tile = spell("!mirage.tile", out)
            behind = [f"    %y = mirage_block.div %t#0, %t#1 : ({tile}, {spell('!mirage.tile', row)}) -> {tile}",
                      f"    %a = mirage_block.add %y, %t#2 : ({tile}, {tile}) -> {tile}"]
            return [*accumulated, "sum %p"], ["%a"], behind
        return [*accumulated, "max %x"], [1, 2] if kind == "sums" else [0, 1, 2], behind

    def make(self):
        accumulated, saved, behind = self.add_body()
        shapes = [(self.rows, self.width if word.split()[1] in ("%o", "%p") else 1) for word in accumulated]
        # Each with the type of its tile, and that of its maximum.
        typed = []
        for word in accumulated:
            _, tile, *maximum = word.split()
            typed.append(self.types[tile] + (f" by {self.types[maximum[-1]]}" if maximum else ""))
        results = [shapes[i] if isinstance(i, int) else (self.rows, self.width) for i in saved]
        tensors = {name: spell("tensor", value.shape, element) for name, (value, _, _, element) in self.inputs.items()}
        tensor = [spell("tensor", shape) for shape in results]
        lines = [f"func.func @f({', '.join(f'%{n}: {t}' for n, t in tensors.items())}) -> ({', '.join(tensor)}) {{",
                 f"  %z:{len(saved)} = mirage_kernel.graph_defined ({', '.join(f'%{n}' for n in tensors)}) grid <x = 1> {{mirage.scheduled}} : "
                 f"({', '.join(tensors.values())}) -> ({', '.join(tensor)}) {{",
                 f"  ^bb0({', '.join(f'%{n.upper()}: {t}' for n, t in tensors.items())}):"]
        if self.in_loop:
            lines.append(f"    %t:{len(shapes)} = mirage_block.loop iterations {ITERATIONS} -> "
                         f"{', '.join(spell('!mirage.tile', shape) for shape in shapes)} {{")
        for name, (_, _, cut, _) in self.inputs.items():
            lines.append(f"      %{name}t = mirage_block.input_iterator %{name.upper()} imap <x -> replica> {f'fmap <i -> {cut}> ' if self.in_loop else ''}: "
                         f"{tensors[name]} -> {self.types[f'%{name}t']}")
        lines += self.lines
        if self.in_loop:
            lines += [f"      mirage_block.accumulate {', '.join(accumulated)} : {', '.join(typed)}", "    }"]
        else:
            # One iteration's tiles are what a loop would collect.
            tiles = [word.split()[1] for word in accumulated]
            behind = [re.sub(r"%t#(\d)", lambda match: tiles[int(match[1])], line) for line in behind]
            saved = [tiles[i] if isinstance(i, int) else i for i in saved]
        lines += behind
        for i, shape, type in zip(saved, results, tensor):
            value = f"%t#{i}" if isinstance(i, int) else i
            lines.append(f"    mirage_block.output_saver {value} omap <x -> 0> : {spell('!mirage.tile', shape)} -> {type}")
        lines += ["  }", f"  return {', '.join(f'%z#{i}' for i in range(len(saved)))} : {', '.join(tensor)}", "}"]
        with open(f"{self.folder}/kernel.mlir", "w") as file:
            file.write("\n".join(lines) + "\n")
        for i, (name, (value, *_)) in enumerate(self.inputs.items()):
            np.save(f"{self.folder}/{i}.npy", value)
        np.savez(f"{self.folder}/inputs.npz", columns=self.columns, **{name: value for name, (value, *_) in self.inputs.items()})


def compute(kind, inputs):
    iterations = 1 if kind.startswith(WHOLE) else ITERATIONS
    kind = kind.removeprefix(WHOLE).removeprefix(UNEVEN)
    x = {name: value.astype("f8") for name, value in inputs.items()}
    if kind == "relued":
        x["k"], x["v"] = np.maximum(x["k"], 0), np.maximum(x["v"], 0)
    score = x["q"] @ (x["k"].T if kind == "keys" else x["k"])
    v = x["v"].T if kind == "values" else x["v"]
    tiles = lambda value: np.split(value, iterations, 1)
    if kind == "joined":
        score = score + np.maximum(x["p"], 0) @ np.maximum(x["j"], 0).T
    if kind == "masked":
        score = score * x["r"] * x["c"] + x["m"]
    if kind == "huge":
        score = score * x["r"]
    if kind == "plain":
        return [np.square(score) @ v]
    if kind == "counted":
        squares = np.square(score)
        return [squares @ v, squares.sum(1, keepdims=True), squares.max(1, keepdims=True)]
    if kind in ("gradient", "gradients"):
        weights = np.exp(score - x["r"])
        gradient = weights * (x["g"] @ x["h"] - x["c"])
        return [gradient @ v] if kind == "gradient" else [weights @ v, gradient @ x["u"]]
    if kind == "apart":
        return [np.square(score) @ v, x["g"] @ x["h"]]
    if kind == "side":
        return [np.square(score) @ v, sum(np.square(s).sum(1) * m.sum(1) for s, m in zip(tiles(score), tiles(x["m"])))[:, None]]
    if kind == "two":
        factors = []
        for m in tiles(x["m"]):
            factor = m.sum(1, keepdims=True)
            for _ in range(3):
                factor = (m + factor).max(1, keepdims=True)
            factors.append(factor)
        scaled = np.concatenate([s * factor for s, factor in zip(tiles(score), factors)], 1)
        return [scaled @ v, np.square(x["g"] @ x["h"]) @ v]
    maximum = score.max(1, keepdims=True)
    power = np.exp(score - maximum)
    product, total = power @ v, power.sum(1, keepdims=True)
    if kind == "weighted":
        return [(power * (x["g"] @ x["h"])) @ v, total, maximum]
    if kind == "lasts":
        return [product, power @ x["u"], total]
    if kind == "rounded":
        # Relative to a maximum that was rounded: the quotient isn't.
        return [product / total]
    if kind == "beside":
        return [product / total + x["g"] @ x["h"]]
    return [total, maximum] if kind == "sums" else [product, total, maximum]


def check(folder, kind, element):
    wanted = compute(kind, {name: value for name, value in np.load(f"{folder}/inputs.npz").items() if name != "columns"})
    is_rounded = kind.endswith("rounded")
    found = [np.load(f"{folder}/out{i}.npy") for i in range(2 if is_rounded else len(wanted))]
    if is_rounded:
        found = [found[0] / found[1]]
    for have, want in zip(found, wanted):
        error = abs(have - want).max() / abs(want).max()
        assert error < (8e-3 if element == "bf16" else 2e-3), error


if __name__ == "__main__":
    if sys.argv[1] == "make":
        Kernel(*sys.argv[2:4], *map(int, sys.argv[4:8]), sys.argv[8]).make()
    else:
        check(*sys.argv[2:5])
