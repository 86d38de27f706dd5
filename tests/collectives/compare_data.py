#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
The data of random collectives (data.c) under isp, with zero and with infinite buffering, against that under
mpiexec.

The programs are correct and deterministic: isp must find nothing, need one interleaving, and every rank must
get the very same bytes.

usage: compare_data.py ISP DATA [--seed S] [--count N] [--steps K]
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

TIME_LIMIT_S = 120


def run(command, **more):
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT_S,
        check=False,
        **more,
    )


def data(prefix, ranks):
    """What each rank got, line by line."""
    lines = []
    for rank in range(ranks):
        with open(f"{prefix}.{rank}", encoding="ascii") as f:
            lines.append(f.read().splitlines())
    return lines


def under_isp(options, mode, program, ranks, folder):
    """What is wrong with isp's result, or None."""
    file = os.path.join(folder, "result.json")
    done = run(
        [
            options.isp,
            "-q",
            "--output",
            "none",
            f"--buffering={mode}",
            "--json",
            file,
            "-n",
            str(ranks),
            "--",
            *program,
        ]
    )
    if done.returncode:
        return f"isp ends with {done.returncode}\n{done.stderr}"
    with open(file, encoding="utf-8") as f:
        result = json.load(f)
    if result["verdict"] != "clean" or result["interleavings"] != 1:
        return f"{result['verdict']}, {result['interleavings']} interleavings"
    return None


def compare(options, seed):
    """The differences of one program; None: MPICH does not end even without isp."""
    ranks = 2 + seed % 4
    wrong = []
    with tempfile.TemporaryDirectory() as folder:

        def program(name):
            return [options.data, str(seed), str(options.steps), os.path.join(folder, name)]

        try:
            done = run(
                ["mpiexec", "-n", str(ranks), *program("plain"), "plain"],
                env={**os.environ, "MPIR_CVAR_NOLOCAL": "1", "UCX_TLS": "posix,self"},
            )
        except subprocess.TimeoutExpired:
            return None
        if done.returncode:
            return [f"mpiexec ends with {done.returncode}\n{done.stdout}{done.stderr}"]
        expected = data(os.path.join(folder, "plain"), ranks)
        for mode in ("zero", "infinite"):
            what = under_isp(options, mode, program(mode), ranks, folder)
            if what:
                wrong.append(f"{mode}: {what}")
                continue
            for rank, (a, b) in enumerate(zip(expected, data(os.path.join(folder, mode), ranks))):
                wrong += [f"{mode}: rank {rank} got\n  {y}\n  {x} (mpiexec)" for x, y in zip(a, b) if x != y][
                    :1
                ]
                if len(a) != len(b):
                    wrong.append(f"{mode}: rank {rank} ends after {len(b)} of {len(a)} steps")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("isp")
    parser.add_argument("data")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=4)
    parser.add_argument("--steps", type=int, default=40)
    options = parser.parse_args()
    bad = skipped = 0
    for seed in range(options.seed, options.seed + options.count):
        wrong = compare(options, seed)
        bad += bool(wrong)
        skipped += wrong is None
        for what in wrong or []:
            print(f"seed {seed}, {2 + seed % 4} ranks: {what}")
        if wrong:
            print(f"again: {' '.join(sys.argv[:3])} --seed {seed} --count 1 --steps {options.steps}")
    print(
        f"{options.count} programs of {options.steps} steps, {skipped} skipped: mpiexec does not end; "
        f"{bad} differ"
    )
    sys.exit(bad > 0 or skipped == options.count)


if __name__ == "__main__":
    main()
