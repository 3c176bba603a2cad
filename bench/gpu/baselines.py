"""What Mirage is compared with: a name and a function of no arguments for each, made for one program and its tensors.

Each maker may raise: what can't be had (no Triton, no FlexAttention in this version) is reported as such, with the reason.
"""


def _eager(torch, program, tensors):
    return lambda: program.function(torch, *tensors)


def _forget_compiled(torch):
    """Dynamo's cache belongs to the code of a function, here the same for all programs: with eight entries it is full, and what comes then
    would run as eager, without a word."""
    torch._dynamo.reset()


def _compiled(torch, program, tensors):
    _forget_compiled(torch)
    # Graphs are captured by the harness, as for everyone; autotuning is what max-autotune adds.
    function = torch.compile(lambda *x: program.function(torch, *x), mode="max-autotune-no-cudagraphs", dynamic=False)
    function(*tensors)
    return lambda: function(*tensors)


def _attention_operands(torch, program, tensors):
    """q, k, v of shapes (batch, 1, rows, size); what the program does before is done in each call."""
    kind = program.attention
    if not kind:
        return None

    def operands():
        q, k, v = tensors
        if kind.get("transposed"):
            k = k.transpose(1, 2)
        if kind.get("normalized"):
            normalize = lambda x: torch.nn.functional.rms_norm(x, x.shape[-1:], eps=1e-5)
            q, k = normalize(q), normalize(k)
        return [x.unsqueeze(1) for x in (q, k, v)]
    return operands


def _sdpa(torch, program, tensors):
    operands = _attention_operands(torch, program, tensors)
    if operands is None:
        return None
    attention = torch.nn.functional.scaled_dot_product_attention
    # The layout of k that the function wants is made once, not in each call: a cache would be kept that way.
    if program.attention.get("transposed"):
        q, k, v = operands()
        k = k.contiguous()
        return lambda: attention(q, k, v, scale=program.attention["scale"])
    return lambda: attention(*operands(), scale=program.attention["scale"])


def _flex(torch, program, tensors):
    operands = _attention_operands(torch, program, tensors)
    if operands is None:
        return None
    from torch.nn.attention.flex_attention import flex_attention
    _forget_compiled(torch)
    function = torch.compile(lambda q, k, v: flex_attention(q, k, v, scale=program.attention["scale"]), dynamic=False)
    if program.attention.get("transposed"):
        q, k, v = operands()
        k = k.contiguous()
        return lambda: function(q, k, v)
    return lambda: function(*operands())


def _triton(torch, program, tensors):
    import triton_kernels
    return triton_kernels.make(torch, program, tensors)


def _cublas(torch, program, tensors):
    """The products of matrices alone, by cuBLAS: what a program with free elementwise operators would take."""
    out = lambda a, b: torch.empty(*a.shape[:-1], b.shape[-1], dtype=a.dtype, device=a.device)
    if program.name == "rmsnorm":
        x, _, w = tensors
        pairs = [(x, w)]
    elif program.name == "gated_mlp":
        x, w1, w2 = tensors
        pairs = [(x, w1), (x, w2)]
    elif program.name == "lora":
        x, w, a, c = tensors
        pairs = [(x, w), (x, a), (torch.matmul(x, a), c)]
    elif program.attention:
        q, k, v = tensors
        k = k if program.attention.get("transposed") else k.transpose(1, 2)
        pairs = [(q, k), (torch.matmul(q, k), v)]
    else:
        return None
    results = [out(a, b) for a, b in pairs]

    def run():
        for (a, b), result in zip(pairs, results):
            torch.matmul(a, b, out=result)
    return run


# Whether it computes the whole program, and so takes part in "the best of the others". What is compiled, and takes long, comes last.
BASELINES = {
    "torch eager": (_eager, True),
    "cuBLAS (products only)": (_cublas, False),
    "SDPA": (_sdpa, True),
    "Triton": (_triton, True),
    "FlexAttention": (_flex, True),
    "torch.compile": (_compiled, True),
}
