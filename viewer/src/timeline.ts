// SPDX-License-Identifier: BSD-3-Clause
// The picture: a lane for each rank or group of equal ranks, time to the right. Only what is near the
// visible part is drawn, anew whenever moving leaves it; so a million calls are as easy as a hundred. Loops
// are folded (folds.ts), and where boxes would be too small the calls are pixels (dense.ts).
import { App } from './app';
import { AT_ONCE, Axis, GLYPH as BOX_GLYPH } from './axis';
import { arrow, arrowHeads, band, brokenArrow, BULGE, EdgeStyle } from './edges';
import { box, Place, placeIn } from './boxes';
import { What } from './data';
import { drawDense } from './dense';
import { h, replace, s } from './dom';
import { laneHead } from './heads';
import { Lane, Lanes } from './lanes';
import { Minimap } from './minimap';
import { nearMisses, NearMiss } from './near';
import { Run } from './run';
import { waitWords } from './waiting';
import { waitsFor } from './words';

const AXIS = 20,
    BELOW = 6,
    SMALLEST = 9,
    MOST_BOXES = 1400,
    MORE = 9,
    NARROW_HEAD = 88,
    GLYPH = 6.6,
    END_ROOM = 242,
    MOST_RELATED = 60,
    LABEL_EDGE = 4;

/** What a timeline shows: of the run, the levels before `common` are as in the one beside it. */
export interface View {
    run: Run;
    critical: number;
    common: number;
    /** calls that are shown though they come before it */
    pinned: number[];
}

/** A text in the picture: where it belongs, how wide it is, where its box ends, where it is now. */
interface Label {
    element: SVGTextElement;
    x: number;
    width: number;
    end: number;
    at: number;
    ground?: SVGRectElement;
}

export class Timeline {
    readonly element: HTMLElement;
    readonly scroller: HTMLElement;
    private readonly heads = h('div', { class: 'lane-heads', role: 'group', 'aria-label': 'ranks' });
    private readonly strip = h('div', { class: 'axis' });
    private readonly sizer: HTMLElement;
    private readonly canvas: SVGSVGElement;
    private readonly raster = h('canvas', { class: 'raster', 'aria-hidden': 'true' });
    private readonly minimap: Minimap;
    private view: View | null = null;
    private axis: Axis | null = null;
    private lanes: Lanes | null = null;
    private near: NearMiss[] = [];
    private headWidth = 120;
    /** what is drawn: from this x on, up to that, of these lanes */
    private drawn = { from: 0, to: -1, top: 0, bottom: -1, dense: false };
    private boxes = new Map<number, SVGGElement>();
    private edges = new Map<number, SVGElement[]>();
    /** of each choice's call, the edges to what it could have taken */
    private others = new Map<number, SVGElement[]>();
    private labels: Label[] = [];
    private hovered = -1;
    private dragged = false;

    constructor(
        private readonly app: App,
        private readonly show: () => View | null,
        id: string,
        label: string,
    ) {
        this.canvas = s('svg', { class: 'canvas', 'aria-hidden': 'true' });
        this.sizer = h('div', { class: 'sizer' }, this.raster, this.canvas, this.heads);
        this.scroller = h(
            'div',
            {
                class: 'diagram',
                id,
                tabindex: 0,
                role: 'application',
                'aria-roledescription': 'space-time diagram',
                'aria-label': label,
            },
            this.strip,
            this.sizer,
        );
        this.minimap = new Minimap(left => this.moveTo(left));
        this.element = h('div', { class: 'timeline' }, this.minimap.element, this.scroller);
        this.scroller.addEventListener('scroll', () => this.draw(false), { passive: true });
        this.scroller.addEventListener('wheel', event => this.wheel(event), { passive: false });
        this.drag();
        this.sizer.addEventListener('click', event => this.click(event));
        this.canvas.addEventListener('pointerover', event => this.hover(callOf(event.target)));
        this.canvas.addEventListener('pointerleave', () => this.hover(-1));
        new ResizeObserver(() => this.layOut()).observe(this.scroller);
        document.addEventListener('isp-theme', () => this.layOut());
        app.on(['run', 'lanes', 'compare'], () => this.layOut());
        app.on(['lanes'], () => this.revealSelected(false));
        app.on(['run'], () => requestAnimationFrame(() => this.revealSelected(true)));
        app.on(['call'], () => {
            this.revealSelected(false);
            this.mark();
        });
        app.on(['marks', 'order', 'finding'], () => this.draw(true));
    }

