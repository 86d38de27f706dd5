# SPDX-License-Identifier: BSD-3-Clause
"""A rank that lies: run by isp as its program, it says HELLO as libisp.so does, and then what libisp.so never
says. liar.py LIE [SEED]"""
import os
import random
import socket
import struct
import sys
import time

import rogues

(
    HELLO,
    SITE,
    CALLS,
    FINDING,
    CRASH,
    ABORT,
    EXIT,
    FINALIZED,
    TYPE,
    QUIET,
    POLLS,
    OVERWRITTEN,
    STARTED,
    UNSTARTED,
    ACCESS,
    SEGMENT,
    ACTED,
    BACK,
    SPOILT,
    NO_FORK,
    FILE,
    FILE_ACCESS,
) = range(1, 23)
WELCOME, GO, DIE = 64, 65, 66
U16, U32, U64 = 2**16 - 1, 2**32 - 1, 2**64 - 1


def record(op, fields=b"", flags=1):
    return struct.pack("<BBIHI", op, 0, flags, 1, 0) + fields


def calls(*records, thread=0):
    return rogues.frame(CALLS, struct.pack("<I", thread) + b"".join(records))


def send(handle=0, comm=0, peer=0, size=4):
    return record(1, struct.pack("<IiiiQIQ", handle, comm, peer, 0, size, 0, 1))


# What is said after HELLO and WELCOME.
LIES = {
    "no such message": lambda: rogues.frame(200, b""),
    "messages of isp": lambda: rogues.frame(WELCOME, bytes(40))
    + rogues.frame(GO, bytes(40))
    + rogues.frame(DIE, b"\1"),
    "HELLO again": lambda: rogues.hello(bytes(32), 0, 2),
    "no frame": lambda: struct.pack("<I", 0),
    "too long a frame": lambda: struct.pack("<IB", (16 << 20) + 1, CALLS),
    "a frame that is cut off": lambda: struct.pack("<IB", 16 << 20, CALLS) + bytes(1 << 20),
    "no such kind of call": lambda: calls(record(99)),
    "half a record": lambda: calls(send()[:20]),
    "a list that is longer than its frame": lambda: calls(record(4, struct.pack("<I", U32))),
    "a send to nobody": lambda: calls(send(peer=1 << 30)),
    "a send on no communicator": lambda: calls(send(comm=77777)),
    "all bits": lambda: calls(send(U32, -1, -1, U64)),
    "the same handle twice": lambda: calls(record(1, send()[10:], 0), record(1, send()[10:], 0), record(11)),
    "completes what it has not begun": lambda: calls(record(4, struct.pack("<II", 1, 5))),
    "a thread of its own for each call": lambda: b"".join(calls(send(), thread=i) for i in range(2000)),
    "a place far away": lambda: rogues.frame(SITE, struct.pack("<IQI", U32, 0, 0) + struct.pack("<I", 0)),
    "many callers": lambda: rogues.frame(SITE, struct.pack("<IQII", 1, 0, 0, U32)),
    "no such rule": lambda: rogues.frame(FINDING, struct.pack("<HHIIB", U16, U16, U32, U32, 9) + bytes(64)),
    "a type out of order": lambda: rogues.frame(TYPE, struct.pack("<II", 7, 1) + bytes(32)),
    "a type of itself": lambda: rogues.frame(
        TYPE, struct.pack("<III", 0, 1, 1) + struct.pack("<QI", U64, 0x100)
    ),
    "a huge crash": lambda: rogues.frame(CRASH, struct.pack("<iI", -1, U32) + bytes(100)),
    "goes back to where it was not": lambda: rogues.frame(BACK, struct.pack("<IBBB", U32, 1, 1, 1)),
    "has done what it was not asked": lambda: rogues.frame(ACTED, b"") * 3
    + rogues.frame(NO_FORK, struct.pack("<I", 0)),
    "a segment of nobody": lambda: rogues.frame(SEGMENT, struct.pack("<qi", -1, -1))
    + rogues.frame(SEGMENT, struct.pack("<qi", 1, 0)),
    "ends again and again": lambda: (
        rogues.frame(FINALIZED, b"") + rogues.frame(EXIT, struct.pack("<iB", 0, 1))
    )
    * 5,
    "calls after its end": lambda: calls(record(8)) + rogues.frame(FINALIZED, b"") + calls(send(), record(8)),
    "polls while it waits": lambda: calls(record(8)) + rogues.frame(POLLS, struct.pack("<HIB", 1, 0, 1)),
    "is quiet in the future": lambda: rogues.frame(QUIET, struct.pack("<QBHI", U64, 1, 0, 0)) + calls(send()),
    "a thread that nobody has seen": lambda: rogues.frame(QUIET, struct.pack("<QBHI", 0, 1, U16, U32)),
    "accesses": lambda: rogues.frame(ACCESS, b"\xff" * 200),
    "accesses to files": lambda: rogues.frame(FILE_ACCESS, b"\xff" * 200),
    "a file of nobody": lambda: rogues.frame(
        FILE_ACCESS, struct.pack("<BBHIiQQQI", 1, 0, 1, 0, 77777, 1, 1, 0, 0)
    ),
}


def at_random(seed):
    r = random.Random(seed)
    frames = [
        rogues.frame(r.randrange(1, 23), r.randbytes(r.choice((0, 1, 4, 8, 20, 60, 300)))) for _ in range(20)
    ]
    shaped = [
        calls(
            *(
                record(
                    r.randrange(1, 13),
                    struct.pack(f"<{k}i", *(r.choice((-2, -1, 0, 1, 2, 7, 2**31 - 1)) for _ in range(k))),
                    r.choice((0, 1, 2, 3)),
                )
                for _ in range(r.randrange(1, 4))
            )
        )
        for k in (0, 1, 2, 4, 9, 10)
    ]
    return b"".join(r.sample(frames + shaped, 6))


def connect(link):
    if link.startswith("tcp:"):
        host, port = link[4:].rsplit(":", 1)
        return socket.create_connection((host, int(port)))
    sock = socket.socket(socket.AF_UNIX)
    sock.connect(link[5:])
    return sock


def main():
    sock = connect(os.environ["ISP_LINK"])
    sock.sendall(
        rogues.hello(
            bytes.fromhex(os.environ["ISP_TOKEN"]), int(os.environ["PMI_RANK"]), int(os.environ["PMI_SIZE"])
        )
    )
    sock.recv(4096)  # WELCOME
    if os.environ["PMI_RANK"] == "0":
        try:
            sock.sendall(LIES[sys.argv[1]]() if sys.argv[1] in LIES else at_random(int(sys.argv[2])))
        except OSError:
            pass
    sock.settimeout(30)
    while sock.recv(4096):  # until isp has had enough
        time.sleep(0.01)


if __name__ == "__main__":
    main()
