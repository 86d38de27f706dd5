#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares isp on a real MPI program with the reference, on random scenarios.

player.c plays a scenario with real MPI calls; isp explores it with zero and with infinite buffering; each
world leaves its outcome in files. These must be the outcomes of ../poe/reference.py: none missing, none
invented, none twice; and the numbers that isp reports must be theirs.

What a world that deadlocks cannot show: a nonblocking receive that no call has completed for the program may have
its message or not (the world is ended in between), and the files do not say. So *in outcomes that deadlock*, on both sides,
its item is left out (Observer, World.outcome). In exchange both sides say in which token each rank is stuck. Nothing
else is lost: different outcomes may look alike now, so how often each is seen is compared too. Worlds that end well show
everything: receives that were never waited for are read after MPI_Finalize.

isp ends redundant runs, which are the beginning of an outcome that another run shows in full, and does not say which worlds they
are. So as many worlds as it reports redundant runs may be left over, each of them with nothing but
items of one outcome of the reference.

With checkpoints a world makes many interleavings, and the file of a rank has the histories of all of them. Which histories
of the ranks belong to one interleaving the files do not say: so worlds are compared of runs without checkpoints, and those
with them must give the same JSON result, and to each rank nothing but the beginnings of its part of the
outcomes, and all of these parts.

