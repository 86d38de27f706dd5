#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
Traces of searches that merge, and what is made of them: traced.py ISP FOLDER ORDERS [PROGRAM...].

A run that is merged stands for what comes after the choice point that it joins. Put together again, so, from
the trace, the interleavings and their endings must be those of --merge=off, and findings and counts those of
the result; by one process, by two, and in several sittings. What is made of the trace must say the same.
"""
import collections
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from alike import alike  # noqa: E402

ISP, ORDERS = (os.path.abspath(path) for path in sys.argv[1:3])
PROGRAMS = [os.path.abspath(path) for path in sys.argv[3:] if os.path.exists(path)]
LIMIT_S = 120
CUT = ("redundant", "interrupted")  # runs that are no interleavings


class Tree:
    """The tree of choices of a trace, in which merged runs go on elsewhere."""

    def __init__(self, trace):
        self.db = sqlite3.connect(f"file:{trace}?mode=ro", uri=True)
        self.children, self.roots, self.ends = (
            collections.defaultdict(list),
            [],
            collections.defaultdict(list),
        )
        self.joins = dict(self.rows("SELECT interleaving, node FROM joined"))
        self.stands_for = dict(self.rows("SELECT interleaving, stands_for FROM joined"))
        for node, parent, taken, buffered in self.rows("SELECT id, parent, taken, buffered FROM node"):
            if parent is None:
                self.roots.append((node, bool(buffered)))
            else:
                self.children[parent].append((taken, node))
        for i, node, ending in self.rows("SELECT id, node, ending FROM interleaving"):
            if ending not in CUT:
                self.ends[node].append((i, ending))
        self.known = {}

    def rows(self, sql, *values):
        return self.db.execute(sql, values).fetchall()

    def below(self, node):
        """(decisions, ending) of each interleaving from this node on."""
        if node not in self.known:
            found = []
            for taken, child in self.children[node]:
                found += [((taken, *rest), ending) for rest, ending in self.below(child)]
            for i, ending in self.ends[node]:
                if ending != "merged":
                    found.append(((), ending))
                    continue
                behind = self.below(self.joins[i])
                assert len(behind) == self.stands_for[i], f"{i} stands for {self.stands_for[i]}: {behind}"
                found += behind
            self.known[node] = found
        return self.known[node]

    def whole(self):
        all_of = [(buffered, *each) for root, buffered in self.roots for each in self.below(root)]
        assert len(set(all_of)) == len(all_of), "an interleaving is there twice"
        return set(all_of)

    def check_names(self):
        """A run is named by its decisions, and what it joins by those of a run that went through there."""
        for name, at, node in self.rows("SELECT joins, decision, node FROM joins"):
            way = []
            while node:
                up, taken = self.rows("SELECT parent, taken FROM node WHERE id = ?", node)[0]
                way, node = ([taken, *way] if up else way), up
            told = decisions_of(name)
            assert len(way) == at and (told + [0] * at)[:at] == way, (name, at, way)


def decisions_of(name):
    """ "0.2*3" -> [0, 2, 2, 2]"""
    parts = [part.split("*") for part in name.split(".")]
    return [int(p[0]) for p in parts for _ in range(int(p[1]) if len(p) > 1 else 1)]


class Traced(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="isp-test-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def isp(self, *words):
        return subprocess.run(
            [ISP, *words],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=LIMIT_S,
            check=False,
        )

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def explore(self, *words):
        done = self.isp("--trace", "trace", "--json", "result", *words)
        self.assertIn(done.returncode, (0, 1, 3), done.stderr)
        tree, result = Tree(self.path("trace")), json.loads(self.read("result"))
        tree.check_names()
        result["text"] = done.stderr
        return tree, result

    def agrees(self, tree, result):
        """The trace with the result."""
        whole = tree.whole()
        main = result["buffering"] == "infinite"
        self.assertEqual(sum(buffered == main for buffered, *_ in whole), result["interleavings"])
        if result["buffering"] == "auto":
            self.assertEqual(sum(buffered for buffered, *_ in whole), result["buffered_interleavings"])
        endings = [e for (e,) in tree.rows("SELECT ending FROM interleaving")]
        self.assertEqual(sum(e != "interrupted" for e in endings), result["runs"])
        kept = json.loads(tree.rows("SELECT value FROM meta WHERE key = 'result'")[0][0])
        self.assertEqual(kept, {k: v for k, v in result.items() if k != "text"})
        return whole

    def same(self, *words, modes=((),)):
        """Of each mode its result."""
        tree, plain = self.explore("--merge=off", *words)
        self.assertFalse(tree.joins)
        whole, results = self.agrees(tree, plain), []
        for mode in modes:
            with self.subTest(words=words, mode=mode):
                tree, result = self.explore(*mode, *words)
                self.assertFalse(self.agrees(tree, result) ^ whole)
                self.assertEqual(said(result), said(plain))
                results.append(result)
        return results

    def test_of_orders(self):
        for ranks, *words in ((3, "sum", "2"), (5, "last"), (5, "late"), (4, "farm", "5"), (2, "polls", "2")):
            result = self.same("-n", str(ranks), "--", ORDERS, *words)[0]
            if words[0] == "late":
                self.assertLess(result["runs"], result["interleavings"] + result["buffered_interleavings"])

    def test_of_other_programs(self):
        for program in PROGRAMS:
            self.same("-n", "3", "--timeout", "10", "--max-time", "20", "--", program)

    def test_jobs(self):
        two = self.same("-n", "5", "--", ORDERS, "late", modes=[("-j", "2")])[0]
        self.assertLess(two["runs"], two["interleavings"] + two["buffered_interleavings"])

    def sittings(self, *first, ends=None):
        """A search that is ended early, and then goes on: what it had come to, and the end."""
        program = ["-n", "6", "--", ORDERS, "late"] if ends is None else ["-n", "5", "--", ORDERS, "last"]
        command = ["--buffering=infinite", "--save", "saved", *first, *program]
        tree, begun = self.explore(*command) if ends is None else self.ended(ends, *command)
        part = self.agrees(tree, begun) if tree else set()
        tree, result = self.explore("--resume", "saved")
        if begun:
            self.assertGreater(result["runs"], begun["runs"])
            self.assertGreaterEqual(result["states"], begun["states"])
            whole = self.agrees(tree, result)
            self.assertTrue(part < whole)
        _, plain = self.explore("--merge=off", "--buffering=infinite", *program)
        self.assertEqual(said(result), said(plain))
        if begun:
            self.assertFalse(Tree(self.path("trace")).whole() ^ whole)
        return begun, result

    def ended(self, number, *command):
        """By a signal, when rank 1 was last in three interleavings."""
        process = subprocess.Popen(
            [ISP, "--trace", "trace", "--json", "result", "--output", "all", *command],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        with process:
            told = 0
            while told < 3:
                line = process.stderr.readline()
                self.assertTrue(line, "isp has ended")
                told += "was last" in line
            process.send_signal(number)
            process.communicate(timeout=LIMIT_S)
        if number == signal.SIGKILL:
            return None, None
        return Tree(self.path("trace")), json.loads(self.read("result"))

    def test_bounds_on_runs(self):
        """They are on runs, also on those of earlier sittings, for how much they may stand."""
        begun, _ = self.sittings("--max-interleavings", "30")
        self.assertEqual(begun["runs"], 30)
        self.assertGreater(begun["interleavings"], 30)
        self.explore("--save", "saved", "--max-interleavings", "60", "-n", "6", "--", ORDERS, "late")
        _, result = self.explore("--resume", "saved", "--max-interleavings", "70", "-j", "2")
        self.assertIn("--max-interleavings", result["incomplete_because"])
        self.assertIn(result["runs"], range(70, 73))
        self.assertGreater(result["interleavings"], result["runs"])

    def test_reports(self):
        tree, result = self.explore("-n", "5", "--", ORDERS, "late")
        made = ("--html", "page", "--isp-log", "log", "--dot", "graph", "--json", "again")
        done = self.isp("report", "trace", *made)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(self.read("again")), {k: v for k, v in result.items() if k != "text"})
        self.assertEqual(self.isp("report", "trace").stdout, result["text"])
        merged = [i for (i,) in tree.rows("SELECT id FROM interleaving WHERE ending = 'merged'")]
        others = tree.rows("SELECT count(*) FROM interleaving WHERE ending NOT IN ('merged', 'redundant')")
        log = self.read("log").splitlines()
        self.assertEqual(len({line.split()[0] for line in log[1:]}), others[0][0])
        self.assertIn(
            f"not the {sum(tree.stands_for.values())} that {len(merged)} merged runs stand for", done.stderr
        )

    def test_graph_of_a_merged_run(self):
        """Where the interleaving of a finding is merged, its graph says so."""
        self.explore("-n", "5", "--", ORDERS, "sum")
        db = sqlite3.connect(self.path("trace"), isolation_level=None)
        name, joins, at, n = db.execute(
            "SELECT interleaving, joins, decision, stands_for FROM joins"
        ).fetchone()
        result = json.loads(db.execute("SELECT value FROM meta WHERE key = 'result'").fetchone()[0])
        finding = result["findings"][0]
        finding |= {"severity": "error", "rule": "truncation", "interleaving": name, "buffered": False}
        db.execute("UPDATE meta SET value = ? WHERE key = 'result'", [json.dumps(result)])
        db.close()
        self.isp("report", "trace", "--dot", "graph")
        self.assertIn(
            f"as in interleaving {joins} from its decision {at + 1} on: that is {n} interleaving",
            self.read("graph"),
        )

    def test_damaged_traces(self):
        """What is joined may be anything: each report is made, or says that the trace is damaged."""
        self.explore("-n", "5", "--", ORDERS, "sum")
        for change in (
            "UPDATE joined SET node = 1000000",
            "UPDATE joined SET node = (SELECT node FROM interleaving WHERE id = interleaving)",
            "UPDATE joined SET node = 1",
            "UPDATE joined SET node = -1, stands_for = -1",
            "UPDATE joined SET node = NULL, stands_for = NULL, name = NULL",
            "UPDATE joined SET node = 'x', stands_for = 9223372036854775807, name = x'00ff'",
            "DELETE FROM joined",
            "UPDATE interleaving SET ending = 'finished'",
            "INSERT OR IGNORE INTO joined SELECT id, node, name, 3 FROM interleaving",
            "DELETE FROM node WHERE id IN (SELECT node FROM joined)",
        ):
            with self.subTest(change):
                shutil.copy(self.path("trace"), self.path("damaged"))
                with sqlite3.connect(self.path("damaged"), isolation_level=None) as db:
                    db.execute(change)
                for option in ("--html", "--dot", "--isp-log", "--sarif"):
                    done = self.isp("report", "damaged", option, "-")
                    self.assertIn(done.returncode, (0, 5), (option, done.stderr))
                    self.assertTrue(
                        done.returncode == 0 or "the trace is damaged" in done.stderr, done.stderr
                    )

    def test_old_traces(self):
        """Version 1 had no merged runs, and 2 did not say what each run has shown; whatever such a file has
        in their place is not looked at."""
        self.explore("--merge=off", "-n", "4", "--", ORDERS, "sum")
        before = self.isp("report", "trace", "--html", "-").stdout
        with sqlite3.connect(self.path("trace"), isolation_level=None) as db:
            db.executescript(
                "DROP VIEW joins; DROP TABLE joined; DROP VIEW shows; DROP TABLE shown; "
                "DROP TABLE shown_key; "
                "PRAGMA user_version = 1"
            )
        for more in (
            "",
            "CREATE VIEW joined AS SELECT 1 AS interleaving, 1 AS node, 'x' AS name, 7 AS stands_for",
            "CREATE VIEW shown AS SELECT 1 AS interleaving, 1 AS key",
        ):
            with sqlite3.connect(self.path("trace"), isolation_level=None) as db:
                db.executescript(more)
            done = self.isp("report", "trace", "--html", "-")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(done.stdout, before)
        with sqlite3.connect(self.path("trace"), isolation_level=None) as db:
            db.execute("PRAGMA user_version = 2")
        self.assertIn("the trace is damaged", self.isp("report", "trace").stderr)
        with sqlite3.connect(self.path("trace"), isolation_level=None) as db:
            db.execute("PRAGMA user_version = 4")
        self.assertIn("reads versions 1 to 3", self.isp("report", "trace").stderr)

    def test_interrupted(self):
        begun, result = self.sittings(ends=signal.SIGINT)
        self.assertIn("interrupted", begun["incomplete_because"])
        self.assertLess(begun["runs"], result["runs"])

    def test_killed(self):
        self.sittings(ends=signal.SIGKILL)


def said(result):
    """What must not depend on merging."""
    return alike({key: value for key, value in result.items() if key != "text"})


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *(word for word in sys.argv[3:] if not os.path.exists(word))])