    private get selected(): number {
        return this.view && this.view.run === this.app.run ? this.app.selected : -1;
    }

    private layOut(): void {
        const view = this.show();
        const room = this.scroller.clientWidth;
        if (!view || !room) return;
        const { run, critical, common } = view;
        const fresh = !this.view || this.view.run !== run || this.view.common !== common || !this.axis;
        this.view = view;
        this.lanes = new Lanes(run, this.app.collapsed, this.app.opened);
        this.headWidth = room < 560 ? NARROW_HEAD : this.lanes.hasGroups ? 138 : 112;
        if (fresh) {
            this.axis = new Axis(run, critical, common, view.pinned);
            this.near = nearMisses(run);
        }
        const axis = this.axis!;
        const before = axis.view;
        axis.view = Math.max(40, room - this.headWidth);
        if (fresh || (before !== axis.view && axis.zoom < 1)) axis.zoom = axis.fit >= AT_ONCE ? axis.fit : 1;
        axis.moveTo(axis.left);
        this.sizer.style.height = `${this.lanes.height + BELOW}px`;
        if (this.selected >= 0) this.lanes.show(run.rank[this.selected]);
        this.heads.style.width = `${this.headWidth}px`;
        if (fresh) this.revealSelected(true);
        this.minimap.draw(run, axis, this.lanes, this.headWidth);
        this.draw(true);
    }

    // Moving

    private moveTo(left: number): void {
        if (this.axis?.moveTo(left)) this.draw(false);
    }

    zoomBy(factor: number, around = (this.axis?.view ?? 0) / 2): void {
        const { axis } = this;
        if (!axis) return;
        axis.setZoom(axis.zoom * factor, around);
        this.draw(true);
    }

    fit(): void {
        const { axis } = this;
        if (!axis) return;
        axis.setZoom(axis.fit, 0);
        this.draw(true);
    }

    private wheel(event: WheelEvent): void {
        const { axis } = this;
        const sideways = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
        const narrow = matchMedia('(max-width: 1020px)').matches;
        if (!axis) return;
        if (!event.ctrlKey && Math.abs(sideways) > Math.abs(event.shiftKey ? 0 : event.deltaY))
            this.moveTo(axis.left + sideways);
        else if (event.ctrlKey || !narrow) {
            const around = event.clientX - this.scroller.getBoundingClientRect().left - this.headWidth;
            this.zoomBy(Math.exp(-event.deltaY / 400), Math.max(0, around));
        } else return;
        event.preventDefault();
    }

    private drag(): void {
        let at: { x: number; y: number; left: number; top: number } | null = null;
        this.sizer.addEventListener('pointerdown', event => {
            this.dragged = false;
            if (event.button === 0 && this.axis && !(event.target as Element).closest('button'))
                at = {
                    x: event.clientX,
                    y: event.clientY,
                    left: this.axis.left,
                    top: this.scroller.scrollTop,
                };
        });
        addEventListener('pointermove', event => {
            if (!at || !event.buttons) return;
            const x = at.x - event.clientX,
                y = at.y - event.clientY;
            if (!this.dragged && Math.hypot(x, y) < 5) return;
            this.dragged = true;
            this.moveTo(at.left + x);
            if (event.pointerType === 'mouse') this.scroller.scrollTop = at.top + y;
        });
        addEventListener('pointerup', () => (at = null));
    }

