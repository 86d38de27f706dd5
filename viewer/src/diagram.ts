// SPDX-License-Identifier: BSD-3-Clause
// The space-time diagram: a lane for each rank, time downward. Only what is near the visible part is drawn,
// anew whenever scrolling leaves it; so a million calls are as easy as a hundred. Edges of which neither end
// is drawn are not drawn either.
import { App } from './app';
import { h, replace, s } from './dom';
import { What } from './data';
import { Lanes } from './lanes';
import { Run } from './run';
import { reveal, Tall } from './tall';
import { fate, narrowLabel, numberOf, shortLabel, waitsFor } from './words';

const ROW = 28,
    DENSE_ROW = 16,
    MANY_LEVELS = 400_000,
    HEADER = 30,
    GLYPH = 6.7,
    FAR = 60;

export class Diagram {
    readonly element: HTMLElement;
    private readonly scroller: HTMLElement;
    private readonly header: HTMLElement;
    private readonly sizer: HTMLElement;
    private readonly canvas: SVGSVGElement;
    private readonly tall: Tall;
    private lanes: Lanes;
    private row = ROW;
    private window = { from: 0, to: -1, left: 0, right: 0 };
    private boxes = new Map<number, SVGGElement>();
    private edges = new Map<number, SVGElement[]>();
    /** of each choice's call, the edges to what it could have taken */
    private others = new Map<number, SVGElement[]>();
    private hovered = -1;

    constructor(private readonly app: App) {
        this.header = h('div', { class: 'lane-heads', role: 'group', 'aria-label': 'ranks' });
        this.canvas = s('svg', { class: 'canvas', 'aria-hidden': 'true' });
        this.sizer = h('div', { class: 'sizer' }, this.canvas);
        this.scroller = h(
            'div',
            {
                class: 'diagram',
                id: 'diagram',
                tabindex: 0,
                role: 'application',
                'aria-roledescription': 'space-time diagram',
                'aria-label':
                    'Space-time diagram: a column for each rank, time downward. ' +
                    'Arrow keys go from call to call; the same as a list: the button Table.',
            },
            this.header,
            this.sizer,
        );
        this.element = this.scroller;
        this.tall = new Tall(this.scroller, this.sizer);
        this.lanes = new Lanes(app.trace.result.ranks, app.collapsed, 600);
        this.scroller.addEventListener('scroll', () => this.draw(false), { passive: true });
        this.canvas.addEventListener('click', event => this.click(event));
        this.canvas.addEventListener('pointerover', event => this.hover(callOf(event.target)));
        this.canvas.addEventListener('pointerleave', () => this.hover(-1));
        new ResizeObserver(() => this.layOut()).observe(this.scroller);
        app.on(['run', 'lanes'], () => this.layOut());
        app.on(['run'], () =>
            requestAnimationFrame(() => this.revealSelected(true)),
        ); /* when the other panels have found their sizes */
        app.on(['call'], () => {
            this.revealSelected(false);
            this.mark();
        });
        app.on(['marks', 'order', 'finding'], () => this.draw(true));
    }

    private layOut(): void {
        const { run } = this.app;
        if (!run || !this.scroller.clientWidth) return;
        this.lanes = new Lanes(run.trace.result.ranks, this.app.collapsed, this.scroller.clientWidth - 2);
        this.row = run.levels > MANY_LEVELS ? DENSE_ROW : ROW;
        this.sizer.style.width = `${this.lanes.total}px`;
        this.tall.setHeight((run.levels + 2) * this.row);
        this.drawHeader(run);
        this.draw(true);
    }

    private drawHeader(run: Run): void {
        this.header.style.width = `${this.lanes.total}px`;
        replace(
            this.header,
            ...Array.from({ length: this.lanes.ranks }, (_, rank) => {
                const narrow = this.lanes.isCollapsed(rank),
                    w = run.waiting.find(entry => entry.rank === rank);
                const stuck = w && !w.finished;
                const title = `rank ${rank}: ${narrow ? 'show' : 'collapse'}${w ? ` (${waitsFor(w)})` : ''}`;
                const name = narrow ? '' : this.lanes.laneWidth < 64 ? String(rank) : `rank ${rank}`;
                return h(
                    'button',
                    {
                        type: 'button',
                        class:
                            `lane-head${stuck ? ' stuck' : ''}` +
                            `${this.app.locked === rank ? ' locked' : ''}`,
                        style: `width:${this.lanes.width(rank)}px`,
                        title,
                        'aria-label': title,
                        'aria-expanded': String(!narrow),
                        'data-rank': rank,
                        onclick: () => this.app.toggleRank(rank),
                    },
                    name,
                    stuck && !narrow && this.lanes.laneWidth >= 120
                        ? h('span', { class: 'stuck-mark' }, w.polling ? 'polls' : 'waits')
                        : null,
                );
            }),
        );
    }

