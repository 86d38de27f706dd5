# SPDX-License-Identifier: BSD-3-Clause
"""How long who debugs has to wait: bench-debug (debug.c) under `isp debug`, timed from outside."""
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "debug"))
from debugger import Debugger  # noqa: E402

RANKS, EVENTS = 4, 100_000
# of one rank: the ring's call is a send and a receive, which the call waits for
ROUNDS = EVENTS // RANKS // 3
LAST = 3 * ROUNDS


def timed(action):
    start = time.monotonic()
    action()
    return time.monotonic() - start


class Session:
    """One session: how long each action took, by its name, in the order in which they were done."""

    def __init__(self, isp, program, seconds, rounds):
        self.isp, self.words = isp, [program, str(seconds), str(rounds)]
        self.took = {}

    def time(self, name, *commands):
        def act():
            for command in commands:
                self.debugger.says(command)

        self.took[name] = timed(act)
        if self.debugger.errors:
            raise SystemExit(f"{commands}: {self.debugger.errors}")

    def go(self, actions):
        with tempfile.TemporaryDirectory(prefix="isp-bench-") as folder:
            result = os.path.join(folder, "r.json")
            explore = [self.isp, "-q", "--json", result, "-n", str(RANKS), "--", *self.words]
            subprocess.run(explore, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            start = time.monotonic()
            with Debugger([self.isp, "debug", result]) as self.debugger:
                self.took["to the finding"] = time.monotonic() - start
                actions(self)
        return self.took


def short(session):
    session.time("the first value of a rank (gdb starts)", "print value")
    session.time("there for the first time: the last message", "prev-match")
    session.debugger.says("sender")
    session.time("back along a message, for the first time", "cause")
    session.debugger.says("goto end")
    session.debugger.says("prev-match")
    session.time("one step back along a message", "sender")
    session.time("... and a value there", "print value")
    session.debugger.says("goto end")
    session.debugger.says("focus 0")
    session.time("reverse-next from the call behind a loop", "reverse-next")
    session.debugger.says("reverse-next")
    session.debugger.says("reverse-next")
    session.time("reverse-next in the loop, at its 100,000th iteration", "reverse-next")
    if not session.debugger.says("print i")[0].startswith("9999"):
        raise SystemExit("that was not in the last iterations")


def long(session):
    session.time("goto, back over the whole run", "goto 0:1")
    session.time("goto, to its middle for the first time", f"goto 2:{LAST // 2}")
    session.time("goto, to nine tenths", f"goto 1:{LAST * 9 // 10}")
    session.time("goto, to one tenth", f"goto 3:{LAST // 10}")
    session.time("goto, to its middle again", f"goto 2:{LAST // 2}")


def medians(isp, program, seconds, rounds, actions, runs):
    """By action: the median of its seconds, over as many sessions."""
    all_of_them = [Session(isp, program, seconds, rounds).go(actions) for _ in range(runs)]
    return {name: statistics.median(took[name] for took in all_of_them) for name in all_of_them[0]}
