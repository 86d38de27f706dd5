# SPDX-License-Identifier: BSD-3-Clause
"""The fault matrix as data: when (columns), what happens (rows), and what is expected of isp in each cell.

A cell expects: `code`, the exit codes that are right; `says`, a regular expression that one line on stderr
must match; `complete`, whether the result may say that all was explored (None: either); `reports`, whether
all reports must be new (False: some may be the old ones, whole).
"""
from dataclasses import dataclass, field, replace

TIMEOUT_S = 4  # isp's own


@dataclass(frozen=True)
class Column:
    name: str
    text: str
    options: tuple = ()
    launch: int = 0  # the launch in which the ranks wait
    moment: str = ""  # of moments.c, if it is called otherwise
    file: str = ""  # isp waits before it gives this its name, for the time `at`
    at: int = 1
    env: dict = field(default_factory=dict)

    @property
    def is_first(self):
        """No finding is known yet."""
        return self.launch == 1

    @property
    def writes(self):
        """No rank has to be there."""
        return bool(self.file)


COLUMNS = [
    Column(
        "first",
        "before a rank connects, in the first launch: nothing is known yet",
        launch=1,
        moment="connect",
    ),
    Column("first-init", "in MPI_Init, in the first launch", launch=1, moment="init"),
    Column("connect", "before a rank connects, in the second launch", ("--no-checkpoints",), launch=2),
    Column("init", "in MPI_Init, in the second launch", ("--no-checkpoints",), launch=2),
    Column("fence", "a rank computes, the others wait for it in MPI_Recv"),
    Column("batch", "inside of MPI, in an operation of MPI_Allreduce"),
    Column("checkpoint", "after a choice point to which the run can go back in place"),
    Column("forks", "after a choice point for which ranks were forked", env={"ISP_FORK_ONLY": "1"}),
    Column("finalize", "in MPI_Finalize", ("--no-checkpoints",)),
    Column(
        "ahead", "ranks go ahead; one computes, the others wait for it", ("--decentralized",), moment="fence"
    ),
    Column(
        "ahead-in", "ranks go ahead; inside of MPI, in MPI_Allreduce", ("--decentralized",), moment="batch"
    ),
    Column("report", "--json is written, and has not got its name yet", file="json"),
    Column("trace", "the same of --trace", file="trace"),
    Column("save", "the same of the last --save", file="save", at=2),
]


@dataclass(frozen=True)
class Expect:
    code: tuple = (1,)
    says: str = ""
    complete: object = False
    reports: bool = True


# Of ranks that go ahead it is not known which interleaving is under way, and what was found before.
AHEAD = {"ahead": "finalize", "ahead-in": "finalize"}
FIRST = {"first": "connect", "first-init": "init"}


@dataclass(frozen=True)
class Row:
    name: str
    text: str
    fault: tuple  # (function of faults.py, its arguments...)
    expect: Expect
    cells: dict = field(default_factory=dict)  # column -> Expect, or a reason why it makes no sense
    options: tuple = ()
    right: bool = False  # the program has no finding: whether an exit code says too much

    def cell(self, name):
        """In the first launch as in the second, if nothing else is said; but there is no finding yet that
        would be told."""
        if name in AHEAD and name not in self.cells:
            other = self.cell(AHEAD[name])
            if isinstance(other, str):
                return other
            # a run that a fault has disturbed may be made again with ranks that wait, and be right then
            stops = self.fault[0] in ("stop", "limit")
            return replace(
                other,
                code=(*other.code, 3),
                says="" if stops else other.says,
                complete=None if stops else other.complete,
            )
        if name in FIRST and name not in self.cells:
            second = self.cell(FIRST[name])
            if isinstance(second, str) or second.complete:
                return second
            return replace(
                second,
                code=tuple({1: 3}.get(c, c) for c in second.code) if second in EARLY else (*second.code, 3),
            )
        return self.cells.get(name, self.expect)


def no_ranks(why="there are no ranks then"):
    return {"report": why, "trace": why, "save": why}


RAN = ("connect", "init", "fence", "batch", "checkpoint", "forks", "finalize")
WRITES = ("report", "trace", "save")
NO_FORKED = {c: "nothing was forked" for c in ("first", "first-init", "connect", "init", "finalize")}
NOT_SEEN = "nothing of that is needed any more"

