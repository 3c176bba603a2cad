"""Makes the baselines that torch.compile compiles, for all programs, with a PyTorch whose compile behaves like Dynamo: a cache of eight
entries for each code object, and eager execution when it is full. Prints how many there are of each and how many of them run as eager.
"""
import sys
import types

sys.path.insert(0, sys.argv[1])
from baselines import BASELINES  # noqa: E402
from programs import PROGRAMS  # noqa: E402

MOST_ENTRIES = 8
entries, eager = {}, 0


class Tensor:
    """Operands are views of it, whatever is done."""
    shape = (1, 1, 1)

    def __getattr__(self, name):
        return lambda *arguments: self


def compile_function(function, **options):
    def run(*arguments):
        global eager
        if run.is_new:
            run.is_new = False
            number = entries[function.__code__] = entries.get(function.__code__, 0) + 1
            eager += number > MOST_ENTRIES
    run.is_new = True
    return run


torch = types.SimpleNamespace(compile=compile_function, _dynamo=types.SimpleNamespace(reset=entries.clear))
torch.nn = types.SimpleNamespace(functional=types.SimpleNamespace(rms_norm=lambda x, *_, **__: x))
modules = {"torch": torch, "torch.nn": torch.nn, "torch.nn.attention": types.SimpleNamespace()}
modules["torch.nn.attention.flex_attention"] = types.SimpleNamespace(flex_attention=None)
sys.modules.update(modules)

for name in ("torch.compile", "FlexAttention"):
    count = eager = 0
    for program in PROGRAMS.values():
        for batch in (1, 8, 16):
            function = BASELINES[name][0](torch, program, [Tensor() for _ in program.shapes(batch)])
            if function:
                function()
                count += 1
    print(f"{name}: {count} programs, {eager} eager")
