# Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kills (SIGKILL) a search again and again, each time after it has stored that it got farther.

kill_searches.py DATABASE SEED COMMAND...
"""
import json
import random
import signal
import subprocess
import sys

# The machine decides how far a search gets before it is killed, and so how often that is possible.
MOST_KILLS, FEWEST_KILLS = 10, 5

database, seed, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
random.seed(seed)


def read_progress():
    """How much the checkpoint says is done; None before there is one, and when there is a result."""
    listing = subprocess.run(["mirage-db", f"--database={database}", "export", "-"], capture_output=True, text=True)
    entries = [json.loads(line) for line in listing.stdout.splitlines()[1:]]
    if not entries or entries[0]["kind"] != "checkpoint":
        return None
    problems = json.loads(entries[0]["blob"])
    return sum(problem["searched"] + problem["done"] for problem in problems)


reached = kills = 0
while kills < MOST_KILLS:
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    goal = reached + random.randint(5, 25)
    while process.poll() is None:
        now = read_progress()
        if now is None:
            continue
        assert now >= reached, f"the search began anew: {now} after {reached}"
        if now >= goal:
            break
    process.kill()
    if process.wait() != -signal.SIGKILL:
        break
    # It is killed between two checkpoints, while it writes one, or after the last of them.
    now = read_progress()
    if now is None:
        break
    assert now >= goal, f"a checkpoint is lost: {now}, not {goal}"
    reached = now
    kills += 1
assert kills >= FEWEST_KILLS, f"the search ended after {kills} kills"
