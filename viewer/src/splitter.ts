// SPDX-License-Identifier: BSD-3-Clause
// A bar between two panels that a mouse or the arrow keys move: the width goes into a property of the style.
import { h } from './dom';

const STEP = 40;

export function splitter(
    label: string,
    property: string,
    limits: { least: number; most: () => number; at: number },
): HTMLElement {
    let width = limits.at;
    const bar = h('div', {
        class: 'splitter',
        role: 'separator',
        tabindex: 0,
        'aria-orientation': 'vertical',
        'aria-label': label,
        title: `${label}: drag, or arrow keys`,
    });
    const set = (wanted: number) => {
        width = Math.round(Math.max(limits.least, Math.min(limits.most(), wanted)));
        document.documentElement.style.setProperty(property, `${width}px`);
        bar.setAttribute('aria-valuenow', String(width));
        bar.setAttribute('aria-valuemin', String(limits.least));
        bar.setAttribute('aria-valuemax', String(Math.round(limits.most())));
    };
    bar.addEventListener('pointerdown', event => {
        const begin = event.clientX,
            before = width;
        bar.setPointerCapture(event.pointerId);
        bar.onpointermove = move => set(before + begin - move.clientX);
        bar.onpointerup = () => (bar.onpointermove = null);
        event.preventDefault();
    });
    bar.addEventListener('keydown', event => {
        const step = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
        if (!step) return;
        set(width + step);
        event.preventDefault();
        event.stopPropagation();
    });
    set(width);
    return bar;
}
