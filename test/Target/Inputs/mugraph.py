"""Writes saved μGraphs from a short notation, for tests.

    mugraph.py SPEC [--set PATH JSON] [--delete PATH] > FILE.json

An operator a line: its type, its inputs, `key=value` fields (JSON), and `->` its outputs with their shapes. The operators
of a block graph stand between braces; `grid`, `loop` and `dimx` are those of the line that opens it. `---` begins the next
candidate. PATH is a list of keys and indices: `0/3/output_tensors/0/dim`.

    kn_input_op -> x:16x64
    kn_customized_op x -> y:16x64 grid=[2,1,1] loop=4 {
      tb_input_op x map=[0,-1,-1] loop=1 -> X:8x16
      tb_exp_op X -> E:8x16
      tb_forloop_accum_nored_op E -> A:8x16
      tb_output_op A -> y map=[-1,-1,-1]
    }
    kn_output_op y
"""

import json
import re
import sys


class Candidate:
    def __init__(self):
        self.operators = []
        self.tensors = {}
        self.graph = None
        self.guid = 100

    def make(self, text, block, after=False):
        name, _, shape = text.partition(":")
        dims = [int(size) for size in shape.split("x")]
        self.guid += 1
        tensor = {"data_type": 940, "dim": dims + [0] * (4 - len(dims)), "guid": self.guid, "num_dims": len(dims)}
        if block:
            tensor["after_accum"] = after
        self.tensors[name] = tensor
        return tensor

    def line(self, line):
        if line == "}":
            self.graph = None
            return
        opens = line.endswith("{")
        fields = {}
        for key, value in re.findall(r"(\w+)=(\S+)", line):
            fields[key] = json.loads(value)
        line = re.sub(r"\w+=\S+", "", line).rstrip("{")
        left, _, right = line.partition("->")
        op_type, *inputs = left.split()
        block = op_type.startswith("tb_")
        inputs = [self.tensors.get(name) or {"guid": 999, "dim": [1], "num_dims": 1, "data_type": 940} for name in inputs]
        op = {"op_type": op_type, "input_tensors": inputs}
        point = lambda values: dict(zip("xyz", values))
        if op_type == "tb_input_op":
            op.update(dtensor=inputs[0], input_tensors=[], input_map=point(fields.pop("map")))
            op["forloop_dim"] = fields.pop("loop")
            op["output_tensors"] = [self.make(right.strip(), True)]
        elif op_type == "tb_output_op":
            op.update(dtensor=self.tensors[right.strip()], output_tensors=[], output_map=point(fields.pop("map")))
        else:
            after = "_accum_" in op_type or any(tile.get("after_accum") for tile in inputs)
            op["output_tensors"] = [self.make(text, block, after) for text in right.split()]
        if opens:
            graph = {"grid_dim": point(fields.pop("grid")), "forloop_range": fields.pop("loop"), "operators": []}
            graph["reduction_dimx"] = fields.pop("dimx", 64)
            op["bgraph"] = graph
        op.update(fields)
        (self.graph["operators"] if block else self.operators).append(op)
        if opens:
            self.graph = graph


def find(root, path):
    *parents, last = path.split("/")
    for key in parents:
        root = root[int(key) if isinstance(root, list) else key]
    return root, int(last) if isinstance(root, list) else last


def main(spec, *options):
    candidates = [Candidate()]
    for line in open(spec):
        line = line.partition("#")[0].strip()
        if line == "---":
            candidates.append(Candidate())
        elif line:
            candidates[-1].line(line)
    # Tensors are shared between operators; a change is to be seen in one place.
    result = json.loads(json.dumps([candidate.operators for candidate in candidates]))
    options = list(options)
    while options:
        option = options.pop(0)
        parent, key = find(result, options.pop(0))
        if option == "--set":
            parent[key] = json.loads(options.pop(0))
        else:
            del parent[key]
    json.dump(result, sys.stdout)


main(*sys.argv[1:])
