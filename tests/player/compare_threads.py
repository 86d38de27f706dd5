# SPDX-License-Identifier: BSD-3-Clause
"""Programs in which a rank has several threads that call MPI: see compare_real.py.

Each interleaving is launched, since such a rank keeps no checkpoints, and each world leaves its outcome in
files: they are compared as a whole. In which order two threads have called (`a^b` in the reference's
outcomes) no file says, but how many interleavings there are does: each order that can be told apart is one.
With checkpoints of the other ranks the result must be the same.
"""

import os

import judge
import observed
import traced


def compare_mode(options, run, scenario, mode, variant, wanted, again):
    """As compare_real.compare_mode; `run` is its run. again: explore a second time, with the variant's
    options."""
    arguments, environment = variant
    plainly = arguments if "-j" in arguments else arguments[:2]  # --polls
    launches = ["--checkpoints", "0", *plainly]
    trace, twice = os.path.join(options.folder, f"{mode}.trace"), scenario.may_be_twice()
    result, folder = run(
        options, scenario, f"{mode}-launched", [f"--buffering={mode}", "--trace", trace, *launches], {}
    )
    if result is None:
        return [(f"{mode} error", folder)], 0
    found = judge.judge_result(mode, wanted, result, may_be_twice=twice)
    worlds = observed.read_worlds(scenario, folder)
    found += judge.judge_worlds(mode, wanted, result, worlds, may_be_twice=twice)
    try:
        found += judge.judge_trace(mode, wanted, traced.outcomes(scenario, trace), may_be_twice=twice)
    except traced.Wrong as wrong:
        found.append((f"{mode} trace", str(wrong)))
    if again:
        other, folder = run(
            options, scenario, f"{mode}-variant", [f"--buffering={mode}", *arguments], environment
        )
        found += judge.judge_same(mode, result, other) if other else [(f"{mode} error", folder)]
    return found, result["redundant_runs"]
