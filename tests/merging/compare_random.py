#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random programs (random_machines.py) under isp with merging and without: what isp says must be the same,
and the memories in which ranks end must be.

A third is explored with --buffering=auto, the rest with zero, infinite, and with -j 2. Programs with more
than MOST interleavings are left out. A program that differs is printed, as small as it becomes by leaving
out instructions.

usage: compare_random.py ISP MACHINE [--seed S] [--count N] [--first K] [--jobs J] [--one-of K]
                         [--minimise SECONDS] [--polls N]
"""

import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import time

import random_machines

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import week  # noqa: E402
from alike import alike  # noqa: E402

MOST = 100  # interleavings
LIMIT_S = 120
WAYS = (
    ["--buffering=auto"],
    ["--buffering=zero"],
    ["--buffering=infinite"],
    ["--buffering=infinite"],
    ["--buffering=auto"],
    ["--buffering=infinite", "-j", "2"],
)


class Said:
    def __init__(self, result, text, memories):
        self.result, self.text, self.memories = result, text, memories
        met = re.search(r"(\d+) states were kept, and (\d+) runs ended at one of them", text)
        self.met = int(met.group(2)) if met else 0
        self.runs = result["runs"] if result else 0

    def alike(self):
        """Without the name of the run that is shown as one that goes well: any will do."""
        result = alike(self.result)
        for finding in result["findings"]:
            if finding.get("critical"):
                finding["critical"].pop("interleaving")
            finding["story"] = re.sub(r"as in interleaving \S+,", "", finding.get("story") or "")
            finding["story"] = re.sub(r"\nstack of rank(?s:.*)", "", finding["story"])  # where it was stopped
        return result


def explore(options, program, *words):
    with tempfile.TemporaryDirectory(prefix="isp-random-") as folder:
        command = [options.isp, "-v", "--output", "none", "--json", "result.json", "--timeout", "20"]
        command += ["--livelock-rounds", "100", "--keep-going"]
        command += ["--polls", str(options.polls)]
        command += [*words, "-n", str(program.ranks), "--", options.machine, "memories", program.home]
        done = subprocess.run(
            [*command, str(program)],
            cwd=folder,
            env={**os.environ, "ISP_ONCE": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
        )
        memories = set()
        if os.path.exists(os.path.join(folder, "memories")):
            with open(os.path.join(folder, "memories"), encoding="ascii") as file:
                memories = set(file.read().splitlines())
        if not os.path.exists(os.path.join(folder, "result.json")):
            return Said(None, done.stderr, memories)
        with open(os.path.join(folder, "result.json"), encoding="utf-8") as file:
            return Said(json.load(file), done.stderr, memories)


def is_cut(result):
    return "--max-interleavings" in (result["incomplete_because"] or "")


def errors(result):
    return sorted((f["rule"], f["message"]) for f in result["findings"] if f["severity"] == "error")


def differences(whole, merged):
    """As lines; and whether merging has only made a search of buffered sends that was not needed."""
    if not whole.result or not merged.result:
        return [(merged if whole.result else whole).text[-300:]], False
    wrong = [f"memory missing: {x}" for x in sorted(whole.memories - merged.memories)]
    wrong += [f"memory invented: {x}" for x in sorted(merged.memories - whole.memories)]
    a, b = whole.alike(), merged.alike()
    claims = a["buffered_interleavings"] == 0 < b["buffered_interleavings"]
    if claims:
        keys = ("interleavings", "complete", "deadlocked_interleavings")
        a, b = ({k: r[k] for k in keys if k in r} | {"e": errors(r)} for r in (a, b))
        wrong = [w for w in wrong if "missing" in w]
    for key in sorted(a.keys() | b.keys()):
        if a.get(key) != b.get(key):
            wrong.append(f"{key}: {clip(a.get(key), b.get(key))}")
    return wrong, claims


def clip(a, b):
    """What of two values differs, in a line."""
    if isinstance(a, list) and isinstance(b, list):
        a, b = [x for x in a if x not in b], [x for x in b if x not in a]
        if len(a) == len(b) == 1:
            return clip(a[0], b[0])
    if isinstance(a, dict) and isinstance(b, dict):
        keys = [k for k in sorted(a.keys() | b.keys()) if a.get(k) != b.get(k)]
        return "; ".join(f"{k}: {clip(a.get(k), b.get(k))}" for k in keys)
    return f"{json.dumps(a)[:400]}, merged {json.dumps(b)[:400]}"


def whole_search(options, program, way):
    """Without merging; and without predictions, which there are if there is a bound."""
    words = [w for w in way if w not in ("-j", "2")]
    bound = ["--max-interleavings", str(MOST)]
    return explore(options, program, "--merge=off", "--predict=off", *words, *bound)


def compare(options, program, way):
    whole = whole_search(options, program, way)
    if whole.result and is_cut(whole.result):
        return None
    merged = explore(options, program, *way)
    return whole, merged, *differences(whole, merged)


def minimised(options, program, way):
    """Without the instructions that are not needed for a difference."""
    lines = [list(line) for line in program.lines]
    begun_s = time.monotonic()
    for line in lines:
        i = 0
        while i < len(line) and time.monotonic() - begun_s < options.minimise:
            kept = line.pop(i)
            answer = compare(options, random_machines.Program(program.home, lines), way)
            if not answer or not answer[2]:
                line.insert(i, kept)
                i += 1
    return random_machines.Program(program.home, lines)


def one(work):
    options, k = work
    program = random_machines.program(options.seed, k)
    way = WAYS[k % len(WAYS)]
    try:
        return k, program, way, compare(options, program, way)
    except subprocess.TimeoutExpired:
        return k, program, way, None


def arguments(text):
    """(options, the numbers of the programs)"""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("isp")
    parser.add_argument("machine")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--one-of", type=int, default=1, metavar="K", help="a part of them (../week.py)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--polls", type=int, default=1)
    parser.add_argument("--minimise", type=float, default=60, metavar="SECONDS")
    options = parser.parse_args()
    options.isp, options.machine = (os.path.abspath(p) for p in (options.isp, options.machine))
    return options, list(week.part(range(options.first, options.first + options.count), options.one_of))


def main():
    options, numbers = arguments(__doc__)
    n = too_many = merging = claiming = differ = interleavings = runs = several = 0
    begun_s = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for k, program, way, answer in pool.map(one, [(options, k) for k in numbers]):
            if not answer:
                too_many += 1
                continue
            whole, merged, wrong, claims = answer
            n += 1
            if n % 100 == 0:
                print(f"{n} compared, {differ} differ", flush=True)
            claiming += claims
            if whole.result and merged.result:
                several += whole.result["interleavings"] > 3
                merging += merged.met > 0
                interleavings += whole.runs
                runs += merged.runs
            if wrong:
                differ += 1
                if differ <= 5:
                    program = minimised(options, program, way)
                print(
                    f"==== --seed {options.seed} --first {k} --count 1, {' '.join(way)}", *wrong[:8], sep="\n"
                )
                print(f"-n {program.ranks} {options.machine} memories {program.home} '{program}'", flush=True)
    print(
        f"{n} programs ({too_many} left out, with more than {MOST} interleavings or for their time), "
        f"{several} with more than three, "
        f"{merging} merge: {runs} runs instead of {interleavings}; {claiming} claim more of buffering; "
        f"{differ} differ ({time.monotonic() - begun_s:.0f} s)"
    )
    sys.exit(1 if differ or merging < several / 4 else 0)


if __name__ == "__main__":
    main()
