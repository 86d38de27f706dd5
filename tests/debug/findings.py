#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""From a finding to the debugger: by the command that stands below it, which has no result file, and by
`isp --debug`. Both must stand where the finding is.

usage: findings.py ISP BUILD_DIR
"""
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

from debugger import Debugger

isp, build = "", ""

# rule, ranks, program, whether it is only known at the end
CASES = (
    ("deadlock", 3, "umpire-suite/any_src-can-deadlock", False),
    ("crash", 2, "tests/rules/crash_null", False),
    ("assertion", 2, "tests/programs/assert_call", False),
    ("leak-request", 2, "umpire-suite/leak-request", True),
)


class Findings(unittest.TestCase):
    def explore(self, ranks, program, *options, commands=""):
        """(what isp has said, exit code, stdout, findings)"""
        with tempfile.TemporaryDirectory(prefix="dbg-") as folder:
            result = os.path.join(folder, "r.json")
            words = [isp, "-n", str(ranks), "--json", result, *options, os.path.join(build, program)]
            done = subprocess.run(
                words,
                cwd=folder,
                env={**os.environ, "TMPDIR": folder, "ISP_COLUMNS": "0"},
                input=commands,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=60,
                check=False,
            )
            with open(result, encoding="utf-8") as stream:
                return done.stderr, done.returncode, done.stdout, json.load(stream)["findings"]

    def check_stands(self, lines, finding, at_end):
        """Of what the debugger says at first."""
        site = finding["sites"][0]
        text = "\n".join(lines)
        self.assertIn(f": {finding['message']} [{finding['rule']}]", text)
        shown = [re.match(r"rank (\d+) \w+ (?:in|at) (?:.*/)?([^/ ]+):(\d+) ", line) for line in lines]
        rank, file, line = next(m for m in shown if m).groups()
        self.assertEqual((int(rank), file), (site["rank"], os.path.basename(site["file"])))
        if at_end:
            self.assertIn("MPI_Finalize", text)
        else:
            self.assertEqual(int(line), site["line"])

    def test_command_of_a_finding(self):
        for rule, ranks, program, at_end in CASES:
            with self.subTest(rule):
                said, _, _, findings = self.explore(ranks, program)
                finding = findings[0]
                self.assertEqual(finding["rule"], rule)
                self.assertEqual(finding["debug"], finding["replay"].replace("replay", "debug", 1))
                self.assertIn(f"\n  debug: {finding['debug']}\n", said)
                with Debugger([isp, *shlex.split(finding["debug"])[1:]]) as d:
                    self.check_stands(d.begins, finding, at_end)
                    self.assertIn(finding["message"], "\n".join(d.says("finding")))

    def test_notes_have_none(self):
        said, _, _, findings = self.explore(3, "umpire-suite/any_src-can-deadlock_ok", "-v")
        self.assertEqual([(f["rule"], "debug" in f) for f in findings], [("wildcard", False)])
        self.assertNotIn("debug:", said)

    def test_another_finding_of_the_run(self):
        words = [isp, "debug", "--finding", "2", "-n", "3", "--choices", "1", "--"]
        with Debugger([*words, os.path.join(build, "umpire-suite/any_src-can-deadlock")]) as d:
            self.assertIn("[wildcard]", d.begins[0])
        words[3] = "3"
        with Debugger([*words, os.path.join(build, "umpire-suite/any_src-can-deadlock")], talks=False) as d:
            self.assertEqual(d.await_end(), 2)
            self.assertEqual(d.errors, ["isp: debug: this interleaving has no finding 3"])

    def test_run_without_finding(self):
        with Debugger(
            [isp, "debug", "-n", "3", "--", os.path.join(build, "umpire-suite/any_src-can-deadlock_ok")]
        ) as d:
            self.assertRegex(d.begins[0], "^rank 0 stands in .*MPI_Finalize$")

    def test_option(self):
        for rule, ranks, program, at_end in CASES[0], CASES[3]:
            with self.subTest(rule):
                said, code, out, findings = self.explore(ranks, program, "--debug", commands="where\n")
                self.assertEqual((code, findings[0]["rule"]), (1, rule))
                self.assertIn(f"[{rule}]\n", said)
                self.check_stands(out.splitlines(), findings[0], at_end)
                self.assertNotIn("isp: debug", said)

    def test_option_keeps_the_exit_code(self):
        program = "umpire-suite/any_src-can-deadlock"
        said, code, _, _ = self.explore(3, program, "--debug", "--error-exitcode=7", commands="nosuch\n")
        self.assertEqual(code, 7)
        self.assertIn('isp: no command "nosuch"', said)

    def test_option_without_finding(self):
        said, code, out, _ = self.explore(
            3, "umpire-suite/any_src-can-deadlock_ok", "--debug", commands="where\n"
        )
        self.assertEqual((code, out), (0, ""))
        self.assertTrue(said.endswith("isp: --debug: there is no finding to stand at\n"), said)


if __name__ == "__main__":
    isp, build = (os.path.abspath(word) for word in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
