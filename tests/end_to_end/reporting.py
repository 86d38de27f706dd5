#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reports that are made from traces: each is read again by a reader of its own, and compared with the views
of the trace.

usage: reporting.py ISP BUILD_DIR PAGE_WITHIN
"""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from random import Random

import dot_graph
import isp_log
from page import Page, compare_with_trace, read_data

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import reports  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# With their ranks: wildcards, probes, waits for some, collectives, communicators, deadlocks, runs with
# buffered sends, threads.
PROGRAMS = [
    ("umpire-suite/any_src-can-deadlock9", 4),
    ("tests/programs/master_worker", 3),
    ("tests/programs/waitsome_both", 2),
    ("tests/programs/iprobe_not_yet", 2),
    ("tests/programs/mprobe", 3),
    ("umpire-suite/intercomm_create-no-error", 4),
    ("umpire-suite/lost-request2", 3),
    ("umpire-suite/basic-deadlock", 2),
    ("tests/programs/threads_same_tag", 2),
    ("tests/programs/cancel_unmatched", 2),
    ("tests/fortran/f08_leak", 2),
]

CRASHES_INSIDE = """#include <mpi.h>
static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    *(volatile int *)8 = 1;
}
int main(int argc, char **argv)
{
    int one = 1, sum;
    MPI_Op op;
    MPI_Init(&argc, &argv), MPI_Op_create(add, 1, &op);
    MPI_Reduce(&one, &sum, 1, MPI_INT, op, 0, MPI_COMM_WORLD);
    return MPI_Finalize();
}
"""

FREES_LATE = """#include <mpi.h>
static MPI_Request request;
__attribute__((destructor)) static void end(void)
{   MPI_Request_free(&request); }
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Send_init(&argc, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    return MPI_Finalize();
}
"""

# It fails only if rank 1 is the last to be received.
PRINTS = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, size, v = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        for (int i = 1; i < size; i++) {
            MPI_Recv(&v, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            printf("got %d\\n", v);
            fflush(stdout);
        }
        fputs("<end>\\n", stderr);
        if (v == 1 && size > 2)
            MPI_Recv(&v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
"""


class Tester:
    def __init__(self, isp, build, within):
        self.isp, self.build, self.within, self.failed = (
            os.path.abspath(isp),
            os.path.abspath(build),
            os.path.abspath(within),
            0,
        )
        self.folder = tempfile.TemporaryDirectory(prefix="e2e-")

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as stream:
            return stream.read()

    def run(self, *command, environment=None):
        variables = {name: value for name, value in os.environ.items() if not name.startswith("ISP_")}
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
            cwd=self.folder.name,
            env={**variables, **(environment or {})},
        )

    def explore(self, program, ranks, *options, environment=None):
        return self.run(
            self.isp,
            "-n",
            str(ranks),
            *options,
            "--",
            os.path.join(self.build, program),
            environment=environment,
        )

    def expect(self, what, got, wanted):
        self.failed += got != wanted
        print(f"ok {what}" if got == wanted else f"FAIL {what}: {got!r}, expected {wanted!r}", flush=True)

    def page(self, what, page, trace):
        """Compares; the page, or None."""
        try:
            page = Page(read_data(self.read(page)))
            compare_with_trace(page, self.path(trace))
        except AssertionError as error:
            self.expect(what, repr(error), "")
            return None
        self.expect(what, "", "")
        return page


def test_pages(t):
    for program, ranks in PROGRAMS:
        t.explore(program, ranks, "--max-interleavings", "100", "--html", "page.html", "--trace", "run.isp")
        t.page(f"page of {program}", "page.html", "run.isp")


