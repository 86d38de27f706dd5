// SPDX-License-Identifier: BSD-3-Clause
// All of the time in a strip, and what part of it is seen: a click or a drag goes there.
import { AT_ONCE, Axis } from './axis';
import { drawDense } from './dense';
import { h } from './dom';
import { Lanes } from './lanes';
import { Run } from './run';

const LOWEST = 14,
    HIGHEST = 44;

export class Minimap {
    readonly element: HTMLElement;
    private readonly canvas = h('canvas', {});
    private readonly frame = h('div', { class: 'minimap-view' });
    private axis: Axis | null = null;

    constructor(private readonly moved: (left: number) => void) {
        this.element = h('div', { class: 'minimap', 'aria-hidden': 'true' }, this.canvas, this.frame);
        const go = (event: PointerEvent) => {
            const { axis } = this;
            if (!axis) return;
            const box = this.canvas.getBoundingClientRect();
            this.moved(((event.clientX - box.left) / box.width) * axis.total - axis.view / 2);
        };
        this.element.addEventListener('pointerdown', event => {
            this.element.setPointerCapture(event.pointerId);
            go(event);
            event.preventDefault();
        });
        this.element.addEventListener('pointermove', event => event.buttons && go(event));
    }

    draw(run: Run, axis: Axis, lanes: Lanes, heads: number): void {
        this.axis = axis;
        const height = Math.min(HIGHEST, Math.max(LOWEST, lanes.lanes.length * 4));
        this.element.style.paddingLeft = `${heads}px`;
        this.canvas.style.width = `${axis.view}px`;
        this.canvas.style.height = `${height}px`;
        drawDense(this.canvas, run, axis, lanes, {
            left: 0,
            scale: axis.view / axis.total,
            width: axis.view,
            top: 0,
            height,
            squeeze: height / Math.max(1, lanes.height),
        });
        this.follow(heads);
    }

    follow(heads: number): void {
        const { axis } = this;
        if (!axis) return;
        const scale = axis.view / axis.total;
        this.frame.style.left = `${heads + axis.left * scale}px`;
        this.frame.style.width = `${Math.min(axis.view, Math.max(8, axis.view * scale))}px`;
        this.element.hidden = axis.fit >= AT_ONCE;
    }
}
