# SPDX-License-Identifier: BSD-3-Clause
"""isp debug as a program: commands in, what it says to each of them out.

    with Debugger([isp, "debug", "-n", "3", "--", program]) as d:
        d.begins                # what it says at first: the lines of stdout, then those of stderr
        d.says("[all] step")    # those of stdout
        d.refuses("frame x")    # the one line of stderr, after "isp: "

Each answer ends with that to `help quit`. Whatever it has started is gone at the end; else it fails.
"""
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from marks import marked, new_mark, setting  # noqa: E402

END = "quit: leave"
LIMIT_S = 60
GRACE_S = 5


class Failed(Exception):
    """What was expected is not so."""


def until(look, limit_s=GRACE_S):
    """Polls, since there is no event for processes of others: the last that look() has found."""
    end = time.monotonic() + limit_s
    while not (found := look()) and time.monotonic() < end:
        time.sleep(0.01)
    return found


def kill(pids):
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def read_lines(stream, name, into):
    for line in stream:
        into.put((name, line.rstrip("\n")))
    into.put((name, None))


class Debugger:
    def __init__(self, words, environment=(), cwd=None, talks=True):
        """talks=False: it is to end by itself, after await_end()."""
        self.words, self.mark, self.talks = words, new_mark(), talks
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("ISP_")}
        self.environment |= setting(self.mark) | dict(environment)
        self.temporary = tempfile.mkdtemp(prefix="dbg-")  # short: a Unix socket will be below it
        self.environment["TMPDIR"] = self.temporary
        self.cwd = cwd or self.temporary
        self.lines = queue.SimpleQueue()
        self.errors, self.open = [], set()
        self.process = None

    def begin(self, **streams):
        self.process = subprocess.Popen(
            self.words,
            cwd=self.cwd,
            env=self.environment,
            text=True,
            errors="replace",
            start_new_session=True,
            **streams,
        )

    def __enter__(self):
        self.begin(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for name, stream in ("out", self.process.stdout), ("err", self.process.stderr):
            self.open.add(name)
            threading.Thread(target=read_lines, args=(stream, name, self.lines), daemon=True).start()
        self.begins = self.says("") if self.talks else []
        return self

    def __exit__(self, kind, *_):
        if kind:
            self.throw_away()
        else:
            self.leave()

    # ---- talking ----

    def take(self, end_s):
        try:
            name, line = self.lines.get(timeout=max(end_s - time.monotonic(), 0))
        except queue.Empty:
            raise Failed(f"no answer within {LIMIT_S} s; stderr: {self.errors}") from None
        if line is None:
            self.open.discard(name)
        elif name == "err":
            self.errors.append(line)
        return name, line

    def says(self, command):
        """The lines of stdout that it answers with."""
        answer = []
        self.send(f"{command}\nhelp quit\n")
        end_s = time.monotonic() + LIMIT_S
        while True:
            name, line = self.take(end_s)
            if name == "out" and line == END:
                return answer
            if name == "out" and line is None:
                raise Failed(f"it has ended, after {command!r}: {answer}; stderr: {self.errors}")
            if name == "out":
                answer.append(line)

    def send(self, text):
        try:
            self.process.stdin.write(text)
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # what is read says so

    def refuses(self, command):
        """The line of stderr; one, and none of stdout."""
        self.errors.clear()
        said = self.says(command)
        end_s = time.monotonic() + LIMIT_S
        self.send("=\n")  # no command: what comes before its line on stderr belongs to the one before
        while not (self.errors and 'no command "="' in self.errors[-1]):
            if self.take(end_s)[1] is None:
                raise Failed(f"it has ended, after {command!r}")
        del self.errors[-1]
        if said or len(self.errors) != 1 or not self.errors[0].startswith("isp: "):
            raise Failed(f"{command!r}: stdout {said}, stderr {self.errors}")
        return self.errors.pop().removeprefix("isp: ")

    # ---- its end ----

    def await_end(self):
        """The exit code; `errors` is complete then."""
        end_s = time.monotonic() + LIMIT_S
        while self.open:
            self.take(end_s)
        return self.process.wait(LIMIT_S)

    def check_left(self):
        """Nothing is left behind."""
        pids = until(lambda: not marked(self.mark)) or marked(self.mark)
        kill(pids if isinstance(pids, dict) else [])
        self.close()
        files = until(lambda: not os.listdir(self.temporary)) or os.listdir(self.temporary)
        shutil.rmtree(self.temporary)
        if pids is not True:
            raise Failed(f"processes are left: {pids}")
        if files is not True:
            raise Failed(f"files are left: {files}")

    def leave(self):
        """The exit code."""
        if self.talks:
            self.send("quit\n")
        code = self.await_end()
        self.check_left()
        return code

    def close(self):
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream and stream.close()
            except BrokenPipeError:
                pass

    def throw_away(self):
        kill(marked(self.mark))
        self.process.wait()
        self.close()
        shutil.rmtree(self.temporary, ignore_errors=True)
