"""Imports programs, and what comes out once more, and names those that are something else then, or that the import says it
couldn't simplify to the end: patterns undo each other, until the driver gives up.

    import_twice.py MIRAGE_OPT FOLDER FILE.mlir..
"""
import os
import subprocess
import sys


def imported(opt, path, out):
    run = subprocess.run([opt, "--convert-linalg-to-mirage", path, "-o", out], check=True, stderr=subprocess.PIPE, text=True)
    if "not simplified to the end" in run.stderr:
        print(f"{os.path.basename(path)}: not simplified")
    with open(out) as text:
        return text.read()


opt, folder, *files = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
for path in files:
    once, twice = (os.path.join(folder, name) for name in ("once.mlir", "twice.mlir"))
    if imported(opt, path, once) != imported(opt, once, twice):
        print(f"{os.path.basename(path)}: changes")
print(f"{len(files)} programs")
