#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
isp --merge on real programs: merging.py ISP HIDDEN ORDERS HANDED BUFFERS PANELS [TEST].

What it says must be what it says with --merge=off: of programs that hide what they know of the past where one
could forget to look (hidden.c), and of programs of which most orders come to the same (orders.c), whose runs
and states are counted.
"""
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import checked_states  # noqa: E402
from alike import alike  # noqa: E402

ISP, HIDDEN, ORDERS, HANDED, BUFFERS, PANELS = (os.path.abspath(path) for path in sys.argv[1:7])
LIMIT_S = 120


def explore(*words, merge="auto", check=True):
    with tempfile.TemporaryDirectory(prefix="isp-test-") as folder:
        states = os.path.join(folder, "states")
        done = subprocess.run(
            [ISP, f"--merge={merge}", "--json", "result.json", *words],
            cwd=folder,
            env={**os.environ, "ISP_ONCE": "1", checked_states.VARIABLE: states if check else ""},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        with open(os.path.join(folder, "result.json"), encoding="utf-8") as file:
            result = json.load(file)
        many, unlike = checked_states.read(states)
    if unlike or (check and many < result["states"]):
        raise AssertionError(f"{words}: {unlike or f'only {many} states were looked at'}")
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

    def test_what_is_handed_over_is_found(self):
        """The other rank's state is the same, and so is what it is told."""
        ways = subprocess.run([HANDED, "list"], capture_output=True, text=True, check=True).stdout.split()
        self.assertGreater(len(ways), 20)
        for way in ways:
            for buffering in "zero", "infinite":
                with self.subTest(way, buffering=buffering):
                    result = explore("-n", "4", f"--buffering={buffering}", HANDED, way, check=False)
                    polls = 2 if way == "poll" else 1
                    found = [f["count"] for f in result["findings"] if f["rule"] == "abort"]
                    if (way, buffering) == ("early", "zero"):  # nobody receives
                        found = [f["count"] // 2 for f in result["findings"] if f["rule"] == "deadlock"]
                    self.assertTrue(result["complete"])
                    self.assertNotIn("explored again", result["text"])
                    self.assertEqual((result["interleavings"], found), (4 * polls, [2 * polls]))

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

    def test_of_a_bounded_search_too(self):
        """Its first run is recorded, for the prediction; most others go on from its checkpoints."""
        result = explore("-n", "6", "--max-time", "1000", ORDERS, "sum")
        self.assertEqual(result["runs"], 1 + 5 * 2**4 - 31)

    def test_the_same_is_said(self):
        for words in (("sum", "2"), ("last",), ("different",), ("short",), ("late",), ("farm", "5")):
            with self.subTest(words):
                words = ("-n", "5" if words[0] != "sum" else "4", ORDERS, *words)
                self.assertEqual(said(self.alike(*words)), said(explore(*words, check=False)))
        self.alike("-n", "2", ORDERS, "polls", "4")

    def test_what_a_message_leaves_in_the_buffer(self):
        """Which is no part of the state of a rank that waits for it: no step that is known is told then."""
        for words in {"merge": "off"}, {"check": False}, {"check": True}:
            with self.subTest(**words):
                result = explore("-n", "5", ORDERS, "rest", **words)
                aborts = [f["count"] for f in result["findings"] if f["rule"] == "abort"]
                self.assertEqual((result["interleavings"], aborts, result["complete"]), (36, [12], True))
                self.assertNotIn("explored again", result["text"])

    def test_a_process_that_has_ended_is_not_asked(self):
        """Nor whoever waits in its place: by then it may have forgotten the question."""
        result = explore("-n", "5", "--timeout", "5", ORDERS, "leave", check=False)
        self.assertEqual((result["interleavings"], result["complete"]), (24, True))
        self.assertNotIn("explored again", result["text"])

    def test_ready_sends(self):
        self.assertEqual(self.alike("-n", "6", ORDERS, "ready")["states"], 31)
        result = self.alike("-n", "7", ORDERS, "unready")
        errors = [f["count"] for f in result["findings"] if f["rule"] == "ready-send"]
        self.assertEqual((result["interleavings"], errors), (4, [2]))

    def test_with_buffered_sends(self):
        """The second exploration: all that it shows, also of mixed buffering, by fewer runs."""
        for words in (("2", "standard", "3"), ("5", "late"), ("5", "mixed")):
            with self.subTest(words):
                result = self.alike("-n", words[0], ORDERS, *words[1:])
                self.assertTrue(result["complete"])
                self.assertLess(result["runs"], result["interleavings"] + result["buffered_interleavings"])
        unsafe = [f for f in result["findings"] if f["rule"] == "unsafe-buffering"]
        self.assertEqual((result["buffered_interleavings"], [f["count"] for f in unsafe]), (48, [24]))

    def test_polls_cost_next_to_nothing(self):
        result = explore("-n", "2", ORDERS, "polls", "20")
        self.assertTrue(result["complete"], result["incomplete_because"])
        self.assertGreater(result["interleavings"], 10**12)
        self.assertLess(result["runs"], 2000)

    def test_nonblocking_consensus(self):
        """All its sends are synchronous: buffering cannot matter. Where it does for another reason, polls
        that have said `not yet` do not keep states of the second exploration apart."""
        result = explore("-n", "3", ORDERS, "nbx")
        self.assertEqual((result["complete"], result["interleavings"]), (True, 1664))
        self.assertEqual(result["buffered_interleavings"], 0)
        self.assertLess(result["runs"], 200)
        result = explore("-n", "3", ORDERS, "buffered-nbx", check=False)
        self.assertEqual((result["complete"], result["buffered_interleavings"]), (True, 1664))
        self.assertLess(result["runs"], 600)  # 1400 if they do

    def test_libraries_that_poll(self):
        """Which call has completed a request, and in which variable it was, does not keep states apart."""
        for words, runs_at_most in ((("2", BUFFERS, "4"), 0.8), (("3", PANELS, "3"), 0.4)):
            with self.subTest(words):
                result = self.alike("--polls", "1", "-n", *words)
                self.assertIn("a poll fails more often", result["incomplete_because"])
                self.assertIn("; with --polls 3 each may fail more often", result["text"])
                self.assertLess(result["runs"], runs_at_most * result["interleavings"])
        for polls, words, found in (
            ("5", ("2", BUFFERS, "4", "short"), (400, 144)),
            ("3", ("3", PANELS, "2", "late"), (256, 192)),
        ):
            with self.subTest(words):
                result = self.alike("--polls", polls, "-n", *words)
                self.assertTrue(result["complete"], result["incomplete_because"])
                aborts = [f["count"] for f in result["findings"] if f["rule"] == "abort"]
                self.assertEqual((result["interleavings"], sum(aborts)), found)
        result = explore("--polls", "3", "-n", "3", PANELS, "6", check=False)
        self.assertTrue(result["complete"], result["incomplete_because"])
        self.assertGreater(result["interleavings"], 10000 * result["runs"])

    def test_more_polls_are_tried(self):
        """Where nothing else is left out, and as long as that shows no error."""
        for words in ("2", BUFFERS, "4"), ("3", PANELS, "3"):
            with self.subTest(words):
                result, more = explore("-n", *words), explore("--polls", "10", "-n", *words)
                self.assertTrue(result["complete"], result["incomplete_because"])
                self.assertGreater(result["interleavings"], explore("--polls", "1", "-n", *words)["runs"])
                self.assertLessEqual(result["interleavings"], more["interleavings"])
        result = explore("-n", "2", ORDERS, "gives-up", "20")
        self.assertEqual([f["rule"] for f in result["findings"] if f["severity"] == "error"], ["abort"])
        self.assertIn("--polls=30", result["findings"][0]["replay"])
        for words, tried in (("--polls", "1"), "3"), ((), "(9|30|90|300)"):
            with self.subTest(words):
                result = explore(*words, "-n", "2", ORDERS, "gives-up", "500")
                self.assertIn("a poll fails more often", result["incomplete_because"])
                self.assertNotIn("--max-time", result["incomplete_because"])
                self.assertRegex(result["text"], f"; with --polls {tried} each may fail more often")

    def test_steps_that_are_known_are_not_made(self):
        """A master does the same whatever the workers are at meanwhile."""
        text = explore("-v", "-n", "5", ORDERS, "farm", "9", check=False)["text"]
        made, again = map(int, re.search(r"next: (\d+) made, (\d+) known", text).groups())
        self.assertGreater(again, 2 * made)
        runs = int(re.search(r"(\d+) runs stand for", text).group(1))
        self.assertLess(made, 2 * runs)

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
        ):
            result = explore(*words, "-n", "4", ORDERS, "sum")
            self.assertEqual((result["states"], result["runs"]), (0, 6), words)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[7:]])
