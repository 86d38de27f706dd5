#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The recipes of docs/ci.md, as they stand there: each in a folder of its own with examples/primes.c, its
files written and its commands run.

usage: recipes.py ISP SARIF_SCHEMA
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import yaml

import formats

ISP = os.path.abspath(sys.argv[1])
PAGE = os.path.join(formats.ROOT, "docs/ci.md")
LINE = 33  # of primes.c: the receive that waits for ever


def recipe(title):
    """({name of a file: its text}, commands) of a section of the page."""
    with open(PAGE, encoding="utf-8") as stream:
        section = re.split(r"^### ", stream.read(), flags=re.M)
    text = next(part for part in section if part.startswith(title + "\n"))
    files = dict(re.findall(r"^`([^`\n]+)`:\n\n```\w+\n(.*?)^```$", text, re.M | re.S))
    commands = "".join(re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S))
    assert files, title
    return files, commands


class Project:
    def __init__(self, folder, title):
        self.folder = folder
        self.files, self.commands = recipe(title)
        shutil.copy(os.path.join(formats.ROOT, "examples/primes.c"), folder)
        for name, text in {**recipe("Make")[0], **self.files}.items():  # the services call make
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as stream:
                stream.write(text)
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith("ISP_") and name not in ("CC", "CFLAGS")
        }
        self.environment["PATH"] = os.path.dirname(ISP) + ":/usr/bin:" + os.environ["PATH"]

    def run(self, commands):
        """Exit code and what was said."""
        done = subprocess.run(
            ["bash", "-e", "-c", commands],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        return done.returncode, done.stdout

    def path(self, name):
        return os.path.join(self.folder, name)

    def fix(self):
        """Rank 0 takes the last message of whoever it is."""
        with open(self.path("primes.c"), encoding="utf-8") as stream:
            text = stream.read()
        fixed = text.replace(
            "size - 1, RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE",
            "MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE",
        )
        assert fixed != text
        with open(self.path("primes.c"), "w", encoding="utf-8") as stream:
            stream.write(fixed)


def headline(said):
    """The finding's line, wherever it stands."""
    found = [line for line in said.splitlines() if "[deadlock]" in line]
    assert found, said
    return found[0].strip()


def fails_and_is_mended(project):
    """What the commands said; once more without the bug they must be silent."""
    code, said = project.run(project.commands)
    assert code != 0 and f"primes.c:{LINE}: error: " in headline(said), (code, said)
    project.fix()
    code, again = project.run(project.commands)
    assert code == 0 and "[deadlock]" not in again, (code, again)
    return said


def check_sarif(path, uri):
    sarif = formats.load(path)
    formats.check_schema(formats.Schemas(sys.argv[2]).sarif, sarif, "sarif")
    place = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert place["region"]["startLine"] == LINE and place["artifactLocation"]["uri"].endswith(uri), place
    return place["artifactLocation"]


def test_make(project):
    fails_and_is_mended(project)


def test_ctest(project):
    code, said = project.run(project.commands)
    assert code != 0 and f"primes.c:{LINE}: error: " in headline(said), (code, said)
    check_sarif(project.path("build/primes.sarif"), "primes.c")
    code, said = project.run(
        "cmake build '-DMPIEXEC_PREFLAGS=--max-interleavings=1;--predict=off'; "
        f"{project.commands.splitlines()[-1]}"
    )
    assert code == 0 and "Skipped" in said, (code, said)
    project.fix()
    code, said = project.run(f"cmake build -DMPIEXEC_PREFLAGS=; {project.commands}")
    assert code == 0 and "100% tests passed" in said, (code, said)


def test_meson(project):
    code, said = project.run(project.commands)
    # named after the wrapper
    with open(project.path("build/meson-logs/testlog-isp.txt"), encoding="utf-8") as stream:
        said += stream.read()
    assert code != 0 and f"primes.c:{LINE}: error: " in headline(said), (code, said)
    project.fix()
    code, said = project.run(project.commands.splitlines()[1])
    assert code == 0 and re.search(r"Ok: +1\b", said), (code, said)


def test_github_actions(project):
    workflow = yaml.safe_load(next(iter(project.files.values())))
    assert workflow["permissions"]["security-events"] == "write"
    steps = workflow["jobs"]["isp"]["steps"]
    codes = [project.run(step["run"])[0] for step in steps if "run" in step and "apt-get" not in step["run"]]
    assert codes == [0, 1], codes
    upload = steps[-1]
    assert upload["if"] == "always()" and upload["uses"].startswith("github/codeql-action/upload-sarif@")
    artifact = check_sarif(project.path(upload["with"]["sarif_file"]), "primes.c")
    assert artifact == {"uri": "primes.c", "uriBaseId": "SRCROOT"}


def test_gitlab(project):
    job = yaml.safe_load(next(iter(project.files.values())))["isp"]
    codes = [project.run(command)[0] for command in job["script"]]
    assert codes == [0, 1] and job["artifacts"]["when"] == "always"
    suite = (
        xml.etree.ElementTree.parse(project.path(job["artifacts"]["reports"]["junit"]))
        .getroot()
        .find("testsuite")
    )
    failed = [case for case in suite if case.find("failure") is not None]
    assert [(case.get("name"), case.get("file"), case.get("line")) for case in failed] == [
        ("no deadlocks", "primes.c", str(LINE))
    ]


# Vim's `errorformat` for a file, a line and a message; Emacs' `gnu` of compilation-error-regexp-alist, its
# parts for programs and columns left out.
VIM = re.compile(r"(?P<file>.+?):(?P<line>\d+): ?(?P<text>.*)")
EMACS = re.compile(r"(?P<file>[^0-9:\n ][^:\n]*?):(?P<line>\d+): *(?P<text>error|warning|note)?")


def test_editors(project):
    code, _ = project.run("mpicc -g primes.c -o primes")
    matcher = json.loads(next(iter(project.files.values())))["tasks"][0]
    pattern = matcher["problemMatcher"]["pattern"]
    code, said = project.run(matcher["command"])
    line = headline(said)
    assert code == 1 and line in said.splitlines(), said
    for known in VIM, EMACS:
        found = known.match(line)
        assert (found["file"], found["line"]) == ("primes.c", str(LINE)), line
    found = re.match(pattern["regexp"], line)
    assert [found[pattern[key]] for key in ("file", "line", "severity", "code")] == [
        "primes.c",
        str(LINE),
        "error",
        "deadlock",
    ]
    code, said = project.run("isp -q -n 3 ./primes 2>&1 >/dev/null")
    assert said.splitlines() == [line], said
    in_vim(project)


def in_vim(project):
    """The real one, if it is there and knows error lists."""
    code, said = project.run("vim --version 2>/dev/null | grep -o '+quickfix'")
    if code:
        return
    project.run("isp -n 3 ./primes 2>&1 | cat >isp.log")
    project.run(
        "vim -u NONE -i NONE -es -c 'cgetfile isp.log' "
        '-c \'call writefile(map(filter(getqflist(), "v:val.valid"), "bufname(v:val.bufnr) . \\":\\" . '
        "v:val.lnum\"), \"places\")' -c 'qa!'"
    )
    with open(project.path("places"), encoding="utf-8") as stream:
        assert f"primes.c:{LINE}\n" == stream.readline()


TITLES = {
    "make": "Make",
    "ctest": "CTest",
    "meson": "Meson",
    "github_actions": "GitHub Actions",
    "gitlab": "GitLab CI",
    "editors": "Editors",
}

if __name__ == "__main__":
    for name, title in TITLES.items():
        with tempfile.TemporaryDirectory(prefix="recipe-") as place:
            globals()["test_" + name](Project(place, title))
        print(f"ok {title}", flush=True)
