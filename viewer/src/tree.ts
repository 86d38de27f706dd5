// SPDX-License-Identifier: BSD-3-Clause
// The tree of choices: which nodes follow which, what each decision was about, and which interleavings with
// which endings lie below. A run that is merged (poe/STATES.md) goes on from its end as others do from a
// choice point: there the tree is a graph.
import { Finding, Trace } from './data';

/** How an ending is to be taken: fine, bad, or not to be judged (it was cut short, or others show the
 * same). */
export type Mood = 'fine' | 'bad' | 'open';

export function moodOf(ending: string): Mood {
    if (ending === 'finished') return 'fine';
    return ['redundant', 'merged', 'interrupted', 'killed', 'unknown'].includes(ending) ? 'open' : 'bad';
}

/** Of which `count` is handles, not interleavings. */
function isLeak(finding: Finding): boolean {
    return finding.rule.startsWith('leak-');
}

/** Endings of runs that are not counted as interleavings. */
const UNCOUNTED = ['redundant', 'merged', 'interrupted', 'killed'];

/** Where a merged run goes on. */
export interface Join {
    /** that ends with the choice point; -1: the page does not have it */
    node: number;
    /** interleavings */
    standsFor: number;
}

/** The decisions of `0.2*1.1`: k*r stands for r times k. Zeros at the end are left out of a name. */
function decisionsOf(name: string): number[] {
    const decisions: number[] = [];
    for (const part of name.split('.')) {
        const [value, times] = part.split('*').map(Number);
        for (let i = 0; i < (times ?? 1); i++) decisions.push(value);
    }
    return decisions;
}

/** The other way round, as isp writes it (poe_choices_name). */
function nameOf(decisions: ArrayLike<number>): string {
    let end = decisions.length;
    while (end > 0 && decisions[end - 1] === 0) end--;
    const parts: string[] = [];
    for (let i = 0; i < end; ) {
        let next = i;
        while (next < end && decisions[next] === decisions[i]) next++;
        const times = next - i;
        if (times > 3) parts.push(`${decisions[i]}*${times}`);
        else for (let k = 0; k < times; k++) parts.push(String(decisions[i]));
        i = next;
    }
    return parts.join('.') || '0';
}

export class Tree {
    readonly roots: number[] = [];
    /** interleaving that ends in a node, or -1 */
    readonly endsIn: Int32Array;
    /** choice at the end of a node, or -1 */
    readonly choiceAt: Int32Array;
    /** interleavings below a node (itself included), and those of them that end badly, and well */
    readonly below: Float64Array;
    readonly bad: Float64Array;
    readonly fine: Float64Array;
    /** of interleavings that are merged */
    readonly joins = new Map<number, Join>();
    /** of each interleaving, the errors and warnings that name it */
    readonly findings = new Map<number, number[]>();
    /** of each interleaving, the errors and warnings that it has shown; traces of version 2 do not say it */
    private readonly shown = new Map<number, number[]>();
    /** for these: errors and warnings that every interleaving shows */
    private readonly everywhere: number[] = [];
    private readonly childStart: Int32Array;
    private readonly child: Int32Array;
    private readonly alternativeStart: Int32Array;

