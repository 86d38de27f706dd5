#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares the numbers of expected.toml with the reference explorer of tests/poe, for each entry with a
model."""

import os
import sys
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "poe"))
import reference  # noqa: E402
import scenario_file  # noqa: E402


def main():
    with open(os.path.join(HERE, "expected.toml"), "rb") as stream:
        table = tomllib.load(stream)
    failed = models = 0
    for name, entry in table.items():
        if "model" not in entry:
            continue
        models += 1
        scenario = scenario_file.parse(entry["model"])
        for mode in ("zero", "infinite"):
            outcomes = reference.outcomes(scenario, mode)
            found = len(outcomes), sum(" deadlock:" in " " + outcome for outcome in outcomes)
            wanted = entry[mode], entry.get(f"{mode}_deadlocked", 0)
            if found != wanted or scenario.ranks != entry["n"] * entry.get("threads", 1):
                failed += 1
                print(
                    f"FAIL {name}: {mode}: the reference finds {found} (interleavings, deadlocks), "
                    f"the table says {wanted}"
                )
    print(f"{models} models, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
