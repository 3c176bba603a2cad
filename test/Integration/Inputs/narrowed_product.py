"""A product of a tile of f16 and one of f32, of numbers within f16's range and beyond, and what it should compute.

narrowed_product.py make FOLDER KIND ROWS COLS DEPTH WIDE: writes FOLDER/kernel.mlir and its inputs, FOLDER/0.npy and so on.
(X * g) @ W of ROWS and COLS, DEPTH in each of four iterations, if WIDE is "left", and W @ (X * g) if it is "right".
narrowed_product.py check FOLDER WIDE: compares FOLDER/out0.npy
narrowed_product.py differ FOLDER OTHER: whether FOLDER/out0.npy and OTHER/out0.npy are rounded otherwise

KIND: of the numbers of X * g
  normal   about 1
  large    some are 2^18 (and those of W small)
  small    about 2^-20 (and those of W large)
  zeros    rows of them, beside others
  rows     in each two rows that a lane has, of about 1 and of about 2^-20
  nan      one is NaN, another infinite: their rows are
  mixed    of the four iterations one of the first four kinds each
"""
import sys

import numpy as np

ITERATIONS = 4


def scale(kind, part):
    """Of X * g, in an iteration."""
    kinds = ["normal", "large", "small", "zeros"]
    return kinds[part] if kind == "mixed" else kind


def make(folder, kind, rows, cols, depth, wide):
    rows, cols, depth = int(rows), int(cols), int(depth)
    numbers = np.random.default_rng(depth)
    whole = ITERATIONS * depth
    x, g, w = (numbers.standard_normal(shape).astype("f2") for shape in ((rows, whole), (whole,), (whole, cols)))
    for i in range(ITERATIONS):
        part = slice(i * depth, (i + 1) * depth)
        name = scale(kind, i)
        if name == "large":
            x[0, i * depth], g[i * depth] = 512, 512
            w[part] /= 64
        if name == "small":
            x[:, part] /= 1024
            g[part] /= 1024
            w[part] *= 1024
        if name == "zeros":
            x[::2, part] = 0
        if name == "rows":
            x[rows // 2:, part] /= 1024
            g[part] = np.sign(g[part]) * (np.abs(g[part]) + 0.5)
            x[:rows // 2, part] *= 1024
            g[part] /= 1024
    if kind == "nan":
        x[0, 1], x[1, 2] = np.nan, np.inf
    if wide == "right":
        x, w = x.T.copy(), w.T.copy()
    if wide == "left":
        g = g[None, :]
    for i, value in enumerate((x, g, w)):
        np.save(f"{folder}/{i}.npy", value)

    def spell(word, shape, element="f16"):
        return f"{word}<{'x'.join(map(str, shape))}x{element}>"

    left = wide == "left"
    # X and W by iteration; g as a row, which is loaded as one (of more dimensions), or as a column.
    xs, ws = ((rows, depth), (depth, cols)) if left else ((depth, rows), (cols, depth))
    gs = (1, depth) if left else (depth, 1)
    out = (rows, cols) if left else (cols, rows)
    along = {"x": 1 if left else 0, "w": 0 if left else 1}
    tensors = [spell("tensor", value.shape) for value in (x, g, w)]
    tile = lambda shape, element="f32": spell("!mirage.tile", shape, element)
    product = ("%v", "%w") if left else ("%w", "%v")
    load_gain = f"%g = mirage_block.input_iterator %G imap <x -> replica> fmap <i -> 1> : {tensors[1]} -> {tile(gs, 'f16')}" if left else (
        f"%h = mirage_block.input_iterator %G imap <x -> replica> fmap <i -> 0> : {tensors[1]} -> {tile((depth,), 'f16')}\n"
        f"      %g = mirage_block.reshape %h : ({tile((depth,), 'f16')}) -> {tile(gs, 'f16')}")
    types = {"%v": tile(xs), "%w": tile(ws, "f16")}
    with open(f"{folder}/kernel.mlir", "w") as file:
        file.write(f"""func.func @f(%a: {tensors[0]}, %b: {tensors[1]}, %c: {tensors[2]}) -> {spell("tensor", out, "f32")} {{
  %z = mirage_kernel.graph_defined (%a, %b, %c) grid <x = 1> {{mirage.scheduled}} : ({", ".join(tensors)}) -> {spell("tensor", out, "f32")} {{
  ^bb0(%X: {tensors[0]}, %G: {tensors[1]}, %W: {tensors[2]}):
    %l = mirage_block.loop iterations {ITERATIONS} -> {tile(out)} {{
      %x = mirage_block.input_iterator %X imap <x -> replica> fmap <i -> {along["x"]}> : {tensors[0]} -> {tile(xs, "f16")}
      {load_gain}
      %w = mirage_block.input_iterator %W imap <x -> replica> fmap <i -> {along["w"]}> : {tensors[2]} -> {tile(ws, "f16")}
      %v = mirage_block.mul %x, %g : ({tile(xs, "f16")}, {tile(gs, "f16")}) -> {tile(xs)}
      %p = mirage_block.matmul {", ".join(product)} : ({", ".join(types[name] for name in product)}) -> {tile(out)}
      mirage_block.accumulate sum %p : {tile(out)}
    }}
    mirage_block.output_saver %l omap <x -> replica> : {tile(out)} -> {spell("tensor", out, "f32")}
  }}
  return %z : {spell("tensor", out, "f32")}
}}
""")


def check(folder, wide):
    x, g, w = (np.load(f"{folder}/{i}.npy").astype("f8") for i in range(3))
    got = np.load(f"{folder}/out0.npy").astype("f8")
    left, right = (x * g, w) if wide == "left" else (w, x * g[:, None])
    want, terms = left @ right, np.abs(left) @ np.abs(right)
    # Each number is rounded to 11 bits.
    known = np.isfinite(want)
    if np.isfinite(got[~known]).any() or not np.isfinite(got[known]).all():
        sys.exit("other numbers are finite")
    error = np.max(np.abs(got - want)[known] / (terms[known] + 1e-30))
    if not error < 2**-11:
        sys.exit(f"an error of {error} of the sum of the terms' magnitudes")


def differ(folder, other):
    if np.array_equal(*(np.load(f"{name}/out0.npy") for name in (folder, other))):
        sys.exit("the results are the same")


if __name__ == "__main__":
    {"make": make, "check": check, "differ": differ}[sys.argv[1]](*sys.argv[2:])
