# SPDX-License-Identifier: BSD-3-Clause
"""The text of a poe scenario: ranks and their transitions in a few lines.

    ranks 3
    comm B 0 1                    # further communicator: name, members (world ranks)
    comm I 0 | 1 2                # an intercommunicator: its two groups
    0: isend(1):a barrier wait(a)
    1: irecv(*,7):r barrier recv(*)@B wait(r)
    expect zero: interleavings 2 deadlocks 0 matters 0

One line per rank, one token per MPI call; MPI_Finalize is implicit. A file may hold several
scenarios, separated by lines `---`. `matters`, which may be left out, is whether the runs must
say that buffering could show more. The comment `#= MODE OUTCOME` records one expected outcome in
full. README.md describes tokens and outcomes. Everything here is strict: a typing error in a
scenario must not pass as a scenario that tests nothing.
"""

import re

from visits import ACCESSES, ATOMICS

WORLD = ""  # the name of MPI_COMM_WORLD
ANY = None  # any source, any tag
NULL = -1  # MPI_PROC_NULL, written -

SENDS = {"send", "ssend", "bsend", "rsend", "isend", "issend", "ibsend", "irsend", "psend"}
RECVS = {"recv", "irecv", "precv"}
PARTITIONED = {"psend", "precv"}  # match only each other; a psend takes part when it is made ready(...)
EXCHANGE = {"isendrecv", "sendrecv"}  # peer, source
LOCKS = {"lock", "lockshared", "turn"}  # peer: the target
PROBES = {"probe", "iprobe", "mprobe", "improbe"}
MRECVS = {"mrecv", "imrecv"}
ONE = {"wait", "test", "free", "ready", "cancel"}
LISTS = {"waitall", "waitany", "waitsome", "testall", "testany", "testsome"}
# Collectives, by how far they synchronize with infinite buffering; with zero buffering all of them do.
# this rank gets no data
EMPTY = {"bcast0", "ibcast0", "reduce0", "ireduce0", "scan0", "iscan0", "take0", "itake0"}
# peer is the root
ROOTED = {"bcast", "ibcast", "reduce", "ireduce", "bcast0", "ibcast0", "reduce0", "ireduce0"}
TAKE = {"take", "itake", "take0", "itake0"}  # each gets something of all, or nothing (MPI_Reduce_scatter)
NEIGHBOR = {"neighbor", "ineighbor"}  # sources: whom this rank gets data of
MAKE = {"make"}  # makes: the communicator
DROP = {"drop"}  # MPI_Comm_free
COLLECTIVES = {"barrier", "ibarrier", "scan", "iscan"} | EMPTY | TAKE | ROOTED | NEIGHBOR | MAKE | DROP
# may be named, to be waited for
REQUEST = (
    {"isend", "issend", "ibsend", "irsend", "irecv", "imrecv", "isendrecv"}
    | PARTITIONED
    | {kind for kind in COLLECTIVES if kind[0] == "i"}
)
MESSAGE = {"mprobe", "improbe"}  # must be named, to be received

# By which other MPI calls a token can be played, with the same outcomes: what stands behind ~. See ../player.
WAYS = {
    "send": {"iwait", "init", "half"},
    "ssend": {"iwait", "init"},
    "bsend": {"iwait", "init"},
    "rsend": {"iwait", "init"},
    "isend": {"init", "half"},
    "issend": {"init"},
    "ibsend": {"init"},
    "irsend": {"init"},
    "recv": {"iwait", "init", "half", "mprobe"},
    "irecv": {"init", "half"},
    "sendrecv": {"replace"},
    "isendrecv": {"replace"},
    "wait": {"all", "any", "some"},
    "test": {"all", "any", "some", "status"},
    "barrier": {
        "iwait",
        "init",
        "allreduce",
        "allgather",
        "alltoall",
        "reducescatter",
        "dup",
        "split",
        "idup",
    },
    "ibarrier": {"init", "allreduce", "allgather", "alltoall", "reducescatter", "idup"},
    "bcast": {"iwait", "init", "scatter"},
    "ibcast": {"init", "scatter"},
    "reduce": {"iwait", "init", "gather"},
    "ireduce": {"init", "gather"},
    "scan": {"iwait", "init", "exscan"},
    "iscan": {"init", "exscan"},
    "neighbor": {"iwait", "init", "alltoall", "alltoallv"},
    "ineighbor": {"init", "alltoall", "alltoallv"},
    "make": {"split", "group"},
}
INTER_WAYS = {"iwait", "init"}  # of collectives on an intercommunicator
AGAIN = "again_"  # and the name of the token whose persistent request is started again

