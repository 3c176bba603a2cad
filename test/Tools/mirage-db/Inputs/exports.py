"""Writes and checks exports of results as docs/Database.md describes them.

    exports.py write > FILE
    exports.py check FILE
"""

import hashlib
import json
import struct
import sys

TEXTS = ["kind", "program", "target", "options", "version", "function", "blob"]


def checksum(entry):
    digest = hashlib.sha256()
    for name in TEXTS:
        text = entry[name].encode()
        digest.update(text + b"%016x" % len(text))
    digest.update(b"%016x" % entry["created"])
    digest.update(b"%016x" % struct.unpack("<Q", struct.pack("<d", entry["seconds"])))
    return digest.hexdigest()


def make_entry(kind, function, program, seconds, blob):
    entry = {"kind": kind, "function": function, "target": "sm_90a", "options": "max-block-ops=11", "version": "1"}
    entry |= {"program": program, "created": 1700000000, "seconds": seconds, "blob": blob}
    entry["checksum"] = checksum(entry)
    return entry


def write():
    entries = [
        make_entry("result", "rmsnorm", "%0 = input 0 : 4x4 f16\noutput %0\n", 13.756, "the best μGraph"),
        make_entry("checkpoint", "gqa", "%0 = input 0 : 8x8 f16\noutput %0\n", 0.1, '{"round": 3}'),
        make_entry("result", "rmsnorm", "%0 = input 0 : 2x2 f16\noutput %0\n", 1e-3, ""),
    ]
    print(json.dumps({"format": "mirage-results", "version": 1, "entries": len(entries)}))
    for entry in entries:
        print(json.dumps(entry))


def check(path):
    with open(path, encoding="utf-8") as file:
        header, *entries = map(json.loads, file)
    assert header == {"format": "mirage-results", "version": 1, "entries": len(entries)}, header
    for entry in entries:
        assert entry["checksum"] == checksum(entry), entry
        print(entry["kind"], entry["function"], entry["seconds"], repr(entry["blob"]))


if sys.argv[1] == "write":
    write()
else:
    check(sys.argv[2])