def test_without_trace(t):
    """The trace is temporary, and nothing is left of it."""
    temporary = t.path("tmp")
    os.mkdir(temporary)
    done = t.explore(
        "umpire-suite/any_src-can-deadlock", 3, "--html", "page.html", environment={"TMPDIR": temporary}
    )
    t.expect("without --trace: nothing said", b"isp: the temporary trace" in done.stderr, False)
    t.expect("without --trace: nothing left", os.listdir(temporary), [])
    t.expect("without --trace: a page", bool(Page(read_data(t.read("page.html"))).table["call"]), True)
    done = t.explore(
        "umpire-suite/any_src-can-deadlock",
        3,
        "--html",
        "other.html",
        environment={"TMPDIR": t.path("missing")},
    )
    t.expect("no TMPDIR: exit code", (done.returncode, os.path.exists(t.path("other.html"))), (1, True))
    t.expect(
        "no TMPDIR: why", b"cannot be used: No such file or directory; /tmp is taken" in done.stderr, True
    )


def test_hostile_names(t):
    """What the program is called cannot end the script that the data stands in."""
    folder = t.path("a&b<")
    os.makedirs(os.path.join(folder, "script>"))
    program = os.path.join(folder, "script>", "x")
    shutil.copy(os.path.join(t.build, "umpire-suite/basic-deadlock"), program)
    t.explore(program, 2, "--html", "page.html", "--trace", "run.isp")
    page = t.page("page of a program with a hostile name", "page.html", "run.isp")
    t.expect("its name", page and page.data["result"]["command"], [program])


def test_hostile_places(t):
    """A source file may be called anything: log and graph can still be read."""
    name = 'a "b\\" [c] } { Match: File: 3.c'
    shutil.copy(os.path.join(ROOT, "umpire-suite/basic-deadlock.c"), t.path(name))
    t.run("mpicc", "-g", "-O0", name, "-o", "hostile")
    done = t.explore(
        t.path("hostile"),
        2,
        "--isp-log",
        "run.log",
        "--dot",
        "run.dot",
        "--html",
        "page.html",
        "--trace",
        "run.isp",
    )
    t.expect("a source with a hostile name: a deadlock", done.returncode, 1)
    t.page("page with it", "page.html", "run.isp")
    try:
        with open(t.path("run.log"), "rb") as stream:
            log = isp_log.read(stream.read())
        isp_log.check(log, t.folder.name)
        graph = dot_graph.read(t.read("run.dot"))
        t.expect("its log", {each.file for each in log.interleavings[1].values()}, {name})
        t.expect("its graph", any(name in node.get("label", "") for node in graph.nodes.values()), True)
    except (isp_log.BadLog, dot_graph.BadGraph) as error:
        t.expect("a source with a hostile name", str(error), "")


def test_budgets(t):
    """What does not fit is left out, and the page says how much it is."""
    t.explore("umpire-suite/any_src-can-deadlock9", 4, "--trace", "run.isp")
    most = None
    for calls, nodes in [
        (10**6, 10**6),
        (20, 10**6),
        (3, 10**6),
        (0, 10**6),
        (10**6, 3),
        (10, 3),
        (0, 0),
    ]:
        done = t.run(t.within, "run.isp", str(calls), str(nodes))
        with open(t.path("page.html"), "wb") as stream:
            stream.write(done.stdout)
        page = t.page(f"page within {calls} calls and {nodes} nodes", "page.html", "run.isp")
        if not page:
            continue
        has = len(page.table["call"])
        most = most or has
        t.expect("so many nodes", len(page.table["node"]) <= nodes, True)
        t.expect("so many calls", has == min(calls, most) if nodes > 3 else has <= calls, True)


