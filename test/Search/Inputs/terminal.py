# Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command whose standard error is a terminal, and prints what it writes there, lines that take the place of others as lines
of their own, and its exit status.

terminal.py [--interrupt=PATTERN] COMMAND...

With --interrupt it sends SIGINT, once, as soon as the command has written something that the regular expression matches.
"""
import os
import pty
import re
import signal
import subprocess
import sys

command = sys.argv[1:]
awaited = None
if command[0].startswith("--interrupt="):
    awaited = command.pop(0).removeprefix("--interrupt=").encode()
ours, theirs = pty.openpty()
# Who runs this may ignore it.
process = subprocess.Popen(command, stderr=theirs, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
os.close(theirs)
text = b""
while True:
    try:
        more = os.read(ours, 4096)
    except OSError:  # How Linux says that nobody has the terminal open any more.
        break
    if not more:
        break
    text += more
    if awaited and re.search(awaited, text):
        process.send_signal(signal.SIGINT)
        awaited = None
assert not awaited, "it ended before it was to be interrupted"
print(text.decode().replace("\r", "\n").replace("\x1b", "ESC"))
print("exit status", process.wait())
