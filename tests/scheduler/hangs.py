#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A hang in a run that went on from a checkpoint is believed only if the run hangs without checkpoints as
well; else all is explored by launches.

Usage: hangs.py ISP PROGRAM

PROGRAM is hangs.c.
"""
import json
import os
import subprocess
import sys
import tempfile

LIMIT_S = 60
NOTE = "what goes on from a checkpoint differs from what is launched, in this program: hang;"


def explore(isp, folder, *words, options=()):
    result = os.path.join(folder, "result.json")
    env = {k: v for k, v in os.environ.items() if not k.startswith("ISP_")}
    done = subprocess.run(
        [isp, "--timeout", "1.5", "--json", result, *options, "-n", "3", "--", *words],
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    with open(result, encoding="utf-8") as f:
        return json.load(f), done.stderr


def main():
    isp, program = map(os.path.abspath, sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="isp-hangs-") as folder:
        result, said = explore(isp, folder, program, os.path.join(folder, "mark"))
        assert (result["verdict"], result["interleavings"], result["complete"]) == ("clean", 2, True), said
        assert said.count(NOTE) == 1, said
        for options in (), ("--no-checkpoints",):
            result, said = explore(isp, folder, program, options=options)
            hangs = [f for f in result["findings"] if f["rule"] == "hang"]
            assert len(hangs) == 1 and hangs[0]["interleaving"] == "1" and NOTE not in said, said


if __name__ == "__main__":
    main()
