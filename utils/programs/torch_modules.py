#!/usr/bin/env python3
"""PyTorch modules as linalg on tensors, through torch-mlir: what its users have. Weights are arguments.

  torch_modules.py list                       the modules, a line each
  torch_modules.py NAME.. --to DIR            some of them, each a file; `all` for all
  torch_modules.py NAME.. --small             small sizes, one file on standard output

It needs PyTorch and torch-mlir (https://github.com/llvm/torch-mlir-release/releases, its wheels are of the compiler alone).
Their output is kept in test/Search/Inputs/torch and test/Conversion/LinalgToMirage/torch.mlir, so that nothing else does."""
import math
import warnings

from exports import Exports


def export(name, made):
    import torch
    from torch_mlir import fx
    warnings.filterwarnings("ignore")
    module, inputs = made
    module = module.eval()
    named = dict(module.named_parameters()) | {k: b for k, b in module.named_buffers() if b.is_floating_point()}

    class WithWeights(torch.nn.Module):
        """The module with its weights as arguments, in front of the others."""
        def forward(self, *values):
            return torch.func.functional_call(module, dict(zip(named, values)), values[len(named):])

    weights = [p.detach() for p in named.values()]
    return str(fx.export_and_import(WithWeights(), *weights, *inputs, output_type="linalg-on-tensors", func_name=name))


def half(*shape):
    import torch
    return torch.randn(*shape, dtype=torch.float16)


EXPORTS = Exports()
program = EXPORTS.program


def linear(inputs, outputs, bias=False):
    import torch
    return torch.nn.Linear(inputs, outputs, bias=bias, dtype=torch.float16)


def module(forward, **parts):
    """A module of parts, whose `forward` gets it as `self`."""
    import torch

    class Module(torch.nn.Module):
        def __init__(self):
            super().__init__()
            for name, part in parts.items():
                setattr(self, name, part)

    Module.forward = forward
    return Module()


def rms_norm(size):
    """As in LLaMA: in f32, rounded in front of the gain."""
    import torch

    def forward(self, x):
        y = x.float()
        y = y * torch.rsqrt(y.pow(2).mean(-1, keepdim=True) + 1e-5)
        return y.to(x.dtype) * self.weight
    return module(forward, weight=torch.nn.Parameter(torch.ones(size, dtype=torch.float16)))


def layer_norm(size):
    import torch
    return torch.nn.LayerNorm(size, dtype=torch.float16)


def rotate(x):
    import torch
    a, b = x.chunk(2, -1)
    return torch.cat([-b, a], -1)


def heads(x, count):
    return x.view(x.shape[0], x.shape[1], count, -1).transpose(1, 2)


def attend(*tensors, **options):
    import torch
    return torch.nn.functional.scaled_dot_product_attention(*tensors, **options)


def merge(x):
    x = x.transpose(1, 2)
    return x.reshape(x.shape[0], x.shape[1], -1)


@program
def rms_linear(n):
    """RMSNorm and a projection"""
    d, f = n(4096, 8), n(6144, 12)
    return module(lambda self, x: self.linear(self.norm(x)), norm=rms_norm(d), linear=linear(d, f)), (half(n(8, 2), d),)


@program
def llama_mlp(n):
    """LLaMA's MLP with its norm and residual"""
    from torch.nn.functional import silu
    d, f = n(4096, 8), n(11008, 12)

    def forward(self, x):
        y = self.norm(x)
        return x + self.down(silu(self.gate(y)) * self.up(y))
    return module(forward, norm=rms_norm(d), gate=linear(d, f), up=linear(d, f), down=linear(f, d)), (half(n(8, 2), d),)


@program
def lora(n):
    """a projection with a low-rank update"""
    d, r = n(4096, 8), n(16, 2)
    return module(lambda self, x: self.w(x) + 2.0 * self.b(self.a(x)), w=linear(d, d), a=linear(d, r), b=linear(r, d)), (half(n(8, 2), d),)


