# Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kills (SIGKILL) a command ten times, each at a random moment of its life, and lets it end.

kill_anywhere.py DATABASE SEED OUTPUT REPORT COMMAND...

Whatever was killed before, OUTPUT has to be what the command writes when it is left alone, and REPORT is whole at any time.
Once it has ended it starts with no database again, or else most kills would hit a look-up.
"""
import glob
import json
import os
import random
import signal
import subprocess
import sys
import time

KILLS = 10

database, seed, output, report, command = sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4], sys.argv[5:]
random.seed(seed)


def run(seconds=None):
    """Whether the command ended before it was killed after so many seconds."""
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        status = process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        status = process.wait()
    assert status in (0, -signal.SIGKILL), f"exit status {status}"
    with open(report) as file:
        json.load(file)
    return status == 0


def read():
    with open(output, "rb") as file:
        return file.read()


def clear():
    for suffix in ("", "-journal", "-wal", "-shm"):
        if os.path.exists(database + suffix):
            os.remove(database + suffix)


clear()
with open(report, "w") as file:
    json.dump("an earlier report", file)
start = time.monotonic()
assert run()
alone = time.monotonic() - start
expected = read()
clear()
kills = 0
while kills < KILLS:
    if run(random.uniform(0, alone)):
        assert read() == expected, f"another result after {kills} kills"
        clear()
    else:
        kills += 1
assert run() and read() == expected, "another result"
for file in glob.glob(report + ".*.tmp"):
    os.remove(file)
