// SPDX-License-Identifier: BSD-3-Clause
// Writes data as ../DATA.md describes them, without isp: small runs whose every detail the tests know, and
// large ones.
'use strict';
const zlib = require('zlib');

const COLUMNS = {
    node: [
        'parent',
        'taken',
        'buffered',
        'depth',
        'first_call',
        'end_call',
        'first_match',
        'end_match',
        'first_answer',
        'end_answer',
        'first_before',
        'end_before',
    ],
    call: ['rank', 'number', 'kind', 'request', 'requests'],
    request: ['call'],
    before: ['call', 'steps'],
    match: ['after', 'send', 'receive', 'member', 'members'],
    member: ['call'],
    answer: ['call', 'flag', 'source', 'tag', 'bytes', 'position', 'positions'],
    position: ['position'],
    choice: ['node', 'call', 'alternatives'],
    alternative: ['choice', 'taken', 'what', 'call', 'position', 'positions'],
    interleaving: ['node', 'buffered', 'ending'],
    joined: ['interleaving', 'node', 'stands_for', 'more'],
    shown: ['interleaving', 'finding'],
};
const ENDINGS = ['finished', 'deadlock', 'redundant', 'livelock', 'merged'];

function pack(values) {
    const differences = Buffer.alloc(4 * values.length);
    for (let i = 0, before = 0; i < values.length; before = values[i++])
        differences.writeInt32LE((values[i] - before) | 0, 4 * i);
    return zlib.deflateSync(differences).toString('base64');
}

class Fixture {
    constructor(ranks, result = {}) {
        this.result = {
            isp: '0.1.0',
            format: 1,
            command: ['./app'],
            ranks,
            buffering: 'zero',
            verdict: 'findings',
            complete: true,
            incomplete_because: null,
            interleavings: 1,
            deadlocked_interleavings: 0,
            buffered_interleavings: 0,
            redundant_runs: 0,
            choice_points: 0,
            calls: 0,
            suppressed: 0,
            seconds: 0.5,
            estimated_interleavings: null,
            findings: [],
            ...result,
        };
        this.tables = Object.fromEntries(
            Object.entries(COLUMNS).map(([name, columns]) => [
                name,
                Object.fromEntries(columns.map(column => [column, []])),
            ]),
        );
        this.data = {
            sites: [null],
            sources: {},
            kinds: [null],
            communicators: [],
            waiting: [],
            output: {},
            left_out: { interleavings: 0, nodes: 0, calls: 0 },
        };
        this.known = new Map();
        this.numbers = new Map(); // of each node, the number of calls of each rank on the path to its end
        this.at = -1;
    }

    add(table, row) {
        COLUMNS[table].forEach((column, i) => this.tables[table][column].push(row[i]));
        return this.tables[table][COLUMNS[table][0]].length - 1;
    }

    rows(table) {
        return this.tables[table][COLUMNS[table][0]].length;
    }

    /** Calls and matches that follow are of this node. */
    node(parent = -1, taken = -1, buffered = 0) {
        const calls = this.rows('call'),
            matches = this.rows('match'),
            answers = this.rows('answer'),
            before = this.rows('before');
        this.at = this.add('node', [
            parent,
            taken,
            buffered,
            parent < 0 ? 0 : this.tables.node.depth[parent] + 1,
            calls,
            calls,
            matches,
            matches,
            answers,
            answers,
            before,
            before,
        ]);
        this.numbers.set(
            this.at,
            parent < 0 ? new Array(this.result.ranks).fill(0) : [...this.numbers.get(parent)],
        );
        return this.at;
    }

