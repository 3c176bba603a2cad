#!/usr/bin/env python3
"""Runs the commands of the documents.

  check-docs.py FILE.md...

A fenced block whose info string is "sh run" is run. The blocks of one document are one bash script, which stops at the
first command that fails; its working directory is a temporary one that holds links to everything in the source root, so
that paths work as they do there and what the commands write is thrown away. The tools are taken from PATH.

A block whose info string is "LANGUAGE in PATH" is a quotation: its text is in that file of the source root as it stands.

Prints a line for each document, and what a failing one printed. Exit status 1 if one fails, or if none has a block.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE_ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```sh run\n(.*?)^```$", re.MULTILINE | re.DOTALL)
QUOTATION = re.compile(r"^```\S+ in (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def find_misquotation(path):
    """The first quotation that isn't in the file that it names, or None."""
    for name, text in QUOTATION.findall(path.read_text(encoding="utf-8")):
        file = SOURCE_ROOT / name
        if not file.exists() or text not in file.read_text(encoding="utf-8"):
            return f"{name} doesn't have\n{text}"
    return None


def run_document(path):
    """The number of blocks that were run; raises CalledProcessError."""
    blocks = BLOCK.findall(path.read_text(encoding="utf-8"))
    if not blocks:
        return 0
    with tempfile.TemporaryDirectory() as folder:
        for entry in SOURCE_ROOT.iterdir():
            os.symlink(entry, pathlib.Path(folder, entry.name))
        subprocess.run(
            ["bash", "-euxo", "pipefail", "-c", "\n".join(blocks)],
            cwd=folder,
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
    return len(blocks)


def main(paths):
    total, failed = 0, False
    for path in map(pathlib.Path, paths):
        try:
            blocks = run_document(path)
        except subprocess.CalledProcessError as error:
            print(f"{path}: a command failed with status {error.returncode}")
            print(error.stdout[-20000:])
            failed = True
            continue
        misquotation = find_misquotation(path)
        if misquotation:
            print(f"{path}: {misquotation}")
            failed = True
            continue
        total += blocks
        if blocks:
            print(f"{path}: {blocks} blocks ran")
    if total == 0 and not failed:
        print("no document has a block to run")
    return 1 if failed or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
