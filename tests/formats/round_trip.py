#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every finding of umpire-suite is in the JSON, in the SARIF and in the JUnit file, and nothing else is. Each program is run once for all files.

usage: round_trip.py ISP BUILD_DIR SARIF_SCHEMA [FILTER]
"""

import concurrent.futures
import fnmatch
import os
import shutil
import subprocess
import sys
import tempfile

import formats

sys.path.insert(0, os.path.join(formats.ROOT, "tests/end_to_end"))
import run  # pylint: disable=wrong-import-position


def check(isp, build, entry, schemas):
    """None, or what is wrong."""
    folder = tempfile.mkdtemp(prefix="formats-")
    words = [isp, *formats.options(folder), *entry.table.get("options", []), "-n", str(entry.table["n"]), "--",
             os.path.join(build, entry.program), *entry.table.get("args", [])]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ISP_")}
    try:
        subprocess.run(words, cwd=folder, env=environment, input=entry.table.get("stdin", ""), capture_output=True, text=True,
                       timeout=run.TIME_LIMIT_S, check=False)
        formats.check(folder, schemas)
        if {finding["rule"] for finding in formats.load(os.path.join(folder, "result.json"))["findings"]} >= entry.rules:
            shutil.rmtree(folder)
            return None
        why = f"not all of {sorted(entry.rules)} are reported"
    except (formats.Wrong, OSError, KeyError, ValueError, subprocess.TimeoutExpired) as error:
        why = error if isinstance(error, formats.Wrong) else repr(error)
    return f"{why}\n    folder: {folder}"


def main():
    isp, build = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    schemas, pattern, failed = formats.Schemas(sys.argv[3]), sys.argv[4] if len(sys.argv) > 4 else "umpire-suite/*", 0
    entries = [entry for entry in run.load(build) if fnmatch.fnmatchcase(entry.name, pattern) and entry.rules]
    assert entries, "no program has findings"
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for entry, why in zip(entries, pool.map(lambda entry: check(isp, build, entry, schemas), entries)):
            failed += why is not None
            print(f"FAIL {entry.name}: {why}" if why else f"ok {entry.name}", flush=True)
    print(f"{len(entries)} programs, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