    kind(op, label, line, more = {}) {
        const key = JSON.stringify([op, label, line, more]);
        if (!this.known.has(key)) {
            const { file = 'app.c', ...rest } = more;
            const site = JSON.stringify([file, line]);
            if (!this.known.has(site))
                this.known.set(
                    site,
                    this.data.sites.push({
                        file,
                        line,
                        function: 'main',
                        module: './app',
                        offset: 16 * line,
                    }) - 1,
                );
            this.known.set(
                key,
                this.data.kinds.push({
                    op,
                    mode: op === 'send' ? 'standard' : null,
                    call: label.replace(/\(.*/, ''),
                    label,
                    site: this.known.get(site),
                    thread: 0,
                    comm: 0,
                    peer: null,
                    tag: null,
                    root: null,
                    bytes: null,
                    data: null,
                    flags: 1,
                    leads: op !== 'receive',
                    ...rest,
                }) - 1,
            );
        }
        return this.known.get(key);
    }

    call(rank, kind, requests = []) {
        const first = requests.length ? this.rows('request') : -1;
        for (const request of requests) this.add('request', [request]);
        const call = this.add('call', [
            rank,
            this.numbers.get(this.at)[rank]++,
            kind,
            first,
            requests.length,
        ]);
        this.tables.node.end_call[this.at] = call + 1;
        return call;
    }

    send(rank, to, line, more = {}) {
        const name = more.flags === 0 ? 'MPI_Isend' : 'MPI_Send';
        return this.call(
            rank,
            this.kind('send', `${name}(to ${to}, tag ${more.tag ?? 0})`, line, {
                peer: to,
                tag: 0,
                bytes: 4,
                data: '1 MPI_INT',
                ...more,
            }),
        );
    }

    receive(rank, from, line, more = {}) {
        const name = more.flags === 0 ? 'MPI_Irecv' : 'MPI_Recv';
        return this.call(
            rank,
            this.kind('receive', `${name}(from ${from < 0 ? 'any' : from}, tag ${more.tag ?? 0})`, line, {
                peer: from < 0 ? -2 : from,
                tag: 0,
                bytes: 4,
                data: '1 MPI_INT',
                ...more,
            }),
        );
    }

    /** These calls of its rank, all of this node, come right before the call. */
    rightBefore(call, ...others) {
        const { number } = this.tables.call;
        for (const other of others)
            this.tables.node.end_before[this.at] =
                this.add('before', [call, number[call] - number[other]]) + 1;
    }

    barrier(rank, line) {
        return this.call(rank, this.kind('collective', 'MPI_Barrier', line));
    }

    wait(rank, requests, line) {
        return this.call(
            rank,
            this.kind('complete', requests.length > 1 ? 'MPI_Waitall' : 'MPI_Wait', line, { mode: 'all' }),
            requests,
        );
    }

    finalize(rank, line) {
        return this.call(rank, this.kind('finalize', 'MPI_Finalize', line, { comm: null }));
    }

    message(send, receive) {
        this.tables.node.end_match[this.at] =
            this.add('match', [this.rows('call') - 1, send, receive, -1, 0]) + 1;
    }

    collective(members) {
        const first = this.rows('member');
        for (const member of members) this.add('member', [member]);
        this.tables.node.end_match[this.at] =
            this.add('match', [this.rows('call') - 1, -1, -1, first, members.length]) + 1;
    }

    answer(call, answer) {
        const positions = answer.positions ?? [];
        const first = positions.length ? this.rows('position') : -1;
        for (const position of positions) this.add('position', [position]);
        this.tables.node.end_answer[this.at] =
            this.add('answer', [
                call,
                answer.flag ?? -1,
                answer.source ?? -1,
                answer.tag ?? -1,
                answer.bytes ?? -1,
                first,
                positions.length,
            ]) + 1;
    }

    /** At the end of the node: `call` could take one of these sends. */
    choice(node, call, sends) {
        const choice = this.add('choice', [node, call, sends.length]);
        sends.forEach((send, i) => this.add('alternative', [choice, i, 0, send, -1, 0]));
        this.result.choice_points++;
    }

    ends(ending, node = this.at) {
        const interleaving = this.add('interleaving', [
            node,
            this.tables.node.buffered[node],
            ENDINGS.indexOf(ending),
        ]);
        this.result.interleavings = interleaving + 1;
        if (ending === 'deadlock') this.result.deadlocked_interleavings++;
        return interleaving;
    }

    waits(interleaving, rank, call, ranks, more = {}) {
        this.data.waiting.push({
            interleaving,
            rank,
            thread: 0,
            call,
            finished: false,
            polling: false,
            needs: 'all',
            ranks,
            pending: [],
            ...more,
        });
    }

    finding(rule, severity, message, more = {}) {
        this.result.findings.push({
            rule,
            severity,
            message,
            story: '',
            interleaving: '0',
            buffered: false,
            ranks: [0],
            count: 1,
            sites: [],
            replay: 'isp replay -n 3 --choices 0 -- ./app',
            ...more,
        });
    }

    source(file, lines) {
        this.data.sources[file] = [[1, lines.join('\n') + '\n']];
    }

    page(template) {
        this.result.calls = this.rows('call');
        const tables = Object.fromEntries(
            Object.entries(this.tables).map(([name, columns]) => [
                name,
                {
                    rows: this.rows(name),
                    columns: Object.fromEntries(
                        Object.entries(columns).map(([column, values]) => [column, pack(values)]),
                    ),
                },
            ]),
        );
        const text = JSON.stringify({
            format: 3,
            result: this.result,
            endings: ENDINGS,
            ...this.data,
            tables,
        }).replace(/[<>&]/g, c => `\\u00${c.charCodeAt(0).toString(16)}`);
        return template
            .split('<!-- isp-data -->')
            .join(`<script type="application/json" id="isp-data">${text}</script>`);
    }
}

const RACE_SOURCE = [
    '#include <mpi.h>',
    '',
    'int main(int argc, char **argv)',
    '{',
    '    int x, rank;',
    '    MPI_Init(&argc, &argv);',
    '    MPI_Comm_rank(MPI_COMM_WORLD, &rank);',
    '    if (rank == 0) {',
    '        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);',
    '        MPI_Recv(&x, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);',
    '    } else {',
    '        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);',
    '    }',
    '    MPI_Finalize();',
    '}',
];

/** Rank 0 takes any message, then one of rank 2: a deadlock if the first was that. Text that tries to be HTML
 * is everywhere. */
function race() {
    const f = new Fixture(3, {
        command: ['./race', '</script><img src=x onerror=window.hacked=1>'],
        buffering: 'auto',
        buffered_interleavings: 0,
    });
    f.source('app.c', RACE_SOURCE);
    const root = f.node();
    const any = f.receive(0, -1, 9),
        one = f.send(1, 0, 12),
        two = f.send(2, 0, 12);
    f.choice(root, any, [one, two]);
    f.node(root, 0);
    f.message(one, any);
    const second = f.receive(0, 2, 10);
    f.finalize(1, 14);
    f.message(two, second);
    f.finalize(2, 14);
    f.finalize(0, 14);
    const fine = f.ends('finished');
    f.node(root, 1);
    f.message(two, any);
    const stuck = f.receive(0, 2, 10),
        done = f.finalize(2, 14);
    const bad = f.ends('deadlock');
    f.waits(bad, 0, stuck, [2]);
    f.waits(bad, 1, one, [0]);
    f.waits(bad, 2, done, [], { finished: true, needs: null });
    f.data.output = { [fine]: 'all is well\n', [bad]: '<b>rank 0</b> waits & waits\n' };
    const site = (rank, call, line) => ({ rank, call, file: 'app.c', line, function: 'main' });
    f.finding('deadlock', 'error', 'deadlock: rank 0 waits in MPI_Recv for rank 2, which has finished', {
        interleaving: '1',
        ranks: [0, 1],
        sites: [site(0, 'MPI_Recv', 10), site(1, 'MPI_Send', 12), site(2, 'MPI_Finalize', 14)],
        replay: 'isp replay -n 3 --choices 1 -- ./race',
        debug: 'isp debug -n 3 --choices 1 -- ./race',
        story:
            'rank 0  MPI_Recv(from 2, tag 0)  app.c:10 main  waits for a message from rank 2\n' +
            'rank 1  MPI_Send(to 0, tag 0)  app.c:12 main  waits for a receive by rank 0\n' +
            'rank 2  MPI_Finalize  app.c:14 main  has finished\n' +
            'the message of rank 2 was taken by MPI_Recv(from any, tag 0) at app.c:9 main\n',
    });
    f.finding('leak-datatype', 'warning', '<img src=x onerror=window.hacked=1> is never freed', {
        ranks: [1, 2],
        sites: [{ rank: 1, call: 'MPI_Type_commit', file: 'types.c', line: 7, function: 'make' }],
        replay: null,
    });
    f.finding('wildcard', 'note', 'MPI_Recv(from any, tag 0) can take any of 2 messages', {
        ranks: [0],
        sites: [site(0, 'MPI_Recv', 9)],
    });
    return f;
}

/** Four workers in every order: 24 interleavings. Those in which worker 4 comes first and worker 3 second end
 * in a deadlock. */
function master() {
    const f = new Fixture(5, {});
    const root = f.node();
    const sends = [1, 2, 3, 4].map(rank => f.send(rank, 0, 20));
    const grow = (node, wildcard, left, taken) => {
        if (!left.length) {
            f.at = node;
            for (let rank = 0; rank < 5; rank++) f.finalize(rank, 30);
            return f.ends('finished');
        }
        if (taken[0] === 4 && taken[1] === 3 && left.length === 1) {
            f.at = node;
            const c = f.receive(0, 1, 25, { tag: 9 });
            const interleaving = f.ends('deadlock');
            f.waits(interleaving, 0, c, [1, 2], { needs: 'any' });
            for (const rank of left) f.waits(interleaving, rank, sends[rank - 1], [0]);
            return interleaving;
        }
        if (left.length > 1)
            f.choice(
                node,
                wildcard,
                left.map(rank => sends[rank - 1]),
            );
        left.forEach((rank, i) => {
            const child = left.length > 1 ? f.node(node, i) : node;
            f.at = child;
            f.message(sends[rank - 1], wildcard);
            f.call(rank, f.kind('collective', 'MPI_Ibarrier', 22, { flags: 0 }));
            const rest = left.filter(other => other !== rank);
            grow(child, rest.length ? f.receive(0, -1, 21) : -1, rest, [...taken, rank]);
        });
        return -1;
    };
    f.at = root;
    grow(root, f.receive(0, -1, 21), [1, 2, 3, 4], []);
    f.finding('deadlock', 'error', 'deadlock: rank 0 waits in MPI_Recv', {
        interleaving: '3.2',
        ranks: [0],
        count: 2,
        sites: [{ rank: 0, call: 'MPI_Recv', file: 'app.c', line: 25, function: 'main' }],
    });
    return f;
}

/** Every rank waits for the next one; rank 1 of several for any of three. */
function knot(ranks) {
    const f = new Fixture(ranks, {});
    f.node();
    const calls = Array.from({ length: ranks }, (_, rank) => f.receive(rank, (rank + 1) % ranks, 8));
    const interleaving = f.ends('deadlock');
    calls.forEach((call, rank) =>
        f.waits(interleaving, rank, call, rank === 1 && ranks > 4 ? [2, 3, 4] : [(rank + 1) % ranks], {
            needs: rank === 1 && ranks > 4 ? 'any' : 'all',
        }),
    );
    f.finding('deadlock', 'error', `deadlock: ${ranks} ranks wait for each other`, {
        ranks: calls.map((_, rank) => rank),
        sites: [{ rank: 0, call: 'MPI_Recv', file: 'app.c', line: 8, function: 'main' }],
    });
    return f;
}

/** The crooked barrier: the Irecv of rank 1 need not have matched before the barrier. */
function crooked() {
    const f = new Fixture(3, { verdict: 'clean' });
    f.node();
    const s0 = f.send(0, 1, 1, { flags: 0 }),
        b0 = f.barrier(0, 2);
    const r1 = f.receive(1, -1, 3, { flags: 0 }),
        b1 = f.barrier(1, 4);
    const b2 = f.barrier(2, 5);
    f.message(s0, r1);
    f.collective([b0, b1, b2]);
    const w1 = f.wait(1, [r1], 6);
    f.answer(w1, { flag: 1, source: 0, tag: 0, bytes: 4, positions: [0] });
    const r2 = f.receive(1, 2, 7),
        s2 = f.send(2, 1, 8, { flags: 0 });
    f.message(s2, r2);
    const [end0, end1, end2] = [0, 1, 2].map(rank => f.finalize(rank, 9));
    f.rightBefore(end0, b0);
    f.rightBefore(w1, b1, r1);
    f.rightBefore(r2, w1);
    f.rightBefore(end1, r2);
    f.rightBefore(s2, b2);
    f.rightBefore(end2, b2);
    f.ends('finished');
    f.data.output = { 0: 'done\n' };
    return f;
}

/** A ring of nonblocking messages, so many calls in all; a wildcard in the middle, and a deadlock at the
 * end. */
function ring(calls, ranks) {
    const f = new Fixture(ranks, { verdict: 'findings' });
    f.source(
        'app.c',
        Array.from({ length: 40 }, (_, i) => `/* line ${i + 1} */`),
    );
    f.node();
    const steps = Math.floor(calls / ranks / 3);
    const fence = new Array(ranks).fill(-1);
    for (let step = 0; step < steps; step++) {
        const receives = [],
            sends = [];
        for (let rank = 0; rank < ranks; rank++) {
            receives.push(f.receive(rank, (rank + ranks - 1) % ranks, 10, { flags: 0 }));
            sends.push(f.send(rank, (rank + 1) % ranks, 11, { flags: 0 }));
            if (fence[rank] >= 0)
                for (const c of [receives[rank], sends[rank]]) f.rightBefore(c, fence[rank]);
            fence[rank] = f.wait(rank, [receives[rank], sends[rank]], 12);
            f.rightBefore(fence[rank], sends[rank], receives[rank]);
        }
        for (let rank = 0; rank < ranks; rank++) f.message(sends[rank], receives[(rank + 1) % ranks]);
        if (step % 20 === 19) f.collective(Array.from({ length: ranks }, (_, rank) => f.barrier(rank, 14)));
    }
    const stuck = Array.from({ length: ranks }, (_, rank) => f.receive(rank, (rank + 1) % ranks, 16));
    const interleaving = f.ends('deadlock');
    stuck.forEach((call, rank) => f.waits(interleaving, rank, call, [(rank + 1) % ranks]));
    f.finding('deadlock', 'error', `deadlock: ${ranks} ranks wait for each other`, {
        sites: [{ rank: 0, call: 'MPI_Recv', file: 'app.c', line: 16, function: 'main' }],
        story: 'all ranks receive\n',
    });
    return f;
}

/** All exchange with the next rank so many times; then rank 0 waits for tag 12 of rank 1, which sends it tag
 * 13, and the others are in a barrier. */
function miss(ranks, steps = 40) {
    const f = new Fixture(ranks);
    f.source('app.c', [
        '/* near',
        'miss */',
        'int main(void) // "x"',
        '{',
        '    return MPI_Finalize() + 7;',
        '}',
    ]);
    f.node();
    for (let step = 0; step < steps; step++) {
        const sends = [],
            receives = [];
        for (let rank = 0; rank < ranks; rank++) {
            receives.push(f.receive(rank, (rank + ranks - 1) % ranks, 10, { flags: 0, tag: step % 2 }));
            sends.push(f.send(rank, (rank + 1) % ranks, 11, { flags: 0, tag: step % 2 }));
            f.wait(rank, [receives[rank], sends[rank]], 12);
        }
        for (let rank = 0; rank < ranks; rank++) f.message(sends[rank], receives[(rank + 1) % ranks]);
    }
    const calls = Array.from({ length: ranks }, (_, rank) =>
        rank === 0
            ? f.receive(0, 1, 43, { tag: 12 })
            : rank === 1
              ? f.send(1, 0, 47, { tag: 13 })
              : f.barrier(rank, 50),
    );
    const interleaving = f.ends('deadlock');
    calls.forEach((call, rank) =>
        f.waits(interleaving, rank, call, rank === 0 ? [1] : rank === 1 ? [0] : [0, 1]),
    );
    f.finding('deadlock', 'error', 'deadlock: tag 12 expected at app.c:43, 13 sent at app.c:47', {
        ranks: [0, 1],
        sites: [{ rank: 0, call: 'MPI_Recv', file: 'app.c', line: 43, function: 'main' }],
        story: 'near miss: rank 0 waits for tag 12 from rank 1, which sends it tag 13\n',
    });
    return f;
}

/** Messages between ranks, from places and with tags that follow no rule; every rank ends elsewhere. */
function irregular(calls, ranks) {
    const f = new Fixture(ranks, { verdict: 'clean' });
    f.node();
    let seed = 12345;
    const random = below => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) % below;
    for (let i = 0; i + 1 < calls - ranks; i += 2) {
        const from = random(ranks),
            to = (from + 1 + random(ranks - 1)) % ranks,
            tag = random(100000);
        const send = f.send(from, to, 20 + random(50), { tag });
        f.message(send, f.receive(to, from, 80 + random(50), { tag }));
    }
    for (let rank = 0; rank < ranks; rank++) f.finalize(rank, 200 + rank);
    f.ends('finished');
    return f;
}

