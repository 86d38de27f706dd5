// SPDX-License-Identifier: BSD-3-Clause
// Which rows of the tables an interleaving consists of: the nodes of its path, one after the other, and the
// numbers that its calls get by that.
import { lastNotBehind } from './bisect';
import { Trace } from './data';

export class Segments {
    /** of each call, in the order in which isp came to know them, its row in the table `call` */
    readonly row: Int32Array;
    /** of each match its row, and the last call before it (-1: none) */
    readonly match: Int32Array;
    readonly after: Int32Array;
    /** its nodes, and their rows of the table `before` */
    readonly before: { first: number; end: number }[];
    /** rows of the table `call` and the number here of the first of them, by rows */
    private readonly pieces: { first: number; end: number; at: number }[] = [];

    constructor(trace: Trace, path: number[]) {
        const { node } = trace;
        const there = path.filter(n => node.first_call[n] >= 0);
        this.before = there.map(n => ({ first: node.first_before[n], end: node.end_before[n] }));
        let calls = 0,
            matches = 0;
        for (const n of there) {
            if (node.first_call[n] < node.end_call[n])
                this.pieces.push({ first: node.first_call[n], end: node.end_call[n], at: calls });
            calls += node.end_call[n] - node.first_call[n];
            matches += node.end_match[n] - node.first_match[n];
        }
        this.row = new Int32Array(calls);
        for (const { first, end, at } of this.pieces)
            for (let row = first; row < end; row++) this.row[at + row - first] = row;
        this.pieces.sort((a, b) => a.first - b.first);

        this.match = new Int32Array(matches);
        this.after = new Int32Array(matches);
        let m = 0,
            begin = 0;
        for (const n of there) {
            for (let row = node.first_match[n]; row < node.end_match[n]; row++, m++) {
                this.match[m] = row;
                this.after[m] = Math.max(
                    begin - 1,
                    this.local(trace.match.after[row]),
                ); /* the call may be one of another interleaving */
            }
            begin += node.end_call[n] - node.first_call[n];
        }
    }

    /** The number here of a row of the table `call`; -1 if it is not of this interleaving. */
    local(row: number): number {
        const { pieces } = this;
        const piece = pieces[lastNotBehind(0, pieces.length - 1, i => pieces[i].first > row)];
        return piece && row >= piece.first && row < piece.end ? piece.at + row - piece.first : -1;
    }
}
