"""Compiles the Triton kernels of the GPU benchmark for sm_90 in all their configurations' block sizes, which needs no GPU; and says for
how many shapes attention is tuned.
"""
import itertools
import sys
import types

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.runtime import driver

# The autotuner asks how to measure.
driver.set_active(types.SimpleNamespace(get_benchmarker=lambda: None))
sys.path.insert(0, sys.argv[1])
import triton_kernels  # noqa: E402
from programs import PROGRAMS  # noqa: E402

TYPES = {"scale": "fp32", "partial": "*fp32", "sums": "*fp32", "maxima": "*fp32"}


def compile_kernel(kernel, constants):
    """Integers are upper-case or strides, other parameters pointers to f16."""
    signature = {name: "constexpr" if name in constants else
                 TYPES.get(name) or ("i32" if name[0].isupper() or name.startswith("stride") else "*fp16") for name in kernel.arg_names}
    triton.compile(ASTSource(fn=kernel, signature=signature, constexprs=constants), target=GPUTarget("cuda", 90, 32))


compiled = 0
for name, constants in [("_norm_linear", {"EPS": 1e-5}), ("_gated", {}), ("_adapter", {"R": 16})]:
    compile_kernel(getattr(triton_kernels, name).fn, {**constants, "BM": 16, "BN": 32, "BK": 64})
    compiled += 1
compile_kernel(triton_kernels._residual, {"EPS": 1e-5, "N": 4096})
compile_kernel(triton_kernels._attention_whole, {"SPLITS": 4, "D": 64})
compiled += 2
for normalized, bn in itertools.product((False, True), (32, 64, 128)):
    compile_kernel(triton_kernels._attention_part.fn, {"EPS": 1e-5, "NORMALIZED": normalized, "SPLITS": 4, "D": 64, "BM": 64, "BN": bn})
    compiled += 1
print(f"{compiled} kernels compiled")


class Attention:
    """In place of the kernel: keeps what it would be tuned for."""
    keys = set()

    def __getitem__(self, grid):
        kernel = attention_part
        return lambda *arguments, **options: self.keys.add(
            tuple({**dict(zip(kernel.arg_names, arguments)), **options}[key] for key in kernel.keys))


class Tensor:
    device, dtype = None, None

    def __init__(self, shape):
        self.shape = shape


attention_part = triton_kernels._attention_part
triton_kernels._attention_part = Attention()
triton_kernels._attention_whole = type("Nothing", (), {"__getitem__": lambda self, grid: lambda *_, **__: None})()
torch = types.SimpleNamespace(
    cuda=types.SimpleNamespace(get_device_properties=lambda index: types.SimpleNamespace(multi_processor_count=132)),
    empty=lambda *shape, **options: Tensor(shape), empty_like=lambda tensor: tensor, float32=None)
calls = 0
for program in PROGRAMS.values():
    for batch in (1, 8, 16):
        if program.attention:
            triton_kernels.make(torch, program, [Tensor(shape) for shape in program.shapes(batch)])()
            calls += 1
print(f"attention: {calls} programs, tuned for {len(Attention.keys)}")
