#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The fault matrix: who dies or stalls, and when; what isp makes of it.

Usage: faults.py BUILD [--short] [--said] [--times N] [--other-mpi MPI] [ROW/COLUMN ...]

MPI: openmpi or abi; the program is compiled for it.

matrix.py has the rows and columns. In each cell isp explores moments.c, which waits at a well-defined moment;
the fault is made; the program goes on. Required, in each cell:

- isp ends by itself (or, if it is the victim, all else does) within LIMIT_S
- one line on stderr says what happened; the exit code is right, and a result that is not complete says so
- a finding that was known before is in the text and in --json; the file of --save can be resumed and leads to
  the whole result
- reports are new and whole, or the old ones and whole
- no process, shared memory, semaphore, message queue, socket or temporary file is left

It runs in namespaces of its own, with /dev/shm, a TMPDIR and a folder for the reports that are small file
systems: so a full disk is a real one, and whatever is left in them is isp's.
"""
import ctypes
import json
import os
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

import matrix

TESTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path[:0] = [TESTS, os.path.join(TESTS, "end_to_end")]
import other_mpi  # noqa: E402
from marks import marked, new_mark, setting, stat_of  # noqa: E402

LIMIT_S = 40
PAUSE_S = 1.0  # how long who is stopped for a while is stopped
RANKS = 3
OTHER_UID = 47113  # nobody's: for limits that do not hold for root
OLD = "old, and whole\n"
KEPT_RULE = "leak-datatype"
FILES = ("isp", "tests/faults/moments", "tests/faults/libholds.so", "profiler/libisp.so")
# what was to be seen after such a thing is not seen by whoever resumes either
CUTTING = {"crash", "exit-code", "hang", "abort"}


class Failed(Exception):
    pass


def check(ok, what):
    if not ok:
        raise Failed(what)


# ---- namespaces ----


def enter_namespaces():
    """Runs this program again in namespaces of its own."""
    how = ["--mount", "--ipc"] + (["--user", "--map-root-user"] if os.getuid() else [])
    if subprocess.run(["unshare", *how, "true"], capture_output=True, check=False).returncode != 0:
        print(
            "faults: this user can make no namespaces, and so no disks that are full: "
            "every cell counts as failed"
        )
        sys.exit(1)
    os.execvp(
        "unshare", ["unshare", *how, sys.executable, os.path.abspath(__file__), *sys.argv[1:], "--inside"]
    )


def mount_tmpfs(folder, size, mode=777):
    os.makedirs(folder, exist_ok=True)
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size},nr_inodes=200,mode={mode}", "faults", folder], check=True
    )


class Disks:
    def __init__(self, root):
        self.root = root
        self.out, self.tmp, self.marks, self.shm = (
            os.path.join(root, n) for n in ("out", "tmp", "marks", "shm")
        )
        self.shm = "/dev/shm"
        subprocess.run(["mount", "--make-rprivate", "/"], check=True)
        mount_tmpfs(self.out, "16m")
        mount_tmpfs(self.tmp, "16m", 1777)
        mount_tmpfs(self.shm, "256m")
        mount_tmpfs(self.marks, "16m")

    def clear(self):
        for folder in (self.out, self.tmp, self.shm, self.marks):
            for name in os.listdir(folder):
                path = os.path.join(folder, name)
                shutil.rmtree(path) if os.path.isdir(path) else os.unlink(path)

    def empty(self):
        for folder in (self.out, self.tmp, self.shm):
            for name in os.listdir(folder):
                if name.startswith("filler"):
                    os.unlink(os.path.join(folder, name))

    def fill(self, which):
        folder = getattr(self, which)
        with open(os.path.join(folder, "filler"), "ab", buffering=0) as f:
            for size in (1 << 20, 1 << 12, 1):
                until_full(lambda n=size: f.write(b"x" * n))
        until_full(lambda: os.close(tempfile.mkstemp(prefix="filler", dir=folder)[0]))


def until_full(write):
    try:
        while True:
            write()
    except OSError:
        pass


# ---- processes ----


def send(pids, signum):
    """One may end with another one."""
    for pid in pids:
        try:
            os.kill(pid, signum)
        except ProcessLookupError:
            pass


def wait_for(condition, what, limit_s=LIMIT_S):
    """Polls, since there is no event for processes of others."""
    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.005)
    raise Failed(f"timed out waiting until {what() if callable(what) else what}")


# ---- one exploration ----


class Cell:
    def __init__(self, build, disks, row, column):
        self.isp, self.program, self.holds = (os.path.join(build, f) for f in FILES[:3])
        self.disks, self.row, self.column, self.expect = disks, row, column, row.cell(column.name)
        self.mark = new_mark()
        self.process, self.out, self.err, self.said = None, None, None, ""
        self.kept = set() if row.right or column.is_first else {KEPT_RULE}
        self.rules = set()  # of --json
        self.held = {}
        self.pipe = None
        self.filled = None  # a disk that is kept full

    def file(self, name):
        return os.path.join(self.disks.out, name)

    # ---- start and end ----

    def environment(self):
        env = {k: v for k, v in os.environ.items() if not k.startswith("ISP_")}
        env |= {
            **setting(self.mark),
            "TMPDIR": self.disks.tmp,
            "FAULTS_FOLDER": self.disks.marks,
            **self.column.env,
        }
        if self.column.file:
            env |= {
                "LD_PRELOAD": self.holds,
                "FAULTS_HOLD": self.file(self.column.file),
                "FAULTS_HOLD_AT": str(self.column.at),
            }
        return env

    def command(self):
        outputs = [w for name in ("json", "trace", "save", "html") for w in (f"--{name}", self.file(name))]
        moment = "none" if self.column.writes else self.moment()
        return [
            self.isp,
            "--timeout",
            str(matrix.TIMEOUT_S),
            *self.column.options,
            *self.row.options,
            *outputs,
            "-n",
            str(RANKS),
            "--",
            self.program,
            self.disks.marks,
            moment,
            str(self.column.launch),
            *["right"] * self.row.right,
        ]

    def moment(self):
        return self.column.moment or (self.column.name if self.column.name != "forks" else "checkpoint")

    def is_other(self):
        return (
            self.row.fault[0] == "use_up"
            and self.row.fault[2] == "NPROC"
            and os.getuid() == 0
            and not is_mapped()
        )

    def become(self):
        for s in (signal.SIGHUP, signal.SIGINT, signal.SIGPIPE):  # also under nohup
            signal.signal(s, signal.SIG_DFL)
        if self.is_other():
            os.setgroups([])
            os.setresgid(OTHER_UID, OTHER_UID, OTHER_UID)
            os.setresuid(OTHER_UID, OTHER_UID, OTHER_UID)

    def start(self):
        for name in ("json", "trace", "html"):
            with open(self.file(name), "w", encoding="utf-8") as f:
                f.write(OLD)
            if self.is_other():
                os.chown(self.file(name), OTHER_UID, OTHER_UID)
        self.err = tempfile.TemporaryFile()
        if self.row.fault[0] == "close_terminal":
            self.start_on_terminal()
            return
        pipes = {}
        stderr = self.err
        for number in (1, 2):
            if self.row.fault == ("close_pipe", number):
                pipes[number] = os.pipe()
        self.pipe = next(iter(pipes.values()))[0] if pipes else None
        stdout = pipes[1][1] if 1 in pipes else subprocess.DEVNULL
        stderr = pipes[2][1] if 2 in pipes else self.err
        self.process = subprocess.Popen(
            self.command(),
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            preexec_fn=self.become,
        )
        for pair in pipes.values():
            os.close(pair[1])

    def start_on_terminal(self):
        mine, its = os.openpty()
        self.pipe = mine

        def become():
            os.setsid()
            ctypes.CDLL(None).ioctl(0, 0x540E, 0)  # TIOCSCTTY
            self.become()

        self.process = subprocess.Popen(
            self.command(), env=self.environment(), stdin=its, stdout=its, stderr=its, preexec_fn=become
        )
        os.close(its)

    def end(self):
        send(marked(self.mark), signal.SIGKILL)
        if self.process:
            self.process.kill()
            self.process.wait()

    # ---- the moment ----

    def marks(self, name):
        """rank -> pid of who has made the mark last."""
        found = {}
        for entry in sorted(
            os.listdir(self.disks.marks), key=lambda e: os.stat(os.path.join(self.disks.marks, e)).st_mtime_ns
        ):
            words = entry.split(".")
            if words[0] == name and len(words) == 3:
                found[int(words[1])] = int(words[2])
        return found

    def is_asleep(self, pid):
        at = stat_of(pid)
        return at and at[1] == "S"

    def await_moment(self):
        def ended():
            check(self.process.poll() is None, "isp ended before the moment: " + self.read_said())
            return False

        if self.column.writes:
            wait_for(
                lambda: [f for f in os.listdir(self.disks.marks) if f.startswith("held.")] or ended(),
                "isp writes the file",
            )
            return
        moment = self.moment()
        wait_for(lambda: self.marks(moment) or ended(), "the ranks are there")
        wait_for(lambda: len(self.marks("near")) == RANKS or ended(), "all ranks are near")
        if moment in ("connect", "init", "fence"):  # the others wait for rank 0
            for pid in self.marks("near").values():
                wait_for(lambda p=pid: self.is_asleep(p) or ended(), "the others wait")
        self.held = self.marks(moment)

    def go(self):
        path = os.path.join(self.disks.marks, "go")
        if not os.path.exists(path):
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o644))

    # ---- faults ----

    def victims(self, who):
        all_of_it = marked(self.mark)
        if who == "isp":
            return [self.process.pid]
        if who in ("rank", "two ranks"):
            live = self.marks("near")
            one = {"init": 1, "fence": 1}.get(self.moment())
            first = live[one] if one is not None else list(self.held.values())[0]
            others = [pid for pid in live.values() if pid != first]
            return [first] if who == "rank" else [first, others[0]]
        if who == "program":
            return [pid for pid, name in all_of_it.items() if name == "moments"]
        if who == "forked":
            live = set(self.marks("near").values())
            return [pid for pid, name in all_of_it.items() if name == "moments" and pid not in live]
        # Hydra's name may have an end: mpiexec.hydra
        pids = [pid for pid, name in all_of_it.items() if name.removesuffix(".hydra") == who]
        if who == "isp-worker":  # the one whose ranks have come to the moment
            pids = [pid for pid in pids if pid in ancestors(list(self.held.values())[0])] or pids
        check(pids, f"there is no {who} among {all_of_it}")
        return (
            pids if who in ("isp-guard", "mpiexec", "hydra_pmi_proxy") and not self.row.options else pids[:1]
        )

    def nothing(self):
        self.go()

    def kill(self, who, *names):
        victims = self.victims(who)
        for name in names:
            send(victims, getattr(signal, "SIG" + name))
        self.go()

    def pause(self, who, seconds=PAUSE_S):
        pids = self.victims(who)
        send(pids, signal.SIGSTOP)
        self.go()
        time.sleep(seconds)  # the fault itself
        send(pids, signal.SIGCONT)

    def stop(self, who):
        send(self.victims(who), signal.SIGSTOP)
        self.go()

    def stop_and_kill(self):
        os.kill(self.process.pid, signal.SIGSTOP)
        self.go()
        os.kill(self.process.pid, signal.SIGKILL)

    def close_pipe(self, number):
        os.close(self.pipe)
        self.go()

    def close_terminal(self):
        os.close(self.pipe)
        self.go()

    def fill(self, which):
        self.disks.fill(which)
        self.filled = which
        self.go()

    def use_up(self, who, what):
        pid = self.victims(who)[0]
        if what == "NOFILE":
            used = set(map(int, os.listdir(f"/proc/{pid}/fd")))
            limit = next(n for n in range(1 << 20) if n not in used)
        elif what == "AS":
            with open(f"/proc/{pid}/statm", encoding="ascii") as f:
                limit = int(f.read().split()[0]) * resource.getpagesize()
        else:
            limit = 1
        self.set_limit(pid, getattr(resource, "RLIMIT_" + what), limit)
        self.go()

    def set_limit(self, pid, which, limit):
        """By a process of the same user: root need not be allowed to."""
        child = os.fork()
        if child == 0:
            try:
                self.become()
                resource.prlimit(pid, which, (limit, resource.prlimit(pid, which)[1]))
                os._exit(0)
            except OSError:
                os._exit(1)
        check(os.waitpid(child, 0)[1] == 0, "the limit cannot be set")

    # ---- what must be true ----

    def has_ended(self):
        if self.filled:  # isp has removed something
            self.disks.fill(self.filled)
        return self.process.poll() is not None

    def read_said(self):
        """By pread: isp writes at the offset that it shares with this process."""
        at = self.err.fileno()
        return os.pread(at, os.fstat(at).st_size, 0).decode(errors="replace")

    def verdict(self):
        """What isp made of it, in one line."""
        lines = [line for line in self.said.splitlines() if re.match(r"isp: .* in .*interleaving", line)]
        return "".join(f": {line[5:]}" for line in lines)

    def run(self):
        self.disks.clear()
        try:
            self.start()
            self.await_moment()
            name, *arguments = self.row.fault
            getattr(self, name)(*arguments)
            wait_for(self.has_ended, lambda: f"isp has ended: {marked(self.mark)}")
            code = self.process.returncode
            self.said = self.read_said()
            self.check_left(code)
            self.check_result(code)
            self.check_trace()
            self.check_html()
            self.check_saved()
        finally:
            self.end()

    def check_left(self, code):
        limit_s = LIMIT_S if code < 0 else 5
        wait_for(lambda: not marked(self.mark), lambda: f"no process is left: {marked(self.mark)}", limit_s)
        check(not listed(self.disks.tmp), f"left in TMPDIR: {listed(self.disks.tmp)}")
        check(not listed(self.disks.shm), f"left in /dev/shm: {listed(self.disks.shm)}")
        left = set(listed(self.disks.out)) - {"json", "trace", "save", "html"}
        check(not left, f"left beside the reports: {sorted(left)}")
        for what in ("shm", "sem", "msg"):
            with open(f"/proc/sysvipc/{what}", encoding="ascii") as f:
                check(len(f.readlines()) == 1, f"a System V object is left: {what}")

    def check_result(self, code):
        expect = self.expect
        check(code in expect.code, f"isp ended with {code}, not {expect.code}")
        if code >= 0 and expect.says:
            check(re.search(expect.says, self.said), f"no line says what happened ({expect.says})")
        with open(self.file("json"), encoding="utf-8") as f:
            text = f.read()
        self.complete = 0
        if text == OLD:
            check(not expect.reports, "the report was not written")
            check(code < 0 or all(rule in self.said for rule in self.kept), "neither report has the finding")
            return
        result = json.loads(text)
        self.complete = result["interleavings"] if result["complete"] else 0
        self.rules = {f["rule"] for f in result["findings"]}
        check(
            expect.complete is None or result["complete"] == expect.complete,
            f"complete is {result['complete']}",
        )
        check(result["complete"] or result.get("incomplete_because"), "why it is not complete is not said")
        check(
            code != 0 or result["complete"],
            "it is not complete, and the exit code says that there is no error",
        )
        if self.column.name in matrix.AHEAD:
            self.kept &= self.rules
        check(self.kept <= self.rules, "the finding from before is not in --json")
        if code >= 0 and self.row.fault[0] not in ("close_terminal",) and self.row.fault != ("close_pipe", 2):
            check(all(rule in self.said for rule in self.kept), "the finding from before is not in the text")

    def check_trace(self):
        with open(self.file("trace"), "rb") as f:
            if f.read() == OLD.encode():
                check(not self.expect.reports, "the trace was not written")
                return
        db = sqlite3.connect(self.file("trace"))
        check(db.execute("PRAGMA integrity_check").fetchone()[0] == "ok", "the trace is damaged")
        check(db.execute("SELECT count(*) FROM interleaving").fetchone()[0] > 0, "the trace is empty")
        whole = (
            "SELECT count(*) FROM interleaving WHERE NOT buffered AND ending NOT IN ('merged', 'redundant')"
        )
        merged = "SELECT total(stands_for) FROM joins WHERE NOT buffered"
        n = db.execute(whole).fetchone()[0] + db.execute(merged).fetchone()[0]
        lacks = db.execute("SELECT count(*) FROM meta WHERE key = 'lacks'").fetchone()[0]
        check(self.complete in (0, n) or lacks, f"the trace has {n} of {self.complete} interleavings")
        db.close()

    def check_html(self):
        with open(self.file("html"), encoding="utf-8") as f:
            text = f.read()
        if text == OLD:
            check(not self.expect.reports, "the page was not written")
            return
        check(text.rstrip().endswith("</html>"), "half of a page was written")

    def check_saved(self):
        """It leads to what an exploration without a fault finds."""
        self.disks.empty()
        again = os.path.join(self.disks.tmp, "resumed.json")
        done = subprocess.run(
            [self.isp, "--resume", self.file("save"), "--json", again],
            env=self.environment() | {"FAULTS_HOLD": ""},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        check(os.path.exists(again), f"--resume: {done.stderr}")
        with open(again, encoding="utf-8") as f:
            result = json.load(f)
        rules = {f["rule"] for f in result["findings"]}
        check(
            self.rules <= rules | {"wildcard", "irrelevant-barrier"},
            f"--resume: {sorted(rules)}, and before it were {sorted(self.rules)}",
        )
        whole = result["complete"] and result["interleavings"] == 8
        cut = bool(rules & CUTTING) and result.get("incomplete_because")
        check(
            self.kept <= rules and (whole or cut),
            f"--resume: {sorted(rules)} in {result['interleavings']} interleavings: {done.stderr}",
        )
        os.unlink(again)


def ancestors(pid):
    found = []
    while pid > 1:
        found.append(pid)
        try:
            with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
                pid = int(f.read().rsplit(")", 1)[1].split()[1])
        except OSError:
            break
    return found


def listed(folder):
    return sorted(name for name in os.listdir(folder) if not name.startswith("filler"))


def is_mapped():
    """Whether root here is somebody else outside."""
    with open("/proc/self/uid_map", encoding="ascii") as f:
        return f.read().split()[1] != "0"


def copy_build(build, to, mpi):
    """Where any user may read it, and as it is now; mpi: of the program, if it is not MPICH."""
    for file in [*FILES, *([f"adapters/{mpi}/libisp-{mpi}.so"] if mpi else [])]:
        os.makedirs(os.path.join(to, os.path.dirname(file)), exist_ok=True)
        shutil.copy(os.path.join(build, file), os.path.join(to, file))
    if mpi:
        other_mpi.compile_one(mpi, build, "tests/faults/moments.c", os.path.join(to, FILES[1]))
    return to


# ---- the table ----


def print_table(results):
    columns = matrix.COLUMNS
    width = max(len(r.name) for r in matrix.ROWS)
    print("\n" + " " * width + "  " + "  ".join(c.name for c in columns))
    for row in matrix.ROWS:
        words = []
        for column in columns:
            state = results.get(
                (row.name, column.name), "" if not isinstance(row.cell(column.name), str) else "-"
            )
            words.append(state.ljust(len(column.name)))
        if any(w.strip() not in ("", "-") for w in words):
            print(
                f"{row.name.ljust(width)}  {'  '.join(words)}  "
                f"{row.text}{', the program is right' if row.right else ''}"
            )
    print("\n- makes no sense:")
    reasons = {}
    for row in matrix.ROWS:
        for column in columns:
            if isinstance(row.cell(column.name), str):
                reasons.setdefault((row.name, row.cell(column.name)), []).append(column.name)
    for (name, why), where in reasons.items():
        print(f"  {name}/{','.join(where)}: {why}")


def wanted(arguments):
    names = [a for a in arguments if not a.startswith("--")]
    for row in matrix.ROWS:
        for column in matrix.COLUMNS:
            name = f"{row.name}/{column.name}"
            if isinstance(row.cell(column.name), str):
                continue
            if names and not any(n in (name, row.name, "/" + column.name) for n in names):
                continue
            if "--short" in arguments and name not in matrix.SHORT:
                continue
            yield row, column


def main():
    if "--inside" not in sys.argv:
        enter_namespaces()
    arguments = [a for a in sys.argv[1:] if a != "--inside"]
    build = os.path.abspath(arguments.pop(0))
    times = int(arguments.pop(arguments.index("--times") + 1)) if "--times" in arguments else 1
    mpi = arguments.pop(arguments.index("--other-mpi") + 1) if "--other-mpi" in arguments else None
    results, failed, began_s = {}, [], time.monotonic()
    with tempfile.TemporaryDirectory(prefix="isp-faults-", ignore_cleanup_errors=True) as root:
        os.chmod(root, 0o755)
        disks = Disks(root)
        build = copy_build(build, os.path.join(root, "build"), mpi)
        for _ in range(times):
            for row, column in wanted(arguments):
                cell = Cell(build, disks, row, column)
                name = f"{row.name}/{column.name}"
                begun_s = time.monotonic()
                try:
                    cell.run()
                    results.setdefault((row.name, column.name), "ok")
                    if "--said" in arguments:
                        print(cell.said)
                    print(f"ok {name} ({time.monotonic() - begun_s:.1f} s){cell.verdict()}", flush=True)
                except (Failed, OSError) as e:
                    results[row.name, column.name] = "FAILED"
                    failed.append((name, e))
                    print(f"FAILED {name}: {e}\n{cell.said}", flush=True)
        for folder in (disks.out, disks.tmp, disks.marks):
            subprocess.run(["umount", folder], check=False)
    print_table(results)
    print(
        f"\n{len(results)} cells, {len(results) * times - len(failed)} passed, "
        f"{len(failed)} failed ({time.monotonic() - began_s:.0f} s)"
    )
    for name, why in failed:
        print(f"  {name}: {why}\n  again: ./dev faults {name!r}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
