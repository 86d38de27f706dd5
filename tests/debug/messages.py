#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Breakpoints at messages, forward and back. The events of messages.c with three ranks:

    rank 0    split:0  recv any:1,2          send:3,4  sendrecv:5,6,7  allreduce:8  free:9
    rank r    split:0  send to 0:1  recv:2             sendrecv:3,4,5  allreduce:6  free:7

usage: messages.py ISP PROGRAM
"""
import os
import re
import sys
import unittest

from debugger import Debugger

isp, program = "", ""


class Messages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        """One session: each test begins at the start, and without breakpoints."""
        cls.d = cls.enterClassContext(Debugger([isp, "debug", "-n", "3", "--choices", "0", "--", program]))

    def setUp(self):
        for command in "delete", "goto start", "focus 0":
            self.d.says(command)
        self.addCleanup(lambda: self.assertEqual(self.d.errors, []))

    def breaks(self, what, events):
        """Sets one that so many events are about; the number of the last one is `number`."""
        said = self.d.says(what)
        found = re.fullmatch(r"breakpoint (\d+) at (.+): (\d+) events? of this interleaving", said[0])
        self.number = found[1]
        self.assertEqual(int(found[3]), events)

    def events(self):
        """Of each rank: the event that it stands at or in."""
        calls = self.d.says("[all] calls 1")
        return [re.match(r"> \d:(\d+)", line)[1] for line in calls if line.startswith(">")]

    def comes(self, command, rank, event):
        """It stops there."""
        said = self.d.says(command)
        self.assertIn(f"rank {rank} comes to breakpoint {self.number}", said)
        self.assertRegex("\n".join(said), f"rank {rank} stands in ")
        self.assertEqual(int(self.events()[rank]), event)

    def passes(self, command):
        self.assertNotIn("breakpoint", "\n".join(self.d.says(command)))

    def test_sends_of_one_rank(self):
        self.breaks("[0] break send", 3)
        for event in 3, 4, 5:
            self.comes("[0] continue", 0, event)
        self.passes("[0] continue")
        self.assertEqual(self.d.says("info breakpoints"), [f"{self.number}  send  ranks 0"])
        self.d.says(f"delete {self.number}")
        self.assertEqual(self.d.says("info breakpoints"), ["no breakpoints"])
        self.d.says("goto start")
        self.passes("[0] continue")

    def test_others_are_where_they_must_be(self):
        self.breaks("[0] break send to=1", 2)
        self.comes("[0] continue", 0, 3)
        # both have sent, and nobody has needed more of them
        self.assertEqual(self.events(), ["3", "2", "2"])

    def test_whoever_is_needed_stops_too(self):
        self.breaks("[2] break send tag=1", 1)
        self.comes("[0] continue", 2, 1)
        self.assertIn("rank 2", self.d.says("where")[0])  # one looks there
        self.passes("[0] continue")  # it has been told

    def test_each_rank_has_its_own(self):
        self.breaks("break recv", 7)
        self.comes("[all] continue", 0, 1)
        self.assertEqual(self.events(), ["1", "1", "1"])  # the others wait in their sends
        said = self.d.says("[all] continue")
        self.assertEqual(said[:2], [f"rank {r} comes to breakpoint {self.number}" for r in (0, 1)])
        self.assertEqual(self.events(), ["2", "2", "1"])

    def test_wildcards_and_choices(self):
        self.breaks("[0] break recv from=any", 2)
        self.breaks("[1,2] break recv tag=any", 2)
        self.breaks("[0] break recv from=1 tag=1", 1)
        self.d.says("delete")
        self.breaks("break choice", 1)  # the second one has no other message
        self.comes("[0] continue", 0, 1)

    def test_collectives(self):
        self.breaks("break collective comm=1-2", 4)  # and its MPI_Comm_free
        self.breaks("[1-2] break collective allreduce comm=1-2", 2)
        self.breaks("[0] break collective MPI_Allreduce", 1)
        self.comes("[0] continue", 0, 8)

    def test_a_call_of_two_events(self):
        """One stands at the call, though it is its second half that is asked for."""
        self.breaks("[0] break recv from=2 tag=3", 1)
        self.comes("[0] continue", 0, 5)
        self.assertIn("MPI_Sendrecv", self.d.says("where")[0])

    def test_next_stops_on_the_way(self):
        self.d.says("goto 0:0")
        self.d.says("next")
        self.breaks("[0] break recv", 3)
        self.comes("next", 0, 1)  # over master()
        said = self.d.says("next")  # a new one: the line after the call
        self.assertRegex(said[0], r"rank 0 stands at .*messages\.c:\d+ master")

    def test_back(self):
        self.breaks("[0] break send", 3)
        self.d.says("goto end")
        for event in 5, 4, 3:
            self.comes("reverse-continue", 0, event)
        self.assertEqual(self.events(), ["3", "2", "2"])
        self.assertIn("nothing stops it before: this is the start", self.d.says("reverse-continue"))

    def test_back_to_whichever_is_later(self):
        self.d.says("goto 0:3")
        self.d.says("[0] break count")
        self.breaks("[0] break recv from=any", 2)
        self.assertRegex(self.d.says("reverse-continue")[0], r"stands at .* count ")
        self.comes("reverse-continue", 0, 2)
        self.assertRegex(self.d.says("reverse-continue")[0], r"stands at .* count ")
        self.comes("reverse-continue", 0, 1)


if __name__ == "__main__":
    isp, program = (os.path.abspath(word) for word in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