    // Drawing

    private draw(fresh: boolean): void {
        const { axis, lanes, view } = this;
        if (!view || !axis || !lanes) return;
        const { clientHeight: high, scrollTop: top } = this.scroller;
        const { drawn } = this;
        const inside =
            axis.left >= drawn.from &&
            Math.min(axis.left + axis.view, axis.total) <= drawn.to &&
            top >= drawn.top &&
            Math.min(top + high, lanes.height) <= drawn.bottom;
        if (fresh || !inside) {
            const small = axis.view / 2;
            this.drawn = {
                from: axis.left - small,
                to: axis.left + axis.view + small,
                top: top - high / 2,
                bottom: top + high * 1.5,
                dense: false,
            };
            this.paint(view.run, axis, lanes);
            this.drawHeads(view.run, lanes);
        }
        const by = this.drawn.from - axis.left;
        this.canvas.style.transform = this.raster.style.transform = `translateX(${by}px)`;
        this.strip.style.setProperty('--by', `${by + this.headWidth}px`);
        this.stick(axis);
        this.minimap.follow(this.headWidth);
    }

    /** A box that is half outside has its name in the other half, or none if that is too small. */
    private stick(axis: Axis): void {
        const left = axis.left - this.drawn.from + LABEL_EDGE,
            right = left + axis.view - 2 * LABEL_EDGE;
        for (const label of this.labels) {
            const { element, x, width, end } = label;
            const wanted = Math.max(x, left);
            const at = wanted + width > Math.min(end, right) ? -1 : wanted;
            if (at === label.at) continue;
            label.at = at;
            for (const part of [element, label.ground])
                if (part) part.style.visibility = at < 0 ? 'hidden' : '';
            if (at < 0) continue;
            element.setAttribute('x', String(at));
            label.ground?.setAttribute('x', String(at - 3));
        }
    }

    private drawHeads(run: Run, lanes: Lanes): void {
        const [first, last] = lanes.within(this.drawn.top, this.drawn.bottom);
        const focused = document.activeElement?.getAttribute('data-rank');
        replace(
            this.heads,
            ...lanes.lanes
                .slice(first, last + 1)
                .map(lane => laneHead(this.app, run, lanes, lane, this.headWidth)),
        );
        if (focused) this.heads.querySelector<HTMLElement>(`[data-rank="${focused}"]`)?.focus();
    }

    private placeOf(c: number): Place {
        const { axis, lanes, view } = this;
        const column = axis!.folds.columnOf(view!.run.level[c]);
        return this.placeAt(lanes!.at(view!.run.rank[c]), column);
    }

    private placeAt(lane: Lane, column: number): Place {
        const axis = this.axis!;
        return placeIn(lane, axis.x(column) - this.drawn.from, axis.columnWidth(column));
    }

