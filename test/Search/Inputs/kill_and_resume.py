"""Runs a command, kills it (SIGKILL) after a random time, and again, a number of times; then lets it end.

kill_and_resume.py DATABASE SEED TIMES COMMAND...
"""
import random
import subprocess
import sys
import time

seed, times, command = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
random.seed(seed)
for _ in range(times):
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    time.sleep(random.uniform(0.02, 1.2))
    process.kill()
    process.wait()
sys.exit(subprocess.run(command).returncode)
