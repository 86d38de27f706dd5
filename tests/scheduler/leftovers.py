#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Law 8: whatever dies first, nothing is left.

Usage: leftovers.py ISP PROGRAM...

PROGRAM hangs (ranks compute for ever), or has more interleavings than anybody can explore, so that many
processes wait at checkpoints. isp is started on it; when all ranks run, one process is killed: isp,
its guard, mpiexec, a proxy, a rank; or isp is interrupted. Then every process that carries this test's mark
in its environment has to be gone, and isp's folder too.
"""
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from marks import marked, new_mark, setting  # noqa: E402

signal.signal(signal.SIGHUP, signal.SIG_DFL)  # also under nohup: isp then leaves it ignored

RANKS = 3
LIMIT_S = 20


def wait_for(condition, what):
    """Polls, since there is no event for processes of others."""
    end = time.monotonic() + LIMIT_S
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"timed out waiting until {what}")


def pick(processes, name):
    return sorted(pid for pid, n in processes.items() if n == name)


def send(pids, signum):
    """To one of them; whether it was there."""
    try:
        os.kill(random.choice(pids), signum)
        return True
    except (IndexError, ProcessLookupError):
        return False


def check(isp, program, victim, signum, searches):
    mark = new_mark()
    with tempfile.TemporaryDirectory() as tmp:
        env = dict(os.environ, TMPDIR=tmp, **setting(mark))
        rank = os.path.basename(program)[:15]
        started = os.path.join(tmp, "started")
        # After a death the search goes on; with states merged it would be over before it is interrupted.
        how = ["--max-time", "6", "--merge=off"] if searches else ["--timeout", "0"]
        process = subprocess.Popen(
            [isp, *how, "-n", str(RANKS), program, started, *["search"] * searches],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        try:
            wait_for(lambda: sum(f.startswith("started") for f in os.listdir(tmp)) == RANKS, "all ranks run")
            if searches:  # some way
                time.sleep(random.uniform(0.1, 0.5))
            wait_for(lambda: send(pick(marked(mark), victim or rank), signum), f"{victim or rank} is there")
            if victim == "hydra_pmi_proxy":  # nobody notices that one: the ranks go on until they are stopped
                process.send_signal(signal.SIGINT)
            wait_for(
                lambda: not marked(mark),
                f"all are gone after {victim or 'a rank'} got {signum.name}: {marked(mark)}",
            )
            process.wait(LIMIT_S)
            left = [f for f in os.listdir(tmp) if not f.startswith("started")]
            assert not left, f"left in TMPDIR: {left}"
            said = process.stderr.read().decode()
            if victim != "isp":  # a launcher that dies is no finding about the program
                # a rank that only waits to be needed again is no rank
                expected = (3,) if victim else (1, 3) if searches else (1,)
                assert process.returncode in expected, (process.returncode, said)
            return process.returncode
        finally:
            for pid in marked(mark):
                send([pid], signal.SIGKILL)
            process.kill()
            process.stderr.close()
            process.wait()


def main():
    isp, program = sys.argv[1:3]
    cases = [
        ("isp", signal.SIGKILL),
        ("isp", signal.SIGINT),
        ("isp", signal.SIGTERM),
        ("isp", signal.SIGHUP),
        ("isp-guard", signal.SIGKILL),
        ("mpiexec", signal.SIGKILL),
        ("hydra_pmi_proxy", signal.SIGKILL),
        (None, signal.SIGKILL),
        (None, signal.SIGTERM),
    ]
    failed = 0
    for victim, signum, searches in [(*case, searches) for searches in (False, True) for case in cases]:
        name = f"{victim or 'a rank'} gets {signum.name}{' in a search' if searches else ''}"
        try:
            code = check(isp, program, victim, signum, searches)
            print(f"ok {name}: isp exits with {code}")
        except AssertionError as e:
            failed += 1
            print(f"FAIL {name}: {e}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
