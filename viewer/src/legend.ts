// SPDX-License-Identifier: BSD-3-Clause
// What the signs mean, in a line below the picture: those that this interleaving has.
import { App } from './app';
import { h, replace, s } from './dom';
import { nearMisses } from './near';

export function legend(app: App): HTMLElement {
    const line = (style: string, words: string) =>
        h(
            'span',
            {},
            s(
                'svg',
                { width: 30, height: 8, 'aria-hidden': 'true' },
                s('path', { class: `edge ${style}`, d: 'M0 4H24', 'marker-end': `url(#head-${style})` }),
            ),
            words,
        );
    const sign = (text: string, style: string, words: string) =>
        h('span', {}, h('span', { class: style }, text), words);
    const element = h('p', { class: 'legend' });
    app.on(['run'], () => {
        const { run } = app;
        const choices = run?.decisions.some(d => d.alternatives.length > 1),
            stuck = run?.waiting.some(w => !w.finished);
        replace(
            element,
            line('message', 'message'),
            choices && sign('◆', 'choice-mark', 'choice'),
            choices && line('alternative', 'could have been taken'),
            app.critical && sign('◆', 'critical-sign', 'critical choice'),
            stuck && sign('■', 'stuck-sign', 'stuck'),
            stuck && line('waits', 'waits for'),
            run && nearMisses(run).length > 0 && line('near', 'nearly matched'),
            h('span', { class: 'push' }, 'wheel: zoom · drag: move'),
        );
    });
    return element;
}
