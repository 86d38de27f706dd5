#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What ranks print is told apart by rank, when one comes there, and once, whichever way one goes.

usage: printing.py ISP PROGRAM
"""
import os
import re
import sys
import unittest
from tempfile import TemporaryDirectory

from debugger import Debugger

isp, program = "", ""


class Printing(unittest.TestCase):
    def start(self, *options, command=None):
        d = self.enterContext(Debugger([isp, "debug", "-n", "3", *options, "--", *(command or [program])]))
        self.assertEqual(self.mistakes(d), {r: ["mistake 0", "mistake 1"] for r in range(3)})
        return d

    def mistakes(self, d):
        """What came on stderr since the last time."""
        found = self.told(d.errors)
        d.errors[:] = [line for line in d.errors if not MARKED(line)]
        return found

    def told(self, said):
        """What each rank has printed, among these lines."""
        return {r: [m[2] for m in map(MARKED, said) if m and m[1] == str(r)] for r in range(3)}

    def walk(self, d):
        """There and back, at random, and to the end."""
        said = []
        for command in (
            "goto 0:2",
            "goto 0:0",
            "goto 1:1",
            "goto start",
            "[all] next",
            "goto 0:1",
            "reverse-next",
        ):
            said += d.says(command)
        said += d.says("goto start") + d.says("[all] continue")
        return said

    def test_once(self):
        """The recording is told, and nothing after it."""
        for options in ((), ("--no-checkpoints",)):
            with self.subTest(options=options):
                d = self.start(*options)
                order = {r: " 1 2" if r == 0 else "" for r in range(3)}
                self.assertEqual(
                    self.told(d.begins),
                    {
                        r: ["starts", *(f"turn {t}{o} done" for t in range(2)), "held back"]
                        for r, o in order.items()
                    },
                )
                self.assertEqual(self.told(self.walk(d)), {r: [] for r in range(3)})
                self.assertEqual(self.mistakes(d), {r: [] for r in range(3)})
                self.assertEqual(d.errors, [])

    def test_another_interleaving(self):
        """It is told when one comes there; a piece of a line when one stands after it."""
        for options in ((), ("--no-checkpoints",)):
            with self.subTest(options=options):
                d = self.start(*options)
                d.says("goto 0:0")
                said = d.says("choose 1") + d.says("goto start")
                self.assertEqual(
                    self.told(said),
                    {0: ["starts", "turn 0"], 1: ["starts", "turn 0"], 2: ["starts", "turn 0"]},
                )
                self.assertEqual(self.told(d.says("goto 0:1")), {0: [" 2"], 1: [], 2: []})
                self.assertEqual(
                    self.told(d.says("[all] continue")),
                    {0: [" 1 done", "turn 1 1 2 done", "held back"]}
                    | {r: [" done", "turn 1 done", "held back"] for r in (1, 2)},
                )

    def test_by_a_script(self):
        """What a shell prints that starts the program is the rank's, too; what it sends elsewhere is not."""
        folder = self.enterContext(TemporaryDirectory())
        d = self.start(command=["sh", "-c", f"echo script; exec {program} >{folder}/out.$PMI_RANK"])
        self.assertEqual(self.told(d.begins), {r: ["script"] for r in range(3)})
        d.says("goto start")
        with open(os.path.join(folder, "out.1"), encoding="utf-8") as f:
            self.assertIn("turn 0 done", f.read())


MARKED = re.compile(r"\[(\d)\] (.*)").fullmatch

if __name__ == "__main__":
    isp, program = (os.path.abspath(a) for a in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
