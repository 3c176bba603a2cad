#!/usr/bin/env python3
"""More tensor programs as linalg-on-tensors MLIR, in the form of linalg_programs.py: what people try besides the paper's
benchmarks. Sizes are those of LLaMA models, unless the description says otherwise.

  more_programs.py list                    the programs, a line each
  more_programs.py NAME [batch]            one program on standard output (batch 1 unless told)
  more_programs.py all DIR                 every program at batch 1, 8 and 16 into DIR
"""
import os
import sys

from linalg_programs import Program, attention
from operations import (
    in_f32, transpose, reshape, part, concat, rotated, rotated_pairs, contract, indexed, safe_softmax, scores,
    safe_attention, standardized, layer_normed, sigmoid_lines, gelu_tanh, gelu_sigmoid, swiglu)


def llama_mlp(b):
    p = Program("llama_mlp", "RMSNorm, then a gated SiLU MLP with its down projection (LLaMA-2-7B).")
    x, g = p.arg("x", 8 * b, 4096), p.arg("g", 4096)
    w1, w2, w3 = p.arg("w1", 4096, 11008), p.arg("w2", 4096, 11008), p.arg("w3", 11008, 4096)
    y = p.rms_norm(x, g)
    return p.text(swiglu(p, y, w1, w2, w3))


def llama_mlp_residual(b):
    p = Program("llama_mlp_residual", "RMSNorm, then a gated SiLU MLP, added to its input: the second half of a LLaMA block (LLaMA-2-7B).")
    x, g = p.arg("x", 8 * b, 4096), p.arg("g", 4096)
    w1, w2, w3 = p.arg("w1", 4096, 11008), p.arg("w2", 4096, 11008), p.arg("w3", 11008, 4096)
    y = p.rms_norm(x, g)
    return p.text(p.add(x, swiglu(p, y, w1, w2, w3)))


def llama_mlp_up(b):
    p = Program("llama_mlp_up", "RMSNorm, then a gated SiLU MLP without the down projection (LLaMA-2-7B).")
    x, g, w1, w2 = p.arg("x", 8 * b, 4096), p.arg("g", 4096), p.arg("w1", 4096, 11008), p.arg("w2", 4096, 11008)
    y = p.rms_norm(x, g)
    return p.text(p.mul(p.silu(p.matmul(y, w1)), p.matmul(y, w2)))


def softmax(b):
    p = Program("softmax", "Safe softmax of scaled scores plus a mask, along rows.")
    s, m = p.arg("s", 32 * b, 256, 4096), p.arg("m", 256, 4096)
    return p.text(safe_softmax(p, scores(p, s, 128 ** -0.5, m)))


def masked_attention(b):
    p = Program("masked_attention", "Safe attention with scale and a mask for every query and key, head size 128, 4K context.")
    q, k, v = p.arg("q", 8 * b, 64, 128), p.arg("k", 8 * b, 128, 4096), p.arg("v", 8 * b, 4096, 128)
    return p.text(safe_attention(p, q, k, v, 128 ** -0.5, p.arg("m", 64, 4096)))


def masked_attention_keys(b):
    p = Program("masked_attention_keys", "Safe attention with scale and a mask for every key, head size 128, 4K context.")
    q, k, v = p.arg("q", 8 * b, 64, 128), p.arg("k", 8 * b, 128, 4096), p.arg("v", 8 * b, 4096, 128)
    return p.text(safe_attention(p, q, k, v, 128 ** -0.5, p.arg("m", 4096)))


def sink_attention(b):
    p = Program("sink_attention", "Attention with a sink for each head beside 4K keys, head size 64.")
    q, k, v, sink = p.arg("q", 8 * b, 64, 64), p.arg("k", 8 * b, 64, 4096), p.arg("v", 8 * b, 4096, 64), p.arg("s", 8 * b, 1, 1)
    s = scores(p, p.batch_matmul(q, k), 64 ** -0.5)
    m = in_f32(p, [p.reduce(s, op="max"), sink], ["%f = arith.maximumf %e0, %e1 : f32"])
    e = p.in_f32([s, m], ["%d = arith.subf %e0, %e1 : f32", "%f = math.exp %d : f32"])
    n = in_f32(p, [sink, m], ["%d = arith.subf %e0, %e1 : f32", "%f = math.exp %d : f32"])
    sums = in_f32(p, [p.reduce(e), n], ["%f = arith.addf %e0, %e1 : f32"])
    return p.text(p.batch_matmul(p.div(e, sums), v))


def cross_attention(b):
    p = Program("cross_attention", "Cross-attention of 4096 queries to 77 keys (Stable Diffusion's text encoder), head size 64.")
    q, k, v = p.arg("q", 16 * b, 4096, 64), p.arg("k", 16 * b, 64, 77), p.arg("v", 16 * b, 77, 64)
    return p.text(safe_attention(p, q, k, v, 64 ** -0.5))


def cross_attention_long(b):
    p = Program("cross_attention_long", "Cross-attention of 448 queries to 1500 keys (Whisper's decoder), head size 64.")
    q, k, v = p.arg("q", 16 * b, 448, 64), p.arg("k", 16 * b, 64, 1500), p.arg("v", 16 * b, 1500, 64)
    return p.text(safe_attention(p, q, k, v, 64 ** -0.5))


def cross_attention_heads(b):
    """As torch computes it: heads are split off and transposed, batches and heads merged for the products, and split for the softmax."""
    p = Program("cross_attention_heads", "Cross-attention of two images' 4096 positions to 77 words, 8 heads of 64, with a mask for each text.")
    q, k, v, m = p.arg("q", 2 * b, 4096, 512), p.arg("k", 2 * b, 77, 512), p.arg("v", 2 * b, 77, 512), p.arg("m", 2 * b, 1, 1, 77)

    def heads(a, *order):
        split = transpose(p, reshape(p, a, *p.types[a][0][:2], 8, 64), *order)
        return reshape(p, split, 16 * b, *p.types[split][0][2:])

    s = reshape(p, p.batch_matmul(heads(q, 0, 2, 1, 3), heads(k, 0, 2, 3, 1)), 2 * b, 8, 4096, 77)
    e = reshape(p, safe_softmax(p, scores(p, s, 64 ** -0.5, m)), 16 * b, 4096, 77)
    o = reshape(p, p.batch_matmul(e, heads(v, 0, 2, 1, 3)), 2 * b, 8, 4096, 64)
    return p.text(reshape(p, transpose(p, o, 0, 2, 1, 3), 2 * b, 4096, 512))


def low_rank_attention(b):
    p = Program("low_rank_attention", "Attention whose keys and values come from a latent of rank 512: k = c wk, v = c wv.")
    q, c = p.arg("q", 16 * b, 128), p.arg("c", 4096, 512)
    wk, wv = p.arg("wk", 512, 128), p.arg("wv", 512, 128)
    s = p.matmul(q, transpose(p, p.matmul(c, wk), 1, 0))
    return p.text(p.matmul(safe_softmax(p, scores(p, s, 128 ** -0.5)), p.matmul(c, wv)))


def low_rank_attention_unsafe(b):
    p = Program("low_rank_attention_unsafe", "The same as the paper writes attention: no maximum, division at the end.")
    q, c = p.arg("q", 16 * b, 128), p.arg("c", 4096, 512)
    wk, wv = p.arg("wk", 512, 128), p.arg("wv", 512, 128)
    e = p.exp(p.scale(p.matmul(q, transpose(p, p.matmul(c, wk), 1, 0)), 128 ** -0.5))
    return p.text(p.div(p.matmul(e, p.matmul(c, wv)), p.reduce(e)))


def low_rank_attention_heads(b):
    p = Program("low_rank_attention_heads", "Multi-head latent attention: 16 heads share a latent of rank 512, head size 128.")
    h, m, n, r, d = 16, b, 4096, 512, 128
    q, c, wk, wv = p.arg("q", h, m, d), p.arg("c", n, r), p.arg("wk", h, r, d), p.arg("wv", h, r, d)
    sizes = dict(h=h, n=n, r=r, d=d)
    k = contract(p, c, wk, "hdnr", "nr", "hrd", "hdn", sizes)
    v = contract(p, c, wv, "hndr", "nr", "hrd", "hnd", sizes)
    return p.text(safe_attention(p, q, k, v, d ** -0.5))


