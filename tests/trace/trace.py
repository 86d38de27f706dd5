#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a trace says is whole, agrees with the result, and is the same however the search was made.

Usage: trace.py ISP DOCS PRINTS REQUESTS CONSTRUCTORS SHOWN ORDERS PROGRAM...

ORDERS is tests/scheduler/orders.c. Each of its modes (with 4 ranks), and each PROGRAM (with 2), is traced by
one process, without checkpoints, with forks alone and by two processes; and, ORDERS, in two sittings. Of each
trace the interleavings are put together from the views and compared: calls, matches, choices and endings
(without merging, which goes by what was explored before: tests/merging/traced.py). The questions of DOCS
(docs/trace.md) are asked. REQUESTS (requests.c) has calls that are too long for a page. Each call of
CONSTRUCTORS (constructors.c) is there once. Each interleaving of SHOWN (shown.c) has the findings of its
replay.
What PRINTS (prints.c) has printed is there for the interleavings that isp shows.
"""
import json
import os
import re
import sqlite3
import subprocess
import sys
import tempfile
import time

LIMIT_S = 120
BUSY_S = 1  # what takes isp longer than this it leaves out
MODES = {"one": [], "launched": ["--no-checkpoints"], "two processes": ["-j", "2"]}
ORDERS = ["deadlock", "later", "buffered", "two"]
CUT = {"interrupted", "redundant"}  # runs that are no interleavings


class Trace:
    def __init__(self, file):
        assert os.path.exists(file), "no trace was written"
        self.db = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        assert self.rows("PRAGMA integrity_check") == [("ok",)], self.rows("PRAGMA integrity_check")

    def rows(self, sql, *values):
        return self.db.execute(sql, values).fetchall()

    def whole(self):
        """Every interleaving, as a value that does not depend on times or on how the search was made."""
        names = self.rows("SELECT id, name, buffered, ending FROM interleaving")
        assert len({(n, b, e) for _, n, b, e in names}) == len(names), "an interleaving is there twice"
        return {
            (name, buffered, ending): self.interleaving(number, name, buffered)
            for number, name, buffered, ending in names
            if ending not in CUT
        }

    def interleaving(self, number, name, buffered):
        at = (name, buffered)
        calls = sorted(
            self.rows(
                "SELECT rank, thread, number, label, file, line, requests, data "
                "FROM calls WHERE interleaving = ? AND buffered = ?",
                *at,
            ),
            key=lambda c: (*c[:2], -1 if c[2] is None else c[2], repr(c)),
        )
        known = {(rank, n) for rank, _, n, *_ in calls}
        for rank, thread in {(rank, thread) for rank, thread, *_ in calls}:
            order = [n & (1 << 40) - 1 for r, t, n, *_ in calls if (r, t) == (rank, thread) and n is not None]
            # An action that is no call of the program has a number, and no row.
            assert order == sorted(set(order)), f"{name}: the calls of rank {rank} are {order[:50]} ..."
        messages = sorted(
            self.rows(
                "SELECT send_rank, send, receive_rank, receive FROM messages WHERE interleaving = ? AND "
                "buffered = ?",
                *at,
            )
        )
        for s, i, r, j in messages:
            assert {
                (s, i),
                (r, j),
            } <= known, f"{name}: message {s}.{i} to {r}.{j}, of which a call is unknown"
        groups = {}
        for position, rank, n in self.rows(
            "SELECT position, rank, number FROM collectives WHERE interleaving = ? AND buffered = ?", *at
        ):
            assert (rank, n) in known, f"{name}: member {rank}.{n} of a collective is unknown"
            groups.setdefault(position, []).append((rank, n))
        waiting = sorted(
            self.rows(
                "SELECT rank, thread, number, finished, polling, needs, ranks, pending "
                "FROM waiting WHERE interleaving = ?",
                number,
            ),
            key=repr,
        )
        return calls, messages, sorted(map(sorted, groups.values())), waiting

    def choices(self):
        return sorted(
            self.rows(
                "SELECT buffered, decision, rank, number, alternatives, label, file, line FROM choices"
            ),
            key=repr,
        )

    def check(self, result):
        """Against the result of the same exploration."""
        names = self.rows("SELECT name, buffered, ending FROM interleaving")
        main = sum(e not in CUT and b == (result["buffering"] == "infinite") for _, b, e in names)
        buffered = sum(e not in CUT and bool(b) for _, b, e in names) if result["buffering"] == "auto" else 0
        assert (main, buffered) == (result["interleavings"], result["buffered_interleavings"]), (
            main,
            buffered,
            result["interleavings"],
        )
        assert sum(e == "redundant" for *_, e in names) == result["redundant_runs"]
        assert (
            json.loads(self.rows("SELECT value FROM meta WHERE key = 'result'")[0][0])["findings"]
            == result["findings"]
        )
        found = self.rows("SELECT rule, message, interleaving FROM findings ORDER BY id")
        assert found == [(f["rule"], f["message"], f["interleaving"]) for f in result["findings"]]
        assert not self.rows("SELECT * FROM meta WHERE key = 'lacks'")


class Test:
    def __init__(self, isp, folder):
        self.isp, self.folder, self.n = os.path.abspath(isp), folder, 0

    def run(self, *words, env=None):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("ISP_")}
        done = subprocess.run(
            [self.isp, "-q", "--output", "none", *words],
            env=clean | (env or {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
            cwd=self.folder,
        )
        assert done.returncode in (0, 1, 3), (words, done.returncode, done.stderr)
        return done.stderr

    def traced(self, options, command, ranks="4", env=None):
        self.n += 1
        trace, result = (os.path.join(self.folder, f"{self.n}{end}") for end in (".isp", ".json"))
        words = ["--merge=off", "--trace", trace, "--json", result, "-n", ranks, *options, "--", *command]
        said = self.run(*words, env=env)
        assert "--trace" not in said, said
        with open(result, encoding="utf-8") as f:
            whole = Trace(trace)
            whole.check(json.load(f))
        self.nothing_else(trace)
        return whole

    def nothing_else(self, trace):
        beside = [
            n
            for n in os.listdir(self.folder)
            if n.startswith(os.path.basename(trace)) and n != os.path.basename(trace)
        ]
        assert not beside, f"left beside the trace: {beside}"

    def same_in_all_modes(self, command, ranks="4"):
        traces = {mode: self.traced(options, command, ranks) for mode, options in MODES.items()}
        traces["forks"] = self.traced([], command, ranks, {"ISP_FORK_ONLY": "1"})
        one, choices = traces["one"].whole(), traces["one"].choices()
        assert one, "there is no interleaving"
        for mode, trace in traces.items():
            assert trace.choices() == choices, f"{mode}: other choice points"
            other = trace.whole()
            assert other.keys() == one.keys(), f"{mode}: {sorted(other.keys() ^ one.keys())}"
            for name, what in other.items():
                assert what == one[name], f"{mode}: {name} differs: {what} instead of {one[name]}"
        print(f"{os.path.basename(command[0])} {' '.join(command[1:])}: {len(one)} interleavings")
        return one

    def two_sittings(self, command, whole):
        trace, save = os.path.join(self.folder, "sittings.isp"), os.path.join(self.folder, "saved")
        first = ["--merge=off", "--trace", trace, "--save", save, "--max-interleavings", "3", "-n", "4"]
        first += ["--", *command]
        assert "--trace" not in self.run(*first)
        assert len(Trace(trace).whole()) == 3
        assert "--trace" not in self.run("--trace", trace, "--resume", save)
        assert Trace(trace).whole() == whole, "two sittings come to something else than one"
        for there in ("other program", "nothing", "cut off", "a view for a table", "no such number of nodes"):
            self.run(*first)
            if there == "other program":
                self.run("--trace", trace, "-n", "4", "--", *command, "more")
            elif there == "nothing":
                os.unlink(trace)
            elif there == "cut off":
                os.truncate(trace, os.path.getsize(trace) // 2)
            else:
                with sqlite3.connect(trace, isolation_level=None) as db:
                    db.executescript(
                        "DROP TABLE node; CREATE VIEW node AS SELECT id FROM call"
                        if there == "a view for a table"
                        else "UPDATE node SET id = 1 << 60 WHERE id = (SELECT max(id) FROM node)"
                    )
            said = self.run("--trace", trace, "--resume", save)
            assert "only what was explored since --resume" in said, said
            assert Trace(trace).rows("SELECT value FROM meta WHERE key = 'lacks'")
            assert 0 < len(Trace(trace).whole()) < len(whole)
        self.nothing_else(trace)

    def printed(self, command):
        for options in MODES.values():
            started = time.monotonic()
            trace = self.traced(options, command, "3")
            said = dict(
                trace.rows(
                    "SELECT i.name, p.text FROM printed p JOIN interleaving i ON i.id = p.interleaving "
                    "WHERE NOT i.buffered"
                )
            )
            if len(said) < 2 and time.monotonic() - started > BUSY_S:
                print(
                    f"{' '.join(options)}: what is printed is not looked at: "
                    f"the machine is so busy that isp left it out"
                )
                continue
            assert said.keys() == {"0", "1"}, said.keys()
            assert said["0"] == "first came 1\n", said["0"]
            begin = "first came 2\nzero  escape\\x1b byte\\xff\n" + "x" * 1000
            assert said["1"].startswith(begin), said["1"][:100]
            assert 60000 < len(said["1"]) < 70000 and "BAD TERMINATION" not in said["1"], (
                len(said["1"]),
                said["1"][-300:],
            )

    def calls_once(self, command):
        """Some constructors are two records for isp: each is one call, and one collective, all the same."""
        whole = self.traced([], command, "2")
        made = whole.rows(
            "SELECT c.call, count(DISTINCT c.number), count(DISTINCT c.line), count(DISTINCT g.position), "
            "count(DISTINCT g.rank) FROM calls c LEFT JOIN collectives g USING (rank, number) "
            "WHERE c.call NOT IN ('MPI_Comm_free', 'MPI_Finalize') GROUP BY c.call"
        )
        assert len(made) == 10, made
        for call, calls, lines, collectives, ranks in made:
            assert (calls, collectives, ranks) == (lines, lines, 2), (call, calls, lines, collectives, ranks)
        late = self.traced([], [*command, "late"], "2")
        waits = late.rows(
            "SELECT c.call, g.position FROM waiting w JOIN calls c USING (rank, number) "
            "LEFT JOIN collectives g USING (rank, number) WHERE NOT w.finished"
        )
        assert waits == [("MPI_Intercomm_create_from_groups", None)], waits

    def shows(self, command):
        """What a run has shown is what its replay finds."""
        told = "SELECT s.interleaving, rule, file, line FROM shows s JOIN findings f ON f.id = s.finding"
        counted = "SELECT name FROM interleaving WHERE ending != 'redundant'"
        first = None
        for options in ([], ["-j", "2"], ["--no-checkpoints"]):
            trace = self.traced(options, command)
            shown = {name: set() for (name,) in trace.rows(counted)}
            for name, *finding in trace.rows(told):
                shown[name].add(tuple(finding))
            assert len(shown) == 6 and len(set(map(frozenset, shown.values()))) == 4, shown
            for name, findings in shown.items() if not options else ():
                assert self.replayed(command, name) == findings, (name, findings)
            first = first or shown
            assert shown == first, (options, shown, first)

    def replayed(self, command, name):
        result = os.path.join(self.folder, "replayed.json")
        done = subprocess.run(
            [self.isp, "replay", "-q", "-n", "4", "--choices", name, "--json", result, "--", *command],
            capture_output=True,
            timeout=LIMIT_S,
            check=False,
            cwd=self.folder,
        )
        assert done.returncode in (0, 1), done.stderr
        with open(result, encoding="utf-8") as f:
            found = [x for x in json.load(f)["findings"] if x["severity"] != "note"]
        return {(x["rule"], x["sites"][0]["file"], x["sites"][0]["line"]) for x in found}

    def cannot_be_written(self, command):
        for trace, code in (("/nosuch/trace", 2), ("/dev/full/trace", 2)):
            done = subprocess.run(
                [self.isp, "--trace", trace, "-n", "4", "--", *command],
                capture_output=True,
                text=True,
                timeout=LIMIT_S,
                check=False,
            )
            assert (done.returncode, len(done.stderr.splitlines())) == (code, 1), (
                done.returncode,
                done.stderr,
            )


def questions(docs):
    with open(docs, encoding="utf-8") as f:
        return re.findall(r"```sql\n(.*?)```", f.read(), re.S)


def main():
    isp, docs, prints, requests, constructors, shown, orders, *programs = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="isp-trace-") as folder:
        test = Test(isp, folder)
        for mode in ORDERS:
            whole = test.same_in_all_modes([os.path.abspath(orders), mode])
            if mode == "deadlock":
                deadlock = whole
        for program in programs:
            test.same_in_all_modes([os.path.abspath(program)], "2")
        whole = test.same_in_all_modes([os.path.abspath(requests)], "3")
        assert (
            max(len(c[6] or "") for calls, *_ in whole.values() for c in calls) > 16384
        ), "no call is too long for a page"
        command = [os.path.abspath(orders), "deadlock"]
        test.two_sittings(command, deadlock)
        test.cannot_be_written(command)
        test.calls_once([os.path.abspath(constructors)])
        test.shows([os.path.abspath(shown)])
        test.printed([os.path.abspath(prints)])
        merged = os.path.join(folder, "merged.isp")
        test.run("--trace", merged, "-n", "4", "--", *command)
        asked = questions(docs)
        assert len(asked) >= 3
        for question in asked:
            assert Trace(merged).rows(question), f"no answer to {question}"


if __name__ == "__main__":
    main()
