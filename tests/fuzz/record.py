#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""
Writes what the ranks of a real run and isp tell each other, as inputs of the fuzz targets `world` and
`answers`.

    record.py ISP WORLD ANSWERS RANKS PROGRAM [isp options]

It runs isp with itself as the launcher, which starts mpiexec, and stands between the ranks and isp's TCP
port. Names of files are replaced: inputs are to be the same on every machine.
"""
import os
import selectors
import socket
import struct
import subprocess
import sys

HELLO, SITE, CRASH = 1, 2, 5
MODULE = b"/nowhere/app"


class Fields:
    """Takes little-endian fields off a payload."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, code):
        (value,) = struct.unpack_from("<" + code, self.data, self.at)
        self.at += struct.calcsize("<" + code)
        return value

    def skip_text(self):
        length = self.take("I")
        self.at += length


def without_names(kind, payload):
    """SITE and CRASH frames with another name for each module."""
    f, out = Fields(payload), b""
    if kind == SITE:
        out = struct.pack("<IQI", f.take("I"), f.take("Q"), len(MODULE)) + MODULE
        f.skip_text()
    elif kind == CRASH:
        out = struct.pack("<i", f.take("i"))
    else:
        return payload
    n = f.take("I")
    out += struct.pack("<I", n)
    for _ in range(n):
        out += struct.pack("<QI", f.take("Q"), len(MODULE)) + MODULE
        f.skip_text()
    return out


class Connection:
    """One rank, and the bytes in both directions that are not whole frames yet."""

    def __init__(self, rank_side, isp_side):
        self.rank_side, self.isp_side, self.rank = rank_side, isp_side, None
        self.up, self.down = b"", b""

    def frames(self, data):
        while len(data) >= 4:
            (length,) = struct.unpack_from("<I", data)
            if len(data) < 4 + length:
                break
            yield data[4], data[5 : 4 + length]
            data = data[4 + length :]
        self.rest = data


class Recorder:
    def __init__(self):
        self.world, self.answers = b"", {}

    def take_up(self, c, data):
        for kind, payload in c.frames(c.up + data):
            if kind == HELLO:
                (c.rank,) = struct.unpack_from("<i", payload, 4 + 32)
                continue
            payload = without_names(kind, payload)
            if len(payload) < 65536:
                self.world += struct.pack("<BBH", c.rank, kind, len(payload)) + payload
        c.up = c.rest

    def take_down(self, c, data):
        for kind, payload in c.frames(c.down + data):
            self.answers[c.rank] = (
                self.answers.get(c.rank, b"") + struct.pack("<BH", kind, len(payload)) + payload
            )
        c.down = c.rest


def launch(world, answers, head, command):
    """The launcher: mpiexec, and everything that the ranks say until it ends."""
    _, host, port = os.environ["ISP_LINK"].rsplit(":", 2)
    listener = socket.create_server(("127.0.0.1", 0))
    os.environ["ISP_LINK"] = f"tcp:127.0.0.1:{listener.getsockname()[1]}"
    mpiexec = subprocess.Popen(["mpiexec", *command])
    watch, recorder = selectors.DefaultSelector(), Recorder()
    watch.register(listener, selectors.EVENT_READ, None)
    while mpiexec.poll() is None:
        for key, _ in watch.select(0.1):
            if key.data is None:
                c = Connection(listener.accept()[0], socket.create_connection((host, int(port))))
                watch.register(
                    c.rank_side, selectors.EVENT_READ, (c, c.rank_side, c.isp_side, recorder.take_up)
                )
                watch.register(
                    c.isp_side, selectors.EVENT_READ, (c, c.isp_side, c.rank_side, recorder.take_down)
                )
                continue
            c, source, target, take = key.data
            data = source.recv(65536)
            if data:
                take(c, data)
                target.sendall(data)
            else:
                watch.unregister(source)
                target.shutdown(socket.SHUT_WR)
    if not os.path.exists(world):  # the first run
        with open(world, "wb") as out:
            out.write(bytes.fromhex(head) + recorder.world)
        for rank, frames in recorder.answers.items():
            if answers != "-":
                with open(f"{answers}-{rank}", "wb") as out:
                    out.write(frames)
    return mpiexec.returncode


def main():
    if sys.argv[1] == "--launch":
        return launch(sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:])
    isp, world, answers, ranks, program, *options = sys.argv[1:]
    buffered = 2 if "--buffering=infinite" in options else 0
    head = bytes([int(ranks) - 1 | buffered << 2 | 1 << 4, 0]).hex()
    launcher = (
        f"{sys.executable} {os.path.abspath(__file__)} --launch {os.path.abspath(world)} "
        f"{os.path.abspath(answers) if answers != '-' else '-'} {head}"
    )
    run = subprocess.run(
        [
            isp,
            "-n",
            ranks,
            "--tcp",
            "127.0.0.1:0",
            "--no-checkpoints",
            "--max-interleavings",
            "1",
            "--mpiexec",
            launcher,
            *options,
            "--",
            program,
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=60,
    )
    return 0 if os.path.exists(world) else run.returncode or 1


if __name__ == "__main__":
    sys.exit(main())
