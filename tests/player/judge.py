# SPDX-License-Identifier: BSD-3-Clause
"""The differences between what the reference expects of a program and what isp has shown of it, as (kind,
text)."""

import collections
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from alike import alike  # noqa: E402

# What a scenario may really do wrong; player.c leaves its communicators.
EXPECTED_RULES = {
    "deadlock",
    "lost-message",
    "missing-wait",
    "leak-request",
    "leak-message",
    "leak-communicator",
    "ready-send",
    "collective-mismatch",
}


STUCK = {"deadlock", "unsafe-buffering"}
CUT_AT_POLLS = "it was not tried that a poll fails more often"
CUT_AT_LOCKS = "locks and atomic accesses come in an order that the sends decide"


def deadlocks(wanted):
    return sum("deadlock:" in full for full, _ in wanted)


def is_cut_at_polls(result):
    return CUT_AT_POLLS in (result["incomplete_because"] or "")


def judge_result(mode, wanted, result, rules=frozenset(), cut=False, may_be_twice=False):
    """What isp reports. wanted: {(full, shown)}; rules: that the program breaks beside those of all;
    cut: isp says that there may be more."""
    found = []
    if not result["complete"] and not cut:
        found.append((f"{mode} incomplete", result["incomplete_because"]))
    for finding in result["findings"]:
        if finding["severity"] != "note" and finding["rule"] not in EXPECTED_RULES | rules:
            found.append((f"{mode} {finding['rule']}", f"{finding['message']} in {finding['interleaving']}"))
    for what, want in ("interleavings", len(wanted)), ("deadlocked_interleavings", deadlocks(wanted)):
        twice = may_be_twice and want <= result[what] <= result["interleavings"]
        if result[what] != want and not twice and not (cut and result[what] < want):
            found.append((f"{mode} {what}", f"{result[what]}, expected {want}"))
    if any(f["rule"] == "deadlock" for f in result["findings"]) != (result["deadlocked_interleavings"] > 0):
        found.append((f"{mode} deadlock finding", f"{result['deadlocked_interleavings']} deadlocks"))
    return found


def judge_worlds(mode, wanted, result, worlds, cut=False, may_be_twice=False):
    """What the worlds of one launch each have seen."""
    found = [(f"{mode} wrong", f"{text} in {world.outcome()}") for world in worlds for text in world.wrong]
    redundant, n = result["redundant_runs"], result["interleavings"]
    if len(worlds) != n + redundant:
        found.append((f"{mode} worlds", f"{len(worlds)}, expected {n + redundant}"))
    want = collections.Counter(shown for _, shown in wanted)
    got = collections.Counter(w.outcome() for w in worlds)
    if may_be_twice:
        want, got = collections.Counter(set(want)), collections.Counter(
            {o: 1 if o in want else n for o, n in got.items()}
        )
    if not cut:
        found += [(f"{mode} missing", f"{outcome} ({n} times)") for outcome, n in (want - got).items()]
    left = list((got - want).elements())
    found += [
        (f"{mode} invented", outcome)
        for outcome in left
        if not any(begins(outcome, full) for full, _ in wanted)
    ]
    if len(left) > redundant:
        found += [(f"{mode} twice or invented", outcome) for outcome in left]
    return found


def judge_auto(wanted, mixed, result):
    """The deadlocks that isp tells if it is asked for nothing else. wanted: by mode; mixed: those of mixed
    buffering, and so of all."""
    found = []
    rules = {finding["rule"] for finding in result["findings"]}
    told, why = sorted(rules & STUCK), result["incomplete_because"]
    if told and not mixed:
        found.append(("auto invented", ", ".join(told)))
    if not result["complete"] and CUT_AT_POLLS not in why and CUT_AT_LOCKS not in why:
        found.append(("auto incomplete", why))
    if not result["complete"]:
        return found
    if mixed and not told and "lost-message" not in rules:
        found.append(("auto missing", "; ".join(sorted(mixed)[:3])))
    if "deadlock" not in rules and deadlocks(wanted["infinite"]):
        found.append(("auto missing", "a deadlock with all sends buffered"))
    return found


def judge_replay(mixed, finding, outcomes):
    """Its command shows a deadlock that there is."""
    stuck = [outcome for outcome in outcomes if "deadlock:" in outcome]
    found = [
        ("auto replay: invented", f"{outcome}; {finding['replay']}")
        for outcome in stuck
        if outcome not in mixed
    ]
    if not stuck:
        found.append(("auto replay: none", f"{finding['replay']}: {outcomes}"))
    return found


def judge_same(mode, plain, result):
    """Whether isp reports the same with checkpoints as without."""
    result, plain = alike(result), alike(plain)
    return [
        (f"{mode} checkpoints {key}", "; ".join(unlike(result[key], plain[key], key)))
        for key in plain
        if result[key] != plain[key]
    ]


def unlike(a, b, where):
    """The places in two JSON values where they differ."""
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        return [text for key in a for text in unlike(a[key], b[key], f"{where}.{key}")]
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        return [text for k in range(len(a)) for text in unlike(a[k], b[k], f"{where}[{k}]")]
    return [] if a == b else [f"{where}: {a}, launched {b}"]


def messages(outcome):
    """The items of messages that met, and how the run ended."""
    items = {i for i in outcome.split()[:-1] if i[-1].isdigit() and ("<" in i or "?" in i)}
    ended, _, stuck = outcome.split()[-1].partition(":")
    ranks = sorted({label.split("/")[0] for label in stuck.split(",")}, key=int) if stuck else []
    return frozenset(items), ":".join([ended] + ([",".join(ranks)] if ranks else []))


def judge_trace(mode, wanted, traced, cut=False, may_be_twice=False):
    """Which messages met in each interleaving; also what a rank that deadlocks has not seen."""
    want, found = collections.Counter(messages(full) for full, _ in wanted), []
    if may_be_twice:
        want, traced = collections.Counter(set(want)), collections.Counter(set(traced))
    missing = collections.Counter() if cut else want - traced
    for kind, more in ("missing", missing), ("invented or twice", traced - want):
        found += [
            (f"{mode} trace: {kind}", f"{' '.join(sorted(items))} {end} ({times} times)")
            for (items, end), times in more.items()
        ]
    return found


def seen(outcome):
    return {i for i in outcome.split()[:-1] if not i.endswith("-")}


def judge_histories(mode, wanted, histories, cut, dropped=frozenset()):
    """What each rank has seen in a world that makes many interleavings. dropped: outcomes that it may also
    have come to, in runs that isp does not count."""
    found = []
    parts = [[seen(outcome) for outcome in pair] for pair in wanted]
    possible = [seen(full) for full, _ in wanted | dropped]
    for rank, items in histories:
        if not any(items <= full for full in possible):
            found.append((f"{mode} checkpoints invented", f"rank {rank}: {' '.join(sorted(items))}"))
    for rank in {rank for rank, _ in histories} if not cut else ():
        for _, shown in parts:
            own = {i for i in shown if i.startswith(f"{rank}.")}
            if not any(own <= items for r, items in histories if r == rank):
                found.append((f"{mode} checkpoints missing", f"rank {rank}: {' '.join(sorted(own))}"))
    return found


def begins(outcome, full):
    """Is all that a redundant world has seen in this outcome?"""
    return seen(outcome) <= set(full.split())
