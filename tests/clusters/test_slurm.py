#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Ranks that Slurm starts, on two nodes: the hosts of test_clusters.py, with daemons of their own that nobody
else sees. isp and srun are on the first.

Each program must get the same as with all ranks on one host, and nothing but the daemons may be left. A part
of the programs each week (../week.py). Needs root, `ip`, munge and Slurm.

    test_slurm.py ISP FOLDER_OF_PROGRAMS
"""
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import test_clusters as tc

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import week  # noqa: E402

# Two cores for each node, whatever the machine has: srun is told to put more ranks on them.
CONFIGURATION = """\
ClusterName=isp
SlurmctldHost={host}({here})
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=isp1 NodeAddr={here} CPUs=2
NodeName=isp2 NodeAddr={there} CPUs=2
PartitionName=all Nodes=ALL Default=YES OverSubscribe=FORCE:8
"""


# `ip netns exec` shows /sys of that network, and hides the control groups, which slurmd asks for.
ON_HOST = """\
mkdir -p {folder}/control
mount --rbind /sys/fs/cgroup {folder}/control
exec ip netns exec "$0" sh -c 'mount --rbind {folder}/control /sys/fs/cgroup && exec "$0" "$@"' "$@"
"""


def daemon(words, log, **more):
    with open(log, "w", encoding="utf-8") as stream:
        return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream, **more)


def wait_for(is_there, what, folder):
    limit = time.monotonic() + tc.LIMIT_S
    while not is_there():
        if time.monotonic() > limit:
            logs = (f"{log.name}: {log.read_text()[-500:]}" for log in sorted(folder.glob("*.log")))
            raise OSError(f"{what} does not come up: {' '.join(logs)}")
        time.sleep(0.1)


def start_munge(folder):
    """With a key of its own. It runs as its own user, and wants folders that nobody else writes to."""
    folder.mkdir(mode=0o755)
    shutil.chown(folder, "munge", "munge")
    key = folder / "key"
    key.write_bytes(os.urandom(128))
    key.chmod(0o400)
    shutil.chown(key, "munge", "munge")
    files = [f"--{name}={folder / name}" for name in ("socket", "pid-file", "log-file", "seed-file")]
    return daemon(
        ["munged", "--foreground", f"--key-file={key}", *files],
        folder.parent / "munged.log",
        user="munge",
        group="munge",
    )


@contextlib.contextmanager
def slurm(names, folder):
    """the daemons on two hosts, and the environment of srun"""
    configuration = folder / "slurm.conf"
    configuration.write_text(
        CONFIGURATION.format(
            folder=folder, host=socket.gethostname().split(".")[0], here=tc.HERE, there=f"{tc.NETWORK}2"
        ),
        encoding="utf-8",
    )
    environment = dict(os.environ, SLURM_CONF=str(configuration))
    running = [start_munge(folder / "munge")]
    try:
        wait_for((folder / "munge/socket").exists, "munge", folder)
        for name, words in (
            (names[0], ["slurmctld", "-D"]),
            (names[0], ["slurmd", "-D", "-N", "isp1"]),
            (names[1], ["slurmd", "-D", "-N", "isp2"]),
        ):
            log = folder / f"{words[0]}.{words[-1]}.log"
            script = ["unshare", "--mount", "sh", "-c", ON_HOST.format(folder=folder), name]
            running.append(daemon([*script, *words], log, env=environment))
        count = ["ip", "netns", "exec", names[0], "sinfo", "--noheader", "--states=idle", "--format=%D"]
        wait_for(
            lambda: subprocess.run(count, check=False, capture_output=True, env=environment).stdout == b"2\n",
            "Slurm",
            folder,
        )
        yield environment
    finally:
        for process in reversed(running):
            process.terminate()
        for process in running:
            process.wait()


class Cluster(tc.Cluster):
    def __init__(self, isp, names, folder, environment):
        super().__init__(isp, names, folder)
        self.environment |= environment
        self.daemons = super().processes()
        self.mpiexec = "srun --mpi=pmi2 --nodes=2 --overcommit"

    def processes(self):
        return [pid for pid in super().processes() if pid not in self.daemons]


def check_queue(cluster, _program, _more):
    """isp ends its jobs: else they would keep their nodes"""
    limit = time.monotonic() + tc.LIMIT_S
    command = ["ip", "netns", "exec", cluster.names[0], "squeue", "--noheader"]
    while jobs := subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, env=cluster.environment
    ).stdout:
        assert time.monotonic() < limit, f"left: {jobs}"
        time.sleep(0.1)
    return "is empty"


RESULTS = [
    (tc.check_same, "umpire-suite/any_src-can-deadlock", 3),
    (tc.check_same, "tests/programs/third_sender_ok", 4),
    (tc.check_same, "tests/programs/crash_hides_sender", 4),
    (tc.check_ahead, "umpire-suite/any_src-can-deadlock", 3),
    (tc.check_ahead, "tests/programs/third_sender_ok", 4),
    (tc.check_ahead, "tests/programs/crash_hides_sender", 8),
]
ENDS = [
    (tc.check_ended, "tests/scheduler/spins", ("isp", signal.SIGINT, 3)),
    (tc.check_ended, "tests/scheduler/spins", ("isp", signal.SIGKILL, -signal.SIGKILL)),
    (tc.check_ended, "tests/scheduler/spins", ("a rank there", signal.SIGKILL, 1)),
    (check_queue, "the queue", ""),
    (tc.check_ended, "tests/scheduler/spins", ("srun", signal.SIGKILL, 3)),
]


def main():
    isp, programs = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    missing = [name for name in ("ip", "munged", "slurmctld", "slurmd", "srun") if not shutil.which(name)]
    if os.geteuid() != 0 or missing or tc.ip("netns").returncode:
        print(f"skipped: needs root, network namespaces, and: {', '.join(missing) or 'all is there'}")
        return tc.SKIP
    checks = [c for c in RESULTS if week.takes(f"{c[0].__name__} {c[1]}", 3)] + ENDS
    print(week.told(len(checks), len(RESULTS + ENDS)))
    with tempfile.TemporaryDirectory(prefix="isp-slurm-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        for made in ("results", "state", "spool.isp1", "spool.isp2"):
            (folder / made).mkdir()
        with contextlib.ExitStack() as stack:
            try:
                names = stack.enter_context(tc.hosts(2))
                environment = stack.enter_context(slurm(names, folder))
            except OSError as e:
                print(f"skipped: Slurm does not run here: {e}")
                return tc.SKIP
            cluster = Cluster(isp, names, folder / "results", environment)
            return 1 if tc.run_checks(cluster, "srun", programs, checks) else 0


if __name__ == "__main__":
    sys.exit(main())
