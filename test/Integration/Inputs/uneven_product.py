"""Kernels whose loops don't divide what they sum up, and what they should compute.

uneven_product.py make FOLDER KIND: writes FOLDER/kernel.mlir and its inputs, FOLDER/0.npy and 1.npy
uneven_product.py check FOLDER KIND: compares FOLDER/out*.npy

KIND
  loaded   a product of what is only loaded
  grid     the same of a part of the depth for each block, whose tiles begin at no multiples of what a thread could load at once
  slice    the same of a part of a tensor, in whose rows it ends where such pieces don't
  vector   of a matrix and a vector, by elements
  norms    a product and the sums of its left operand's squares
  right    of a right operand that is computed, of a left one that is loaded and moved
  scaled   of an operand that is masked by hand, times a number
  rows     of a grid that doesn't divide its rows, either
"""
import sys

import numpy as np

# Name: rows, depth, columns, iterations, a tile's depth.
SIZES = {"loaded": (16, 149, 64, 5, 32), "grid": (8, 152, 64, 5, 16), "slice": (16, 150, 64, 4, 48), "vector": (8, 77, 1, 5, 16),
         "norms": (8, 211, 64, 7, 32), "right": (16, 149, 64, 5, 32), "scaled": (16, 149, 64, 5, 32), "rows": (37, 149, 64, 5, 32)}


def tile(*shape, element="f32"):
    return f"!mirage.tile<{'x'.join(map(str, shape))}x{element}>"


def tensor(*shape, element="f16"):
    return f"tensor<{'x'.join(map(str, shape))}x{element}>"


def make(folder, kind):
    rows, depth, columns, iterations, part = SIZES[kind]
    numbers = np.random.default_rng(depth)
    x = numbers.standard_normal((depth, rows) if kind == "right" else (rows, 256 if kind == "slice" else depth)).astype("f2")
    w = numbers.standard_normal((depth, columns)).astype("f2")
    np.save(f"{folder}/0.npy", x)
    np.save(f"{folder}/1.npy", w)
    blocks = {"grid": 2, "rows": 3}.get(kind, 1)
    ofx, ofw = {"grid": (1, 0), "rows": (0, "replica")}.get(kind, ("replica", "replica"))
    own = 16 if kind == "rows" else rows
    whole, left = (tensor(*x.shape), tensor(depth, rows) if kind == "right" else tensor(rows, depth))
    loaded = tile(part, own, element="f16") if kind == "right" else tile(own, part, element="f16")
    right, product = tile(part, columns, element="f16"), tile(own, columns)
    lines = [f"%xt = mirage_block.input_iterator %X imap <x -> {ofx}> fmap <i -> {0 if kind == 'right' else 1}> : {left} -> {loaded}",
             f"%wt = mirage_block.input_iterator %W imap <x -> {ofw}> fmap <i -> 0> : {tensor(*w.shape)} -> {right}"]
    a, b = ("%xt", tile(own, part, element="f16")), ("%wt", right)
    sums, results = ["sum %p"], [product]
    if kind == "right":
        lines += [f"%t = mirage_block.transpose %xt permutation [1, 0] : ({loaded}) -> {a[1]}",
                  f"%e = mirage_block.exp %wt : ({right}) -> {right}"]
        a, b = ("%t", a[1]), ("%e", right)
    if kind == "scaled":
        f32 = tile(own, part)
        lines += [f"%fresh = mirage_block.fresh_mask dim 1 of {depth} : {tile(1, part)}",
                  f"%masked = mirage_block.where %fresh, %xt : ({tile(1, part)}, {loaded}) -> {f32}",
                  "%two = mirage.constant 2.0 : !mirage.tile<f32>",
                  f"%s = mirage_block.mul %masked, %two : ({f32}, !mirage.tile<f32>) -> {f32}"]
        a = ("%s", f32)
    if kind == "norms":
        lines += [f"%q = mirage_block.sqr %xt : ({loaded}) -> {tile(own, part)}",
                  f"%n = mirage_block.sum %q dim 1 : ({tile(own, part)}) -> {tile(own, 1)}"]
        sums.append("sum %n")
        results.append(tile(own, 1))
    lines += [f"%p = mirage_block.matmul {a[0]}, {b[0]} : ({a[1]}, {b[1]}) -> {product}",
              f"mirage_block.accumulate {', '.join(sums)} : {', '.join(results)}"]
    saved = [tensor(blocks if kind == "grid" else 1, rows, columns, element="f32") if kind == "grid" else tensor(rows, columns, element="f32")]
    if kind == "norms":
        saved.append(tensor(rows, 1, element="f32"))
    behind = []
    if kind == "grid":
        behind = [f"%o = mirage_block.reshape %s#0 : ({product}) -> {tile(1, own, columns)}",
                  f"mirage_block.output_saver %o omap <x -> 0> : {tile(1, own, columns)} -> {saved[0]}"]
    else:
        for i, (result, to) in enumerate(zip(results, saved)):
            behind.append(f"mirage_block.output_saver %s#{i} omap <x -> {0 if kind == 'rows' else 'replica'}> : {result} -> {to}")
    text = [f"func.func @f(%x: {whole}, %w: {tensor(*w.shape)}) -> ({', '.join(saved)}) {{"]
    operand = "%x"
    if kind == "slice":
        text.append(f"  %v = mirage_kernel.slice %x dim 1 offset 0 size {depth} : ({whole}) -> {left}")
        operand = "%v"
    text += [f"  %z:{len(saved)} = mirage_kernel.graph_defined ({operand}, %w) grid <x = {blocks}> {{mirage.scheduled}} : "
             f"({left}, {tensor(*w.shape)}) -> ({', '.join(saved)}) {{",
             f"  ^bb0(%X: {left}, %W: {tensor(*w.shape)}):",
             f"    %s:{len(sums)} = mirage_block.loop iterations {iterations} -> {', '.join(results)} {{",
             *("      " + line for line in lines), "    }", *("    " + line for line in behind), "  }",
             f"  return {', '.join(f'%z#{i}' for i in range(len(saved)))} : {', '.join(saved)}", "}"]
    with open(f"{folder}/kernel.mlir", "w") as file:
        file.write("\n".join(text) + "\n")


def compute(kind, x, w):
    depth = w.shape[0]
    if kind == "right":
        return [x.T @ np.exp(w).astype("f2").astype("f8")]
    if kind == "grid":
        half = depth // 2
        return [np.stack([x[:, :half] @ w[:half], x[:, half:] @ w[half:]])]
    if kind == "scaled":
        x = x * 2
    products = [x[:, :depth] @ w]
    if kind == "norms":
        products.append(np.square(x).sum(1, keepdims=True))
    return products


def check(folder, kind):
    x, w = (np.load(f"{folder}/{i}.npy").astype("f8") for i in range(2))
    for i, want in enumerate(compute(kind, x, w)):
        have = np.load(f"{folder}/out{i}.npy")
        error = abs(have - want).max() / abs(want).max()
        assert error < 2e-3, error


if __name__ == "__main__":
    {"make": make, "check": check}[sys.argv[1]](*sys.argv[2:])
