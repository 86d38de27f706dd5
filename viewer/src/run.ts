// SPDX-License-Identifier: BSD-3-Clause
// One interleaving, put together from the nodes of its path. Its calls are numbered from 0 in the order in
// which isp came to know them (`c` everywhere); all that is asked often is in typed arrays, since there may
// be a million of them.
import { lastNotBehind } from './bisect';
import { isFence, Kind, Trace, Waiting, What } from './data';
import { Grouped, grouped } from './grouped';
import { Segments } from './segments';
import { Tree } from './tree';

export interface Decision {
    node: number;
    choice: number;
    /** the call that was decided, or -1 if the page does not have it */
    call: number;
    taken: number;
    alternatives: { taken: number; what: What; call: number }[];
}

/** blocked: a rank waits in it; pending: an operation that is not complete at the end; unmatched: never
 * received, never sent to; open: the run goes on as another one, which tells */
export type CallState =
    | 'matched'
    | 'blocked'
    | 'pending'
    | 'unmatched'
    | 'open'
    | 'polling'
    | 'finished'
    | 'done';

export class Run {
    readonly calls: number;
    /** rows of the table `call` */
    readonly row: Int32Array;
    readonly rank: Int32Array;
    readonly kindOf: Int32Array;
    /** place among the calls of its rank */
    readonly place: Int32Array;
    readonly matches: number;
    readonly send: Int32Array;
    readonly receive: Int32Array;
    /** match that a call is in, or -1. A message that was probed and then received is in that of its
     * receive. */
    readonly matchOf: Int32Array;
    /** column of the picture that a call is in */
    readonly level: Int32Array;
    readonly levels: number;
    /** calls in issue order: as they matched */
    readonly issued: Int32Array;
    readonly issuedAt: Int32Array;
    readonly decisions: Decision[] = [];
    readonly decidedBy = new Map<number, number>();
    readonly waiting: Waiting[];
    /** the page has not all of its calls */
    readonly leftOut: boolean;
    /** of each rank, how many calls the page has not: it may have only the last ones of a node */
    private readonly missing: Int32Array;
    private readonly path: number[];
    private readonly segments: Segments;
    private readonly lanes: Grouped;
    private readonly rows: Grouped;
    private readonly blockedIn = new Map<number, Waiting>();
    private readonly waitsAt = new Map<number, number>();
    private readonly waitsOf = new Map<number, Waiting>();
    private readonly pendingIn = new Set<number>();

    constructor(
        readonly trace: Trace,
        readonly tree: Tree,
        readonly interleaving: number,
    ) {
        const { node, call, result } = trace;
        this.path = tree.path(trace.interleaving.node[interleaving]);
        this.leftOut = this.path.some(n => node.first_call[n] < 0);
        this.segments = new Segments(trace, this.path);
        this.row = this.segments.row;
        this.calls = this.row.length;
        this.matches = this.segments.match.length;
        this.rank = this.row.map(row => call.rank[row]);
        this.kindOf = this.row.map(row => call.kind[row]);

        this.lanes = grouped(this.rank, result.ranks);
        this.place = new Int32Array(this.calls);
        this.lanes.order.forEach((c, i) => (this.place[c] = i - this.lanes.start[this.rank[c]]));
        this.missing = new Int32Array(result.ranks);
        if (trace.leftOut.calls)
            this.missing.forEach(
                (_, r) => (this.missing[r] = this.laneLength(r) ? call.number[this.row[this.at(r, 0)]] : 0),
            );

        this.send = this.segments.match.map(m => this.local(trace.match.send[m]));
        this.receive = this.segments.match.map(m => this.local(trace.match.receive[m]));
        this.matchOf = new Int32Array(this.calls).fill(-1);
        this.waiting = this.stuck();
        this.level = new Int32Array(this.calls);
        this.matchUp();
        this.issued = grouped(this.layOut(), this.calls + this.matches + 1).order;
        this.issuedAt = new Int32Array(this.calls);
        this.issued.forEach((c, i) => (this.issuedAt[c] = i));
        this.levels = this.level.reduce((most, level) => Math.max(most, level + 1), 0);
        this.rows = grouped(this.level, this.levels);
        this.decide();
    }

    private matchUp(): void {
        for (let m = 0; m < this.matches; m++) {
            const send = this.send[m],
                receive = this.receive[m];
            if (send < 0) for (const c of this.members(m)) this.matchOf[c] = m;
            if (send >= 0) this.matchOf[send] = m;
            if (receive >= 0) this.matchOf[receive] = m;
        }
    }

    private stuck(): Waiting[] {
        const { waiting, call } = this.trace;
        const isCollective = (row: number) => row >= 0 && this.trace.kind(call.kind[row]).op === 'collective';
        /* Of a collective the rank itself is not who is missing. */
        const stuck = waiting
            .filter(w => w.interleaving === this.interleaving)
            .map(w => ({ ...w, ranks: w.ranks.filter(r => r !== w.rank || !isCollective(w.call)) }));
        for (const w of stuck) {
            const c = this.local(w.call);
            if (!this.waitsOf.has(w.rank)) this.waitsOf.set(w.rank, w);
            if (c >= 0) {
                this.blockedIn.set(c, w);
                if (!this.waitsAt.has(w.rank)) this.waitsAt.set(w.rank, c);
            }
            if (!w.finished) for (const pending of w.pending) this.pendingIn.add(this.local(pending));
        }
        return stuck;
    }

