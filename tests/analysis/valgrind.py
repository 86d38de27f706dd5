#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The profiler under valgrind: what memcheck says of libisp.so.

Usage: valgrind.py ISP BUILD

Ranks run under valgrind under isp. An error, or lost memory, with a function of libisp.so in its stack fails;
what MPICH and UCX do for themselves is theirs. valgrind.supp has what libisp.so does on purpose. Without it
something is told, which shows that errors are seen at all.
"""
import glob
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
LIBRARY, RANKS = "libisp.so", 2
CASES = (
    ("tests/soak/soak-calls", ["40"]),
    ("umpire-suite/no-error-waitall-any_src", []),
    ("tests/programs/every_message_ok", []),
    ("tests/programs/comm_free_nested", []),
)


def errors(folder):
    """(kind, stack) of each error of each rank; the logs are gone afterwards. None: some rank left no log
    that ends."""
    found = []
    for path in glob.glob(f"{folder}/*.xml"):
        try:
            tree = ElementTree.parse(path)
        except ElementTree.ParseError:
            return None
        for error in tree.iter("error"):
            frames = [
                (
                    frame.findtext("obj") or "?",
                    frame.findtext("fn") or "?",
                    frame.findtext("file") or "?",
                    frame.findtext("line") or "?",
                )
                for frame in error.find("stack")
            ]
            found.append((error.findtext("kind"), frames))
        os.unlink(path)
    return found


def run(isp, folder, program, arguments, suppressions):
    """What valgrind found, and whether it ran."""
    words = [
        isp,
        "-q",
        "--output=none",
        "--timeout=0",
        "--buffering=zero",
        "--max-interleavings=2",
        "--no-checkpoints",
        "-n",
        str(RANKS),
        "--",
        "valgrind",
        "--quiet",
        "--xml=yes",
        f"--xml-file={folder}/%p.xml",
        "--leak-check=full",
        "--errors-for-leak-kinds=definite",
        "--show-leak-kinds=definite",
        *suppressions,
        program,
        *arguments,
    ]
    done = subprocess.run(
        words, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False
    )
    ran = len(glob.glob(f"{folder}/*.xml"))
    return (errors(folder) if ran >= RANKS and done.returncode in (0, 1, 3) else None), done.stderr


def of_library(found):
    return [(kind, frames) for kind, frames in found if any(LIBRARY in frame[0] for frame in frames)]


def show(kind, frames):
    return f"  {kind}\n" + "".join(
        f"    {fn} ({file}:{line}, {os.path.basename(obj)})\n" for obj, fn, file, line in frames[:12]
    )


def main():
    isp, build = sys.argv[1:3]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        found, said = run(isp, folder, os.path.join(build, CASES[0][0]), ["1"], [])
        seen = bool(found and of_library(found))
        failed += not seen
        print(
            "ok what valgrind.supp suppresses is told without it"
            if seen
            else f"FAIL without valgrind.supp nothing of libisp.so is told: {found}\n{said}",
            flush=True,
        )
        for program, arguments in CASES:
            found, said = run(
                isp, folder, os.path.join(build, program), arguments, [f"--suppressions={HERE}/valgrind.supp"]
            )
            ours = of_library(found) if found is not None else []
            ok = found is not None and not ours
            failed += not ok
            print(
                f"{'ok' if ok else 'FAIL'} {program}"
                + ("" if found is not None else f": valgrind did not run to its end\n{said[-2000:]}"),
                flush=True,
            )
            for kind, frames in ours:
                print(show(kind, frames), end="")
    return 1 if failed else 0


sys.exit(main())
