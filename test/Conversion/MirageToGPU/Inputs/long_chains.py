#!/usr/bin/env python3
"""Prints a kernel in which 2^64 paths lead from one tile to another: KIND [loop]."""

import sys

LENGTH = 64
kind = sys.argv[1]
in_loop = "loop" in sys.argv[2:]
size = "16x16" if kind == "products" else "64x64"
F16, F32 = f"!mirage.tile<{size}xf16>", f"!mirage.tile<{size}xf32>"


def make_adds():
    """Behind a product, each twice the one before."""
    yield f"%a0 = mirage_block.matmul %x, %w : ({F16}, {F16}) -> {F32}"
    for i in range(LENGTH):
        yield f"%a{i + 1} = mirage_block.add %a{i}, %a{i} : ({F32}, {F32}) -> {F32}"
    yield f"%result = mirage_block.sqr %a{LENGTH} : ({F32}) -> {F32}"


def make_transposes():
    """In front of a product."""
    yield f"%a0 = mirage_block.transpose %x permutation [1, 0] : ({F16}) -> {F16}"
    for i in range(LENGTH):
        yield f"%a{i + 1} = mirage_block.transpose %a{i} permutation [1, 0] : ({F16}) -> {F16}"
    yield f"%result = mirage_block.matmul %a{LENGTH}, %w : ({F16}, {F16}) -> {F32}"


def make_products():
    """Two by two, each of the two before."""
    yield f"%a0 = mirage_block.matmul %x, %w : ({F16}, {F16}) -> {F16}"
    yield f"%b0 = mirage_block.matmul %w, %x : ({F16}, {F16}) -> {F16}"
    for i in range(LENGTH):
        for name, left, right in (("a", "a", "b"), ("b", "b", "a")):
            yield f"%{name}{i + 1} = mirage_block.matmul %{left}{i}, %{right}{i} : ({F16}, {F16}) -> {F16}"
    yield f"%result = mirage_block.add %a{LENGTH}, %b{LENGTH} : ({F16}, {F16}) -> {F32}"


tensors = f"tensor<{size}xf16>, tensor<{size}xf16>"
print(f"func.func @chain(%X: tensor<{size}xf16>, %W: tensor<{size}xf16>) -> tensor<{size}xf32> {{")
print(f"  %z = mirage_kernel.graph_defined (%X, %W) grid <x = 1> : ({tensors}) -> tensor<{size}xf32> {{")
print(f"  ^bb0(%X0: tensor<{size}xf16>, %W0: tensor<{size}xf16>):")
if in_loop:
    print(f"    %sum = mirage_block.loop iterations 2 -> {F32} {{")
fmap = " fmap <i -> replica>" if in_loop else ""
for name, of in (("x", "%X0"), ("w", "%W0")):
    print(f"    %{name} = mirage_block.input_iterator {of} imap <x -> replica>{fmap} : tensor<{size}xf16> -> {F16}")
for line in {"adds": make_adds, "transposes": make_transposes, "products": make_products}[kind]():
    print("    " + line)
if in_loop:
    print(f"    mirage_block.accumulate sum %result : {F32}\n    }}")
print(f"    mirage_block.output_saver {'%sum' if in_loop else '%result'} omap <x -> replica> : {F32} -> tensor<{size}xf32>")
print(f"  }}\n  return %z : tensor<{size}xf32>\n}}")