    private paint(run: Run, axis: Axis, lanes: Lanes): void {
        const { from, to, top, bottom } = this.drawn;
        const firstColumn = axis.columnAt(from),
            lastColumn = axis.columnAt(to);
        const [firstLane, lastLane] = lanes.within(top, bottom);
        const { level, times } = axis.folds.list;
        const mean = (axis.x(lastColumn + 1) - axis.x(firstColumn)) / (lastColumn - firstColumn + 1);
        const dense =
            mean < SMALLEST || (lastColumn - firstColumn + 1) * (lastLane - firstLane + 1) > MOST_BOXES;
        this.drawn.dense = dense;
        const width = to - from;
        this.canvas.setAttribute('width', String(width));
        this.canvas.setAttribute('height', String(lanes.height + BELOW));
        this.canvas.style.left = this.raster.style.left = `${this.headWidth}px`;
        this.boxes = new Map();
        this.edges = new Map();
        this.others = new Map();
        this.labels = [];
        const shown = dense
            ? this.specialCalls(run, lanes, firstLane, lastLane)
            : this.callsBetween(run, firstColumn, lastColumn, firstLane, lastLane);
        this.raster.hidden = !dense;
        if (dense) {
            const y = Math.max(0, top);
            this.raster.style.top = `${y}px`;
            drawDense(this.raster, run, axis, lanes, {
                left: from,
                scale: 1,
                width,
                top: y,
                height: Math.max(1, Math.min(lanes.height, bottom) - y),
                squeeze: 1,
            });
        }
        const bands = s('g'),
            edges = s('g'),
            others = s('g'),
            boxes = s('g'),
            words = s('g');
        for (const c of shown) {
            const decision = run.decisionOf(c),
                kind = run.kind(c);
            const element = box(run, c, this.placeOf(c), {
                critical: this.isCritical(c, decision?.node),
                marked: kind.site !== null && this.app.markedSites.has(kind.site),
                small: lanes.isCollapsed(lanes.at(run.rank[c])),
            });
            this.boxes.set(c, element);
            boxes.append(element);
            this.addLabel(element);
        }
        if (!dense)
            for (const m of new Set(shown.map(c => run.matchOf[c]).filter(m => m >= 0))) {
                const drawn = run.isCollective(m) ? this.band(run, m) : this.message(run, m);
                this.edges.set(m, drawn);
                (run.isCollective(m) ? bands : edges).append(...drawn);
            }
        for (const c of shown) others.append(...this.alternatives(run, c), ...this.waits(run, c));
        const told = this.nearWords(others),
            around = this.near.some(({ send, receive }) => run.level[send] === run.level[receive]);
        for (const c of shown) words.append(...this.endWords(run, c, told.get(c), around ? BULGE + 8 : 8));
        if (this.app.related && this.selected >= 0) others.append(...this.relations());
        const gaps = s('g');
        const labels: HTMLElement[] = [];
        for (let column = firstColumn; column <= lastColumn; column++)
            if (times[column]) this.gap(column, level, times[column], gaps, labels);
        this.difference(run, gaps, labels);
        replace(this.strip, ...labels);
        this.canvas.replaceChildren(
            arrowHeads(),
            gaps,
            dense ? s('g') : this.laneLines(run, firstLane, lastLane, width),
            bands,
            edges,
            others,
            boxes,
            words,
        );
        this.mark();
    }

    private addLabel(box: SVGGElement): void {
        const element = box.querySelector<SVGTextElement>('.label'),
            rect = box.querySelector('rect')!;
        if (!element) return;
        const x = Number(element.getAttribute('x')),
            width = element.textContent!.length * BOX_GLYPH;
        const end = Number(rect.getAttribute('x')) + Number(rect.getAttribute('width')) - 2;
        this.labels.push({ element, x, width, end, at: x });
    }

    private isCritical(c: number, node: number | undefined): boolean {
        return c === this.view!.critical || (node !== undefined && node === this.app.critical?.node);
    }

    private callsBetween(run: Run, from: number, to: number, first: number, last: number): number[] {
        const { level, times } = this.axis!.folds.list;
        const calls: number[] = [];
        for (let i = first; i <= last; i++)
            for (let column = from; column <= to; column++) {
                const c = times[column] ? -1 : run.atLevel(this.lanes!.lanes[i].shown, level[column]);
                if (c >= 0) calls.push(c);
            }
        return calls;
    }

    /** Those that are boxes even where the others are pixels. */
    private specialCalls(run: Run, lanes: Lanes, first: number, last: number): number[] {
        const calls = new Set<number>([this.selected, this.view!.critical]);
        for (const { send, receive } of this.near) calls.add(lanes.standIn(send)).add(lanes.standIn(receive));
        for (let i = first; i <= last && calls.size < 400; i++) calls.add(run.waitsIn(lanes.lanes[i].shown));
        return [...calls].filter(
            c => c >= 0 && !this.axis!.folds.list.times[this.axis!.folds.columnOf(run.level[c])],
        );
    }

