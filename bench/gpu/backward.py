#!/usr/bin/env python3
"""Times gradients of attention on the machine with the GPU, from the unpacked bundle: Mirage's kernels, for queries, and for keys and values,
beside PyTorch's, which compute both: cuDNN's and FlashAttention-2's. As run.py does it: in CUDA graphs, with a cold and a warm L2 cache.

  ./backward.py [--iterations 100] [--repeats 10] [--check-limit 60] [--dry-run]

Each program is checked by mirage-run first, if that is in the bundle. What is wrong is not timed, and makes the exit status 1.
"""
import argparse
import json
import os
import statistics
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from harness import Harness  # noqa: E402
from mirage_runtime import Device, Error, Program  # noqa: E402
from run import check_with_mirage_run, find_mirage_run, find_torch  # noqa: E402


def get_others(torch, heads, positions, depth):
    """A function of no arguments by name."""
    q, k, v, gradient = (torch.randn(1, heads, positions, depth, device="cuda", dtype=torch.float16) for _ in range(4))

    def make_flash():
        out, sums, cq, ck, mq, mk, seed, offset, _ = torch.ops.aten._scaled_dot_product_flash_attention(q, k, v, 0.0, False, False)
        return lambda: torch.ops.aten._scaled_dot_product_flash_attention_backward(
            gradient, q, k, v, out, sums, cq, ck, mq, mk, 0.0, False, seed, offset)

    def make_cudnn():
        out, sums, cq, ck, mq, mk, seed, offset, _ = torch.ops.aten._scaled_dot_product_cudnn_attention(q, k, v, None, True, 0.0, False, False)
        return lambda: torch.ops.aten._scaled_dot_product_cudnn_attention_backward(
            gradient, q, k, v, out, sums, seed, offset, None, cq, ck, mq, mk, 0.0, False)
    return {"cuDNN": make_cudnn, "FlashAttention-2": make_flash}


def time_program(device, torch, harness, path, arguments):
    """Medians with a cold and a warm cache."""
    program = Program(device, path)
    sizes = program.inputs + program.outputs
    if torch:
        types = {"f16": torch.float16, "f32": torch.float32}
        tensors = [torch.rand(shape, device="cuda").to(types[kind]) for shape, kind, _ in sizes]
        pointers = [tensor.data_ptr() for tensor in tensors]
        launch = lambda: program.launch(pointers, torch.cuda.current_stream().cuda_stream)
        times = [statistics.median(harness.measure(launch, cold)) for cold in (True, False)]
    else:
        pointers = [device.allocate(size) for _, _, size in sizes]
        times = [statistics.median(program.time(pointers, arguments.iterations, repeats=1 if cold else arguments.repeats, cold=cold))
                 for cold in (True, False)]
        for pointer in pointers:
            device.free(pointer)
    program.close()
    return times


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bundle", default=HERE)
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=10)
    parser.add_argument("--check-limit", type=float, default=60)
    parser.add_argument("--dry-run", action="store_true", help="whatever driver there is; its times are no measurements")
    arguments = parser.parse_args()
    with open(os.path.join(arguments.bundle, "manifest.json")) as file:
        entries = json.load(file)["gradients"]
    if not entries:
        sys.exit("the bundle has no gradients")
    torch, reason = find_torch(arguments.dry_run)
    if not torch:
        print(f"no comparison: {reason}", file=sys.stderr)
    try:
        device = Device(os.path.join(arguments.bundle, "lib", "libMirageRuntime.so"))
    except (Error, OSError) as error:
        sys.exit(f"no GPU to run on: {error}")
    harness = Harness(torch, device.describe()["l2_bytes"], arguments.iterations, arguments.repeats) if torch else None
    mirage_run = None if arguments.dry_run else find_mirage_run(arguments.bundle)
    print("| program | heads x positions x size | cold, us | warm, us |", "| --- | --- | --- | --- |", sep="\n")

    def show(name, entry, times):
        print(f"| {name} | {entry['heads']} x {entry['positions']} x {entry['depth']} | {times[0]:.2f} | {times[1]:.2f} |", flush=True)

    bad = False
    for entry in entries:
        verdict = check_with_mirage_run(mirage_run, arguments.bundle, entry, arguments.check_limit)
        if verdict and not verdict["good"]:
            bad = True
            print(f"{entry['name']}: WRONG: {verdict['says']}", flush=True)
            continue
        try:
            show(entry["name"], entry, time_program(device, torch, harness, os.path.join(arguments.bundle, entry["file"]), arguments))
        except (Error, RuntimeError) as error:
            bad = True
            print(f"{entry['name']}: {error}", flush=True)
    shapes = {(entry["heads"], entry["positions"], entry["depth"]): entry for entry in entries}
    for shape, entry in shapes.items() if torch else []:
        for name, make in get_others(torch, *shape).items():
            try:
                function = make()
                show(name, entry, [statistics.median(harness.measure(function, cold)) for cold in (True, False)])
            except Exception as error:  # Whatever it is, the others go on.
                print(f"{name}: {type(error).__name__}: {error}", flush=True)
    device.close()
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