    private y(level: number): number {
        return (level - this.window.from) * this.row + this.row / 2;
    }

    private draw(fresh: boolean): void {
        const { run } = this.app;
        if (!run) return;
        const view = this.scroller.clientHeight,
            width = this.scroller.clientWidth;
        const top = this.tall.top,
            left = this.scroller.scrollLeft;
        const from = Math.floor(top / this.row),
            to = Math.ceil((top + view) / this.row);
        const inside =
            from >= this.window.from &&
            Math.min(to, run.levels - 1) <= this.window.to &&
            left >= this.window.left &&
            Math.min(left + width, this.lanes.total) <= this.window.right;
        if (fresh || !inside) {
            const margin = Math.max(6, Math.floor((to - from) * (this.lanes.ranks > 16 ? 0.3 : 0.6)));
            this.window = {
                from: Math.max(0, from - margin),
                to: Math.min(run.levels - 1, to + margin),
                left: left - width / 3,
                right: left + (width * 4) / 3,
            };
            this.paint(run);
        }
        if (fresh || !inside || this.tall.isScaled)
            this.canvas.style.top = `${this.tall.place(this.window.from * this.row)}px`;
    }

    private paint(run: Run): void {
        const { from, to } = this.window;
        const height = (to - from + 2) * this.row;
        const [firstLane, lastLane] = this.lanes.within(this.window.left, this.window.right);
        this.canvas.setAttribute('width', String(this.lanes.total));
        this.canvas.setAttribute('height', String(height));
        this.boxes = new Map();
        this.edges = new Map();
        this.others = new Map();
        const bands = s('g'),
            edges = s('g'),
            others = s('g'),
            boxes = s('g');
        const shown = run.levelCalls(from, to + 1);
        const matches = new Set<number>();
        for (const c of shown) {
            if (run.matchOf[c] >= 0) matches.add(run.matchOf[c]);
            if (run.rank[c] < firstLane || run.rank[c] > lastLane) continue;
            const box = this.box(run, c);
            this.boxes.set(c, box);
            boxes.append(box);
        }
        for (const m of matches) {
            const drawn = run.isCollective(m)
                ? this.band(run, m)
                : this.message(run, run.send[m], run.receive[m], 'message');
            this.edges.set(m, drawn);
            (run.isCollective(m) ? bands : edges).append(...drawn);
        }
        for (const c of shown) others.append(...this.alternatives(run, c), ...this.waits(run, c));
        if (this.app.related) others.append(...this.relations(run));
        this.canvas.replaceChildren(
            arrowHeads(),
            this.laneLines(run, firstLane, lastLane, height),
            bands,
            edges,
            others,
            boxes,
        );
        this.mark();
    }

    private laneLines(run: Run, first: number, last: number, height: number): SVGElement {
        const lines = s('g');
        for (let rank = first; rank <= last; rank++) {
            const x = this.lanes.center(rank);
            const end = run.at(rank, run.laneLength(rank) - 1);
            const bottom = end < 0 ? 0 : this.y(run.level[end]);
            lines.append(
                s('line', { class: 'lane', x1: x, x2: x, y1: 0, y2: Math.min(height, Math.max(0, bottom)) }),
            );
            const w = end < 0 ? undefined : run.waitingAt(run.waitsIn(rank));
            if (w && !w.finished) {
                const from = Math.max(0, this.y(run.level[run.waitsIn(rank)]));
                if (from < height)
                    lines.append(s('line', { class: 'lane stuck', x1: x, x2: x, y1: from, y2: height }));
            }
        }
        return lines;
    }