    private laneLines(run: Run, first: number, last: number, width: number): SVGElement {
        const lines = s('g');
        for (let i = first; i <= last; i++) {
            const lane = this.lanes!.lanes[i],
                y = lane.top + lane.height / 2;
            const end = run.at(lane.shown, run.laneLength(lane.shown) - 1);
            const right = end < 0 ? 0 : this.placeOf(end).x;
            const w = end < 0 ? undefined : run.waitOf(lane.shown);
            lines.append(
                s('line', { class: 'lane', y1: y, y2: y, x1: 0, x2: Math.min(width, Math.max(0, right)) }),
            );
            if (w && !w.finished && right < width)
                lines.append(
                    s('line', { class: 'lane stuck', y1: y, y2: y, x1: Math.max(0, right), x2: width }),
                );
        }
        return lines;
    }

    /** Of a call that no lane shows, where it would be. */
    private standIn(c: number): Place {
        const there = this.lanes!.standIn(c);
        return this.placeOf(there >= 0 ? there : c);
    }

    private message(run: Run, m: number): SVGElement[] {
        const send = run.send[m],
            receive = run.receive[m];
        if (send < 0 || receive < 0) return [];
        return this.between(send, receive, 'message');
    }

    private between(from: number, to: number, style: EdgeStyle): SVGElement[] {
        return from < 0 || to < 0 ? [] : arrow(this.standIn(from), this.standIn(to), style);
    }

    private band(run: Run, m: number): SVGElement[] {
        const lanes = this.lanes!;
        const places = run
            .members(m)
            .filter(c => lanes.at(run.rank[c]).shown === run.rank[c])
            .map(c => this.placeOf(c))
            .sort((a, b) => a.y - b.y);
        return band(places);
    }

    /** Dashed: what a wildcard could have taken. */
    private alternatives(run: Run, c: number): SVGElement[] {
        const decision = run.decisionOf(c);
        if (!decision) return [];
        const drawn = decision.alternatives
            .filter(a => a.what === What.message && a.taken !== decision.taken && a.call >= 0)
            .slice(0, 12)
            .flatMap(a => this.between(a.call, c, 'alternative'));
        this.others.set(c, drawn);
        return drawn;
    }

    /** Dotted: from a call that waits to where the rank it waits for is in the end. */
    private waits(run: Run, c: number): SVGElement[] {
        const w = run.waitingAt(c),
            lanes = this.lanes!;
        if (!w || w.finished || w.ranks.length > 4) return [];
        return w.ranks
            .filter(rank => lanes.indexOf(rank) !== lanes.indexOf(run.rank[c]))
            .flatMap(rank => this.between(c, run.at(rank, run.laneLength(rank) - 1), 'waits'));
    }

    /** Draws what nearly matched; what is said of it, by the call that it stands beside. */
    private nearWords(into: SVGElement): Map<number, string> {
        const words = new Map<number, string>();
        for (const { send, receive, words: text } of this.near) {
            const from = this.lanes!.standIn(send),
                to = this.lanes!.standIn(receive);
            if (from < 0 || to < 0) continue;
            const a = this.placeOf(from),
                b = this.placeOf(to);
            if (a.y === b.y) into.append(...arrow(a, b, 'near'));
            else into.append(...brokenArrow(a, b, `nearly matched: ${text}`));
            const { run } = this.view!;
            words.set(run.waitingAt(to) ? to : run.waitingAt(from) ? from : to, text);
        }
        return words;
    }

