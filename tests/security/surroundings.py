#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What isp leaves to be seen, and what it takes from around it: the token, the private folder, ports,
temporary folders, links in the place of reports, files in the working folder, traces from strangers; and
libisp.so in processes that are no ranks.

Usage: surroundings.py ISP LIBISP PROGRAM (orders.c) CHILDREN (children.c) [test...]
"""
import json
import os
import re
import shlex
import socket
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import reports  # noqa: E402
from marks import marked  # noqa: E402

LIMIT_S = 60
SECRET = "s3cret-that-no-report-may-have"


class Tester:
    def __init__(self, isp, library, program, children):
        self.isp, self.library, self.program, self.children = map(
            os.path.abspath, (isp, library, program, children)
        )
        self.formats = [*reports.names(self.isp), "trace"]
        self.failed = 0

    def expect(self, what, got, wanted):
        self.failed += got != wanted
        print(
            f"ok {what}" if got == wanted else f"FAIL {what}: {got!r:.1500}, expected {wanted!r:.500}",
            flush=True,
        )

    def fresh(self, folder):
        self.folder, self.tmp = folder, os.path.join(folder, "tmp")
        os.mkdir(self.tmp)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def read(self, *names):
        with open(self.path(*names), "rb") as f:
            return f.read()

    def write(self, name, text, mode=0o644):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as f:
            f.write(text)
        os.chmod(self.path(name), mode)
        return self.path(name)

    def environment(self, **more):
        return {k: v for k, v in os.environ.items() if not k.startswith("ISP_")} | {"TMPDIR": self.tmp} | more

    def run(self, *command, environment=None, **more):
        return subprocess.run(
            command,
            capture_output=True,
            timeout=LIMIT_S,
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            env=self.environment(**(environment or {})),
            **more,
        )

    def explore(self, *words, ranks=2, **more):
        return self.run(self.isp, "-n", str(ranks), *words, **more)

    def orders(self, *options, mode="two", ranks=3, **more):
        return self.explore(*options, "--", self.program, mode, ranks=ranks, **more)


# ---- the token ----


def test_token(t):
    """In the environment of the ranks, which the kernel shows to their user alone, and nowhere else; another
    one for each world."""
    look = (
        "echo $ISP_TOKEN >> tokens; for p in /proc/[0-9]*; do tr '\\0' ' ' < $p/cmdline; echo; "
        "done >> cmdlines 2>/dev/null; stat -c %a /proc/self/environ >> modes"
    )
    for tcp in ([], ["--tcp", "127.0.0.1:0"]):
        files = [word for f in t.formats for word in (f"--{f}", f"result.{f}")]
        done = t.explore(
            "-v",
            "--gen-suppressions",
            "--no-checkpoints",
            "--save",
            "result.save",
            "--max-interleavings",
            "3",
            *tcp,
            *files,
            "--",
            "sh",
            "-c",
            f"{look}; exec {shlex.quote(t.program)} deadlock",
            ranks=3,
            # else isp may launch the finding's interleaving once more
            environment={"ISP_ONCE": "1"},
        )
        told = t.read("tokens").decode().split()
        tokens = set(told)
        name = f"token{' '.join(['', *tcp])}"
        t.expect(
            f"{name}: 64 digits each",
            [token for token in tokens if not re.fullmatch("[0-9a-f]{64}", token)],
            [],
        )
        t.expect(f"{name}: at least 3 worlds", len(tokens) >= 3, True)
        t.expect(f"{name}: another one for each world", len(tokens), len(told) / 3)
        t.expect(f"{name}: the environment is the user's", set(t.read("modes").split()), {b"400"})
        seen = {"stdout": done.stdout, "stderr": done.stderr, "command lines": t.read("cmdlines")}
        seen |= {f: t.read(f) for f in os.listdir(t.folder) if f.startswith("result.")}
        t.expect(f"{name}: in {len(seen)} places to look", len(seen) >= 10, True)
        t.expect(
            f"{name}: nowhere to be seen",
            [
                where
                for where, text in seen.items()
                for token in tokens
                if token.encode() in text or bytes.fromhex(token) in text
            ],
            [],
        )
        for f in os.listdir(t.folder):
            if f != "tmp":
                os.unlink(t.path(f))


# ---- where isp listens ----


def test_private_folder(t):
    look = (
        'd=$(dirname "${ISP_LINK#unix:}"); stat -c "%a %u" "$d" >> seen; '
        'case $d in "$(realpath "$TMPDIR")"/*) echo in >> seen;; /tmp/*) echo /tmp >> seen;; esac'
    )
    command = ["sh", "-c", f"{look}; exec {shlex.quote(t.program)} two"]

    def seen(**more):
        t.explore("--max-interleavings", "1", "--", *command, **more)
        lines = set(t.read("seen").decode().split("\n")) - {""}
        os.unlink(t.path("seen"))
        return lines

    mine = f"700 {os.getuid()}"
    t.expect("folder: 0700 with umask 0", seen(umask=0), {mine, "in"})
    t.expect("folder: 0700 with umask 077", seen(umask=0o77), {mine, "in"})
    os.symlink(t.tmp, t.path("link to tmp"))
    t.expect("folder: TMPDIR is a link", seen(environment={"TMPDIR": t.path("link to tmp")}), {mine, "in"})
    t.expect("folder: TMPDIR is missing", seen(environment={"TMPDIR": t.path("missing")}), {mine, "/tmp"})
    t.expect("folder: TMPDIR is not absolute", seen(environment={"TMPDIR": "tmp"}), {mine, "/tmp"})
    t.expect("folder: TMPDIR is a file", seen(environment={"TMPDIR": t.write("file", "")}), {mine, "/tmp"})
    os.mkdir(t.path("open"))
    os.chmod(t.path("open"), 0o777)
    t.expect(
        "folder: in TMPDIR others can replace it",
        seen(environment={"TMPDIR": t.path("open")}),
        {mine, "/tmp"},
    )
    os.chmod(t.path("open"), 0o1777)
    t.expect("folder: TMPDIR is like /tmp", seen(environment={"TMPDIR": t.path("open")}), {mine, "in"})
    t.expect("folder: nothing left", os.listdir(t.tmp) + os.listdir(t.path("open")), [])


def listening(pid):
    """addresses of the process's TCP sockets that listen, as the kernel writes them"""
    sockets = set()
    try:
        for fd in os.listdir(f"/proc/{pid}/fd"):
            sockets.add(os.readlink(f"/proc/{pid}/fd/{fd}"))
    except OSError:  # it, or a descriptor, has just gone
        pass
    found = []
    for table in ("tcp", "tcp6"):
        if os.path.exists(f"/proc/net/{table}"):
            with open(f"/proc/net/{table}", encoding="ascii") as lines:
                for line in list(lines)[1:]:
                    words = line.split()
                    if words[3] == "0A" and f"socket:[{words[9]}]" in sockets:
                        found.append(words[1].split(":")[0])
    return found