DIED = Expect(says=r"rank \d was killed|rank \d died|exit code")
# Hydra's proxy ends, too, when the rank dies that it is just answering (PMI)
VICTIM = Expect(
    says=r"incomplete: before all ranks had reached MPI_Init "
    r"(a process of the program died of a signal|the launcher's proxy was gone)"
)
PROXY = Expect(says=r"incomplete: before all ranks had reached MPI_Init the launcher's proxy was gone")
# In MPI_Finalize nothing is left of the run that could be missed, if the ranks are quicker than who kills
# them.
LAST = no_ranks() | {"finalize": Expect(says="incomplete: |all explored", complete=None)}
# of such a run nothing is to be seen any more
DIES = no_ranks() | {"connect": VICTIM, "init": VICTIM, "finalize": replace(DIED, complete=None)}
GUARD = Expect(says=r"incomplete: isp's guard process was killed")
LAUNCHER = Expect(says=r"incomplete: the launcher was killed by signal 9")
# What is not shown when it is launched is no error of the program; nor is what was shown before lost.
AGAIN = Expect(says="so all is explored again, each interleaving launched", complete=True)
SAME = Expect(says=r"1 warning in 8 interleavings, all explored", complete=True)
HANG = Expect(
    says=(
        r"rank \d has not (?:called|come out of) MPI_Init for|rank \d has made no MPI call for|"
        r"rank \d has not ended for|hung when it went on from a checkpoint"
    ),
    complete=None,
)
GONE = Expect(code=(-9,), reports=False)
INTERRUPTED = Expect(says=r"incomplete: interrupted by SIG")
EARLY = (VICTIM, PROXY, GUARD, LAUNCHER, INTERRUPTED)  # these end the search


def for_launches(what):
    """Where another launch comes after the moment."""
    return {c: what for c in ("connect", "init", "finalize")}


def resumed(what):
    """Where the run goes on from a checkpoint, and what it shows is made sure of by a launch."""
    return {c: what for c in ("fence", "batch", "checkpoint", "forks")}


LATE = {c: Expect(complete=None) for c in WRITES}
LAST_RIGHT = no_ranks() | {"finalize": replace(LAST["finalize"], code=(0, 3))}
LATE_RIGHT = {c: Expect(complete=None, code=(0, 3)) for c in WRITES}

