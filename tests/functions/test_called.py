#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every MPI function that isp models, or refuses, must be called by a program that the end-to-end
tests run: by its own name, in each form.

Usage: test_called.py GENERATE_PY BUILD_FOLDER TABLE...
"""
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

GENERATE, BUILD, *TABLES = sys.argv[1:]
sys.dont_write_bytecode = True  # nothing is left in the source tree
spec = importlib.util.spec_from_file_location("generate", GENERATE)
generate = importlib.util.module_from_spec(spec)
spec.loader.exec_module(generate)


def called(program):
    nm = subprocess.run(
        ["nm", "-D", "--undefined-only", program], text=True, capture_output=True, check=False
    )
    return set(re.findall(r"\bMPIX?_\w+", nm.stdout))


programs = [
    path
    for folder in ("tests/programs", "umpire-suite")
    for path in sorted(Path(BUILD, folder).iterdir())
    if path.is_file()
]
seen = set().union(*map(called, programs))
# Not what the installed MPICH may lack: no program could be linked.
rows = [row for row in generate.read_table(TABLES).values() if row.klass != "local" and not row.varies]
missing = [row.name for row in rows if row.name not in seen]
for name in missing:
    print(f"{name}: no program in tests/programs or umpire-suite calls it")
print(f"{len(rows) - len(missing)} of {len(rows)} functions are called by {len(programs)} programs")
sys.exit(bool(missing))
