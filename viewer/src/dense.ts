// SPDX-License-Identifier: BSD-3-Clause
// Calls as pixels: the minimap, and the picture where boxes would be too small to be seen one by one. The
// cost is that of the pixels, not of the calls.
import { Axis } from './axis';
import { Lanes } from './lanes';
import { Run } from './run';

const families = ['send', 'receive', 'probe', 'collective'];

function colours(): Record<string, string> {
    const style = getComputedStyle(document.documentElement);
    const of = (name: string) => style.getPropertyValue(name).trim();
    return {
        send: of('--send-line'),
        receive: of('--receive-line'),
        probe: of('--receive-line'),
        collective: of('--collective-line'),
        other: of('--other-line'),
        bad: of('--bad'),
        line: of('--line'),
    };
}

/** Draws the columns from x = left on, in `scale` pixels for each of the axis'. */
export function drawDense(
    canvas: HTMLCanvasElement,
    run: Run,
    axis: Axis,
    lanes: Lanes,
    part: { left: number; scale: number; width: number; top: number; height: number; squeeze: number },
): void {
    const { left, scale, width, top, height, squeeze } = part;
    canvas.width = Math.max(1, Math.floor(width));
    canvas.height = Math.max(1, Math.floor(height));
    const brush = canvas.getContext('2d');
    if (!brush || !axis.columns) return;
    const colour = colours(),
        { level, times } = axis.folds.list;
    const of = run.kindNumbers(kind => kind.op);
    const families_ = new Map<number, string>();
    for (let k = 0; k < run.trace.kinds; k++) {
        const { op } = run.trace.kind(k);
        families_.set(of[k], colour[families.includes(op) ? op : 'other']);
    }
    const [first, last] = lanes.within(top / squeeze, (top + height) / squeeze);
    const high = lanes.lanes[0].height * squeeze;
    const stride = Math.max(1, Math.floor(1 / Math.max(high, 1e-6)));
    for (let i = first; i <= last; i += stride) {
        const lane = lanes.lanes[i],
            y = lane.top * squeeze - top,
            rows = Math.max(1, lane.height * squeeze - (high > 4 ? 2 : high > 2 ? 1 : 0));
        const end = run.at(lane.shown, run.laneLength(lane.shown) - 1);
        if (end < 0) continue;
        const stop = Math.min(width, (axis.x(axis.folds.columnOf(run.level[end])) - left) * scale);
        brush.fillStyle = colour.line;
        brush.fillRect(0, y + rows / 2, Math.max(0, stop), 1);
        for (let x = 0; x < width; ) {
            const column = axis.columnAt(left + x / scale);
            const from = (axis.x(column) - left) * scale,
                wide = Math.max(1, axis.columnWidth(column) * scale);
            const c = times[column] ? -1 : run.atLevel(lane.shown, level[column]);
            if (c >= 0) {
                const w = run.waitingAt(c);
                brush.fillStyle = w && !w.finished ? colour.bad : families_.get(of[run.kindOf[c]])!;
                brush.fillRect(Math.max(0, from), y, Math.max(1, wide - (wide > 5 ? 1 : 0)), rows);
            }
            x = Math.max(x + 1, Math.ceil(from + wide));
        }
    }
}
