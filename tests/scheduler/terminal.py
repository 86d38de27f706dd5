#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What isp writes to a terminal: it fits, its progress is one line that goes away, and colours are only where
they are wanted.

Usage: terminal.py ISP PROGRAM

PROGRAM is orders.c. isp runs on a pseudo-terminal of several widths; what it writes is compared with what it
writes to a file.
"""
import fcntl
import os
import re
import struct
import subprocess
import sys
import termios

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
ERASE = "\r\x1b[K"
LIMIT_S = 60
failures = []


def check(what, ok, text=""):
    if not ok:
        failures.append(what)
    print(("ok " if ok else "FAIL ") + what + ("" if ok else "\n" + text))


def environment(**more):
    kept = {
        k: v
        for k, v in os.environ.items()
        if not k.startswith("ISP_") and k not in ("NO_COLOR", "COLUMNS", "TERM")
    }
    return kept | {"TERM": "xterm"} | more


def command(isp, program):
    return [isp, "--output=none", "-n", "4", program, "deadlock"]


def on_terminal(words, columns, **env):
    """All that it writes to a terminal that is so wide (0: that does not know)."""
    mine, its = os.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    attributes = termios.tcgetattr(its)
    attributes[1] &= ~termios.OPOST
    termios.tcsetattr(its, termios.TCSANOW, attributes)
    process = subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=its, env=environment(**env)
    )
    os.close(its)
    said = b""
    while True:
        try:
            part = os.read(mine, 65536)
        except OSError:
            break
        if not part:
            break
        said += part
    os.close(mine)
    process.wait(LIMIT_S)
    return said.decode()


def in_file(words):
    return subprocess.run(
        words,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(COLUMNS="40"),
        timeout=LIMIT_S,
    ).stderr


def parts(said):
    """(the progress lines, the report). What is found is told above them where that takes long."""
    *shown, report = [re.sub(r"(?m)^isp: found: .*\n", "", part) for part in said.split(ERASE)]
    return [line for line in shown if line], report


def may_be_long(line):
    return (
        re.search(r": (error|warning|note): ", line)
        or line.startswith(("  replay: ", "  debug: "))
        or "--choices" in line
        or " " not in line.strip()
    )


def words_of(report):
    """Without the lines of the source, which are cut, and the seconds."""
    lines = [line for line in report.splitlines() if not re.match(r" +\d* \| ", line)]
    return re.sub(r"\(\d+\.\d\d\s+s\)", "", "\n".join(lines).replace("; replay: ", " replay: ")).split()


def main():
    isp, program = map(os.path.abspath, sys.argv[1:])
    words = command(isp, program)
    plain = in_file(words)
    check("a file: no control characters", "\x1b" not in plain and "\r" not in plain, plain)
    check(
        "a file: no line is broken",
        all(not line.startswith("      ") for line in plain.splitlines() if "|" not in line),
        plain,
    )
    for columns in 30, 47, 80, 200:
        said = on_terminal(words, columns)
        progress, report = parts(said)
        bare = COLOUR.sub("", report)
        check(
            f"{columns} columns: progress is shown",
            progress and all(line.startswith("isp: ") for line in progress),
            said,
        )
        check(f"{columns} columns: progress is one line", all(len(line) < columns for line in progress), said)
        check(f"{columns} columns: the report is coloured", report != bare, report)
        long = [line for line in bare.splitlines() if len(line) > columns and not may_be_long(line)]
        check(f"{columns} columns: lines end with the terminal", not long, "\n".join(long))
        check(
            f"{columns} columns: nothing is lost", words_of(bare) == words_of(plain), bare + "\n---\n" + plain
        )
    said = on_terminal(words, 0)
    check(
        "a terminal that does not know its width: no line is broken",
        words_of(COLOUR.sub("", parts(said)[1])) == words_of(plain)
        and len(COLOUR.sub("", parts(said)[1]).splitlines()) == len(plain.splitlines()),
        said,
    )
    said = on_terminal(words, 200, COLUMNS="47")
    check(
        "COLUMNS wins",
        all(len(line) <= 47 or may_be_long(line) for line in COLOUR.sub("", parts(said)[1]).splitlines()),
        said,
    )
    said = on_terminal(words, 80, NO_COLOR="1")
    check("NO_COLOR: no colours, but progress", not COLOUR.search(said) and parts(said)[0], said)
    said = on_terminal(words, 80, TERM="dumb")
    check("TERM=dumb: neither", "\x1b" not in said and "\r" not in said, said)
    said = on_terminal(words[:1] + ["-q"] + words[1:], 80)
    check(
        "-q: first lines only",
        all(re.search(r"\[[a-z-]+\]$", line) for line in COLOUR.sub("", said).splitlines()),
        said,
    )
    print(f"{len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
