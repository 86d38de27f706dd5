#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""libisp.so against the fake scheduler: test_profiler.py LIBISP FUNCTIONS_H RULES_H CALLS ENDINGS."""
import os
import re
import signal
import sys
import unittest

from fake_scheduler import Scheduler

LIBISP, FUNCTIONS_H, RULES_H, CALLS, ENDINGS = sys.argv[1:6]


def numbers(path, pattern):
    with open(path, encoding="utf-8") as f:
        return re.findall(pattern, f.read())


FUNCTIONS = numbers(FUNCTIONS_H, r"\bISP_FN_(\w+),")
RULES = numbers(RULES_H, r'X\(\w+, "([\w-]+)", [A-Z]')
Scheduler.unsupported = RULES.index("unsupported")
Scheduler.thread_level = RULES.index("thread-level")
Scheduler.finalize = FUNCTIONS.index("MPI_Finalize")
Scheduler.inits = (FUNCTIONS.index("MPI_Init"), FUNCTIONS.index("MPI_Init_thread"))


def run(*command, **options):
    return Scheduler(2, **options).run(LIBISP, list(command))


class Calls(unittest.TestCase):
    """Every modelled call, with the outcome that the standard demands."""

    def play(self, buffered, holds=False):
        s = run(CALLS, *["holds"] * holds, buffered=buffered, holds=holds)
        self.assertEqual(sorted(s.output.splitlines()), ["rank 0 is through", "rank 1 is through"])
        self.assertEqual(s.status, 0)
        self.assertFalse(s.deadlock)
        told = sorted((rank, RULES[v["rule"]]) for rank, kind, v in s.told if kind == "finding")
        # of two wrong calls the program asks for error codes
        self.assertEqual(
            told, [(rank, rule) for rank in (0, 1) for rule in ("invalid-count", "invalid-rank")]
        )
        expected = ("finalized", "exit", "finding", "unstarted", "nobody")
        self.assertEqual([t for t in s.told if t[1] not in expected], [])
        nobodies = [(rank, tuple(v.values())) for rank, kind, v in s.told if kind == "nobody"]
        self.assertTrue(nobodies, "calls with MPI_PROC_NULL are told")
        self.assertEqual(len(nobodies), len(set(nobodies)), "each once")
        for rank in s.ranks:  # only the message that nobody receives, and the free'd one, are left
            self.assertTrue(all(op["op"] == 1 and op["tag"] == 1234 for op in rank.ops.values()), rank.ops)
        return s

    def test_zero_buffering(self):
        self.play(False)

    def test_infinite_buffering(self):
        self.play(True)

    def test_holding(self):
        """At each call, and in MPI_Init: the outcome is the same."""
        for buffered in (False, True):
            s = self.play(buffered, holds=True)
            self.assertEqual(s.held, s.begun + 2)
            self.assertGreater(s.continued, 0)  # MPI_Sendrecv


# What it says if it sees the end of a rank's socket before that of the rank. isp does not show it.
HYDRA_S_WORDS = re.compile(
    r"\n=+\n(=   .*\n)+=+\n(YOUR APPLICATION TERMINATED .*\nThis typically .*\nPlease see .*\n)?"
)


