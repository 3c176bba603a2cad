#!/usr/bin/env python3
"""The tables of a run: report.py results.json prints them."""
import json
import math
import sys


def best_other(result, kind):
    """(name, median) of the fastest that computes the whole program, or None."""
    times = [(entry[kind]["median"], name) for name, entry in result.get("others", {}).items() if entry["whole"] and kind in entry]
    return min(times)[::-1] if times else None


def ratio(result, kind):
    """How many times as fast as the best of the others; None if either is missing."""
    other = best_other(result, kind)
    if other is None or "ours" not in result:
        return None
    return other[1] / result["ours"][kind]["median"]


def state(result):
    """'', or why there is no time."""
    if "error" in result:
        return result["error"]
    wrong = [f"{name}: {check['says']}" for name, check in result.get("checks", {}).items() if not check["good"]]
    return "WRONG: " + "; ".join(wrong) if wrong else ""


def number(value, digits=2):
    return "" if value is None else f"{value:.{digits}f}"


def line(result):
    """One line for a terminal."""
    head = f"{result['name']} b{result['batch']}: "
    if "ours" not in result:
        return head + (state(result) or "not timed")
    cold = result["ours"]["cold"]["median"]
    text = head + f"cold {cold:.2f} us, {100 * result['floor_us'] / cold:.1f} % of the floor"
    other = best_other(result, "cold")
    return text + (f", {other[1] / cold:.2f}x of {other[0]}" if other else "") + (f" ({state(result)})" if state(result) else "")


def cluster_lines(result):
    """For each kernel with clusters whether all of them run at a time."""
    lines = []
    for launch in result.get("launches", []):
        size, active = math.prod(launch.get("cluster", [0])), launch.get("active_clusters", 0)
        if size == 0:
            continue
        count = math.prod(launch["grid"]) // size
        waves = f"{-(-count // active)} wave{'s' if count > active else ''}" if active else "none fits"
        lines.append(f"{result['name']} b{result['batch']}, {launch['kernel']}: {count} clusters of {size} blocks; the device runs "
                     f"{active} at a time ({waves})")
    return lines


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def table(header, rows):
    return "\n".join(["| " + " | ".join(header) + " |", "| " + " | ".join(["---"] * len(header)) + " |",
                      *("| " + " | ".join(row) + " |" for row in rows)]) + "\n"


def programs_table(results, kind):
    rows = []
    for result in results["programs"]:
        ours = result.get("ours", {}).get(kind, {})
        other = best_other(result, kind)
        median = ours.get("median")
        rows.append([result["name"], str(result["batch"]), number(result["floor_us"]), number(median) or state(result) or "not timed",
                     number(ours.get("min")), number(100 * result["floor_us"] / median if median else None, 1),
                     f"{number(other[1])} ({other[0]})" if other else "", number(ratio(result, kind))])
    return table(["program", "batch", "floor, us", "ours, us", "minimum", "% of floor", "best of the others, us", "ratio"], rows)


def others_table(results, kind):
    names = list(dict.fromkeys(name for result in results["programs"] for name in result.get("others", {})))
    rows = [[result["name"], str(result["batch"]),
             *(number(result.get("others", {}).get(name, {}).get(kind, {}).get("median")) for name in names)]
            for result in results["programs"]]
    return table(["program", "batch", *names], rows)


def missing_list(results):
    """Why what is missing is missing, once each."""
    reasons = dict.fromkeys((name, entry["missing"]) for result in results["programs"]
                            for name, entry in result.get("others", {}).items()
                            if "missing" in entry and entry["missing"] != "does not apply")
    return "".join(f"- {name}: {reason}\n" for name, reason in reasons)


def ablation_table(results):
    full = {(r["name"], r["batch"]): r["ours"]["cold"]["median"] for r in results["programs"] if "ours" in r}
    rows = []
    for entry in results["ablations"]:
        whole, cut = full.get((entry["name"], entry["batch"])), entry.get("cold", {}).get("median")
        rows.append([entry["name"], str(entry["batch"]), entry["without"], number(whole), number(cut) or state(entry),
                     number(cut / whole if cut and whole else None)])
    return table(["program", "batch", "without", "all passes, us", "without it, us", "slower by"], rows)


def candidates_table(results):
    groups = {}
    for entry in results["candidates"]:
        groups.setdefault((entry["name"], entry["batch"]), []).append(entry)
    rows = []
    for (name, batch), entries in groups.items():
        times = [entry["cold"]["median"] for entry in entries if "cold" in entry]
        rows.append([name, str(batch), f"{len(times)} of {len(entries)}", number(min(times, default=None)), number(max(times, default=None))])
    return table(["program", "batch", "timed", "fastest, us", "slowest, us"], rows)


def render(results):
    device = results["device"]
    parts = []
    if results["dry_run"]:
        parts.append("**A dry run: these are not measurements.**\n")
    parts.append(f"{results['date']}, {device['name']} (compute capability {device['capability']}, driver {device['driver']}), Mirage "
                 f"{results['version']} for {results['target']}, PyTorch {results['torch']}.\n")
    parts.append(f"Medians of {results['method']['iterations']} runs in CUDA graphs, timed by events; the floor is the larger of bytes / "
                 f"4.8 TB/s and flops / 990 TFLOP/s. A graph with an empty kernel takes {results['launch_us']:.2f} us. Cold: something "
                 f"else is read into the L2 cache before each run. Warm: {results['method']['repeats']} runs in a graph, divided. Ratios are the time of "
                 "the best of the others over ours: above 1 is faster.\n")
    for kind in ("cold", "warm"):
        parts.append(f"## {kind.capitalize()} L2 cache\n\n" + programs_table(results, kind))
        for batch in sorted({result["batch"] for result in results["programs"]}):
            ratios = [ratio(r, kind) for r in results["programs"] if r["batch"] == batch]
            mean = geometric_mean(r for r in ratios if r is not None)
            if mean is not None:
                parts.append(f"Geometric mean of the ratios at batch {batch}: {mean:.2f}\n")
        parts.append("The others, us:\n\n" + others_table(results, kind))
    clusters = [line for result in results["programs"] for line in cluster_lines(result)]
    if clusters:
        parts.append("## Clusters\n\n" + "".join(f"- {line}\n" for line in clusters))
    if missing_list(results):
        parts.append("Not measured:\n\n" + missing_list(results))
    if results["ablations"]:
        parts.append("## Without one pass, cold\n\n" + ablation_table(results))
    if results.get("candidates"):
        parts.append("## Other candidates, cold\n\n" + candidates_table(results))
        bad = [f"- {entry['candidate']}, batch {entry['batch']}: {state(entry)}\n" for entry in results["candidates"] if state(entry)]
        if bad:
            parts.append("Not timed:\n\n" + "".join(bad))
    return "\n".join(parts)


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        print(render(json.load(file)), end="")
