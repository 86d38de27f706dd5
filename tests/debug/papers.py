#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The examples of the papers that isp debug goes back to.

usage: papers.py ISP STEPS CAUSAL
"""
import os
import re
import sys
import unittest

from debugger import Debugger

isp, steps_program, causal_program = "", "", ""


class ParallelStep(unittest.TestCase):
    """The parallel step command (Kalinov, Karganov and Khorenko): a step of all is complete when each rank
    has done its own or cannot without another one; who waits resumes its step by itself.

    Rank 1 receives from 0 at line 7; rank 0 comes to its send at line 11 three steps later; the others wait
    in MPI_Finalize. Lines where a rank is after each step, "." while its step is not complete:

        step of all   1    2    3    4    5    6    7    8      steps of its own
        rank 0        9   10    9   11   17    .   18  over     7
        rank 1        7    .    .    .    8   17   18  over     5
        ranks 2, 3   13   14   15   17    .    .   18  over     6
                                       |    |    |
                            Send, Recv +    |    + who waits in MPI_Finalize goes on
                                            + rank 1 still has to come
    """

    LINES = {
        0: [9, 10, 9, 11, 17, None, 18, "over"],
        1: [7, None, None, None, 8, 17, 18, "over"],
        2: [13, 14, 15, 17, None, None, 18, "over"],
        3: [13, 14, 15, 17, None, None, 18, "over"],
    }
    OWN = {0: 7, 1: 5, 2: 6, 3: 6}

    def test_eight_steps_end_the_program(self):
        with Debugger([isp, "debug", "-n", "4", "--", steps_program]) as d:
            d.says("goto start")
            d.says("[all] step")  # MPI_Init
            self.assertEqual(places(d), {r: 5 for r in range(4)})
            own = dict.fromkeys(range(4), 0)
            for step in range(8):
                d.says("[all] step")
                now = places(d)
                for rank, lines in self.LINES.items():
                    self.assertEqual(now[rank], lines[step], f"rank {rank} after step {step + 1}")
                    own[rank] += now[rank] is not None
            self.assertEqual(own, self.OWN)
            self.assertEqual(d.errors, [])


class Causal(unittest.TestCase):
    """Causal replay (Hong and Kim), and causal debugging (Aoyagi and Manabe). Events are numbered:

        rank 0  --0:send a----1:send b------2:send c-------------------
                      \\             \\              \\
        rank 1  ----0:recv a--1:send d-\\----------2:recv c------------
                                  \\     \\________
                                   \\             \\
        rank 2  --0:irecv b-----1:recv d--------2:wait b--------------
    """

    def setUp(self):
        self.d = Debugger([isp, "debug", "-n", "3", "--buffering=infinite", "--", causal_program])
        self.d.__enter__()
        self.addCleanup(lambda: self.d.__exit__(*sys.exc_info()))

    def at(self, *numbers):
        """Rank r stands at its event numbers[r]."""
        self.assertEqual(events(self.d), dict(enumerate(numbers)))

    def go(self, *commands):
        for command in commands:
            self.d.says(command)
        self.assertEqual(self.d.errors, [])

    def focus(self):
        return int(re.match(r"rank (\d+) ", self.d.says("where")[0])[1])

    def test_causal_stop(self):
        """At 2:1 nobody else had to do anything; at 2:2 d was received, so that a and d were sent, and b not
        yet; at the end of rank 2 b was sent as well, and never c."""
        self.go("goto 2:1")
        self.at(0, 0, 1)
        self.go("goto 2:2")
        self.at(1, 2, 2)
        self.go("goto 2:3")
        self.at(2, 2, 3)
        self.go("goto 1:3")  # c is sent after b
        self.at(3, 3, 0)
        self.go("goto 1:1")  # back
        self.at(1, 1, 0)

    def test_only_the_focus_runs(self):
        """From where it stands at recv d, and others have done nothing: its sender runs just up to that send,
        whose own receive needs a; then the wait needs b."""
        self.go("goto 2:1", "next")
        self.at(1, 2, 2)
        self.go("next")
        self.at(2, 2, 3)

    def test_the_focus_runs_on_its_own(self):
        """Others that a step of all has left at a line are needed all the same, and go up to the call."""
        self.go("goto start", "[all] step", "focus 1", "until 20")
        self.assertIn("causal.c:20 second", self.d.says("where")[0])
        self.at(1, 1, 0)

    def test_forward_along_a_message(self):
        """The focus moves to the receiver, at the receive; of a nonblocking one at its wait."""
        self.go("goto 0:0", "follow")
        self.assertEqual(self.focus(), 1)
        self.at(0, 0, 0)
        self.go("goto 1:1", "follow")
        self.assertEqual(self.focus(), 2)
        self.at(0, 0, 1)
        self.go("goto 0:1", "follow")
        self.assertEqual(self.focus(), 2)
        self.at(1, 2, 2)

    def test_backward_along_a_message(self):
        """To the send, the others in the first consistent state; or to the last receive before that send."""
        self.go("goto 2:1", "sender")
        self.assertEqual(self.focus(), 1)
        self.at(1, 1, 0)
        self.go("goto 2:1", "cause")
        self.assertEqual(self.focus(), 1)
        self.at(0, 0, 0)
        self.go("goto 1:2", "sender")
        self.assertEqual(self.focus(), 0)
        self.at(2, 0, 0)
        self.go("goto 2:2", "sender")  # of what it waits for
        self.assertEqual(self.focus(), 0)
        self.at(1, 0, 0)

    def test_values_are_those_of_the_time(self):
        for event, name, value in ("2:1", "d", "0"), ("2:2", "d", "11"), ("1:1", "a", "1"), ("1:0", "a", "0"):
            self.go(f"goto {event}")
            self.assertEqual(self.d.says(f"print {name}"), [value], event)


def rows(d):
    """(ranks, how, the rest) of each line of `ranks`."""
    for line in d.says("ranks"):
        found = re.match(r"[* ] ranks? ([\d, -]+?) +(stands|waits|is over) +(.*)", line)
        for part in found[1].split(", "):
            first, _, last = part.partition("-")
            for rank in range(int(first), int(last or first) + 1):
                yield rank, found[2], found[3]


def places(d):
    """rank -> its line; None: it waits; "over"."""
    found = {}
    for rank, how, rest in rows(d):
        line = int(re.search(r":(\d+) ", rest)[1])
        found[rank] = None if how == "waits" else "over" if how == "is over" else line
    return found


def events(d):
    """rank -> the number of the event that it stands at, or that is its next."""
    return {
        int(m[1]): int(m[2]) for m in (re.match(r"> (\d+):(\d+) ", x) for x in d.says("[all] calls")) if m
    }


if __name__ == "__main__":
    isp, steps_program, causal_program = (os.path.abspath(a) for a in sys.argv[1:4])
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