def test_output(t):
    """What the program prints in an interleaving is in the page, also if that went on from a checkpoint."""
    with open(t.path("prints.c"), "w", encoding="utf-8") as stream:
        stream.write(PRINTS)
    t.run("mpicc", "-g", "prints.c", "-o", "prints")
    wanted = {"0": "got 1\ngot 2\n<end>\n", "1": "got 2\ngot 1\n<end>\n"}
    for options in [], ["-j", "2"]:
        t.explore(t.path("prints"), 3, *options, "--html", "page.html", "--trace", "run.isp")
        data = read_data(t.read("page.html"))
        page = Page(data)
        said = {
            page.name(page.table["interleaving"][int(row)]["node"]): text
            for row, text in data["output"].items()
        }
        t.expect(f"output {options}", said, wanted)
    t.run(t.isp, "report", "run.isp", "--html", "again.html")
    t.expect("output from the trace", t.read("again.html") == t.read("page.html"), True)
    done = t.explore(t.path("prints"), 2, "--html", "page.html")
    t.expect(
        "output: of a run without choices",
        list(read_data(t.read("page.html"))["output"].values()),
        ["got 1\n<end>\n"],
    )
    t.expect("output: nothing is said of it", b"choices" in done.stderr, False)
    done = t.explore(t.path("prints"), 3, "--html", "page.html")
    t.expect("output: shown once", done.stdout, b"got 1\ngot 2\n")


def test_stack(t):
    """A crash inside of MPI is told with the frames of the program: of isp there are none, nor of UCX."""
    with open(t.path("inside.c"), "w", encoding="utf-8") as stream:
        stream.write(CRASHES_INSIDE)
    t.run("mpicc", "-g", "inside.c", "-o", "inside")
    done = t.explore(t.path("inside"), 2)
    said = (done.stdout + done.stderr).decode()
    stack = [line.strip() for line in said.splitlines() if line.strip().startswith("#")]
    wanted = [r"#0 \S*inside\.c:4 add", r"#1 inside of MPI \(-vv shows where\)", r"#2 \S*inside\.c:11 main"]
    t.expect(
        "a stack",
        [bool(re.fullmatch(want, line)) for want, line in zip(wanted, stack)],
        [True] * 3,
    )
    t.expect("a stack: nothing below main", len(stack), 3)
    t.expect("a stack: UCX prints none", "backtrace" in said, False)
    said = t.explore(t.path("inside"), 2, "-vv").stderr.decode()
    t.expect("-vv: the whole stack", "libmpich" in said, True)


def test_late_free(t):
    """A library that frees its request when MPI has ended: the leak says so, and where."""
    with open(t.path("late.c"), "w", encoding="utf-8") as stream:
        stream.write(FREES_LATE)
    t.run("mpicc", "-g", "late.c", "-o", "late")
    said = t.explore(t.path("late"), 2).stderr.decode()
    late = re.search(r"late\.c:8: warning: MPI_Send_init: .*is never freed.*\n(?:.*\n){2}(.*)", said)
    wanted = "  MPI_Request_free is called at late.c:4 end, after MPI_Finalize: that is too late"
    t.expect("a leak that is freed too late", late and late.group(1), wanted)
    t.expect("the call after MPI_Finalize", "late.c:4: error: MPI_Request_free is called after" in said, True)


def test_report(t):
    """isp report FILE: from a trace, what isp made itself."""
    explored = t.explore(
        "umpire-suite/any_src-can-deadlock9",
        4,
        "--trace",
        "run.isp",
        "--html",
        "page.html",
        "--json",
        "result.json",
        "--error-exitcode",
        "7",
    )
    report = t.run(t.isp, "report", "run.isp")
    t.expect(
        "isp report: the text and the exit code", (report.stdout, report.returncode), (explored.stderr, 7)
    )
    report = t.run(t.isp, "report", "run.isp", "--html", "again.html", "--json=again.json")
    t.expect("isp report: with options", (report.stdout + report.stderr, report.returncode), (b"", 0))
    t.expect("isp report: the same page", t.read("again.html") == t.read("page.html"), True)
    t.expect("isp report: the same result", t.read("again.json") == t.read("result.json"), True)
    report = t.run(t.isp, "report", "run.isp", "--html", "missing/page.html")
    t.expect(
        "isp report: cannot write",
        (report.stderr, report.returncode),
        (b"isp: --html missing/page.html: No such file or directory\n", 5),
    )


def change(data, at, new):
    return data[:at] + new + data[at + len(new) :]


