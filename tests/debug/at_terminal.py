#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""isp debug at a terminal: prompt, completion, history, keys; and the terminal is as it was afterwards.

usage: at_terminal.py ISP MESSAGES DEADLOCK
"""
import os
import pty
import re
import select
import signal
import stat
import sys
import tempfile
import termios
import time
import unittest

from debugger import LIMIT_S, kill, until
from marks import marked, new_mark, setting

isp, program, deadlock = "", "", ""
CONTROL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|\r|\x07")


class Terminal:
    """A session at one. `shown` is what has not been looked at yet, without what moves the cursor."""

    def __init__(self, folder, words, **environment):
        self.mark, self.shown = new_mark(), ""
        clean = {k: v for k, v in os.environ.items() if not k.startswith("ISP_")}
        clean |= {"TERM": "xterm", "HOME": folder, "XDG_STATE_HOME": os.path.join(folder, "state")}
        clean |= {"TMPDIR": folder, **setting(self.mark), **environment}
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            for number in signal.SIGHUP, signal.SIGINT, signal.SIGQUIT:  # under nohup, or in the background
                signal.signal(number, signal.SIG_DFL)
            os.execve(isp, [isp, *words], clean)
        self.before = termios.tcgetattr(self.fd)

    def awaits(self, text):
        """What is shown up to this, which it is removed with."""
        end_s = time.monotonic() + LIMIT_S
        while text not in self.shown:
            ready, _, _ = select.select([self.fd], [], [], max(end_s - time.monotonic(), 0))
            if not ready:
                raise AssertionError(f"no {text!r} within {LIMIT_S} s: {self.shown!r}")
            try:
                more = os.read(self.fd, 65536)
            except OSError:  # nobody has it open any more
                raise AssertionError(f"it has ended without {text!r}: {self.shown!r}") from None
            self.shown += CONTROL.sub("", more.decode(errors="replace"))
        said, _, self.shown = self.shown.partition(text)
        return said

    def types(self, keys):
        os.write(self.fd, keys.encode())

    def does(self, line, rank=0):
        """What a whole line answers with."""
        self.types(line + "\n")
        self.awaits("\n")  # what was typed
        return self.awaits(f"isp:{rank}> ")

    def completes(self, keys, to):
        self.types(keys)
        self.awaits(to)
        self.types("\x03")
        self.awaits("^C\nisp:0> ")

    def is_as_before(self):
        return termios.tcgetattr(self.fd)[:4] == self.before[:4]

    def ended(self):
        """The wait status; what is shown is read on, or it could not end."""
        end_s = time.monotonic() + LIMIT_S
        while time.monotonic() < end_s:
            if select.select([self.fd], [], [], 0.01)[0]:
                try:
                    os.read(self.fd, 65536)
                except OSError:
                    pass
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                return status
        raise AssertionError("it does not end")


class Typing(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory(prefix="dbg-"))
        self.t = self.start()

    def start(self, *words, **environment):
        words = words or ("debug", "-n", "3", "--choices", "0", "--", program)
        terminal = Terminal(self.folder, words, **environment)
        self.addCleanup(self.end, terminal)
        self.begins = terminal.awaits("isp:0> ")
        return terminal

    def end(self, terminal):
        kill(marked(terminal.mark))
        os.close(terminal.fd)
        self.assertTrue(until(lambda: not marked(terminal.mark)))

    def history(self):
        return os.path.join(self.folder, "state/isp/history")

    def test_completion(self):
        t = self.t
        t.completes("wh\t", "where  why")
        t.completes("set oth\tc\t", "others causal ")
        t.completes("[\t", "all]  0]    1]    2]")
        t.completes("[0,2\t", "2] ")
        t.completes("info \t", "breakpoints ")
        t.completes("goto s\t", "start ")
        t.completes("go\t2\t", "goto 2:")
        t.completes("[1] break re\tf\t", "[1] break recv from=")
        t.completes("break collective all\t", "all")  # as it is: any name may be typed
        t.does("goto 0:1")
        t.does("print sum")
        t.completes("print work\t\t", "worker   workers")  # a function, and a variable of the frame
        t.completes("break messages.\t", "break messages.c")
        t.completes("p -a work\t\t", "worker   workers")

    def test_prompt_and_empty_lines(self):
        t = self.t
        t.does("goto 0:1")
        self.assertIn("no breakpoints", t.does("info breakpoints"))
        self.assertEqual(t.does("").strip(), "")  # nothing has moved by steps yet
        lines = [re.search(r"at messages\.c:(\d+) master", t.does(keys))[1] for keys in ("next", "", "")]
        self.assertEqual(len(set(lines)), 3, lines)
        t.does("print sum")
        self.assertIn("messages.c:", t.does(""))  # what has moved last, not what was last
        self.assertIn("rank 1", t.does("focus 1", 1))

    def test_keys(self):
        t = self.t
        t.types("print nosuch\x03")
        t.awaits("^C\nisp:0> ")
        self.assertIn("no breakpoints", t.does("info breakpoints"))
        t.types("\x04")
        self.assertEqual(t.ended(), 0)
        self.assertTrue(t.is_as_before())

    def test_signals_are_keys(self):
        """Ctrl-\\ ends at once, as everywhere; and the terminal is as it was."""
        self.t.types("\x1c")
        self.assertEqual(os.WTERMSIG(self.t.ended()), signal.SIGQUIT)
        self.assertTrue(self.t.is_as_before())

    def test_after_an_exploration(self):
        """isp --debug."""
        t = self.start("--debug", "-n", "3", deadlock)
        self.assertIn("[deadlock]", self.begins)
        self.assertRegex(self.begins, r"\nrank 0 waits in .*MPI_Recv")
        self.assertIn("MPI_Recv(from any, tag 0)", t.does("goto choice"))
        t.types("\x04")
        self.assertEqual(os.waitstatus_to_exitcode(t.ended()), 1)
        self.assertTrue(t.is_as_before())

    def test_history(self):
        t = self.t
        for line in "where", "ranks", "ranks", "help focus":
            t.does(line)
        t.types("\x1b[A\x1b[A\n")
        self.assertIn("* ranks 0-2", t.awaits("isp:0> "))
        t.does("help where")
        os.chmod(self.history(), 0o666)
        with open(self.history(), encoding="utf-8") as stream:
            typed = stream.read().splitlines()
        self.assertEqual(typed, ["where", "ranks", "help focus", "ranks", "help where"])
        other = self.start()
        other.types("\x1b[A\n")
        self.assertIn("where: where", other.awaits("isp:0> "))
        mode = os.stat(self.history()).st_mode
        self.assertEqual(stat.S_IMODE(mode), 0o600)

    def test_history_that_cannot_be_kept(self):
        for state in "/dev/null", "/dev/null/folder", "nowhere":
            t = self.start(XDG_STATE_HOME=state)
            self.assertTrue(t.does("help where").startswith("where: where"))
        self.assertFalse(os.path.exists(self.history()))

    def test_terminal_is_given_back(self):
        for number in signal.SIGTERM, signal.SIGHUP:
            t = self.start()
            self.assertFalse(t.is_as_before())  # while a line is edited
            os.kill(t.pid, number)
            self.assertEqual(os.WTERMSIG(t.ended()), number)
            self.assertTrue(t.is_as_before())
            self.assertTrue(until(lambda mark=t.mark: not marked(mark)))


if __name__ == "__main__":
    isp, program, deadlock = (os.path.abspath(word) for word in sys.argv[1:4])
    unittest.main(argv=sys.argv[:1] + sys.argv[4:])
