#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Dependencies point one way: profiler -> include <- scheduler -> poe, cuts, predict -> include.

Reads the #include lines (and in poe/, cuts/ and predict/ a few names that ISO C headers let in) of every
source file and compares them with what docs/ARCHITECTURE.md ("The parts") allows each part. It first
checks itself on sources that break each rule.

    test_layers.py SOURCE_ROOT
"""
import re
import sys
from pathlib import Path

ISO_C = set(
    """assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal
    stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath threads time
    uchar wchar wctype""".split()
)
MPI = {"mpi.h", "mpio.h", "mpi_proto.h"}
EVENT = ("event.h", "event2/", "evutil.h", "evhttp.h", "evdns.h")
SCHEDULER_LIBRARIES = EVENT + (
    "jansson.h",
    "elfutils/",
    "dwarf.h",
    "libelf.h",
    "gelf.h",
    "argp.h",
    "histedit.h",
)

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")', re.M)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
# What <stdlib.h> and friends would let poe/ do: it reads no environment, and prints nothing.
POE_NAMES = re.compile(
    r"\b(getenv|setenv|system|exit|_exit|atexit|rand|srand|printf|fprintf|puts|"
    r"clock|time|getpid|omp_get_wtime)\s*\("
)


class Part:
    """A folder, whose folders it may take quoted includes from, and which <system> headers."""

    def __init__(self, folder, own, allows, names=None):
        self.folder, self.own, self.allows, self.names = folder, own, allows, names


def is_iso(header):
    return header.removesuffix(".h") in ISO_C


def is_pure(header):
    stem = header.removesuffix(".h")
    return header in ("omp.h", "sanitizer/asan_interface.h") or (
        stem in ISO_C and stem not in ("stdio", "time", "errno", "signal", "locale", "threads")
    )


def is_pure_or_solver(header):
    return is_pure(header) or header == "ccadical.h"


def is_libc_or_mpi(header):
    return not header.startswith(SCHEDULER_LIBRARIES)


def is_no_mpi(header):
    return header not in MPI


PARTS = [
    Part("include", ["include"], is_iso),
    Part("poe", ["poe", "include"], is_pure, POE_NAMES),
    Part("cuts", ["cuts", "include"], is_pure, POE_NAMES),
    Part("predict", ["predict", "include"], is_pure_or_solver, POE_NAMES),
    Part("profiler", ["profiler", "include"], is_libc_or_mpi),
    Part("scheduler", ["scheduler", "poe", "cuts", "predict", "include"], is_no_mpi),
]
# Made by the build: include/ is where isp/functions.h would be, profiler/ where the rest is.
GENERATED = {"isp/functions.h": "include", "prof_calls.h": "profiler"}
# The scheduler sees poe, cuts and predict by their interfaces only.
INTERFACES = {
    "poe": {"ancestors.h", "poe.h", "search.h", "mixed.h", "states.h"},
    "cuts": {"cuts.h"},
    "predict": {"predict.h"},
}


def folder_of(root, file, quoted, part):
    """The top folder that a quoted include comes from, or None if it is nowhere."""
    if quoted in GENERATED:
        return GENERATED[quoted]
    places = [file.parent, root / part.folder, root / "include", root]
    for place in places:
        target = (place / quoted).resolve()
        if target.is_file() and root in target.parents:
            return target.relative_to(root).parts[0]
    return None


def complaints_about(root, file, part):
    text = file.read_text(encoding="utf-8", errors="replace")
    code = COMMENT.sub(" ", text)
    for system, quoted in INCLUDE.findall(code):
        if system and not part.allows(system):
            yield f"includes <{system}>"
        if not quoted:
            continue
        folder = folder_of(root, file, quoted, part)
        if folder is None:
            yield f'includes "{quoted}", which is not here: use <> for what is not ours'
        elif folder not in part.own:
            yield f'includes "{quoted}" of {folder}/'
        elif part.folder != folder and folder in INTERFACES and Path(quoted).name not in INTERFACES[folder]:
            yield f'includes "{quoted}": only {", ".join(sorted(INTERFACES[folder]))} are for others'
    if part.names:
        for name in part.names.findall(STRING.sub('""', INCLUDE.sub("", code))):
            yield f"calls {name}()"


def check(root, part):
    """(files looked at, complaints)"""
    files = sorted(f for f in (root / part.folder).rglob("*") if f.suffix in (".c", ".h") and f.is_file())
    found = [f"{f.relative_to(root)} {what}" for f in files for what in complaints_about(root, f, part)]
    return len(files), found


def check_self(folder, source, want):
    """One source line in a folder: is there a complaint?"""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="layers-") as name:
        root = Path(name).resolve()
        for path in (
            "poe/poe.h",
            "poe/state.h",
            "cuts/cuts.h",
            "cuts/run.h",
            "predict/predict.h",
            "predict/run.h",
            "profiler/prof.h",
            "scheduler/link/link.h",
            "include/isp/wire.h",
        ):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).touch()
        (root / folder / "case.c").write_text(source + "\n", encoding="utf-8")
        part = next(p for p in PARTS if p.folder == folder)
        return bool(check(root, part)[1]) == want


SELF = [
    ("poe", '#include <stdint.h>\n#include "poe/poe.h"\n#include "isp/wire.h"\n#include <omp.h>', False),
    ("poe", "#include <stdio.h>", True),
    ("poe", "#include <time.h>", True),
    ("poe", "# include <errno.h>", True),
    ("poe", "#include <sys/socket.h>", True),
    ("poe", "#include <mpi.h>", True),
    ("poe", "#include <event2/event.h>", True),
    ("poe", '#include "scheduler/link/link.h"', True),
    ("poe", "char *x(void) { return getenv(y); }", True),
    ("poe", "/* getenv(x), #include <stdio.h> */", False),
    ("poe", "poe_time(x); ready_exit (y);", False),
    ("cuts", '#include <stdint.h>\n#include "isp/wire.h"\n#include "run.h"', False),
    ("cuts", '#include "poe/poe.h"', True),
    ("cuts", "#include <stdio.h>", True),
    ("cuts", "void x(void) { printf(y); }", True),
    ("predict", '#include <ccadical.h>\n#include "run.h"', False),
    ("predict", '#include "poe/poe.h"', True),
    ("predict", "#include <stdio.h>", True),
    ("cuts", "#include <ccadical.h>", True),
    ("scheduler", '#include "predict/predict.h"', False),
    ("scheduler", '#include "predict/run.h"', True),
    ("scheduler", '#include "cuts/cuts.h"', False),
    ("scheduler", '#include "cuts/run.h"', True),
    ("profiler", '#include "cuts/cuts.h"', True),
    (
        "profiler",
        '#include <mpi.h>\n#include <sys/socket.h>\n#include "prof.h"\n#include "prof_calls.h"',
        False,
    ),
    ("profiler", "#include <event2/event.h>", True),
    ("profiler", '#include "poe/poe.h"', True),
    ("profiler", '#include "../scheduler/link/link.h"', True),
    ("profiler", "#include <jansson.h>", True),
    ("scheduler", '#include <event2/event.h>\n#include "poe/poe.h"\n#include "isp/functions.h"', False),
    ("scheduler", "#include <mpi.h>", True),
    ("scheduler", '#include "profiler/prof.h"', True),
    ("scheduler", '#include "poe/state.h"', True),
    ("include", "#include <stdint.h>", False),
    ("include", "#include <unistd.h>", True),
    ("include", '#include "../poe/poe.h"', True),
    ("include", '#include "no/such.h"', True),
]


def main():
    root = Path(sys.argv[1]).resolve()
    failed = 0

    def report(name, complaints):
        nonlocal failed
        failed += bool(complaints)
        print(f"{'FAIL' if complaints else 'ok'} {name}")
        for line in complaints:
            print(f"     {line}")

    wrong = [
        f"{folder}: {source!r} should{'' if want else ' not'} be refused"
        for folder, source, want in SELF
        if not check_self(folder, source, want)
    ]
    report("the test itself", wrong)
    for part in PARTS:
        n, found = check(root, part)
        report(f"{part.folder}/", found if n else ["no sources: is this the source root?"])
    sys.exit(1 if failed else 0)


main()
