#!/usr/bin/env python3
"""LLaMA-2-7B's decoder: one step of so many sequences through so many layers, in one function.

  decoder.py LAYERS [BATCH]
"""

import sys

from linalg_programs import Program
from more_programs import concat, part, reshape, rotated, safe_attention, transpose


def layer(p, l, b, x, cos, sin):
    """The state behind a layer, and what its cache of keys and values grows by."""
    w, wo = p.arg(f"wqkv_{l}", 4096, 3 * 4096), p.arg(f"wo_{l}", 4096, 4096)
    ks, vs = p.arg(f"ks_{l}", 32, 4096, 128), p.arg(f"vs_{l}", 32, 4096, 128)
    y = p.matmul(p.rms_norm(x, p.arg(f"ga_{l}", 4096)), w)
    q, k, v = (transpose(p, reshape(p, part(p, y, i * 4096, i * 4096 + 4096), b, 32, 128), 1, 0, 2) for i in range(3))
    q, k = rotated(p, q, cos, sin), rotated(p, k, cos, sin)
    o = safe_attention(p, q, transpose(p, concat(p, ks, k, 1), 0, 2, 1), concat(p, vs, v, 1), 128 ** -0.5)
    h = p.add(x, p.matmul(reshape(p, transpose(p, o, 1, 0, 2), b, 4096), wo))
    m = p.rms_norm(h, p.arg(f"gm_{l}", 4096))
    gate, up = p.matmul(m, p.arg(f"wg_{l}", 4096, 11008)), p.matmul(m, p.arg(f"wu_{l}", 4096, 11008))
    return p.add(h, p.matmul(p.mul(p.silu(gate), up), p.arg(f"wd_{l}", 11008, 4096))), k, v


def decoder(layers, b):
    p = Program("decoder", f"LLaMA-2-7B's decoder of {layers} layers: norms, attention with a cache of 4K keys, SwiGLU MLPs.")
    x, cos, sin = p.arg("x", b, 4096), p.arg("cos", b, 128), p.arg("sin", b, 128)
    caches = []
    for l in range(layers):
        x, *new = layer(p, l, b, x, cos, sin)
        caches += new
    return p.text(x, *caches)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3 or not all(n.isdigit() and int(n) > 0 for n in sys.argv[1:]):
        sys.exit(__doc__.strip())
    print(decoder(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 8), end="")
