#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Limits and full disks: what cannot be done is said in a line, with exit code 5, and nobody's program is
blamed.

Usage: limits.py BUILD

The full disk is one that root makes in a mount namespace; where that cannot be had, this part is skipped.
"""
import json
import os
import subprocess
import sys
import tempfile

BUILD = os.path.abspath(sys.argv[1])
ISP, ORDERS, STARVES = (
    os.path.join(BUILD, p) for p in ("isp", "tests/scheduler/orders", "tests/faults/starves")
)
UNLIMITED = ["sh", "-c", f"ulimit -f unlimited; exec {ORDERS} two"]  # MPI's segments are files, too


def run(*words, limit=None, shell=None):
    """isp with a soft limit, as prlimit(1) has it."""
    command = [*(["prlimit", f"--{limit}:"] if limit else []), ISP, *words]
    return subprocess.run(
        shell + command if shell else command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def check(ok, *what):
    if not ok:
        raise AssertionError(what)


def check_files():
    """libevent would end isp with code 1 and its own words."""
    for n in (4, 5, 6, 8, 10):
        done = run("-n", "3", "--", ORDERS, "two", limit=f"nofile={n}")
        lines = done.stderr.splitlines()
        check(done.returncode == 5 and len(lines) == 1 and lines[0].startswith("isp: cannot "), n, done)


def check_stack():
    """The kernel would end isp by a signal, wherever it is then."""
    for size, code in ((32 << 10, 5), (128 << 10, 5), ((1 << 20) - 1, 5), (1 << 20, 1)):
        done = run("-q", "-n", "3", "--", ORDERS, "two", limit=f"stack={size}")
        check(done.returncode == code, size, done)
        told = f"isp: a stack of {size >> 10} kB (ulimit -s) is too small: isp needs 1024 kB\n"
        check((done.stderr == told) == (code == 5), size, done)


def check_sizes(folder):
    for option, size in (
        ("--save", 0),
        ("--save", 64),
        ("--json", 64),
        ("--trace", 20000),
        ("--html", 20000),
        ("--sarif", 20000),
        ("--junit", 0),
    ):
        for more in ([], ["-j", "2"]) if option == "--trace" else ([],):
            file = os.path.join(folder, "file")
            with open(file, "w", encoding="utf-8") as f:
                f.write("old")
            done = run(option, file, *more, "-n", "3", "--", *UNLIMITED, limit=f"fsize={size}")
            check(done.returncode == 5 and "File too large" in done.stderr, option, size, more, done)
            check("[deadlock]" in done.stderr, "the findings are told all the same", done)
            with open(file, encoding="utf-8") as f:
                check(f.read() == "old" and os.listdir(folder) == ["file"], option, os.listdir(folder))
            os.unlink(file)


def check_full_disk(folder):
    mount = [
        "unshare",
        "--mount",
        "sh",
        "-c",
        f"mount -t tmpfs -o size=16k,mode=755 full {folder} && head -c 1M /dev/zero > {folder}/filler 2> "
        f'/dev/null; exec "$@"',
        "sh",
    ]
    if (
        os.geteuid() != 0
        or subprocess.run([*mount, "true"], capture_output=True, check=False).returncode != 0
    ):
        print("skipped: a full disk (this test is not run by root, or may not mount)")
        return
    for more in ([], ["-j", "2"]):
        done = run("--save", os.path.join(folder, "save"), *more, "-n", "3", "--", ORDERS, "two", shell=mount)
        check(done.returncode == 5 and "save: No space left on device" in done.stderr, done)


def check_memory(folder):
    """What isp's own library cannot have in a rank is not the program's crash."""
    out = os.path.join(folder, "json")
    for options in ([], ["--no-checkpoints"]):
        # else it has memory of its own (profiler/arena/)
        done = run("--memory=watch", "--json", out, *options, "-n", "2", "--", STARVES, "2000")
        with open(out, encoding="utf-8") as f:
            result = json.load(f)
        check(done.returncode == 3 and not [f for f in result["findings"] if f["severity"] == "error"], done)
        check(
            "isp's own library had to give up in rank 0, called at " in result["incomplete_because"]
            and "starves.c:" in result["incomplete_because"],
            result,
        )


def main():
    with tempfile.TemporaryDirectory(prefix="isp-limits-") as folder:
        check_files()
        check_stack()
        check_sizes(folder)
        check_full_disk(folder)
        check_memory(folder)
    print("limits: ok")


if __name__ == "__main__":
    main()
