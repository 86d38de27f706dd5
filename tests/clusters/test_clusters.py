#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Ranks on two and on four hosts: network namespaces, joined by virtual cables and a switch. isp, mpiexec and
some of the ranks are on the first; each other one has a host name and process numbers of its own, so isp
cannot reach the processes there but through TCP and the launcher.

Each program must get the same verdict, interleavings and findings, with their lines, as with all ranks on one
host; and nothing may be left on any host, whatever ends the run. Needs root, and the `ip` of iproute2.

    test_clusters.py ISP FOLDER_OF_PROGRAMS
"""
import contextlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SKIP = 77  # for meson
LIMIT_S = 60
NETWORK = "10.77.0."  # host k, from 1 on, has address k
HERE = NETWORK + "1"

# Hydra calls it as it calls ssh: [-x] HOST COMMAND, where the command is for the shell of that host.
LAUNCHER = """\
#!/bin/sh
[ "$1" != -x ] || shift
number=${{1##*.}}
shift
exec ip netns exec {name}-"$number" unshare --uts --pid --mount-proc --fork --kill-child \\
    sh -c 'hostname isp-'"$number"'; eval "$*"' sh "$@"
"""


def ip(*words):
    return subprocess.run(["ip", *words], check=False, capture_output=True, text=True)


def must(*words):
    done = ip(*words)
    if done.returncode:
        raise OSError(f"ip {shlex.join(words)}: {done.stderr.strip()}")


@contextlib.contextmanager
def hosts(n):
    """the names of n namespaces that see each other: "cable" of the first is the switch"""
    names = [f"isp-{os.getpid()}-{i}" for i in range(1, n + 1)]
    first = names[0]
    try:
        for name in names:
            must("netns", "add", name)
        must("-n", first, "link", "add", "cable", "type", "bridge")
        for i, name in enumerate(names[1:]):
            ends = ("link", "add", f"port{i}", "netns", first, "type", "veth", "peer", "name", "cable")
            must(*ends, "netns", name)
            must("-n", first, "link", "set", f"port{i}", "master", "cable", "up")
        for i, name in enumerate(names):
            must("-n", name, "address", "add", f"{NETWORK}{i + 1}/24", "dev", "cable")
            must("-n", name, "link", "set", "cable", "up")
            must("-n", name, "link", "set", "lo", "up")
        limit = time.monotonic() + LIMIT_S
        while any(" UP " not in ip("-n", name, "-brief", "link", "show", "cable").stdout for name in names):
            if time.monotonic() > limit:
                raise OSError("the cable does not come up")
            time.sleep(0.01)
        yield names
    finally:
        for name in names:
            ip("netns", "delete", name)


class Cluster:
    def __init__(self, isp, names, folder):
        self.isp, self.names, self.folder = isp, names, folder
        launcher = folder / "launcher"
        launcher.write_text(LAUNCHER.format(name=names[0].removesuffix("-1")), encoding="utf-8")
        launcher.chmod(0o755)
        # UCX takes two namespaces for one machine with shared memory, unless it is told to use TCP.
        self.environment = dict(
            os.environ, UCX_TLS="tcp,self", UCX_NET_DEVICES="cable", UCX_WARN_UNUSED_ENV_VARS="n"
        )
        addresses = ",".join(f"{NETWORK}{i + 1}" for i in range(len(names)))
        self.mpiexec = f"mpiexec -launcher ssh -launcher-exec {launcher} -localhost {HERE} -hosts {addresses}"

    def local(self, *options):
        return [self.isp, *options]

    def spread(self, *options):
        return [
            "ip",
            "netns",
            "exec",
            self.names[0],
            self.isp,
            "--tcp",
            f"{HERE}:0",
            "--mpiexec",
            self.mpiexec,
            *options,
        ]

    def processes(self):
        """of all namespaces"""
        found = []
        for name in self.names:
            found += ip("netns", "pids", name).stdout.split()
        return found

    def wait_until_empty(self):
        limit = time.monotonic() + LIMIT_S
        while self.processes():
            if time.monotonic() > limit:
                names = [Path(f"/proc/{p}/cmdline").read_text().replace("\0", " ") for p in self.processes()]
                raise AssertionError(f"left behind: {names}")
            time.sleep(0.05)

    def result(self, environment, command, ranks, program, arguments=()):
        """what isp found, without what is expected to differ"""
        file = self.folder / "result.json"
        file.unlink(missing_ok=True)
        done = subprocess.run(
            [*map(str, command), f"--json={file}", "-n", str(ranks), "--", str(program), *arguments],
            check=False,
            timeout=LIMIT_S,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if not file.exists():
            raise AssertionError(f"no result: {done.stderr}")
        result = json.loads(file.read_text(encoding="utf-8"))
        findings = [
            (
                f["rule"],
                f["ranks"],
                f["interleaving"],
                [(s["rank"], s["call"], Path(s.get("file") or "?").name, s.get("line")) for s in f["sites"]],
            )
            for f in result["findings"]
        ]
        return done.returncode, result["verdict"], result["interleavings"], sorted(findings)


def check_same(cluster, program, ranks):
    here = cluster.result(os.environ, cluster.local(), ranks, program)
    spread = cluster.result(cluster.environment, cluster.spread(), ranks, program)
    assert here == spread, f"\n  one host: {here}\n  several:  {spread}"
    cluster.wait_until_empty()
    return f"{spread[1]}, {spread[2]} interleavings"


def check_ahead(cluster, program, ranks):
    """Ranks that go ahead: the same, in interleavings of other names."""

    def unnamed(result):
        code, verdict, interleavings, findings = result
        return code, verdict, interleavings, sorted((rule, sites) for rule, _, _, sites in findings)

    here = unnamed(cluster.result(os.environ, cluster.local(), ranks, program))
    spread = unnamed(cluster.result(cluster.environment, cluster.spread("--decentralized"), ranks, program))
    assert here == spread, f"\n  one host: {here}\n  several, decentralized: {spread}"
    cluster.wait_until_empty()
    return f"{spread[1]}, {spread[2]} interleavings, decentralized"


def processes_of(host, program):
    pids = ip("netns", "pids", host).stdout.split()
    return [int(p) for p in pids if os.path.realpath(f"/proc/{p}/exe") == str(program)]


def check_ended(cluster, program, what):
    """isp, a rank on the other host, or another program on this one gets a signal while ranks on both hosts
    compute"""
    victim, signum, code = what
    started = cluster.folder / "started"
    process = subprocess.Popen(
        [*map(str, cluster.spread("--timeout=0")), "-n", "4", "--", str(program), str(started)],
        env=cluster.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    limit = time.monotonic() + LIMIT_S
    while len(list(cluster.folder.glob("started*"))) < 4:
        assert time.monotonic() < limit and process.poll() is None, "the ranks did not start"
        time.sleep(0.02)
    if victim == "isp":
        victims = [process.pid]
    elif victim == "a rank there":
        victims = processes_of(cluster.names[1], program)[:1]
    else:
        victims = processes_of(cluster.names[0], os.path.realpath(shutil.which(victim)))
    for pid in victims:
        # srun's second process follows the first by itself
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signum)
    process.wait(LIMIT_S)
    cluster.wait_until_empty()
    for file in cluster.folder.glob("started*"):
        file.unlink()
    assert process.returncode == code, f"isp exits with {process.returncode} instead of {code}"
    return "nothing is left"


def run_checks(cluster, how, programs, checks):
    """how many failed"""
    failed = 0
    for check, name, more in checks:
        try:
            print(f"ok {how}, {name} {more}: {check(cluster, programs / name, more)}", flush=True)
        except (AssertionError, subprocess.TimeoutExpired) as e:
            failed += 1
            print(f"FAIL {how}, {name} {more}: {e}", flush=True)
    return failed


def check_all(isp, programs, n, checks):
    """on n hosts; how many failed"""
    with tempfile.TemporaryDirectory(prefix="isp-clusters-") as folder, hosts(n) as names:
        return run_checks(Cluster(isp, names, Path(folder)), f"{n} hosts", programs, checks)


def main():
    isp, programs = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    if os.geteuid() != 0 or not shutil.which("ip") or ip("netns").returncode:
        print("skipped: network namespaces need root and the program `ip`")
        return SKIP
    checks = [
        (check_same, name, ranks)
        for name, ranks in (
            ("umpire-suite/any_src-can-deadlock", 3),
            ("umpire-suite/any_src-can-deadlock_ok", 3),
            ("tests/programs/third_sender_ok", 4),
            ("tests/programs/crash_hides_sender", 4),
            ("tests/programs/abort_call", 4),
            ("umpire-suite/no-finalize", 4),
        )
    ]
    checks += [
        (check_ahead, name, ranks)
        for name, ranks in (
            ("umpire-suite/any_src-can-deadlock", 3),
            ("tests/programs/third_sender_ok", 4),
            ("tests/programs/crash_hides_sender", 4),
        )
    ]
    checks += [
        (check_ended, "tests/scheduler/spins", what)
        for what in (
            ("isp", signal.SIGINT, 3),
            ("isp", signal.SIGKILL, -signal.SIGKILL),
            ("a rank there", signal.SIGKILL, 1),
        )
    ]
    of_four = [
        (check_same, "tests/programs/third_sender_ok", 4),
        (check_ahead, "tests/programs/third_sender_ok", 4),
        (check_ahead, "umpire-suite/any_src-can-deadlock", 3),
        (check_ahead, "tests/programs/crash_hides_sender", 8),
    ]
    failed = 0
    try:
        for n, of_n in ((2, checks), (4, of_four)):
            failed += check_all(isp, programs, n, of_n)
    except OSError as e:
        print(f"skipped: no network namespaces here: {e}")
        return 1 if failed else SKIP
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