class Endings(unittest.TestCase):
    """What rank 0 tells when it does something that ends or refuses the run."""

    def play(self, what):
        self.s = run(ENDINGS, what)
        return [(kind, values) for rank, kind, values in self.s.told if rank == 0]

    def findings(self, what):
        return [
            (RULES[v["rule"]], FUNCTIONS[v["fn"]], v["count"])
            for kind, v in self.play(what)
            if kind == "finding"
        ]

    def crash(self, what):
        ((kind, values),) = [t for t in self.play(what) if t[0] == "crash"]
        return values["signal"], [os.path.basename(path) for _, path in values["stack"]]

    def test_crash(self):
        for what in ("crash", "crash-before-init"):
            number, stack = self.crash(what)
            self.assertEqual(number, signal.SIGSEGV)
            self.assertEqual(stack[0], os.path.basename(ENDINGS))

    def test_crash_in_mpi(self):
        number, stack = self.crash("crash-in-mpi")
        self.assertEqual(number, signal.SIGSEGV)
        self.assertIn(os.path.basename(ENDINGS), stack)

    def test_assertion(self):
        self.assertEqual(self.findings("assertion"), [("assertion", "NONE", 1)])
        text = self.s.told[0][2]["text"]
        self.assertRegex(text, r"^assertion `zero == 1' failed in main \(endings\.c:\d+\)$")
        self.assertEqual([v["signal"] for _, k, v in self.s.told if k == "crash"], [signal.SIGABRT])

    def test_abort(self):
        self.assertEqual([(k, v["code"]) for k, v in self.play("abort") if k == "abort"], [("abort", 5)])

    def test_exit(self):
        self.assertIn(("exit", {"status": 6, "finalized": 0}), self.play("exit"))
        self.assertEqual(self.play("never-init"), [("exit", {"status": 4, "finalized": 0})])

    def test_lifecycle(self):
        self.assertEqual(self.findings("call-before-init"), [("call-before-init", "MPI_Comm_rank", 1)])
        self.assertEqual(self.findings("call-after-finalize"), [("call-after-finalize", "MPI_Comm_rank", 1)])

    def test_errors(self):
        for what, rule, call, text in (
            ("error", "invalid-rank", "MPI_Send", "dest is 55"),
            ("error-in-lock", "invalid-rank", "MPI_Send", "dest is 55"),
            ("local-error", "invalid-communicator", "MPI_Comm_size", "comm is MPI_COMM_NULL"),
            ("uncommitted", "invalid-datatype", "MPI_Send", "datatype is not committed"),
            ("freed-comm", "invalid-communicator", "MPI_Barrier", "comm was freed by %0"),
        ):
            with self.subTest(what):
                self.assertEqual(self.findings(what), [(rule, call, 1)])
                self.assertIn(text, [v["text"] for _, k, v in self.s.told if k == "finding"][0])

    def test_bsend(self):
        for what, text in (("bsend-without-buffer", "no buffer is attached"), ("bsend-full", "which has 99")):
            with self.subTest(what):
                self.assertEqual(self.findings(what), [("bsend-buffer", "MPI_Bsend", 1)])
                self.assertIn(text, [v["text"] for _, k, v in self.s.told if k == "finding"][0])

    def test_unsupported(self):
        self.assertEqual(self.findings("unsupported"), [("unsupported", "MPI_Comm_join", 1)])
        self.assertEqual(self.findings("threads"), [("thread-level", "MPI_Barrier", 1)])

    def test_children(self):
        """Children of a rank, forked or executed, say nothing."""
        self.assertEqual(self.play("children"), [("finalized", {}), ("exit", {"status": 0, "finalized": 1})])

    def test_leaks(self):
        self.assertEqual(
            sorted(self.findings("leak")),
            [
                ("leak-communicator", "MPI_Comm_dup", 1),
                ("leak-datatype", "MPI_Type_contiguous", 3),
                ("leak-request", "MPI_Send_init", 1),
            ],
        )
        self.assertEqual(self.findings("free-at-finalize"), [])

    def test_tries_again(self):
        """A rank that is taken for a stranger in a crowd."""
        Scheduler.turns_away = 7
        try:
            self.assertEqual(self.findings("free-at-finalize"), [])
            self.assertEqual(self.s.turns_away, 0)
            self.assertEqual(self.s.status, 0)
        finally:
            Scheduler.turns_away = 0

    def test_die(self):
        self.play("deadlock")
        self.assertTrue(self.s.deadlock)
        self.assertEqual(HYDRA_S_WORDS.sub("", self.s.output), "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[6:])
