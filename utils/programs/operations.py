"""What the programs of this folder are made of, beyond the operations of linalg_programs.Program: a function takes the program and
values of it, adds linalg and tensor operations to its body, and returns the result."""


def in_f32(p, ins, op):
    """Elementwise work like Program.in_f32, whose result stays f32."""
    return p.in_f32(ins, op, out="f32")


def transpose(p, a, *order):
    shape, elt = p.types[a]
    init, v = p.empty(tuple(shape[i] for i in order), elt), p.fresh()
    p.types[v] = p.types[init]
    p.body.append(f"{v} = linalg.transpose ins({a} : {p.type(a)}) outs({init} : {p.type(init)}) permutation = {list(order)}")
    return v


def reshape(p, a, *shape):
    """Merges two dimensions next to each other, or splits one in two."""
    (old, elt), v = p.types[a], p.fresh()
    p.types[v] = (shape, elt)
    short, long = sorted((old, shape), key=len)
    at = next((i for i in range(len(short)) if short[i] != long[i]), len(short) - 1)
    groups = [[i] for i in range(at)] + [[at, at + 1]] + [[i] for i in range(at + 2, len(long))]
    if len(shape) > len(old):
        p.body.append(f"{v} = tensor.expand_shape {a} {groups} output_shape {list(shape)} : {p.type(a)} into {p.type(v)}")
    else:
        p.body.append(f"{v} = tensor.collapse_shape {a} {groups} : {p.type(a)} into {p.type(v)}")
    return v


def part(p, a, begin, end):
    """Elements of the last dimension."""
    (shape, elt), v = p.types[a], p.fresh()
    p.types[v] = (shape[:-1] + (end - begin,), elt)
    ones, zeros = ", ".join(["1"] * len(shape)), ["0"] * (len(shape) - 1)
    p.body.append(f"{v} = tensor.extract_slice {a}[{', '.join(zeros + [str(begin)])}] {list(p.types[v][0])} [{ones}] : {p.type(a)} to {p.type(v)}")
    return v


def concat(p, a, b, dim=-1):
    """One behind the other along a dimension."""
    (shape, elt), v = p.types[a], p.fresh()
    dim %= len(shape)
    p.types[v] = (shape[:dim] + (shape[dim] + p.types[b][0][dim],) + shape[dim + 1:], elt)
    p.body.append(f"{v} = tensor.concat dim({dim}) {a}, {b} : ({p.type(a)}, {p.type(b)}) -> {p.type(v)}")
    return v


