#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every finding of umpire-suite is in the JSON, in the SARIF and in the JUnit file, and nothing else is. Each
program is run once for all files; one in three each time, others each week (../week.py), unless a FILTER is
given. Then: fingerprints are the same in all modes, and a damaged trace is no endless loop.

usage: round_trip.py ISP BUILD_DIR SARIF_SCHEMA [FILTER]
"""

import concurrent.futures
import contextlib
import fnmatch
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import formats

sys.path.insert(0, os.path.join(formats.ROOT, "tests/end_to_end"))
import run  # pylint: disable=wrong-import-position
import week  # pylint: disable=wrong-import-position # run.py has put its folder on the path

ONE_OF = 3


def check(isp, build, entry, schemas):
    """None, or what is wrong."""
    folder = tempfile.mkdtemp(prefix="formats-")
    words = [
        isp,
        *formats.options(folder),
        *entry.table.get("options", []),
        "-n",
        str(entry.table["n"]),
        "--",
        os.path.join(build, entry.program),
        *entry.table.get("args", []),
    ]
    words = [word.replace("{tmp}", folder) for word in words]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ISP_")}
    try:
        subprocess.run(
            words,
            cwd=folder,
            env=environment,
            input=entry.table.get("stdin", ""),
            capture_output=True,
            text=True,
            timeout=run.TIME_LIMIT_S,
            check=False,
        )
        formats.check(folder, schemas)
        if {
            finding["rule"] for finding in formats.load(os.path.join(folder, "result.json"))["findings"]
        } >= entry.rules:
            shutil.rmtree(folder)
            return None
        why = f"not all of {sorted(entry.rules)} are reported"
    except (formats.Wrong, OSError, KeyError, ValueError, subprocess.TimeoutExpired) as error:
        why = error if isinstance(error, formats.Wrong) else repr(error)
    return f"{why}\n    folder: {folder}"


PROGRAM = "umpire-suite/any_src-can-deadlock"  # a deadlock that depends on a choice


def check_fingerprints(isp, build, folder):
    """Whatever way isp takes to a finding, a service must know it again."""
    program, found = ["-n", "3", "--", os.path.join(build, PROGRAM)], {}
    for mode in "", "-j 2", "--no-checkpoints", "--buffering=zero", "--stacks", "replay --choices 1":
        file = os.path.join(folder, "mode.sarif")
        words = mode.split()
        subprocess.run(
            [isp, *words[:1], "--sarif", file, *words[1:], *program],
            cwd=folder,
            capture_output=True,
            timeout=60,
            check=False,
        )
        results = formats.load(file)["runs"][0]["results"]
        found[mode] = [result["partialFingerprints"] for result in results if result["level"] == "error"]
    if len(found[""]) != 1 or any(prints != found[""] for prints in found.values()):
        return f"fingerprints: {found}"
    return None


def check_damaged(isp, build, folder):
    trace, damaged, sarif = (
        os.path.join(folder, name) for name in ("run.isp", "damaged.isp", "damaged.sarif")
    )
    subprocess.run(
        [isp, "--trace", trace, "-n", "3", "--", os.path.join(build, PROGRAM)],
        cwd=folder,
        capture_output=True,
        timeout=60,
        check=False,
    )
    for sql in (
        "UPDATE node SET parent = id",
        "UPDATE call SET rank = 99",
        "UPDATE call SET kind = 77",
        "DROP TABLE choice",
        "UPDATE interleaving SET node = -1",
    ):
        shutil.copy(trace, damaged)
        with contextlib.closing(sqlite3.connect(damaged)) as database:
            database.execute(sql)
            database.commit()
        done = subprocess.run(
            [isp, "report", damaged, "--sarif", sarif],
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
        if done.returncode != 0 and (done.returncode < 0 or done.stderr.count("\n") != 1):
            return f"{sql}: {done.returncode}, {done.stderr}"
    return None


def main():
    isp, build = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    schemas, pattern, failed = formats.Schemas(sys.argv[3]), sys.argv[4] if len(sys.argv) > 4 else None, 0
    every = [
        entry
        for entry in run.load(build)
        if fnmatch.fnmatchcase(entry.name, pattern or "umpire-suite/*") and entry.rules
    ]
    entries = [entry for entry in every if pattern or week.takes(entry.name, ONE_OF)]
    assert entries, "no program has findings"
    print("the whole of", pattern) if pattern else print(week.told(len(entries), len(every)))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for entry, why in zip(entries, pool.map(lambda entry: check(isp, build, entry, schemas), entries)):
            failed += why is not None
            print(f"FAIL {entry.name}: {why}" if why else f"ok {entry.name}", flush=True)
    for check_more in check_fingerprints, check_damaged:
        with tempfile.TemporaryDirectory(prefix="formats-") as folder:
            why = check_more(isp, build, folder)
        failed += why is not None
        print(f"FAIL {why}" if why else f"ok {check_more.__name__}", flush=True)
    print(f"{len(entries)} programs, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
