// SPDX-License-Identifier: BSD-3-Clause
// Loops in time: rows of columns that come again and again. A run of columns that repeats three times or more
// is a fold, and folds repeat as well, so a loop in a loop is a fold of folds. Of each only the first
// iteration is shown, and those that were asked for.
import { groupsOf } from './alike';
import { lastNotBehind } from './bisect';
import { mix } from './mix';
import { Run } from './run';

const LONGEST = 64,
    PASSES = 6,
    HIDES_AT_LEAST = 4,
    SHORT = 30;

/** So many times the tokens first .. first + per of `inner`, one iteration after the other. */
interface Fold {
    inner: Tokens;
    first: number;
    per: number;
    times: number;
}

/** Pieces of the time, each of some levels: alike if their hashes are. */
class Tokens {
    readonly from: Int32Array;
    readonly hash: Int32Array;
    readonly fold: Int32Array;
    n = 0;

    constructor(room: number) {
        this.from = new Int32Array(room + 1);
        this.hash = new Int32Array(room);
        this.fold = new Int32Array(room).fill(-1);
    }

    add(from: number, end: number, hash: number, fold: number): void {
        this.from[this.n] = from;
        this.hash[this.n] = hash;
        this.fold[this.n++] = fold;
        this.from[this.n] = end;
    }
}

/** What is in a column, as a number: calls from the same places by ranks of the same groups, whoever their
 * partners are. Whatever is stuck, lonely or decided fatally has no like. */
function signatures(run: Run, critical: number): Int32Array {
    const of = new Int32Array(run.levels);
    const kinds = run.kindNumbers(kind => `${kind.op} ${kind.call} ${kind.site}`);
    const groupOf = new Int32Array(run.trace.result.ranks);
    groupsOf(run).forEach(({ ranks }, i) => ranks.forEach(rank => (groupOf[rank] = i + 1)));
    for (let c = 0; c < run.calls; c++) {
        const m = run.matchOf[c];
        const kind = kinds[run.kindOf[c]];
        let what = mix(kind, groupOf[run.rank[c]]);
        if (m < 0) {
            const state = run.state(c);
            what = mix(what, state === 'done' ? 3 : c + 17);
        } else if (run.receive[m] === c && run.decisionOf(c)) what = mix(what, run.rank[run.send[m]] + 5);
        if (c === critical) what = mix(what, c + 29);
        of[run.level[c]] = (of[run.level[c]] + mix(what, 7)) | 0;
    }
    return of;
}

/** Columns of the picture: each a level, or a gap of several that are not shown. */
export interface Columns {
    n: number;
    /** first level of each; one more at the end */
    level: Int32Array;
    /** iterations that a gap stands for; 0: it is a level; -1: the common beginning */
    times: Int32Array;
}

export class Folds {
    private readonly top: Tokens;
    private readonly folds: Fold[] = [];
    /** of a fold, which iterations are shown */
    private readonly shown = new Map<number, Set<number>>();
    /** levels before it are shown as one, as long as that is closed */
    private begin = 0;
    private columns: Columns | null = null;

    constructor(
        readonly run: Run,
        critical: number,
        common: number,
        /** levels before `common` that are shown all the same */
        private readonly pinned: Set<number>,
    ) {
        const sign = signatures(run, critical);
        let tokens = new Tokens(run.levels);
        for (let level = 0; level < run.levels; level++) tokens.add(level, level + 1, sign[level], -1);
        for (let i = 0; run.levels > SHORT && i < PASSES; i++) {
            const next = this.pass(tokens);
            if (next.n === tokens.n) break;
            tokens = next;
        }
        this.top = tokens;
        this.begin = common >= HIDES_AT_LEAST ? common : 0;
    }

    private pass(t: Tokens): Tokens {
        const next = new Tokens(t.n);
        for (let i = 0; i < t.n; ) {
            let per = 0,
                times = 0;
            for (let p = 1; p <= LONGEST && i + 3 * p <= t.n; p++) {
                if (t.hash[i] !== t.hash[i + p]) continue;
                let j = i;
                while (j + p < t.n && t.hash[j] === t.hash[j + p]) j++;
                times = Math.floor((j - i) / p) + 1;
                if (times >= 3 && t.from[i + p * times] - t.from[i + p] >= HIDES_AT_LEAST) {
                    per = p;
                    break;
                }
            }
            if (!per) {
                next.add(t.from[i], t.from[i + 1], t.hash[i], t.fold[i]);
                i++;
                continue;
            }
            let hash = times;
            for (let k = 0; k < per; k++) hash = mix(hash, t.hash[i + k]);
            const end = i + per * times;
            next.add(t.from[i], t.from[end], hash, this.folds.length);
            this.folds.push({ inner: t, first: i, per, times });
            i = end;
        }
        return next;
    }

    get list(): Columns {
        if (this.columns) return this.columns;
        const level: number[] = [],
            times: number[] = [];
        const add = (at: number, hidden: number) => {
            if (at < this.begin && !this.pinned.has(at)) {
                if (times[times.length - 1] === -1) return;
                hidden = -1;
            }
            level.push(at);
            times.push(hidden);
        };
        const emit = (t: Tokens, from: number, end: number): void => {
            for (let i = from; i < end; i++) {
                if (t.fold[i] < 0 || t.from[i + 1] <= this.begin) {
                    add(t.from[i], 0);
                    continue;
                }
                const { inner, first, per, times: all } = this.folds[t.fold[i]];
                const open = this.shown.get(t.fold[i]);
                for (let k = 0; k < all; ) {
                    const at = first + k * per;
                    if (k === 0 || open?.has(k)) {
                        emit(inner, at, at + per);
                        k++;
                        continue;
                    }
                    let next = k + 1;
                    while (next < all && !open?.has(next)) next++;
                    add(inner.from[at], next - k);
                    k = next;
                }
            }
        };
        emit(this.top, 0, this.top.n);
        const n = level.length;
        level.push(this.run.levels);
        this.columns = { n, level: Int32Array.from(level), times: Int32Array.from(times) };
        return this.columns;
    }

    /** The column that shows a level, or hides it. */
    columnOf(level: number): number {
        const { n, level: at } = this.list;
        return lastNotBehind(0, n - 1, column => at[column] > level);
    }

    /** Shows a level, and so many more iterations. False if it is shown already. */
    reveal(level: number, more = 0): boolean {
        let changed = false;
        for (let guard = 0; guard < PASSES + 2; guard++) {
            const column = this.columnOf(level);
            if (!this.list.times[column]) break;
            changed = true;
            this.columns = null;
            if (level < this.begin) {
                this.begin = 0;
                continue;
            }
            this.open(this.top, level, more);
        }
        return changed;
    }

    private open(t: Tokens, level: number, more: number): void {
        const f = t.fold[lastNotBehind(0, t.n - 1, i => t.from[i] > level)];
        if (f < 0) return;
        const { inner, first, per, times } = this.folds[f];
        const k = lastNotBehind(0, times - 1, i => inner.from[first + i * per] > level);
        const open = this.shown.get(f) ?? new Set<number>();
        this.shown.set(f, open);
        if (k > 0 && !open.has(k)) for (let i = k; i <= k + more && i < times; i++) open.add(i);
        else this.open(inner, level, more);
    }
}
