"""Triton kernels for the benchmark programs, as someone would write them by hand: one kernel a program where that is possible, blocks
and stages autotuned. f16 tensors, f32 accumulation.
"""
import os
from concurrent.futures import ThreadPoolExecutor

import triton
import triton.language as tl


def _configs(keys, stages=(3, 5), warps=(4, 8)):
    return [triton.Config(dict(key), num_stages=s, num_warps=w) for key in keys for s in stages for w in warps]


_PRODUCT_CONFIGS = _configs([{"BN": n, "BK": k} for n in (16, 32, 64, 128) for k in (64, 128, 256)])


def _benchmark(function, quantiles):
    """Milliseconds, for the autotuner; it clears the L2 cache before each call. Triton's own takes four times as long for each choice."""
    return triton.testing.do_bench(function, warmup=5, rep=25, quantiles=quantiles)


def _compile_all(kernel, *arguments, **constants):
    """Compiles what autotuning chooses from, on all cores; a choice that can't be compiled fails again when it is tried, and is passed over."""
    with ThreadPoolExecutor(os.cpu_count()) as threads, triton.AsyncCompileMode(threads, ignore_errors=True):
        kernel.warmup(*arguments, grid=(1,), **constants)


@triton.autotune(_PRODUCT_CONFIGS, key=["M", "N", "K"], do_bench=_benchmark)
@triton.jit
def _norm_linear(x, g, w, y, M, N, K, EPS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """(x * g / rms(x)) w; the norm is taken in the same loop and applied at the end."""
    rows = tl.program_id(1) * BM + tl.arange(0, BM)
    columns = tl.program_id(0) * BN + tl.arange(0, BN)
    products = tl.zeros((BM, BN), tl.float32)
    squares = tl.zeros((BM,), tl.float32)
    for k in range(0, K, BK):
        ks = k + tl.arange(0, BK)
        tile = tl.load(x + rows[:, None] * K + ks[None, :], mask=rows[:, None] < M, other=0.0)
        gain = tl.load(g + ks)
        weights = tl.load(w + ks[:, None] * N + columns[None, :])
        wide = tile.to(tl.float32)
        squares += tl.sum(wide * wide, 1)
        products = tl.dot((wide * gain.to(tl.float32)[None, :]).to(tl.float16), weights, products)
    result = products * tl.rsqrt(squares / K + EPS)[:, None]
    tl.store(y + rows[:, None] * N + columns[None, :], result.to(tl.float16), mask=rows[:, None] < M)


@triton.autotune(_PRODUCT_CONFIGS, key=["M", "N", "K"], do_bench=_benchmark)
@triton.jit
def _gated(x, w1, w2, y, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """silu(x w1) * (x w2)"""
    rows = tl.program_id(1) * BM + tl.arange(0, BM)
    columns = tl.program_id(0) * BN + tl.arange(0, BN)
    gate = tl.zeros((BM, BN), tl.float32)
    up = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        ks = k + tl.arange(0, BK)
        tile = tl.load(x + rows[:, None] * K + ks[None, :], mask=rows[:, None] < M, other=0.0)
        gate = tl.dot(tile, tl.load(w1 + ks[:, None] * N + columns[None, :]), gate)
        up = tl.dot(tile, tl.load(w2 + ks[:, None] * N + columns[None, :]), up)
    result = gate / (1 + tl.exp(-gate)) * up
    tl.store(y + rows[:, None] * N + columns[None, :], result.to(tl.float16), mask=rows[:, None] < M)


@triton.autotune(_PRODUCT_CONFIGS, key=["M", "N", "K"], do_bench=_benchmark)
@triton.jit
def _adapter(x, w, a, c, y, M, N, K, R: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """x w + (x a) c; each block computes x a for its rows anew."""
    rows = tl.program_id(1) * BM + tl.arange(0, BM)
    columns = tl.program_id(0) * BN + tl.arange(0, BN)
    rank = tl.arange(0, R)
    product = tl.zeros((BM, BN), tl.float32)
    low = tl.zeros((BM, R), tl.float32)
    for k in range(0, K, BK):
        ks = k + tl.arange(0, BK)
        tile = tl.load(x + rows[:, None] * K + ks[None, :], mask=rows[:, None] < M, other=0.0)
        product = tl.dot(tile, tl.load(w + ks[:, None] * N + columns[None, :]), product)
        low = tl.dot(tile, tl.load(a + ks[:, None] * R + rank[None, :]), low)
    product = tl.dot(low.to(tl.float16), tl.load(c + rank[:, None] * N + columns[None, :]), product)
    tl.store(y + rows[:, None] * N + columns[None, :], product.to(tl.float16), mask=rows[:, None] < M)


@triton.jit
def _residual(x, h, alpha, y, EPS: tl.constexpr, N: tl.constexpr):
    """norm(x + alpha * (norm(h) - x)), a row a block."""
    row, columns = tl.program_id(0), tl.arange(0, N)
    xs = tl.load(x + row * N + columns).to(tl.float32)
    hs = tl.load(h + row * N + columns).to(tl.float32)
    gain = tl.load(alpha + columns).to(tl.float32)
    hs = hs * tl.rsqrt(tl.sum(hs * hs, 0) / N + EPS)
    ys = xs + gain * (hs - xs)
    ys = ys * tl.rsqrt(tl.sum(ys * ys, 0) / N + EPS)
    tl.store(y + row * N + columns, ys.to(tl.float16))


# Tuned anew for whatever changes what a block does, or how many there are.
@triton.autotune(_configs([{"BN": n} for n in (32, 64, 128)], stages=(2, 3, 4)),
                 key=["BATCHES", "M", "N", "D", "NORMALIZED", "SPLITS"], do_bench=_benchmark)
@triton.jit
def _attention_part(q, k, v, partial, sums, maxima, scale, BATCHES, M, N, strideKd, strideKn, EPS: tl.constexpr, NORMALIZED: tl.constexpr,
                    SPLITS: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    """One of SPLITS parts of the context, for BM rows of one batch: the output so far, the sum and the maximum of its scores."""
    block, split, batch = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    rows, dims = block * BM + tl.arange(0, BM), tl.arange(0, D)
    queries = tl.load(q + (batch * M + rows[:, None]) * D + dims[None, :], mask=rows[:, None] < M, other=0.0)
    if NORMALIZED:
        # A name of its own: a variable that a loop assigns keeps its shape.
        wide_queries = queries.to(tl.float32)
        queries = (wide_queries * tl.rsqrt(tl.sum(wide_queries * wide_queries, 1) / D + EPS)[:, None]).to(tl.float16)
    output = tl.zeros((BM, D), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    largest = tl.full((BM,), float("-inf"), tl.float32)
    first = split * (N // SPLITS)
    for n in range(first, first + N // SPLITS, BN):
        context = n + tl.arange(0, BN)
        keys = tl.load(k + batch * N * D + dims[:, None] * strideKd + context[None, :] * strideKn)
        if NORMALIZED:
            wide_keys = keys.to(tl.float32)
            keys = (wide_keys * tl.rsqrt(tl.sum(wide_keys * wide_keys, 0) / D + EPS)[None, :]).to(tl.float16)
        scores = tl.dot(queries, keys) * scale
        now = tl.maximum(largest, tl.max(scores, 1))
        weights = tl.exp(scores - now[:, None])
        shrink = tl.exp(largest - now)
        total = total * shrink + tl.sum(weights, 1)
        values = tl.load(v + batch * N * D + context[:, None] * D + dims[None, :])
        output = tl.dot(weights.to(tl.float16), values, output * shrink[:, None])
        largest = now
    base = (batch * SPLITS + split) * M + rows
    tl.store(partial + base[:, None] * D + dims[None, :], output, mask=rows[:, None] < M)
    tl.store(sums + base, total, mask=rows < M)
    tl.store(maxima + base, largest, mask=rows < M)


@triton.jit
def _attention_whole(partial, sums, maxima, y, M, SPLITS: tl.constexpr, D: tl.constexpr):
    """Puts the parts of one row together."""
    row, batch = tl.program_id(0), tl.program_id(1)
    splits, dims = tl.arange(0, SPLITS), tl.arange(0, D)
    base = (batch * SPLITS + splits) * M + row
    maximum = tl.load(maxima + base)
    factor = tl.exp(maximum - tl.max(maximum, 0))
    total = tl.sum(tl.load(sums + base) * factor, 0)
    parts = tl.load(partial + base[:, None] * D + dims[None, :])
    tl.store(y + (batch * M + row) * D + dims, (tl.sum(parts * factor[:, None], 0) / total).to(tl.float16))


def _make_product(torch, kernel, x, width, *arguments, **constants):
    m = x.shape[0]
    y = torch.empty(m, width, dtype=x.dtype, device=x.device)
    bm = max(16, min(64, triton.next_power_of_2(m)))
    grid = lambda meta: (triton.cdiv(width, meta["BN"]), triton.cdiv(m, bm))
    call = (x, *arguments, y, m, width, x.shape[1])
    _compile_all(kernel, *call, BM=bm, **constants)

    def run():
        kernel[grid](*call, BM=bm, **constants)
        return y
    return run


def _make_attention(torch, program, q, k, v):
    batch, m, d = q.shape
    n = v.shape[1]
    transposed = bool(program.attention.get("transposed"))
    stride_d, stride_n = (n, 1) if transposed else (1, d)
    bm = max(16, min(64, triton.next_power_of_2(m)))
    blocks = batch * triton.cdiv(m, bm)
    # Enough blocks for two on each multiprocessor, in parts of 256 or more.
    splits = 1
    while splits * blocks < 2 * torch.cuda.get_device_properties(0).multi_processor_count and n // (2 * splits) >= 256:
        splits *= 2
    y = torch.empty_like(q)
    partial = torch.empty(batch, splits, m, d, dtype=torch.float32, device=q.device)
    sums, maxima = (torch.empty(batch, splits, m, dtype=torch.float32, device=q.device) for _ in range(2))
    call = (q, k, v, partial, sums, maxima, program.attention["scale"], batch, m, n, stride_d, stride_n)
    constants = {"EPS": 1e-5, "NORMALIZED": bool(program.attention.get("normalized")), "SPLITS": splits, "D": d, "BM": bm}
    _compile_all(_attention_part, *call, **constants)

    def run():
        _attention_part[(triton.cdiv(m, bm), splits, batch)](*call, **constants)
        _attention_whole[(m, batch)](partial, sums, maxima, y, m, SPLITS=splits, D=d)
        return y
    return run


def make(torch, program, tensors):
    """A function that runs the program's kernel."""
    if program.attention:
        return _make_attention(torch, program, *tensors)
    if program.name == "rmsnorm":
        x, g, w = tensors
        return _make_product(torch, _norm_linear, x, w.shape[1], g, w, EPS=1e-5)
    if program.name == "gated_mlp":
        x, w1, w2 = tensors
        return _make_product(torch, _gated, x, w1.shape[1], w1, w2)
    if program.name == "lora":
        x, w, a, c = tensors
        return _make_product(torch, _adapter, x, w.shape[1], w, a, c, R=a.shape[1])
    x, h, alpha = tensors
    y = torch.empty_like(x)

    def run():
        _residual[(x.shape[0],)](x, h, alpha, y, EPS=1e-5, N=x.shape[1], num_warps=8)
        return y
    return run
