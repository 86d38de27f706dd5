# SPDX-License-Identifier: BSD-3-Clause
"""Random programs for machine.c in which states come up again: ranks send to few others, which take what
comes in any order and sum it up, keep it by its source, overwrite it, print it, put it in lists, and then do
what depends on that. Program k of seed S depends on (S, k) only.
"""

import random

HOMES = ("static", "thread", "heap", "stack", "mapped")
# what orders leave nothing of, and what they may leave something of
FORGETS = ("none", "sum", "max", "xor", "source")
RARE = ("sorted", "print")
KEEPS = ("over", "last", "hash", "list", "thread", "errno", "round", "block", "tag")
WILDCARDS = 6  # then there is no further round
NUMBER_OF = {"sum": 0, "over": 1, "last": 2, "hash": 3, "max": 4, "xor": 5, "tag": 1}


class Maker:
    def __init__(self, rng, static):
        self.rng = rng
        self.static = static  # its calls do not depend on what is received
        self.ranks = rng.choice([2, 3, 3, 3, 4])
        self.lines = [[] for _ in range(self.ranks)]
        self.open = [[] for _ in range(self.ranks)]  # requests
        self.used = [0] * self.ranks
        self.hows = rng.choices(FORGETS, k=3)
        self.hows += rng.choices(KEEPS + RARE, k=rng.choice([0, 0, 0, 1, 1, 2]))
        self.wild = rng.choice([0.5, 0.8, 1, 1])
        self.nonblocking = rng.choice([0, 0, 0.3, 0.7])
        self.probing = 0 if static else rng.choice([0, 0, 0, 0.3])
        self.polling = 0 if static else rng.choice([0, 0, 0, 0.5])
        self.synchronous = rng.choice([0, 0.3, 1])
        self.persistent = rng.choice([0, 0, 0.4])
        self.tags = rng.choice([[1], [1], [1, 2]])
        self.comms = ["0"]
        self.home = rng.choice(HOMES) + rng.choice(["", "", "", "+"])

    def chance(self, p):
        return self.rng.random() < p

    def put(self, rank, *words):
        self.lines[rank].append(" ".join(str(w) for w in words))

    def request(self, rank):
        self.used[rank] += 1
        self.open[rank].append(self.used[rank] - 1)
        return self.used[rank] - 1

    def is_full(self, rank):
        return self.used[rank] >= 12

    def send(self, source, dest, tag, value, comm):
        sync = "s" if self.chance(self.synchronous) else ""
        if self.chance(self.nonblocking) and not self.is_full(source):
            persistent = self.chance(self.persistent)
            r = self.request(source)
            self.put(source, "sinit" if persistent else f"i{sync}send", dest, tag, value, comm, r)
            if persistent:
                self.put(source, "start", r)
        else:
            self.put(source, f"{sync}send", dest, tag, value, comm)

    def receive(self, dest, source, tag, comm):
        peer = "*" if self.chance(self.wild) else source
        tag = "*" if self.chance(0.3) else tag
        how = self.rng.choice(self.hows)
        if self.chance(self.probing):
            kind = self.rng.choice(["probe", "mprobe", "improbe", "iprobe"])
            self.put(dest, kind, peer, tag, how, comm)
        elif self.chance(self.nonblocking) and not self.is_full(dest):
            persistent = self.chance(self.persistent)
            r = self.request(dest)
            self.put(dest, "rinit" if persistent else "irecv", peer, tag, how, comm, r)
            if persistent:
                self.put(dest, "start", r)
        else:
            self.put(dest, "recv", peer, tag, how, comm)

    def complete(self, rank):
        names = self.open[rank]
        if not names:
            return
        some = self.rng.sample(names, self.rng.randint(1, len(names)))
        if self.chance(self.polling):
            kind = self.rng.choice(["until", "count", "ever", "testall", "testany", "testsome"])
            if kind in ("until", "count", "ever"):
                self.put(rank, kind, some[0], self.rng.randint(1, 3))
                return
        else:
            kind = self.rng.choice(
                ["wait", "waitall", "waitall"] + ["waitany", "waitsome"] * (not self.static)
            )
        some = some[:1] if kind == "wait" else some
        self.put(rank, kind, *some)
        if kind in ("wait", "waitall"):
            self.open[rank] = [n for n in names if n not in some]

    def collective(self):
        kind = self.rng.choice(
            ["barrier", "barrier", "allreduce", "reduce", "bcast", "ibarrier", "dup", "split"]
        )
        comm = self.rng.choice(self.comms)
        value = "0" if self.static else f"${self.rng.choice([0, 1, 2, 5])}%2"
        for rank in range(self.ranks):
            if kind == "ibarrier":
                if not self.is_full(rank):
                    self.put(rank, kind, comm, self.request(rank))
            elif kind == "dup":
                self.put(rank, kind, 0)
            elif kind == "split":
                self.put(rank, kind, 0, self.rng.choice([0, 0, rank % 2]) if self.static else value)
            else:
                self.put(rank, kind, comm, value)
        if kind == "dup":
            self.comms.append("1")

    def register(self):
        known = [NUMBER_OF[h] for h in self.hows if h in NUMBER_OF]
        return self.rng.choice(known or [0])

    def depend(self, dest, sources, comm):
        """What dest does now depends on what it has received."""
        rng, register = self.rng, self.register()
        kind = rng.choice(["answer", "tell", "fail", "nest", "errno", "whom", "forget", "pair"])
        if kind == "answer":
            for source in sources:
                self.send(dest, source, 3, f"${register}%5", comm)
                self.receive(source, dest, 3, comm)
        elif kind == "tell":
            self.put(dest, "skip", f"${register}%2", rng.choice([0, 1]), 1)
            self.put(dest, "send", sources[0], 4, 1, comm)
            if self.chance(0.4):
                self.receive(sources[0], dest, 4, comm)
        elif kind == "fail":
            self.put(dest, "fail", f"${register}%{rng.choice([2, 3, 4])}", rng.choice([0, 1, 2, 3]))
        elif kind == "nest":
            self.put(dest, "nest", f"${register}%3", rng.choice([2, 3]))
        elif kind == "errno":
            self.put(dest, "errno")
        elif kind == "forget":
            self.put(dest, "forget", register)
        elif kind == "pair":
            for source in (sources * 2)[:2]:
                self.send(source, dest, 5, source + 1, comm)
            self.put(dest, "pair", "*", 5, rng.choice(self.hows), comm)
        else:
            for rank in range(self.ranks):
                if rank != dest:
                    self.put(dest, "skip", f"${register}%{self.ranks}", rank, 1)
                    self.put(dest, "send", rank, 6, 1, comm)
                    self.put(rank, "recv", dest, 6, "over", comm)
                    self.put(rank, "skip", "$1", 1, 1)
                    self.send(rank, dest, 7, 1, comm)
                    self.receive(dest, rank, 7, comm)

    def round(self):
        rng = self.rng
        dest = rng.choice([0, 0, 0, self.ranks - 1])
        comm, tag = rng.choice(self.comms), rng.choice(self.tags)
        sources = [r for r in range(self.ranks) if r != dest]
        sources = sorted(rng.sample(sources, min(len(sources), rng.choice([2, 2, 3]))))
        kind = rng.choice(["gather", "gather", "gather", "twice", "farm", "chain", "exchange"])
        value = rng.choice(["1", "rank"])
        if kind == "chain":
            for a, b in zip(sources, sources[1:]):
                self.send(a, b, tag, 1, comm)
                self.receive(b, a, tag, comm)
        if kind == "exchange" and len(sources) > 1:
            for a, b in ((sources[0], sources[1]), (sources[1], sources[0])):
                self.put(a, "sendrecv", "*", tag, rng.choice(self.hows), comm, a + 1, b)
        all_of = sources * (2 if kind == "twice" else 1)
        for source in all_of:
            mine = value if value != "rank" else source + 1
            self.send(source, dest, tag, mine, comm)
        for source in all_of:
            self.receive(dest, source, tag, comm)
            if kind == "farm":
                self.send(dest, source, 0, 1, comm)
                self.receive(source, dest, 0, comm)
        if not self.static and self.chance(0.4):
            self.depend(dest, sources, comm)
        for rank in range(self.ranks):
            if self.chance(0.4):
                self.complete(rank)
        if self.chance(0.3):
            self.collective()
        if self.chance(0.4):
            for number in sorted({NUMBER_OF[h] for h in self.hows if h in NUMBER_OF}):
                self.put(dest, "forget", number)

    def wildcards(self):
        return sum(i.split()[1] == "*" for line in self.lines for i in line if " " in i)

    def spoil(self):
        line = self.lines[self.rng.randrange(self.ranks)]
        if len(line) < 2:
            return
        a = self.rng.randrange(len(line) - 1)
        if self.chance(0.7) and not any(line[b].split()[0] in ("start", "skip", "nest") for b in (a, a + 1)):
            line[a], line[a + 1] = line[a + 1], line[a]
        elif line[a].split()[0] in ("send", "recv", "ssend", "barrier"):
            line.pop(a)

    def end(self):
        for rank in range(self.ranks):
            if self.open[rank] and self.chance(0.8):
                self.put(rank, "waitall", *self.open[rank])
        if self.chance(0.3):
            for rank in range(self.ranks):
                self.put(rank, "gather", 0)


class Program:
    def __init__(self, home, lines):
        self.home, self.lines = home, lines

    @property
    def ranks(self):
        return len(self.lines)

    def __str__(self):
        return "/".join(";".join(line) or "nothing" for line in self.lines)

    def polls(self):
        words = ("iprobe", "improbe", "until", "count", "ever", "test")
        return any(i.startswith(words) for line in self.lines for i in line)


def program(seed, k, static=False):
    rng = random.Random(f"machines {seed}.{k}.{static}")
    maker = Maker(rng, static)
    for _ in range(rng.choice([2, 2, 3, 4])):
        if maker.wildcards() < WILDCARDS:
            maker.round()
    maker.end()
    for _ in range(rng.choice([0, 0, 0, 1, 2])):
        maker.spoil()
    return Program(maker.home, maker.lines)
