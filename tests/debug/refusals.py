#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Commands of isp debug without what they need, or with something wrong: one line on stderr says what to do,
nothing is on stdout, and all is as it was: places, focus, breakpoints, displays.

Each command of its table has a case here, but those that are used alone: they are tried with a word more.

usage: refusals.py ISP CAUSAL
"""
import os
import sys
import unittest

from debugger import Debugger

isp, program = "", ""

# command: what the line must have
CASES = {
    "focus": "which rank? 0 to 2",
    "focus 3": "which rank? 0 to 2",
    "focus -1": "which rank? 0 to 2",
    "focus x": "which rank? 0 to 2",
    "frame": "bt lists them",
    "frame 9": "frames 0 to 1",
    "frame x": "bt lists them",
    "list x": "list which line?",
    "list -5": "list which line?",
    "list 99999": "causal.c has no such lines",
    "print": "print what?",
    "print nosuch": 'No symbol "nosuch"',
    "print -a": "print what?",
    "print -a nosuch": "no rank has a value of it",
    "display nosuch": 'No symbol "nosuch"',
    "undisplay": "display shows their numbers",
    "undisplay 0": "display shows their numbers",
    "undisplay 2": "display shows their numbers",
    "undisplay x": "display shows their numbers",
    "calls x": "how many events",
    "calls 0": "how many events",
    "calls -3": "how many events",
    "until nosuch.c:3": "there is no nosuch.c:3",
    "until 99999": "causal.c:99999",
    "goto": "goto where? RANK:CALL",
    "goto 7:0": "goto where? RANK:CALL",
    "goto 0:99": "it has made 3",
    "goto 0:-1": "goto where? RANK:CALL",
    "goto 0:1x": "goto where? RANK:CALL",
    "goto choice": "no choice",
    "break": "FILE:LINE, or a function",
    "break nosuch": "no such place: nosuch",
    "break causal.c:99999": "no such place",
    "break third if nosuch > 1": 'No symbol "nosuch"',
    "break send to=3": "break send to=1",
    "break recv tag=x": "break recv from=1",
    "break collective nosuch": "break collective MPI_Bcast",
    "break choice now": "break choice, alone",
    "[1] break send to=3": "what is to=3?",
    "tbreak send": "break send stops there",
    "tbreak": "FILE:LINE, or a function",
    "tbreak nosuch": "no such place: nosuch",
    "watch": "watch what?",
    "watch nosuch": 'No symbol "nosuch"',
    "delete 9": "info breakpoints lists them",
    "delete x": "info breakpoints lists their numbers",
    "info": "info breakpoints",
    "info x": "gdb info x",
    "choose": "nothing to choose",
    "choose 9": "nothing to choose",
    "set": "set others run",
    "set x": "set others run",
    "set others": "set others run",
    "why nosuch": 'No symbol "nosuch"',
    "gdb": "gdb what?",
    "gdb nosuch": 'Undefined command: "nosuch"',
    "help nosuch": "help lists them",
    # what is right, and makes no sense where one is: at a send, the first of its rank
    "sender": "receives no message",
    "cause": "got nothing before",
    "prev-match": "no match before",
    "down": "frames 0 to 1",
    "choices": "nothing to choose",
    "forward": "the last place",
    # whatever the command is
    "nosuch": "help lists them",
    "[7] step": "which ranks?",
    "[x] step": "which ranks?",
    "[0 step": "which ranks?",
    "[] step": "which ranks?",
    "[0-] step": "which ranks?",
    "[2-1] step": "which ranks?",
    "[0,] step": "which ranks?",
    "[all]": "which command",
    "[all] nosuch": "help lists them",
}


class Refusals(unittest.TestCase):
    def setUp(self):
        self.d = Debugger([isp, "debug", "-n", "3", "--", program])
        self.d.__enter__()
        self.addCleanup(lambda: self.d.__exit__(*sys.exc_info()))
        for command in "goto 0:0", "display a", "break third":
            self.d.says(command)

    def state(self):
        return [self.d.says(command) for command in ("ranks", "where", "info breakpoints")]

    def table(self):
        """name -> its usage."""
        usages = [line[: line.find("  ")] if "  " in line else line for line in self.d.says("help")[:-1]]
        return {usage.split()[0]: usage for usage in usages}

    def test_each(self):
        before = self.state()
        self.assertIn("MPI_Send", before[1][0])
        for command, words in CASES.items():
            with self.subTest(command):
                self.assertIn(words, self.d.refuses(command))
                self.assertEqual(self.state(), before)

    def test_alone(self):
        """And none has been forgotten."""
        before, named = self.state(), {command.split()[0] for command in CASES}
        for name, usage in self.table().items():
            with self.subTest(name):
                if usage == name:
                    self.assertIn("is used alone", self.d.refuses(f"{name} x"))
                else:
                    self.assertIn(name, named)
        self.assertEqual(self.state(), before)

    def test_short_names(self):
        """What is a whole name is no beginning of another one."""
        self.assertEqual(self.d.says("help back"), ["back: to where one was before"])
        self.assertTrue(self.d.says("help backt")[0].startswith("backtrace: "))
        for name in set(self.table()) - {"quit"}:  # which ends an answer: debugger.py
            self.assertTrue(self.d.says(f"help {name}")[0].startswith(name), name)

    def test_end_says_that_something_failed(self):
        self.d.refuses("nosuch")
        self.assertEqual(self.d.leave(), 1)
        self.d.leave = lambda: 0


if __name__ == "__main__":
    isp, program = (os.path.abspath(a) for a in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