ROWS = [
    Row("none", "nothing", ("nothing",), SAME),
    Row("rank", "a rank gets SIGKILL", ("kill", "rank", "KILL"), DIED, DIES | resumed(AGAIN)),
    Row("rank-term", "a rank gets SIGTERM", ("kill", "rank", "TERM"), DIED, DIES | resumed(AGAIN)),
    Row("ranks", "two ranks get SIGKILL", ("kill", "two ranks", "KILL"), DIED, DIES | resumed(AGAIN)),
    Row(
        "all-ranks",
        "all processes of the program get SIGKILL",
        ("kill", "program", "KILL"),
        DIED,
        DIES | resumed(AGAIN),
    ),
    Row("mpiexec", "mpiexec gets SIGKILL", ("kill", "mpiexec", "KILL"), LAUNCHER, LAST),
    Row(
        "proxy",
        "mpiexec's proxy gets SIGKILL",
        ("kill", "hydra_pmi_proxy", "KILL"),
        Expect(says="incomplete|all explored", complete=None),
        no_ranks() | {"connect": PROXY, "init": PROXY},
    ),
    Row("guard", "isp's guard gets SIGKILL", ("kill", "isp-guard", "KILL"), GUARD, LAST),
    Row(
        "forked",
        "the processes to which the run could go back get SIGKILL",
        ("kill", "forked", "KILL"),
        Expect(says="incomplete|all explored", complete=None),
        no_ranks() | NO_FORKED,
    ),
    Row(
        "worker",
        "one of the processes of -j gets SIGKILL",
        ("kill", "isp-worker", "KILL"),
        Expect(says="all explored", complete=True),
        no_ranks("it is over then"),
        ("-j", "2"),
    ),
    Row("isp", "isp gets SIGKILL", ("kill", "isp", "KILL"), GONE),
    Row("isp -j", "isp gets SIGKILL, with -j", ("kill", "isp", "KILL"), GONE, options=("-j", "2")),
    Row("isp-int", "isp gets SIGINT", ("kill", "isp", "INT"), INTERRUPTED, LATE),
    Row("isp-term", "isp gets SIGTERM", ("kill", "isp", "TERM"), INTERRUPTED, LATE),
    Row(
        "isp-xcpu",
        "isp gets SIGXCPU thrice, as at a limit of processor time",
        ("kill", "isp", "XCPU", "XCPU", "XCPU"),
        INTERRUPTED,
        LATE,
    ),
    Row(
        "isp-usr1",
        "isp gets SIGUSR1 and then SIGTERM, as from a batch system",
        ("kill", "isp", "USR1", "TERM"),
        INTERRUPTED,
        LATE,
    ),
    Row("isp-usr2", "isp gets SIGUSR2", ("kill", "isp", "USR2"), INTERRUPTED, LATE),
    Row("isp-alrm", "isp gets SIGALRM, with -j", ("kill", "isp", "ALRM"), INTERRUPTED, LATE, ("-j", "2")),
    Row(
        "isp-twice",
        "isp gets SIGTERM twice at once, as from timeout(1)",
        ("kill", "isp", "TERM", "TERM"),
        INTERRUPTED,
        LATE,
    ),
    Row("broom", "isp's broom gets SIGKILL", ("kill", "isp-broom", "KILL"), SAME),
    Row("hangup", "the terminal hangs up", ("close_terminal",), Expect(), LATE),
    Row("stdout", "stdout is a pipe that nobody reads any more", ("close_pipe", 1), SAME),
    Row("stderr", "stderr is a pipe that nobody reads any more", ("close_pipe", 2), replace(SAME, says="")),
    Row(
        "disk",
        "the disk of the reports is full",
        ("fill", "out"),
        Expect(code=(5,), says="No space left on device|disk is full", complete=None, reports=False),
    ),
    Row(
        "tmp",
        "the disk of TMPDIR is full",
        ("fill", "tmp"),
        SAME,
        for_launches(Expect(says="No space left on device|all explored", complete=None)),
    ),
    Row(
        "shm",
        "/dev/shm is full",
        ("fill", "shm"),
        SAME,
        for_launches(
            Expect(
                says="MPI_Init has failed|no rank reached MPI_Init|No space|hang|all explored",
                complete=None,
                code=(1, 3),
            )
        )
        # On a busy machine a rank may hang for want of memory: a launch must make sure, and cannot begin.
        | resumed(Expect(says="MPI_Init has failed|all explored", complete=None, code=(1, 3))),
    ),
    Row(
        "fds-isp",
        "isp can open no more files",
        ("use_up", "isp", "NOFILE"),
        Expect(
            says="Too many open files|the launcher's proxy was gone|all explored",
            complete=None,
            code=(1, 5),
            reports=False,
        ),
    ),
    Row(
        "fds-rank",
        "a rank can open no more files",
        ("use_up", "rank", "NOFILE"),
        Expect(says=".", complete=None),
        no_ranks(),
    ),
    Row(
        "memory-isp",
        "isp gets no more memory",
        ("use_up", "isp", "AS"),
        Expect(
            says="memory|Cannot allocate|exit code|all explored", complete=None, code=(1, 5), reports=False
        ),
    ),
    Row(
        "memory-rank",
        "a rank gets no more memory",
        ("use_up", "rank", "AS"),
        Expect(says=".", complete=None),
        no_ranks(),
    ),
    Row(
        "processes",
        "no more processes",
        ("use_up", "isp", "NPROC"),
        Expect(says="Resource temporarily unavailable|all explored", complete=None),
    ),
    Row("pause-rank", "a rank is stopped for a while", ("pause", "rank"), SAME, no_ranks()),
    Row("pause-isp", "isp is stopped for a while", ("pause", "isp"), SAME),
    Row("sleep-isp", "isp is stopped for longer than the time-out", ("pause", "isp", TIMEOUT_S + 1), SAME),
    Row("pause-mpiexec", "mpiexec is stopped for a while", ("pause", "mpiexec"), SAME, no_ranks()),
    Row("pause-guard", "isp's guard is stopped for a while", ("pause", "isp-guard"), SAME, no_ranks()),
    Row(
        "pause-worker",
        "a process of -j is stopped for a while",
        ("pause", "isp-worker"),
        SAME,
        no_ranks("it is over then"),
        ("-j", "2"),
    ),
    Row("stop-rank", "a rank is stopped for ever", ("stop", "rank"), HANG, no_ranks() | resumed(AGAIN)),
    Row(
        "stop-ranks",
        "two ranks are stopped for ever",
        ("stop", "two ranks"),
        HANG,
        no_ranks() | resumed(AGAIN),
    ),
    Row(
        "stop-mpiexec",
        "mpiexec is stopped for ever",
        ("stop", "mpiexec"),
        Expect(says=".", complete=None),
        no_ranks(),
    ),
    Row(
        "stop-proxy",
        "mpiexec's proxy is stopped for ever",
        ("stop", "hydra_pmi_proxy"),
        Expect(says=".", complete=None),
        no_ranks(),
    ),
    Row(
        "stop-guard",
        "isp's guard is stopped for ever",
        ("stop", "isp-guard"),
        Expect(says=".", complete=None),
        no_ranks(),
    ),
    Row(
        "stop-forked",
        "the processes to which the run could go back are stopped for ever",
        ("stop", "forked"),
        Expect(says=".", complete=None),
        no_ranks() | NO_FORKED,
    ),
    Row(
        "stop-worker",
        "a process of -j is stopped for ever",
        ("stop", "isp-worker"),
        Expect(says="all explored", complete=True),
        no_ranks("it is over then"),
        ("-j", "2"),
    ),
    Row("stop-broom", "isp's broom is stopped for ever", ("stop", "isp-broom"), SAME),
    Row("right", "nothing", ("nothing",), replace(SAME, code=(0,), says="no error in 8"), right=True),
    Row(
        "right-term",
        "isp gets SIGTERM",
        ("kill", "isp", "TERM"),
        replace(INTERRUPTED, code=(3,)),
        LATE_RIGHT,
        right=True,
    ),
    Row(
        "right-guard",
        "isp's guard gets SIGKILL",
        ("kill", "isp-guard", "KILL"),
        replace(GUARD, code=(3,)),
        LAST_RIGHT,
        right=True,
    ),
    Row(
        "right-rank",
        "a rank gets SIGKILL",
        ("kill", "rank", "KILL"),
        DIED,
        DIES
        | resumed(replace(AGAIN, code=(0,)))
        | {c: replace(VICTIM, code=(3,)) for c in ("connect", "init")},
        right=True,
    ),
    Row(
        "right-proxy",
        "mpiexec's proxy gets SIGKILL",
        ("kill", "hydra_pmi_proxy", "KILL"),
        Expect(says="incomplete|all explored", complete=None, code=(0, 1, 3)),
        no_ranks() | {c: replace(PROXY, code=(3,)) for c in ("connect", "init")},
        right=True,
    ),
    Row(
        "right-mpiexec",
        "mpiexec gets SIGKILL",
        ("kill", "mpiexec", "KILL"),
        replace(LAUNCHER, code=(3,)),
        LAST_RIGHT,
        right=True,
    ),
    Row(
        "right-fds",
        "isp can open no more files",
        ("use_up", "isp", "NOFILE"),
        Expect(
            says="Too many open files|the launcher's proxy was gone|all explored",
            complete=None,
            code=(0, 1, 3, 5),
            reports=False,
        ),
        right=True,
    ),
    Row("stop-isp", "isp is stopped, and then killed", ("stop_and_kill",), GONE),
]