TOKEN = re.compile(r"(\w+)(?:\(([^()]*)\))?(?:@(\w+))?(?:~(\w+))?(?::(\w+))?$")
EXPECT = re.compile(r"expect (\w+): interleavings (\d+) deadlocks (\d+)(?: matters ([01]))?$")


class Bad(Exception):
    pass


class Token:
    """One MPI call. peer and tag are ANY or numbers (peer: or NULL); args are names of earlier tokens;
    sources are ranks; way is one of its WAYS, or AGAIN and a name."""

    def __init__(self, kind, peer=ANY, tag=ANY, comm=WORLD, name="", args=(), sources=(), way="", makes=""):
        self.kind, self.peer, self.tag, self.comm = kind, peer, tag, comm
        self.name, self.args, self.sources, self.way, self.makes = name, list(args), list(sources), way, makes

    def copy(self):
        return Token(
            self.kind,
            self.peer,
            self.tag,
            self.comm,
            self.name,
            self.args,
            self.sources,
            self.way,
            self.makes,
        )

    def is_to_null(self):
        return self.kind in SENDS | RECVS | PROBES and self.peer == NULL

    def __str__(self):
        if self.kind in ACCESSES | ATOMICS:
            text = f"{self.kind}({self.peer},{self.tag})"
        elif self.kind in SENDS | RECVS | PROBES:
            peer = "*" if self.peer is ANY else "-" if self.peer == NULL else str(self.peer)
            tag = ",*" if self.tag is ANY else f",{self.tag}" if self.tag else ""
            text = f"{self.kind}({peer}{tag})"
        elif self.kind in EXCHANGE:
            text = f"{self.kind}({self.peer},{'*' if self.sources[0] is ANY else self.sources[0]})"
        elif self.kind in ROOTED | LOCKS | {"unlock"} and self.peer is not ANY:
            text = f"{self.kind}({self.peer})"
        elif self.kind in NEIGHBOR:
            text = f"{self.kind}({','.join(map(str, self.sources))})" if self.sources else self.kind
        elif self.kind in MAKE:
            text = f"{self.kind}({self.makes})"
        elif self.kind in COLLECTIVES | LOCKS | {"detach"}:
            text = self.kind
        else:
            text = f"{self.kind}({','.join(self.args)})"
        for sign, what in ("@", self.comm), ("~", self.way), (":", self.name):
            text += sign + what if what else ""
        return text


class Scenario:
    def __init__(self, ranks, comms=None, lines=None):
        self.ranks = ranks
        self.comms = comms or {}  # name -> sorted world ranks, without the world
        self.sides = {}  # name of an intercommunicator -> members of its first group
        self.scale = 1  # message R.I has (I + 1) * scale integers
        self.lines = lines or [[] for _ in range(ranks)]
        self.threads = []  # further threads: their ranks; their lines are behind those of the ranks
        self.expect = {}  # mode -> (interleavings, deadlocks)
        self.matters = {}  # mode -> what poe must say of buffering, if the file has it
        self.outcomes = {}  # mode -> set of expected outcomes, if the file lists them
        self.no_reference = False

    def may_be_twice(self):
        """Of a probe beside a receive of another thread both orders are run, also where what they find is the
        same; and of messages with different tags, where something takes any tag. An atomic access is taken to
        do what its rank has told since its last record, too."""
        for line in self.lines:
            if any(a.kind in ACCESSES and b.kind in ATOMICS for a, b in zip(line, line[1:])):
                return True
        probes = any(
            t.kind in PROBES
            for k, line in enumerate(self.lines)
            if self.rank_of(k) in self.threads
            for t in line
        )
        return probes or (
            self.threads
            and any(t.kind in RECVS | PROBES and t.tag is ANY for line in self.lines for t in line)
        )

    def members(self, comm):
        return list(range(self.ranks)) if comm == WORLD else self.comms[comm]

    def peers(self, comm, rank):
        """The ranks that a member sends to on the communicator: of an intercommunicator, the other group."""
        members = self.members(comm)
        if comm not in self.sides:
            return members
        return [m for m in members if (m in self.sides[comm]) != (rank in self.sides[comm])]

    def made(self):
        """The communicators that the program makes itself."""
        return {t.makes for line in self.lines for t in line if t.kind in MAKE}

    def copy(self):
        copy = Scenario(
            self.ranks,
            {c: list(m) for c, m in self.comms.items()},
            [[t.copy() for t in line] for line in self.lines],
        )
        copy.threads = list(self.threads)
        copy.sides, copy.scale = {c: list(m) for c, m in self.sides.items()}, self.scale
        return copy

    def rank_of(self, line):
        return line if line < self.ranks else self.threads[line - self.ranks]

    def label(self, line):
        """The rank, or 0/1: thread 1 of rank 0."""
        if line < self.ranks:
            return str(line)
        return f"{self.rank_of(line)}/{1 + self.threads[:line - self.ranks].count(self.rank_of(line))}"

    def comm_line(self, comm):
        words, side = self.comms[comm], self.sides.get(comm)
        if side:
            words = [*side, "|", *(m for m in words if m not in side)]
        return f"comm {comm} {' '.join(map(str, words))}"

    def __str__(self):
        out = [f"ranks {self.ranks}"] + ([f"scale {self.scale}"] if self.scale > 1 else [])
        out += [self.comm_line(c) for c in self.comms]
        out += [f"{self.label(r)}: {' '.join(map(str, line))}".rstrip() for r, line in enumerate(self.lines)]
        return "\n".join(out) + "\n"