    constructor(readonly trace: Trace) {
        const { node, choice, alternative, interleaving } = trace;
        this.childStart = new Int32Array(node.rows + 1);
        for (let n = 0; n < node.rows; n++) {
            if (node.parent[n] < 0) this.roots.push(n);
            else this.childStart[node.parent[n] + 1]++;
        }
        for (let n = 0; n < node.rows; n++) this.childStart[n + 1] += this.childStart[n];
        this.child = new Int32Array(node.rows - this.roots.length);
        const next = this.childStart.slice();
        for (let n = 0; n < node.rows; n++) if (node.parent[n] >= 0) this.child[next[node.parent[n]]++] = n;
        for (let n = 0; n < node.rows; n++)
            this.child
                .subarray(this.childStart[n], this.childStart[n + 1])
                .sort((a, b) => node.taken[a] - node.taken[b]);

        this.choiceAt = new Int32Array(node.rows).fill(-1);
        for (let c = 0; c < choice.rows; c++) this.choiceAt[choice.node[c]] = c;
        this.alternativeStart = new Int32Array(choice.rows + 1);
        for (let a = 0; a < alternative.rows; a++) this.alternativeStart[alternative.choice[a] + 1]++;
        for (let c = 0; c < choice.rows; c++) this.alternativeStart[c + 1] += this.alternativeStart[c];

        this.endsIn = new Int32Array(node.rows).fill(-1);
        this.below = new Float64Array(node.rows);
        this.bad = new Float64Array(node.rows);
        this.fine = new Float64Array(node.rows);
        for (let i = 0; i < interleaving.rows; i++) {
            const at = interleaving.node[i],
                ending = trace.ending(i);
            this.endsIn[at] = i;
            if (UNCOUNTED.includes(ending)) continue;
            this.below[at]++;
            if (moodOf(ending) === 'bad') this.bad[at]++;
            if (moodOf(ending) === 'fine') this.fine[at]++;
        }
        this.readShown();
        this.readJoins();
        for (const n of this.lastFirst()) {
            const join = this.joins.get(this.endsIn[n]);
            if (join) {
                this.below[n] += join.standsFor;
                this.bad[n] += join.node < 0 ? 0 : Math.min(join.standsFor, this.bad[join.node]);
                this.fine[n] += join.node < 0 ? 0 : Math.min(join.standsFor, this.fine[join.node]);
            }
            const parent = node.parent[n];
            if (parent < 0) continue;
            this.below[parent] += this.below[n];
            this.bad[parent] += this.bad[n];
            this.fine[parent] += this.fine[n];
        }
        trace.result.findings.forEach((finding, index) => {
            const at = finding.severity === 'note' ? -1 : this.interleavingOf(finding);
            if (at >= 0) this.findings.set(at, [...(this.findings.get(at) ?? []), index]);
            if (at >= 0 && !finding.buffered && !isLeak(finding))
                if (finding.count >= trace.result.interleavings && finding.count > 1)
                    this.everywhere.push(index);
        });
    }

    private readShown(): void {
        const { shown, interleaving, result } = this.trace;
        for (let row = 0; row < shown.rows; row++) {
            const i = shown.interleaving[row],
                finding = result.findings[shown.finding[row]];
            if (i < 0 || i >= interleaving.rows || !finding || finding.severity === 'note') continue;
            const own = this.shown.get(i);
            if (own) own.push(shown.finding[row]);
            else this.shown.set(i, [shown.finding[row]]);
        }
    }

    private readJoins(): void {
        const { joined, interleaving, node } = this.trace;
        for (let j = 0; j < joined.rows; j++) {
            const i = joined.interleaving[j];
            if (i < 0 || i >= interleaving.rows || this.endsIn[interleaving.node[i]] !== i) continue;
            this.joins.set(i, {
                node: joined.node[j] < node.rows ? joined.node[j] : -1,
                standsFor: joined.more[j] * 2 ** 32 + (joined.stands_for[j] >>> 0),
            });
        }
    }

    /** All nodes, each after what comes below it, also by way of joins. What would lead back to where it
     * comes from, which only a damaged trace has, is no join. */
    private lastFirst(): Int32Array {
        const order = new Int32Array(this.trace.node.rows),
            begun = new Uint8Array(order.length),
            done = new Uint8Array(order.length);
        let n = 0;
        const stack = [...this.roots].reverse();
        while (stack.length) {
            const at = stack[stack.length - 1];
            if (begun[at]) {
                stack.pop();
                if (!done[at]) order[n++] = at;
                done[at] = 1;
                continue;
            }
            begun[at] = 1;
            for (const child of this.children(at)) stack.push(child);
            const join = this.joins.get(this.endsIn[at]);
            if (!join || join.node < 0 || done[join.node]) continue;
            if (begun[join.node]) join.node = -1;
            else stack.push(join.node);
        }
        return order;
    }

    children(node: number): Int32Array {
        return this.child.subarray(this.childStart[node], this.childStart[node + 1]);
    }

    /** Rows of the table `alternative`, which come in the order of their choices. */
    alternatives(choice: number): [number, number] {
        return [this.alternativeStart[choice], this.alternativeStart[choice + 1]];
    }

    alternative(choice: number, taken: number): number {
        const [from, to] = this.alternatives(choice);
        for (let a = from; a < to; a++) if (this.trace.alternative.taken[a] === taken) return a;
        return -1;
    }

