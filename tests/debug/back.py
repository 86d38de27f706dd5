#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Back in time: where a value came from, over three ranks, and line by line, also in a loop.

usage: back.py ISP PROGRAM
"""
import os
import re
import sys
import unittest

from debugger import Debugger

isp, program = "", ""
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "origin.c")


def line_of(text, nth=1):
    """The line of the source that has this."""
    with open(SOURCE, encoding="utf-8") as stream:
        found = [number for number, line in enumerate(stream, 1) if text in line]
    return found[nth - 1]


def place(answer):
    """(rank, line) of what a command shows last."""
    shown = [m for m in (re.match(r"rank (\d+) \w+ \w+ \S*origin\.c:(\d+) ", line) for line in answer) if m]
    return int(shown[-1][1]), int(shown[-1][2])


class Back(unittest.TestCase):
    def start(self):
        return Debugger([isp, "debug", "-n", "3", "--", program])

    def test_why_ends_at_the_wrong_line(self):
        with self.start() as d:
            d.says("focus 0")
            message = d.says("why got[2]")
            self.assertEqual(place(message), (1, line_of("MPI_Send(&got[1]")))
            self.assertIn("it came with the message of 1:2", "\n".join(message))
            self.assertIn("there it is got[1]", message)
            copied = d.says("why")
            self.assertEqual(place(copied), (1, line_of("MPI_Send(&got[1]")))
            self.assertIn(f"written at origin.c:{line_of('got[1] = got[0]')} main", copied)
            received = d.says("why got[0]")
            self.assertEqual(place(received), (2, line_of("MPI_Send(&cell.value")))
            self.assertIn("it came with the message of 2:0", "\n".join(received))
            self.assertEqual(
                d.says("why cell.value")[0], f"written at origin.c:{line_of('cell.value = scale')} main"
            )
            self.assertIn(
                place(d.says("reverse-step"))[1], (line_of("return factor"), line_of("return factor") + 1)
            )
            self.assertEqual(d.says("print factor"), ["-1"])
            self.assertEqual(place(d.says("reverse-finish")), (2, line_of("cell.value = scale")))
            self.assertEqual(d.errors, [])

    def test_why_of_what_nobody_has_written(self):
        with self.start() as d:
            d.says("focus 1")
            never = "nobody has changed it since MPI_Init (writing the same again is no change)"
            self.assertIn(never, d.says("why cell.kind"))
            self.assertEqual(place(d.says("where")), (1, line_of("MPI_Finalize")))
            self.assertEqual(d.errors, [])

    def test_why_of_what_is_not_in_memory(self):
        with self.start() as d:
            for expression in ("rank + 1", "$pc"):
                self.assertIn(f"{expression} is not in memory here", d.refuses(f"why {expression}"))

    def test_back_by_lines(self):
        loop, body = line_of("for (int i"), line_of("sum += i")
        with self.start() as d:
            d.says("goto 0:1")
            d.says("focus 0")
            self.assertEqual(place(d.says("reverse-next")), (0, line_of("MPI_Barrier")))
            self.assertEqual(place(d.says("reverse-next")), (0, line_of("sum = count")))
            d.says("step")
            for wanted in (line_of("int sum = 0"), loop, body, loop, body, loop):
                if wanted != line_of("int sum = 0"):
                    d.says("next")
                self.assertEqual(place(d.says("where")), (0, wanted))
            for wanted in (body, loop, body, loop, line_of("int sum = 0")):
                self.assertEqual(place(d.says("reverse-next")), (0, wanted))
            self.assertEqual(place(d.says("reverse-finish")), (0, line_of("sum = count")))
            self.assertEqual(d.errors, [])

    def test_back_to_where_one_was(self):
        """Lines between two events, in a loop; and what is forward of them."""
        loop, body = line_of("for (int i"), line_of("sum += i")
        with self.start() as d:
            d.says("goto 0:0")
            d.says("focus 0")
            d.says(f"[0] tbreak origin.c:{body} if i == 250")
            self.assertEqual(place(d.says("continue")), (0, body))
            self.assertEqual(place(d.says("next")), (0, loop))
            self.assertEqual(place(d.says("next")), (0, body))
            d.says("goto end")
            self.assertEqual(place(d.says("back")), (0, body))
            self.assertEqual(d.says("print i"), ["251"])
            self.assertEqual(place(d.says("back")), (0, loop))
            self.assertEqual(place(d.says("back")), (0, body))
            self.assertEqual(d.says("print i"), ["250"])
            self.assertEqual(place(d.says("forward")), (0, loop))
            self.assertEqual(place(d.says("next")), (0, body))  # it can go on from there
            self.assertEqual(d.says("print i"), ["251"])
            self.assertEqual(d.errors, [])

    def test_back_to_a_breakpoint_in_a_loop(self):
        body = line_of("sum += i")
        with self.start() as d:
            d.says("goto 0:1")
            d.says("focus 0")
            d.says(f"[0] break origin.c:{body} if i == 250")
            self.assertEqual(place(d.says("reverse-continue")), (0, body))
            self.assertEqual(d.says("print i"), ["250"])
            d.says("delete")
            self.assertEqual(place(d.says("reverse-next")), (0, line_of("for (int i")))
            self.assertEqual(d.says("print i"), ["249"])
            self.assertEqual(d.errors, [])


if __name__ == "__main__":
    isp, program = (os.path.abspath(word) for word in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
