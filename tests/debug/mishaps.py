#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What can happen to isp debug, or around it: one clear line says so, who can go on goes on, and nothing is
left: no process, no file in TMPDIR, no shared memory.

usage: mishaps.py ISP PROGRAM
"""
import ctypes
import glob
import os
import re
import signal
import sys
import unittest
from tempfile import TemporaryDirectory

from debugger import Debugger, Failed, kill, until
from marks import marked, stat_of

isp, program = "", ""
TIOCSCTTY = 0x540E


def shared_memory():
    return set(glob.glob("/dev/shm/*"))


def computed_s(pid):
    """Its processor time; one that waits for a process that it has forked looks now and then."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
            return int(stat.read().rpartition(")")[2].split()[11]) / os.sysconf("SC_CLK_TCK")
    except FileNotFoundError:
        return 0


class Mishaps(unittest.TestCase):
    def setUp(self):
        self.before = shared_memory()
        self.addCleanup(self.check_shared_memory)

    def check_shared_memory(self):
        """Of others, who test at the same time, it may be for a moment."""
        left = until(lambda: not self.orphans()) or self.orphans()
        self.assertEqual(left, True)

    def orphans(self):
        used = ""
        for path in glob.glob("/proc/[0-9]*/maps"):
            try:
                with open(path, encoding="utf-8", errors="replace") as stream:
                    used += stream.read()
            except OSError:
                continue
        return [path for path in shared_memory() - self.before if path not in used and os.path.exists(path)]

    def start(self, what, *more, environment=(), options=(), **how):
        words = [isp, "debug", "-n", "2", *options, "--", program, what, *more]
        d = Debugger(words, environment, **how)
        d.__enter__()
        self.addCleanup(lambda: d.process.poll() is None and d.throw_away())
        return d

    def named(self, d, name):
        return [pid for pid, of in marked(d.mark).items() if of == name]

    def ends(self, d, code=0):
        """It ends as it should, and leaves nothing."""
        self.assertEqual(d.leave(), code)

    # ---- who is killed ----

    def test_gdb_is_killed(self):
        d = self.start("")
        d.says("goto 0:0")
        d.says("print rank")
        kill(self.named(d, "gdb"))
        self.assertEqual(until(lambda: not self.named(d, "gdb")), True)
        said = d.says("bt") or d.says("bt")  # isp hears of it at once, or by this
        self.assertIn("main", said[0])  # by another one
        self.assertEqual(d.says("print rank"), ["0"])
        self.assertLessEqual(len(d.errors), 1, d.errors)
        d.leave()

    def test_gdb_is_killed_at_a_line(self):
        d = self.start("")
        for command in "goto 0:0", "next", "next":
            d.says(command)
        kill(self.named(d, "gdb"))
        self.assertEqual(until(lambda: not self.named(d, "gdb")), True)
        d.says("next")
        d.says("goto 0:1")
        self.assertEqual(d.says("print rank"), ["0"])
        self.assertLessEqual(len(d.errors), 1, d.errors)
        d.leave()

    def test_a_rank_is_killed(self):
        d = self.start("")
        d.says("goto 0:0")
        victim = self.named(d, os.path.basename(program)[:15])[0]
        os.kill(victim, signal.SIGKILL)
        self.assertEqual(until(lambda: not stat_of(victim) or stat_of(victim)[1] == "Z"), True)
        d.says("[all] next")
        d.says("goto 0:1")  # other processes
        self.assertIn("MPI_Barrier", d.says("where")[0])
        self.assertLessEqual(len(d.errors), 1, d.errors)
        d.leave()

    def test_mpiexec_is_killed(self):
        d = self.start("")
        d.says("goto 0:0")
        kill(self.named(d, "mpiexec"))
        d.says("[all] next")
        d.says("goto 0:1")
        self.assertIn("MPI_Barrier", d.says("where")[0])
        self.assertLessEqual(len(d.errors), 1, d.errors)
        d.leave()

    def test_the_guard_is_killed(self):
        d = self.start("")
        d.says("goto 0:0")
        kill(self.named(d, "isp-guard"))
        self.assertEqual(until(lambda: not self.named(d, "isp-guard")), True)
        d.says("[all] next")
        d.says("goto 0:1")
        self.assertIn("MPI_Barrier", d.says("where")[0])
        self.assertLessEqual(len(d.errors), 1, d.errors)
        d.leave()

    def test_isp_is_killed(self):
        d = self.start("")
        d.says("goto 0:0")
        d.says("[all] print rank")
        d.process.kill()
        d.await_end()
        d.check_left()

    def test_isp_is_killed_at_a_line(self):
        d = self.start("")
        for command in "goto 0:0", "[all] next", "[all] next":
            d.says(command)
        d.process.kill()
        d.await_end()
        d.check_left()

    def test_isp_gets_sigterm(self):
        d = self.start("")
        d.says("goto 0:0")
        d.says("print rank")
        d.process.terminate()
        d.await_end()
        d.check_left()

    # ---- who is interrupted ----

    def interrupt(self, d):
        """While a rank computes for ever."""
        ranks = {pid: computed_s(pid) for pid in self.named(d, os.path.basename(program)[:15])}
        d.send("[all] continue\n")
        self.assertEqual(until(lambda: any(computed_s(pid) > ranks[pid] + 0.1 for pid in ranks)), True)
        d.process.send_signal(signal.SIGINT)

    def test_sigint_while_ranks_run(self):
        d = self.start("endless")
        d.says("goto 0:0")
        d.says("print argc = 3")  # now it will not end
        for _ in range(10):  # it may come before they have left their call
            self.interrupt(d)
            self.assertIn("interrupted", d.says("where"))
            if "endless" in d.says("where")[0]:
                break
        self.assertIn("endless", d.says("where")[0])
        d.says("goto 0:0")  # and back
        d.says("goto 0:1")
        self.assertIn("MPI_Barrier", d.says("where")[0])
        self.assertEqual(d.errors, [])
        d.leave()

    def test_sigint_at_the_prompt(self):
        d = self.start("")
        d.says("goto 0:0")
        d.process.send_signal(signal.SIGINT)
        self.assertIn("MPI_Barrier", d.says("where")[0])
        d.says("goto 0:1")
        self.assertEqual(d.errors, [])
        d.leave()

    def test_terminal_is_closed(self):
        for commands in "goto 0:0\nprint rank\n", "goto 0:0\nprint argc = 3\n[all] continue\n":
            with self.subTest(commands):
                self.close_terminal(commands)

    def close_terminal(self, commands):
        mine, its = os.openpty()

        def become():
            ctypes.CDLL(None).ioctl(0, TIOCSCTTY, 0)

        d = Debugger([isp, "debug", "-n", "2", "--", program, "endless"])
        d.begin(stdin=its, stdout=its, stderr=its, preexec_fn=become)
        os.close(its)
        try:
            os.write(mine, commands.encode())
            said = b""
            while b"\n0" not in said.replace(b"\r", b"") and b"= 3" not in said:
                said += os.read(mine, 4096)
            os.close(mine)
            self.assertIsNotNone(d.process.wait(30))
            d.check_left()
        finally:
            kill(marked(d.mark))

    # ---- what the program does ----

    def test_its_own_trap(self):
        d = self.start("trap")
        d.says("goto 0:0")
        for _ in range(3):
            d.says("[all] next")
        said = d.says("[all] continue")
        self.assertIn("trap  signal SIGTRAP: Trace/breakpoint trap", said[0])
        d.says("[all] continue")
        d.says("goto 0:1")
        self.assertEqual((d.says("print trapped"), d.errors), (["1"], []))
        self.assertEqual(d.errors, [])
        self.ends(d)

    def test_it_forks(self):
        d = self.start("fork")
        d.says("goto 0:0")
        d.says("[all] continue")
        d.says("goto 0:1")
        self.assertIn("rank 0 stands in", d.says("where")[0])
        self.assertEqual(d.says("print trapped"), ["7"])
        self.assertEqual(d.errors, [])
        self.ends(d)

    def test_it_can_no_longer_be_forked(self):
        """The run goes on as it is; going back is to launch."""
        d = self.start("unkept")
        for _ in range(2):
            d.says("goto 0:0")
            for _ in range(10):
                d.says("[all] next")
            self.assertRegex(d.says("where")[0], r"stands at mishaps\.c:\d+ main")
            d.says("goto 0:1")
            self.assertIn("MPI_Barrier", d.says("where")[0])
        self.assertEqual(d.errors, [])
        self.ends(d)

    def test_it_asks_for_the_time(self):
        """It is the same again from a checkpoint and from a launch: else a seed would be another one."""
        for options in ((), ("--no-checkpoints",)):
            d = self.start("time", options=options)
            stamps = d.says("print -a stamp")
            self.assertEqual(len(stamps), 2)
            for back in "goto start", "goto 0:0":
                d.says(back)
                self.assertEqual(d.says("print -a stamp"), ["  ranks 0, 1: 0"])
                d.says("goto 0:1")
                d.says("[all] continue")
                d.says("goto 0:1")
                self.assertEqual(d.says("print -a stamp"), stamps)
            self.assertEqual(d.errors, [])
            self.ends(d)

    def test_it_may_have_threads(self):
        d = self.start("threads")
        self.assertIn("does not hold", d.refuses("goto 0:0"))
        self.ends(d, 1)

    def test_it_leaves_early(self):
        d = self.start("exit")
        self.assertIn("rank 1 left with exit code 3", d.begins[0])
        self.assertIn("waits for rank 1", d.says("focus 0")[0])
        d.says("focus 1")
        self.assertRegex(d.says("where")[0], r"rank 1 stands .* ends here")
        d.says("goto 1:0")
        self.assertIn("MPI_Barrier", d.says("where")[0])
        self.assertEqual(d.errors, [])
        self.ends(d)

    # ---- what is not there ----

    def test_no_gdb(self):
        """All that needs none goes on."""
        with_out = self.path_without_gdb()
        d = self.start("", environment={"PATH": with_out})
        d.says("goto 0:0")
        self.assertIn("MPI_Barrier", d.says("where")[0])
        self.assertIn("gdb", d.refuses("print rank"))
        self.assertIn("gdb", d.refuses("bt"))
        self.assertIn("MPI_Barrier", d.says("goto 0:1")[0])
        d.says("break collective")
        self.assertIn("rank 0 comes to breakpoint 1", d.says("reverse-continue"))
        self.assertIn("gdb", d.refuses("continue"))
        self.ends(d, 1)

    def path_without_gdb(self):
        """Links to all that PATH has, but gdb."""
        folder = os.path.join(self.enterContext(TemporaryDirectory()), "bin")
        os.mkdir(folder)
        for of in os.environ["PATH"].split(":"):
            for name in os.listdir(of) if os.path.isdir(of) else []:
                if not name.startswith("gdb") and not os.path.lexists(os.path.join(folder, name)):
                    os.symlink(os.path.join(of, name), os.path.join(folder, name))
        return folder

    def test_no_ptrace(self):
        if os.getuid() == 0:
            self.skipTest("root may always look into processes")
        d = self.start("undumpable")
        d.says("goto 0:1")
        self.assertIn("MPI_Barrier", d.says("where")[0])
        self.assertRegex(d.refuses("print rank"), "ptrace|not permitted")
        self.ends(d, 1)


if __name__ == "__main__":
    isp, program = (os.path.abspath(a) for a in sys.argv[1:3])
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
