// SPDX-License-Identifier: BSD-3-Clause
// The name of a lane: its ranks, how many they are, whether they are stuck. A click shows each of them, or
// collapses it.
import { rangesOf } from './alike';
import { App } from './app';
import { h } from './dom';
import { Lane, Lanes } from './lanes';
import { Run } from './run';
import { waitWords } from './waiting';

const GLYPH = 8;

export function laneHead(app: App, run: Run, lanes: Lanes, lane: Lane, width: number): HTMLElement {
    const rank = lane.ranks[0],
        many = lane.ranks.length > 1,
        narrow = lanes.isCollapsed(lane);
    const stuck = lane.ranks.filter(r => (w => w && !w.finished)(run.waitOf(r)));
    const polls = stuck.length > 0 && run.waitOf(stuck[0])!.polling;
    const names = many ? `ranks ${rangesOf(lane.ranks)}` : `rank ${rank}`;
    /* in letters */
    const room = Math.floor((width - (stuck.length ? 34 : 18)) / GLYPH);
    const short = many ? rangesOf(lane.ranks, room) : room < 9 ? String(rank) : `rank ${rank}`;
    const count = `${lane.exact ? '×' : '≈'}${lane.ranks.length}`;
    const waits = waitWords(run, lane.ranks);
    const does = many ? 'show each' : narrow ? 'show' : 'collapse',
        alike = !many ? '' : lane.exact ? ' (all do the same)' : ' (they do alike)';
    const title = `${names}: ${does}${alike}${waits ? ` (${waits})` : ''}`;
    return h(
        'button',
        {
            type: 'button',
            class:
                `lane-head${stuck.length ? ' stuck' : ''}${many ? ' group' : ''}` +
                `${lane.ranks.includes(app.locked) ? ' locked' : ''}`,
            style: `top:${lane.top}px;height:${lane.height}px`,
            title,
            'aria-label': title,
            'aria-expanded': String(!narrow && !many),
            'data-rank': rank,
            onclick: () => (many ? app.openGroup(rank) : app.toggleRank(rank)),
        },
        !narrow && stuck.length > 0
            ? h('span', { class: 'stuck-mark', 'aria-hidden': 'true' }, polls ? '↻' : '■')
            : null,
        narrow ? '' : h('span', {}, short),
        many && short.length + count.length + 1 <= room && h('span', { class: 'count' }, count),
    );
}
