#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What isp tells while it explores: a sign of life in the first interleaving, then how far it is, findings
when they are found, and that all end in the same deadlock, after which the search ends. What the program
prints does not stick to that, and Ctrl-C reports.

Usage: progress.py ISP PROGRAM

PROGRAM is unhurried.c. isp runs on a pseudo-terminal, with the program's output on it. What is on the screen
in the end is worked out as a terminal does.
"""
import concurrent.futures
import fcntl
import json
import os
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time

ERASE = "\r\x1b[K"
LIMIT_S = 100
COLUMNS = 100
failures = []


def check(what, ok, text=""):
    if not ok:
        failures.append(what)
    print(("ok " if ok else "FAIL ") + what + ("" if ok else "\n" + text))


def environment():
    kept = {
        k: v for k, v in os.environ.items() if not k.startswith("ISP_") and k not in ("NO_COLOR", "COLUMNS")
    }
    return kept | {"TERM": "xterm", "LC_ALL": "C.UTF-8"}


def own_terminal():
    """Ctrl-C is for who has it."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def on_terminal(words, type_at=None, typed=b"\x03"):
    """All that is written to it, and the exit code. Ctrl-C, or what else, is typed when type_at is there."""
    mine, its = os.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    process = subprocess.Popen(
        words,
        stdin=its,
        stdout=its,
        stderr=its,
        env=environment(),
        start_new_session=True,
        preexec_fn=own_terminal,
    )
    os.close(its)
    said, end_s = "", time.monotonic() + LIMIT_S
    while time.monotonic() < end_s:
        if not select.select([mine], [], [], 1)[0]:
            continue
        try:
            part = os.read(mine, 65536)
        except OSError:
            break
        if not part:
            break
        said += part.decode(errors="replace")
        if type_at and re.search(type_at, said):
            os.write(mine, typed)
            type_at = None
    os.close(mine)
    try:
        return said, process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        return said + "\n(does not end)", None


def screen(said):
    """Its lines in the end."""
    said = re.sub(r"\x1b\[[0-9;]*m", "", said)
    lines, column = [""], 0
    for piece in re.findall(r"\x1b\[K|.", said, re.S):
        if piece == "\n":
            lines.append("")
        elif piece == "\r":
            column = 0
        elif piece == "\x1b[K":
            lines[-1] = lines[-1][:column]
        else:
            lines[-1] = lines[-1][:column].ljust(column) + piece + lines[-1][column + 1 :]
            column += 1
    return lines


def shown(said):
    """The lines that were written anew."""
    lines = [part for part in said.split(ERASE)[1:] if part and "\n" not in part]
    return lines


def first_interleaving(isp, program, more):
    what = "first interleaving" + "".join(" " + word for word in more)
    said, code = on_terminal([isp, "-n", "3", *more, program, "2.5", "2", "ok"])
    lines = shown(said)
    told = [line for line in lines if re.match(r"isp: the first interleaving, \d s, \d+ MPI calls, ", line)]
    check(
        f"{what}: is told, with what ranks do",
        any("rank 1 computes after MPI_Barrier" in line for line in told),
        said,
    )
    check(
        f"{what}: and what Ctrl-C does", told and all(line.endswith("Ctrl-C reports") for line in told), said
    )
    check(f"{what}: lines fit", all(len(line) < COLUMNS for line in lines), said)
    text = screen(said)
    check(
        f"{what}: nothing sticks to what the program prints",
        text[0].rstrip() == "begun" and "ended" in text,
        said,
    )
    check(f"{what}: all lines go away", not any("interleaving, " in line for line in text), said)
    check(
        f"{what}: the report is there, and the exit code",
        code == 0 and any("all explored" in l for l in text),
        said,
    )


def interrupt(isp, program, more):
    what = "Ctrl-C" + "".join(" " + word for word in more)
    said, code = on_terminal([isp, "-n", "3", *more, program, "60", "2", "ok"], r"rank 1 computes")
    check(f"{what} in the first interleaving: reports", "incomplete: interrupted by SIGINT" in said, said)
    check(f"{what} in the first interleaving: exit code 3", code == 3, said)
    told = r"(?s)(?=.*isp: found: )(?=.* error, )(?=.*of about \S+ \(\S+ to \S+\) interl)"
    said, code = on_terminal([isp, "-n", "3", "--merge=off", *more, program, "0", "9", "some"], told)
    check(
        f"{what} after a finding: reports it",
        re.search(r"isp: 1 error in \d+ of about .*SIGINT", " ".join(screen(said))),
        said,
    )
    check(f"{what} after a finding: exit code 1", code == 1, said)
    lines = screen(said)
    found = [line for line in lines if line.startswith("isp: found: error at ")]
    check(
        f"{what}: the finding was told once, when it was found",
        len(found) == 1 and "deadlock: rank 0 waits" in "".join(lines),
        said,
    )
    last = [line for line in shown(said) if " error, " in line]
    check(
        f"{what}: how many, and of how many",
        any(re.match(r"isp: \d+ of about \S+ .*interleavings, 1 error, ", l) for l in last),
        said,
    )
    check(
        f"{what}: how sure that is",
        any(re.search(r"of about \S+ \(\S+ to \S+\) interl", l) for l in shown(said)),
        said,
    )


def terminal_input(isp, program):
    """A replay, which is one run (exit code 3), reads the terminal; an exploration does not."""
    words = ["-n", "2", "--", program, "0", "1", "asks"]
    said, code = on_terminal([isp, "replay", "--choices", "0", *words], r"what\?", b"this\n")
    check("isp replay reads the terminal", "read this" in said and code == 3, said)
    said, code = on_terminal([isp, *words])
    check("isp does not read the terminal", "read nothing" in said and code == 0, said)


def same_end(isp, program, more):
    """Every interleaving ends in the same deadlock."""
    what = "the same deadlock" + "".join(" " + word for word in more)
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "result.json")
        words = [isp, "-n", "3", "--merge=off", "--json", file, *more, program, "0", "9", "all"]
        said, code = on_terminal(words)
        with open(file, encoding="utf-8") as stream:
            result = json.load(stream)
    check(f"{what}: is told", any("all with the same deadlock" in line for line in shown(said)), said)
    check(f"{what}: exit code 1", code == 1, said)
    check(
        f"{what}: not all explored",
        result["complete"] is False and result["estimated_interleavings"] > result["interleavings"] >= 20,
        str(result),
    )
    because = result["incomplete_because"]
    return what, because, result["left_out"]


def main():
    isp, program = map(os.path.abspath, sys.argv[1:])
    stop = (
        r"all interleavings so far end in the same deadlock at .*unhurried\.c:\d+ "
        r"\(--keep-going explores the others\)"
    )
    with concurrent.futures.ThreadPoolExecutor() as pool:
        waiting = [pool.submit(first_interleaving, isp, program, more) for more in ([], ["-j", "2"])]
        waiting += [pool.submit(interrupt, isp, program, more) for more in ([], ["-j", "2"])]
        waiting.append(pool.submit(terminal_input, isp, program))
        ends = [pool.submit(same_end, isp, program, more) for more in ([], ["-j", "2"])]
        goes_on = pool.submit(same_end, isp, program, ["--keep-going", "--max-time", "12"])
        for job in waiting:
            job.result()
        for job in ends:
            what, because, left_out = job.result()
            check(f"{what}: ends the search", re.fullmatch(stop, because), because)
            check(f"{what}: left_out", [x["bound"] for x in left_out] == ["same-end"], str(left_out))
        what, because, _ = goes_on.result()
        check(f"{what}: goes on", because == "12 s (--max-time) are over", because)
    print(f"{len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
