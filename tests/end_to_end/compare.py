#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs isp twice on the programs of run.py, without and with further options, and compares the results: how an exploration is made
(from checkpoints, by several processes) must not show in what it finds.

All of the JSON result must be the same but the time, and with a livelock the number of calls. Of entries whose runs are cut short, and of
those with complete = "any", it depends on time how far the ranks get, and which is first: there only the verdict, the exit code and the
rules with their lines are compared.

usage: compare.py ISP BUILD_DIR [--filter GLOB] [--jobs N] -- OPTION...
"""

import argparse
import concurrent.futures
import fnmatch
import shutil
import sys
import tempfile
import time

import run


def essence(result):
    """What must be the same in any case."""
    places = sorted((f["rule"], [(s["call"], s["line"]) for s in f["sites"][:1]]) for f in result["findings"]
                    if f["severity"] != "note" and f["rule"] != "hang")
    return {"verdict": result["verdict"], "findings": places}


def differences(a, b, path=""):
    """The places at which two JSON values differ."""
    if isinstance(a, dict) and isinstance(b, dict):
        return [d for key in sorted(a.keys() | b.keys()) for d in differences(a.get(key), b.get(key), f"{path}.{key}")]
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return [d for i, (x, y) in enumerate(zip(a, b)) for d in differences(x, y, f"{path}[{i}]")]
    return [] if a == b else [f"{path[1:]}: {str(a)[:200]} / {str(b)[:200]}"]


def compare(runner, entry, options):
    """None, or how they differ."""
    folder = tempfile.mkdtemp(prefix="cmp-")
    try:
        (one, one_code), (other, other_code) = (runner.run(entry, folder, label, runner.words(entry, more))
                                                for label, more in (("plain", []), ("other", options)))
        if one_code != other_code:
            return f"exit code {one_code} / {other_code}"
        if one is None or other is None:
            return None if one is other else "one has no result"
        whole = entry.table.get("complete", True) is True and one["complete"] and other["complete"]
        if whole:
            for result in (one, other):
                for key in ["seconds", *["calls"] * any(f["rule"] == "livelock" for f in result["findings"])]:
                    result.pop(key)
        found = differences(one, other) if whole else differences(essence(one), essence(other))
        return "\n    ".join(found[:5]) or None
    except run.Failure as failure:
        return str(failure)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("isp")
    parser.add_argument("build")
    parser.add_argument("--filter", default="*")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("options", nargs="+", help="the further options, after --")
    asked = parser.parse_args()
    entries = [e for e in run.load(asked.build) if fnmatch.fnmatchcase(e.name, asked.filter) and e.verdict != "none"]
    if not entries:
        sys.exit(f"no entry matches {asked.filter}")
    runner, failed, start = run.Runner(asked.isp, asked.build), 0, time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        running = {pool.submit(compare, runner, entry, asked.options): entry for entry in entries}
        for done in concurrent.futures.as_completed(running):
            why = done.result()
            failed += why is not None
            print(f"FAIL {running[done].name}: {why}" if why else f"ok {running[done].name}", flush=True)
    print(f"{len(entries)} programs, {failed} differ, {time.monotonic() - start:.0f} s")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
