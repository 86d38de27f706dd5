// SPDX-License-Identifier: BSD-3-Clause
// A slider over the matches of the interleaving, in the order in which they were made: what had not happened
// yet is faint.
import { App } from './app';
import { h, plural } from './dom';
import { numberOf, shortLabel } from './words';

function wordsOf(app: App, m: number): string {
    const run = app.run!;
    const members = run.members(m);
    if (!members.length) return 'calls that are not in this page';
    if (run.isCollective(m))
        return `${shortLabel(run.kind(members[0]))} of ${plural(members.length, 'rank')}`;
    return members.map(c => `${numberOf(run, c)} ${shortLabel(run.kind(c))}`).join(' with ');
}

export function scrubber(app: App): HTMLElement {
    const slider = h('input', {
        type: 'range',
        id: 'matches',
        min: 0,
        value: 0,
        'aria-label': 'match of this interleaving',
        title: 'step through the matches',
    });
    const words = h('span', { class: 'muted scrubber-words' });
    const element = h('span', { class: 'group scrubber' }, slider, words);
    const tell = () => {
        const { run } = app;
        const n = run?.matches ?? 0,
            k = Number(slider.value);
        const text =
            k < n ? `match ${k + 1} of ${n}: ${wordsOf(app, k)}` : `${n} match${n === 1 ? '' : 'es'}`;
        words.textContent = words.title = text;
        slider.setAttribute('aria-valuetext', text);
    };
    slider.addEventListener('input', () => {
        const { run } = app,
            k = Number(slider.value);
        if (!run) return;
        if (k >= run.matches) app.showUntil(-1);
        else {
            const members = run.members(k);
            app.showUntil(run.firedAt(k));
            if (members.length) app.select(members[members.length - 1]);
        }
        tell();
    });
    app.on(['run'], () => {
        const n = app.run?.matches ?? 0;
        slider.max = String(n);
        slider.value = String(n);
        element.hidden = n === 0;
        tell();
    });
    return element;
}
