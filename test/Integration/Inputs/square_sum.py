"""A loop that sums up the squares of a tile's lines, and what it should compute.

square_sum.py make FOLDER TYPE LINES DEPTH FORM [BATCHES]: writes FOLDER/kernel.mlir and its input, FOLDER/0.npy: LINES of DEPTH numbers of
TYPE (f16 or bf16) in each of three iterations, in as many batches.
square_sum.py check FOLDER: compares FOLDER/out0.npy

FORM
  rows        lines are rows of the tile
  columns     columns of it
  transposed  rows of its transpose
  root        rows, with the root of the sums behind the loop
  exp         rows, of which the exponentials are summed up
  max         rows, of which the largest square is wanted
  infinite    rows, one of which has an infinity and another one a NaN
  shared      rows, whose sums something else in the loop reads, too
  norms       rows, each divided by its norm in the iteration; of these the maxima are summed up
  column-norms  the same of columns
  weighted    rows, each times its sum of squares; the same
"""
import sys

import numpy as np

ITERATIONS = 3
# The sums are read in the iteration that makes them.
READ = ("norms", "column-norms", "weighted")


def make(folder, kind, lines, depth, form, batches=""):
    lines, depth = int(lines), int(depth)
    batch = [int(batches)] if batches else []
    rank = len(batch) + 2
    across = form in ("columns", "transposed", "column-norms")
    whole, tile = (
        batch + ([depth * n, lines] if across else [lines, depth * n]) for n in (ITERATIONS, 1))
    dim, iterated = (rank - 2 if form in ("columns", "column-norms") else rank - 1), (rank - 2 if across else rank - 1)
    summed = list(tile)
    if form == "transposed":
        summed[-2:] = summed[:-3:-1]
    result = list(summed)
    result[dim] = 1
    text = lambda shape, element: "x".join(map(str, shape + [element]))
    x, t, s, q, r = text(whole, kind), text(tile, kind), text(summed, kind), text(summed, "f32"), text(result, "f32")
    body = ""
    value = "%t"
    if form == "transposed":
        permutation = list(range(rank - 2)) + [rank - 1, rank - 2]
        body += f"      %v = mirage_block.transpose %t permutation {permutation} : (!mirage.tile<{t}>) -> !mirage.tile<{s}>\n"
        value = "%v"
    op = "mirage_block.sqr" if form != "exp" else "mirage_block.exp"
    body += f"      %q = {op} {value} : (!mirage.tile<{s}>) -> !mirage.tile<{q}>\n"
    fold, kept = ("reduce_max", "max") if form == "max" else ("sum", "sum")
    body += f"      %s = mirage_block.{fold} %q dim {dim} : (!mirage.tile<{q}>) -> !mirage.tile<{r}>\n"
    added, total, more, extra = "%s", "%l", "", ""
    if form in READ:
        factor = "%s"
        if form != "weighted":
            body += f"      %u = mirage_block.sqrt %s : (!mirage.tile<{r}>) -> !mirage.tile<{r}>\n"
            factor = "%u"
        op = "mul" if form == "weighted" else "div"
        body += f"      %d = mirage_block.{op} %t, {factor} : (!mirage.tile<{t}>, !mirage.tile<{r}>) -> !mirage.tile<{q}>\n"
        body += f"      %m = mirage_block.reduce_max %d dim {dim} : (!mirage.tile<{q}>) -> !mirage.tile<{r}>\n"
        added = "%m"
    count = ""
    if form == "shared":
        body += f"      %u = mirage_block.sqrt %s : (!mirage.tile<{r}>) -> !mirage.tile<{r}>\n"
        more, count, extra = ", sum %u", ":2", f", !mirage.tile<{r}>"
        total = "%l#0"
    after = f"    %y = mirage_block.sqrt {total} : (!mirage.tile<{r}>) -> !mirage.tile<{r}>\n" if form == "root" else ""
    if form == "root":
        total = "%y"
    if form == "shared":
        after = f"    %y = mirage_block.add %l#0, %l#1 : (!mirage.tile<{r}>, !mirage.tile<{r}>) -> !mirage.tile<{r}>\n"
        total = "%y"
    with open(f"{folder}/kernel.mlir", "w", encoding="utf-8") as file:
        file.write(f"""func.func @f(%x: tensor<{x}>) -> tensor<{r}> {{
  %o = mirage_kernel.graph_defined(%x) grid <x = 1> {{mirage.scheduled}} : (tensor<{x}>) -> tensor<{r}> {{
  ^bb0(%a: tensor<{x}>):
    %l{count} = mirage_block.loop iterations {ITERATIONS} -> !mirage.tile<{r}>{extra} {{
      %t = mirage_block.input_iterator %a imap <x -> replica> fmap <i -> {iterated}> : tensor<{x}> -> !mirage.tile<{t}>
{body}      mirage_block.accumulate {kept} {added}{more} : !mirage.tile<{r}>{extra}
    }}
{after}    mirage_block.output_saver {total} omap <x -> replica> : !mirage.tile<{r}> -> tensor<{r}>
  }}
  return %o : tensor<{r}>
}}
""")
    # Both types have numbers of eights.
    values = np.clip(np.round(8 * np.random.default_rng(lines * depth).standard_normal(whole)), -31, 31).astype("f4") / 8
    if form == "infinite":
        values[1, 3], values[lines // 2, 5] = np.inf, np.nan
    np.save(f"{folder}/0.npy", values)
    x = values.astype("f8")
    axis = rank - 2 if across else rank - 1
    made = np.exp(x) if form == "exp" else x * x
    parts = np.stack([p.max(axis) if form == "max" else p.sum(axis) for p in np.split(made, ITERATIONS, axis)])
    expected = parts.max(0) if form == "max" else parts.sum(0)
    if form == "root":
        expected = np.sqrt(expected)
    if form in READ:
        most = np.stack([p.max(axis) for p in np.split(x, ITERATIONS, axis)])
        expected = (most * parts if form == "weighted" else most / np.sqrt(parts)).sum(0)
    if form == "shared":
        expected = expected + np.sqrt(parts).sum(0)
    np.save(f"{folder}/expected.npy", expected.reshape(result))


def check(folder):
    out, expected = np.load(f"{folder}/out0.npy"), np.load(f"{folder}/expected.npy")
    finite = np.isfinite(expected)
    error = np.max(np.abs(out - expected)[finite] / expected[finite])
    assert out.shape == expected.shape and error < 1e-5, error
    assert np.array_equal(out[~finite], expected[~finite], equal_nan=True), out


globals()[sys.argv[1]](*sys.argv[2:])
