#!/usr/bin/env python3
"""Writes the paper's benchmarks in shapes whose sizes are no powers of two, or other ones than theirs: heads of 64 and 128, hidden sizes
of 1000 to 5120, batches of 3 and 24, contexts of 1000. For docs/results/codegen.md.

  odd_shapes.py DIR             all of them into DIR, as NAME_SIZES.mlir
  odd_shapes.py NAME SIZE...    one on standard output
  odd_shapes.py list            the names
  odd_shapes.py random DIR      120 others into DIR: sizes at random, the same each time, of any divisors
"""
import os
import random
import sys

from linalg_programs import Program, attention
from more_programs import attention_gradients, grouped_sequences, key_gradients, query_gradients
from operations import safe_attention, transpose


def gqa(heads, queries, keys, depth):
    p = Program("gqa", "Attention.")
    q, k, v = p.arg("q", heads, queries, depth), p.arg("k", heads, depth, keys), p.arg("v", heads, keys, depth)
    return p.text(attention(p, q, k, v, scale=depth**-0.5))


def attention_of_rows(heads, queries, keys, depth):
    p = Program("attention_of_rows", "Attention whose keys are rows, as layers make them.")
    q, k, v = p.arg("q", heads, queries, depth), p.arg("k", heads, keys, depth), p.arg("v", heads, keys, depth)
    return p.text(attention(p, q, transpose(p, k, 0, 2, 1), v, scale=depth**-0.5))


def masked_attention_of_rows(heads, queries, keys, depth):
    p = Program("masked_attention_of_rows", "Safe attention with a mask for each query and key, whose keys are rows.")
    q, k, v = p.arg("q", heads, queries, depth), p.arg("k", heads, keys, depth), p.arg("v", heads, keys, depth)
    return p.text(safe_attention(p, q, transpose(p, k, 0, 2, 1), v, depth**-0.5, p.arg("m", queries, keys)))


def sequences_first(batches, queries, keys, heads, group, depth):
    return grouped_sequences(Program("sequences_first", "Attention with grouped heads, b q h g d."), batches, queries, keys, heads, group, depth)


def qknorm(heads, queries, keys, depth):
    p = Program("qknorm", "Attention of normalized queries and keys.")
    q, k, v = p.arg("q", heads, queries, depth), p.arg("k", heads, keys, depth), p.arg("v", heads, keys, depth)
    qn, kn = p.rms_norm(q), p.rms_norm(k)
    return p.text(attention(p, qn, transpose(p, kn, 0, 2, 1), v))


def rmsnorm(rows, depth, cols):
    p = Program("rmsnorm", "RMSNorm and a linear layer.")
    x, g, w = p.arg("x", rows, depth), p.arg("g", depth), p.arg("w", depth, cols)
    return p.text(p.matmul(p.rms_norm(x, g), w))


def lora(rows, depth, cols, rank):
    p = Program("lora", "A linear layer with an adapter.")
    x, w, a, c = p.arg("x", rows, depth), p.arg("w", depth, cols), p.arg("a", depth, rank), p.arg("c", rank, cols)
    return p.text(p.add(p.matmul(x, w), p.matmul(p.matmul(x, a), c)))


def gated_mlp(rows, depth, cols):
    p = Program("gated_mlp", "Gated MLP.")
    x, w1, w2 = p.arg("x", rows, depth), p.arg("w1", depth, cols), p.arg("w2", depth, cols)
    return p.text(p.mul(p.silu(p.matmul(x, w1)), p.matmul(x, w2)))


def ntrans(rows, cols):
    p = Program("ntrans", "Normalized Transformer residual.")
    x, h, alpha = p.arg("x", rows, cols), p.arg("h", rows, cols), p.arg("alpha", cols)
    return p.text(p.rms_norm(p.add(x, p.mul(p.sub(p.rms_norm(h), x), alpha))))


def softmax(rows, cols):
    p = Program("softmax", "Softmax of rows.")
    x = p.arg("x", rows, cols)
    e = p.exp(p.sub(x, p.reduce(x, "max")))
    return p.text(p.div(e, p.reduce(e)))


