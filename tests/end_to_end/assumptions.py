#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a verdict takes for granted is said behind it where that concerns the program, and nowhere else; isp
report says it too. So do the JSON result, the page, JUnit and SARIF.

Usage: assumptions.py ISP BUILD
"""
import json
import os
import re
import subprocess
import sys
import tempfile

LIMIT_S = 60
THREADS, LATER = "what they tell each other through memory", "what they do when seconds are over"
MUTEXES = "which mutexes and semaphores they take was not seen"
LOOKS = "that the heap or the time makes them do something else the next time"
SHARES = "what they tell each other by loads and stores"
WAITS = "that looking in vain makes them do something else afterwards"
ALL = (THREADS, LATER, MUTEXES, LOOKS, SHARES, WAITS)
PROGRAMS = {  # options, what is said
    "tests/mean/threads_two_senders_ok": (["-n", "2"], {THREADS}),
    "tests/mean/threads_mutex_ok": (["-n", "2", "-j", "2"], {THREADS}),
    "tests/mean/hang_later_file_ok": (["-n", "3", "--timeout=4"], {LATER, WAITS}),
    "tests/mean/atomic_spin_lock_ok": (["-n", "2"], {LOOKS}),
    "tests/mean/atomic_ticket_ok": (["-n", "3"], set()),
    "tests/mean/buffering_sendrecv_ok": (["-n", "2"], set()),
    "tests/programs/shared_window_ok": (["-n", "3", "-j", "2"], {SHARES}),
    "tests/programs/maps_file": (["-n", "2"], {SHARES}),
    "tests/programs/maps_own_file": (["-n", "2"], set()),
    "tests/static/threads_mutex_ok_static": (["-n", "2"], {THREADS, MUTEXES}),
    "tests/static/threads_mutex_static_mpi": (["-n", "2", "-j", "2"], {THREADS, MUTEXES}),
}
REPORTS = {"json": "--json", "html": "--html", "xml": "--junit", "sarif": "--sarif"}


def those_in(text):
    text = re.sub(r"\s+", " ", text)
    return {line for line in ALL if line in text}


def run(command):
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT_S, check=False
    )
    return done.stdout + done.stderr


def check(command, wanted, folder):
    options = [f"{option}={os.path.join(folder, kind)}" for kind, option in REPORTS.items()]
    text = run(command)
    run([*command[:-1], *options, command[-1]])
    assert those_in(text) == wanted, f"{' '.join(command)}: {text}, wanted {wanted}"
    for kind in REPORTS:
        with open(os.path.join(folder, kind), encoding="utf-8") as stream:
            found = stream.read()
        if kind == "json":
            listed = json.loads(found)["assumptions"]
            assert len(listed) == len(wanted), f"{listed}, wanted {wanted}"
        elif kind == "html":  # its data; the words are nowhere else
            found = re.search(r'id="isp-data">(.*?)</script>', found, re.S)[1]
        assert those_in(found) == wanted, f"{' '.join(command)}: {kind}: {those_in(found)}, wanted {wanted}"


def check_replay(isp, options, program, folder):
    path = os.path.join(folder, "replay.json")
    run([isp, "replay", *options, "--choices=0", f"--json={path}", program])
    with open(path, encoding="utf-8") as stream:
        assert json.load(stream)["assumptions"] == [], "one interleaving is no verdict"


def main():
    isp, build = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="isp-assumptions-") as folder:
        trace = os.path.join(folder, "trace")
        for name, (options, wanted) in PROGRAMS.items():
            program = os.path.join(build, name)
            if not os.path.exists(program) and "static" in name:  # no MPICH to be linked statically
                continue
            for command in [isp, *options, "--trace", trace, program], [isp, "report", trace]:
                check(command, wanted, folder)
            if wanted == {THREADS}:
                check_replay(isp, options, program, folder)
            print(f"ok   {name}")


if __name__ == "__main__":
    main()
