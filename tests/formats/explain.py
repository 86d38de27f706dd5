#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`isp explain` on a terminal and elsewhere: colours, widths, the pager, and what is no command.

usage: explain.py ISP
"""

import os
import pty
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../include/isp"))
import rules as rule_table  # noqa: E402

ISP = os.path.abspath(sys.argv[1])


def environment(**more):
    names = {
        name: value
        for name, value in os.environ.items()
        if name not in ("NO_COLOR", "PAGER", "LESS", "COLUMNS", "TERM")
    }
    return {**names, "TERM": "xterm", **more}


def plain(*words, **more):
    done = subprocess.run([ISP, *words], env=environment(**more), capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def on_terminal(*words, **more):
    """What a terminal gets to see."""
    parent, child = pty.openpty()
    with subprocess.Popen(
        [ISP, *words],
        env=environment(**more),
        stdin=child,
        stdout=child,
        stderr=child,
        start_new_session=True,
    ) as process:
        os.close(child)
        shown = b""
        try:
            while chunk := os.read(parent, 65536):
                shown += chunk
        except OSError:  # the terminal's other side is closed
            pass
        assert process.wait(timeout=60) == 0, (words, shown)
    os.close(parent)
    return shown.decode().replace("\r\n", "\n")


def test_list():
    code, text, _ = plain("explain")
    lines = [line.split()[0] for line in text.splitlines() if line.startswith("  ") and line[2] != " "]
    assert code == 0 and sorted(lines) == sorted(rule.id for rule in rule_table.rules()), lines
    assert max(map(len, text.splitlines())) <= 80 and "\033" not in text


def test_page():
    code, text, _ = plain("explain", "deadlock", "livelock", PAGER="false")
    assert (
        code == 0
        and text.startswith("deadlock (error)\n\nNo rank")
        and "\nlivelock (error)\n" in text
        and "\033" not in text
    )
    assert plain("--explain", "deadlock")[1].startswith("# deadlock (error)\n")


def test_terminal():
    text = on_terminal("explain", "deadlock", PAGER="", COLUMNS="50")
    assert text.startswith("\033[1mdeadlock (error)\033[0m\n"), text[:80]
    prose = [line for line in text.splitlines() if not line.startswith("    ")]
    assert max(len(line) for line in prose if "\033" not in line) <= 50
    assert "\033" not in on_terminal("explain", "deadlock", PAGER="", NO_COLOR="1")
    assert "\033" not in on_terminal("explain", "deadlock", PAGER="", TERM="dumb")


def test_pager():
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "seen")
        assert on_terminal("explain", "deadlock", PAGER=f"echo $LESS; cat >{file}") == "FRX\n"
        with open(file, encoding="utf-8") as stream:
            assert stream.read().startswith("\033[1mdeadlock (error)")
    assert on_terminal("explain", PAGER="head -n 1").count("\n") == 1  # who leaves early is no error


def test_wrong():
    assert plain("explain", "deadlok") == (
        2,
        "",
        "isp: explain deadlok: there is no such rule; did you mean deadlock?\n",
    )
    assert "usage: isp explain" in plain("explain", "--help")[1]
    assert "program explain not found" in plain("-n", "2", "explain")[2]  # a program


if __name__ == "__main__":
    for name, test in sorted(globals().items()):
        if name.startswith("test_"):
            test()
            print(f"ok {name}")