def parse_token(text):
    found = TOKEN.match(text)
    if not found:
        raise Bad(f"not a token: {text}")
    kind, inside, comm, way, name = found.groups()
    args = inside.split(",") if inside else []
    token = Token(kind, comm=comm or WORLD, name=name or "", way=way or "")
    if kind in SENDS | RECVS | PROBES:
        if not 1 <= len(args) <= 2 or (kind in SENDS and "*" in args):
            raise Bad(f"bad arguments: {text}")
        token.peer = ANY if args[0] == "*" else NULL if args[0] == "-" else int(args[0])
        token.tag = 0 if len(args) == 1 else ANY if args[1] == "*" else int(args[1])
    elif kind in ACCESSES | ATOMICS:
        if len(args) != 2:
            raise Bad(f"bad arguments: {text}")
        token.peer, token.tag = int(args[0]), int(args[1])
    elif kind in EXCHANGE:
        if len(args) != 2:
            raise Bad(f"bad arguments: {text}")
        token.peer, token.tag, token.sources = int(args[0]), 0, [ANY if args[1] == "*" else int(args[1])]
    elif kind in ROOTED | LOCKS | {"unlock"} and kind != "turn":
        if len(args) != 1:
            raise Bad(f"bad arguments: {text}")
        token.peer = int(args[0])
    elif kind in NEIGHBOR:
        token.sources = [int(a) for a in args]
    elif kind in MAKE:
        if len(args) != 1:
            raise Bad(f"bad arguments: {text}")
        token.makes = args[0]
    elif kind in COLLECTIVES | {"turn", "detach"}:
        if inside is not None:
            raise Bad(f"bad arguments: {text}")
    elif kind in ONE | LISTS | MRECVS:
        if comm or not args or (kind not in LISTS and len(args) != 1) or len(set(args)) != len(args):
            raise Bad(f"bad arguments: {text}")
        token.args = args
    else:
        raise Bad(f"unknown call: {text}")
    if (name and kind not in REQUEST | MESSAGE) or (kind in MESSAGE and not name):
        raise Bad(f"name missing or not allowed: {text}")
    return token


def collectives(scenario, comm):
    """Per member its collective calls on the communicator, as (rank, index, token)."""
    return [
        [(rank, k, t) for k, t in enumerate(scenario.lines[rank]) if t.kind in COLLECTIVES and t.comm == comm]
        for rank in scenario.members(comm)
    ]


def same_collective(token):
    """What must be alike on all members: of a reduction or a scan all give something, or none."""
    kind = token.kind
    return kind.rstrip("0") if kind in TAKE or "bcast" in kind else kind, token.peer, token.way, token.makes


def check_collectives(scenario):
    """The k-th calls of all members are the same collective: what a mismatch does is not shown here."""
    for comm in [WORLD, *scenario.comms]:
        calls = collectives(scenario, comm)
        for k in range(max(map(len, calls), default=0)):
            if len({same_collective(c[k][2]) for c in calls if k < len(c)}) > 1:
                raise Bad(f"different collectives: number {k} on {comm or 'the world'}")


def check_locks(line):
    """What is locked is unlocked at most once, and locked again only then; who accesses it has locked it."""
    held = set()
    for token in line:
        if (token.kind in LOCKS and token.peer in held) or (
            token.kind == "unlock" and token.peer not in held
        ):
            raise Bad(f"not locked, or twice: {token}")
        if token.kind in ACCESSES and token.peer not in held:
            raise Bad(f"not locked: {token}")
        if token.kind in LOCKS - {"turn"}:
            held.add(token.peer)
        elif token.kind == "unlock":
            held.remove(token.peer)