/** Rank 0 gives each of the others another number of tasks; the last one is never told to stop. */
function farm(ranks) {
    const f = new Fixture(ranks);
    f.node();
    for (let rank = 1; rank < ranks; rank++)
        for (let task = 0; task < 1 + (rank % 50); task++) {
            const give = f.send(0, rank, 10, { tag: 1 });
            f.message(give, f.receive(rank, 0, 20, { tag: 1 }));
        }
    const last = f.receive(ranks - 1, 0, 20, { tag: 1 });
    const ends = Array.from({ length: ranks - 1 }, (_, rank) => f.finalize(rank, 30));
    const interleaving = f.ends('deadlock');
    f.waits(interleaving, ranks - 1, last, [0]);
    ends.forEach((call, rank) => f.waits(interleaving, rank, call, [], { finished: true, needs: null }));
    f.finding(
        'deadlock',
        'error',
        `deadlock: rank ${ranks - 1} waits in MPI_Recv for rank 0, which has finished`,
        {
            ranks: [ranks - 1],
            sites: [{ rank: ranks - 1, call: 'MPI_Recv', file: 'app.c', line: 20, function: 'main' }],
        },
    );
    return f;
}

/** Three workers in every order, of which rank 0 keeps what they add up to: so after two of them all is as
 * after these two in the other order. What comes then has two ways, of which one is a deadlock if worker 1 is
 * still to come. joined: what the merged runs join instead, as in a damaged trace. */
