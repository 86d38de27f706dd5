#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Back is forward in reverse: by which lines one comes with `step` (or `next`, in `work`), and with what in
their variables, by those one goes back with `reverse-step` (`reverse-next`).

usage: mirror.py ISP PROGRAM [STEPS]

STEPS: so many back, from the end; else all.
"""
import os
import re
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from debugger import Debugger  # noqa: E402

MOST = 400
PLACE = re.compile(r"rank \d+ (?:stands|waits) (?:at|in) (?:.*/)?(\w+\.c:\d+) (\w+)(: MPI_)?")
isp, program = map(os.path.abspath, sys.argv[1:3])
steps = int(sys.argv[3]) if len(sys.argv) > 3 else MOST


class Mirror(unittest.TestCase):
    maxDiff = 3000

    def state(self, d, lines):
        """(place, function, whether it is a call of MPI, variables: not of a call)."""
        self.assertTrue(lines, d.errors)
        place, function, call = PLACE.match(lines[0]).groups()
        variables = [] if call else d.says("gdb info locals")
        same = tuple(line for line in variables if "{" not in line and not line.startswith("begun"))
        return place, function, bool(call), same

    def there_and_back(self, forward, back, before, is_end):
        """From where `before` leads, and back from the last place before the end."""
        with Debugger([isp, "debug", "-n", "2", "--", program]) as d:
            for command in before:
                d.says(command)
            way = [self.state(d, d.says("where"))]
            for _ in range(MOST):
                state = self.state(d, d.says(forward))
                if is_end(state):
                    break
                way.append(state)
            self.assertGreater(len(way), 20)
            home = [self.state(d, d.says("back"))]
            home += [self.state(d, d.says(back)) for _ in way[1 : steps + 1]]
            self.assertEqual(d.errors, [])
        self.assertEqual(home[::-1], way[-len(home) :])

    def test_lines_of_a_function(self):
        before = ["tbreak work", "goto 0:0", "continue"]
        self.there_and_back("next", "reverse-next", before, lambda state: state[1] == "main")

    def test_all_lines(self):
        with open(os.path.join(HERE, "mirror.c"), encoding="utf-8") as source:
            line = next(k for k, text in enumerate(source, 1) if "MPI_Allreduce" in text)
        call = f"mirror.c:{line}"
        self.there_and_back("step", "reverse-step", ["goto 0:0", "step"], lambda state: state[0] == call)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
