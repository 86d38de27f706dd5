# SPDX-License-Identifier: BSD-3-Clause
"""
Whether states of ranks that were put together from what was known are those that are hashed anew: with this
variable each state is hashed twice, and a line is added to the file that it names (profiler/state/memory.c).
So is one for each state that isp knows without asking the rank, which is asked then
(scheduler/world/steps.c).
"""
import os

VARIABLE = "ISP_CHECK_STATES"


def read(path):
    """How many states there were, and what is said of those that were not the same: a text, or empty."""
    if not os.path.exists(path):
        return 0, ""
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    unlike = [line for line in lines if line != "same"]
    if not unlike:
        return len(lines), ""
    each = "; ".join(f"{unlike.count(line)} times {line}" for line in sorted(set(unlike))[:5])
    return (
        len(lines),
        f"{len(unlike)} of {len(lines)} states are not the same if they are hashed anew: {each}",
    )
