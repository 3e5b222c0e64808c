#!/usr/bin/env python3
"""Turns a command's coloured output into an SVG: scripts/picture.py TITLE OUTPUT.svg -- COMMAND...

Needs the Python package `rich`. The picture of the README is made by scripts/picture.sh.
"""

import os
import subprocess
import sys

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

title, output, separator, *command = sys.argv[1:]
assert separator == "--", __doc__
environment = dict(os.environ, CLICOLOR_FORCE="1")
run = subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True)
console = Console(record=True, width=118, file=open(os.devnull, "w"))
console.print(Text(f"$ {title}\n", style="bold"))
console.print(Text.from_ansi(run.stdout.decode()))
console.save_svg(output, title="loopwright", theme=MONOKAI)