def low_rank_attention_batches(b):
    p = Program("low_rank_attention_batches", "Attention of 8 sequences whose keys and values come from latents of rank 512, all with the same weights.")
    n, m, k, r, d = 8, 16 * b, 1024, 512, 128
    q, c, wk, wv = p.arg("q", n, m, d), p.arg("c", n, k, r), p.arg("wk", r, d), p.arg("wv", r, d)
    sizes = dict(n=n, k=k, r=r, d=d)
    keys = contract(p, c, wk, "nkdr", "nkr", "rd", "nkd", sizes)
    values = contract(p, c, wv, "nkdr", "nkr", "rd", "nkd", sizes)
    return p.text(safe_attention(p, q, transpose(p, keys, 0, 2, 1), values, d ** -0.5))


def mla_prefill(b):
    p = Program("mla_prefill", "DeepSeek's latent attention of 512 positions: 16 heads of 128, each with 64 more that are rotated and have one key, from a latent of 512.")
    h, n, r, d = 16 * b, 512, 512, 128
    q, c, wk, wv = p.arg("q", h, n, d), p.arg("c", n, r), p.arg("wk", r, h * d), p.arg("wv", r, h * d)
    qr, kr = p.arg("qr", h, n, 64), p.arg("kr", n, 64)
    k, v = (reshape(p, p.matmul(c, w), n, h, d) for w in (wk, wv))
    s = p.add(p.batch_matmul(q, transpose(p, k, 1, 2, 0)), contract(p, qr, kr, "hnmr", "hnr", "mr", "hnm", dict(h=h, n=n, m=n, r=64)))
    return p.text(p.batch_matmul(safe_softmax(p, scores(p, s, 192 ** -0.5)), transpose(p, v, 1, 0, 2)))


def mla_decode(b):
    p = Program("mla_decode", "DeepSeek's latent attention of one position to 4K, with the weights of keys and values at the queries and the result: 16 heads.")
    h, n, r, d = 16 * b, 4096, 512, 128
    q, wk, wv = p.arg("q", h, 1, d), p.arg("wk", h, d, r), p.arg("wv", h, r, d)
    qr, c, kr = p.arg("qr", h, 64), p.arg("c", n, r), p.arg("kr", n, 64)
    s = p.add(p.matmul(reshape(p, p.batch_matmul(q, wk), h, r), transpose(p, c, 1, 0)), p.matmul(qr, transpose(p, kr, 1, 0)))
    a = p.matmul(safe_softmax(p, scores(p, s, 192 ** -0.5)), c)
    return p.text(p.batch_matmul(reshape(p, a, h, 1, r), wv))


def sink_column(b):
    p = Program("sink_column", "Attention with a sink for each head, as gpt-oss has it: a column of scores that a softmax has, and then drops.")
    h, m, n, d = 64, 16 * b, 1024, 64
    q, k, v, sink = p.arg("q", h, m, d), p.arg("k", h, n, d), p.arg("v", h, n, d), p.arg("sink", h)
    s = scores(p, p.batch_matmul(q, transpose(p, k, 0, 2, 1)), d ** -0.5)
    s = concat(p, s, broadcast(p, reshape(p, sink, h, 1), 1, m))
    return p.text(p.batch_matmul(part(p, safe_softmax(p, s), 0, n), v))


def positions_first(b):
    p = Program("positions_first", "Attention with grouped heads as JAX has it, positions in front of heads: q h g d, of 128 queries, 32 heads and 8 of keys.")
    m, n, h, g, d = 128 * b, 1024, 8, 4, 128
    q, k, v = p.arg("q", m, h, g, d), p.arg("k", n, h, d), p.arg("v", n, h, d)
    sizes = dict(q=m, k=n, h=h, g=g, d=d)
    s = contract(p, q, k, "hgqkd", "qhgd", "khd", "hgqk", sizes)
    return p.text(contract(p, safe_softmax(p, scores(p, s, d ** -0.5)), v, "qhgdk", "hgqk", "khd", "qhgd", sizes))


def grouped_sequences(p, batches, queries, keys, heads, group, depth):
    q, k, v = p.arg("q", batches, queries, heads, group, depth), p.arg("k", batches, keys, heads, depth), p.arg("v", batches, keys, heads, depth)
    sizes = dict(b=batches, q=queries, k=keys, h=heads, g=group, d=depth)
    s = contract(p, q, k, "bhgqkd", "bqhgd", "bkhd", "bhgqk", sizes)
    return p.text(contract(p, safe_softmax(p, scores(p, s, depth ** -0.5)), v, "bqhgdk", "bhgqk", "bkhd", "bqhgd", sizes))


def sequences_first(b):
    p = Program("sequences_first", "The same of several sequences at once, b q h g d: 512 queries and keys of each of two.")
    return grouped_sequences(p, 2 * b, 512, 512, 8, 4, 128)


def normalizer(b):
    p = Program("normalizer", "Attention whose weights are exp(s - log sum exp s), with these logarithms, which a backward pass or other parts of the sequence take.")
    h, n, d = 16 * b, 777, 64
    q, k, v = p.arg("q", h, n, d), p.arg("k", h, n, d), p.arg("v", h, n, d)
    s = in_f32(p, [p.batch_matmul(q, transpose(p, k, 0, 2, 1))], [f"%c = arith.constant {d ** -0.5:e} : f32", "%f = arith.mulf %e0, %c : f32"])
    top = p.reduce(s, op="max")
    e = in_f32(p, [s, top], ["%d = arith.subf %e0, %e1 : f32", "%f = math.exp %d : f32"])
    l = in_f32(p, [p.reduce(e), top], ["%l = math.log %e0 : f32", "%f = arith.addf %l, %e1 : f32"])
    w = p.in_f32([s, l], ["%d = arith.subf %e0, %e1 : f32", "%f = math.exp %d : f32"])
    return p.text(p.batch_matmul(w, v), l)


def pair_bias(b):
    p = Program("pair_bias", "Row attention of AlphaFold's Evoformer, gated, 128 positions of 8 heads behind them, with a bias q k h.")
    n, m, h, d = 128 * b, 128, 8, 32
    q, k, v, bias, gate = p.arg("q", n, m, h, d), p.arg("k", n, m, h, d), p.arg("v", n, m, h, d), p.arg("bias", m, m, h), p.arg("gate", n, m, h, d)
    sizes = dict(n=n, q=m, k=m, h=h, d=d)
    s = contract(p, q, k, "nhqkd", "nqhd", "nkhd", "nhqk", sizes)
    s = p.in_f32([s, transpose(p, bias, 2, 0, 1)], [f"%c = arith.constant {d ** -0.5:e} : f32", "%t = arith.mulf %e0, %c : f32", "%f = arith.addf %t, %e1 : f32"])
    o = contract(p, safe_softmax(p, s), v, "nqhdk", "nhqk", "nkhd", "nqhd", sizes)
    return p.text(p.in_f32([o, gate], sigmoid_lines("%e1", "%s") + ["%f = arith.mulf %e0, %s : f32"]))


def head_norm_output(b):
    p = Program("head_norm_output", "The end of a layer of linear attention: each of 16 heads of 256 is normalized, all are gated and projected.")
    n = p.rms_norm(p.arg("o", 8 * b, 16, 256), p.arg("gain", 256))
    gated = p.mul(reshape(p, n, 8 * b, 4096), p.silu(p.arg("gate", 8 * b, 4096)))
    return p.text(p.matmul(gated, p.arg("w", 4096, 4096)))


