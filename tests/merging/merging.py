#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
isp --merge on real programs: merging.py ISP HIDDEN ORDERS.

What it says must be what it says with --merge=off: of programs that hide what they know of the past where one
could forget to look (hidden.c), and of programs of which most orders come to the same (orders.c), whose runs
and states are counted.
"""
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from alike import alike  # noqa: E402

ISP, HIDDEN, ORDERS = (os.path.abspath(path) for path in sys.argv[1:4])
LIMIT_S = 120


def explore(*words, merge="auto"):
    with tempfile.TemporaryDirectory(prefix="isp-test-") as folder:
        done = subprocess.run(
            [ISP, f"--merge={merge}", "--json", "result.json", *words],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        with open(os.path.join(folder, "result.json"), encoding="utf-8") as file:
            result = json.load(file)
    result["text"] = done.stderr
    return result


def said(result):
    """What must not depend on merging."""
    return alike({key: value for key, value in result.items() if key != "text"})


class Merging(unittest.TestCase):
    maxDiff = None

    def alike(self, *words):
        merged = explore(*words)
        self.assertEqual(said(explore(*words, merge="off")), said(merged), words)
        return merged

    def test_what_is_hidden_is_found(self):
        ways = subprocess.run([HIDDEN, "list"], capture_output=True, text=True, check=True).stdout.split()
        self.assertGreater(len(ways), 25)
        for way in ways:
            with self.subTest(way):
                # where MPI's memory is kept apart the program's is laid out otherwise
                look = explore if way == "address" else self.alike
                result = look("-n", "3", HIDDEN, way)
                self.assertEqual(result["interleavings"], 6)
                errors = [f for f in result["findings"] if f["severity"] == "error"]
                self.assertEqual([f["count"] for f in errors], [] if way == "nothing" else [3])

    def test_where_nothing_is_hidden_states_come_up_again(self):
        self.assertIn("2 runs ended at one of them", explore("-v", "-n", "3", HIDDEN, "nothing")["text"])

    def test_states_of_a_sum(self):
        """One for each set of messages that are still to come; a run for each that may be next, but one."""
        for k in (3, 5, 7):
            result = explore("-n", str(k + 1), ORDERS, "sum")
            self.assertEqual(result["interleavings"], math.factorial(k))
            self.assertTrue(result["complete"])
            self.assertEqual(result["states"], 2**k - 1)
            self.assertEqual(result["runs"], 1 + k * 2 ** (k - 1) - (2**k - 1))
        self.assertIn(f"runs stand for {math.factorial(7)} interleavings, all explored", result["text"])

    def test_the_same_is_said(self):
        for words in (("sum", "2"), ("last",), ("different",), ("short",), ("late",), ("farm", "5")):
            with self.subTest(words):
                self.alike("-n", "5" if words[0] != "sum" else "4", ORDERS, *words)
        self.alike("-n", "2", ORDERS, "polls", "4")

    def test_polls_cost_next_to_nothing(self):
        result = explore("-n", "2", ORDERS, "polls", "20")
        self.assertTrue(result["complete"], result["incomplete_because"])
        self.assertGreater(result["interleavings"], 10**12)
        self.assertLess(result["runs"], 2000)

    def test_jobs_and_saving(self):
        one = said(explore("-n", "6", ORDERS, "late"))
        two = said(explore("-j", "2", "-n", "6", ORDERS, "late"))
        self.assertEqual(one, two)

    def test_without(self):
        for words in (
            ("--merge=off",),
            ("--no-checkpoints",),
            ("--mix", "5"),
            ("--sample", "100"),
            ("--trace", "t"),
        ):
            result = explore(*words, "-n", "4", ORDERS, "sum")
            self.assertEqual((result["states"], result["runs"]), (0, 6), words)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]])
