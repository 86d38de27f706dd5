#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a verdict takes for granted is said behind it where that concerns the program, and nowhere else; isp report
says it too.

Usage: assumptions.py ISP FOLDER (of the programs of tests/mean)
"""
import os
import re
import subprocess
import sys
import tempfile

LIMIT_S = 60
THREADS, LATER = "what they tell each other through memory", "what they do when seconds are over"
PROGRAMS = {  # options, what is said
    "threads_two_senders_ok": (["-n", "2"], {THREADS}),
    "hang_later_file_ok": (["-n", "3", "--timeout=4"], {LATER}),
    "buffering_sendrecv_ok": (["-n", "2"], set()),
}


def said(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_S,
                          check=False)
    text = re.sub(r"\s+", " ", done.stdout + done.stderr)
    return {line for line in (THREADS, LATER) if line in text}, text


def main():
    isp, programs = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="isp-assumptions-") as folder:
        trace = os.path.join(folder, "trace")
        for name, (options, wanted) in PROGRAMS.items():
            explore = [isp, *options, "--trace", trace, os.path.join(programs, name)]
            for command in explore, [isp, "report", trace]:
                got, text = said(command)
                assert got == wanted, f"{' '.join(command)}: {got}, wanted {wanted}: {text}"
            print(f"ok   {name}")


if __name__ == "__main__":
    main()
