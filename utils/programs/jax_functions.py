#!/usr/bin/env python3
"""JAX functions as linalg on tensors, through StableHLO: what its users have.

  jax_functions.py list                       the functions, a line each
  jax_functions.py NAME.. --to DIR            some of them, each a file; `all` for all
  jax_functions.py NAME.. --small             small sizes, one file on standard output

It needs JAX and iree-opt (the packages jax and iree-base-compiler), whose passes take StableHLO to linalg. Their output is kept in
test/Search/Inputs/jax and test/Conversion/LinalgToMirage/jax.mlir, so that nothing else does."""
import re
import subprocess

from exports import Exports

PIPELINE = "builtin.module(iree-stablehlo-to-stablehlo-preprocessing,iree-stablehlo-to-iree-input,inline,canonicalize,cse)"


def export(name, made):
    import jax
    import jax.export
    function, *shapes = made
    inputs = [jax.ShapeDtypeStruct(shape, jax.numpy.float16) for shape in shapes]
    text = jax.export.export(jax.jit(function), platforms=["cuda"])(*inputs).mlir_module()
    # How products are to accumulate, which the passes don't take.
    text = re.sub(r", algorithm = <[^>]*>", "", text)
    text = subprocess.run(["iree-opt", f"--pass-pipeline={PIPELINE}", "-"], input=text, capture_output=True, text=True, check=True).stdout
    return re.sub(r"@main\b", f"@{name}", text)


EXPORTS = Exports()
program = EXPORTS.program


def rms_norm(x, w):
    import jax
    y = x.astype("float32")
    y = y * jax.lax.rsqrt((y * y).mean(-1, keepdims=True) + 1e-5)
    return y.astype(x.dtype) * w


def layer_norm(x, w, b):
    import jax
    y = x.astype("float32")
    y = (y - y.mean(-1, keepdims=True)) * jax.lax.rsqrt(y.var(-1, keepdims=True) + 1e-5)
    return y.astype(x.dtype) * w + b


def rotate(x):
    import jax.numpy as jnp
    a, b = jnp.split(x, 2, -1)
    return jnp.concatenate([-b, a], -1)


def attend(q, k, v, **options):
    """Positions in front of heads."""
    import jax
    return jax.nn.dot_product_attention(q, k, v, **options)


@program
def rms_linear(n):
    """RMSNorm and a projection"""
    d, f = n(4096, 8), n(6144, 12)
    return lambda x, w, p: rms_norm(x, w) @ p, (n(8, 2), d), (d,), (d, f)


@program
def llama_mlp(n):
    """LLaMA's MLP with its norm and residual"""
    from jax.nn import silu
    d, f = n(4096, 8), n(11008, 12)

    def function(x, w, gate, up, down):
        y = rms_norm(x, w)
        return x + (silu(y @ gate) * (y @ up)) @ down
    return function, (n(8, 2), d), (d,), (d, f), (d, f), (f, d)


@program
def norm_linear(n):
    """layer norm and a projection"""
    d = n(4096, 8)
    return lambda x, w, b, p: layer_norm(x, w, b) @ p, (n(8, 2), d), (d,), (d,), (d, d)


@program
def attention(n):
    """dot_product_attention"""
    return attend, *[(1, n(512, 4), n(32, 2), n(64, 4))] * 3


@program
def attention_causal(n):
    """the same with is_causal"""
    return lambda q, k, v: attend(q, k, v, is_causal=True), *[(1, n(512, 4), n(32, 2), n(64, 4))] * 3


@program
def attention_grouped(n):
    """one query to a cache, four heads share one of it"""
    cache = (1, n(4096, 5), n(8, 2), n(128, 4))
    return attend, (1, 1, n(32, 4), n(128, 4)), cache, cache


@program
def attention_prefill(n):
    """512 queries, four heads share keys and values"""
    keys = (1, n(512, 16), n(8, 2), n(128, 4))
    return attend, (1, n(512, 16), n(32, 4), n(128, 4)), keys, keys


@program
def attention_repeated(n):
    """the same, but keys and values are repeated for the four heads"""
    import jax.numpy as jnp
    keys = (1, n(512, 16), n(8, 2), n(128, 4))
    heads, group = n(32, 4), n(4, 2)
    return (lambda q, k, v: attend(q, jnp.repeat(k, group, 2), jnp.repeat(v, group, 2)), (1, keys[1], heads, keys[3]), keys, keys)


@program
def rotary_causal(n):
    """rotated queries and keys, causal"""
    rows, d = n(512, 4), n(64, 4)

    def function(q, k, v, cos, sin):
        q, k = (x * cos[:, None] + rotate(x) * sin[:, None] for x in (q, k))
        return attend(q, k, v, is_causal=True)
    return function, *[(1, rows, n(12, 2), d)] * 3, (rows, d), (rows, d)


@program
def cross_attention(n):
    """with all projections"""
    import jax.numpy as jnp
    d, h = n(1024, 8), n(16, 2)
    project = lambda x, w: jnp.einsum("bld,dhk->blhk", x, w)

    def function(x, c, q, k, v, o):
        return jnp.einsum("blhk,hkd->bld", attend(project(x, q), project(c, k), project(c, v)), o)
    return function, (1, n(64, 3), d), (1, n(256, 5), d), *[(d, h, d // h)] * 3, (h, d // h, d)


@program
def linear_attention(n):
    """with elu + 1, positions in front of heads"""
    import jax.numpy as jnp
    from jax.nn import elu

    def function(q, k, v):
        q, k = elu(q) + 1, elu(k) + 1
        z = 1 / (jnp.einsum("bnhd,bhd->bnh", q, k.sum(1)) + 1e-3)
        return jnp.einsum("bnhd,bhde,bnh->bnhe", q, jnp.einsum("bnhd,bnhe->bhde", k, v), z)
    return function, *[(1, n(1024, 5), n(16, 2), n(64, 4))] * 3


@program
def softmax_masked(n):
    """scale, mask and softmax"""
    from jax.nn import softmax
    rows, columns = n(64, 3), n(1024, 5)
    return lambda x, mask: softmax(x * 0.125 + mask, -1), (n(16, 2), rows, columns), (rows, columns)


@program
def log_sum_exp(n):
    """logsumexp, with its choice where the maximum is infinite"""
    import jax
    return lambda x: jax.scipy.special.logsumexp(x.astype("float32"), -1), (n(64, 3), n(32000, 5))


@program
def cross_entropy(n):
    """with soft targets"""
    from jax.nn import log_softmax
    return lambda x, y: -(log_softmax(x.astype("float32"), -1) * y).sum(-1), *[(n(64, 3), n(32000, 5))] * 2


@program
def softmax_gradient(n):
    """the gradient of a softmax"""
    import jax
    return lambda x, g: jax.vjp(lambda y: jax.nn.softmax(y, -1), x)[1](g)[0], *[(n(64, 3), n(1024, 5))] * 2


@program
def attention_gradient(n):
    """all three gradients of attention"""
    import jax
    return lambda q, k, v, g: jax.vjp(attend, q, k, v)[1](g), *[(1, n(256, 4), n(8, 2), n(64, 4))] * 4


if __name__ == "__main__":
    EXPORTS.run(__doc__, export)
