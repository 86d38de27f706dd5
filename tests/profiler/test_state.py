#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""
The state of a rank (profiler/state/): test_state.py LIBISP ARENA PROGRAM.

The program is one rank that goes one of two ways, as one of its two requests is completed first. It is
forked there, as for a checkpoint, so both ways are of one launch. At the barrier behind them it is asked for
its state.
"""
import os
import secrets
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import checked_states  # noqa: E402
import fake_scheduler as wire
from fake_scheduler import Reader, read_call

LIBISP, ARENA, PROGRAM = (os.path.abspath(path) for path in sys.argv[1:4])
BACK, STATE = 18, 25
FORK, ASK = 1, 16
MAPS = ("change_locale", "change_mapping", "unknown_memory", "change_exchanged", "same_exchanged")


class Rank:
    """One rank, both ways."""

    def __init__(self, what, merge=True, arena=True, slow_threads=False):
        self.merge, self.slow_threads = merge, slow_threads
        self.states, self.way, self.tries, self.made, self.data = [], None, 1, 10, b""
        directory = tempfile.mkdtemp(prefix="isp-test-")
        path, self.token = os.path.join(directory, "link"), secrets.token_bytes(32)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen(1)
        variables = {
            "LD_PRELOAD": f"{ARENA}:{LIBISP}" if arena else LIBISP,
            "ISP_LINK": "unix:" + path,
            "ISP_TOKEN": self.token.hex(),
            checked_states.VARIABLE: os.path.join(directory, "states"),
        }
        if slow_threads:
            variables["SLOW_THREADS"] = "1"
        genv = [w for name, value in variables.items() for w in ("-genv", name, value)]
        env = dict(os.environ, MPIR_CVAR_NOLOCAL="1", UCX_TLS="posix,self")
        command = ["mpiexec", "-n", "1", *genv, "setarch", "-R", PROGRAM, what]
        with subprocess.Popen(
            command, env=env, cwd=directory, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        ) as mpiexec:
            try:
                listener.settimeout(30)
                self.socket = listener.accept()[0]
                self.socket.settimeout(30)
                while self.read():
                    pass
            finally:
                self.socket.close()
                mpiexec.wait(30)
                listener.close()
                self.checked = checked_states.read(os.path.join(directory, "states"))
                shutil.rmtree(directory)

    def read(self):
        more = self.socket.recv(1 << 16)
        self.data += more
        while len(self.data) >= 4:
            (length,) = struct.unpack("<I", self.data[:4])
            if len(self.data) < 4 + length:
                break
            frame, self.data = self.data[4 : 4 + length], self.data[4 + length :]
            self.take(frame[0], Reader(frame[1:]))
        return bool(more)

    def send(self, kind, payload):
        self.socket.sendall(struct.pack("<IB", len(payload) + 1, kind) + payload)

    def go(self, marks=0, released=True, positions=(), new_comm=-1, actions=()):
        payload = struct.pack("<BII", marks, 0, len(actions))
        payload += b"".join(struct.pack("<BIii", *a) for a in actions)
        payload += struct.pack("<H", released)
        if released:
            n = len(positions)
            payload += struct.pack(f"<HiiiiQI{n}I", 0, 1, new_comm, -1, 0, 0, n, *positions)
        self.send(wire.GO, payload)

    def take(self, kind, r):
        if kind == wire.HELLO:
            settings = (0, 0, 0, 1, 0, 0, self.merge, 0, 0, 0, 0, 0, wire.NEVER, 0, 0)
            self.send(wire.WELCOME, struct.pack("<BBBBBBBBBiQQQBB", *settings))
        elif kind == wire.CALLS:
            r.take("I")
            while r.more():
                call = read_call(r)
                if call["flags"] & wire.FENCE:
                    self.answer(call)
        elif kind == STATE:
            known, low, high = r.take("B"), r.take("Q"), r.take("Q")
            self.hear((low, high) if known else None, r.text())
        elif kind == BACK:
            self.tries += 1
            self.made = self.made_before
            self.way = 1
            self.go(FORK if self.tries == 2 else 0, positions=[1])

    def answer(self, call):
        if call["op"] == wire.COMPLETE and self.way is None:
            self.way, self.made_before = 0, self.made
            self.go(FORK, positions=[0])
        elif call["op"] == wire.COMPLETE:
            self.go(positions=[0])
        elif call["op"] == wire.COLLECTIVE and call["mode"] == wire.NOTHING and self.way is not None:
            self.go(ASK, released=False)
            self.go(ASK, released=False)
        elif call["op"] == wire.COLLECTIVE and call["mode"] != wire.NOTHING:
            self.made += 1
            self.go(new_comm=self.made)
        else:
            self.go()

    def hear(self, state, why):
        assert (state is None) == (why != ""), (state, why)
        self.states.append((state, why))
        if len(self.states) % 2 == 0:
            assert self.states[-1] == self.states[-2], "a state changes by being asked for"
            if self.slow_threads:
                time.sleep(0.3)  # the launched process knows them by its last state
            if self.tries < 3:
                self.send(wire.DIE, b"\0")
            else:
                self.go()


def ways(what, **options):
    """
    The states of both. The second one is gone again: by the same process, if it can go back
    (profiler/rewind/), and by the one that was launched, where memory that is mapped has another address.
    """
    rank = Rank(what, **options)
    many, unlike = rank.checked
    known = sum(state is not None for state, _ in rank.states)
    assert many >= known and not unlike, unlike or f"{many} of {known} states were looked at"
    first, *second = rank.states[::2]
    assert len(second) >= 2
    if what not in MAPS:
        assert all(s == second[0] for s in second), second
    elif len(second) == 3:
        assert second[0] == second[1], second
    return first, second[0]


class States(unittest.TestCase):
    """Pairs of states that differ in one thing."""

    def play(self, name):
        (first, why_not), (second, why) = ways(name)
        if name.startswith("unknown_"):
            self.assertIsNotNone(first, why_not)
            self.assertIsNone(second)
            self.assertNotEqual(why, "")
            return
        self.assertIsNotNone(first, why_not)
        self.assertIsNotNone(second, why)
        if name == "nothing" or name.startswith("same_"):
            self.assertEqual(first, second)
        else:
            self.assertNotEqual(first[0], second[0])
            self.assertNotEqual(first[1], second[1])

    def test_not_asked_for(self):
        (first, why), _ = ways("nothing", merge=False)
        self.assertIsNone(first)
        self.assertIn("not told", why)

    def test_threads_that_begin_late(self):
        """Those of MPI and isp. A process that is forked before knows their stacks as well."""
        (first, why), (second, _) = ways("nothing", slow_threads=True)
        self.assertIsNotNone(first, why)
        self.assertEqual(first, second)

    def test_without_arena(self):
        (first, why), _ = ways("nothing", arena=False)
        self.assertIsNone(first)
        self.assertIn("not apart", why)


def add_tests():
    names = subprocess.run([PROGRAM, "list"], capture_output=True, text=True, check=True).stdout.split()
    for name in names + ["change_stack", "change_register"]:
        setattr(States, "test_" + name, lambda self, name=name: self.play(name))


if __name__ == "__main__":
    add_tests()
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
