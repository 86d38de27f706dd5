#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Signals that ask for an end: whatever the signal is, isp reports what it knows and says which one it was;
the program has the dispositions of its parent.

Usage: signals.py BUILD
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

BUILD = os.path.abspath(sys.argv[1])
ISP, MOMENTS, DISPOSITIONS = (
    os.path.join(BUILD, p) for p in ("isp", "tests/faults/moments", "tests/faults/dispositions")
)
ENDING = [
    signal.SIGINT,
    signal.SIGTERM,
    signal.SIGHUP,
    signal.SIGXCPU,
    signal.SIGUSR1,
    signal.SIGUSR2,
    signal.SIGALRM,
    signal.SIGVTALRM,
    signal.SIGPROF,
    signal.SIGIO,
    signal.SIGPWR,
]
LIMIT_S = 30


def explore(options, until):
    """(exit code, stderr, --json) of isp, to which `until` does something when a rank waits and a finding is
    known."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "json")

        def become():
            for number in ENDING + [signal.SIGXFSZ]:
                signal.signal(number, signal.SIG_DFL)

        isp = subprocess.Popen(
            [ISP, "--timeout", "20", "--json", out, *options, "-n", "3", "--", MOMENTS, folder, "fence"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=become,
        )
        end = time.monotonic() + LIMIT_S
        while (
            not any(name.startswith("fence.") for name in os.listdir(folder))
            and isp.poll() is None
            and time.monotonic() < end
        ):
            time.sleep(0.002)
        until(isp)
        said = isp.communicate(timeout=LIMIT_S)[1]
        with open(out, encoding="utf-8") as f:
            return isp.returncode, said, json.load(f)


def check_signal(number, options):
    code, said, result = explore(options, lambda isp: isp.send_signal(number))
    known = number.name if isinstance(number, signal.Signals) else f"signal {number}"
    name = f"interrupted by {'SIGPOLL' if number == signal.SIGIO else known}"
    assert code == 1, (name, options, code, said)
    assert result["incomplete_because"] == name and not result["complete"], (
        name,
        options,
        result["incomplete_because"],
    )
    assert f"incomplete: {name}" in said, (name, said)
    assert "leak-datatype" in {f["rule"] for f in result["findings"]}, (name, result["findings"])


def check_warning_and_more():
    """A limit of processor time warns each second, and a batch system sends another signal after a while:
    neither ends isp at once."""

    def send(isp):
        for number in (signal.SIGXCPU, signal.SIGUSR1, signal.SIGXCPU, signal.SIGTERM):
            isp.send_signal(number)

    code, _, result = explore([], send)
    assert code == 1 and re_interrupted(result), (code, result["incomplete_because"])


def re_interrupted(result):
    return result["incomplete_because"] in {f"interrupted by {n}" for n in ("SIGXCPU", "SIGUSR1", "SIGTERM")}


def dispositions(command, before):
    return subprocess.run(
        command, capture_output=True, text=True, timeout=LIMIT_S, preexec_fn=before, check=True
    ).stdout


def check_program():
    """What the program sees under isp is what it sees under mpiexec."""

    def usual():
        for number in ENDING + [signal.SIGXFSZ, signal.SIGPIPE, signal.SIGQUIT]:
            signal.signal(number, signal.SIG_DFL)

    def unusual():
        usual()
        for number in (signal.SIGUSR2, signal.SIGXFSZ, signal.SIGALRM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})

    for before in (usual, unusual):
        wanted = dispositions(["mpiexec", "-n", "2", DISPOSITIONS], before)
        for options in ([], ["-j", "2"]):
            seen = dispositions([ISP, "-q", *options, "-n", "2", DISPOSITIONS], before)
            assert seen == wanted, (before.__name__, options, seen, wanted)


def main():
    check_program()
    for number in [*ENDING, signal.SIGRTMIN + 3]:
        check_signal(number, [])
    for number in (signal.SIGXCPU, signal.SIGUSR1, signal.SIGTERM):
        check_signal(number, ["-j", "2"])
    check_warning_and_more()
    print(f"{len(ENDING) + 1} signals")


if __name__ == "__main__":
    main()
