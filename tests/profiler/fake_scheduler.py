# SPDX-License-Identifier: BSD-3-Clause
"""
A scheduler in miniature, to test libisp.so by itself.

It speaks the wire of include/isp/wire.h and plays one run, without any exploration:
the first pair that may match does, a wildcard takes the lowest rank, polls are
answered truthfully. It starts `mpiexec` itself and returns all that the ranks told.
"""
import os
import re
import secrets
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time

from flows import Flows

HERE = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(HERE, "../../include/isp/wire.h"), encoding="utf-8") as _wire:
    VERSION = int(re.search(r"#define ISP_WIRE_VERSION (\d+)u", _wire.read())[1])

SEND, RECV, PROBE, COMPLETE, COLLECTIVE, CANCEL, FREE, FINALIZE, JOIN, READY, DETACH = range(1, 12)
ADMIT = 14
FENCE, DETACHED, POLL, MATCHED, KEEP, SUBSET, HELD = 1, 2, 4, 8, 16, 32, 64
SLOT = 128
PARTITIONED = 512
GUARDED, TOOK, PERHAPS, MAP = 1 << 16, 1 << 17, 1 << 18, 1 << 21
CONTINUES = 1 << 20
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
) = range(1, 17)
STRAYS = 1 << 30  # a mark of CALLS: threads that must not call MPI
FILE = 21
FILE_ACCESS = 22
HOLDS = 23
NOBODY = 29
WELCOME, GO, DIE, HOLD = 64, 65, 66, 67
NEVER, IN_INIT = (1 << 64) - 1, (1 << 64) - 3  # a rank holds
ALL, ANY, SOME = range(3)
NOTHING, SAME, SPLIT, GROUP, COMM_FREE = range(5)
BUFFERED = 1
MESSAGE = 1
ANY_SOURCE, ANY_TAG, NO_RANK = -2, -1, -1
TOLD = 0x100


