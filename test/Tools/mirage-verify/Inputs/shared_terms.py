#!/usr/bin/env python3
"""Prints a program in which each of 64 terms has the one before in it twice: KIND CONSTANT."""

import sys

TENSOR = "tensor<4x4xf32>"
kind, constant = sys.argv[1:]


def apply(name, of, *operands):
    types = ", ".join("tensor<f32>" if o == "%c" else TENSOR for o in operands)
    return f"  {name} = mirage_kernel.{of} {', '.join(operands)} : ({types}) -> {TENSOR}"


print(f"func.func @f(%x: {TENSOR}) -> {TENSOR} {{")
print(f"  %c = mirage.constant {constant} : tensor<f32>")
print(apply("%e", "exp", "%x"))
print(apply("%t0", "add", "%e", "%c"))
for i in range(64):
    for name, other in (("a", "%c"), ("b", "%e")):
        if kind == "max":
            print(apply(f"%{name}{i}", "max", f"%t{i}", other))
        else:
            print(apply(f"%{name}{i}sum", "add", f"%t{i}", other))
            print(apply(f"%{name}{i}", "div", "%c", f"%{name}{i}sum"))
    print(apply(f"%t{i + 1}", "add", f"%a{i}", f"%b{i}"))
print(f"  return %t64 : {TENSOR}\n}}")