def state_space_chunk(b):
    p = Program("state_space_chunk", "What 256 positions of a chunk take from each other in Mamba-2: exp(a[l] - a[s]) of 24 heads, behind positions, times C B^T and a mask.")
    l, h, n, d = 256 * b, 24, 128, 64
    c, k, x, a, mask = p.arg("c", l, n), p.arg("b", l, n), p.arg("x", l, h, d), p.arg("a", l, h), p.arg("mask", l, l)
    sizes = dict(l=l, s=l, h=h, n=n, d=d)
    g = contract(p, c, k, "lsn", "ln", "sn", "ls", sizes)
    w = indexed(p, [g, a, a, mask], ["ls", "lh", "sh", "ls"], "hls", sizes,
                ["%d = arith.subf %e1, %e2 : f32", "%x = math.exp %d : f32", "%g = arith.mulf %e0, %x : f32", "%f = arith.mulf %g, %e3 : f32"])
    return p.text(contract(p, w, x, "lhds", "hls", "shd", "lhd", sizes))


def forgetting_attention(b):
    p = Program("forgetting_attention", "The Forgetting Transformer's attention, 512 positions of 16 heads behind them: f[q] - f[k] is added to the scores.")
    n, h, d = 512 * b, 16, 64
    q, k, v, f, mask = p.arg("q", n, h, d), p.arg("k", n, h, d), p.arg("v", n, h, d), p.arg("f", n, h), p.arg("mask", n, n)
    sizes = dict(q=n, k=n, h=h, d=d)
    s = contract(p, q, k, "hqkd", "qhd", "khd", "hqk", sizes)
    s = indexed(p, [s, f, f, mask], ["hqk", "qh", "kh", "qk"], "hqk", sizes,
                [f"%c = arith.constant {d ** -0.5:e} : f32", "%s = arith.mulf %e0, %c : f32", "%t = arith.addf %s, %e1 : f32", "%u = arith.subf %t, %e2 : f32", "%f = arith.addf %u, %e3 : f32"])
    return p.text(contract(p, safe_softmax(p, s), v, "qhdk", "hqk", "khd", "qhd", sizes))


def layer_norm(b):
    p = Program("layer_norm", "Layer normalization with gain and bias.")
    return p.text(layer_normed(p, p.arg("x", 16 * b, 4096), p.arg("g", 4096), p.arg("b", 4096)))


def layer_norm_linear(b):
    p = Program("layer_norm_linear", "Layer normalization with gain and bias, then a linear layer.")
    x, g, bias, w = p.arg("x", 16 * b, 4096), p.arg("g", 4096), p.arg("b", 4096), p.arg("w", 4096, 6144)
    return p.text(p.matmul(layer_normed(p, x, g, bias), w))


def elu_1(p, a):
    """elu(x) + 1, with the choice that torch makes."""
    return p.in_f32([a], ["%z = arith.constant 0.0 : f32", "%one = arith.constant 1.0 : f32", "%c = arith.cmpf ogt, %e0, %z : f32",
                          "%m = math.expm1 %e0 : f32", "%s = arith.select %c, %e0, %m : f32", "%f = arith.addf %s, %one : f32"])


def _linear_attention(name, text, phi, b):
    p = Program(name, f"Linear attention, phi = {text}: phi(q) (phi(k) v) / (phi(q) sum phi(k)), head size 64, 4K context.")
    q, k, v = p.arg("q", 16 * b, 256, 64), p.arg("k", 16 * b, 64, 4096), p.arg("v", 16 * b, 4096, 64)
    fq, fk = phi(p, q), phi(p, k)
    return p.text(p.div(p.batch_matmul(fq, p.batch_matmul(fk, v)), p.batch_matmul(fq, p.half(p.reduce(fk)))))


def linear_attention(b): return _linear_attention("linear_attention", "relu", Program.relu, b)
def linear_attention_exp(b): return _linear_attention("linear_attention_exp", "exp", Program.exp, b)
def linear_attention_elu(b): return _linear_attention("linear_attention_elu", "elu + 1", elu_1, b)


def _geglu(name, gelu, b):
    p = Program(name, "Gated GELU MLP (T5 v1.1 XXL): gelu(x w1) * (x w2).")
    x, w1, w2 = p.arg("x", 8 * b, 4096), p.arg("w1", 4096, 10240), p.arg("w2", 4096, 10240)
    return p.text(p.mul(gelu(p, p.matmul(x, w1)), p.matmul(x, w2)))


def geglu_tanh(b): return _geglu("geglu_tanh", gelu_tanh, b)
def geglu_sigmoid(b): return _geglu("geglu_sigmoid", gelu_sigmoid, b)


def large_matmul(b):
    p = Program("large_matmul", "One large matrix product, which no kernel of one's own makes faster.")
    return p.text(p.matmul(p.arg("x", 2048 * b, 4096), p.arg("w", 4096, 4096)))


def bias_relu(b):
    p = Program("bias_relu", "A linear layer with bias and ReLU (OPT-6.7B): relu(x w + b).")
    x, w, bias = p.arg("x", 16 * b, 4096), p.arg("w", 4096, 16384), p.arg("b", 16384)
    return p.text(p.relu(p.add(p.matmul(x, w), bias)))


def residual_norm(b):
    p = Program("residual_norm", "The residual x + y and its RMSNorm, both returned.")
    x, y, g = p.arg("x", 16 * b, 4096), p.arg("y", 16 * b, 4096), p.arg("g", 4096)
    h = p.add(x, y)
    return p.text(h, p.rms_norm(h, g))


def lora_scaled(b):
    p = Program("lora_scaled", "A linear layer with a scaled rank-16 adapter: x w + 2 ((x a) c).")
    x, w, a, c = p.arg("x", 16 * b, 4096), p.arg("w", 4096, 4096), p.arg("a", 4096, 16), p.arg("c", 16, 4096)
    return p.text(p.add(p.matmul(x, w), p.scale(p.matmul(p.matmul(x, a), c), 2)))


def batch_chain(b):
    p = Program("batch_chain", "A chain of two batched matrix products: (a b) c.")
    x, y, z = p.arg("x", 32 * b, 16, 128), p.arg("y", 32 * b, 128, 4096), p.arg("z", 32 * b, 4096, 128)
    return p.text(p.batch_matmul(p.batch_matmul(x, y), z))


def moe_gate(b):
    p = Program("moe_gate", "The gate of a mixture of 64 experts: softmax(x wg).")
    return p.text(safe_softmax(p, p.matmul(p.arg("x", 64 * b, 4096), p.arg("wg", 4096, 64))))


def attention_projection(b):
    p = Program("attention_projection", "Attention, and each head's part of the output projection.")
    q, k, v, w = p.arg("q", 8 * b, 16, 128), p.arg("k", 8 * b, 128, 4096), p.arg("v", 8 * b, 4096, 128), p.arg("w", 8 * b, 128, 512)
    return p.text(p.batch_matmul(attention(p, q, k, v, 128 ** -0.5), w))


def self_attention(b):
    p = Program("self_attention", "Self-attention of one head between its projections.")
    x, wo = p.arg("x", 64 * b, 512), p.arg("wo", 64, 512)
    q, k, v = (p.matmul(x, p.arg(w, 512, 64)) for w in ("wq", "wk", "wv"))
    return p.text(p.matmul(p.matmul(safe_softmax(p, scores(p, p.matmul(q, transpose(p, k, 1, 0)), 64 ** -0.5)), v), wo))


def llama_attention(b):
    p = Program("llama_attention", "A whole attention layer as it is written: norm, query projection, heads, attention to a 4K cache, output projection.")
    x, g, wq, wo = p.arg("x", 8 * b, 4096), p.arg("g", 4096), p.arg("wq", 4096, 4096), p.arg("wo", 4096, 4096)
    k, v = p.arg("k", 32, 128, 4096), p.arg("v", 32, 4096, 128)
    q = transpose(p, reshape(p, p.matmul(p.rms_norm(x, g), wq), 8 * b, 32, 128), 1, 0, 2)
    o = safe_attention(p, q, k, v, 128 ** -0.5)
    return p.text(p.matmul(reshape(p, transpose(p, o, 1, 0, 2), 8 * b, 4096), wo))


