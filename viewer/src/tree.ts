// SPDX-License-Identifier: BSD-3-Clause
// The tree of choices: which nodes follow which, what each decision was about, and which interleavings with
// which endings lie below.
import { Finding, Trace } from './data';

/** How an ending is to be taken: fine, bad, or not to be judged (it was cut short, or another one shows the
 * same). */
export type Mood = 'fine' | 'bad' | 'open';

export function moodOf(ending: string): Mood {
    if (ending === 'finished') return 'fine';
    return ['redundant', 'interrupted', 'killed', 'unknown'].includes(ending) ? 'open' : 'bad';
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
    readonly below: Int32Array;
    readonly bad: Int32Array;
    readonly fine: Int32Array;
    /** of each interleaving, the errors and warnings that name it */
    readonly findings = new Map<number, number[]>();
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
        this.below = new Int32Array(node.rows);
        this.bad = new Int32Array(node.rows);
        this.fine = new Int32Array(node.rows);
        for (let i = 0; i < interleaving.rows; i++) {
            const at = interleaving.node[i];
            const mood = moodOf(trace.ending(i));
            this.endsIn[at] = i;
            this.below[at]++;
            if (mood === 'bad') this.bad[at]++;
            if (mood === 'fine') this.fine[at]++;
        }
        for (const n of this.deepestFirst()) {
            const parent = node.parent[n];
            if (parent < 0) continue;
            this.below[parent] += this.below[n];
            this.bad[parent] += this.bad[n];
            this.fine[parent] += this.fine[n];
        }
        trace.result.findings.forEach((finding, index) => {
            const at = finding.severity === 'note' ? -1 : this.interleavingOf(finding);
            if (at >= 0) this.findings.set(at, [...(this.findings.get(at) ?? []), index]);
        });
    }

    private deepestFirst(): Int32Array {
        const { depth, rows } = this.trace.node;
        let deepest = 0;
        for (let n = 0; n < rows; n++) deepest = Math.max(deepest, depth[n]);
        const start = new Int32Array(deepest + 2);
        for (let n = 0; n < rows; n++) start[deepest - depth[n] + 1]++;
        for (let d = 0; d <= deepest; d++) start[d + 1] += start[d];
        const order = new Int32Array(rows);
        for (let n = 0; n < rows; n++) order[start[deepest - depth[n]]++] = n;
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

    /** Whether an interleaving is worth a visit: it ends badly or a finding names it. */
    isMarked(interleaving: number): boolean {
        return moodOf(this.trace.ending(interleaving)) === 'bad' || this.findings.has(interleaving);
    }
}
