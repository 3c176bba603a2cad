"""How long a function on the GPU takes, the same way for everyone: captured in a CUDA graph, timed by events.

warm: the graph holds the function several times, and the time is divided; what fits stays in the L2 cache.
cold: once, after a buffer of four times the L2 cache was read. Writing it would leave lines there that are written back while what is
measured runs. Four times, as which lines are replaced first isn't known.

In both, the device is given something to do before the first event, so that it never waits for the host between the two.
"""
import statistics


class Harness:
    def __init__(self, torch, l2_bytes, iterations=200, repeats=20):
        self.torch, self.iterations, self.repeats = torch, iterations, repeats
        self.flushed = torch.zeros(max(4 * l2_bytes, 128 << 20) // 4, dtype=torch.float32, device="cuda")
        self.total = torch.zeros((), dtype=torch.float32, device="cuda")

    def capture(self, function, repeats):
        """A graph of `repeats` calls."""
        torch = self.torch
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            # Compilation, autotuning and workspaces come with the first calls.
            for _ in range(3):
                function()
        torch.cuda.current_stream().wait_stream(side)
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for _ in range(repeats):
                function()
        return graph

    def measure(self, function, cold):
        """Times of one call, in microseconds."""
        torch, repeats = self.torch, 1 if cold else self.repeats
        graph = self.capture(function, repeats)
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        for _ in range(10):
            graph.replay()
        samples = []
        for _ in range(self.iterations):
            if cold:
                torch.sum(self.flushed, 0, out=self.total)
            else:
                graph.replay()
            start.record()
            graph.replay()
            stop.record()
            stop.synchronize()
            samples.append(1e3 * start.elapsed_time(stop) / repeats)
        return samples


def summarize(samples):
    return {"median": statistics.median(samples), "min": min(samples), "n": len(samples),
            "p10": sorted(samples)[len(samples) // 10], "p90": sorted(samples)[9 * len(samples) // 10]}
