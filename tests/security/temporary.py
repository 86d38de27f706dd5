#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What isp writes to the temporary folder is for nobody else, and a folder in which others could exchange it
is not taken.

Usage: temporary.py ISP PROGRAM

A second user (root makes one of a number that nobody has; where the test is not root, that part is skipped)
opens whatever appears there while isp explores and reports.
"""
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time

ISP, PROGRAM = map(os.path.abspath, sys.argv[1:3])
OTHER = 47114
ROOT = os.geteuid() == 0


def run(tmpdir, *options, umask=0o022):
    return subprocess.run(
        [ISP, "-q", *options, "-n", "3", "--", PROGRAM, "deadlock"],
        env=os.environ | {"TMPDIR": tmpdir},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: os.umask(umask),
        check=False,
    )


def spy(folder, report):
    """As the other user: opens whatever can be opened below the folder, until it is told to end, and lists
    that."""
    ended = []
    os.setgroups([])
    os.setresgid(OTHER, OTHER, OTHER)
    os.setresuid(OTHER, OTHER, OTHER)
    signal.signal(signal.SIGTERM, lambda *_: ended.append(True))
    found = set()
    seen = 0
    os.write(report, b"\n")
    while not ended:
        for name in os.listdir(folder):
            seen += 1
            path = os.path.join(folder, name)
            try:
                os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
                found.add(path)
            except OSError:
                pass
    os.write(report, f"{seen} {sorted(found)}".encode())
    os._exit(0)


def spied_on(folder, act):
    """What the other user could open while `act` ran."""
    ours, its = os.pipe()
    pid = os.fork()
    if pid == 0:
        spy(folder, its)
    os.close(its)
    assert os.read(ours, 1) == b"\n"
    try:
        act()
    finally:
        os.kill(pid, signal.SIGTERM)
        said = os.read(ours, 1 << 16).decode()
        os.waitpid(pid, 0)
        os.close(ours)
    return said.split(" ", 1)


def check_second_user(folder):
    if not ROOT:
        print("skipped: a second user (this test is not run by root)")
        return
    os.chmod(folder, 0o1777)
    for umask in (0o022, 0):
        for options in (
            ["--html", "/dev/null"],
            ["--sarif", "/dev/null", "--isp-log", "/dev/null", "--dot", "/dev/null", "-j", "2"],
        ):
            seen, opened = spied_on(folder, lambda o=options, u=umask: run(folder, *o, umask=u))
            assert int(seen) > 0, "the other user saw nothing appear"
            assert opened == "[]", (options, umask, opened)


def refused(tmpdir, *says):
    done = run(tmpdir, "--html", "/dev/null")
    lines = [line for line in done.stderr.splitlines() if "TMPDIR" in line]
    assert (
        done.returncode == 1
        and len(lines) == 1
        and all(s in lines[0] for s in says)
        and "/tmp is taken" in lines[0]
    ), (tmpdir, done)


def check_folders(folder):
    """The first is taken, also by a link; the others are not, which is said in a line."""
    link = os.path.join(folder, "link")
    good = os.path.join(folder, "good")
    os.mkdir(good)
    os.symlink(good, link)
    for tmpdir in (good, link):
        before = os.stat(good).st_mtime_ns
        done = run(tmpdir, "--html", "/dev/null", "-j", "2")
        assert (
            done.returncode == 1
            and "TMPDIR" not in done.stderr
            and os.stat(good).st_mtime_ns > before
            and not os.listdir(good)
        ), done
    refused(os.path.join(folder, "nowhere"), "No such file")
    refused(os.path.join(folder, "two\nlines"), "two\\x0alines")
    refused("relative", "slash")
    shared = os.path.join(folder, "shared")
    os.mkdir(shared)
    os.chmod(shared, 0o777)
    refused(shared, "other users")
    below = os.path.join(shared, "below")
    os.mkdir(below, 0o700)
    refused(below, "other users")
    if ROOT:
        foreign = os.path.join(folder, "foreign")
        os.mkdir(foreign, 0o755)
        os.chown(foreign, OTHER, OTHER)
        refused(foreign, "other users")


def check_trace(folder):
    """A trace may lie where a link leads; a link that comes in the place of the file is not followed. Its
    parts are private (-j)."""
    real, link = os.path.join(folder, "real"), os.path.join(folder, "linked")
    os.mkdir(real)
    os.symlink(real, link)
    done = run(folder, "--trace", os.path.join(link, "trace"), umask=0o027)
    trace = os.path.join(real, "trace")
    assert done.returncode == 1 and stat.S_IMODE(os.stat(trace).st_mode) == 0o640, (
        done,
        oct(os.stat(trace).st_mode),
    )
    assert sqlite3.connect(trace).execute("SELECT count(*) FROM call").fetchone()[0] > 0
    parts = set()
    isp = subprocess.Popen(
        [ISP, "-q", "-j", "2", "--trace", trace, "-n", "4", "--", PROGRAM, "deadlock"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"TMPDIR": folder},
        preexec_fn=lambda: os.umask(0),
    )
    while isp.poll() is None:
        for entry in os.scandir(real):
            try:
                if entry.name.count(".") == 2:
                    parts.add(stat.S_IMODE(entry.stat().st_mode))
            except FileNotFoundError:
                pass
        time.sleep(0.0005)
    assert isp.returncode == 1 and parts == {0o600}, (isp.returncode, parts)
    assert os.listdir(real) == ["trace"], os.listdir(real)


def main():
    with tempfile.TemporaryDirectory(prefix="isp-temporary-") as folder:
        os.chmod(folder, 0o755)
        for check in (check_second_user, check_folders, check_trace):
            own = os.path.join(folder, check.__name__)
            os.mkdir(own)
            check(own)
    print("what is temporary is private")


if __name__ == "__main__":
    main()