def rotary_attention(b):
    p = Program("rotary_attention", "Attention whose queries are rotated by their positions (RoPE), 32 heads of 128, 4K keys that are so already.")
    q, cos, sin = p.arg("q", 32, b, 128), p.arg("cos", b, 128), p.arg("sin", b, 128)
    k, v = p.arg("k", 32, 128, 4096), p.arg("v", 32, 4096, 128)
    return p.text(safe_attention(p, rotated(p, q, cos, sin), k, v, 128 ** -0.5))


def rotary_keys(b):
    p = Program("rotary_keys", "Attention whose queries and 4K keys are rotated by their positions, 32 heads of 128.")
    q, k, v = p.arg("q", 32, b, 128), p.arg("k", 32, 4096, 128), p.arg("v", 32, 4096, 128)
    q = rotated(p, q, p.arg("cos", b, 128), p.arg("sin", b, 128))
    k = rotated(p, k, p.arg("cosk", 4096, 128), p.arg("sink", 4096, 128))
    return p.text(safe_attention(p, q, transpose(p, k, 0, 2, 1), v, 128 ** -0.5))


def rotated_attention(p, heads, size, rotate, table):
    """Self-attention of 512 positions whose queries and keys are rotated by the same tables."""
    q, k, v = (p.arg(name, heads, 512, size) for name in "qkv")
    cos, sin = p.arg("cos", 512, table), p.arg("sin", 512, table)
    q, k = rotate(p, q, cos, sin), rotate(p, k, cos, sin)
    return p.text(safe_attention(p, q, transpose(p, k, 0, 2, 1), v, size ** -0.5))


def rotary_prefill(b):
    p = Program("rotary_prefill", "Self-attention of 512 positions, 12 heads of 64, whose queries and keys are rotated by the same tables.")
    return rotated_attention(p, 12 * b, 64, rotated, 64)


def rotary_pairs(b):
    p = Program("rotary_pairs", "Decoding with a cache: attention of queries whose pairs are rotated (GPT-J), 16 heads of 256, 2K keys; and the new keys.")
    q, k, cos, sin = p.arg("q", 16, 8 * b, 256), p.arg("k", 16, 8 * b, 256), p.arg("cos", 8 * b, 128), p.arg("sin", 8 * b, 128)
    ks, vs = p.arg("ks", 16, 256, 2048), p.arg("vs", 16, 2048, 256)
    return p.text(safe_attention(p, rotated_pairs(p, q, cos, sin), ks, vs, 256 ** -0.5), rotated_pairs(p, k, cos, sin))


def rotary_pairs_prefill(b):
    p = Program("rotary_pairs_prefill", "Self-attention of 512 positions, 2 heads of 128 per batch, queries and keys whose pairs are rotated (LLaMA's own code).")
    return rotated_attention(p, 2 * b, 128, rotated_pairs, 64)


def joint(p, b):
    """Queries, keys and values of a text and an image, as they are and put together, and what attends to both."""
    parts = [[p.arg(f"{name}{i}", 24, rows, 64) for i, rows in enumerate((256, 64 * b))] for name in "qkv"]
    whole = [concat(p, *of, dim=1) for of in parts]
    return parts, whole, lambda q: safe_attention(p, q, transpose(p, whole[1], 0, 2, 1), whole[2], 64 ** -0.5)


def joint_attention(b):
    p = Program("joint_attention", "Attention of a text and an image to both (Stable Diffusion 3), 24 heads of 64, 256 + 64 per batch rows.")
    parts, whole, attend = joint(p, b)
    return p.text(attend(whole[0]))


def joint_attention_parts(b):
    p = Program("joint_attention_parts", "The same, with the text's rows and the image's as results of their own.")
    parts, whole, attend = joint(p, b)
    return p.text(*(attend(q) for q in parts[0]))


def rotary_qkv(b):
    p = Program("rotary_qkv", "RMSNorm, one projection to queries, keys and values, which is cut, heads, and the rotation of queries and keys (LLaMA-2-7B).")
    x, g, w = p.arg("x", 8 * b, 4096), p.arg("g", 4096), p.arg("w", 4096, 3 * 4096)
    cos, sin = p.arg("cos", 8 * b, 128), p.arg("sin", 8 * b, 128)
    y = p.matmul(p.rms_norm(x, g), w)
    q, k, v = (transpose(p, reshape(p, part(p, y, i * 4096, i * 4096 + 4096), 8 * b, 32, 128), 1, 0, 2) for i in range(3))
    return p.text(rotated(p, q, cos, sin), rotated(p, k, cos, sin), v)


def statistics(p, name, *shape):
    """What is known of rows, in f32."""
    v = p.arg(name, *shape)
    p.types[v] = (shape, "f32")
    return reshape(p, v, *shape, 1)


def score_gradients(p, s, ds, lse, delta, scale):
    """Weights exp(s scale - lse), and those times ds - delta: what softmax hands back."""
    powers = [f"%c = arith.constant {scale:e} : f32", "%s = arith.mulf %e0, %c : f32", "%d = arith.subf %s, %e1 : f32"]
    weights = p.in_f32([s, lse], powers + ["%f = math.exp %d : f32"])
    return weights, p.in_f32([s, lse, ds, delta], powers + ["%w = math.exp %d : f32", "%t = arith.subf %e2, %e3 : f32", "%f = arith.mulf %w, %t : f32"])


def rows_of_gradients(p, heads, queries, keys, depth, delta=True):
    """What a backward pass of attention reads, scores and the gradients of weights first."""
    q, k, v, do = (p.arg(name, heads, rows, depth) for name, rows in (("q", queries), ("k", keys), ("v", keys), ("do", queries)))
    lse = statistics(p, "lse", heads, queries)
    if delta:
        delta = statistics(p, "delta", heads, queries)
    else:
        delta = p.reduce(in_f32(p, [p.arg("o", heads, queries, depth), do], ["%f = arith.mulf %e0, %e1 : f32"]))
    s, dp = (p.batch_matmul(x, transpose(p, y, 0, 2, 1)) for x, y in ((q, k), (do, v)))
    return q, k, do, *score_gradients(p, s, dp, lse, delta, depth ** -0.5)


def query_gradients(heads, queries, keys, depth):
    p = Program("attention_dq", f"Backward pass of attention: gradients of queries, of {heads} heads of {depth}, by the logarithms of sums.")
    q, k, do, weights, ds = rows_of_gradients(p, heads, queries, keys, depth)
    return p.text(p.scale(p.batch_matmul(ds, k), depth ** -0.5))


def key_gradients(heads, queries, keys, depth):
    p = Program("attention_dkv", f"Backward pass of attention: gradients of keys and values, of {heads} heads of {depth}.")
    q, k, do, weights, ds = rows_of_gradients(p, heads, queries, keys, depth)
    dk = p.scale(p.batch_matmul(transpose(p, ds, 0, 2, 1), q), depth ** -0.5)
    return p.text(dk, p.batch_matmul(transpose(p, weights, 0, 2, 1), do))


def attention_gradients(heads, queries, keys, depth):
    p = Program("attention_backward", f"Backward pass of attention: gradients of queries, keys and values, of {heads} heads of {depth}.")
    q, k, do, weights, ds = rows_of_gradients(p, heads, queries, keys, depth, delta=False)
    dq = p.scale(p.batch_matmul(ds, k), depth ** -0.5)
    dk = p.scale(p.batch_matmul(transpose(p, ds, 0, 2, 1), q), depth ** -0.5)
    return p.text(dq, dk, p.batch_matmul(transpose(p, weights, 0, 2, 1), do))


def attention_dq(b):
    return query_gradients(16 * b, 512, 512, 64)


def attention_dkv(b):
    return key_gradients(16 * b, 512, 512, 64)


def attention_backward(b):
    return attention_gradients(16 * b, 512, 512, 64)