@program
def experts(n):
    """the first products of all experts, by einsum"""
    import torch
    d, e, f = n(2048, 8), n(8, 2), n(1024, 12)
    return module(lambda self, x, w: torch.nn.functional.silu(torch.einsum("td,edf->tef", x, w))), (half(n(16, 3), d), half(e, d, f))


@program
def geglu(n):
    """GeGLU of one projection"""
    from torch.nn.functional import gelu
    d, f = n(4096, 8), n(8192, 12)

    def forward(self, x):
        a, b = self.linear(x).chunk(2, -1)
        return a * gelu(b)
    return module(forward, linear=linear(d, 2 * f, bias=True)), (half(n(8, 2), d),)


@program
def norm_linear_gelu(n):
    """layer norm, a projection and GELU"""
    from torch.nn.functional import gelu
    d = n(4096, 8)
    return module(lambda self, x: gelu(self.linear(self.norm(x))), norm=layer_norm(d), linear=linear(d, d, bias=True)), (half(n(8, 2), d),)


def make_attention(n, queries, keys, groups=1, size=64, **options):
    h, d = n(32, 4), n(size, 4)
    q = half(1, h, queries, d)
    k, v = (half(1, h // groups, keys, d) for _ in "kv")
    return module(lambda self, q, k, v: attend(q, k, v, **options)), (q, k, v)


@program
def attention(n):
    """scaled_dot_product_attention"""
    return make_attention(n, n(512, 4), n(512, 6))


@program
def attention_causal(n):
    """the same with is_causal"""
    return make_attention(n, n(512, 6), n(512, 6), is_causal=True)


@program
def attention_grouped(n):
    """one query to a cache, four heads share one of it"""
    return make_attention(n, 1, n(4096, 6), groups=n(4, 2), size=128, enable_gqa=True)


@program
def attention_masked(n):
    """with a mask that is an argument"""
    h, d, queries, keys = n(16, 2), n(64, 4), n(64, 3), n(1024, 5)
    inputs = half(1, h, queries, d), half(1, h, keys, d), half(1, h, keys, d), half(1, 1, queries, keys)
    return module(lambda self, q, k, v, mask: attend(q, k, v, attn_mask=mask)), inputs


@program
def attention_boolean(n):
    """with a mask of booleans that is an argument"""
    import torch
    h, d, queries, keys = n(12, 2), n(64, 4), n(256, 3), n(256, 5)
    rows = half(3, h, queries, d), half(3, h, keys, d), half(3, h, keys, d)
    return module(lambda self, q, k, v, mask: attend(q, k, v, attn_mask=mask)), (*rows, torch.ones(3, 1, queries, keys, dtype=torch.bool))


@program
def attention_filled(n):
    """a causal mask by masked_fill, softmax in f32"""
    import torch
    h, d, rows = n(16, 2), n(64, 4), n(256, 5)

    def forward(self, q, k, v):
        scores = (q @ k.transpose(-1, -2)) / math.sqrt(d)
        mask = torch.tril(torch.ones(rows, rows, dtype=torch.bool))
        scores = scores.masked_fill(~mask, float("-inf"))
        return torch.softmax(scores.float(), -1).to(q.dtype) @ v
    return module(forward), tuple(half(1, h, rows, d) for _ in "qkv")


@program
def attention_window(n):
    """causal, to the last positions only, with a mask of booleans"""
    import torch
    h, d, rows, window = n(16, 2), n(64, 4), n(256, 5), n(64, 2)

    def forward(self, q, k, v):
        row, column = torch.arange(rows)[:, None], torch.arange(rows)[None, :]
        return attend(q, k, v, attn_mask=(column <= row) & (row - column < window))
    return module(forward), tuple(half(1, h, rows, d) for _ in "qkv")


@program
def rotary_causal(n):
    """rotated queries and keys, causal"""
    h, d, rows = n(12, 2), n(64, 4), n(512, 5)

    def forward(self, q, k, v, cos, sin):
        return attend(q * cos + rotate(q) * sin, k * cos + rotate(k) * sin, v, is_causal=True)
    return module(forward), (*(half(1, h, rows, d) for _ in "qkv"), half(rows, d), half(rows, d))


@program
def decode(n):
    """attention of LLaMA 3 for one token: norm, projections, rotation, cache, output, residual"""
    import torch
    d, h, kv, size, cached = n(4096, 8), n(32, 4), n(8, 2), n(128, 4), n(1023, 4)

    def forward(self, x, keys, values, cos, sin):
        y = self.norm(x)
        q, k, v = heads(self.q(y), h), heads(self.k(y), kv), heads(self.v(y), kv)
        q, k = q * cos + rotate(q) * sin, k * cos + rotate(k) * sin
        k, v = torch.cat([keys, k], 2), torch.cat([values, v], 2)
        a = attend(q, k.repeat_interleave(h // kv, 1), v.repeat_interleave(h // kv, 1))
        return x + self.o(merge(a)), k, v
    parts = dict(norm=rms_norm(d), q=linear(d, h * size), k=linear(d, kv * size), v=linear(d, kv * size), o=linear(h * size, d))
    return module(forward, **parts), (half(1, 1, d), *(half(1, kv, cached, size) for _ in "kv"), half(1, size), half(1, size))


@program
def normed_attention(n):
    """layer norms of queries and keys"""
    h, d = n(16, 2), n(64, 4)
    forward = lambda self, q, k, v: attend(self.a(q), self.b(k), v)
    return module(forward, a=layer_norm(d), b=layer_norm(d)), (half(1, h, n(64, 3), d), *(half(1, h, n(4096, 5), d) for _ in "kv"))


@program
def gpt2_block(n):
    """a block of GPT-2"""
    from torch.nn.functional import gelu
    d, h = n(768, 8), n(12, 2)

    def forward(self, x):
        q, k, v = (heads(y, h) for y in self.qkv(self.n1(x)).split(d, 2))
        x = x + self.o(merge(attend(q, k, v, is_causal=True)))
        return x + self.p(gelu(self.f(self.n2(x)), approximate="tanh"))
    parts = dict(n1=layer_norm(d), n2=layer_norm(d), qkv=linear(d, 3 * d, True), o=linear(d, d, True), f=linear(d, 4 * d, True), p=linear(4 * d, d, True))
    return module(forward, **parts), (half(1, n(128, 4), d),)


def encoder(n, norm_first):
    import torch
    # Or else it is one operator, which torch-mlir doesn't know.
    torch.backends.mha.set_fastpath_enabled(False)
    d, h = n(768, 8), n(12, 2)
    layer = torch.nn.TransformerEncoderLayer(d, h, 4 * d, activation="gelu", batch_first=True, norm_first=norm_first, dtype=torch.float16)
    return layer, (half(1, n(128, 4), d),)


@program
def encoder_layer(n):
    """torch.nn.TransformerEncoderLayer, a layer of BERT"""
    return encoder(n, norm_first=False)


@program
def encoder_layer_first(n):
    """the same with norm_first, a layer of a ViT"""
    return encoder(n, norm_first=True)


@program
def cross_attention(n):
    """with all projections"""
    d, h = n(1024, 8), n(16, 2)

    def forward(self, x, c):
        return self.o(merge(attend(heads(self.q(x), h), heads(self.k(c), h), heads(self.v(c), h))))
    return module(forward, **{name: linear(d, d, True) for name in "qkvo"}), (half(1, n(64, 3), d), half(1, n(256, 5), d))


@program
def multi_head(n):
    """torch.nn.MultiheadAttention"""
    import torch
    d = n(512, 8)
    forward = lambda self, x: self.a(x, x, x, need_weights=False)[0]
    return module(forward, a=torch.nn.MultiheadAttention(d, n(8, 2), batch_first=True, dtype=torch.float16)), (half(1, n(128, 4), d),)


@program
def linear_attention(n):
    """with elu + 1"""
    from torch.nn.functional import elu
    h, d, rows = n(16, 2), n(64, 4), n(1024, 6)

    def forward(self, q, k, v):
        q, k = elu(q) + 1, elu(k) + 1
        return (q @ (k.transpose(-1, -2) @ v)) / (q @ k.sum(-2, keepdim=True).transpose(-1, -2) + 1e-6)
    return module(forward), tuple(half(1, h, rows, d) for _ in "qkv")


@program
def latent_attention(n):
    """one query to a latent of keys and values, with the weights of both (DeepSeek)"""
    import torch
    h, d, r, keys = n(128, 4), n(128, 4), n(512, 6), n(4096, 5)

    def forward(self, q, c, wk, wv):
        q = torch.einsum("bhd,hdr->bhr", q, wk)
        p = torch.softmax(torch.einsum("bhr,bsr->bhs", q, c) * 0.0722, -1)
        return torch.einsum("bhr,hrd->bhd", torch.einsum("bhs,bsr->bhr", p, c), wv)
    return module(forward), (half(1, h, d), half(1, keys, r), half(h, d, r), half(h, r, d))


@program
def softmax_masked(n):
    """scale, mask and softmax"""
    import torch
    rows, columns = n(64, 3), n(1024, 5)
    return module(lambda self, x, mask: torch.softmax(x * 0.125 + mask, -1)), (half(n(16, 2), rows, columns), half(rows, columns))


@program
def divergence(n):
    """kl_div of two sets of logits"""
    import torch
    from torch.nn.functional import kl_div
    rows, columns = n(32, 3), n(32000, 5)
    forward = lambda self, a, b: kl_div(torch.log_softmax(a, -1), torch.softmax(b, -1), reduction="batchmean")
    return module(forward), (half(rows, columns), half(rows, columns))


@program
def conv_norm(n):
    """a convolution, batch norm and ReLU"""
    import torch
    c = n(64, 2)
    forward = lambda self, x: torch.relu(self.n(self.c(x)))
    parts = dict(c=torch.nn.Conv2d(c, c, 3, padding=1, bias=False, dtype=torch.float16), n=torch.nn.BatchNorm2d(c, dtype=torch.float16))
    return module(forward, **parts), (half(1, c, n(32, 4), n(32, 4)),)


@program
def bert_output(n):
    """projection, residual and layer norm"""
    d = n(768, 4)
    return module(lambda self, x, y: self.n(self.l(x) + y), l=linear(4 * d, d, True), n=layer_norm(d)), (half(n(16, 2), 4 * d), half(n(16, 2), d))


@program
def pooler(n):
    """mean, projection, tanh and a unit vector"""
    import torch
    d = n(768, 4)
    forward = lambda self, x: torch.nn.functional.normalize(torch.tanh(self.l(x.mean(1))), dim=-1)
    return module(forward, l=linear(d, d, True)), (half(n(4, 2), n(128, 3), d),)


@program
def adaptive_norm(n):
    """layer norm with scale and shift from a condition (DiT), and a projection"""
    from torch.nn.functional import layer_norm as norm, silu
    d = n(1152, 4)

    def forward(self, x, c):
        scale, shift = self.m(silu(c)).chunk(2, -1)
        return self.l(norm(x, x.shape[-1:]) * (1 + scale[:, None]) + shift[:, None])
    return module(forward, m=linear(d, 2 * d, True), l=linear(d, d, True)), (half(2, n(256, 3), d), half(2, d))


@program
def lstm_cell(n):
    """torch.nn.LSTMCell"""
    import torch
    d = n(1024, 4)
    forward = lambda self, x, h, c: self.cell(x, (h, c))
    return module(forward, cell=torch.nn.LSTMCell(d, d, dtype=torch.float16)), tuple(half(n(8, 2), d) for _ in "xhc")


@program
def state_space(n):
    """a step of Mamba"""
    import torch
    b, d, s = n(8, 2), n(2048, 4), n(16, 3)

    def forward(self, x, dt, a, bs, c, skip, h):
        dt = torch.nn.functional.softplus(dt)
        h = h * torch.exp(dt[..., None] * a) + (dt * x)[..., None] * bs[:, None, :]
        return (h * c[:, None, :]).sum(-1) + skip * x, h
    return module(forward), (half(b, d), half(b, d), half(d, s), half(b, s), half(b, s), half(d), half(b, d, s))


if __name__ == "__main__":
    EXPORTS.run(__doc__, export)