class Reader:
    """Takes little-endian fields off a payload."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, code):
        (value,) = struct.unpack_from("<" + code, self.data, self.at)
        self.at += struct.calcsize("<" + code)
        return value

    def raw(self, n):
        self.at += n
        assert self.at <= len(self.data)
        return self.data[self.at - n : self.at]

    def text(self):
        return self.raw(self.take("I")).decode()

    def list(self):
        return [self.take("I") for _ in range(self.take("I"))]

    def more(self):
        return self.at < len(self.data)


def read_place(r):
    place = {"kind": r.take("B"), "module": r.text(), "offset": r.take("Q")}
    r.take("q"), r.take("q"), r.take("q")
    return place


def read_change(r):
    """What was changed in a buffer (include/isp/change.h)."""
    c = dict(zip(("basic", "index", "n", "before", "bytes"), (r.take(k) for k in "IQQBB")))
    c["was"], c["is"] = r.raw(c["bytes"]), r.raw(c["bytes"])
    c["place"] = read_place(r)
    c["ways"] = [(read_place(r), [r.take("Q") for _ in range(r.take("I"))]) for _ in range(3)]
    return c


def read_call(r):
    """One record as a dictionary."""
    c = dict(zip(("op", "mode", "flags", "fn", "site"), (r.take(k) for k in "BBIHI")))
    c["list"] = []
    c["guards"] = r.take("Q") if c["flags"] & GUARDED else 0
    c["took"] = r.take("Q") if c["flags"] & TOOK else 0
    c["perhaps"] = r.take("Q") if c["flags"] & PERHAPS else 0
    if c["op"] in (SEND, RECV, PROBE):
        for name, code in (
            ("handle", "I"),
            ("comm", "i"),
            ("peer", "i"),
            ("tag", "i"),
            ("bytes", "Q"),
            ("type", "I"),
            ("count", "Q"),
        ):
            c[name] = r.take(code)
        c["color"], c["key"] = (r.take("i"), r.take("i")) if c["flags"] & PARTITIONED else (0, 0)
        if c["op"] == SEND and c["mode"] == BUFFERED:
            c["reserved"], c["attached"] = r.take("Q"), r.take("Q")
        if c["op"] == RECV and c["mode"] == MESSAGE:
            c["list"] = r.list()
    elif c["op"] == COMPLETE:
        c["list"] = r.list()
    elif c["op"] == COLLECTIVE:
        for name, code in (
            ("handle", "I"),
            ("flow", "B"),
            ("comm", "i"),
            ("peer", "i"),
            ("tag", "i"),
            ("root", "i"),
            ("redop", "I"),
            ("color", "i"),
            ("key", "i"),
            ("type", "I"),
            ("count", "Q"),
            ("taken_type", "I"),
            ("taken_count", "Q"),
        ):
            c[name] = r.take(code)
        c["list"] = r.list()
        given, taken = r.take("I"), r.take("I")
        shares = [
            (n, peer, kind, count)
            for n, peer, kind, count in (tuple(r.take(code) for code in "IiIQ") for _ in range(given + taken))
        ]
        c["given"], c["taken"] = shares[:given], shares[given:]
    elif c["op"] in (CANCEL, FREE, READY, JOIN):
        c["handle"] = r.take("I")
        if c["op"] == JOIN:
            c["list"] = r.list()
    else:
        assert c["op"] in (FINALIZE, DETACH, ADMIT), c
    c["map"] = r.list() if c["flags"] & MAP else []
    return c


class Rank:
    """What is known of one rank, and what it will be told next."""

    def __init__(self):
        self.socket, self.data = None, b""
        self.fence = None  # the record that it waits at
        self.ops = {}  # handle -> operation that is not done and consumed
        self.sends, self.receives = [], []  # unmatched, in program order
        self.actions = []
        self.finalized = False
        self.made = 0  # events
        self.held = None  # the function at which it holds
        self.lets = False  # its next event is the one at which it held


class Join(dict):
    """One request over several operations."""

    def __init__(self, rank, handle, parts):
        super().__init__(rank=rank, handle=handle, op=JOIN, parts=parts, consumed=False)

    def __getitem__(self, key):
        return (
            all(p["complete"] for p in self["parts"])
            if key in ("complete", "done")
            else super().__getitem__(key)
        )


class Scheduler:
    """Plays one run of `ranks` ranks."""

    def __init__(self, ranks, buffered=False, timeout_s=60, holds=False):
        """holds: each rank holds in MPI_Init and at each of its events, and is let go further by one, when
        all that has matched is done."""
        self.n, self.buffered, self.timeout_s, self.holds = ranks, buffered, timeout_s, holds
        self.held, self.begun, self.continued = 0, 0, 0
        self.ranks = [Rank() for _ in range(ranks)]
        self.members = {0: list(range(ranks)), **{1 + r: [r] for r in range(ranks)}}
        self.next_comm = 1 + ranks
        self.flows = Flows(self)
        self.told = []  # (rank, kind, values)
        self.calls, self.fences, self.sites, self.types = 0, 0, {}, {}
        self.deadlock = False

    # ---- messages in ----

    def frame(self, rank, kind, r):
        if kind == SITE:
            number, offset = r.take("I"), r.take("Q")
            self.sites[rank, number] = (r.text(), offset)
            for _ in range(r.take("I")):
                r.take("Q"), r.text()
        elif kind == CALLS:
            assert r.take("I") & ~STRAYS == 0, "a thread below MPI_THREAD_MULTIPLE, or others beside it"
            while r.more():
                self.add(rank, read_call(r))
        elif kind == FINDING:
            rule, fn, site, count, fatal = r.take("H"), r.take("H"), r.take("I"), r.take("I"), r.take("B")
            self.told.append(
                (
                    rank,
                    "finding",
                    {
                        "rule": rule,
                        "fn": fn,
                        "site": site,
                        "count": count,
                        "text": r.text(),
                        "story": r.text(),
                        "buffer": r.take("Q"),
                        "buffer_at": r.take("Q"),
                        "more": [(r.take("H"), r.take("I")) for _ in range(r.take("I"))],
                        "change": read_change(r) if r.take("B") else None,
                    },
                )
            )
        elif kind == CRASH:
            number = r.take("i")
            stack = [(r.take("Q"), r.text()) for _ in range(r.take("I"))]
            self.told.append((rank, "crash", {"signal": number, "stack": stack, "what": r.text()}))
        elif kind == ABORT:
            self.told.append((rank, "abort", {"code": r.take("i"), "site": r.take("I")}))
        elif kind == EXIT:
            self.told.append((rank, "exit", {"status": r.take("i"), "finalized": r.take("B")}))
        elif kind == TYPE:
            number = r.take("I")
            self.types[rank, number] = [
                [(r.take("Q"), r.take("I")) for _ in range(r.take("I"))] for _ in range(r.take("I"))
            ]
        elif kind == OVERWRITTEN:
            self.told.append(
                (rank, "overwritten", {"handle": r.take("I"), "fn": r.take("H"), "site": r.take("I")})
            )
        elif kind == STARTED:
            r.take("H"), r.take("I"), r.take("i"), r.take("i"), r.take("i")
        elif kind == NOBODY:
            nobody = dict(zip("op fn site comm tag".split(), [r.take(c) for c in "BHIii"]))
            self.told.append((rank, "nobody", nobody))
        elif kind == UNSTARTED:
            asked = {"fn": r.take("H"), "site": r.take("I"), "made": (r.take("H"), r.take("I"))}
            if not r.take("B"):
                self.told.append((rank, "unstarted", asked))
        elif kind == ACCESS:
            names = (
                "kind epoch flags fn site window target op type count target_type target_count base".split()
            )
            access = dict(zip(names, [r.take(c) for c in "BBBHIiiIIQIQQ"]))
            access["runs"] = [(r.take("Q"), r.take("Q")) for _ in range(r.take("I"))]
            assert all(length > 0 for _, length in access["runs"])
            self.told.append((rank, "access", access))
        elif kind == SEGMENT:
            r.take("q"), r.take("i")
        elif kind == FILE:
            what, names = r.take("H"), [r.take("Q") for _ in range(3)]
            assert 0 < what < 512 and (names[0] != 0) == (names[1] != 0), (what, names)
            r.text()
        elif kind == FILE_ACCESS:
            names = "kind flags fn site number device inode name".split()
            access = dict(zip(names, [r.take(c) for c in "BBHIiQQQ"]))
            access["runs"] = [[r.take("Q") for _ in range(4)] for _ in range(r.take("I"))]
            assert 1 <= access["kind"] <= 5 and access["flags"] < 64, access
            self.told.append((rank, "file access", access))
        elif kind == FINALIZED:
            self.told.append((rank, "finalized", {}))
        elif kind == HOLDS:
            self.hold(rank, r.take("Q"), r.take("H"), r.take("I"))
        else:
            raise AssertionError(f"message {kind} from rank {rank}")
        assert not r.more()
        dies = kind in (CRASH, ABORT) or (kind == EXIT and not self.told[-1][2]["finalized"])
        if dies or (kind == FINDING and fatal):
            self.send(rank, DIE, b"\0")  # a rank that is about to die waits for leave

    def hold(self, rank, event, fn, site):
        me = self.ranks[rank]
        assert self.holds and not me.fence and me.held is None, "a rank must not hold here"
        assert event == me.made and (site == 0 or (rank, site) in self.sites), (event, me.made, fn, site)
        me.held = fn
        self.held += 1

    def let_go(self):
        for rank, me in enumerate(self.ranks):
            if me.held is not None:
                begins = me.held in self.inits
                limit = NEVER if me.held == self.finalize else me.made if begins else me.made + 1
                me.held, me.lets = None, not begins
                self.send(rank, HOLD, struct.pack("<Q", limit))

    def count(self, me, c):
        """Only the first event of a call is held at; the others continue it."""
        assert me.held is None, "an event of a rank that holds"
        if c["op"] == READY:
            return
        continues = c["flags"] & CONTINUES != 0
        assert continues == (self.holds and not me.lets), (me.made, c)
        me.lets = False
        me.made += 1
        self.begun += not continues
        self.continued += continues

    def add(self, rank, c):
        self.calls += 1
        me = self.ranks[rank]
        assert not me.fence, "a record after a fence"
        self.count(me, c)
        assert c["site"] == 0 or (rank, c["site"]) in self.sites
        assert c.get("type", 0) < TOLD or (rank, c["type"] - TOLD) in self.types
        if c["op"] in (SEND, RECV):
            assert c["handle"] not in me.ops, f'handle {c["handle"]} is in use'
            c["rank"] = rank
            c["done"] = c["peer"] == NO_RANK and not c["flags"] & HELD
            c["complete"] = c["done"] or (
                c["op"] == SEND and (c["mode"] == BUFFERED or (self.buffered and c["mode"] == 0))
            )
            c["consumed"] = bool(c["flags"] & (FENCE | DETACHED))
            me.ops[c["handle"]] = c
            if c["op"] == RECV and c["mode"] == MESSAGE:
                probe = me.ops.pop(c["list"][0])
                self.fire(probe["send"], c)
            elif not c["done"] and not c["flags"] & HELD:
                (me.sends if c["op"] == SEND else me.receives).append(c)
        elif c["op"] == FREE:
            self.consume(rank, c["handle"])
        elif c["op"] == READY:
            held = me.ops[c["handle"]]
            if held["peer"] == NO_RANK:
                held["done"] = held["complete"] = True
                self.forget(held)
            else:
                me.sends.append(held)
        elif c["op"] == JOIN:
            assert c["handle"] not in me.ops, f'handle {c["handle"]} is in use'
            me.ops[c["handle"]] = Join(rank, c["handle"], [me.ops[h] for h in c["list"]])
            for handle in c["list"]:
                self.consume(rank, handle)
        elif c["op"] == COLLECTIVE and c["flags"] & SLOT:
            assert c["handle"] not in me.ops, f'handle {c["handle"]} is in use'
            self.flows.add(rank, c)
        if c["flags"] & FENCE:
            me.fence = c
            self.fences += 1

    # ---- matching ----

    def consume(self, rank, handle):
        op = self.ranks[rank].ops[handle]
        op["consumed"] = True
        self.forget(op)

    def forget(self, op):
        ops = self.ranks[op["rank"]].ops
        for o in [op, *(o for o in ops.values() if isinstance(o, Join))]:
            if o["done"] and o["consumed"]:
                ops.pop(o["handle"], None)

    def fire(self, send, receive):
        for op, peer in ((send, receive["rank"]), (receive, send["rank"])):
            op["done"] = op["complete"] = True
            op["source"] = send["rank"]
            self.ranks[op["rank"]].actions.append((0, op["handle"], peer, send["tag"]))
            self.forget(op)

    def find(self, rank, r):
        """The first message that a receive or probe accepts, from the lowest rank."""
        for source in self.ranks if r["peer"] == ANY_SOURCE else [self.ranks[r["peer"]]]:
            for s in source.sends:
                if (
                    s["peer"] == rank
                    and s["comm"] == r["comm"]
                    and r["tag"] in (ANY_TAG, s["tag"])
                    and not (s["flags"] ^ r["flags"]) & PARTITIONED
                    and (
                        not r["flags"] & PARTITIONED
                        or (s["color"], s["color"] and s["key"]) == (r["color"], r["color"] and r["key"])
                    )
                ):
                    return s
        return None

    def match_messages(self):
        moved = False
        for rank, me in enumerate(self.ranks):
            for r in list(me.receives):
                s = self.find(rank, r)
                if s:
                    me.receives.remove(r)
                    self.ranks[s["rank"]].sends.remove(s)
                    self.fire(s, r)
                    moved = True
        return moved

    def answer(self, rank, c):
        """The result of a fence that can be released by itself, or None."""
        me, no = self.ranks[rank], {"flag": 0}
        poll = c["flags"] & POLL
        if c["op"] in (SEND, RECV) or c["flags"] & SLOT:
            return {} if c["complete"] else None
        if c["op"] == COMPLETE:
            ready = [i for i, h in enumerate(c["list"]) if me.ops[h]["complete"]]
            if len(ready) < len(c["list"]) if c["mode"] == ALL else not ready:
                return no if poll else None
            if c["mode"] == ALL:
                ready = range(len(c["list"]))
            elif c["mode"] == ANY:
                ready = ready[:1]
            if not c["flags"] & KEEP:
                for i in ready:
                    self.consume(rank, c["list"][i])
            return {"list": [] if c["mode"] == ALL else list(ready)}
        if c["op"] == PROBE:
            s = self.find(rank, c)
            if not s:
                return no if poll else None
            if c["flags"] & MATCHED:
                assert c["handle"] not in me.ops
                self.ranks[s["rank"]].sends.remove(s)
                me.ops[c["handle"]] = {"send": s}
            return {"source": s["rank"], "tag": s["tag"], "bytes": s["bytes"]}
        if c["op"] == ADMIT:
            return {}
        if c["op"] == DETACH:
            return None if any(s["mode"] == BUFFERED for s in me.sends) else {}
        if c["op"] == CANCEL:
            op = me.ops[c["handle"]]
            if not op["complete"]:
                (me.sends if op["op"] == SEND else me.receives).remove(op)
                op["done"] = op["complete"] = True
                me.actions.append((1, c["handle"], NO_RANK, 0))
            return {}
        return None

    def match_collective(self, rank, c):
        """Releases all members if they all are there."""
        who = c["list"] if c["flags"] & SUBSET else self.members[c["comm"]]
        calls = {r: self.ranks[r].fence for r in who}
        if any(
            not o or o["op"] != COLLECTIVE or o["flags"] & SLOT or o["comm"] != c["comm"]
            for o in calls.values()
        ):
            return False
        for o in calls.values():
            assert (o["mode"], o["root"], o["redop"]) == (c["mode"], c["root"], c["redop"]), "mismatch"
        new = self.made_by(c["mode"], who, calls)
        for r in who:
            self.release(r, {"new_comm": new.get(r, -1)})
        return True

    def made_by(self, mode, who, calls):
        """The communicators that a collective makes, by rank."""
        if mode == SAME:
            return self.make({0: who})
        if mode == SPLIT:
            colors = {}
            for r in sorted(who, key=lambda r: (calls[r]["key"], who.index(r))):
                if calls[r]["color"] >= 0:
                    colors.setdefault(calls[r]["color"], []).append(r)
            return self.make(colors)
        made = calls[who[0]]["list"] if mode == GROUP else []
        return self.make({0: made} if made else {})

    def make(self, parts):
        new = {}
        for _, part in sorted(parts.items()):
            self.members[self.next_comm] = part
            new.update({r: self.next_comm for r in part})
            self.next_comm += 1
        return new

    # ---- messages out ----

    def send(self, rank, kind, payload):
        try:
            self.ranks[rank].socket.sendall(struct.pack("<IB", len(payload) + 1, kind) + payload)
        except BrokenPipeError:
            pass  # it has died: the end of its socket will say so

    def release(self, rank, result):
        self.flush(rank, result)
        self.ranks[rank].fence = None

    def flush(self, rank, result=None):
        me = self.ranks[rank]
        payload = struct.pack("<BII", 0, 0, len(me.actions))  # no marks: see isp/wire.h
        payload += b"".join(struct.pack("<BIii", *a) for a in me.actions)
        payload += struct.pack("<H", result is not None)
        if result is not None:
            positions = result.get("list", [])
            payload += struct.pack(
                f"<HiiiiQI{len(positions)}I",
                0,
                result.get("flag", 1),
                result.get("new_comm", -1),
                result.get("source", -1),
                result.get("tag", 0),
                result.get("bytes", 0),
                len(positions),
                *positions,
            )
        me.actions = []
        self.send(rank, GO, payload)

    def move(self):
        """All that can be decided now."""
        moved = True
        while moved:
            moved = self.match_messages() | self.flows.move()
            for rank, me in enumerate(self.ranks):
                c = me.fence
                if not c:
                    continue
                if c["op"] == COLLECTIVE and not c["flags"] & SLOT:
                    moved |= self.match_collective(rank, c)
                    continue
                if c["op"] == FINALIZE:
                    me.finalized, result = True, {}
                else:
                    result = self.answer(rank, c)
                if result is not None:
                    self.release(rank, result)
                    moved = True
        for rank, me in enumerate(self.ranks):
            if me.actions:
                self.flush(rank)

    # ---- the run ----

    def run(self, libisp, command, environment=None):
        directory = tempfile.mkdtemp(prefix="isp-test-")
        path, token = os.path.join(directory, "link"), secrets.token_bytes(32)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen(self.n)
        env = dict(os.environ, MPIR_CVAR_NOLOCAL="1", UCX_TLS="posix,self", **(environment or {}))
        mpiexec = subprocess.Popen(
            [
                "mpiexec",
                "-n",
                str(self.n),
                "-genv",
                "LD_PRELOAD",
                libisp,
                "-genv",
                "ISP_LINK",
                "unix:" + path,
                "-genv",
                "ISP_TOKEN",
                token.hex(),
            ]
            + command,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            self.loop(listener, token, mpiexec)
            self.output = mpiexec.communicate(timeout=10)[0].decode(errors="replace")
        finally:
            if mpiexec.poll() is None:
                os.killpg(mpiexec.pid, signal.SIGKILL)
                mpiexec.wait()
            listener.close()
            shutil.rmtree(directory)
        self.status = mpiexec.returncode
        return self

    def loop(self, listener, token, mpiexec):
        poll = selectors.DefaultSelector()
        poll.register(listener, selectors.EVENT_READ, None)
        end, live, seen = time.monotonic() + self.timeout_s, 0, 0
        while live or (mpiexec.poll() is None and seen < self.n):
            if time.monotonic() > end:
                raise TimeoutError("\n".join(f"rank {r}: {x.fence}" for r, x in enumerate(self.ranks)))
            for key, _ in poll.select(0.2):
                if key.data is None:
                    connection = listener.accept()[0]
                    if self.turns_away:  # as isp does with strangers; some after their HELLO
                        self.turns_away -= 1
                        if self.turns_away % 2:
                            connection.recv(4096)
                        connection.close()
                        continue
                    rank = self.greet(connection, token)
                    if rank is None:
                        connection.close()
                        continue
                    poll.register(connection, selectors.EVENT_READ, rank)
                    live, seen = live + 1, seen + 1
                elif not self.read(key.data):
                    poll.unregister(key.fileobj)
                    key.fileobj.close()
                    self.ranks[key.data].socket = None
                    live -= 1
            self.move()
            self.let_go()
            if live == self.n and all(x.fence for x in self.ranks):
                self.deadlock = True
                for rank in range(self.n):
                    self.send(rank, DIE, b"\0")
            elif any(
                kind == "finding" and values["rule"] in (self.unsupported, self.thread_level)
                for _, kind, values in self.told
            ):
                for rank, x in enumerate(self.ranks):
                    if x.socket:
                        self.send(rank, DIE, b"\0")

    unsupported, thread_level = -1, -1
    finalize, inits = -1, ()  # functions
    turns_away = 0  # so many connections

    def greet(self, connection, token):
        data = b""
        while len(data) < 4 or len(data) < 4 + struct.unpack("<I", data[:4])[0]:
            more = connection.recv(4096)
            if not more:
                return None  # mpiexec killed it in the middle of this
            data += more
        (length,) = struct.unpack("<I", data[:4])
        r = Reader(data[4 : 4 + length])
        assert r.take("B") == HELLO and r.take("I") == VERSION and r.raw(32) == token
        rank, _size, _pid, _host = r.take("i"), r.take("i"), r.take("q"), r.text()
        self.ranks[rank].socket, self.ranks[rank].data = connection, data[4 + length :]
        settings = (self.buffered, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, IN_INIT if self.holds else NEVER, 0, 0)
        self.send(rank, WELCOME, struct.pack("<BBBBBBBBBiQQQBB", *settings))
        return rank

    def read(self, rank):
        me = self.ranks[rank]
        try:
            data = me.socket.recv(1 << 16)
        except ConnectionResetError:
            data = b""
        me.data += data
        while len(me.data) >= 4:
            (length,) = struct.unpack("<I", me.data[:4])
            if len(me.data) < 4 + length:
                break
            self.frame(rank, me.data[4], Reader(me.data[5 : 4 + length]))
            me.data = me.data[4 + length :]
        return bool(data)
