# Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command that reads its standard input, which never ends, interrupts it once it handles that, and prints which signal has
ended it. Once with SIGINT, once with SIGTERM.

interrupt_reading.py COMMAND...
"""
import signal
import subprocess
import sys
import time


def get_handled(process):
    """The signals that a process handles, as a mask: bit 0 is signal 1."""
    with open(f"/proc/{process.pid}/status") as status:
        return next(int(line.split()[1], 16) for line in status if line.startswith("SigCgt:"))


for number in (signal.SIGINT, signal.SIGTERM):
    # Who runs this may ignore it.
    process = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    while not get_handled(process) >> (number - 1) & 1:
        time.sleep(0.01)
    process.send_signal(number)
    print("ended by", signal.Signals(-process.wait()).name)
