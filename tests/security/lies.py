#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A rank that lies (liar.py) ends its run with a message, never isp itself: no signal, no hang, nothing left.

Usage: lies.py ISP [--seed N] [--count N] [lie...]
"""
import argparse
import concurrent.futures
import os
import subprocess
import sys
import tempfile

from liar import LIES

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT_S = 60
AT_A_TIME = 4


def problem(isp, folder, words):
    """What is wrong with how isp took it, or None; and how it ended."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("ISP_")} | {"TMPDIR": folder}
    command = [
        isp,
        "-q",
        "-n",
        "2",
        "--timeout",
        "1",
        "--max-interleavings",
        "3",
        "--",
        sys.executable,
        os.path.join(HERE, "liar.py"),
        *words,
    ]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            timeout=LIMIT_S,
            env=env,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
        )
    except subprocess.TimeoutExpired:
        return "it hangs", None
    if done.returncode not in (1, 3, 5) or "isp: " not in done.stderr + done.stdout and done.returncode == 5:
        return f"exit code {done.returncode}: {done.stderr[-800:]}", done.returncode
    left = os.listdir(folder)
    return (f"left: {left}" if left else None), done.returncode


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("isp")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=15)
    parser.add_argument("lies", nargs="*")
    o = parser.parse_args()
    isp, failed, ended = os.path.abspath(o.isp), 0, {}
    cases = [[lie] for lie in o.lies or LIES] + (
        [] if o.lies else [["at random", str(seed)] for seed in range(o.seed, o.seed + o.count)]
    )

    def tell(words):
        with tempfile.TemporaryDirectory(prefix="isp-lies-") as folder:
            return words, *problem(isp, folder, words)

    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:  # they mostly wait
        told = list(pool.map(tell, cases))
    for words, wrong, code in told:
        ended[code] = ended.get(code, 0) + 1
        failed += wrong is not None
        if wrong:
            print(f"FAIL {' '.join(words)}: {wrong}", flush=True)
    print(
        f"{len(cases)} lies: "
        + ", ".join(f"exit code {code}: {n}" for code, n in sorted(ended.items(), key=str))
    )
    if failed:
        print(f"again: tests/security/lies.py {o.isp} --seed {o.seed} --count {o.count}")
    sys.exit(failed > 0)


main()