usage: compare_real.py ISP PLAYER [--seed S] [--count N] [--first K] [--jobs J] [--scenarios FILE] [--checkpoints N]
"""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "poe"))
sys.dont_write_bytecode = True

import compare  # noqa: E402
import random_scenarios  # noqa: E402
import reference  # noqa: E402
import scenario_file as sf  # noqa: E402

MODES = ("zero", "infinite")
# What a scenario may really do wrong; player.c leaves its communicators.
EXPECTED_RULES = {"deadlock", "lost-message", "missing-wait", "leak-request", "leak-message", "leak-communicator", "ready-send",
                  "collective-mismatch"}
COLLECTIVES = ["barrier", "bcast", "reduce", "scan", "neighbor"]
STATES = 3000  # after which the reference gives up
TIME_LIMIT_S = 120
TRIES = 300  # of the minimiser


class Observer(reference.Explorer):
    """The reference; an outcome is (in full, as the files of a world can show it)."""

    def shown(self, at, result):
        """The nonblocking receives that a call has completed for the program: what completed() in player.c
        is called for. After a free the request is null, and nothing that names it tells anything."""
        shown, ended = set(), set()
        for rank, line in enumerate(self.lines):
            for op in line[:at[rank]]:
                got, left = result[op.number], [a for a in op.args if a not in ended]
                if op.kind in ("wait", "waitall"):
                    shown.update(left)
                    ended.update(left)
                elif op.kind == "free":
                    ended.update(left)
                elif op.kind in sf.ONE | sf.LISTS and got not in (None, reference.NOT_YET):
                    shown.update(op.args[p] for p in got)
                    ended.update(op.args[p] for p in got)
        return shown

    def outcome(self, state):
        at, result, _ = state
        full = super().outcome(state)
        stuck = [f"{r}@{at[r]}" for r, line in enumerate(self.lines) if at[r] < len(line)]
        if not stuck:
            return full, full
        shown = self.shown(at, result)
        hidden = {f"{op.rank}.{op.index}" for op in self.ops if op.kind in ("irecv", "imrecv") and op.number not in shown}
        items = [i for i in full.split()[:-1] if re.match(r"[\d.]+", i)[0] not in hidden]
        return full, " ".join(items + ["deadlock:" + ",".join(stuck)])


class World:
    """What the files of one world say."""

    def __init__(self, scenario):
        self.scenario = scenario
        self.items = {}  # (rank, token) -> item
        self.reached = [-1] * scenario.ranks
        self.end = [False] * scenario.ranks
        self.done = [False] * scenario.ranks
        self.wrong = []

    def read(self, rank, history):
        for line in history:
            place = re.match(rf"{rank}\.(\d+)(?![\d.])", line)
            if line in ("end", "done"):
                (self.end if line == "end" else self.done)[rank] = True
            elif not place:
                self.wrong.append(line)
            elif place[0] == line:
                self.reached[rank] = int(place[1])
            else:
                self.items[rank, int(place[1])] = line

    def outcome(self):
        if all(self.end):
            return " ".join([self.items[k] for k in sorted(self.items)] + ["ok" if all(self.done) else "unfinished"])
        kinds = {(r, k): t.kind for r, line in enumerate(self.scenario.lines) for k, t in enumerate(line)}
        items = [self.items[k] for k in sorted(self.items)
                 if not (kinds[k] in ("irecv", "imrecv") and self.items[k].endswith("<-"))]
        stuck = [f"{r}@{k}" for r, k in enumerate(self.reached) if not self.end[r]]
        return " ".join(items + ["deadlock:" + ",".join(stuck)])


def told(folder):
    """What each rank of each world has told: (token of the world, rank, [history]), a history being lines; the last
    is the whole one where no rank goes back."""
    for name in sorted(os.listdir(folder)):
        token, rank = name.rsplit(".", 1)
        with open(os.path.join(folder, name), encoding="ascii") as stream:
            yield token, int(rank), [history.splitlines() for history in stream.read().split("\n\n")[:-1]]


def read_worlds(scenario, folder):
    worlds = {}
    for token, rank, histories in told(folder):
        worlds.setdefault(token, World(scenario)).read(rank, histories[-1] if histories else [])
    return list(worlds.values())


def read_histories(scenario, folder):
    """The items of each history of a rank: {(rank, {item})}."""
    found = set()
    for _, rank, histories in told(folder):
        for history in histories:
            world = World(scenario)
            world.read(rank, history)
            items = [*world.items.values(), *world.wrong]
            found.add((rank, frozenset(i for i in items if not i.endswith("-"))))
    return found


def run(options, scenario, mode, folder, label, checkpoints):
    """The JSON result and the folder of what the ranks have told; or None, and why there is none."""
    name = f"{mode}-{label}"
    file, result, worlds = (os.path.join(folder, name) for name in ("scenario", f"{name}.json", name))
    with open(file, "w", encoding="ascii") as stream:
        stream.write(str(scenario))
    os.mkdir(worlds)
    command = [options.isp, "-q", "--output", "none", f"--buffering={mode}", "--checkpoints", str(checkpoints), "--polls", "1000", "--json", result,
               "-n", str(scenario.ranks), "--", options.player, file]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("ISP_")}
    try:
        done = subprocess.run(command, env={**environment, "PLAYER_DIR": worlds}, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        return None, f"no end after {TIME_LIMIT_S} s"
    if not os.path.exists(result):
        return None, f"no result, exit code {done.returncode}: {done.stderr[-400:]}"
    with open(result, encoding="utf-8") as stream:
        return json.load(stream), worlds


def judge(mode, wanted, result, worlds):
    """The differences of one run: (kind, text). wanted: {(full, shown)}."""
    found = []

    def differ(kind, text):
        found.append((f"{mode} {kind}", text))

    if not result["complete"]:
        differ("incomplete", result["incomplete_because"])
    for finding in result["findings"]:
        if finding["severity"] != "note" and finding["rule"] not in EXPECTED_RULES:
            differ(finding["rule"], f"{finding['message']} in {finding['interleaving']}")
    for world in worlds:
        for text in world.wrong:
            differ("wrong", f"{text} in {world.outcome()}")
    deadlocks = sum("deadlock:" in full for full, _ in wanted)
    redundant = result["redundant_runs"]
    for what, got, want in (("interleavings", result["interleavings"], len(wanted)),
                            ("deadlocked_interleavings", result["deadlocked_interleavings"], deadlocks),
                            ("worlds", len(worlds), len(wanted) + redundant)):
        if got != want:
            differ(what, f"{got}, expected {want}")
    if any(f["rule"] == "deadlock" for f in result["findings"]) != (deadlocks > 0):
        differ("deadlock finding", f"{deadlocks} deadlocks")
    want = collections.Counter(shown for _, shown in wanted)
    got = collections.Counter(w.outcome() for w in worlds)
    for outcome, times in (want - got).items():
        differ("missing", f"{outcome} ({times} times)")
    left = list((got - want).elements())
    for outcome in left:
        if not any(begins(outcome, full) for full, _ in wanted):
            differ("invented", outcome)
    if len(left) > redundant:
        for outcome in left:
            differ("twice or invented", outcome)
    return found


def judge_checkpoints(mode, wanted, plain, result, histories):
    """The differences of a run with checkpoints."""
    found = [(f"{mode} checkpoints {key}", f"{result[key]}, without {plain[key]}")
             for key in plain if key not in ("seconds", "invocation") and result[key] != plain[key]]
    parts = [[{i for i in outcome.split()[:-1] if not i.endswith("-")} for outcome in pair] for pair in wanted]
    for rank, items in histories:
        if not any(items <= full for full, _ in parts):
            found.append((f"{mode} checkpoints invented", f"rank {rank}: {' '.join(sorted(items))}"))
    for rank in {rank for rank, _ in histories}:
        for _, shown in parts:
            own = {i for i in shown if i.startswith(f"{rank}.")}
            if not any(own <= items for r, items in histories if r == rank):
                found.append((f"{mode} checkpoints missing", f"rank {rank}: {' '.join(sorted(own))}"))
    return found


def begins(outcome, full):
    """Is all that a redundant world has seen in this outcome?"""
    return {i for i in outcome.split()[:-1] if not i.endswith("-")} <= set(full.split())


def differences(options, scenario, limit):
    """None if the scenario is too big; [] if all is as it should be."""
    try:
        wanted = {m: Observer(scenario, m == "infinite", limit=STATES).outcomes() for m in MODES}
    except reference.TooBig:
        return None
    if max(map(len, wanted.values())) > limit:
        return None
    found = []
    for mode in MODES:
        folder = tempfile.mkdtemp(prefix="player-")
        plain, worlds = run(options, scenario, mode, folder, "plain", 0)
        result, again = run(options, scenario, mode, folder, "checkpoints", options.checkpoints) if plain else (None, worlds)
        if result is None:
            found.append((f"{mode} error", again))
        else:
            found += judge(mode, wanted[mode], plain, read_worlds(scenario, worlds))
            found += judge_checkpoints(mode, wanted[mode], plain, result, read_histories(scenario, again))
        shutil.rmtree(folder)
    return found


def minimise(options, scenario, kinds):
    """The same kind of difference in a smaller scenario."""
    tries, again = TRIES, True
    while again:
        again = False
        for small in compare.smaller(scenario):
            tries -= 1
            if tries < 0:
                return scenario
            try:
                sf.check(small)
            except sf.Bad:
                continue
            if kinds & {kind for kind, _ in differences(options, small, options.most) or []}:
                scenario, again = small, True
                break
    return scenario


def report(options, name, scenario, found):
    print(f"\nFAIL {name}: {', '.join(sorted({kind for kind, _ in found}))}")
    print(scenario, end="")
    for kind, text in found[:20]:
        print(f"  {kind}: {text}")
    if not options.no_minimise:
        small = minimise(options, scenario, {kind for kind, _ in found})
        print("---- minimised")
        print(small, end="")
        for kind, text in (differences(options, small, options.most) or [])[:20]:
            print(f"  {kind}: {text}")
    print(f"---- again: {sys.argv[0]} {options.isp} {options.player} {name}", flush=True)


def given(options):
    """(how to name it on the command line, scenario)"""
    if options.scenarios:
        with open(options.scenarios, encoding="ascii") as stream:
            for text in sf.split(stream.read()):
                yield f"--scenarios {options.scenarios}", sf.parse(text)
        return
    for k in range(options.first, options.first + options.count):
        yield f"--seed {options.seed} --first {k} --count 1", random_scenarios.scenario(options.seed, k, COLLECTIVES, True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("isp", type=os.path.abspath)
    parser.add_argument("player", type=os.path.abspath)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("--scenarios", help="compare these instead of random ones")
    parser.add_argument("--checkpoints", type=int, default=16, help="how many there may be at a time")
    parser.add_argument("--most", type=int, default=25, help="skip scenarios with more outcomes")
    parser.add_argument("--no-minimise", action="store_true")
    options = parser.parse_args()
    compared, skipped, differ, begin = 0, 0, 0, time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        running = [(n, s, pool.submit(differences, options, s, options.most)) for n, s in given(options)]
        for name, scenario, future in running:
            found = future.result()
            if found is None:
                skipped += 1
                continue
            compared += 1
            if found:
                differ += 1
                report(options, name, scenario, found)
            else:
                print(f"ok {name}", flush=True)
    print(f"{skipped} skipped as too big, {time.monotonic() - begin:.0f} s")
    print(f"{compared} scenarios, {differ} differ")
    return differ > 0


if __name__ == "__main__":
    sys.exit(main())