def cached_attention(b):
    p = Program("cached_attention", "Attention of new positions to a cache of 4K keys and to themselves, which are concatenated, 32 heads of 128.")
    q, k, v = p.arg("q", 32, b, 128), p.arg("k", 32, 4096, 128), p.arg("v", 32, 4096, 128)
    keys, values = concat(p, k, p.arg("nk", 32, b, 128), 1), concat(p, v, p.arg("nv", 32, b, 128), 1)
    return p.text(safe_attention(p, q, transpose(p, keys, 0, 2, 1), values, 128 ** -0.5))


def decode_attention(p, x, g, w, wo, cos, sin, ks, vs):
    """LLaMA-2-7B's attention of one new position of each sequence, with the residual; and the keys and values that the cache grows by."""
    b = p.types[x][0][0]
    y = p.matmul(p.rms_norm(x, g), w)
    q, k, v = (transpose(p, reshape(p, part(p, y, i * 4096, i * 4096 + 4096), b, 32, 128), 1, 0, 2) for i in range(3))
    q, k = rotated(p, q, cos, sin), rotated(p, k, cos, sin)
    o = safe_attention(p, q, transpose(p, concat(p, ks, k, 1), 0, 2, 1), concat(p, vs, v, 1), 128 ** -0.5)
    return p.add(x, p.matmul(reshape(p, transpose(p, o, 1, 0, 2), b, 4096), wo)), k, v


def llama_decode(b):
    p = Program("llama_decode", "A whole attention layer of LLaMA-2-7B: norm, one projection, rotation, a cache of 4K keys that new ones are added to, residual.")
    x, g, w, wo = p.arg("x", b, 4096), p.arg("g", 4096), p.arg("w", 4096, 3 * 4096), p.arg("wo", 4096, 4096)
    cos, sin, ks, vs = p.arg("cos", b, 128), p.arg("sin", b, 128), p.arg("ks", 32, 4096, 128), p.arg("vs", 32, 4096, 128)
    return p.text(*decode_attention(p, x, g, w, wo, cos, sin, ks, vs))


def lstm(b):
    p = Program("lstm", "An LSTM cell of 1024 as it is written: eight products, four gates, the new state and output.")
    x, h, c = p.arg("x", 8 * b, 1024), p.arg("h", 8 * b, 1024), p.arg("c", 8 * b, 1024)

    def gate(name, function):
        z = p.add(p.matmul(x, p.arg("w" + name, 1024, 1024)), p.matmul(h, p.arg("u" + name, 1024, 1024)))
        return p.in_f32([z, p.arg("b" + name, 1024)], ["%z = arith.addf %e0, %e1 : f32"] + function)

    sigmoid = sigmoid_lines("%z", "%f")
    i, f, o = (gate(name, sigmoid) for name in "ifo")
    g = gate("g", ["%f = math.tanh %z : f32"])
    state = p.add(p.mul(f, c), p.mul(i, g))
    return p.text(p.mul(o, p.in_f32([state], ["%f = math.tanh %e0 : f32"])), state)


def linear(p, x, name, n):
    """A square linear layer as torch stores it: x wᵀ + b."""
    return p.in_f32([p.matmul(x, transpose(p, p.arg("w" + name, n, n), 1, 0)), p.arg("b" + name, n)], ["%f = arith.addf %e0, %e1 : f32"])


def gru(b):
    p = Program("gru", "A GRU cell of 512 with weights as torch stores them: six products, three gates.")
    x, h = p.arg("x", 8 * b, 512), p.arg("h", 8 * b, 512)
    sigmoid = ["%z = arith.addf %e0, %e1 : f32"] + sigmoid_lines("%z", "%f")
    r, z = (p.in_f32([linear(p, x, "i" + name, 512), linear(p, h, "h" + name, 512)], sigmoid) for name in "rz")
    n = p.in_f32([linear(p, x, "in", 512), p.mul(r, linear(p, h, "hn", 512))], ["%z = arith.addf %e0, %e1 : f32", "%f = math.tanh %z : f32"])
    return p.text(p.in_f32([z, n, h], ["%one = arith.constant 1.0 : f32", "%rest = arith.subf %one, %e0 : f32", "%a = arith.mulf %rest, %e1 : f32",
                                       "%c = arith.mulf %e0, %e2 : f32", "%f = arith.addf %a, %c : f32"]))


def highway(b):
    p = Program("highway", "A highway layer of 1024 with weights as torch stores them: relu(linear(x)) and x, mixed by a gate.")
    x = p.arg("x", 64 * b, 1024)
    t = p.in_f32([linear(p, x, "t", 1024)], sigmoid_lines("%e0", "%f"))
    y = p.in_f32([linear(p, x, "h", 1024)], ["%zero = arith.constant 0.0 : f32", "%f = arith.maximumf %e0, %zero : f32"])
    return p.text(p.in_f32([t, y, x], ["%one = arith.constant 1.0 : f32", "%rest = arith.subf %one, %e0 : f32", "%a = arith.mulf %e0, %e1 : f32",
                                       "%c = arith.mulf %rest, %e2 : f32", "%f = arith.addf %a, %c : f32"]))


def fused_gate(b):
    p = Program("fused_gate", "A gated SiLU MLP without its down projection, whose two weights are one matrix (Phi-3-mini).")
    y = p.matmul(p.arg("x", 8 * b, 3072), p.arg("w", 3072, 2 * 8192))
    return p.text(p.mul(p.silu(part(p, y, 0, 8192)), part(p, y, 8192, 2 * 8192)))


def log_sum_exp(b):
    p = Program("log_sum_exp", "The safe logarithm of the sum of exponentials of a vocabulary's 32000 logits x w.")
    s = p.matmul(p.arg("x", 16 * b, 4096), p.arg("w", 4096, 32000))
    m = p.reduce(s, op="max")
    e = in_f32(p, [s, m], ["%d = arith.subf %e0, %e1 : f32", "%f = math.exp %d : f32"])
    return p.text(in_f32(p, [p.reduce(e), m], ["%l = math.log %e0 : f32", "%f = arith.addf %l, %e1 : f32"]))


def squared_relu_mlp(b):
    p = Program("squared_relu_mlp", "An MLP with squared ReLU (Nemotron-4-15B): relu(x w1)^2 w2.")
    x, w1, w2 = p.arg("x", 8 * b, 6144), p.arg("w1", 6144, 24576), p.arg("w2", 24576, 6144)
    h = p.in_f32([p.matmul(x, w1)], ["%z = arith.constant 0.0 : f32", "%m = arith.maximumf %e0, %z : f32", "%f = arith.mulf %m, %m : f32"])
    return p.text(p.matmul(h, w2))


def grouped_scales(b):
    p = Program("grouped_scales", "A linear layer whose weights have a scale and an offset for each group of 128 inputs, stored as GPTQ does: x ((w - z) s)ᵀ.")
    x, w, z, s = p.arg("x", 16 * b, 4096), p.arg("w", 4096, 4096), p.arg("z", 4096, 32, 1), p.arg("s", 4096, 32, 1)
    d = p.in_f32([reshape(p, w, 4096, 32, 128), z, s], ["%d = arith.subf %e0, %e1 : f32", "%f = arith.mulf %d, %e2 : f32"])
    return p.text(p.matmul(x, transpose(p, reshape(p, d, 4096, 4096), 1, 0)))