    /** Right of where a rank is stuck: what nearly came, or who is waited for. */
    private endWords(run: Run, c: number, near: string | undefined, away: number): SVGElement[] {
        const w = run.waitingAt(c);
        const lane = this.lanes!.at(run.rank[c]);
        if ((!w || w.finished) && !near) return [];
        if (this.lanes!.isCollapsed(lane) || c !== run.at(lane.shown, run.laneLength(lane.shown) - 1))
            return [];
        const waits = waitWords(run, lane.ranks) || (w ? waitsFor(w) : ''),
            room = Math.min(END_ROOM, this.axis!.view / 2 - away);
        const text = [near && waits ? `${near} · ${waits}` : '', near ?? waits].find(
            words => words && words.length * GLYPH < room,
        );
        if (!text) return [];
        const { x, width, y, height } = this.placeOf(c);
        const at = x + width + away,
            wide = text.length * GLYPH + 4;
        const ground = s('rect', { class: 'end-ground', x: at - 3, y, width: wide + 6, height }),
            element = s('text', { class: `end-words${near ? ' near' : ''}`, x: at, y: y + height / 2 }, text);
        this.labels.push({ element, x: at, width: wide, end: Infinity, at, ground });
        return [ground, element];
    }

    private gap(
        column: number,
        level: Int32Array,
        times: number,
        into: SVGElement,
        labels: HTMLElement[],
    ): void {
        const { axis, lanes } = this;
        const x = axis!.x(column) - this.drawn.from,
            width = axis!.columnWidth(column);
        into.append(
            s(
                'rect',
                { class: 'gap-column', x: x + 1, width: Math.max(1, width - 2), y: 0, height: lanes!.height },
                s('title', {}, this.gapWords(column)),
            ),
        );
        const n = times.toLocaleString('en');
        const text = (times < 0 ? ['⋯ same so far', '⋯ same', '⋯'] : [`↻ ${n} more`, `↻ ${n}`, '↻']).find(
            words => words.length * GLYPH <= width - 6,
        );
        if (!text) return;
        const words = this.gapWords(column);
        labels.push(
            h(
                'button',
                {
                    type: 'button',
                    class: 'gap',
                    style: `left:${x}px;width:${width}px`,
                    title: words,
                    'aria-label': words,
                    onclick: () => this.openGap(level[column]),
                },
                text,
            ),
        );
    }

    private gapWords(column: number): string {
        const { level, times } = this.axis!.folds.list;
        const calls = this.view!.run.levelCalls(level[column], level[column + 1]).length.toLocaleString('en');
        return times[column] < 0
            ? `the common beginning: ${calls} calls, as in the other interleaving; show them`
            : `the same ${times[column].toLocaleString('en')} more times: ${calls} calls; show some`;
    }

    private openGap(level: number): void {
        if (!this.axis!.folds.reveal(level, MORE)) return;
        this.axis!.measure();
        this.minimap.draw(this.view!.run, this.axis!, this.lanes!, this.headWidth);
        this.draw(true);
    }

    /** Where this run and the one beside it part. */
    private difference(run: Run, into: SVGElement, labels: HTMLElement[]): void {
        const { view, axis, lanes } = this;
        if (view!.common < 0) return;
        const at = view!.critical >= 0 ? run.level[view!.critical] : view!.common;
        const column = axis!.folds.columnOf(at);
        const x = axis!.x(column) - this.drawn.from;
        into.append(s('line', { class: 'difference', x1: x, x2: x, y1: 0, y2: lanes!.height }));
        const hidden = axis!.folds.list.times[column] !== 0;
        if (!hidden && axis!.columnWidth(column) > 16 * GLYPH)
            labels.push(
                h('span', { class: 'difference-word', style: `left:${x + 3}px` }, '◆ first difference'),
            );
    }

    private relations(): SVGElement[] {
        const { selected, related } = this.app;
        if (!related || related.before.size + related.after.size > MOST_RELATED) return [];
        return [
            ...[...related.before].map(c => [c, selected]),
            ...[...related.after].map(c => [selected, c]),
        ].flatMap(([a, b]) => this.between(a, b, 'order'));
    }

    // Marks

