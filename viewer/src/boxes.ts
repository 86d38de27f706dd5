// SPDX-License-Identifier: BSD-3-Clause
// A call as a box in its lane: what it is, its tag, how it ended, whether it was a choice.
import { GLYPH } from './axis';
import { s } from './dom';
import { Lane } from './lanes';
import { Run } from './run';
import { fate, labelsOf, numberOf } from './words';

export interface Place {
    x: number;
    width: number;
    y: number;
    height: number;
}

/** Room around boxes: below and above, and between two columns. */
const GUTTER = 3,
    SPACE = 12;
const signs: Record<string, string> = {
    blocked: '■',
    polling: '↻',
    unmatched: '○',
    pending: '○',
    open: '…',
};

export function placeIn(lane: Lane, x: number, width: number): Place {
    const between = Math.min(SPACE, width * 0.2);
    return {
        x: x + between / 2,
        width: Math.max(1, width - between),
        y: lane.top + GUTTER,
        height: lane.height - 2 * GUTTER,
    };
}

function familyOf(op: string): string {
    return ['send', 'receive', 'probe', 'collective', 'complete', 'finalize'].includes(op) ? op : 'other';
}

export function box(
    run: Run,
    c: number,
    place: Place,
    flags: { critical: boolean; marked: boolean; small: boolean },
): SVGGElement {
    const kind = run.kind(c),
        state = run.state(c),
        decision = run.decisionOf(c);
    const choice = decision !== undefined && decision.alternatives.length > 1;
    const { x, y, width, height } = place;
    const group = s('g', {
        class:
            `call op-${familyOf(kind.op)} is-${state}` +
            `${flags.critical ? ' critical' : ''}${flags.marked ? ' marked' : ''}`,
        'data-call': c,
    });
    group.append(
        s(
            'title',
            {},
            `${numberOf(run, c)} ${kind.label}\n${flags.critical ? 'critical choice: ' : ''}${fate(run, c)}`,
        ),
        s('rect', { x, y, width, height, rx: Math.min(4, width / 4) }),
    );
    if (flags.small) return group;
    const diamond = choice && width >= 40;
    const sign = signs[state];
    const room = Math.floor((width - 10 - (diamond ? 15 : 0)) / GLYPH);
    const labels = labelsOf(kind);
    const text = (sign ? [...labels.map(label => `${sign} ${label}`), sign] : labels).find(
        label => label.length <= room,
    );
    if (text) group.append(s('text', { x: x + 5, y: y + height / 2, class: 'label' }, text));
    if (diamond) {
        const at = x + width - 9,
            middle = y + height / 2;
        group.append(
            s(
                'path',
                { class: 'choice-mark', d: `M${at} ${middle - 6}l6 6l-6 6l-6 -6z` },
                s('title', {}, `choice with ${decision.alternatives.length} alternatives`),
            ),
        );
    }
    return group;
}
