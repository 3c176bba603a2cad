#!/usr/bin/env python3
"""LLaMA-2-7B's decoder: one step of so many sequences through so many layers, in one function.

  decoder.py LAYERS [BATCH]
"""

import sys

from linalg_programs import Program
from more_programs import decode_attention
from operations import swiglu


def layer(p, l, x, cos, sin):
    """The state behind a layer, and what its cache of keys and values grows by."""
    w, wo = p.arg(f"wqkv_{l}", 4096, 3 * 4096), p.arg(f"wo_{l}", 4096, 4096)
    ks, vs = p.arg(f"ks_{l}", 32, 4096, 128), p.arg(f"vs_{l}", 32, 4096, 128)
    h, k, v = decode_attention(p, x, p.arg(f"ga_{l}", 4096), w, wo, cos, sin, ks, vs)
    m = p.rms_norm(h, p.arg(f"gm_{l}", 4096))
    gate, up, down = p.arg(f"wg_{l}", 4096, 11008), p.arg(f"wu_{l}", 4096, 11008), p.arg(f"wd_{l}", 11008, 4096)
    return p.add(h, swiglu(p, m, gate, up, down)), k, v


def decoder(layers, b):
    p = Program("decoder", f"LLaMA-2-7B's decoder of {layers} layers: norms, attention with a cache of 4K keys, SwiGLU MLPs.")
    x, cos, sin = p.arg("x", b, 4096), p.arg("cos", b, 128), p.arg("sin", b, 128)
    caches = []
    for l in range(layers):
        x, *new = layer(p, l, x, cos, sin)
        caches += new
    return p.text(x, *caches)


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3 or not all(n.isdigit() and int(n) > 0 for n in sys.argv[1:]):
        sys.exit(__doc__.strip())
    print(decoder(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 8), end="")
