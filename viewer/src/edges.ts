// SPDX-License-Identifier: BSD-3-Clause
// What leads from box to box: messages, collectives, what could have been taken, who waits for whom, and what
// nearly matched.
import { Place } from './boxes';
import { s } from './dom';

const FAR = 2400,
    STUB = 34;

export type EdgeStyle = 'message' | 'alternative' | 'waits' | 'order' | 'near';

function ends(from: Place, to: Place): { x1: number; y1: number; x2: number; y2: number } {
    const down = to.y > from.y,
        right = to.x > from.x;
    const inset = (place: Place) => Math.min(12, place.width / 2);
    return {
        x1: right ? from.x + from.width - inset(from) : from.x + inset(from),
        y1: down ? from.y + from.height : from.y,
        x2: to.x === from.x ? to.x + inset(to) : right ? to.x + inset(to) : to.x + to.width - inset(to),
        y2: down ? to.y - 1 : to.y + to.height + 1,
    };
}

/** An arrow from one box to another; within a lane an arc below it. */
export function arrow(from: Place, to: Place, style: EdgeStyle): SVGElement[] {
    const attributes = { class: `edge ${style}`, 'marker-end': `url(#head-${style})` };
    if (from.y === to.y) {
        if (from.x === to.x) return [];
        const right = to.x > from.x;
        const x1 = right ? from.x + from.width - 4 : from.x + 4,
            x2 = right ? to.x + 3 : to.x + to.width - 3;
        const y = from.y + from.height;
        return [s('path', { ...attributes, d: `M${x1} ${y}C${x1} ${y + 7} ${x2} ${y + 7} ${x2} ${y + 1}` })];
    }
    const { x1, y1, x2, y2 } = ends(from, to);
    const length = Math.hypot(x2 - x1, y2 - y1);
    if (length > FAR) {
        /* only where it begins and ends: a line over pages says nothing */
        const dx = ((x2 - x1) / length) * STUB,
            dy = ((y2 - y1) / length) * STUB;
        return [
            s('path', { class: attributes.class, d: `M${x1} ${y1}l${dx} ${dy}` }),
            s('path', { ...attributes, d: `M${x2 - dx} ${y2 - dy}L${x2} ${y2}` }),
        ];
    }
    const bend = style === 'message' ? 0 : Math.sign(x2 - x1 || 1) * 14;
    return [
        s('path', { ...attributes, d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` }),
    ];
}

/** How far out the arrow between boxes of one column goes. */
export const BULGE = 26;

/** A message that does not arrive: broken in the middle. Within a column it goes around on the right. */
export function brokenArrow(from: Place, to: Place, title: string): SVGElement[] {
    const near = (d: string, head = false) =>
        s(
            'path',
            { class: 'edge near', d, 'marker-end': head ? 'url(#head-near)' : null },
            s('title', {}, title),
        );
    const cross = (x: number, y: number) =>
        s('path', { class: 'edge near broken', d: `M${x - 5} ${y - 5}l10 10m-10 0l10 -10` });
    if (from.x === to.x) {
        const x = from.x + from.width,
            out = x + BULGE - 6,
            y1 = from.y + from.height / 2,
            y2 = to.y + to.height / 2,
            middle = (y1 + y2) / 2,
            bend = Math.sign(y2 - y1) * Math.min(10, Math.abs(y2 - y1) / 2);
        return [
            near(`M${x} ${y1}H${out - 6}Q${out} ${y1} ${out} ${y1 + bend}V${middle - bend * 0.7}`),
            cross(out, middle),
            near(`M${out} ${middle + bend * 0.7}V${y2 - bend}Q${out} ${y2} ${out - 6} ${y2}H${x + 1}`, true),
        ];
    }
    const { x1, y1, x2, y2 } = ends(from, to);
    const length = Math.max(1, Math.hypot(x2 - x1, y2 - y1)),
        half = Math.min(8, length / 4);
    const mx = (x1 + x2) / 2,
        my = (y1 + y2) / 2,
        dx = ((x2 - x1) / length) * half,
        dy = ((y2 - y1) / length) * half;
    return [
        near(`M${x1} ${y1}L${mx - dx} ${my - dy}`),
        cross(mx, my),
        near(`M${mx + dx} ${my + dy}L${x2} ${y2}`, true),
    ];
}

/** The members of a collective: a band if they are one below the other, else a line through them. */
export function band(members: Place[]): SVGElement[] {
    if (members.length < 2) return [];
    const first = members[0],
        last = members[members.length - 1];
    if (members.every(place => place.x === first.x))
        return [
            s('rect', {
                class: 'band',
                x: first.x - 3,
                width: first.width + 6,
                y: first.y - 2,
                height: last.y + last.height - first.y + 4,
                rx: 5,
            }),
        ];
    const points = members.map(place => `${place.x + place.width / 2},${place.y + place.height / 2}`);
    return [s('polyline', { class: 'band-line', points: points.join(' ') })];
}

export function arrowHeads(): SVGElement {
    return s(
        'defs',
        {},
        ...['message', 'alternative', 'waits', 'order', 'near'].map(style =>
            s(
                'marker',
                {
                    id: `head-${style}`,
                    class: `head ${style}`,
                    viewBox: '0 0 8 8',
                    refX: 7,
                    refY: 4,
                    markerWidth: 7,
                    markerHeight: 7,
                    orient: 'auto-start-reverse',
                    markerUnits: 'userSpaceOnUse',
                },
                s('path', { d: 'M0 .5L8 4L0 7.5z' }),
            ),
        ),
    );
}