def check_partitioned(line):
    """A psend is made ready at most once; nothing else is."""
    waiting = set()
    for token in line:
        if token.kind == "precv" and (token.peer is ANY or token.tag is ANY):
            raise Bad(f"a partitioned receive names its message: {token}")
        if token.kind == "ready" and token.args[0] not in waiting:
            raise Bad(f"not to be made ready: {token}")
        if token.kind == "ready":
            waiting.remove(token.args[0])
        elif token.kind == "psend" and token.name:
            waiting.add(token.name)
        elif token.kind == "free":  # MPI has set the request to null
            waiting -= set(token.args)


def check_cancelled(line):
    """Receives are cancelled, which are active as far as the line tells; locks make no difference to that."""
    receives = set()
    for token in line:
        if token.kind == "irecv" and token.name:
            receives.add(token.name)
        elif token.kind == "free":
            receives -= set(token.args)
        elif token.kind == "cancel" and token.args[0] not in receives:
            raise Bad(f"not to be cancelled: {token}")
    if any(t.kind == "cancel" for t in line) and any(t.kind in LOCKS | ATOMICS for t in line):
        raise Bad("cancels and locks")


def check_way(scenario, rank, token):
    ways = WAYS.get(token.kind, ())
    if token.kind in COLLECTIVES and token.comm in scenario.sides:
        ways = INTER_WAYS & set(ways)
        if token.kind not in {"barrier", "ibarrier"} | DROP:
            raise Bad(f"not on an intercommunicator: {token}")
    if token.way == "replace" and token.peer == rank:
        raise Bad(f"it could not be told what was received: {token}")
    if token.way and token.way not in ways and not token.way.startswith(AGAIN):
        raise Bad(f"not played that way: {token}")


def check_again(line):
    """A persistent request is started again with the same arguments, when what it was started for before is
    complete."""
    freed = {a for t in line if t.kind == "free" for a in t.args}
    for k, token in enumerate(line):
        if not token.way.startswith(AGAIN):
            continue
        users = [t for t in line[:k] if t.name and (t.name == token.way[len(AGAIN) :] or t.way == token.way)]
        if not users or users[0].way != "init" or users[0].name != token.way[len(AGAIN) :] or not token.name:
            raise Bad(f"no request to start again: {token}")
        first, last = users[0], users[-1]
        after = line[line.index(last) + 1 : k]
        if (first.kind, first.peer, first.tag, first.comm) != (token.kind, token.peer, token.tag, token.comm):
            raise Bad(f"started again for something else: {token}")
        if freed & {t.name for t in users} or token.name in freed:
            raise Bad(f"freed and started again: {token}")
        if not any(t.kind in ("wait", "waitall") and last.name in t.args for t in after):
            raise Bad(f"started again while it is active: {token}")


def check_probed(scenario):
    """A message that may be probed for has a size of its own, by which the player knows it."""
    probing = {scenario.rank_of(k) for k, line in enumerate(scenario.lines) for t in line if t.kind in PROBES}
    for line in scenario.lines:
        for token in line:
            alike = token.way == "replace" or (token.way.startswith(AGAIN) and token.kind in SENDS)
            if alike and token.peer in probing:
                raise Bad(f"it may be probed for: {token}")


def check_sides(scenario):
    for comm, side in scenario.sides.items():
        if not side or not set(side) < set(scenario.comms[comm]):
            raise Bad(f"not two groups: {comm}")


def check_made(scenario):
    """What a program makes itself is used when it is there, and given back once at most."""
    made = scenario.made()
    for comm in made:
        makers = {t.comm for line in scenario.lines for t in line if t.kind in MAKE and t.makes == comm}
        if comm not in scenario.comms or comm in scenario.sides or len(makers) != 1 or makers == {comm}:
            raise Bad(f"cannot be made: {comm}")
        if makers & set(scenario.sides) or not set(scenario.members(comm)) <= set(scenario.members(*makers)):
            raise Bad(f"cannot be made of {makers}: {comm}")
    for line in scenario.lines:
        there, gone = set(), set()
        for token in line:
            if (token.comm in made and token.comm not in there) or token.comm in gone:
                raise Bad(f"no communicator: {token}")
            if (token.kind in MAKE and token.makes in there) or (token.kind in DROP and token.comm == WORLD):
                raise Bad(f"not to be made, or dropped: {token}")
            if token.kind in MAKE:
                there.add(token.makes)
            elif token.kind in DROP:
                gone.add(token.comm)