def test_ports(t):
    """No port unless asked for one, and then only the one that was asked for: neither of isp, nor of the
    launcher, nor of what that starts."""
    loopback = f"{int.from_bytes(socket.inet_aton('127.0.0.1'), sys.byteorder):08X}"
    for words, wanted in ((["-v"], []), (["--tcp", "127.0.0.1:0"], [loopback])):
        process = subprocess.Popen(
            [
                t.isp,
                *words,
                "-n",
                "2",
                "--",
                "sh",
                "-c",
                f"echo $LD_PRELOAD > up; while [ ! -e down ]; do sleep 0.02; done; "
                f"exec {shlex.quote(t.program)} two",
            ],
            cwd=t.folder,
            env=t.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        limit = time.monotonic() + LIMIT_S
        while not os.path.exists(t.path("up")) and time.monotonic() < limit:
            time.sleep(0.02)
        t.expect(f"ports of isp {' '.join(words)}", listening(process.pid), wanted)
        others = set(marked(f"TMPDIR={t.tmp}")) - {process.pid}
        t.expect(
            f"ports of the {len(others)} processes of the launcher and the ranks",
            [port for pid in others for port in listening(pid)],
            [],
        )
        t.expect("ports: those are some processes", len(others) >= 4, True)
        t.expect(
            "ports: what closes the launcher's is not in the ranks",
            t.read("up").strip().split(b":")[-1],
            t.library.encode(),
        )
        t.write("down", "")
        process.wait(LIMIT_S)
        for name in ("up", "down"):
            os.unlink(t.path(name))
    for address in ("0", "1234", ":1234", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", ""):
        done = t.orders("--tcp", address)
        t.expect(f"ports: --tcp {address!r} is refused", done.returncode, 2)


# ---- files ----


def test_links(t):
    """A report takes the place of a link, and does not go where it leads."""
    precious = t.write("precious", "precious\n")
    for f in t.formats:
        os.symlink(precious, t.path(f"out.{f}"))
    os.symlink(precious, t.path("out.save.tmp"))
    done = t.orders("--save", "out.save", *[word for f in t.formats for word in (f"--{f}", f"out.{f}")])
    t.expect("links: exit code", done.returncode, 1)
    t.expect("links: what they led to is as it was", t.read("precious"), b"precious\n")
    kinds = {f: stat.S_ISREG(os.lstat(t.path(f"out.{f}")).st_mode) for f in (*t.formats, "save")}
    t.expect("links: files are there", [f for f, regular in kinds.items() if not regular], [])


def test_working_folder(t):
    """Whatever lies in the folder in which isp is started: nothing of it is executed, loaded or read."""
    bait = "#!/bin/sh\necho $0 >> CANARY\n"
    for name in (
        "mpiexec",
        "hydra_pmi_proxy",
        "sh",
        "env",
        "less",
        "gdb",
        "addr2line",
        "orders",
        "isp",
        "python3",
        "debuginfod-find",
        "profiler/libisp.so",
        "libisp.so",
        "libmpich.so.12",
        "libc.so.6",
        "libevent_core-2.1.so.7",
    ):
        t.write(name, bait, 0o755)
    for name in (
        "isp.supp",
        ".isp",
        ".isprc",
        ".isp.conf",
        "isp-suppressions",
        ".suppressions",
        "suppressions",
    ):
        t.write(name, "isp-suppressions 1\n{\n    all\n    rule: *\n}\n")
    done = t.orders("--html", "x.html", "--json", "x.json", "--sarif", "x.sarif")
    result = json.loads(t.read("x.json"))
    t.expect("working folder: nothing executed", os.path.exists(t.path("CANARY")), False)
    t.expect(
        "working folder: nothing suppressed",
        (done.returncode, result["suppressed"], result["suppressions"]),
        (1, 0, []),
    )
    t.run(t.isp, "explain", "deadlock")
    t.run(t.isp, "doctor", t.program)
    t.expect("working folder: nor by the other commands", os.path.exists(t.path("CANARY")), False)


def test_strange_trace(t):
    """A trace names files of its reader as sources: none but source code is shown."""
    t.orders("--trace", "run.trace")
    t.write("secrets/netrc", f"{SECRET}\n" * 100)
    t.write("secrets/key.pem", f"{SECRET}\n" * 100)
    os.symlink(t.path("secrets/netrc"), t.path("secrets/link.c"))
    os.mkfifo(t.path("secrets/pipe.c"))
    for bait in ("netrc", "key.pem", "link.c", "pipe.c"):
        with open(t.path("bad.trace"), "wb") as f:
            f.write(t.read("run.trace"))
        db = sqlite3.connect(t.path("bad.trace"))
        (result,) = db.execute("SELECT value FROM meta WHERE key = 'result'").fetchone()
        names = {row[0] for row in db.execute("SELECT DISTINCT file FROM site WHERE file IS NOT NULL")}
        for name in names:
            result = result.replace(json.dumps(name)[1:-1], t.path("secrets", bait))
        db.execute("UPDATE site SET file = ?", (t.path("secrets", bait),))
        db.execute("UPDATE meta SET value = ? WHERE key = 'result'", (result,))
        db.commit()
        db.close()
        made = {
            f: t.run(t.isp, "report", "bad.trace", f"--{f}", "-").stdout for f in t.formats if f != "trace"
        }
        made["text"] = t.run(t.isp, "report", "bad.trace").stdout
        t.expect(
            f"strange trace: names {bait}",
            [f for f in ("json", "sarif", "html") if bait.encode() not in made[f]],
            [],
        )
        t.expect(
            f"strange trace: {bait} is not shown",
            [f for f, text in made.items() if SECRET.encode() in text],
            [],
        )


def test_pipe_as_source(t):
    """isp does not wait for a pipe that the debug information names."""
    t.write(
        "gone.c",
        "#include <mpi.h>\nint main(void) { MPI_Comm c; MPI_Init(0, 0); MPI_Comm_dup(MPI_COMM_WORLD, &c); "
        "MPI_Finalize(); }\n",
    )
    built = t.run("mpicc", "-g", "gone.c", "-o", "gone")
    os.unlink(t.path("gone.c"))
    os.mkfifo(t.path("gone.c"))
    os.utime(t.path("gone.c"), (1, 1))
    done = t.explore("--json", "x.json", "--html", "x.html", "--sarif", "x.sarif", "--", t.path("gone"))
    t.expect(
        "pipe as source",
        (built.returncode, done.returncode, b"gone.c:2: warning" in done.stderr),
        (0, 1, True),
    )


# ---- libisp.so elsewhere ----


def test_preloaded(t):
    """Preloaded into what is no rank it does nothing: same output, same exit code."""
    token = {"ISP_LINK": "unix:/nowhere/link", "ISP_TOKEN": "0" * 64}
    commands = (
        ["sh", "-c", "echo out; echo err >&2; exit 7"],
        ["sh", "-c", "kill -9 $$"],
        ["ls", "/"],
        ["env", "printf", "%s", "x"],
        [
            "python3",
            "-c",
            "import os, threading, subprocess\nt = threading.Thread(target=os.urandom, args=(9,)); "
            "t.start(); t.join()\n"
            "print(subprocess.run(['sh', '-c', 'echo sub'], capture_output=True, text=True).stdout, "
            "os.fork() and os.wait()[1])",
        ],
    )
    for more in ({}, token, token | {"PMI_RANK": "0"}):
        for command in commands:
            plain = t.run(*command)
            loaded = t.run(*command, environment={"LD_PRELOAD": t.library} | more)
            t.expect(
                f"preloaded{' as into a rank' if 'PMI_RANK' in more else ' under isp' if more else ''}: "
                f"{command[0]}",
                (loaded.returncode, loaded.stdout, loaded.stderr),
                (plain.returncode, plain.stdout, plain.stderr),
            )
    t.expect(
        "preloaded: an MPI program without isp",
        t.run(t.children, "nested", environment={"LD_PRELOAD": t.library}).stdout,
        b"sum 1\n",
    )
    own = rb"isp_(shut_pages|unsupported|bsend_overhead)"
    fixed = re.compile(rb"^(P?MPI_|P?MPIX_|mpi|MPII_Grequest_set_lang_f77$|ucp_|%s$)" % own)
    names = {
        line.split()[-1]
        for line in subprocess.run(
            ["nm", "-D", "--defined-only", t.library], capture_output=True, check=True
        ).stdout.splitlines()
    }
    documented = set(
        re.findall(r"`(\w+)`", re.search(r"stands\s+in\s+front\s+of(.*?)\n\n[^-]", DOCUMENT, re.S)[1])
    )
    t.expect(
        "preloaded: what it exports is what docs/security.md says",
        {n.decode() for n in names if not fixed.match(n)} ^ documented,
        set(),
    )


def test_children(t):
    """Children of ranks, and MPI programs that these start, are as they are without isp."""
    plain = t.run("mpiexec", "-n", "2", t.children, t.children)
    done = t.explore("--json", "x.json", "--", t.children, t.children)
    t.expect("children: the same", sorted(done.stdout.splitlines()), sorted(plain.stdout.splitlines()))
    t.expect("children: no finding", (done.returncode, json.loads(t.read("x.json"))["verdict"]), (0, "clean"))
    t.expect("children: they say something", len(plain.stdout.splitlines()) > 60, True)


DOCUMENT = open(
    os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/security.md"), encoding="utf-8"
).read()
TESTS = (
    test_token,
    test_private_folder,
    test_ports,
    test_links,
    test_working_folder,
    test_strange_trace,
    test_pipe_as_source,
    test_preloaded,
    test_children,
)


def main():
    t = Tester(*sys.argv[1:5])
    for test in TESTS:
        if sys.argv[5:] and not any(word in test.__name__ for word in sys.argv[5:]):
            continue
        with tempfile.TemporaryDirectory(prefix="isp-surroundings-") as folder:
            t.fresh(folder)
            test(t)
    if t.failed:
        print(f"again: tests/security/surroundings.py {shlex.join(sys.argv[1:])}")
    sys.exit(t.failed > 0)


main()
