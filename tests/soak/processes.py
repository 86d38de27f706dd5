# SPDX-License-Identifier: BSD-3-Clause
"""What the processes of one isp use at this moment: found by a mark in their environment, as isp hands it to
all that it starts."""
import os

from marks import marked, read


def fields(pid, file, *names):
    """The numbers behind these names in a file of /proc."""
    lines = dict(
        line.split(":", 1) for line in read(f"/proc/{pid}/{file}").decode().splitlines() if ":" in line
    )
    return [int(lines.get(name, "0 kB").split()[0]) for name in names]


def descriptors(pid):
    try:
        return len(os.listdir(f"/proc/{pid}/fd"))
    except OSError:
        return 0


def shared_files(pid):
    """Files in /dev/shm, as this process sees it: it may have one of its own."""
    try:
        return len(os.listdir(f"/proc/{pid}/root/dev/shm"))
    except OSError:
        return 0


def own(pids):
    """What they have written, heap and shared memory, in KiB: pages that several have count in parts. Files
    are not in it: who else uses a library would change the figure."""
    return sum(sum(fields(pid, "smaps_rollup", "Pss_Anon", "Pss_Shmem")) for pid in pids)


def sample(isp, mark, program):
    """One row; isp is the pid of the first process."""
    found = marked(mark)
    roles = {"isp": [isp], "workers": [], "guard": [], "ranks": [], "others": []}
    names = {"isp-worker": "workers", "isp-guard": "guard", program[:15]: "ranks"}
    for pid, name in found.items():
        if pid != isp:
            roles[names.get(name, "others")].append(pid)
    return {
        "processes": len(found),
        "descriptors": sum(map(descriptors, found)),
        "isp descriptors": descriptors(isp),
        "shm": shared_files(isp),
        "isp RSS": fields(isp, "status", "VmRSS")[0],
        "isp": own([isp]),
        "workers": own(roles["workers"]),
        "guard": own(roles["guard"]),
        "ranks": own(roles["ranks"]),
    }
