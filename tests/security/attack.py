#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Rogue clients (rogues.py) attack isp while it explores: its result must be what it is without them, none of
them may learn anything, and isp's memory and descriptors stay within bounds. Once at the Unix socket, which
only processes of the same user reach, and twice at a TCP port.

Usage: attack.py ISP PROGRAM (orders.c) [scenario...]
"""
import collections
import glob
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import rogues

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from alike import alike  # noqa: E402
from marks import marked, new_mark, setting  # noqa: E402

LIMIT_S = 120
MOST_ATTACKS = 8  # a short exploration is over before each rogue has got through: then there is another
MORE_FDS = rogues.STRANGERS_MAX + 16  # and a few for accepting
MORE_KB = 12 << 10

SCENARIOS = {  # options, ranks, interleavings
    "unix": ([], 5, 438),
    "tcp": (["--tcp", "127.0.0.1:PORT"], 5, 438),
    "unix, ranks go ahead": (["--decentralized"], 4, 26),
    "tcp, ranks go ahead": (["--tcp", "127.0.0.1:PORT", "--decentralized"], 4, 26),
    "tcp, a world for each interleaving": (["--tcp", "127.0.0.1:PORT", "--no-checkpoints"], 4, 26),
}


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as s:
        return s.getsockname()[1]


class Watch(threading.Thread):
    """the most memory and descriptors that a process has"""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.process, self.fds, self.kb = process, 0, 0

    def run(self):
        while self.process.poll() is None:
            try:
                self.fds = max(self.fds, len(os.listdir(f"/proc/{self.process.pid}/fd")))
                with open(f"/proc/{self.process.pid}/status") as status:
                    self.kb = max(
                        self.kb, *(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
                    )
            except (OSError, TypeError, ValueError):
                pass
            time.sleep(0.02)


class Exploration:
    def __init__(self, isp, program, folder, options, ranks):
        self.tmp = tempfile.mkdtemp(dir=folder)
        self.port, self.ranks = free_port(), ranks
        self.recorder = (
            rogues.Recorder(self.port) if "--tcp" in options and "--no-checkpoints" not in options else None
        )
        command = [program, "deadlock"]
        if self.recorder:  # the ranks find isp behind the recorder
            command = ["env", f"ISP_LINK={self.recorder.address}", *command]
        self.json, self.mark = os.path.join(folder, "result.json"), new_mark()
        env = (
            {k: v for k, v in os.environ.items() if not k.startswith("ISP_")}
            | {"TMPDIR": self.tmp}
            | setting(self.mark)
        )
        self.process = subprocess.Popen(
            [
                isp,
                *(w.replace("PORT", str(self.port)) for w in options),
                "-n",
                str(ranks),
                "--json",
                self.json,
                *command,
            ],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.watch = Watch(self.process)
        self.watch.start()

    def connect(self):
        if self.tcp:
            return socket.create_connection(("127.0.0.1", self.port), timeout=5)
        links = glob.glob(os.path.join(self.tmp, "isp-*", "link"))
        if not links:
            raise FileNotFoundError("no world now")
        sock = socket.socket(socket.AF_UNIX)
        sock.settimeout(5)
        sock.connect(links[0])
        return sock

    def attack(self, tcp):
        self.tcp = tcp
        all_rogues = rogues.Rogues(self.connect, self.ranks)
        all_rogues.start(*rogues.STRANGERS)
        if self.recorder:
            token = self.recorder.await_ranks(self.ranks)
            stream = max(self.recorder.recorded, key=len)
            all_rogues.start(rogues.again(token), rogues.nobody(token), rogues.replay(stream))
        return all_rogues

    def end(self):
        said = self.process.communicate(timeout=LIMIT_S)[1]
        self.watch.join()
        if self.recorder:
            self.recorder.close()
        left = [f"process {pid}" for pid in marked(self.mark)] + glob.glob(os.path.join(self.tmp, "*"))
        try:
            with open(self.json, encoding="utf-8") as f:
                result = json.load(f)
        except OSError:
            raise AssertionError(f"no result: exit code {self.process.returncode}\n{said}") from None
        os.unlink(self.json)
        return result, self.process.returncode, left, said


def plain(result, *addresses):
    """without what differs between two runs; of ranks that go ahead, which interleaving is the first"""
    if "--decentralized" in result["invocation"]["words"]:
        rules = sorted({f["rule"] for f in result["findings"]})
        return json.dumps([result["verdict"], result["complete"], result["interleavings"], rules])
    text = json.dumps(alike(result), indent=1, sort_keys=True)
    for address in addresses:
        text = text.replace(address, "PORT")
    return text


def attacked(isp, program, folder, options, ranks, without, times):
    """Explores once under attack. How often each has got through is added to `times`."""
    quiet, expected, code = without
    busy = Exploration(isp, program, folder, options, ranks)
    attackers = busy.attack("--tcp" in options)
    try:
        result, code_too, left, said = busy.end()
    finally:
        attackers.end()
    ports = [str(e.port) for e in (quiet, busy)] + [e.recorder.address for e in (quiet, busy) if e.recorder]
    assert (plain(result, *ports), code_too) == (
        plain(expected, *ports),
        code,
    ), f"another result:\n{said}\n{plain(result)}"
    assert not attackers.heard, f"isp told a rogue something: {attackers.heard[:3]}"
    assert not left, f"left: {left}"
    assert (
        busy.watch.fds <= quiet.watch.fds + MORE_FDS
    ), f"{busy.watch.fds} descriptors, {quiet.watch.fds} without rogues"
    assert busy.watch.kb <= quiet.watch.kb + MORE_KB, f"{busy.watch.kb} kB, {quiet.watch.kb} without rogues"
    times.update(attackers.times)
    busy.seconds = result["seconds"]
    return busy


def check(name, isp, program, folder):
    options, ranks, interleavings = SCENARIOS[name]
    quiet = Exploration(isp, program, folder, options, ranks)
    expected, code, _, said = quiet.end()
    assert code == 1 and expected["interleavings"] == interleavings and expected["complete"], said

    times = collections.Counter()
    for _ in range(MOST_ATTACKS):
        busy = attacked(isp, program, folder, options, ranks, (quiet, expected, code), times)
        idle = [kind for kind, n in times.items() if n == 0 and kind not in ("slow_writer", "silent")]
        if not idle:
            break
    assert not idle, f"these did not get through to isp: {idle}: {times}"
    n = sum(
        times_of * (rogues.CROWD if kind == "crowd" else rogues.HASTE if kind == "comes_and_goes" else 1)
        for kind, times_of in times.items()
    )
    print(
        f"ok {name}: {expected['interleavings']} interleavings, {expected['seconds']:.1f} s, "
        f"under attack {busy.seconds:.1f} s; "
        f"some {n} connections of {len(times)} kinds; "
        f"descriptors {quiet.watch.fds} -> {busy.watch.fds}, memory {quiet.watch.kb >> 10} -> "
        f"{busy.watch.kb >> 10} MB",
        flush=True,
    )


def main():
    isp, program = map(os.path.abspath, sys.argv[1:3])
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    failed = 0
    for name in sys.argv[3:] or SCENARIOS:
        with tempfile.TemporaryDirectory(prefix="isp-attack-") as folder:
            try:
                check(name, isp, program, folder)
            except AssertionError as error:
                failed += 1
                print(
                    f"FAIL {name}: {error}\n  again: tests/security/attack.py {sys.argv[1]} {sys.argv[2]} "
                    f"'{name}'",
                    flush=True,
                )
    sys.exit(failed > 0)


main()
