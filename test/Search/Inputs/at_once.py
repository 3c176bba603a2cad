# Part of the Mirage project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command several times at once, @ in its arguments the number of the run: at_once.py TIMES COMMAND..."""
import subprocess
import sys

times, command = int(sys.argv[1]), sys.argv[2:]
runs = [subprocess.Popen([argument.replace("@", str(run)) for argument in command]) for run in range(times)]
statuses = [run.wait() for run in runs]
sys.exit(f"exit statuses: {statuses}" if any(statuses) else 0)