    /** Puts the classes of selection and hovering right. */
    private mark(): void {
        const { view, selected, app } = this;
        if (!view) return;
        const { run } = view,
            own = run === app.run,
            related = own ? app.related : null;
        const hot = new Set<number>();
        for (const c of [selected, this.hovered]) if (c >= 0 && run.matchOf[c] >= 0) hot.add(run.matchOf[c]);
        for (const [c, element] of this.boxes) {
            element.classList.toggle('selected', c === selected);
            element.classList.toggle('matched-set', c !== selected && hot.has(run.matchOf[c]));
            element.classList.toggle('before', related?.before.has(c) ?? false);
            element.classList.toggle('after', related?.after.has(c) ?? false);
            element.classList.toggle('later', own && app.until >= 0 && run.issuedAt[c] > app.until);
        }
        for (const [m, elements] of this.edges) {
            const later = own && app.until >= 0 && run.firedAt(m) > app.until;
            for (const element of elements) {
                element.classList.toggle('hot', hot.has(m));
                element.classList.toggle('later', later);
            }
        }
        for (const [c, elements] of this.others) {
            const strong =
                c === selected || c === this.hovered || this.isCritical(c, run.decisionOf(c)?.node);
            for (const element of elements) element.classList.toggle('strong', strong);
        }
        this.canvas.classList.toggle('has-related', related !== null);
    }

    private hover(c: number): void {
        if (c === this.hovered) return;
        this.hovered = c;
        this.mark();
    }

    private click(event: MouseEvent): void {
        const { view, axis, lanes } = this;
        if (this.dragged || !view || !axis || !lanes || (event.target as Element).closest('button')) return;
        let c = callOf(event.target);
        if (c < 0) {
            const box = this.sizer.getBoundingClientRect();
            const x = event.clientX - box.left - this.headWidth + axis.left;
            const column = axis.columnAt(x),
                { level, times } = axis.folds.list;
            if (times[column] && x < axis.x(axis.columns)) {
                this.openGap(level[column]);
                return;
            }
            if (!this.drawn.dense) return;
            c = view.run.lastBy(lanes.laneAt(event.clientY - box.top).shown, level[column]);
        }
        if (c < 0) return;
        if (view.run === this.app.run) this.app.select(c);
        else this.app.showInterleaving(view.run.interleaving, c);
    }

    revealSelected(middle: boolean): void {
        const { view, axis, lanes, selected } = this;
        if (!view || !axis || !lanes) return;
        const { run } = view;
        const c = selected >= 0 ? selected : view.critical;
        if (c < 0) return;
        if (selected >= 0 && axis.folds.reveal(run.level[c])) {
            axis.measure();
            this.minimap.draw(run, axis, lanes, this.headWidth);
            this.drawn.to = -1;
        }
        if (selected >= 0 && lanes.show(run.rank[c])) this.drawn.to = -1;
        const column = axis.folds.columnOf(run.level[c]);
        const x = axis.x(column),
            words = run.waitingAt(c) ? Math.min(END_ROOM + BULGE, axis.view / 2) : 0,
            width = Math.min(axis.columnWidth(column) + words, axis.view);
        const seen = x >= axis.left && x + width <= axis.left + axis.view;
        if (!seen || middle) {
            const far = middle || x < axis.left - axis.view || x > axis.left + 2 * axis.view;
            axis.moveTo(
                far ? x + width / 2 - axis.view / 2 : x < axis.left ? x - 60 : x + width + 60 - axis.view,
            );
        }
        const lane = lanes.at(run.rank[c]),
            { scrollTop, clientHeight } = this.scroller;
        const view_ = clientHeight - AXIS;
        if (lane.top < scrollTop) this.scroller.scrollTop = lane.top - lane.height;
        else if (lane.top + lane.height > scrollTop + view_)
            this.scroller.scrollTop = lane.top + 2 * lane.height - view_;
        this.draw(false);
    }
}

function callOf(target: EventTarget | null): number {
    const element = target instanceof Element ? target.closest('[data-call]') : null;
    return element ? Number(element.getAttribute('data-call')) : -1;
}