function merged(joined) {
    const f = new Fixture(4);
    const root = f.node();
    const sends = [1, 2, 3].map(rank => f.send(rank, 0, 20));
    const known = new Map();
    const end = (node, way, last, wildcard) => {
        f.node(node, way);
        f.message(sends[last - 1], wildcard);
        const dead = way && last === 1,
            call = dead ? f.receive(0, 2, 25, { tag: 9 }) : f.finalize(0, 30);
        const interleaving = f.ends(dead ? 'deadlock' : 'finished');
        if (dead) f.waits(interleaving, 0, call, [2]);
    };
    const grow = (node, wildcard, left) => {
        const last = left.length === 1 ? left[0] : 0;
        if (known.has(last)) {
            const to = joined ? joined[f.rows('joined')] : known.get(last);
            f.add('joined', [f.ends('merged', node), to, 2, 0]);
            return;
        }
        f.choice(node, wildcard, last ? [sends[last - 1], -1] : left.map(rank => sends[rank - 1]));
        if (last) {
            known.set(last, node);
            for (const way of [0, 1]) end(node, way, last, wildcard);
            return;
        }
        left.forEach((rank, way) => {
            const child = f.node(node, way);
            f.message(sends[rank - 1], wildcard);
            const rest = left.filter(other => other !== rank);
            grow(child, f.receive(0, -1, 21), rest);
        });
    };
    grow(root, f.receive(0, -1, 21), [1, 2, 3]);
    f.finding('deadlock', 'error', 'deadlock: rank 0 waits in MPI_Recv', {
        interleaving: '1.1.1',
        ranks: [0],
        count: 2,
        sites: [{ rank: 0, call: 'MPI_Recv', file: 'app.c', line: 25, function: 'main' }],
    });
    Object.assign(f.result, { interleavings: 12, deadlocked_interleavings: 2, runs: 9 });
    return f;
}

