#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`isp doctor` says what is well and what is not, on machines that are made worse for it.

usage: doctor.py ISP
"""

import json
import os
import resource
import subprocess
import sys
import tempfile

ISP = os.path.abspath(sys.argv[1])
SOURCE = (
    "#include <mpi.h>\n"
    "int main(int argc, char **argv) { MPI_Init(&argc, &argv); MPI_Finalize(); return 0; }\n"
)


class Machine:
    """A folder to be in, and an environment."""

    def __init__(self, folder):
        self.folder = folder
        self.bin = os.path.join(folder, "bin")
        os.mkdir(self.bin)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("ISP_")}
        self.file("program.c", SOURCE)

    def file(self, name, text, executable=False):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(text)
        if executable:
            os.chmod(path, 0o755)
        return path

    def compile(self, name, *words):
        path = os.path.join(self.folder, name)
        subprocess.run(["mpicc", *words, os.path.join(self.folder, "program.c"), "-o", path], check=True)
        return path

    def ask(self, *words, before=None, **environment):
        """({check: (state, found, advice)}, exit code)"""
        done = subprocess.run(
            [ISP, "doctor", "--json", *words],
            env={**self.environment, **environment},
            cwd=self.folder,
            preexec_fn=before,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            timeout=120,
            check=False,
        )
        checks = {
            check["check"]: (check["state"], check["found"], check["advice"])
            for check in json.loads(done.stdout)
        }
        problems = sum(state == "problem" for state, _, _ in checks.values())
        assert done.returncode == (problems > 0), (done.returncode, checks)
        assert all(
            (state == "ok") == (advice is None) or name == "program"
            for name, (state, _, advice) in checks.items()
        ), checks
        return checks, done.returncode


def expect(checks, name, state, words):
    assert checks[name][0] == state and words in " ".join(filter(None, checks[name])), (name, checks[name])


def test_well(machine):
    checks, code = machine.ask(machine.compile("debug", "-g"))
    assert code == 0
    for name in (
        "isp",
        "launcher",
        "MPI library",
        "a run",
        "compiler",
        "debugger",
        "program",
        "its libraries",
        "its lines",
        "temporary files",
        "shared memory",
    ):
        expect(checks, name, "ok", "")
    expect(checks, "MPI library", "ok", "libmpich")
    expect(checks, "launcher", "ok", "Hydra")


def test_program(machine):
    checks, _ = machine.ask(machine.compile("plain", "-g0"))
    expect(checks, "its lines", "warning", "compile with -g")
    stripped = machine.compile("stripped", "-g")
    subprocess.run(["objcopy", "--only-keep-debug", stripped, stripped + ".debug"], check=True)
    subprocess.run(
        ["objcopy", "--strip-debug", f"--add-gnu-debuglink={stripped}.debug", stripped],
        check=True,
        cwd=machine.folder,
    )
    expect(machine.ask(stripped)[0], "its lines", "ok", "")
    expect(machine.ask("./nosuch")[0], "program", "problem", "not found")
    expect(machine.ask(machine.file("run.sh", "#!/bin/sh\n", True))[0], "program", "warning", "script")
    machine.file("static.c", "int main(void) { return 0; }\n")
    static = os.path.join(machine.folder, "static")
    subprocess.run(["cc", "-static", static + ".c", "-o", static], check=True)
    expect(machine.ask(static)[0], "program", "problem", "isp-cc")


def test_two_libraries(machine):
    """A program of another MPI with MPICH's binary interface, and one that has both."""
    other = os.path.join(machine.folder, "libmpi.so.12")
    machine.file(
        "other.c", "int MPI_Init(int *c, char ***v) { return 0; }\nint MPI_Finalize(void) { return 0; }\n"
    )
    subprocess.run(
        [
            "cc",
            "-shared",
            "-fPIC",
            "-Wl,-soname,libmpi.so.12",
            os.path.join(machine.folder, "other.c"),
            "-o",
            other,
        ],
        check=True,
    )
    machine.file(
        "own.c",
        "int MPI_Init(int *, char ***);\nint MPI_Finalize(void);\nint main(void) { MPI_Init(0, 0); "
        "return MPI_Finalize(); }\n",
    )
    subprocess.run(["cc", "own.c", "./libmpi.so.12", "-o", "own"], cwd=machine.folder, check=True)
    with_both = ["./libmpi.so.12", "-Wl,--no-as-needed", "-lmpich", "-o", "both"]
    subprocess.run(["cc", "own.c", *with_both], cwd=machine.folder, check=True)
    here = {"LD_LIBRARY_PATH": machine.folder}
    expect(machine.ask("./own", **here)[0], "its libraries", "ok", f"uses {other}")
    expect(machine.ask("./both", **here)[0], "its libraries", "problem", "two MPI libraries")
    expect(machine.ask("./own")[0], "its libraries", "problem", "libmpi.so.12")