    /** Gives each call its row in the picture, and returns when it came about, in ticks of calls and
     * matches. */
    private layOut(): Int32Array {
        const { trace, rank, level } = this;
        const key = new Int32Array(this.calls);
        const last = new Int32Array(trace.result.ranks).fill(-1);
        const earliest = new Int32Array(
            trace.result.ranks,
        ); /* row of the next call of a rank whose send has waited */
        let m = 0,
            tick = 0;
        /* A call that its rank waits in is moved down to where it matches: so messages never point up
         * there. */
        const lift = (c: number, to: number) => {
            if (last[rank[c]] === c && level[c] < to) level[c] = to;
        };
        const match = () => {
            const at = m++;
            const send = this.send[at],
                receive = this.receive[at];
            if (send >= 0) {
                key[send] = tick;
                if (receive >= 0) {
                    key[receive] = tick;
                    lift(receive, level[send] + 1);
                    if (last[rank[send]] === send) earliest[rank[send]] = level[receive];
                }
                tick++;
                return;
            }
            const members = this.members(at);
            for (const c of members) key[c] = tick;
            tick++;
            const lowest = members.reduce((most, c) => Math.max(most, level[c]), 0);
            if (members.every(c => last[rank[c]] === c)) for (const c of members) lift(c, lowest);
        };
        for (let c = 0; c < this.calls; c++) {
            while (m < this.matches && this.segments.after[m] < c) match();
            const before = last[rank[c]];
            level[c] = before < 0 ? 0 : Math.max(level[before] + 1, earliest[rank[c]]);
            last[rank[c]] = c;
            key[c] = tick++;
        }
        while (m < this.matches) match();
        for (let c = 0; c < this.calls; c++) {
            const w = this.blockedIn.get(c);
            if (w && !w.finished) key[c] = tick;
            else if (trace.call.requests[this.row[c]] > 0)
                for (const r of this.requests(c)) if (r >= 0) key[c] = Math.max(key[c], key[r]);
        }
        return key;
    }

    private decide(): void {
        const { tree, trace } = this;
        for (let i = 0; i + 1 < this.path.length; i++) {
            const choice = tree.choiceAt[this.path[i]];
            if (choice < 0) continue;
            const [from, to] = tree.alternatives(choice);
            const alternatives = [];
            for (let a = from; a < to; a++)
                alternatives.push({
                    taken: trace.alternative.taken[a],
                    what: trace.alternative.what[a] as What,
                    call: this.local(trace.alternative.call[a]),
                });
            const call = this.local(trace.choice.call[choice]);
            this.decidedBy.set(call, this.decisions.length);
            this.decisions.push({
                node: this.path[i],
                choice,
                call,
                taken: trace.node.taken[this.path[i + 1]],
                alternatives,
            });
        }
    }

    /** The number here of a row of the table `call`; -1 if it is not of this run. */
    local(row: number): number {
        return this.segments.local(row);
    }

    kind(c: number): Kind {
        return this.trace.kind(this.kindOf[c]);
    }

    /** Of each kind a number: the same for those that are alike in this. */
    kindNumbers(like: (kind: Kind) => string): Int32Array {
        const numbers = new Map<string, number>();
        return Int32Array.from({ length: this.trace.kinds }, (_, k) => {
            const key = like(this.trace.kind(k));
            if (!numbers.has(key)) numbers.set(key, numbers.size + 1);
            return numbers.get(key)!;
        });
    }

    laneLength(rank: number): number {
        return this.lanes.start[rank + 1] - this.lanes.start[rank];
    }

    /** The call at this place of a rank's lane, or -1. */
    at(rank: number, place: number): number {
        return place < 0 || rank < 0 || rank >= this.trace.result.ranks || place >= this.laneLength(rank)
            ? -1
            : this.lanes.order[this.lanes.start[rank] + place];
    }

    /** Its number, by which it is shown and found. */
    number(c: number): number {
        return this.place[c] + this.missing[this.rank[c]];
    }

    byNumber(rank: number, number: number): number {
        return this.at(rank, number - (this.missing[rank] ?? 0));
    }

    /** All calls, rank after rank. */
    get inProgramOrder(): Int32Array {
        return this.lanes.order;
    }

    programIndex(c: number): number {
        return this.lanes.start[this.rank[c]] + this.place[c];
    }

    rankCalls(rank: number): Int32Array {
        return this.lanes.order.subarray(this.lanes.start[rank], this.lanes.start[rank + 1]);
    }

    /** The call of a rank in this column of the picture, or -1. */
    atLevel(rank: number, level: number): number {
        const c = this.lastBy(rank, level);
        return c >= 0 && this.level[c] === level ? c : -1;
    }

