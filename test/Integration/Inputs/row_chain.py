"""A kernel whose loop multiplies, computes with the rows, and multiplies again, and what it should compute.

row_chain.py make FOLDER KIND ROWS COLUMNS DEPTH WIDTH TYPE: writes FOLDER/kernel.mlir and its inputs
row_chain.py check FOLDER KIND TYPE: compares FOLDER/out*.npy

KIND: softmax (a product, rescaled by the row's maximum, with the sums and the maxima), masked (the same of scores plus a mask and times a
number for each row and one for each column, which may be all -infinity), or plain (squares of scores, nothing rescaled).
"""
import sys

import numpy as np

ITERATIONS = 3


def narrow(x, kind):
    """bf16 in f32, of which it is the upper half."""
    return (x.astype("f4").view("u4") & 0xffff0000).view("f4") if kind == "bf16" else x.astype("f2")


def make(folder, kind, rows, columns, depth, width, element):
    context = ITERATIONS * columns
    numbers = np.random.default_rng(rows + columns)
    shapes = {"q": (rows, depth), "k": (depth, context), "v": (context, width)}
    inputs = {name: narrow(numbers.standard_normal(shape), element) for name, shape in shapes.items()}
    if kind == "masked":
        mask = numbers.standard_normal((rows, context)).astype("f2")
        # A whole tile, and some elements.
        mask[:, columns:2 * columns] = -np.inf
        mask[1, :context - 1] = -np.inf
        inputs["m"] = mask
        inputs["r"] = numbers.uniform(.5, 1, (rows, 1)).astype("f2")
        inputs["c"] = numbers.uniform(.5, 1, (1, context)).astype("f2")
    for name, value in inputs.items():
        np.save(f"{folder}/{name}.npy", value)
    tile = lambda *shape, type="f32": f"!mirage.tile<{'x'.join(map(str, shape))}x{type}>"
    tensor = lambda *shape, type="f32": f"tensor<{'x'.join(map(str, shape))}x{type}>"
    types = {"m": "f16", "r": "f16", "c": "f16"}
    tensors = {name: tensor(*value.shape, type=types.get(name, element)) for name, value in inputs.items()}
    cuts = {"q": "replica", "k": 1, "v": 0, "m": 1, "r": "replica", "c": 1}
    tiles = {"q": (rows, depth), "k": (depth, columns), "v": (columns, width), "m": (rows, columns), "r": (rows, 1), "c": (1, columns)}
    full, row, out = tile(rows, columns), tile(rows, 1), tile(rows, width)
    results = [tensor(rows, width)] + ([] if kind == "plain" else [tensor(rows, 1), tensor(rows, 1)])
    kept = [out] + ([] if kind == "plain" else [row, row])
    lines = [f"func.func @f({', '.join(f'%{n}: {t}' for n, t in tensors.items())}) -> ({', '.join(results)}) {{",
             f"  %z:{len(results)} = mirage_kernel.graph_defined ({', '.join(f'%{n}' for n in tensors)}) grid <x = 1> {{mirage.scheduled}} : "
             f"({', '.join(tensors.values())}) -> ({', '.join(results)}) {{",
             f"  ^bb0({', '.join(f'%{n.upper()}: {t}' for n, t in tensors.items())}):",
             f"    %t:{len(results)} = mirage_block.loop iterations {ITERATIONS} -> {', '.join(kept)} {{"]
    for name in tensors:
        lines.append(f"      %{name}t = mirage_block.input_iterator %{name.upper()} imap <x -> replica> fmap <i -> {cuts[name]}> : "
                     f"{tensors[name]} -> {tile(*tiles[name], type=types.get(name, element))}")
    typed = lambda name: tile(*tiles[name], type=types.get(name, element))
    lines.append(f"      %s0 = mirage_block.matmul %qt, %kt : ({typed('q')}, {typed('k')}) -> {full}")
    score = "%s0"
    if kind == "masked":
        for i, (op, operand) in enumerate((("mul", "r"), ("mul", "c"), ("add", "m"))):
            lines.append(f"      %s{i + 1} = mirage_block.{op} {score}, %{operand}t : ({full}, {typed(operand)}) -> {full}")
            score = f"%s{i + 1}"
    if kind == "plain":
        lines.append(f"      %e = mirage_block.sqr {score} : ({full}) -> {full}")
    else:
        lines += [f"      %x = mirage_block.reduce_max {score} dim 1 : ({full}) -> {row}",
                  f"      %d = mirage_block.sub {score}, %x : ({full}, {row}) -> {full}",
                  f"      %e = mirage_block.exp %d : ({full}) -> {full}",
                  f"      %l = mirage_block.sum %e dim 1 : ({full}) -> {row}"]
    lines.append(f"      %o = mirage_block.matmul %e, %vt : ({full}, {typed('v')}) -> {out}")
    if kind == "plain":
        lines.append(f"      mirage_block.accumulate sum %o : {out}")
    else:
        lines.append(f"      mirage_block.accumulate rescaled_sum %o by %x, rescaled_sum %l by %x, max %x : {out} by {row}, {row} by {row}, {row}")
    lines.append("    }")
    for i, (result, total) in enumerate(zip(results, kept)):
        lines.append(f"    mirage_block.output_saver %t#{i} omap <x -> 0> : {total} -> {result}")
    names = ", ".join(f"%z#{i}" for i in range(len(results)))
    lines += ["  }", f"  return {names} : {', '.join(results)}", "}"]
    with open(f"{folder}/kernel.mlir", "w") as file:
        file.write("\n".join(lines) + "\n")


def check(folder, kind, element):
    load = lambda name: np.load(f"{folder}/{name}.npy")
    q, k, v = (load(name).astype("f8") for name in "qkv")
    score = q @ k
    if kind == "masked":
        score = score * load("r").astype("f8") * load("c").astype("f8") + load("m").astype("f8")
    if kind == "plain":
        pairs = [(load("out0"), np.square(score) @ v)]
    else:
        maximum = score.max(1, keepdims=True)
        power = np.exp(score - maximum)
        pairs = [(load("out0"), power @ v), (load("out1"), power.sum(1, keepdims=True)), (load("out2"), maximum)]
    for have, want in pairs:
        error = abs(have - want).max() / abs(want).max()
        assert error < (8e-3 if element == "bf16" else 2e-3), error


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], sys.argv[3], *map(int, sys.argv[4:8]), sys.argv[8])
    else:
        check(*sys.argv[2:5])
