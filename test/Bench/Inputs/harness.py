"""What the harness lets a GPU do for one cold and one warm measurement, in order: with a PyTorch that only notes it."""
import contextlib
import sys
import types

sys.path.insert(0, sys.argv[1])
from harness import Harness  # noqa: E402

notes = []


class Buffer:
    def __init__(self, shape, **options):
        self.name = f"{shape} elements" if shape else "a number"

    def __getattr__(self, name):
        return lambda *arguments: notes.append(f"{name} {self.name}")


class Event:
    def __init__(self, enable_timing):
        pass

    def record(self):
        notes.append("record")

    def synchronize(self):
        notes.append("wait")

    def elapsed_time(self, other):
        return 0.006


stream = types.SimpleNamespace(wait_stream=lambda other: None)
graph = types.SimpleNamespace(replay=lambda: notes.append("replay"))
cuda = types.SimpleNamespace(Stream=lambda: stream, current_stream=lambda: stream, stream=lambda s: contextlib.nullcontext(),
                             graph=lambda g: contextlib.nullcontext(), CUDAGraph=lambda: graph, synchronize=lambda: None, Event=Event)
torch = types.SimpleNamespace(cuda=cuda, float32=None, int8=None, zeros=Buffer, empty=Buffer,
                              sum=lambda buffer, dim, out: notes.append(f"read {buffer.name}"))
harness = Harness(torch, 50 << 20, iterations=1, repeats=2)
for cold in (True, False):
    notes.clear()
    samples = harness.measure(lambda: notes.append("call"), cold)
    print("cold" if cold else "warm", samples, *[note for note in notes if note != "call"][10:], sep=", ")
