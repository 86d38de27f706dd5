// SPDX-License-Identifier: BSD-3-Clause
// Who waits for whom at the end of an interleaving: a graph of the ranks, on a circle. A rank that needs all
// it waits for has solid edges (AND), one that needs any of them has dashed ones (OR). Edges of a cycle or
// knot (a strongly connected component) stand out.
import { s } from './dom';
import { Waiting } from './data';
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

/** Ranks that wait or are waited for; null if none waits. */
export function waitForGraph(waiting: Waiting[], select: (rank: number) => void): SVGSVGElement | null {
    const edges = edgesOf(waiting);
    const stuck = new Map(waiting.filter(w => !w.finished).map(w => [w.rank, w]));
    if (!stuck.size) return null;
    const ranks = [...new Set([...stuck.keys(), ...edges.map(edge => edge.to)])].sort((a, b) => a - b);
    const n = ranks.length;
    const node = n > 24 ? 13 : 17;
    const radius =
        n === 1 ? 0 : Math.max(n === 2 ? 52 : 58, (n * (2 * node + (n > 24 ? 10 : 26))) / (2 * Math.PI));
    const loops = edges.some(edge => edge.from === edge.to);
    const size = 2 * (radius + node + (loops ? 24 : 8));
    const at = new Map(
        ranks.map((rank, i) => {
            const angle = (2 * Math.PI * i) / n - (n === 2 ? Math.PI : Math.PI / 2);
            return [rank, { x: size / 2 + radius * Math.cos(angle), y: size / 2 + radius * Math.sin(angle) }];
        }),
    );
    const height = n === 2 ? 2 * (node + (loops ? 24 : 14)) : size,
        top = n === 2 ? size / 2 - height / 2 : 0;
    const words = [...stuck.values()].map(w => `rank ${w.rank} ${waitsFor(w)}`).join('; ');
    const graph = s(
        'svg',
        {
            class: 'wait-graph',
            viewBox: `0 ${top} ${size} ${height}`,
            width: size,
            height,
            role: 'img',
            'aria-label': `Wait-for graph: ${words}`,
        },
        s(
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
        ),
    );
    for (const edge of edges.sort((a, b) => Number(a.knot) - Number(b.knot))) {
        const a = at.get(edge.from)!,
            b = at.get(edge.to)!;
        const style = {
            class: `wait-edge${edge.any ? ' any' : ' all'}${edge.knot ? ' knot' : ''}`,
            'marker-end': `url(#wait-${edge.knot ? 'knot' : 'plain'})`,
        };
        if (edge.from === edge.to) {
            graph.append(
                s(
                    'path',
                    { ...style, d: `M${a.x - 8} ${a.y - node + 1}c-12 -26 28 -26 16 -1` },
                    s('title', {}, `rank ${edge.from} waits for itself`),
                ),
            );
            continue;
        }
        const length = Math.hypot(b.x - a.x, b.y - a.y),
            ux = (b.x - a.x) / length,
            uy = (b.y - a.y) / length;
        const both = edges.some(other => other.from === edge.to && other.to === edge.from);
        const bend = both ? Math.min(9, length * 0.09) : 0;
        const middle = { x: (a.x + b.x) / 2 - uy * bend * 2, y: (a.y + b.y) / 2 + ux * bend * 2 };
        const x1 = a.x + ux * node - uy * bend * 0.6,
            y1 = a.y + uy * node + ux * bend * 0.6;
        const x2 = b.x - ux * (node + 2) - uy * bend * 0.6,
            y2 = b.y - uy * (node + 2) + ux * bend * 0.6;
        graph.append(
            s(
                'path',
                { ...style, d: `M${x1} ${y1}Q${middle.x} ${middle.y} ${x2} ${y2}` },
                s(
                    'title',
                    {},
                    `rank ${edge.from} waits for ${edge.any ? 'any of several, among them ' : ''}rank ` +
                        `${edge.to}`,
                ),
            ),
        );
    }
    for (const rank of ranks) {
        const { x, y } = at.get(rank)!;
        const w = stuck.get(rank);
        graph.append(
            s(
                'g',
                { class: `wait-node${w ? ' stuck' : ''}`, onclick: () => select(rank) },
                s('title', {}, `rank ${rank} ${w ? waitsFor(w) : 'does not wait'}`),
                s('circle', { cx: x, cy: y, r: node }),
                s('text', { x, y, 'text-anchor': 'middle', 'dominant-baseline': 'central' }, rank),
            ),
        );
    }
    return graph;
}

export function hasKnot(waiting: Waiting[]): boolean {
    return edgesOf(waiting).some(edge => edge.knot);
}
export function hasAny(waiting: Waiting[]): boolean {
    return edgesOf(waiting).some(edge => edge.any);
}
