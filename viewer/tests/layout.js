// SPDX-License-Identifier: BSD-3-Clause
// What one would see at once to be wrong in a page, measured by the browser.
'use strict';

/** In the browser: what lies over something else, or is cut off. */
function layoutFaults() {
    const faults = [];
    const rect = e => e.getBoundingClientRect();
    const seen = e => e.checkVisibility() && rect(e).width > 0;
    const all = (selector, root = document) => [...root.querySelectorAll(selector)].filter(seen);
    const name = e => `${e.className.baseVal ?? e.className} "${e.textContent.slice(0, 40)}"`;
    const apart = (things, what) => {
        const boxes = things.map(e => ({ e, r: rect(e) })).sort((a, b) => a.r.left - b.r.left);
        boxes.forEach(({ e, r }, i) => {
            for (let k = i + 1; k < boxes.length && boxes[k].r.left < r.right - 0.6; k++) {
                const o = boxes[k].r;
                if (o.top < r.bottom - 0.6 && r.top < o.bottom - 0.6)
                    faults.push(`${what}: ${name(e)} and ${name(boxes[k].e)} overlap`);
            }
        });
    };
    const inside = (inner, outer, what) => {
        const a = rect(inner),
            b = rect(outer);
        if (a.left < b.left - 0.6 || a.right > b.right + 0.6 || a.top < b.top - 2 || a.bottom > b.bottom + 2)
            faults.push(`${what}: ${name(inner)} sticks out of ${name(outer)}`);
    };
    if (document.documentElement.scrollWidth > innerWidth) faults.push('the page is wider than the window');
    for (const diagram of all('.diagram')) {
        apart(all('.call rect', diagram), 'boxes');
        apart([...all('.end-words', diagram), ...all('.call rect', diagram)], 'words beside boxes');
        for (const label of all('.call .label', diagram))
            inside(label, label.parentElement.querySelector('rect'), 'label');
        const left = Math.max(...all('.lane-head', diagram).map(head => rect(head).right)),
            right = rect(diagram).right;
        for (const label of all('.call .label, .end-words', diagram))
            if (
                getComputedStyle(label).visibility !== 'hidden' &&
                rect(label).right > left &&
                rect(label).left < right
            )
                if (rect(label).left < left - 1 || rect(label).right > right + 1)
                    faults.push(`cut off by the edge: ${name(label)}`);
        apart(all('.axis > *', diagram), 'words above the picture');
        const heads = all('.lane-head', diagram);
        apart(heads, 'names of lanes');
        for (const head of heads) {
            for (const part of all('span', head)) inside(part, head, 'name of a lane');
            apart(all('span', head), 'name of a lane');
        }
    }
    apart(all('.wait-node rect'), 'nodes');
    for (const node of all('.wait-node'))
        inside(node.querySelector('text'), node.querySelector('rect'), 'node');
    apart(all('.top, .card, .run, .side'), 'panels');
    apart(all('.run > *'), 'parts of the run');
    for (const e of all('.top *, .card-head *, .run-head *, .legend *, .beside-name, .pane-head *'))
        if (
            e.clientWidth &&
            e.scrollWidth > e.clientWidth + 1 &&
            !e.closest('select, input, svg, .unseen, .toolbar')
        )
            faults.push(`cut off: ${name(e)}`);
    for (const group of all('.toolbar, .run-line, .card-head, .top'))
        apart(all('button, select, input', group), 'buttons');
    return faults;
}

module.exports = { layoutFaults };
