# SPDX-License-Identifier: BSD-3-Clause
"""How programs are run and timed, and how figures become rows of a table."""
import collections
import importlib.util
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("ISP_BUILD", os.path.join(ROOT, "build"))
ISP = os.path.join(BUILD, "isp")
LIMIT_S = 900


def program(name, *args):
    return [os.path.join(BUILD, "bench", "bench-" + name), *map(str, args)]


def under_isp(ranks, command, *options):
    return [ISP, "-q", *options, "-n", str(ranks), "--", *command]


def plain(ranks, command):
    return ["mpiexec", "-n", str(ranks), *command]


# the latter two of the process itself, without its children
Run = collections.namedtuple("Run", "seconds peak_kib cpu_s")


def own_use(pid, before):
    """Peak resident memory in KiB and processor seconds of this one process so far; `before` if it is
    gone."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        ticks = (
            pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[11:13]
        )
    except OSError:
        return before
    peak = re.search(r"VmHWM:\s+(\d+)", status)
    return (int(peak.group(1)), sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")) if peak else before


def run(command, codes=(0,)):
    started, use = time.monotonic(), (0, 0)
    with tempfile.TemporaryFile("w+") as output:
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output) as process:
            while True:
                try:
                    process.wait(timeout=0.005)
                    break
                except subprocess.TimeoutExpired:
                    use = own_use(process.pid, use)
                if time.monotonic() - started > LIMIT_S:
                    process.terminate()
                    sys.exit(f"{' '.join(command)}: not done after {LIMIT_S} s")
        seconds = time.monotonic() - started
        if process.returncode not in codes:
            output.seek(0)
            sys.exit(f"{output.read()}{' '.join(command)}: exit code {process.returncode}")
    return Run(seconds, *use)


def paired(a, b, runs, codes=(0,)):
    """Medians of a's and b's seconds, and of the ratio b/a of neighbouring runs. b may end with one of these
    codes."""
    pairs = [(run(a).seconds, run(b, codes).seconds) for _ in range(runs)]
    return (
        statistics.median(x for x, _ in pairs),
        statistics.median(y for _, y in pairs),
        statistics.median(y / x for x, y in pairs),
    )


def title(text, *columns):
    print(f"\n{text}\n", flush=True)
    row(*columns)
    row(*["---"] * len(columns))


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


# one interleaving, as it is compared with a run without isp
ONE = ("--max-interleavings", "1", "--predict", "off", "--buffering", "zero")


def explored(ranks, *options, before=()):
    """Seconds that isp itself counts for a master and its workers."""
    expected = math.factorial(ranks - 1)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        result = os.path.join(folder, "result.json")
        run([*before, *under_isp(ranks, program("master_worker"), "--merge=off", "--json", result, *options)])
        with open(result, encoding="utf-8") as file:
            found = json.load(file)
    if found["interleavings"] != expected:
        sys.exit(
            f"master_worker, {ranks} ranks: {found['interleavings']} interleavings instead of {expected}"
        )
    return found["seconds"]


# of a line of `-v`; a sentence of isp's (scheduler/parallel/search.c)
SENT = re.compile(r"sent (\d+) bytes for each call; .* (\d+) for each rank")


def verbose_run(ranks, command, *options):
    """Seconds, what `-v` says that is sent and used, and the result."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        file = pathlib.Path(folder, "result.json")
        started = time.monotonic()
        done = subprocess.run(
            [ISP, "-v", *options, f"--json={file}", "-n", str(ranks), "--", *command],
            check=False,
            timeout=LIMIT_S,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        seconds = time.monotonic() - started
        sent = SENT.search(done.stdout + done.stderr)
        if not sent or not file.exists():
            sys.exit(f"{done.stderr}{' '.join(command)}: exit code {done.returncode}")
        return seconds, sent.groups(), json.loads(file.read_text(encoding="utf-8"))


def library_program(name):
    """A program of tests/libraries, hdf5 or ptscotch; or None."""
    spec = importlib.util.spec_from_file_location(
        "libraries", os.path.join(ROOT, "tests", "libraries", "run.py")
    )
    libraries = importlib.util.module_from_spec(spec)
    sys.modules["libraries"] = libraries
    spec.loader.exec_module(libraries)
    folder = pathlib.Path(BUILD, "libraries")
    folder.mkdir(exist_ok=True)
    try:
        return [str(libraries.TESTS[name](folder))]
    except libraries.Unavailable as missing:
        print(f"{name} is left out: {missing}", file=sys.stderr)
        return None