SHAPES = {
    gqa: [(2, 1, 4096, 128), (3, 100, 1000, 64), (3, 100, 1000, 128), (3, 256, 4096, 128), (6, 8, 1000, 64),
        (6, 8, 1000, 128), (6, 8, 8192, 128), (6, 24, 500, 64), (6, 24, 1000, 128), (6, 256, 1000, 64),
        (6, 256, 1000, 128), (6, 256, 1500, 64), (12, 1, 1000, 128), (12, 24, 1000, 80), (24, 8, 200, 64),
        (24, 16, 1000, 64), (24, 16, 1000, 128), (48, 8, 1000, 64), (48, 8, 8192, 128), (48, 256, 1000, 64),
        (48, 256, 1000, 128)],
    qknorm: [(3, 24, 1000, 128), (3, 100, 1000, 128), (6, 256, 1000, 64), (6, 256, 1000, 128), (6, 256, 4096, 128),
        (12, 16, 1000, 64), (12, 16, 1000, 128), (24, 1000, 1000, 64), (48, 256, 1000, 64), (48, 256, 1000, 128),
        (48, 256, 4096, 64)],
    rmsnorm: [(1, 4096, 11008), (3, 768, 3072), (3, 1000, 1000), (3, 1000, 3000), (3, 3000, 1000), (6, 1536, 1536),
        (6, 4096, 6144), (6, 5120, 5120), (24, 100, 1000), (24, 1000, 3000), (24, 2816, 1024), (24, 3584, 4608),
        (24, 5000, 5000), (48, 1000, 1000), (48, 1100, 1300), (48, 4096, 6144)],
    lora: [(3, 768, 3072, 4), (3, 1000, 3000, 16), (3, 3000, 1000, 64), (24, 1000, 3000, 16), (24, 1536, 1536, 8),
        (24, 5000, 5000, 16), (24, 5120, 5120, 8), (48, 256, 4096, 16), (48, 1000, 1000, 20), (48, 3584, 4608, 64),
        (384, 256, 4096, 16)],
    gated_mlp: [(1, 4096, 11008), (3, 768, 3072), (3, 1000, 3000), (3, 3000, 1000), (24, 1000, 3000),
        (24, 1536, 4096), (24, 2816, 1000), (24, 3584, 9728), (24, 4096, 4096), (48, 1000, 1000), (48, 1100, 1300),
        (192, 4096, 4096)],
    ntrans: [(3, 1000), (3, 1100), (3, 3000), (24, 1000), (24, 1536), (24, 4096), (24, 5120), (48, 1000),
        (192, 4096), (384, 1000)],
    # Named with their sizes only: by bench/cost, and docs/results.
    softmax: [],
    attention_of_rows: [],
    masked_attention_of_rows: [],
    sequences_first: [],
    query_gradients: [],
    key_gradients: [],
    attention_gradients: [],
}


def draw_shapes():
    """Programs with heads, hidden sizes, contexts and batches at random; hidden sizes are multiples of 1 to 128."""
    draw = random.Random(7)
    rows = [1, 2, 3, 5, 7, 8, 12, 16, 24, 32, 48, 64, 100, 197, 300]

    def hidden(least=400, most=12000):
        multiple = draw.choice([1, 2, 4, 8, 8, 16, 16, 32, 64, 64, 128])
        return draw.randrange(least // multiple + 1, most // multiple) * multiple

    for _ in range(120):
        f = draw.choice([gqa, attention_of_rows, qknorm, rmsnorm, lora, gated_mlp, ntrans, softmax])
        if f in (gqa, attention_of_rows, qknorm):
            yield f, (draw.choice([2, 3, 6, 8, 12, 32, 40, 48]), draw.choice([1, 3, 8, 16, 24, 64, 100, 128, 256, 300]),
                draw.choice([hidden(50, 5000), 1000, 1024, 2048, 777, 500, 4096]),
                draw.choice([64, 128, 64, 128, 80, 96, 112, 40, 32, 256]))
        elif f is lora:
            yield f, (draw.choice(rows), hidden(), hidden(), draw.choice([4, 8, 16, 32, 64, 20, 12]))
        elif f in (rmsnorm, gated_mlp):
            yield f, (draw.choice(rows), hidden(), hidden())
        else:
            yield f, (draw.choice(rows), hidden())


def write_all(folder, shapes):
    os.makedirs(folder, exist_ok=True)
    for f, sizes in shapes:
        name = "_".join([f.__name__, *map(str, sizes)])
        with open(os.path.join(folder, name + ".mlir"), "w") as out:
            out.write(f(*sizes))


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "random":
        write_all(sys.argv[2], draw_shapes())
    elif len(sys.argv) > 2:
        named = {f.__name__: f for f in SHAPES}
        print(named[sys.argv[1]](*map(int, sys.argv[2:])), end="")
    elif sys.argv[1:] == ["list"]:
        print(*(f.__name__ for f in SHAPES), sep="\n")
    elif len(sys.argv) == 2 and not sys.argv[1].startswith("-"):
        write_all(sys.argv[1], ((f, sizes) for f, shapes in SHAPES.items() for sizes in shapes))
    else:
        sys.exit(__doc__)