def in_blocks(p, a):
    """A matrix as blocks of 128 x 128."""
    rows, columns = p.types[a][0]
    return reshape(p, reshape(p, a, rows // 128, 128, columns), rows // 128, 128, columns // 128, 128)


def of_blocks(p, a):
    i, j, k, l = p.types[a][0]
    return reshape(p, reshape(p, a, i * j, k, l), i * j, k * l)


def block_scaled(p, name, rows, columns):
    """Weights with a scale for each block of 128 x 128."""
    w, s = p.arg("w" + name, rows, columns), p.arg("s" + name, rows // 128, columns // 128)
    sizes = {"n": rows // 128, "l": 128, "k": columns // 128, "m": 128}
    return of_blocks(p, indexed(p, [in_blocks(p, w), s], ["nlkm", "nk"], "nlkm", sizes, ["%f = arith.mulf %e0, %e1 : f32"]))


def block_scaled_matvec(b):
    p = Program("block_scaled_matvec", "Weights with a scale for each block of 128 x 128, times a vector.")
    rows = 6144 * b
    return p.text(contract(p, block_scaled(p, "", rows, 4096), p.arg("x", 4096), "nk", "nk", "k", "n", {"n": rows, "k": 4096}))


def block_scaled_mlp(b):
    p = Program("block_scaled_mlp", "An expert of DeepSeek-V3: SwiGLU, whose weights have a scale for each block of 128 x 128.")
    x = p.arg("x", 8 * b, 7168)

    def linear(a, name, rows):
        return p.matmul(a, transpose(p, block_scaled(p, name, rows, p.types[a][0][1]), 1, 0))

    return p.text(linear(p.mul(p.silu(linear(x, "gate", 2048)), linear(x, "up", 2048)), "down", 7168))


def repeated_scales(b):
    p = Program("repeated_scales", "A linear layer whose weights have a scale for each block of 128 x 128, which is repeated for each of them, as torch.repeat_interleave does.")
    x, w, s = p.arg("x", 8 * b, 4096), p.arg("w", 4096, 4096), p.arg("s", 32, 32)
    columns = reshape(p, broadcast(p, s, 2, 128), 32, 4096)
    repeated = reshape(p, broadcast(p, columns, 1, 128), 4096, 4096)
    return p.text(p.matmul(x, transpose(p, p.mul(w, repeated), 1, 0)))


def scaled_cache(b):
    p = Program("scaled_cache", "One token's grouped attention to 4096 cached keys, positions first, with a scale for each 32 elements of a key and a value.")
    q, sizes = p.arg("q", b, 8, 4, 128), {"b": b, "c": 4096, "g": 8, "r": 4, "d": 128, "k": 4, "m": 32}

    def cached(name):
        a, s = p.arg(name, b, 4096, 8, 128), p.arg("s" + name, b, 4096, 8, 4)
        scaled = indexed(p, [reshape(p, a, b, 4096, 8, 4, 32), s], ["bcgkm", "bcgk"], "bcgkm", sizes, ["%f = arith.mulf %e0, %e1 : f32"])
        return reshape(p, scaled, b, 4096, 8, 128)

    t = scores(p, contract(p, q, cached("k"), "bgrcd", "bgrd", "bcgd", "bgrc", sizes), 128 ** -0.5)
    return p.text(contract(p, safe_softmax(p, t), cached("v"), "bgrdc", "bgrc", "bcgd", "bgrd", sizes))


def modulated_norm(b):
    p = Program("modulated_norm", "A norm of a diffusion transformer (adaLN): (1 + scale) norm(x) + shift, for each sequence a scale and a shift that are halves of one tensor.")
    x, m = p.arg("x", 8, 32 * b, 1024), p.arg("m", 8, 2048)
    shift, scale = (reshape(p, part(p, m, i * 1024, (i + 1) * 1024), 8, 1, 1024) for i in (0, 1))
    return p.text(standardized(p, x, [scale, shift], ["%y = arith.mulf %e0, %i : f32", "%o = arith.constant 1.0 : f32", "%g = arith.addf %e2, %o : f32",
                                                      "%z = arith.mulf %y, %g : f32", "%f = arith.addf %z, %e3 : f32"]))


def box_overlaps(b):
    p = Program("box_overlaps", "The largest overlap of each box with any of 300 others, of intersection over union: boxes are rows of two corners.")
    x, y = p.arg("x", 1024 * b, 4), p.arg("y", 300, 4)
    sides = [part(p, x, i, i + 1) for i in range(4)] + [reshape(p, part(p, y, i, i + 1), 300) for i in range(4)]
    op = ["%z = arith.constant 0.0 : f32"]
    for d in range(2):
        op += [f"%l{d} = arith.maximumf %e{d}, %e{4 + d} : f32", f"%u{d} = arith.minimumf %e{2 + d}, %e{6 + d} : f32",
               f"%s{d} = arith.subf %u{d}, %l{d} : f32", f"%i{d} = arith.maximumf %s{d}, %z : f32"]
    for k in range(2):
        op += [f"%w{k} = arith.subf %e{4 * k + 2}, %e{4 * k} : f32", f"%h{k} = arith.subf %e{4 * k + 3}, %e{4 * k + 1} : f32", f"%b{k} = arith.mulf %w{k}, %h{k} : f32"]
    op += ["%i = arith.mulf %i0, %i1 : f32", "%t = arith.addf %b0, %b1 : f32", "%n = arith.subf %t, %i : f32", "%f = arith.divf %i, %n : f32"]
    return p.text(p.half(p.reduce(p.in_f32(sides, op), op="max")))


def gated_output(b):
    p = Program("gated_output", "A linear layer behind a sigmoid gate: (x w) * sigmoid(x wg) + x.")
    x, w, wg = p.arg("x", 16 * b, 4096), p.arg("w", 4096, 4096), p.arg("wg", 4096, 4096)
    s = p.in_f32([p.matmul(x, wg)], sigmoid_lines("%e0", "%f"))
    return p.text(p.add(p.mul(p.matmul(x, w), s), x))


def rms_gelu_mlp(b):
    p = Program("rms_gelu_mlp", "RMSNorm, then a GELU (tanh) MLP: too large to be searched whole.")
    x, g, w1, w2 = p.arg("x", 8 * b, 1024), p.arg("g", 1024), p.arg("w1", 1024, 4096), p.arg("w2", 4096, 1024)
    return p.text(p.matmul(gelu_tanh(p, p.matmul(p.rms_norm(x, g), w1)), w2))


def by_row(p, x, op, square=False):
    """What op makes of the sum of each row, without the dimension of size 1 meanwhile, as linalg.reduce leaves it."""
    rows = p.types[x][0][0]
    return reshape(p, in_f32(p, [reshape(p, p.reduce(x, square=square), rows)], op), rows, 1)


def qkv_biases(b):
    p = Program("qkv_biases", "RMSNorm and the projections to queries, keys and values, with biases (Qwen2-0.5B).")
    x, g = p.arg("x", 8 * b, 896), p.arg("g", 896)
    inverse = by_row(p, x, ["%n = arith.constant 8.96e+02 : f32", "%eps = arith.constant 1.0e-06 : f32", "%m = arith.divf %e0, %n : f32",
                            "%s = arith.addf %m, %eps : f32", "%f = math.rsqrt %s : f32"], square=True)
    n = p.in_f32([x, inverse, g], ["%y = arith.mulf %e0, %e1 : f32", "%f = arith.mulf %y, %e2 : f32"])
    return p.text(*(p.add(p.matmul(n, p.arg("w" + name, 896, size)), p.arg("b" + name, size))
                    for name, size in (("q", 896), ("k", 128), ("v", 128))))


def layer_norm_rows(b):
    p = Program("layer_norm_rows", "Layer normalization, mean and variance without the dimension of size 1, then a linear layer.")
    x, g, bias = p.arg("x", 24 * b, 1000), p.arg("g", 1000), p.arg("b", 1000)
    n = "%n = arith.constant 1.0e+03 : f32"
    centered = in_f32(p, [x, by_row(p, x, [n, "%f = arith.divf %e0, %n : f32"])], ["%f = arith.subf %e0, %e1 : f32"])
    inverse = by_row(p, centered, [n, "%eps = arith.constant 1.0e-05 : f32", "%m = arith.divf %e0, %n : f32", "%s = arith.addf %m, %eps : f32",
                                   "%f = math.rsqrt %s : f32"], square=True)
    y = p.in_f32([centered, inverse, g, bias],
                 ["%y = arith.mulf %e0, %e1 : f32", "%z = arith.mulf %y, %e2 : f32", "%f = arith.addf %z, %e3 : f32"])
    return p.text(p.matmul(y, p.arg("w", 1000, 3000)))


def broadcast(p, x, dim, size):
    """The tensor repeated along a new dimension."""
    shape, elt = p.types[x]
    init, wide = p.empty(shape[:dim] + (size,) + shape[dim:], elt), p.fresh()
    p.types[wide] = p.types[init]
    p.body.append(f"{wide} = linalg.broadcast ins({x} : {p.type(x)}) outs({init} : {p.type(init)}) dimensions = [{dim}]")
    return wide


def repeated_heads(b):
    p = Program("repeated_heads", "Attention of 32 query heads of 128 to 1000 keys and values of 8 heads, which are repeated.")
    q, k, v = p.arg("q", 32, b, 128), p.arg("k", 8, 1000, 128), p.arg("v", 8, 1000, 128)

    def repeated(x):
        return reshape(p, broadcast(p, x, 1, 4), 32, 1000, 128)

    return p.text(safe_attention(p, q, transpose(p, repeated(k), 0, 2, 1), repeated(v), 128 ** -0.5))


def grouped_layer(b):
    """As a layer of torch has them: [sequence, position, head, element], transposed, keys and values repeated."""
    p = Program("grouped_layer", "Attention of 32 query heads of 128 to keys and values of 8 heads, 1024 positions of each sequence, all with positions first.")
    q, k, v = p.arg("q", b, 1024, 32, 128), p.arg("k", b, 1024, 8, 128), p.arg("v", b, 1024, 8, 128)

    def repeated(x):
        return reshape(p, broadcast(p, transpose(p, x, 0, 2, 1, 3), 2, 4), b, 32, 1024, 128)

    def merged(x):
        return reshape(p, x, 32 * b, *p.types[x][0][2:])

    s = scores(p, p.batch_matmul(merged(transpose(p, q, 0, 2, 1, 3)), merged(transpose(p, repeated(k), 0, 1, 3, 2))), 128 ** -0.5)
    o = reshape(p, p.batch_matmul(safe_softmax(p, s), merged(repeated(v))), b, 32, 1024, 128)
    return p.text(transpose(p, o, 0, 2, 1, 3))


def grouped_rotary(b):
    p = Program("grouped_rotary", "Attention of new positions to a cache of 4K keys, as LLaMA-3-8B has it: 32 rotated query heads of 128, keys and values of 8 heads repeated.")
    q, cos, sin = p.arg("q", 32, b, 128), p.arg("cos", b, 128), p.arg("sin", b, 128)
    k, v = p.arg("k", 8, 4096, 128), p.arg("v", 8, 4096, 128)

    def repeated(x):
        return reshape(p, broadcast(p, x, 1, 4), 32, 4096, 128)

    return p.text(safe_attention(p, rotated(p, q, cos, sin), transpose(p, repeated(k), 0, 2, 1), repeated(v), 128 ** -0.5))


def grouped_cache(b):
    p = Program("grouped_cache", "Attention of new positions to a cache of 4K keys and to themselves: keys and values of 8 heads, concatenated, then repeated for 32.")
    q, k, v = p.arg("q", 32, b, 128), p.arg("k", 8, 4096, 128), p.arg("v", 8, 4096, 128)

    def repeated(x, name):
        return reshape(p, broadcast(p, concat(p, x, p.arg(name, 8, b, 128), 1), 1, 4), 32, 4096 + b, 128)

    return p.text(safe_attention(p, q, transpose(p, repeated(k, "nk"), 0, 2, 1), repeated(v, "nv"), 128 ** -0.5))


def grouped_decode(b):
    p = Program("grouped_decode", "Attention of a new position as LLaMA-3-8B has it: queries and the new keys are rotated, added to a cache of 4K keys of 8 heads, and repeated.")
    q, cos, sin = p.arg("q", 32, b, 128), p.arg("cos", b, 128), p.arg("sin", b, 128)
    k, v, nv = p.arg("k", 8, 4096, 128), p.arg("v", 8, 4096, 128), p.arg("nv", 8, b, 128)
    nk = rotated(p, p.arg("nk", 8, b, 128), cos, sin)

    def repeated(x, new):
        return reshape(p, broadcast(p, concat(p, x, new, 1), 1, 4), 32, 4096 + b, 128)

    o = safe_attention(p, rotated(p, q, cos, sin), transpose(p, repeated(k, nk), 0, 2, 1), repeated(v, nv), 128 ** -0.5)
    return p.text(o, nk)


def normed_rotary(b):
    p = Program("normed_rotary", "Self-attention of 512 positions, 16 heads of 128, whose queries and keys are normalized with gains, then rotated (Qwen3).")
    q, k, v = (p.arg(name, 16 * b, 512, 128) for name in "qkv")
    cos, sin = p.arg("cos", 512, 128), p.arg("sin", 512, 128)

    def normed(x, gain):
        rows = reshape(p, x, 16 * b * 512, 128)
        return rotated(p, reshape(p, p.rms_norm(rows, p.arg(gain, 128)), 16 * b, 512, 128), cos, sin)

    q, k = normed(q, "gq"), normed(k, "gk")
    return p.text(safe_attention(p, q, transpose(p, k, 0, 2, 1), v, 128 ** -0.5))


def group_norm(b):
    p = Program("group_norm", "A group norm of 320 channels in 32 groups, 32 x 32 positions, with gains and biases (a residual network of Stable Diffusion).")
    x, g, bias = p.arg("x", b, 320, 1024), p.arg("g", 320, 1), p.arg("bias", 320, 1)
    groups = reshape(p, reshape(p, x, b, 32, 10, 1024), b, 32, 10240)
    y = standardized(p, groups, [], ["%f = arith.mulf %e0, %i : f32"])
    y = reshape(p, reshape(p, y, b, 32, 10, 1024), b, 320, 1024)
    return p.text(p.in_f32([y, g, bias], ["%m = arith.mulf %e0, %e1 : f32", "%f = arith.addf %m, %e2 : f32"]))


def multi_query_attention(b):
    p = Program("multi_query_attention", "Attention of one query of 32 heads of 128 to 2048 keys and values that all heads share, sequence by sequence.")
    q, k, v = p.arg("q", 32 * b, 1, 128), p.arg("k", b, 2048, 128), p.arg("v", b, 2048, 128)

    def repeated(x):
        return reshape(p, broadcast(p, x, 1, 32), 32 * b, 2048, 128)

    return p.text(safe_attention(p, q, transpose(p, repeated(k), 0, 2, 1), repeated(v), 128 ** -0.5))


def multi_query_folded(b):
    p = Program("multi_query_folded", "Attention of one query of 32 heads to 2048 keys that they share, its batches folded into rows as torch.matmul does it.")
    n = 32 * b
    q, k, v = p.arg("q", n, 1, 128), p.arg("k", 2048, 128), p.arg("v", 2048, 128)
    s = scores(p, reshape(p, p.matmul(reshape(p, q, n, 128), transpose(p, k, 1, 0)), n, 1, 2048), 128 ** -0.5)
    return p.text(reshape(p, p.matmul(reshape(p, safe_softmax(p, s), n, 2048), v), n, 1, 128))


def gram(b):
    p = Program("gram", "relu(x xᵀ), where one tensor is the rows and the columns.")
    x = p.arg("x", 1024 * b, 128)
    return p.text(p.relu(p.matmul(x, transpose(p, x, 1, 0))))


def dual_softmax(b):
    p = Program("dual_softmax", "softmax(s) softmax(sᵀ)ᵀ, elementwise: how likely two features are each other's nearest ones.")
    s = p.arg("s", 512 * b, 512 * b)
    return p.text(p.mul(safe_softmax(p, s), transpose(p, safe_softmax(p, transpose(p, s, 1, 0)), 1, 0)))


def projected_scores(b):
    p = Program("projected_scores", "softmax((x wqᵀ)(x wkᵀ)ᵀ), of which one kernel has to read small matrices transposed.")
    x, wq, wk = p.arg("x", 512 * b, 128), p.arg("wq", 128, 128), p.arg("wk", 128, 128)
    q, k = (p.matmul(x, transpose(p, w, 1, 0)) for w in (wq, wk))
    return p.text(safe_softmax(p, p.matmul(q, transpose(p, k, 1, 0))))


def linear_attention_denominator(b):
    p = Program("linear_attention_denominator", "(q kᵀ) v / (q kᵀ) 1: cheapest with one grid dimension for the columns of keys in one sum, and of values in another.")
    q, k, v = (p.arg(name, 2048 * b, 64) for name in "qkv")
    a = p.matmul(q, transpose(p, k, 1, 0))
    return p.text(p.div(p.matmul(a, v), p.reduce(a)))


def product_trace(b):
    p = Program("product_trace", "The sum of the elements of (a b) c, elementwise: cheapest where the last kernel only adds up partial results.")
    x, y, z = (p.arg(name, 256 * b, 256 * b) for name in "abc")
    rows = p.reduce(transpose(p, p.mul(p.matmul(x, y), z), 1, 0))
    return p.text(p.half(p.reduce(reshape(p, reshape(p, rows, 256 * b), 1, 256 * b))))


def qkv(b):
    p = Program("qkv", "RMSNorm and the projections to queries, keys and values (LLaMA-2-7B).")
    x, g = p.arg("x", 8 * b, 4096), p.arg("g", 4096)
    n = p.rms_norm(x, g)
    return p.text(*(p.matmul(n, p.arg(w, 4096, 4096)) for w in ("wq", "wk", "wv")))


def qkv_grouped(b):
    p = Program("qkv_grouped", "RMSNorm and the projections to 32 query heads and 8 key and value heads (LLaMA-3-8B).")
    x, g = p.arg("x", 8 * b, 4096), p.arg("g", 4096)
    n = p.rms_norm(x, g)
    return p.text(*(p.matmul(n, p.arg(w, 4096, width)) for w, width in (("wq", 4096), ("wk", 1024), ("wv", 1024))))


def gemma_mlp(b):
    p = Program("gemma_mlp", "RMSNorm, then a GeGLU (tanh) MLP (Gemma-2B): too large to be searched whole as it is.")
    x, g, w1, w2, w3 = p.arg("x", 8 * b, 2048), p.arg("g", 2048), p.arg("w1", 2048, 16384), p.arg("w2", 2048, 16384), p.arg("w3", 16384, 2048)
    n = p.rms_norm(x, g)
    return p.text(p.matmul(p.mul(gelu_tanh(p, p.matmul(n, w1)), p.matmul(n, w2)), w3))


def gpt2_mlp(b):
    p = Program("gpt2_mlp", "The second half of a GPT-2 block: layer norm, GELU (tanh) MLP with biases, and the residual. Too large to be searched whole.")
    x, g, c = p.arg("x", 8 * b, 768), p.arg("g", 768), p.arg("c", 768)
    w1, b1, w2, b2 = p.arg("w1", 768, 3072), p.arg("b1", 3072), p.arg("w2", 3072, 768), p.arg("b2", 768)
    h = gelu_tanh(p, p.add(p.matmul(layer_normed(p, x, g, c), w1), b1))
    return p.text(p.add(x, p.add(p.matmul(h, w2), b2)))


def gpt2_qkv(b):
    p = Program("gpt2_qkv", "The first part of a GPT-2 block: layer norm, and the projections to queries, keys and values with biases. Too large to be searched whole.")
    n = layer_normed(p, p.arg("x", 8 * b, 768), p.arg("g", 768), p.arg("c", 768))
    return p.text(*(p.add(p.matmul(n, p.arg("w" + name, 768, 768)), p.arg("b" + name, 768)) for name in "qkv"))


def two_norms(b):
    p = Program("two_norms", "RMSNorm, then layer norm.")
    n = p.rms_norm(p.arg("x", 16 * b, 1024), p.arg("g", 1024))
    return p.text(layer_normed(p, n, p.arg("h", 1024), p.arg("c", 1024)))


def residual_linear(b):
    p = Program("residual_linear", "A residual that is added, normalized and multiplied by weights, and returned, too (hidden size 5120).")
    h = p.add(p.arg("x", 8 * b, 5120), p.arg("r", 8 * b, 5120))
    return p.text(p.matmul(p.rms_norm(h, p.arg("g", 5120)), p.arg("w", 5120, 5120)), h)


def layer_norm_swiglu(b):
    p = Program("layer_norm_swiglu", "Layer norm with gain and bias, then the two products of a SwiGLU.")
    n = layer_normed(p, p.arg("x", 16 * b, 1024), p.arg("g", 1024), p.arg("c", 1024))
    return p.text(p.mul(p.silu(p.matmul(n, p.arg("w1", 1024, 2816))), p.matmul(n, p.arg("w2", 1024, 2816))))


def transformer_block(b):
    p = Program("transformer_block", "A whole block of one head: RMSNorm, self-attention between projections, residual, RMSNorm, SwiGLU MLP, residual. Searched in parts.")
    x, g, g2 = p.arg("x", 512 * b, 512), p.arg("g", 512), p.arg("g2", 512)
    n = p.rms_norm(x, g)
    q, k, v = (p.matmul(n, p.arg(w, 512, 64)) for w in ("wq", "wk", "wv"))
    s = safe_softmax(p, scores(p, p.matmul(q, transpose(p, k, 1, 0)), 64 ** -0.5))
    h = p.add(x, p.matmul(p.matmul(s, v), p.arg("wo", 64, 512)))
    m = p.rms_norm(h, g2)
    return p.text(p.add(h, p.matmul(p.mul(p.silu(p.matmul(m, p.arg("w1", 512, 1376))), p.matmul(m, p.arg("w2", 512, 1376))), p.arg("w3", 1376, 512))))


PROGRAMS = {f.__name__: f for f in (
    llama_mlp, llama_mlp_residual, llama_mlp_up, softmax, masked_attention, masked_attention_keys, sink_attention,
    cross_attention, cross_attention_long, cross_attention_heads, low_rank_attention, low_rank_attention_unsafe,
    low_rank_attention_heads, low_rank_attention_batches, mla_prefill, mla_decode, sink_column, positions_first, sequences_first, normalizer, pair_bias, head_norm_output, state_space_chunk,
    forgetting_attention, layer_norm, layer_norm_linear, linear_attention,
    linear_attention_exp, linear_attention_elu, geglu_tanh, geglu_sigmoid, large_matmul, bias_relu, residual_norm,
    lora_scaled, batch_chain, moe_gate, attention_projection, llama_attention, rotary_attention, rotary_keys, rotary_prefill,
    rotary_pairs, rotary_pairs_prefill, joint_attention, joint_attention_parts, rotary_qkv, attention_dq, attention_dkv, attention_backward, cached_attention, llama_decode, fused_gate, lstm, gru, highway, log_sum_exp, squared_relu_mlp, grouped_scales, block_scaled_matvec, block_scaled_mlp,
    repeated_scales, scaled_cache, modulated_norm, box_overlaps, gated_output,
    rms_gelu_mlp, gemma_mlp, gpt2_mlp, qkv, qkv_grouped, qkv_biases, gpt2_qkv, layer_norm_rows, repeated_heads,
    grouped_layer, grouped_rotary, grouped_cache, grouped_decode, normed_rotary, group_norm, multi_query_attention, multi_query_folded, gram, dual_softmax, projected_scores, linear_attention_denominator, product_trace, self_attention, two_norms,
    residual_linear, layer_norm_swiglu, transformer_block)}

if __name__ == "__main__":
    if sys.argv[1:] in ([], ["list"]):
        for name in PROGRAMS:
            print(name)
    elif sys.argv[1] == "all":
        os.makedirs(sys.argv[2], exist_ok=True)
        for name, f in PROGRAMS.items():
            for b in (1, 8, 16):
                with open(f"{sys.argv[2]}/{name}_b{b}.mlir", "w") as out:
                    out.write(f(b))
    elif sys.argv[1] not in PROGRAMS:
        sys.exit(f"{sys.argv[1]} is none of these programs: {', '.join(PROGRAMS)}")
    else:
        print(PROGRAMS[sys.argv[1]](int(sys.argv[2]) if len(sys.argv) > 2 else 1), end="")