def rotated(p, x, cos, sin):
    """Rotary embeddings as transformers libraries write them: x cos + rotate_half(x) sin."""
    n = p.types[x][0][-1]
    turned = concat(p, p.in_f32([part(p, x, n // 2, n)], ["%f = arith.negf %e0 : f32"]), part(p, x, 0, n // 2))
    return p.add(p.mul(x, cos), p.mul(turned, sin))


def rotated_pairs(p, x, cos, sin):
    """Rotary embeddings of pairs next to each other, as GPT-J has them: every other element, and put together again."""
    shape, elt = p.types[x]
    half, ones, zeros = shape[:-1] + (shape[-1] // 2,), ", ".join(["1"] * len(shape)), ", ".join(["0"] * len(shape))

    def every_other(begin):
        v = p.fresh()
        p.types[v] = (half, elt)
        p.body.append(f"{v} = tensor.extract_slice {x}[{zeros[:-1]}{begin}] {list(half)} [{ones[:-1]}2] : {p.type(x)} to {p.type(v)}")
        return v

    a, b = every_other(0), every_other(1)
    first = p.in_f32([a, b, cos, sin], ["%p = arith.mulf %e0, %e2 : f32", "%q = arith.mulf %e1, %e3 : f32", "%f = arith.subf %p, %q : f32"])
    second = p.in_f32([a, b, cos, sin], ["%p = arith.mulf %e0, %e3 : f32", "%q = arith.mulf %e1, %e2 : f32", "%f = arith.addf %p, %q : f32"])
    pairs = concat(p, reshape(p, first, *half, 1), reshape(p, second, *half, 1))
    return reshape(p, pairs, *shape)


def contract(p, a, b, dims, map_a, map_b, map_out, sizes):
    """A sum of products as one linalg.generic, rounded to f16: each loop is a letter, each map a string of them."""
    shape = tuple(sizes[d] for d in map_out)
    init, v = p.filled(shape, "f32"), p.fresh()
    p.types[v] = (shape, "f32")
    loops = ", ".join(dims)
    maps = ", ".join(f"affine_map<({loops}) -> ({', '.join(m)})>" for m in (map_a, map_b, map_out))
    iters = ", ".join('"parallel"' if d in map_out else '"reduction"' for d in dims)
    p.body.append(f"{v} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{iters}]}}\n"
                  f"      ins({a}, {b} : {p.type(a)}, {p.type(b)}) outs({init} : {p.type(init)}) {{\n"
                  f"    ^bb0(%a: f16, %b: f16, %acc: f32):\n      %x = arith.extf %a : f16 to f32\n      %y = arith.extf %b : f16 to f32\n"
                  f"      %m = arith.mulf %x, %y : f32\n      %r = arith.addf %acc, %m : f32\n      linalg.yield %r : f32\n    }} -> {p.type(v)}")
    return p.half(v)


def indexed(p, ins, maps, map_out, sizes, op):
    """Elementwise work on f16 tensors whose dimensions are letters, in f32: op is text over %e0, %e1, ... defining %f. Rounded to f16."""
    shape = tuple(sizes[d] for d in map_out)
    init, v = p.empty(shape, "f16"), p.fresh()
    p.types[v] = (shape, "f16")
    loops = ", ".join(map_out)
    text = ", ".join(f"affine_map<({loops}) -> ({', '.join(m)})>" for m in (*maps, map_out))
    iters = ", ".join(['"parallel"'] * len(shape))
    args = ", ".join(f"%a{k}: f16" for k in range(len(ins)))
    lines = [f"%e{k} = arith.extf %a{k} : f16 to f32" for k in range(len(ins))] + op + ["%r = arith.truncf %f : f32 to f16"]
    p.body.append(f"{v} = linalg.generic {{indexing_maps = [{text}], iterator_types = [{iters}]}}\n"
                  f"      ins({', '.join(ins)} : {', '.join(map(p.type, ins))}) outs({init} : {p.type(init)}) {{\n"
                  f"    ^bb0({args}, %out: f16):\n" + "".join(f"      {l}\n" for l in lines) + f"      linalg.yield %r : f16\n    }} -> {p.type(v)}")
    return v


def safe_exp(p, s):
    """exp(s - max s) along rows."""
    return p.in_f32([s, p.reduce(s, op="max")], ["%d = arith.subf %e0, %e1 : f32", "%f = math.exp %d : f32"])


def safe_softmax(p, s):
    e = safe_exp(p, s)
    return p.div(e, p.reduce(e))


def scores(p, s, scale, mask=None):
    """s * scale + mask, rounded once."""
    op = [f"%c = arith.constant {scale:e} : f32", f"%{'t' if mask else 'f'} = arith.mulf %e0, %c : f32"]
    return p.in_f32([s, mask], op + ["%f = arith.addf %t, %e1 : f32"]) if mask else p.in_f32([s], op)


def safe_attention(p, q, k, v, scale, mask=None):
    """Weights are normalized before they are rounded and multiplied, as torch.nn.functional does it."""
    return p.batch_matmul(safe_softmax(p, scores(p, p.batch_matmul(q, k), scale, mask)), v)


def standardized(p, x, others, op, eps=1e-5):
    """op of the rows of x, centered (%e0), of what each is to be multiplied by (%i), and of others (from %e2 on)."""
    n = float(p.types[x][0][-1])
    mean = in_f32(p, [p.reduce(x)], [f"%n = arith.constant {n:e} : f32", "%f = arith.divf %e0, %n : f32"])
    centered = in_f32(p, [x, mean], ["%f = arith.subf %e0, %e1 : f32"])
    return p.in_f32([centered, p.reduce(centered, square=True), *others],
                    [f"%n = arith.constant {n:e} : f32", f"%eps = arith.constant {eps:e} : f32", "%var = arith.divf %e1, %n : f32",
                     "%s = arith.addf %var, %eps : f32", "%i = math.rsqrt %s : f32"] + op)


def layer_normed(p, x, gain, bias, eps=1e-5):
    return standardized(p, x, [gain, bias], ["%y = arith.mulf %e0, %i : f32", "%z = arith.mulf %y, %e2 : f32", "%f = arith.addf %z, %e3 : f32"], eps)


def sigmoid_lines(x, result, scale=None):
    lines = [f"%sc = arith.constant {scale:e} : f32", f"%sx = arith.mulf {x}, %sc : f32"] if scale else []
    return lines + [f"%neg = arith.negf {'%sx' if scale else x} : f32", "%ex = math.exp %neg : f32", "%one = arith.constant 1.0 : f32",
                    "%den = arith.addf %one, %ex : f32", f"{result} = arith.divf %one, %den : f32"]


def gelu_tanh(p, a):
    return p.in_f32([a], ["%c3 = arith.constant 4.471500e-02 : f32", "%c2 = arith.constant 7.978846e-01 : f32", "%half = arith.constant 0.5 : f32",
                          "%one = arith.constant 1.0 : f32", "%x2 = arith.mulf %e0, %e0 : f32", "%x3 = arith.mulf %x2, %e0 : f32",
                          "%t3 = arith.mulf %x3, %c3 : f32", "%in = arith.addf %e0, %t3 : f32", "%sc = arith.mulf %in, %c2 : f32",
                          "%th = math.tanh %sc : f32", "%th1 = arith.addf %th, %one : f32", "%h = arith.mulf %e0, %half : f32",
                          "%f = arith.mulf %h, %th1 : f32"])


def gelu_sigmoid(p, a):
    return p.in_f32([a], sigmoid_lines("%e0", "%s", 1.702) + ["%f = arith.mulf %e0, %s : f32"])


def swiglu(p, x, gate, up, down):
    return p.matmul(p.mul(p.silu(p.matmul(x, gate)), p.matmul(x, up)), down)