# What tells most, in two minutes.
SHORT = {
    f"{row}/{column}"
    for row, columns in {
        "rank": "first first-init connect init fence batch checkpoint finalize ahead",
        "ranks": "forks",
        "mpiexec": "first fence ahead-in",
        "proxy": "first batch",
        "guard": "first init fence",
        "all-ranks": "first",
        "forked": "checkpoint",
        "worker": "batch",
        "isp": "connect batch forks report trace save ahead",
        "isp -j": "checkpoint",
        "isp-term": "fence report",
        "isp-twice": "finalize",
        "isp-xcpu": "first fence",
        "isp-usr1": "fence report",
        "isp-alrm": "checkpoint",
        "right-rank": "connect",
        "right-proxy": "init",
        "broom": "fence",
        "hangup": "checkpoint trace",
        "stdout": "report",
        "stderr": "fence",
        "disk": "fence report save",
        "tmp": "connect",
        "shm": "connect",
        "fds-isp": "connect forks",
        "fds-rank": "fence",
        "memory-isp": "fence report",
        "memory-rank": "batch",
        "processes": "connect checkpoint",
        "pause-rank": "batch",
        "pause-isp": "fence",
        "sleep-isp": "batch",
        "stop-rank": "fence",
        "stop-mpiexec": "finalize",
        "stop-guard": "fence",
        "stop-worker": "fence",
        "stop-broom": "report",
        "stop-isp": "checkpoint",
        "right-term": "fence",
        "right-mpiexec": "fence",
    }.items()
    for column in columns.split()
}
