#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
What keeps states apart, and what the user says does not matter: apart.py ISP KEPT KEPT_STATIC KEPT_MODULE.

Of programs that remember something that does not matter (kept.c and its kin) isp -v must name it with its
line; and when it is marked, by isp_ignore or by --ignore, as many runs are enough as if it were not there. A
mark must not outlive what was marked: else other data in its place would be left out, and an abort missed.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

ISP, KEPT, KEPT_STATIC, KEPT_MODULE = (os.path.abspath(path) for path in sys.argv[1:5])
HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT_S = 120
RANKS = 5
LEAST = 18  # runs of a master that takes a message of four ranks, and forgets who was first


def explore(*words, ranks=RANKS):
    with tempfile.TemporaryDirectory(prefix="isp-test-") as folder:
        done = subprocess.run(
            [ISP, "-v", "--json", "result.json", "-n", str(ranks), *words],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        result = {"code": done.returncode, "text": done.stderr}
        if os.path.exists(os.path.join(folder, "result.json")):
            with open(os.path.join(folder, "result.json"), encoding="utf-8") as file:
                result.update(json.load(file))
    return result


def line_of(file, text):
    with open(os.path.join(HERE, file), encoding="utf-8") as source:
        return next(n for n, line in enumerate(source, 1) if text in line)


def errors(result):
    return sorted((f["rule"], f["count"]) for f in result["findings"] if f["severity"] == "error")


class Apart(unittest.TestCase):
    maxDiff = None

    def names(self, result, name, file, text, whose="rank 0"):
        place = rf"\({re.escape(os.path.join('.*', file))}:{line_of(file, text)}\)".replace(r"\.\*", ".*")
        self.assertRegex(result["text"], rf"not merged: {name} {place} of {whose} differs")

    def is_least(self, result, words):
        self.assertEqual((result["runs"], result["complete"], result["code"]), (LEAST, True, 0), words)
        self.assertIn(words, " ".join(result["assumptions"]))
        self.assertNotIn("not merged", result["text"])

    def check_kept(self, what, name, file, text, option):
        plain = explore(KEPT, what)
        self.assertGreater(plain["runs"], LEAST, what)
        self.assertEqual(plain["assumptions"], [])
        self.names(plain, name, file, text)
        marked = explore(KEPT, what, "mark")
        self.is_least(marked, "isp_ignore")
        self.assertEqual(marked["interleavings"], plain["interleavings"])
        if option:
            self.assertIn(f"--ignore {option}, or isp_ignore", plain["text"])
            named = explore("--ignore", option, KEPT, what)
            self.is_least(named, option)
            self.assertEqual(named["interleavings"], plain["interleavings"])

    def test_local(self):
        self.check_kept("local", "last", "kept.c", "@last", "keep_local:last")

    def test_time(self):
        self.check_kept("time", r"times\[.+\]", "kept.c", "@times", "times")

    def test_heap(self):
        self.check_kept("heap", r"list->last\[.+\]", "kept.c", "@list", None)

    def test_status(self):
        self.check_kept("status", r"statuses\[.+\]\.MPI_SOURCE", "kept.c", "@statuses", "statuses")
        self.assertIn("MPI_STATUS_IGNORE keeps nothing", explore(KEPT, "status")["text"])
        self.is_least(explore("--ignore", "kept.c:statuses", KEPT, "status"), "kept.c:statuses")

    def test_values(self):
        self.assertRegex(explore(KEPT, "local")["text"], r"last \(.*\) of rank 0 differs: [123], [123] \(in ")

    def test_static_member(self):
        plain = explore(KEPT_STATIC)
        self.names(plain, "work::Counter::last", "kept_static.cpp", "int Counter::last")
        for name in ("work::Counter::last", "Counter::last", "last"):
            self.is_least(explore("--ignore", name, KEPT_STATIC), name)

    def test_fortran_module(self):
        plain = explore(KEPT_MODULE)
        self.names(plain, r"kept::last\(2\)", "kept_module.f90", ":: last")
        self.is_least(explore("--ignore", "kept::last", KEPT_MODULE), "kept::last")
        self.is_least(explore(KEPT_MODULE, "mark"), "isp_ignore")

    def test_fortran_polls(self):
        """The frames of MPI's Fortran library are not the program's. It sets `flag` after the call."""
        plain = explore("--max-interleavings", "30", KEPT_MODULE, "poll", ranks=3)
        self.names(plain, r"kept::last\(.+\)", "kept_module.f90", ":: last")
        self.assertNotIn("no name", plain["text"])
        result = explore("--ignore", "last,kept_module:flag", KEPT_MODULE, "poll", ranks=3)
        self.assertTrue(result["complete"], result["incomplete_because"])

    def test_polls(self):
        """Counted, they are followed until there are too many; not if the counter does not matter."""
        plain = explore("--max-interleavings", "20", KEPT, "poll", ranks=2)
        self.names(plain, "tries", "kept.c", "@tries", "(rank .|several ranks)")
        self.assertIn("a poll fails more often", plain["text"])
        self.assertRegex(plain["text"], r"in \d+ of them nothing else")
        self.assertIn("what comes next: --ignore tries, or isp_ignore", plain["text"])
        for words in ((KEPT, "poll", "mark"), ("--ignore", "tries", KEPT, "poll")):
            result = explore(*words, ranks=2)
            self.assertTrue(result["complete"], result["incomplete_because"])
            self.assertEqual(result["code"], 0)
            self.assertLess(3 * result["runs"], result["interleavings"])

    def is_not_merged(self, result):
        """Rank 0 knows which of the four messages was the first, and aborts if it was rank 2's."""
        self.assertEqual((errors(result), result["runs"]), ([("abort", 6)], 24))

    def test_a_mark_does_not_outlive_what_was_marked(self):
        for what in ("frame", "dangling", "far", "block", "late", "mapping", "misuse"):
            with self.subTest(what):
                self.is_not_merged(explore(KEPT, what))
        self.is_not_merged(explore("--stacks", KEPT, "frame"))

    def test_what_is_assumed_is_said(self):
        result = explore("--ignore", "tries", KEPT, "misuse", ranks=4)
        self.assertIn("tries: that it does not matter is assumed (--ignore)", result["text"])

    def test_unknown(self):
        for name, near in (
            ("trise", "tries"),
            ("keep_local:lst", "keep_local:last"),
            ("nothing_like_it", None),
        ):
            result = explore("--ignore", name, KEPT, "status", ranks=2)
            self.assertNotEqual(result["code"], 0)
            lines = [line for line in result["text"].splitlines() if "--ignore" in line]
            self.assertEqual(len(lines), 1, result["text"])
            self.assertIn(f"no variable {name.split(':')[-1] if near is None else name}", lines[0])
            if near:
                self.assertIn(f"did you mean {near} (", lines[0])

    def test_what_decides_is_not_suggested(self):
        """A loop variable never differs alone: as far as the loop has come, so many messages there were."""
        result = explore(KEPT, "twice", ranks=3)
        self.assertIn("not merged: i (", result["text"])
        self.assertIn("not merged: sent (", result["text"])
        self.assertNotIn("if it does not matter", result["text"])

    def test_leavings_of_calls(self):
        """What MPI leaves on the stack is not what a function has in its frame later."""
        result = explore(KEPT, "holes")
        self.assertEqual((result["runs"], result["complete"]), (LEAST, True), result["text"])

    def test_jobs(self):
        result = explore("-j", "2", "--ignore", "times", KEPT, "time")
        self.assertTrue(result["complete"])
        self.assertIn("times: that it does not matter is assumed (--ignore)", result["assumptions"])

    def test_replay_has_it(self):
        result = explore("--ignore", "tries", KEPT, "misuse", ranks=3)
        self.assertIn("--ignore tries", result["text"].split("replay:")[1])

    def test_nothing_is_told_without_v(self):
        done = subprocess.run(
            [ISP, "-n", "3", KEPT, "local"], capture_output=True, text=True, timeout=LIMIT_S, check=False
        )
        self.assertNotIn("not merged", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[5:]])