def test_launcher(machine):
    machine.file("bin/mpiexec", "#!/bin/sh\necho 'mpiexec (OpenRTE) 4.1.4'; exit 1\n", True)
    path = machine.bin + ":" + os.environ["PATH"]
    checks, code = machine.ask(PATH=path)
    assert code == 1
    expect(checks, "launcher", "problem", "ISP_MPIEXEC=mpiexec.hydra")
    expect(checks, "a run", "problem", "OpenRTE")
    checks, code = machine.ask(PATH=path, ISP_MPIEXEC="mpiexec.hydra")
    assert code == 0, checks
    checks, code = machine.ask(PATH=machine.bin.replace("bin", "nothing"))
    expect(checks, "launcher", "problem", "not in PATH")
    expect(checks, "compiler", "warning", "not in PATH")
    # It runs the ranks, but each as a world of its own; and it takes the preloaded library away.
    machine.file("bin/launch", '#!/bin/sh\nshift 2\nunset LD_PRELOAD\nexec "$@"\n', True)
    expect(machine.ask(ISP_MPIEXEC=os.path.join(machine.bin, "launch"))[0], "a run", "problem", "LD_PRELOAD")


def test_compiler(machine):
    machine.file("bin/mpicc", "#!/bin/sh\necho 'gcc version 12.2.0 (Debian 12.2.0-14)'\n", True)
    expect(machine.ask(PATH=machine.bin + ":" + os.environ["PATH"])[0], "compiler", "warning", "not MPICH's")


def test_advice_is_of_this_machine(machine):
    """It names the packages of the package manager that is there, files that exist, the user's shell."""
    managers = {
        "apt": "apt install libmpich-dev",
        "dnf": "dnf install mpich-devel",
        "pacman": "pacman -S mpich",
        "zypper": "zypper install mpich-devel",
    }
    for manager, words in managers.items():
        path = machine.file("bin/" + manager, "#!/bin/sh\n", True)
        checks, _ = machine.ask(PATH=machine.bin)
        expect(checks, "compiler", "warning", words)
        expect(checks, "launcher", "problem", words.split()[0])
        others = [other for other in managers if other != manager]
        said = " ".join(advice or "" for _, _, advice in checks.values())
        assert not any(other + " " in said for other in others), (manager, said)
        expect(checks, "manual", "warning", "there is no man here")
        assert "completion" not in checks, checks  # there is no bash
        os.remove(path)
    expect(machine.ask(PATH=machine.bin)[0], "compiler", "warning", "install MPICH's")
    machine.file("bin/man", "#!/bin/sh\nexit 1\n", True)
    advice = machine.ask(PATH=machine.bin)[0]["manual"][2]
    # man -l FILE, or add FOLDER to MANPATH
    assert any(map(os.path.exists, advice.split())) or "built without it" in advice, advice
    everything = os.environ["PATH"]
    assert "completion" not in machine.ask(SHELL="/bin/zsh", PATH=everything)[0]
    state, _, advice = machine.ask(SHELL="/bin/bash", PATH=everything)[0]["completion"]
    assert state == "ok" or "install " in advice or os.path.exists(advice.split()[1]), advice


def test_lines_are_those_of_main(machine):
    """A library with debug information that is linked in does not make main's lines known."""
    machine.file("part.c", "int part(void) { return 0; }\n")
    subprocess.run(["cc", "-g", "-c", "part.c"], cwd=machine.folder, check=True)
    part = os.path.join(machine.folder, "part.o")
    expect(machine.ask(machine.compile("partly", "-g0", part))[0], "its lines", "warning", "other parts have")
    expect(machine.ask(machine.compile("wholly", "-g", part))[0], "its lines", "ok", "")


def test_room(machine):
    deep = os.path.join(machine.folder, "d" * 100)
    os.mkdir(deep)
    checks, code = machine.ask(TMPDIR=deep)
    assert code == 0
    expect(checks, "temporary files", "warning", "too long")
    expect(machine.ask(TMPDIR="/nosuch")[0], "temporary files", "warning", "takes /tmp")
    expect(
        machine.ask(before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256)))[0],
        "open files",
        "warning",
        "256",
    )


def test_settings_are_the_programs(machine):
    """What ISP_... says about reports is not for the doctor's own run."""
    report = os.path.join(machine.folder, "result.json")
    checks, _ = machine.ask(ISP_JSON=report, ISP_N="7", ISP_BUFFERING="nonsense")
    expect(checks, "a run", "ok", "two ranks")
    assert not os.path.exists(report)


def test_words(machine):
    done = subprocess.run(
        [ISP, "doctor"], env=machine.environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.stdout.startswith("ok       isp: version ") and done.stdout.splitlines()[-1].startswith(
        "isp: "
    ), done.stdout
    assert "\033" not in done.stdout and done.stderr == "" and done.returncode == 0
    assert subprocess.run([ISP, "doctor", "-x"], capture_output=True, check=False).returncode == 2


if __name__ == "__main__":
    for function, test in sorted(globals().items()):
        if function.startswith("test_"):
            with tempfile.TemporaryDirectory(prefix="doctor-") as place:
                test(Machine(place))
            print(f"ok {function}", flush=True)
