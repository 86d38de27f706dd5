// SPDX-License-Identifier: BSD-3-Clause
// Matches-before: the order in which calls have to match. Which calls of its rank come right before a call is
// given (../DATA.md, table `before`): poe/ancestors.h says by which conditions. Here these steps are
// followed, and through match sets from rank to rank.
import { grouped } from './grouped';
import { Run } from './run';

const MOST = 300_000;

/** Of each call a list of calls. */
class Lists {
    constructor(
        private readonly start: Int32Array,
        private readonly calls: Int32Array,
    ) {}

    of(c: number): number[] {
        return Array.from(this.calls.subarray(this.start[c], this.start[c + 1]));
    }
}

export class MatchesBefore {
    private readonly before: Lists;
    private readonly after: Lists;

    constructor(private readonly run: Run) {
        const { later, earlier } = run.steps();
        const listed = (of: Int32Array, calls: Int32Array) => {
            const { start, order } = grouped(of, run.calls);
            return new Lists(
                start,
                order.map(i => calls[i]),
            );
        };
        this.before = listed(later, earlier);
        this.after = listed(earlier, later);
    }

    /** Calls of the same rank right before c: no other one lies between. */
    predecessors(c: number): number[] {
        return this.before.of(c);
    }

    successors(c: number): number[] {
        return this.after.of(c);
    }

    /** All that is ordered before c, through match sets too; and whether that is all, or there are too
     * many. */
    allBefore(c: number): { calls: Set<number>; whole: boolean } {
        const { run } = this;
        return this.closure(c, x => {
            const next = this.before.of(x);
            return next.concat(next.flatMap(p => run.partners(p).filter(z => run.kind(z).leads)));
        });
    }

    allAfter(c: number): { calls: Set<number>; whole: boolean } {
        const { run } = this;
        const partnersAfter = (x: number) =>
            run.kind(x).leads ? run.partners(x).flatMap(z => this.after.of(z)) : [];
        return this.closure(c, x => this.after.of(x).concat(partnersAfter(x)));
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
