"""The benchmark programs as PyTorch functions, with what they take and cost.

Shapes and formulae are those of utils/programs/linalg_programs.py, whose files the compiled programs are checked against; `torch` is
passed in, since this module is also read where there is none. All tensors are f16, in the order of the program's arguments.
"""
import math
from dataclasses import dataclass, field

EPS = 1e-5


def _rms_norm(torch, x, gain=None):
    y = x.float() * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + EPS)
    return (y if gain is None else y * gain.float()).to(x.dtype)


def _attention(torch, q, k, v, scale=1.0):
    """As a chain of operators; k is (batch, head size, context)."""
    s = torch.matmul(q, k).float() * scale
    return torch.matmul(torch.softmax(s, dim=-1).to(q.dtype), v)


def rmsnorm(torch, x, g, w):
    return torch.matmul(_rms_norm(torch, x, g), w)


def gqa(torch, q, k, v):
    return _attention(torch, q, k, v)


def gqa_8k(torch, q, k, v):
    return _attention(torch, q, k, v, 128 ** -0.5)


def qknorm(torch, q, k, v):
    return _attention(torch, _rms_norm(torch, q), _rms_norm(torch, k).transpose(1, 2), v)


def lora(torch, x, w, a, c):
    return torch.matmul(x, w) + torch.matmul(torch.matmul(x, a), c)


def gated_mlp(torch, x, w1, w2):
    return torch.nn.functional.silu(torch.matmul(x, w1)) * torch.matmul(x, w2)


def ntrans(torch, x, h, alpha):
    return _rms_norm(torch, x + alpha * (_rms_norm(torch, h) - x))


def _attention_flops(q, k, v):
    batch, rows, size = q
    return 4 * batch * rows * size * v[1]


@dataclass
class Program:
    name: str
    function: object
    # The shapes of the arguments and of the result, for a batch size.
    shapes: object
    result: object
    # Multiplications and additions on tensor cores, from the arguments' shapes.
    flops: object
    # For attention: which head size scales the scores (0: no scale), and whether q and k are normalized first.
    attention: dict = field(default_factory=dict)

    def bytes(self, batch):
        """Each input and output moved once."""
        return 2 * sum(math.prod(shape) for shape in [*self.shapes(batch), self.result(batch)])

    def floor_us(self, batch, bandwidth=4.8e12, flops=990e12):
        """Bytes at the bandwidth or flops at the rate, whichever takes longer."""
        return 1e6 * max(self.bytes(batch) / bandwidth, self.flops(*self.shapes(batch)) / flops)


PROGRAMS = {p.name: p for p in [
    Program("gqa", gqa, lambda b: [(2 * b, 256, 64), (2 * b, 64, 4096), (2 * b, 4096, 64)],
            lambda b: (2 * b, 256, 64), _attention_flops, {"scale": 1.0, "transposed": True}),
    Program("gqa_8k", gqa_8k, lambda b: [(2 * b, 8, 128), (2 * b, 128, 8192), (2 * b, 8192, 128)],
            lambda b: (2 * b, 8, 128), _attention_flops, {"scale": 128 ** -0.5, "transposed": True}),
    Program("qknorm", qknorm, lambda b: [(2 * b, 256, 64), (2 * b, 4096, 64), (2 * b, 4096, 64)],
            lambda b: (2 * b, 256, 64), _attention_flops, {"scale": 1.0, "normalized": True}),
    Program("rmsnorm", rmsnorm, lambda b: [(2 * b, 4096), (4096,), (4096, 6144)],
            lambda b: (2 * b, 6144), lambda x, g, w: 2 * x[0] * w[0] * w[1]),
    Program("lora", lora, lambda b: [(16 * b, 256), (256, 4096), (256, 16), (16, 4096)],
            lambda b: (16 * b, 4096), lambda x, w, a, c: 2 * x[0] * (w[0] * w[1] + a[0] * a[1] + c[0] * c[1])),
    Program("gated_mlp", gated_mlp, lambda b: [(8 * b, 4096), (4096, 4096), (4096, 4096)],
            lambda b: (8 * b, 4096), lambda x, w1, w2: 4 * x[0] * w1[0] * w1[1]),
    Program("ntrans", ntrans, lambda b: [(8 * b, 4096), (8 * b, 4096), (4096,)],
            lambda b: (8 * b, 4096), lambda x, h, alpha: 0),
]}
