#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What is left of a program when its guard is killed, and what holds isp up that nobody can kill.

Usage: guards.py ISP PROGRAM BECOME

- with an environment of 1.5 MB, a child that has called setsid must go with its world when the guard is
  killed
- a guard that is killed at its start leaves a report
- a descendant that has become another user's does not hold up --max-time or SIGTERM (needs root, who makes
  it; else skipped)
"""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from marks import marked, new_mark, setting  # noqa: E402

ISP, PROGRAM, BECOME = map(os.path.abspath, sys.argv[1:4])
LIMIT_S = 30
USER, OTHER = 47115, 47116


def wait_for(condition, what, limit_s=LIMIT_S):
    end = time.monotonic() + limit_s
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.002)
    raise AssertionError(f"timed out waiting until {what}")


def start(mark, *words, out, **more):
    environment = os.environ | setting(mark) | more.pop("environment", {})
    return subprocess.Popen(
        [ISP, "-q", "--json", out, *words],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )


def read(out):
    with open(out, encoding="utf-8") as f:
        return json.load(f)


def named(mark, name):
    return [pid for pid, its in marked(mark).items() if its == name]


def user_of(pid):
    """Its real user id; None once it has ended."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as f:
            return next(int(line.split()[1]) for line in f if line.startswith("Uid:"))
    except (FileNotFoundError, ProcessLookupError):
        return None


def become_another(mark):
    """The processes that have become another user's; before that they can still be ended."""
    return [pid for pid in named(mark, "become") if user_of(pid) == OTHER]


def check_long_environment(folder):
    mark, out = new_mark(), os.path.join(folder, "long")
    many = {f"AAA_{i}": "x" * 100000 for i in range(15)}
    child = (
        "import os, time; os.fork() or os.setsid(); open(os.environ['MARKS'] + str(os.getpid()), "
        "'w').close(); time.sleep(60)"
    )
    many["MARKS"] = os.path.join(folder, "child.")
    isp = start(mark, "-n", "2", "--", sys.executable, "-c", child, out=out, environment=many)
    try:
        wait_for(
            lambda: sum(name.startswith("child.") for name in os.listdir(folder)) == 4, "the program runs"
        )
        os.kill(named(mark, "isp-guard")[0], signal.SIGKILL)
        said = isp.communicate(timeout=LIMIT_S)[1]
        left = marked(mark)
        assert (
            not left and isp.returncode == 3 and "guard process was killed" in read(out)["incomplete_because"]
        ), (left, isp.returncode, said)
    finally:
        for pid in marked(mark):
            os.kill(pid, signal.SIGKILL)


def check_killed_at_start(folder):
    """At any moment of its first milliseconds."""
    outcomes = set()
    for i in range(12):
        mark, out = new_mark(), os.path.join(folder, f"start{i}")
        tmp = os.path.join(folder, f"tmp{i}")
        os.mkdir(tmp)
        isp = start(mark, "-n", "2", "--", PROGRAM, "two", out=out, environment={"TMPDIR": tmp})
        pid = wait_for(lambda m=mark: [p for p in marked(m) if p != isp.pid], "the guard is there")[0]
        time.sleep(i * 0.0005)
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        said = isp.communicate(timeout=LIMIT_S)[1]
        result = read(out)
        assert isp.returncode in (1, 3) and (result["complete"] or result["incomplete_because"]), (
            isp.returncode,
            said,
        )
        assert not os.listdir(tmp), os.listdir(tmp)
        outcomes.add(result["incomplete_because"])
    assert any(o and "guard process was killed" in o for o in outcomes), outcomes


def check_foreign(folder):
    if os.geteuid() != 0:
        print("skipped: a descendant of another user (this test is not run by root)")
        return
    become = os.path.join(folder, "become")
    subprocess.run(["cp", BECOME, become], check=True)
    os.chmod(become, 0o4755)
    own = os.path.join(folder, "own")
    os.mkdir(own)
    os.chown(own, USER, USER)
    words = ["-n", "2", "--", "sh", "-c", f"[ $PMI_RANK = 0 ] && {become} {OTHER} 25 & exec sleep 60"]
    for options, end in ((["--max-time", "1"], None), ([], signal.SIGTERM)):
        mark, out = new_mark(), os.path.join(own, "json")
        isp = start(
            mark,
            "--timeout",
            "2",
            *options,
            *words,
            out=out,
            user=USER,
            group=USER,
            extra_groups=[],
            environment={"HOME": own},
        )
        try:
            foreign = wait_for(lambda m=mark: become_another(m), "there is another user's")
            begun_s = time.monotonic()
            if end:
                isp.send_signal(end)
            said = isp.communicate(timeout=LIMIT_S)[1]
            took_s = time.monotonic() - begun_s
            assert f"process {foreign[0]} (become) of user {OTHER} cannot be ended" in said, said
            assert took_s < 20 and set(named(mark, "become")) == set(foreign), (took_s, said)
            assert not read(out)["complete"]
        finally:
            for pid in marked(mark):
                os.kill(pid, signal.SIGKILL)


def main():
    with tempfile.TemporaryDirectory(prefix="isp-guards-") as folder:
        os.chmod(folder, 0o755)
        check_long_environment(folder)
        check_killed_at_start(folder)
        check_foreign(folder)
    print("guards: ok")


if __name__ == "__main__":
    main()
