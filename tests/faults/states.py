#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Faults while states are compared and kept (poe/STATES.md): a rank ends, hangs or is late while it answers
for its state, the kernel does not tell what is needed, isp or a rank gets no more memory. (faults.py does not
come there: with reports that show each interleaving nothing is merged.)

usage: states.py BUILD [WAY ...]
"""
import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from alike import alike  # noqa: E402
from marks import marked, new_mark, setting  # noqa: E402

BUILD = os.path.abspath(sys.argv[1])
ISP, ORDERS, ANSWERS = (
    os.path.join(BUILD, p) for p in ("isp", "tests/merging/orders", "tests/faults/libanswers.so")
)
AGAIN = "so all is explored again, each interleaving launched"
# what is said, and whether states are kept in the end (None: either)
WAYS = {
    "none": ("", True),
    "late": ("", True),
    "old": ("the kernel does not tell which pages are in use", False),
    "kill": (AGAIN, False),
    "crash": (AGAIN, False),
    "exit": (AGAIN, False),
    "hang": (AGAIN, False),
    "starve": ("", None),
    "memory": ("states are not compared any more: memory is short", False),
}


def check(ok, *what):
    if not ok:
        raise AssertionError(what)


def explore(way, *words, limit=()):
    """(result, what was said); nothing may be left."""
    mark = new_mark()
    env = {**os.environ, **setting(mark), "ISP_ONCE": "1"}
    if way in WAYS and way not in ("none", "memory"):
        env |= {"LD_PRELOAD": ANSWERS, "ANSWERS": way}
    # the ranks' memory is not what is short
    program = ["sh", "-c", f"ulimit -v unlimited; exec {ORDERS} late"]
    with (
        tempfile.TemporaryDirectory(prefix="isp-states-") as folder,
        tempfile.TemporaryDirectory(prefix="isp-answers-") as marks,
    ):
        env["ANSWERS_FOLDER"] = marks
        done = subprocess.run(
            [
                *limit,
                ISP,
                *(["-v"] if way in ("old", "memory") else []),  # else it also asks how states differ
                "--timeout",
                "3",
                "--buffering=zero",
                "--output",
                "none",
                "--json",
                "result.json",
                *words,
            ]
            + ["-n", "5", "--", *program],
            cwd=folder,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        check(os.listdir(folder) == ["result.json"], way, done)
        with open(os.path.join(folder, "result.json"), encoding="utf-8") as file:
            result = json.load(file)
    check(done.returncode in (1, 3), way, done)
    check(not marked(mark), way, marked(mark))
    return result, done.stderr


def try_way(way, wanted):
    says, merges = WAYS[way]
    limit = ["prlimit", f"--as={90 << 20}:"] if way == "memory" else []
    result, text = explore(way, limit=limit)
    check(merges is None or (result["states"] > 0) == merges, way, text)
    check(says in text, way, text)
    check(alike(result) == wanted, way, text)


def main():
    wanted = alike(explore("off", "--merge=off")[0])
    for way in sys.argv[2:] or WAYS:
        try_way(way, wanted)
        print(f"ok {way}", flush=True)


if __name__ == "__main__":
    main()