    private box(run: Run, c: number): SVGGElement {
        const rank = run.rank[c],
            kind = run.kind(c),
            state = run.state(c);
        const width = this.lanes.boxWidth(rank),
            high = this.row - 6;
        const x = this.lanes.center(rank) - width / 2,
            y = this.y(run.level[c]) - high / 2;
        const decision = run.decisionOf(c);
        const critical = decision !== undefined && decision.node === this.app.critical?.node;
        const choice = decision !== undefined && decision.alternatives.length > 1;
        const marked = kind.site !== null && this.app.markedSites.has(kind.site);
        const group = s('g', {
            class:
                `call op-${familyOf(kind.op)} ` +
                `is-${state}${critical ? ' critical' : ''}${marked ? ' marked' : ''}`,
            'data-call': c,
        });
        group.append(
            s(
                'title',
                {},
                `${numberOf(run, c)} ${kind.label}\n${critical ? 'critical choice: ' : ''}${fate(run, c)}`,
            ),
            s('rect', { x, y, width, height: high, rx: 4 }),
        );
        if (this.lanes.isCollapsed(rank)) return group;
        const narrow = this.lanes.laneWidth < 70;
        const room = Math.floor((width - (narrow ? 4 : 10) - (choice && !narrow ? 16 : 0)) / GLYPH);
        let text = narrow ? narrowLabel(kind) : shortLabel(kind);
        const sign = { blocked: '■', polling: '↻', unmatched: '○', pending: '○' }[state as string];
        if (sign) text = narrow ? sign + text : `${sign} ${text}`;
        if (critical)
            text +=
                [' · critical choice', ' · critical', ''].find(more => text.length + more.length <= room) ??
                '';
        if (text.length > room) text = text.replace(/ (?=[←→])|(?<=[←→]) /g, '');
        group.append(
            s(
                'text',
                { x: x + (narrow ? 2 : 6), y: y + high / 2, class: 'label' },
                text.length > room && !narrow ? `${text.slice(0, room - 1)}…` : text.slice(0, room),
            ),
        );
        if (choice && !narrow) {
            const at = x + width - 9,
                middle = y + high / 2;
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

    private message(run: Run, from: number, to: number, style: string): SVGElement[] {
        if (from < 0 || to < 0) return [];
        const a = run.rank[from],
            b = run.rank[to];
        const y1 = this.y(run.level[from]),
            y2 = this.y(run.level[to]);
        const attributes = { class: `edge ${style}`, 'marker-end': `url(#head-${style})` };
        if (a === b) {
            const x = this.lanes.center(a) + this.lanes.boxWidth(a) / 2;
            return [
                s('path', { ...attributes, d: `M${x} ${y1}C${x + 22} ${y1} ${x + 22} ${y2} ${x} ${y2}` }),
            ];
        }
        const side = b > a ? 1 : -1;
        const x1 = this.lanes.center(a) + (side * this.lanes.boxWidth(a)) / 2,
            x2 = this.lanes.center(b) - side * (this.lanes.boxWidth(b) / 2 + 1);
        if (Math.abs(run.level[to] - run.level[from]) > FAR) {
            /* only where it begins and ends: a line over pages says nothing */
            const down = Math.sign(y2 - y1) * this.row * 0.6;
            return [
                s('path', { class: attributes.class, d: `M${x1} ${y1}l${side * 22} ${down}` }),
                s('path', { ...attributes, d: `M${x2 - side * 22} ${y2 - down}L${x2} ${y2}` }),
            ];
        }
        const bend = style === 'message' ? 0 : side * 14;
        return [
            s('path', { ...attributes, d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` }),
        ];
    }

    private band(run: Run, m: number): SVGElement[] {
        const members = run.members(m).sort((a, b) => run.rank[a] - run.rank[b]);
        if (members.length < 2) return [];
        const first = members[0],
            last = members[members.length - 1];
        if (members.every(c => run.level[c] === run.level[first])) {
            const x = this.lanes.left[run.rank[first]] + 2,
                right = this.lanes.left[run.rank[last] + 1] - 2;
            return [
                s('rect', {
                    class: 'band',
                    x,
                    width: right - x,
                    y: this.y(run.level[first]) - this.row / 2 + 1,
                    height: this.row - 2,
                    rx: 5,
                }),
            ];
        }
        const points = members.map(c => `${this.lanes.center(run.rank[c])},${this.y(run.level[c])}`);
        return [s('polyline', { class: 'band-line', points: points.join(' ') })];
    }

    /** Dashed: what a wildcard could have taken. */
    private alternatives(run: Run, c: number): SVGElement[] {
        const decision = run.decisionOf(c);
        if (!decision) return [];
        const drawn = decision.alternatives
            .filter(a => a.what === What.message && a.taken !== decision.taken)
            .flatMap(a => this.message(run, a.call, c, 'alternative'));
        this.others.set(c, drawn);
        return drawn;
    }

    /** Dotted: from a call that waits to where the rank it waits for is in the end. */
    private waits(run: Run, c: number): SVGElement[] {
        const w = run.waitingAt(c);
        if (!w || w.finished || w.ranks.length > 4) return [];
        return w.ranks
            .filter(rank => rank !== run.rank[c])
            .flatMap(rank => this.message(run, c, run.at(rank, run.laneLength(rank) - 1), 'waits'));
    }

    private relations(run: Run): SVGElement[] {
        const { selected, related } = this.app;
        if (!related || related.before.size + related.after.size > 60) return [];
        return [
            ...[...related.before].map(c => [c, selected]),
            ...[...related.after].map(c => [selected, c]),
        ].flatMap(([a, b]) =>
            run.rank[a] === run.rank[b] ? this.arc(run, a, b) : this.message(run, a, b, 'order'),
        );
    }

    private arc(run: Run, from: number, to: number): SVGElement[] {
        const rank = run.rank[from],
            x = this.lanes.center(rank) - this.lanes.boxWidth(rank) / 2;
        const y1 = this.y(run.level[from]),
            y2 = this.y(run.level[to]);
        return [
            s('path', {
                class: 'edge order',
                'marker-end': 'url(#head-order)',
                d: `M${x} ${y1}C${x - 14} ${y1} ${x - 14} ${y2} ${x} ${y2}`,
            }),
        ];
    }

    /** Puts the classes of selection and hovering right. */
    private mark(): void {
        const { run, selected, related } = this.app;
        if (!run) return;
        const hot = new Set<number>();
        for (const c of [selected, this.hovered]) if (c >= 0 && run.matchOf[c] >= 0) hot.add(run.matchOf[c]);
        for (const [c, box] of this.boxes) {
            box.classList.toggle('selected', c === selected);
            box.classList.toggle('matched-set', c !== selected && hot.has(run.matchOf[c]));
            box.classList.toggle('before', related?.before.has(c) ?? false);
            box.classList.toggle('after', related?.after.has(c) ?? false);
        }
        for (const [m, elements] of this.edges)
            for (const element of elements) element.classList.toggle('hot', hot.has(m));
        for (const [c, elements] of this.others) {
            const strong =
                c === selected || c === this.hovered || run.decisionOf(c)?.node === this.app.critical?.node;
            for (const element of elements) element.classList.toggle('strong', strong);
        }
        this.canvas.classList.toggle('has-related', related !== null);
    }

    private hover(c: number): void {
        if (c === this.hovered) return;
        this.hovered = c;
        this.mark();
    }

    private click(event: Event): void {
        const c = callOf(event.target);
        if (c >= 0) this.app.select(c);
    }

    revealSelected(middle: boolean): void {
        const { run, selected } = this.app;
        if (!run || selected < 0) return;
        const rank = run.rank[selected];
        const left = this.lanes.left[rank],
            right = this.lanes.left[rank + 1];
        const { clientWidth: view, scrollLeft } = this.scroller;
        const aside = left < scrollLeft || right > scrollLeft + view;
        reveal(
            this.tall,
            this.scroller,
            run.level[selected] * this.row,
            this.row * 1.5,
            HEADER,
            middle,
            aside ? Math.max(0, (left + right - view) / 2) : scrollLeft,
        );
        this.draw(false);
    }
}

/** What the signs mean, in a line below the picture: those that this interleaving has. */
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
            app.critical && sign('critical choice', 'critical-sign', ''),
            stuck && sign('■', 'stuck-sign', 'stuck'),
            stuck && line('waits', 'waits for'),
        );
    });
    return element;
}

function callOf(target: EventTarget | null): number {
    const box = target instanceof Element ? target.closest('[data-call]') : null;
    return box ? Number(box.getAttribute('data-call')) : -1;
}

function familyOf(op: string): string {
    return op === 'send' ||
        op === 'receive' ||
        op === 'probe' ||
        op === 'collective' ||
        op === 'complete' ||
        op === 'finalize'
        ? op
        : 'other';
}

function arrowHeads(): SVGElement {
    return s(
        'defs',
        {},
        ...['message', 'alternative', 'waits', 'order'].map(style =>
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
