// SPDX-License-Identifier: BSD-3-Clause
// A list of which only what is visible is there: rows of one height.
import { h } from './dom';
import { reveal, Tall } from './tall';

export class WindowedList {
    readonly element: HTMLElement;
    private readonly body: HTMLElement;
    private readonly tall: Tall;
    private count = 0;
    private first = 0;
    private last = -1;

    constructor(
        private readonly rowHeight: number,
        attributes: Record<string, string | number>,
        private readonly render: (i: number) => HTMLElement,
        head?: HTMLElement,
    ) {
        this.body = h('div', { class: 'window-body', role: 'presentation' });
        this.element = h(
            'div',
            { ...attributes, class: `window ${attributes.class ?? ''}`, tabindex: 0 },
            head,
            this.body,
        );
        this.tall = new Tall(this.element, this.body);
        this.element.addEventListener('scroll', () => this.draw(false), { passive: true });
        new ResizeObserver(() => this.draw(false)).observe(this.element);
    }

    set(count: number): void {
        this.count = count;
        this.tall.setHeight(count * this.rowHeight);
        this.draw(true);
    }

    refresh(): void {
        this.draw(true);
    }

    reveal(i: number, middle = false): void {
        reveal(this.tall, this.element, i * this.rowHeight, this.rowHeight, this.body.offsetTop, middle);
        this.draw(true);
    }

    private draw(fresh: boolean): void {
        const view = this.element.clientHeight || 300;
        const top = this.tall.top;
        const from = Math.floor(top / this.rowHeight),
            to = Math.ceil((top + view) / this.rowHeight);
        if (!fresh && !this.tall.isScaled && from >= this.first && Math.min(to, this.count - 1) <= this.last)
            return;
        this.first = Math.max(0, from - 20);
        this.last = Math.min(this.count - 1, to + 20);
        const rows: HTMLElement[] = [];
        for (let i = this.first; i <= this.last; i++) {
            const row = this.render(i);
            row.style.top = `${this.tall.place(i * this.rowHeight)}px`;
            row.style.height = `${this.rowHeight}px`;
            rows.push(row);
        }
        this.body.replaceChildren(...rows);
    }
}