/** The same, of which the page does not have the first of what is joined, and the others lead in circles and
 * nowhere. */
const damaged = () => merged([-1, 0, 999]);

/** An exploration that did not fit: of the second interleaving the page has no calls, of the first only the
 * last ones. */
function partial() {
    const f = new Fixture(2, {
        verdict: 'incomplete',
        complete: false,
        incomplete_because: '--max-interleavings 2',
        assumptions: ['what <b>threads</b> tell each other'],
        estimated_interleavings: 5e121,
    });
    f.data.left_out = { interleavings: 38, nodes: 40, calls: 1000 };
    const root = f.node();
    f.numbers.set(root, [500, 500]);
    const send = f.send(1, 0, 5),
        receive = f.receive(0, -1, 4);
    f.message(send, receive);
    f.ends('finished');
    f.node(-1, -1, 1);
    f.tables.node.first_call[1] = -1;
    f.ends('finished');
    return f;
}

/** Rank 0 exchanges so many times with rank 1, then takes any message; one of rank 2 first is a deadlock. */
function late(times) {
    const f = new Fixture(3);
    const root = f.node();
    for (let i = 0; i < times; i++) {
        const give = f.send(0, 1, 10 + i, { tag: i });
        f.message(give, f.receive(1, 0, 30 + i, { tag: i }));
    }
    const any = f.receive(0, -1, 50),
        sends = [1, 2].map(rank => f.send(rank, 0, 51));
    f.choice(root, any, sends);
    f.node(root, 0);
    f.message(sends[0], any);
    f.message(sends[1], f.receive(0, 2, 52));
    for (let rank = 0; rank < 3; rank++) f.finalize(rank, 60);
    f.ends('finished');
    f.node(root, 1);
    f.message(sends[1], any);
    const stuck = f.receive(0, 2, 52);
    f.finalize(2, 60);
    const bad = f.ends('deadlock');
    f.waits(bad, 0, stuck, [2]);
    f.waits(bad, 1, sends[0], [0]);
    f.finding('deadlock', 'error', 'deadlock: rank 0 waits in MPI_Recv for rank 2', {
        interleaving: '1',
        sites: [{ rank: 0, call: 'MPI_Recv', file: 'app.c', line: 52, function: 'main' }],
    });
    return f;
}

module.exports = {
    Fixture,
    race,
    master,
    merged,
    damaged,
    knot,
    crooked,
    partial,
    ring,
    miss,
    irregular,
    farm,
    late,
};
