#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""--isp-log and --dot of programs of umpire-suite, read by readers of their own: of one in three, others each
week (../week.py).

usage: old_logs.py ISP BUILD_DIR
"""

import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import dot_graph
import isp_log

sys.path.insert(0, str(Path(__file__).parent.parent))
import week  # noqa: E402

ONE_OF = 3
HERE = Path(__file__).parent
WAITS_FOR_EVER = {"deadlock", "collective-mismatch"}


def problem(isp, build, name, entry):
    """What is wrong with the log or the graph of a program, or None."""
    program = build / entry.get("program", name)
    with tempfile.TemporaryDirectory(prefix="e2e-") as folder:
        variables = {key: value for key, value in os.environ.items() if not key.startswith("ISP_")}
        command = [
            isp,
            "-n",
            str(entry.get("n", 2)),
            *entry.get("options", []),
            "--max-interleavings",
            "50",
            "--isp-log",
            "run.log",
            "--dot",
            "run.dot",
            "--json",
            "run.json",
            "--",
            program,
            *entry.get("args", []),
        ]
        subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=120, cwd=folder, env=variables
        )
        try:
            log = isp_log.read((Path(folder) / "run.log").read_bytes())
            isp_log.check(log, folder)
            result = json.loads((Path(folder) / "run.json").read_text())
            dot = dot_graph.read((Path(folder) / "run.dot").read_text())
        except (OSError, isp_log.BadLog, dot_graph.BadGraph) as error:
            return str(error)
        if (
            log.processes != result["ranks"]
            or len(log.interleavings) > result["interleavings"] + result["buffered_interleavings"]
        ):
            return f"{log.processes} processes and {len(log.interleavings)} interleavings in the log"
        # a run that was predicted and made besides is not in the log
        found = [finding for finding in result["findings"] if not finding["predicted"]]
        rules = {finding["rule"] for finding in found}
        if "deadlock" in rules and not log.deadlocks:
            return "a deadlock, which the log does not have"
        if log.deadlocks and not rules & (WAITS_FOR_EVER | {"unsafe-buffering"}):
            return f"a deadlock in the log, and the findings are {rules}"
        leaks = {
            (rank, finding["rule"])
            for finding in found
            if finding["rule"].startswith("leak-")
            for rank in finding["ranks"]
        }
        logged = {
            (t.rank, "leak-" + t.arguments[0])
            for each in log.interleavings.values()
            for t in each.values()
            if t.function == "Leak"
        }
        if leaks != logged:
            return f"leaks: {leaks} in the result, {logged} in the log"
        if log.interleavings and len(dot.clusters) != len({rank for rank, _ in log.interleavings[1]}):
            return f"the graph has {len(dot.clusters)} ranks"
        waits = [edge for edge in dot.edges if edge[2].get("label", "").startswith("waits for")]
        if found and found[0] is result["findings"][0] and found[0]["rule"] == "deadlock" and not waits:
            return "in the graph of a deadlock nobody waits"
        return None


def main():
    isp, build = Path(sys.argv[1]).absolute(), Path(sys.argv[2]).absolute()
    entries = tomllib.loads((HERE / "expected.toml").read_text())
    chosen = {
        name: entry
        for name, entry in entries.items()
        if name.startswith("umpire-suite/") and week.takes(name, ONE_OF)
    }
    print(
        f"of umpire-suite: "
        f"{week.told(len(chosen), sum(name.startswith('umpire-suite/') for name in entries))}"
    )
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, why in zip(chosen, pool.map(lambda item: problem(isp, build, *item), chosen.items())):
            failed += why is not None
            print(f"FAIL {name}: {why}" if why else f"ok {name}", flush=True)
    if not chosen:
        sys.exit("there is no program")
    sys.exit(f"{failed} of {len(chosen)} failed" if failed else 0)


main()
