#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Follows docs/tutorial.md word by word: in an empty directory, with an installed isp, every command of its
`console` blocks is run, every `diff` block is applied, and what the commands print is compared with what the
document says. What `c` blocks show must be in a file of examples/.

Times are not compared, nor what follows a comment `<!-- varies -->`.

usage: tutorial.py BUILD [--update]     (--update writes what was printed into the document)
"""
import os
import re
import subprocess
import sys
import tempfile

from install import ROOT, installed

TUTORIAL = os.path.join(ROOT, "docs", "tutorial.md")
BLOCK = re.compile(r"(<!-- varies -->\n)?^```(console|c|diff)\n(.*?)^```$", re.M | re.S)
TIME = re.compile(r"\(\d+\.\d\d s\)")


def commands(block):
    """[(command, what it prints)] of a console block. A command goes on in the next line after a
    backslash."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append([line[2:], ""])
        elif found and found[-1][0].endswith("\\"):
            found[-1][0] += "\n" + line
        else:
            found[-1][1] += line + "\n"
    return found


class Shell:
    """One bash for all commands, so that $? and variables are as for somebody who types them."""

    def __init__(self, folder, path):
        self.bash = subprocess.Popen(
            ["bash"],
            cwd=folder,
            env={**os.environ, "PATH": f"{path}:{os.environ['PATH']}"},
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def run(self, command):
        # mpiexec would read what is typed next
        self.bash.stdin.write(f"{{ {command}\n}} </dev/null\nstatus=$?; echo; echo @@; (exit $status)\n")
        self.bash.stdin.flush()
        text = ""
        while not text.endswith("\n@@\n"):
            line = self.bash.stdout.readline()
            assert line, f"the shell ended in: {command}\n{text}"
            text += line
        return text[: -len("\n@@\n")]

    def end(self):
        self.bash.stdin.close()
        self.bash.wait()


def patch(folder, difference):
    done = subprocess.run(
        ["patch", "-p0", "--no-backup-if-mismatch", "--fuzz=0"],
        cwd=folder,
        input=difference,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return "" if done.returncode == 0 else done.stdout


def differences(expected, found):
    """The first line that is not as it should be, or nothing."""
    pairs = zip([*expected.splitlines(), "(the end)"], [*found.splitlines(), "(the end)"])
    return next(
        (
            f"the document: {a}\n  printed:      {b}"
            for a, b in pairs
            if TIME.sub("(T s)", a) != TIME.sub("(T s)", b)
        ),
        "",
    )


def follow_console(shell, block, varies, failures):
    """Runs the commands of a block; the block with what they have printed."""
    out = ""
    for command, expected in commands(block):
        found = shell.run(command)
        if varies:
            found = expected
        wrong = differences(expected, found)
        print(f"{'FAIL' if wrong else 'ok'} {command.splitlines()[0]}")
        if wrong:
            failures.append(f"{command}\n  {wrong}")
        out += f"$ {command}\n{found if wrong else expected}"
    return out


def check_program(text, failures):
    """What the document shows of a program is in a file of examples/."""
    for name in os.listdir(os.path.join(ROOT, "examples")):
        with open(os.path.join(ROOT, "examples", name), encoding="utf-8") as stream:
            if text in stream.read():
                print(f"ok {name}")
                return
    print("FAIL a program of the document")
    failures.append(f"no file of examples/ has this:\n{text}")


def follow(document, folder, path):
    """(the document with what was printed, what was wrong)"""
    failures, shell = [], Shell(folder, path)

    def one(match):
        varies, kind, text = match.groups()
        if kind == "console":
            text = follow_console(shell, text, bool(varies), failures)
        elif kind == "diff":
            wrong = patch(folder, text)
            print(f"{'FAIL' if wrong else 'ok'} patch of {text.split()[1]}")
            failures.extend([wrong] if wrong else [])
        else:
            check_program(text, failures)
        return f"{varies or ''}```{kind}\n{text}```"

    updated = BLOCK.sub(one, document)
    shell.end()
    return updated, failures


def main(build, *options):
    with open(TUTORIAL, encoding="utf-8") as stream:
        document = stream.read()
    with tempfile.TemporaryDirectory(prefix="isp-tutorial-") as folder:
        prefix = installed(build, folder)
        work = os.path.join(folder, "work")
        os.mkdir(work)
        updated, failures = follow(document, work, os.path.join(prefix, "bin"))
    if "--update" in options:
        with open(TUTORIAL, "w", encoding="utf-8") as stream:
            stream.write(updated)
    for failure in failures:
        print(failure)
    if failures:
        print(f"what is printed now can be written into the document: {sys.argv[0]} {build} --update")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
