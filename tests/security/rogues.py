# SPDX-License-Identifier: BSD-3-Clause
"""Clients that isp does not want: each attacks in a thread of its own, again and again, until it is told to
stop.

A stranger does not know the token. What is sent to it is noted in `heard`: there must be nothing. How often
each has got through to isp is counted in `times`.
"""
import contextlib
import os
import random
import re
import socket
import struct
import threading
import time

WIRE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../include/isp/wire.h")
with open(WIRE, encoding="utf-8") as _wire:
    VERSION = int(re.search(r"#define ISP_WIRE_VERSION (\d+)u", _wire.read())[1])
HELLO, CALLS, FINALIZED, EXIT = 1, 3, 8, 7
HELLO_MAX, FRAME_MAX = 4096, 16 << 20
CROWD, HASTE = 1000, 100  # connections at a time, and one after the other
STRANGERS_MAX = 128  # isp lets so many wait (scheduler/link/strangers.c)
PAUSE_S = 0.05


def frame(kind, payload):
    return struct.pack("<IB", 1 + len(payload), kind) + payload


def hello(token, rank, size, version=VERSION, host=b"here"):
    return frame(
        HELLO, struct.pack("<I", version) + token + struct.pack("<iiqI", rank, size, 1, len(host)) + host
    )


class Rogues:
    def __init__(self, connect, ranks, seed=1):
        """connect(): a new connection to isp, or OSError"""
        self.connect, self.ranks, self.random = connect, ranks, random.Random(seed)
        self.stop = threading.Event()
        self.times, self.heard, self.threads = {}, [], []

    def start(self, *kinds):
        for kind in kinds:
            self.times[kind.__name__] = 0
            thread = threading.Thread(target=self.repeat, args=(kind,), daemon=True)
            thread.start()
            self.threads.append(thread)

    def end(self):
        self.stop.set()
        for thread in self.threads:
            thread.join()

    def repeat(self, kind):
        while not self.stop.is_set():
            try:
                with contextlib.ExitStack() as stack:
                    kind(self, stack)
                self.times[kind.__name__] += 1
            except OSError:  # no isp, or it has closed: there will be another world
                pass
            self.stop.wait(PAUSE_S)  # the machine is not theirs alone

    def dial(self, stack):
        return stack.enter_context(self.connect())

    def listen(self, sock, kind, limit_s=0.1):
        """Whatever comes, until isp closes it or the time is over."""
        sock.settimeout(limit_s)
        try:
            data = sock.recv(4096)
        except OSError:  # a time-out is one
            data = b""
        if data:
            self.heard.append((kind, data))

    def wrong_token(self):
        return self.random.randbytes(32)


# ---- strangers ----


def wrong_token(r, stack):
    sock = r.dial(stack)
    sock.sendall(hello(r.wrong_token(), r.random.randrange(r.ranks), r.ranks))
    r.listen(sock, "wrong_token")


def wrong_version(r, stack):
    sock = r.dial(stack)
    sock.sendall(hello(r.wrong_token(), 0, r.ranks, version=r.random.choice([0, 1, 8, 10, 2**32 - 1])))
    r.listen(sock, "wrong_version")


def half_hello(r, stack):
    message, sock = hello(r.wrong_token(), 0, r.ranks), r.dial(stack)
    sock.sendall(message[: r.random.randrange(1, len(message))])
    r.listen(sock, "half_hello")


def huge_length(r, stack):
    sock = r.dial(stack)
    sock.sendall(
        struct.pack(
            "<IB", r.random.choice([0, HELLO_MAX + 1, FRAME_MAX, FRAME_MAX + 1, 2**31, 2**32 - 1]), HELLO
        )
    )
    with contextlib.suppress(OSError):
        for _ in range(64):
            sock.sendall(bytes(1 << 16))
    r.listen(sock, "huge_length")


def garbage(r, stack):
    sock = r.dial(stack)
    with contextlib.suppress(OSError):
        sock.sendall(r.random.randbytes(r.random.randrange(1, 20000)))
    r.listen(sock, "garbage")


def without_hello(r, stack):
    sock = r.dial(stack)
    sock.sendall(frame(FINALIZED, b"") + frame(EXIT, struct.pack("<iB", 0, 1)))
    r.listen(sock, "without_hello")


