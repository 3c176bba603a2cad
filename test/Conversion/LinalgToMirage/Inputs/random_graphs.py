"""Small random kernel graphs, the same for a seed each time: movements, elementwise operators, reductions and products on dimensions that
are merged and split. Some of what they compute is dead.

  random_graphs.py FIRST LAST   the graphs of these seeds, as functions of one module
"""
import math
import random
import sys


def type_of(shape):
    return "tensor<" + "".join(f"{size}x" for size in shape) + "f16>"


def broadcast(a, b):
    """The shape that two have together, or None."""
    rank = max(len(a), len(b))
    a, b = [1] * (rank - len(a)) + list(a), [1] * (rank - len(b)) + list(b)
    if any(x != y and 1 not in (x, y) for x, y in zip(a, b)):
        return None
    return [max(x, y) for x, y in zip(a, b)]


class Graph:
    MOST_ELEMENTS, MOST_DIMS = 1 << 14, 5

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.arguments, self.lines, self.values = [], [], []  # values: name and shape
        choose = self.random.choice
        batches, groups, channels, positions = choose([1, 2, 3]), choose([2, 4]), choose([2, 4, 8]), choose([4, 16])
        self.argument(choose([[batches, groups, channels, positions], [batches, groups * channels, positions],
                              [batches * groups, channels, positions], [batches, groups, channels * positions],
                              [groups * channels, positions]]))
        steps = [self.reshape, self.transpose, self.reduce, self.map, self.combine, self.multiply, self.slice]
        for _ in range(self.random.randint(3, 9)):
            value, shape = choose(self.values[-3:])
            if shape:
                self.random.choices(steps, [22, 12, 12, 14, 20, 14, 6])[0](value, list(shape))

    def argument(self, shape):
        self.arguments.append(f"%a{len(self.arguments)}: {type_of(shape)}")
        self.values.append((f"%a{len(self.arguments) - 1}", shape))
        return self.values[-1]

    def emit(self, text, operands, shape):
        types = ", ".join(type_of(of) for of in operands)
        self.lines.append(f"  %{len(self.lines)} = mirage_kernel.{text} : ({types}) -> {type_of(shape)}")
        self.values.append((f"%{len(self.lines) - 1}", shape))

    def reshape(self, value, shape):
        """Merges two dimensions, or splits one, and adds or drops one of size 1."""
        new, some = list(shape), self.random.randrange(len(shape))
        if self.random.random() < 0.5:
            new[some:some + 2] = [math.prod(new[some:some + 2])]
        else:
            first = self.random.choice([d for d in range(1, new[some] + 1) if new[some] % d == 0])
            new[some:some + 1] = [first, new[some] // first]
        if self.random.random() < 0.2:
            new.insert(self.random.randint(0, len(new)), 1)
        if self.random.random() < 0.2 and 1 in new:
            new.remove(1)
        if new != shape and len(new) <= self.MOST_DIMS:
            self.emit(f"reshape {value}", [shape], new)

    def transpose(self, value, shape):
        order = self.random.sample(range(len(shape)), len(shape))
        self.emit(f"transpose {value} permutation {order}", [shape], [shape[d] for d in order])

    def reduce(self, value, shape):
        dim = self.random.randrange(len(shape))
        result = shape[:dim] + [1] + shape[dim + 1:]
        self.emit(f"{self.random.choice(['sum', 'reduce_max'])} {value} dim {dim}", [shape], result)

    def map(self, value, shape):
        self.emit(f"{self.random.choice(['exp', 'silu', 'relu', 'sqr'])} {value}", [shape], shape)

    def combine(self, value, shape):
        """With something that is there, or an argument that has some of the dimensions."""
        others = [v for v in self.values if v[0] != value and broadcast(v[1], shape)]
        if others and self.random.random() < 0.5:
            other = self.random.choice(others)
        else:
            some = [size if self.random.random() < 0.6 else 1 for size in shape]
            other = self.argument(some[self.random.randint(0, len(some)):] if self.random.random() < 0.3 else some)
        result = broadcast(other[1], shape)
        if math.prod(result) <= self.MOST_ELEMENTS:
            a, b = self.random.sample([(value, shape), other], 2)
            self.emit(f"{self.random.choice(['add', 'mul', 'sub', 'div'])} {a[0]}, {b[0]}", [a[1], b[1]], result)

    def multiply(self, value, shape):
        if len(shape) < 2:
            return
        rows, columns = shape[-2:]
        batches = shape[:-2] if self.random.random() < 0.5 else [1] * (len(shape) - 2)
        size = self.random.choice([4, rows, columns])
        if self.random.random() < 0.5:
            a, b = (value, shape), self.argument(batches + [columns, size])
        else:
            a, b = self.argument(batches + [size, rows]), (value, shape)
        result = broadcast(a[1][:-2], b[1][:-2]) + [a[1][-2], b[1][-1]]
        self.emit(f"matmul {a[0]}, {b[0]}", [a[1], b[1]], result)

    def slice(self, value, shape):
        dim = self.random.randrange(len(shape))
        if shape[dim] > 1:
            size = self.random.randint(1, shape[dim] - 1)
            offset = self.random.randint(0, shape[dim] - size)
            result = shape[:dim] + [size] + shape[dim + 1:]
            self.emit(f"slice {value} dim {dim} offset {offset} size {size}", [shape], result)

    def text(self, name):
        computed = [v for v in self.values if not v[0].startswith("%a")]
        if not computed:
            return ""
        results = [computed[-1]]
        if self.random.random() < 0.3:
            results += [v for v in [self.random.choice(computed)] if v is not computed[-1]]
        types = ", ".join(type_of(shape) for _, shape in results)
        return (f"func.func @{name}({', '.join(self.arguments)}) -> ({types}) {{\n" + "\n".join(self.lines) +
                f"\n  return {', '.join(value for value, _ in results)} : {types}\n}}\n")


for seed in range(int(sys.argv[1]), int(sys.argv[2]) + 1):
    print(Graph(seed).text(f"f{seed}"), end="")