def check_threads(scenario):
    """Further threads only send, receive, probe and wait; and a rank that has some makes no communicator."""
    for line in scenario.lines[scenario.ranks :]:
        for token in line:
            if (
                token.kind in COLLECTIVES | LOCKS | EXCHANGE | {"unlock", "detach", "psend", "precv", "ready"}
                or token.comm
                or token.way
            ):
                raise Bad(f"not in a thread: {token}")
    for rank in set(scenario.threads):
        if scenario.comms or any(t.kind in EXCHANGE | {"psend", "precv"} for t in scenario.lines[rank]):
            raise Bad(f"not beside threads: rank {rank}")


def check(scenario):
    """Names refer to earlier tokens of the right kind, ranks to members; collectives agree."""
    check_threads(scenario)
    check_sides(scenario)
    check_collectives(scenario)
    check_made(scenario)
    check_probed(scenario)
    for line in scenario.lines:
        check_locks(line)
        check_partitioned(line)
        check_cancelled(line)
        check_again(line)
    for rank, line in ((scenario.rank_of(k), line) for k, line in enumerate(scenario.lines)):
        requests, messages, received = set(), set(), set()
        for token in line:
            if token.comm != WORLD and token.comm not in scenario.comms:
                raise Bad(f"unknown communicator: {token}")
            members, peers = scenario.members(token.comm), scenario.peers(token.comm, rank)
            others = [s for s in token.sources if s is not ANY] + (
                [] if token.peer is ANY or token.is_to_null() else [token.peer]
            )
            if rank not in members or not set(others) <= set(peers):
                raise Bad(f"rank {rank}: not a member: {token}")
            check_way(scenario, rank, token)
            if token.name and token.name in requests | messages:
                raise Bad(f"rank {rank}: name used twice: {token}")
            for arg in token.args:
                if arg not in (messages if token.kind in MRECVS else requests):
                    raise Bad(f"rank {rank}: unknown name: {token}")
            if token.kind in MRECVS:
                if token.args[0] in received:
                    raise Bad(f"rank {rank}: message received twice: {token}")
                received.add(token.args[0])
            if token.name:
                (messages if token.kind in MESSAGE else requests).add(token.name)


def parse(text):
    scenario, seen, outcomes = None, set(), {}
    for raw in text.splitlines():
        if raw.startswith("#="):
            mode, outcome = raw[2:].strip().split(" ", 1)
            outcomes.setdefault(mode, set()).add(outcome.strip())
        line = raw.split("#", 1)[0].strip()
        if not line:
            continue
        words = line.split()
        expect = EXPECT.match(line)
        if words[0] == "ranks" and scenario is None:
            scenario = Scenario(int(words[1]))
        elif scenario is None:
            raise Bad(f"'ranks N' must come first: {line}")
        elif words[0] == "scale":
            scenario.scale = int(words[1])
        elif words[0] == "comm" and words[1] not in scenario.comms:
            scenario.comms[words[1]] = sorted(int(w) for w in words[2:] if w != "|")
            if "|" in words:
                scenario.sides[words[1]] = [int(w) for w in words[2 : words.index("|")]]
        elif expect:
            scenario.expect[expect[1]] = int(expect[2]), int(expect[3])
            if expect[4]:
                scenario.matters[expect[1]] = int(expect[4])
        elif re.match(r"\d+/\d+:$", words[0]):
            scenario.threads.append(int(words[0].split("/")[0]))
            scenario.lines.append([parse_token(w) for w in words[1:]])
            if scenario.label(len(scenario.lines) - 1) + ":" != words[0]:
                raise Bad(f"no such thread: {line}")
        elif re.match(r"\d+:$", words[0]):
            rank = int(words[0][:-1])
            if rank >= scenario.ranks or rank in seen:
                raise Bad(f"no such rank, or given twice: {line}")
            seen.add(rank)
            scenario.lines[rank] = [parse_token(w) for w in words[1:]]
        else:
            raise Bad(f"not understood: {line}")
    if scenario is None:
        raise Bad("empty scenario")
    scenario.outcomes = outcomes
    scenario.no_reference = "# no-reference" in text.splitlines()
    check(scenario)
    return scenario


def split(text):
    """The scenarios' texts of a file."""
    return re.split(r"(?m)^---[ \t]*\n", text)
