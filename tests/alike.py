# SPDX-License-Identifier: BSD-3-Clause
"""What two results of isp must have in common, however it came to its runs: with checkpoints or without, in
one part or several, by running what comes after a state again or not."""

# of what was run, instead of what it stands for
OF_RUNS = ("seconds", "invocation", "runs", "states", "choice_points", "calls", "redundant_runs")


def alike_findings(findings):
    """Without what counts choice points that were run, and what is said only if all were."""
    return [
        {key: value for key, value in f.items() if f["rule"] != "wildcard" or key not in ("count", "story")}
        for f in findings
        if f["rule"] != "irrelevant-barrier"
    ]


def alike(result):
    """A copy without what may differ."""
    kept = {key: value for key, value in result.items() if key not in OF_RUNS}
    kept["findings"] = alike_findings(result["findings"])
    return kept