def slow_writer(r, stack):
    """one byte a second, for as long as isp lets it"""
    sock, message = r.dial(stack), hello(r.wrong_token(), 0, r.ranks, host=b"x" * 4000)
    for i in range(len(message)):
        sock.sendall(message[i : i + 1])
        r.listen(sock, "slow_writer", 0)
        if r.stop.wait(1):
            return


def silent(r, stack):
    """never says anything, and waits for what isp may say"""
    sock = r.dial(stack)
    while not r.stop.is_set():
        sock.settimeout(0.1)
        with contextlib.suppress(TimeoutError):
            data = sock.recv(100)
            if data:
                r.heard.append(("silent", data))
            return


def crowd(r, stack):
    """a thousand connections at a time, or as many as can be made before the world's end"""
    socks = []
    try:
        while len(socks) < CROWD:
            socks.append(r.dial(stack))
    except OSError:
        if len(socks) <= STRANGERS_MAX:
            raise
    r.stop.wait(0.2)
    for sock in socks:
        r.listen(sock, "crowd", 0)


def comes_and_goes(r, stack):
    for _ in range(HASTE):
        r.connect().close()


STRANGERS = [
    wrong_token,
    wrong_version,
    half_hello,
    huge_length,
    garbage,
    without_hello,
    slow_writer,
    silent,
    crowd,
    comes_and_goes,
]


# ---- who knows the token ----


def again(token):
    """the HELLO of a rank that is there, and what such a rank could say next"""

    def rank_again(r, stack):
        sock = r.dial(stack)
        sock.sendall(
            hello(token, r.random.randrange(r.ranks), r.ranks)
            + frame(EXIT, struct.pack("<iB", 7, 0))
            + frame(FINALIZED, b"")
        )
        r.listen(sock, "rank_again")

    return rank_again


def nobody(token):
    """a rank that does not exist"""

    def no_such_rank(r, stack):
        sock = r.dial(stack)
        sock.sendall(
            hello(
                token, r.random.choice([r.ranks, r.ranks + 1, 1 << 20, 2**31 - 1, -1, -(2**31)]), r.ranks
            )
            + frame(EXIT, struct.pack("<iB", 7, 0))
            + frame(CALLS, bytes(64))
        )
        r.listen(sock, "no_such_rank")

    return no_such_rank


def replay(recorded):
    """all that a rank has sent so far, as somebody in the network may have seen it"""

    def replay_of_stream(r, stack):
        sock = r.dial(stack)
        with contextlib.suppress(OSError):
            sock.sendall(bytes(recorded))
        r.listen(sock, "replay_of_stream")

    return replay_of_stream


class Recorder:
    """Between the ranks and isp: passes all on, and keeps what the ranks send."""

    def __init__(self, port):
        self.port, self.lock = port, threading.Lock()
        self.recorded, self.answered = [], 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"tcp:127.0.0.1:{self.listener.getsockname()[1]}"
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                rank, _ = self.listener.accept()
                isp = socket.create_connection(("127.0.0.1", self.port))
            except OSError:
                return
            for sock in (rank, isp):
                sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            stream = bytearray()
            with self.lock:
                self.recorded.append(stream)
            threading.Thread(target=self.pass_on, args=(rank, isp, stream), daemon=True).start()
            threading.Thread(target=self.pass_on, args=(isp, rank, None), daemon=True).start()

    def pass_on(self, source, target, stream):
        first = stream is None
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if stream is not None:
                    stream += data
                target.sendall(data)
                if first:
                    with self.lock:
                        self.answered += 1
                first = False
        for sock in (source, target):
            with contextlib.suppress(OSError):
                sock.shutdown(socket.SHUT_RDWR)

    def await_ranks(self, ranks, limit_s=30):
        """the token, when all are in"""
        limit = time.monotonic() + limit_s
        while time.monotonic() < limit:
            with self.lock:
                if self.answered >= ranks and len(self.recorded) >= ranks:
                    return bytes(self.recorded[0][9:41])
            time.sleep(0.002)
        raise AssertionError("the ranks did not connect")

    def close(self):
        self.listener.close()
