#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""isp --slurm on a cluster of one node, made for the test: the result is the one of a single process, and
nothing is left.

Usage: slurm.py ISP PROGRAM    (PROGRAM: orders.c; exit code 77, skipped: Slurm is not installed)

munged, slurmctld and slurmd run with files of their own in a temporary folder, on ports of their own on
loopback, as the user who runs the test; slurmd has to be root's.
"""
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from alike import alike  # noqa: E402

NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "scancel", "sinfo", "squeue")
SKIPPED = 77

CONFIG = """
ClusterName=isp
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.sock
CredType=cred/munge
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,sched_interval=1,sched_min_interval=100000,batch_sched_delay=0
CompleteWait=0
EpilogMsgTime=1
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(n):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(n)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Cluster:
    def __init__(self, folder):
        self.folder, self.daemons = folder, []
        self.path = os.environ["PATH"] + ":/usr/sbin:/sbin"
        for name in "state", "spool", "work":
            os.mkdir(os.path.join(folder, name))
        with open(os.path.join(folder, "key"), "wb") as f:
            f.write(os.urandom(128))
        os.chmod(f.name, 0o400)
        host = socket.gethostname().split(".")[0]
        with open(os.path.join(folder, "slurm.conf"), "w", encoding="utf-8") as f:
            f.write(CONFIG.format(folder=folder, host=host, ports=free_ports(2)))
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("ISP_", "SLURM_"))}
        self.env |= {"SLURM_CONF": f.name, "PATH": self.path}

    def daemon(self, *words):
        with open(os.path.join(self.folder, words[0] + ".log"), "wb") as log:
            self.daemons.append(
                subprocess.Popen(words, env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            )

    def start(self):
        f = self.folder
        self.daemon(
            "munged",
            "--force",
            "--foreground",
            f"--socket={f}/munge.sock",
            f"--key-file={f}/key",
            f"--pid-file={f}/munged.pid",
            f"--log-file={f}/munged.log",
            f"--seed-file={f}/seed",
        )
        self.until(lambda: os.path.exists(f"{f}/munge.sock"), "munged runs")
        self.daemon("slurmctld", "-D")
        self.daemon("slurmd", "-D")
        self.until(lambda: "idle" in self.say("sinfo", "-h"), "the node is idle")

    def until(self, condition, what):
        end = time.monotonic() + 60
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"timed out waiting until {what}; folder {self.folder}")
            time.sleep(0.1)

    def say(self, *words):
        return subprocess.run(
            words, env=self.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        ).stdout

    def stop(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            daemon.wait(30)


def explore(cluster, isp, program, mode, *options):
    """The result without its seconds, and what isp said."""
    file = os.path.join(cluster.folder, "result.json")
    done = subprocess.run(
        [isp, "--json", file, *options, "-n", "4", "--", program, mode],
        env=cluster.env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        cwd=os.path.join(cluster.folder, "work"),
        check=False,
    )
    assert done.returncode in (0, 1), (done.returncode, done.stderr)
    with open(file, encoding="utf-8") as f:
        return alike(json.load(f)), done.stderr


def check(cluster, isp, program):
    for mode, at_a_time in ("deadlock", 2), ("later", 1):
        alone, _ = explore(cluster, isp, program, mode)
        result, said = explore(cluster, isp, program, mode, "-v", "-j", str(at_a_time), "--slurm", "--time=5")
        for key in alone:
            assert (
                alone[key] == result[key]
            ), f"{mode}: {key}: {json.dumps(alone[key])} but {json.dumps(result[key])}\n{said}"
        tasks = [
            int(line.split()[-2]) for line in said.splitlines() if line.startswith("isp: note: Slurm's job")
        ]
        assert sum(tasks) >= 4, said
        left = os.listdir(os.path.join(cluster.folder, "work"))
        assert not left, left
        assert not cluster.say("squeue", "-h"), "jobs are left"
        print(
            f"ok {mode}: {result['interleavings']} and {result['buffered_interleavings']} interleavings, "
            f"with {tasks} tasks"
        )


def main():
    isp, program = map(os.path.abspath, sys.argv[1:3])
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    missing = [name for name in NEEDED if not shutil.which(name)]
    if missing or os.geteuid() != 0:
        print(
            f"skipped: "
            f"{'not root' if not missing else ', '.join(missing) + ' not found: apt install slurm-wlm munge'}"
        )
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="isp-slurm-") as folder:
        cluster = Cluster(folder)
        try:
            cluster.start()
            check(cluster, isp, program)
        finally:
            cluster.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