    /** Nodes from the root to this one. */
    path(node: number): number[] {
        const path: number[] = [];
        for (let n = node; n >= 0; n = this.trace.node.parent[n]) path.push(n);
        return path.reverse();
    }

    name(interleaving: number): string {
        return nameOf(
            this.path(this.trace.interleaving.node[interleaving])
                .slice(1)
                .map(n => this.trace.node.taken[n]),
        );
    }

    /** The row of the interleaving that a finding names, or -1. */
    interleavingOf(finding: Finding): number {
        return finding.interleaving === null
            ? -1
            : this.interleavingNamed(finding.interleaving, finding.buffered);
    }

    interleavingNamed(name: string, buffered: boolean): number {
        const root = this.roots.find(n => this.trace.node.buffered[n] === Number(buffered));
        return root === undefined ? -1 : this.follow(root, decisionsOf(name));
    }

    /** Down from a node: these decisions, then zeros. */
    private follow(node: number, decisions: number[]): number {
        let at = node;
        for (let depth = 0; ; depth++) {
            const children = this.children(at);
            if (children.length === 0) return this.endsIn[at];
            const wanted = decisions[depth] ?? 0;
            const next = children.find(n => this.trace.node.taken[n] === wanted);
            if (next === undefined) return -1;
            at = next;
        }
    }

    /** The first interleaving below a node that ends with this mood, or any; -1 if there is none. */
    firstBelow(node: number, mood?: Mood): number {
        const counts = mood === 'bad' ? this.bad : mood === 'fine' ? this.fine : this.below;
        let at = node;
        if (!counts[at]) return -1;
        for (;;) {
            const children = this.children(at);
            const next = children.find(n => counts[n] > 0);
            if (next === undefined) return this.endsIn[at];
            at = next;
        }
    }

    /** The first interleaving that comes to the end of a node, or -1. */
    firstThrough(node: number): number {
        let at = node;
        while (this.children(at).length) at = this.children(at)[0];
        return this.endsIn[at];
    }

    /** Errors and warnings that interleavings below a node show, by the first one of each. */
    findingsBelow(node: number): number[] {
        const found = new Set<number>(),
            seen = new Set<number>(),
            stack = [node];
        while (stack.length) {
            const at = stack.pop()!;
            if (seen.has(at)) continue;
            seen.add(at);
            for (const finding of this.findings.get(this.endsIn[at]) ?? []) found.add(finding);
            for (const child of this.children(at)) stack.push(child);
            const join = this.joins.get(this.endsIn[at]);
            if (join && join.node >= 0) stack.push(join.node);
        }
        return [...found].sort((a, b) => a - b);
    }

    /** Errors and warnings that an interleaving has shown; if the trace does not say it, those that name it,
     * and those that all interleavings show. */
    findingsOf(interleaving: number): number[] {
        const own = this.findings.get(interleaving) ?? [];
        const more = this.trace.shown.rows
            ? (this.shown.get(interleaving) ?? [])
            : this.trace.interleaving.buffered[interleaving]
              ? []
              : this.everywhere;
        return [...new Set([...own, ...more])].sort((a, b) => a - b);
    }

    severityOf(interleaving: number): 'error' | 'warning' | null {
        const { findings } = this.trace.result;
        const own = this.findingsOf(interleaving).map(f => findings[f].severity);
        return own.includes('error') ? 'error' : own.length ? 'warning' : null;
    }

    /** A finding names only the first interleaving that shows it. Where the trace does not say which others
     * do: whether this one may be another. */
    mayShowMore(interleaving: number): boolean {
        const { findings } = this.trace.result;
        if (this.trace.shown.rows) return false;
        const buffered = this.trace.interleaving.buffered[interleaving] === 1;
        return findings.some((finding, f) => {
            const first = finding.severity === 'note' ? -1 : this.interleavingOf(finding);
            return (
                first >= 0 &&
                first < interleaving &&
                finding.buffered === buffered &&
                !this.everywhere.includes(f) &&
                moodOf(this.trace.ending(first)) === 'fine' &&
                (finding.count > 1 || isLeak(finding))
            );
        });
    }

    /** Whether an interleaving is worth a visit: it ends badly, shows an error, or a finding names it. */
    isMarked(interleaving: number): boolean {
        return (
            moodOf(this.trace.ending(interleaving)) === 'bad' ||
            this.findings.has(interleaving) ||
            this.severityOf(interleaving) === 'error'
        );
    }
}
