"""Runs a command that ignores SIGINT from its start, and sends it some until it ends.

ignore_interrupts.py COMMAND...
"""
import signal
import subprocess
import sys

process = subprocess.Popen(sys.argv[1:], preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
while True:
    try:
        sys.exit(process.wait(timeout=0.05))
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
