// SPDX-License-Identifier: BSD-3-Clause
// Who waits for whom at the end of an interleaving: a graph on a circle. A node is a rank, or if there are
// many all that wait in the same way (waiting.ts). A rank that needs all it waits for has solid edges (AND),
// one that needs any of them has dashed ones (OR). Edges of a cycle or knot (a strongly connected component)
// stand out.
import { s } from './dom';
import { rangesOf } from './alike';
import { Waiting } from './data';
import { Run } from './run';
import { waitGroups } from './waiting';
import { waitsFor } from './words';

interface Edge {
    from: number;
    to: number;
    any: boolean;
    knot: boolean;
}

/** The strongly connected component of each rank that waits (Tarjan, without recursion: there may be many
 * ranks). */
function components(out: Map<number, number[]>): Map<number, number> {
    const index = new Map<number, number>(),
        low = new Map<number, number>(),
        component = new Map<number, number>();
    const stack: number[] = [];
    for (const start of out.keys()) {
        if (index.has(start)) continue;
        const work = [{ rank: start, next: 0 }];
        while (work.length) {
            const frame = work[work.length - 1],
                { rank } = frame;
            if (!index.has(rank)) {
                index.set(rank, index.size);
                low.set(rank, index.get(rank)!);
                stack.push(rank);
            }
            const to = (out.get(rank) ?? [])[frame.next++];
            if (to !== undefined) {
                if (!index.has(to)) work.push({ rank: to, next: 0 });
                else if (!component.has(to)) low.set(rank, Math.min(low.get(rank)!, index.get(to)!));
                continue;
            }
            work.pop();
            const parent = work[work.length - 1];
            if (parent) low.set(parent.rank, Math.min(low.get(parent.rank)!, low.get(rank)!));
            if (low.get(rank) === index.get(rank)) {
                let member;
                do component.set((member = stack.pop()!), rank);
                while (member !== rank);
            }
        }
    }
    return component;
}

function edgesOf(waiting: Waiting[]): Edge[] {
    const stuck = waiting.filter(w => !w.finished);
    const out = new Map<number, number[]>();
    for (const w of stuck) out.set(w.rank, [...(out.get(w.rank) ?? []), ...w.ranks]);
    const component = components(out);
    const seen = new Set<string>();
    return stuck.flatMap(w =>
        w.ranks
            .filter(to => !seen.has(`${w.rank} ${to}`) && seen.add(`${w.rank} ${to}`))
            .map(to => ({
                from: w.rank,
                to,
                any: w.needs === 'any' && w.ranks.length > 1,
                knot: component.get(w.rank) === component.get(to),
            })),
    );
}

/** so many are drawn one by one; and so many groups */
const FEW = 8,
    MOST_GROUPS = 8;

interface Node {
    ranks: number[];
    label: string;
    stuck: boolean;
    words: string;
    half: number;
}

function nodesOf(run: Run, edges: Edge[]): Node[] {
    const stuck = new Map(run.waiting.filter(w => !w.finished).map(w => [w.rank, w]));
    const ranks = [...new Set([...stuck.keys(), ...edges.map(edge => edge.to)])].sort((a, b) => a - b);
    const node = (own: number[], words: string): Node => {
        const label = own.length > 1 ? rangesOf(own, 14) : String(own[0]);
        return {
            ranks: own,
            label,
            stuck: stuck.has(own[0]),
            words: `rank${own.length > 1 ? 's' : ''} ${rangesOf(own)} ${words}`,
            half: Math.max(17, label.length * 3.9 + 8),
        };
    };
    if (ranks.length <= FEW)
        return ranks.map(rank =>
            node([rank], stuck.has(rank) ? waitsFor(stuck.get(rank)!) : 'does not wait'),
        );
    const groups = waitGroups(run)
        .filter(group => !group.waits[0].finished)
        .map(group => node([...new Set(group.ranks)], group.words));
    const grouped = new Set(groups.flatMap(group => group.ranks));
    const others = ranks.filter(rank => !grouped.has(rank));
    if (others.length) groups.push(node(others, others.length > 1 ? 'do not wait' : 'does not wait'));
    if (groups.length <= MOST_GROUPS) return groups;
    const rest = groups.slice(MOST_GROUPS - 1).flatMap(group => group.ranks);
    return [
        ...groups.slice(0, MOST_GROUPS - 1),
        node(
            rest.sort((a, b) => a - b),
            'wait in other ways',
        ),
    ];
}

