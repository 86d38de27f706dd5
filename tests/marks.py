# SPDX-License-Identifier: BSD-3-Clause
"""The processes of one test: it starts isp with a mark in the environment, and isp hands its environment to
all that it starts."""
import os
import uuid


def new_mark():
    """One word, `NAME=value`."""
    return f"TEST_MARK={uuid.uuid4()}"


def setting(mark):
    """The mark, to be added to an environment."""
    return dict([mark.split("=")])


def read(path):
    """The bytes of a file of /proc; of a process that is gone: none."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def stat_of(pid):
    """(name, state), or None: it is gone."""
    name, end, rest = read(f"/proc/{pid}/stat").decode(errors="replace").partition("(")[2].rpartition(")")
    return (name, rest.split()[0]) if end else None


def marked(mark):
    """pid -> name of all live processes, zombies apart, whose environment has the mark."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        if mark.encode() in read(f"/proc/{pid}/environ").split(b"\0"):
            at = stat_of(pid)
            if at and at[1] != "Z":
                found[int(pid)] = at[0]
    return found