def test_bad_traces(t):
    """Each is refused by one line that says why."""
    t.explore("umpire-suite/basic-deadlock", 2, "--trace", "run.isp")
    with open(t.path("run.isp"), "rb") as stream:
        good = stream.read()
    page = 16384
    cases = [
        ("missing", None, "No such file or directory"),
        ("empty", b"", "not a trace of isp"),
        ("text", b"int main() {}\n" * 99, "not a trace of isp"),
        ("another application", change(good, 68, b"\0\0\0\0"), "not a trace of isp"),
        (
            "another version",
            change(good, 60, b"\0\0\0\x09"),
            "a trace of version 9; this isp reads versions 1 to 3: use the isp that wrote it",
        ),
        ("cut off", good[:100000], f"the trace is cut off: 100000 of {len(good)} bytes are there"),
        ("damaged schema", change(good, 100, bytes(page - 100)), "the trace is damaged"),
        ("damaged pages", good[:page] + bytes(len(good) - page), "the trace is damaged"),
    ]
    for name, data, why in cases:
        if data is not None:
            with open(t.path("bad.isp"), "wb") as stream:
                stream.write(data)
        file = "bad.isp" if data is not None else "none.isp"
        done = t.run(t.isp, "report", file)
        t.expect(
            f"bad trace: {name}",
            (done.stderr.decode(), done.stdout, done.returncode),
            (f"isp: report: {file}: {why}\n", b"", 2),
        )
    for words, why in [
        ([], "which trace?"),
        (["run.isp", "run.isp"], "one trace at a time"),
        (["run.isp", "--pdf", "x"], "--pdf: no such option"),
        (["run.isp", "--html"], "--html needs a value"),
    ]:
        done = t.run(t.isp, "report", *words)
        t.expect(f"isp report {' '.join(words)}", (why in done.stderr.decode(), done.returncode), (True, 2))


def test_damaged_traces(t):
    """Whatever is in the file, isp report ends, and by itself."""
    t.explore("umpire-suite/any_src-can-deadlock9", 4, "--trace", "run.isp")
    with open(t.path("run.isp"), "rb") as stream:
        good = stream.read()
    codes, random = set(), Random(1)
    words = [word for name in reports.names(t.isp) for word in (f"--{name}", "/dev/null")]
    for _ in range(40):
        data = bytearray(good)
        for _ in range(40):
            data[random.randrange(100, len(data))] = random.randrange(256)
        with open(t.path("bad.isp"), "wb") as stream:
            stream.write(data)
        codes.add(t.run(t.isp, "report", "bad.isp", *words).returncode)
    tables = [
        "call",
        "match",
        "member",
        "node",
        "choice",
        "alternative",
        "interleaving",
        "waiting",
        "kind",
        "site",
    ]
    values = [None, -1, 2**31, 2**40 + 1, 2**62, -(2**63), "", "1 2 99999999999", b"\xff\0"]
    for _ in range(40):
        shutil.copy(t.path("run.isp"), t.path("bad.isp"))
        with sqlite3.connect(t.path("bad.isp"), isolation_level=None) as db:
            table = random.choice(tables)
            column = random.choice(
                [row[1] for row in db.execute(f"PRAGMA table_info({table})") if row[5] == 0]
            )
            db.execute(
                f"UPDATE {table} SET {column} = ? WHERE rowid IN (SELECT rowid FROM {table} ORDER BY "
                f"random() LIMIT 2)",
                (random.choice(values),),
            )
        codes.add(t.run(t.isp, "report", "bad.isp", *words).returncode)
    t.expect("damaged traces: exit codes", codes <= {0, 2, 5}, True)


def main():
    t = Tester(*sys.argv[1:])
    for test in (
        test_pages,
        test_without_trace,
        test_hostile_names,
        test_hostile_places,
        test_output,
        test_stack,
        test_late_free,
        test_budgets,
        test_report,
        test_bad_traces,
        test_damaged_traces,
    ):
        test(t)
    t.folder.cleanup()
    sys.exit(f"{t.failed} failed" if t.failed else 0)


main()