/** Ranks that wait or are waited for; null if nobody waits for anybody. */
export function waitForGraph(run: Run, select: (rank: number) => void): SVGSVGElement | null {
    const all = edgesOf(run.waiting);
    const nodes = nodesOf(run, all);
    if (!all.length) return null;
    const nodeOf = new Map(nodes.flatMap((node, i) => node.ranks.map(rank => [rank, i] as const)));
    const edges = new Map<string, Edge & { count: number }>();
    for (const edge of all) {
        const from = nodeOf.get(edge.from)!,
            to = nodeOf.get(edge.to)!,
            key = `${from} ${to}`;
        const there = edges.get(key);
        if (!there) edges.set(key, { from, to, any: edge.any, knot: edge.knot, count: 1 });
        else {
            there.count++;
            there.any &&= edge.any;
            there.knot ||= edge.knot;
        }
    }
    const n = nodes.length,
        high = 17,
        widest = Math.max(...nodes.map(node => node.half));
    const flat = n <= 2;
    const loops = [...edges.values()].some(edge => edge.from === edge.to);
    const rx =
            n === 1
                ? 0
                : n === 2
                  ? widest + 34
                  : Math.max(44, widest + 22, (n * (widest + 13)) / Math.PI / 1.4),
        ry = flat ? 0 : Math.max(36, (n * 28) / Math.PI);
    const width = 2 * (rx + widest + 8),
        height = 2 * (ry + high + (loops ? 24 : flat ? 14 : 8));
    const at = nodes.map((_, i) => {
        const angle = (2 * Math.PI * i) / n - (n === 2 ? Math.PI : Math.PI / 2);
        return { x: width / 2 + rx * Math.cos(angle), y: height / 2 + ry * Math.sin(angle) };
    });
    const graph = s(
        'svg',
        {
            class: 'wait-graph',
            viewBox: `0 0 ${width} ${height}`,
            width,
            height,
            role: 'img',
            'aria-label': `Wait-for graph: ${nodes
                .filter(node => node.stuck)
                .map(node => node.words)
                .join('; ')}`,
        },
        arrowHeads(),
    );
    /** from the middle of a node to its edge, in this direction */
    const reach = (i: number, ux: number, uy: number) => {
        const { half } = nodes[i];
        return half <= high
            ? high
            : Math.min(half / Math.max(1e-6, Math.abs(ux)), high / Math.max(1e-6, Math.abs(uy)));
    };
    for (const edge of [...edges.values()].sort((a, b) => Number(a.knot) - Number(b.knot))) {
        const a = at[edge.from],
            b = at[edge.to];
        const style = {
            class: `wait-edge${edge.any ? ' any' : ' all'}${edge.knot ? ' knot' : ''}`,
            'marker-end': `url(#wait-${edge.knot ? 'knot' : 'plain'})`,
        };
        if (edge.from === edge.to) {
            graph.append(
                s(
                    'path',
                    { ...style, d: `M${a.x - 8} ${a.y - high + 1}c-12 -26 28 -26 16 -1` },
                    s('title', {}, nodes[edge.from].words),
                ),
            );
            continue;
        }
        const length = Math.hypot(b.x - a.x, b.y - a.y),
            ux = (b.x - a.x) / length,
            uy = (b.y - a.y) / length;
        const bend = edges.has(`${edge.to} ${edge.from}`) ? Math.min(9, length * 0.09) : 0;
        const middle = { x: (a.x + b.x) / 2 - uy * bend * 2, y: (a.y + b.y) / 2 + ux * bend * 2 };
        const out = reach(edge.from, ux, uy),
            into = reach(edge.to, ux, uy) + 2;
        const x1 = a.x + ux * out - uy * bend * 0.6,
            y1 = a.y + uy * out + ux * bend * 0.6;
        const x2 = b.x - ux * into - uy * bend * 0.6,
            y2 = b.y - uy * into + ux * bend * 0.6;
        graph.append(
            s(
                'path',
                { ...style, d: `M${x1} ${y1}Q${middle.x} ${middle.y} ${x2} ${y2}` },
                s(
                    'title',
                    {},
                    nodes[edge.from].ranks.length > 1
                        ? `${edge.count} of ranks ${nodes[edge.from].label} wait for ${nodes[edge.to].label}`
                        : `rank ${nodes[edge.from].label} waits for ` +
                              `${edge.any ? 'any of several, among them ' : ''}rank ${nodes[edge.to].label}`,
                ),
            ),
        );
    }
    nodes.forEach(({ ranks, label, stuck, words, half }, i) => {
        const { x, y } = at[i];
        graph.append(
            s(
                'g',
                { class: `wait-node${stuck ? ' stuck' : ''}`, onclick: () => select(ranks[0]) },
                s('title', {}, words),
                s('rect', {
                    x: x - half,
                    y: y - high,
                    width: 2 * half,
                    height: 2 * high,
                    rx: high,
                }),
                s('text', { x, y, 'text-anchor': 'middle', 'dominant-baseline': 'central' }, label),
            ),
        );
    });
    return graph;
}

function arrowHeads(): SVGElement {
    return s(
        'defs',
        {},
        ...['plain', 'knot'].map(kind =>
            s(
                'marker',
                {
                    id: `wait-${kind}`,
                    class: `wait-head ${kind}`,
                    viewBox: '0 0 8 8',
                    refX: 7,
                    refY: 4,
                    markerWidth: 8,
                    markerHeight: 8,
                    orient: 'auto',
                    markerUnits: 'userSpaceOnUse',
                },
                s('path', { d: 'M0 .5L8 4L0 7.5z' }),
            ),
        ),
    );
}

export function hasKnot(waiting: Waiting[]): boolean {
    return edgesOf(waiting).some(edge => edge.knot);
}
export function hasAny(waiting: Waiting[]): boolean {
    return edgesOf(waiting).some(edge => edge.any);
}