    /** The last call of a rank that is not after this column, or -1. */
    lastBy(rank: number, level: number): number {
        const { start, order } = this.lanes;
        const first = start[rank],
            last = start[rank + 1] - 1;
        if (first > last || this.level[order[first]] > level) return -1;
        return order[lastNotBehind(first, last, i => this.level[order[i]] > level)];
    }

    levelCalls(from: number, to: number): Int32Array {
        const { levels, rows } = this;
        return rows.order.subarray(
            rows.start[Math.max(0, Math.min(from, levels))],
            rows.start[Math.max(0, Math.min(to, levels))],
        );
    }

    isCollective(m: number): boolean {
        return this.send[m] < 0;
    }

    members(m: number): number[] {
        if (this.send[m] >= 0) return [this.send[m], this.receive[m]].filter(c => c >= 0);
        const row = this.segments.match[m];
        const first = this.trace.match.member[row];
        const members = [];
        for (let i = 0; i < this.trace.match.members[row]; i++) {
            const c = this.local(this.trace.member.call[first + i]);
            if (c >= 0) members.push(c);
        }
        return members;
    }

    /** When all of a match had been issued: a place in `issued`. */
    firedAt(m: number): number {
        return this.members(m).reduce((last, c) => Math.max(last, this.issuedAt[c]), -1);
    }

    /** How many calls, from the first on, are those of another interleaving as well. */
    callsSharedWith(other: Run): number {
        const { node } = this.trace;
        let calls = 0;
        for (let i = 0; i < this.path.length && this.path[i] === other.path[i]; i++)
            if (node.first_call[this.path[i]] >= 0)
                calls += node.end_call[this.path[i]] - node.first_call[this.path[i]];
        return calls;
    }

    /** The other calls of its match set. */
    partners(c: number): number[] {
        return this.matchOf[c] < 0 ? [] : this.members(this.matchOf[c]).filter(other => other !== c);
    }

    /** The calls whose requests this one waits for, tests or frees. */
    requests(c: number): number[] {
        const row = this.row[c];
        const first = this.trace.call.request[row];
        const requests = [];
        for (let i = 0; i < this.trace.call.requests[row]; i++)
            requests.push(this.local(this.trace.request.call[first + i]));
        return requests;
    }

    /** Which calls come right before which, as pairs. Of a call that several nodes tell of, the last one
     * knows: a match that was made later tells more. */
    steps(): { later: Int32Array; earlier: Int32Array } {
        const { before } = this.trace;
        const told = new Int32Array(this.calls).fill(-1);
        this.segments.before.forEach(({ first, end }, node) => {
            for (let row = first; row < end; row++) {
                const c = this.local(before.call[row]);
                if (c >= 0) told[c] = node;
            }
        });
        const later: number[] = [],
            earlier: number[] = [];
        this.segments.before.forEach(({ first, end }, node) => {
            for (let row = first; row < end; row++) {
                const c = this.local(before.call[row]);
                if (c < 0 || told[c] !== node) continue;
                const other = this.at(this.rank[c], this.place[c] - before.steps[row]);
                if (other < 0) continue;
                later.push(c);
                earlier.push(other);
            }
        });
        return { later: Int32Array.from(later), earlier: Int32Array.from(earlier) };
    }

    waitingAt(c: number): Waiting | undefined {
        return this.blockedIn.get(c);
    }

    /** Where a rank waits at the end, or -1. */
    waitsIn(rank: number): number {
        return this.waitsAt.get(rank) ?? -1;
    }

    /** What a rank waits for at the end. */
    waitOf(rank: number): Waiting | undefined {
        return this.waitsOf.get(rank);
    }

    state(c: number): CallState {
        const w = this.blockedIn.get(c);
        if (w) return w.finished ? 'finished' : w.polling ? 'polling' : 'blocked';
        if (this.matchOf[c] >= 0) return 'matched';
        if (this.pendingIn.has(c)) return 'pending';
        const kind = this.kind(c);
        const lonely = kind.op === 'send' || kind.op === 'receive' || kind.op === 'collective';
        if (!lonely || kind.peer === -1) return 'done';
        return this.tree.joins.has(this.interleaving) ? 'open' : 'unmatched';
    }

    decisionOf(c: number): Decision | undefined {
        return this.decisions[this.decidedBy.get(c) ?? -1];
    }

    isFence(c: number): boolean {
        return isFence(this.kind(c));
    }

    communicator(comm: number): { members: number[]; first_side: number | null } | undefined {
        if (comm === 0)
            return {
                members: Array.from({ length: this.trace.result.ranks }, (_, r) => r),
                first_side: null,
            };
        if (comm <= this.trace.result.ranks) return { members: [comm - 1], first_side: null };
        const nodes = new Set(this.path);
        return (
            this.trace.communicators.find(entry => entry.comm === comm && nodes.has(entry.node)) ??
            this.trace.communicators.find(entry => entry.comm === comm)
        );
    }
}
