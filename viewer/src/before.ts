// SPDX-License-Identifier: BSD-3-Clause
// Matches-before: the order in which calls have to match, from the rules C1 to C6 of Vo's dissertation (chapter 3). C1: nothing overtakes a blocking call; C2: an operation
// comes before its wait; C3: sends to one rank that one receive could take, C4: receives that one message could satisfy, both in program order; C4': a receive that names
// its source comes before a later wildcard only if that takes a message of this source. C5 and C6 lead on from rank to rank through match sets.
//
// Deviations: that a receive takes any tag is looked at for the whole run, not for each pair of sends. Direct relations are looked for among the last REACH calls of a rank.
import { Kind } from './data';
import { Run } from './run';

const REACH = 400,
    CLOSE = 100,
    MOST = 300_000;

function tagsMeet(a: Kind, b: Kind): boolean {
    return a.tag === b.tag || a.tag === -1 || b.tag === -1;
}

export class MatchesBefore {
    /** communicators on which some receive takes any tag */
    private readonly anyTag = new Set<number>();

    constructor(private readonly run: Run) {
        const seen = new Uint8Array(run.trace.kinds);
        for (let c = 0; c < run.calls; c++) seen[run.kindOf[c]] = 1;
        seen.forEach((there, k) => {
            const kind = run.trace.kind(k);
            if (there && (kind.op === 'receive' || kind.op === 'probe') && kind.tag === -1 && kind.comm !== null) this.anyTag.add(kind.comm);
        });
    }

    /** Whether a, earlier on the same rank than b, has to match before b, by one rule. */
    private isDirect(a: number, b: number): boolean {
        const { run } = this;
        const x = run.kind(a),
            y = run.kind(b);
        if ((x.thread ?? 0) !== (y.thread ?? 0)) return false;
        if (run.isFence(a)) return true;
        if (run.trace.call.requests[run.row[b]] > 0 && run.requests(b).includes(a)) return true;
        if (x.comm !== y.comm) return false;
        if (x.op === 'send' && y.op === 'send') return x.peer === y.peer && (x.tag === y.tag || this.anyTag.has(x.comm ?? 0));
        if (x.op === 'collective' && y.op === 'collective') return true;
        const receives = (x.op === 'receive' || x.op === 'probe') && (y.op === 'receive' || y.op === 'probe');
        if (!receives || !tagsMeet(x, y)) return false;
        if (x.peer === -2 || x.peer === y.peer) return true;
        const taken = y.peer === -2 && run.matchOf[b] >= 0 ? run.send[run.matchOf[b]] : -1;
        return taken >= 0 && run.rank[taken] === x.peer;
    }

    /** Calls of the same rank right before (or after) c in the order: no other one lies between. What is before a fence need not be before what follows it: that is
     * why the search does not end there when it goes back. */
    private neighbours(c: number, step: -1 | 1): number[] {
        const { run } = this;
        const rank = run.rank[c];
        const related: number[] = [],
            immediate: number[] = [];
        const isBefore = (a: number, b: number) => (step < 0 ? this.isDirect(a, b) : this.isDirect(b, a));
        for (let p = run.place[c] + step, left = REACH; left > 0; p += step, left--) {
            const other = run.at(rank, p);
            if (other < 0) break;
            const through = related.some(r => isBefore(other, r));
            const direct = isBefore(other, c);
            if (direct && !through) immediate.push(other);
            if (direct || through) related.push(other);
            if (step > 0 && run.isFence(other) && (direct || through)) break;
        }
        if (step < 0) for (const request of run.requests(c)) if (request >= 0 && run.place[request] < run.place[c] - REACH) immediate.push(request);
        return immediate;
    }

    /** Some calls of the same rank that are directly before (or after) c: enough to come to all of them step by step. */
    private some(c: number, step: -1 | 1): number[] {
        const { run } = this;
        const found: number[] = [];
        let fence = false;
        for (let p = run.place[c] + step, left = CLOSE; left > 0; p += step, left--) {
            const other = run.at(run.rank[c], p);
            if (other < 0) break;
            if (fence && run.isFence(other)) continue;
            if (!(step < 0 ? this.isDirect(other, c) : this.isDirect(c, other))) continue;
            found.push(other);
            if (!run.isFence(other)) continue;
            fence = true;
            if (step > 0) break;
        }
        if (step < 0) for (const request of run.requests(c)) if (request >= 0) found.push(request);
        return found;
    }

    predecessors(c: number): number[] {
        return this.neighbours(c, -1);
    }

    successors(c: number): number[] {
        return this.neighbours(c, 1);
    }

    /** All that is ordered before c, through match sets too; and whether that is all, or there are too many. */
    allBefore(c: number): { calls: Set<number>; whole: boolean } {
        return this.closure(c, x => {
            const next = this.some(x, -1);
            /* A match set fires at once: with a predecessor so does its partner; but that a receive is posted orders nothing by itself. */
            return next.concat(next.flatMap(p => this.run.partners(p).filter(z => this.run.kind(z).op !== 'receive')));
        });
    }

    allAfter(c: number): { calls: Set<number>; whole: boolean } {
        const partnersAfter = (x: number) => (this.run.kind(x).op === 'receive' ? [] : this.run.partners(x).flatMap(z => this.some(z, 1)));
        return this.closure(c, x => this.some(x, 1).concat(partnersAfter(x)));
    }

    private closure(c: number, next: (c: number) => number[]): { calls: Set<number>; whole: boolean } {
        const calls = new Set<number>();
        const open = [c];
        while (open.length) {
            for (const other of next(open.pop()!)) {
                if (other === c || calls.has(other)) continue;
                calls.add(other);
                open.push(other);
            }
            if (calls.size > MOST) return { calls, whole: false };
        }
        return { calls, whole: true };
    }
}
