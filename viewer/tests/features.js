// SPDX-License-Identifier: BSD-3-Clause
// One test for each thing that the page offers.
'use strict';
const assert = require('assert').strict;
const fs = require('fs');
const { layoutFaults } = require('./layout');

const selected = page => page.locator('#live').textContent();
const number = async page => (await page.locator('.toolbar .position').textContent()).replace('call ', '');
const press = async (page, ...keys) => {
    for (const key of keys) await page.keyboard.press(key);
};
const title = page => page.locator('.run-title').textContent();
const texts = locator => locator.allTextContents();

async function select(page, call) {
    await page.fill('#goto', call);
    await page.press('#goto', 'Enter');
    await page.locator('#diagram').focus();
    assert.equal(await number(page), call);
}

/** Contrast of each text with what is behind it, as WCAG has it; those below 4.5 (3 if large). */
function contrasts() {
    const parse = color => color.match(/[\d.]+/g).map(Number);
    const luminance = ([r, g, b]) =>
        [r, g, b]
            .map(v => v / 255)
            .map(v => (v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
            .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const bad = [];
    for (const element of document.querySelectorAll('body *')) {
        if (!element.checkVisibility?.() || element.closest('.unseen, dialog, :disabled')) continue;
        if (![...element.childNodes].some(node => node.nodeType === 3 && node.data.trim())) continue;
        const style = getComputedStyle(element),
            isSvg = element instanceof SVGElement;
        let ground = [255, 255, 255];
        const rect = isSvg && element.parentElement?.querySelector('rect, circle');
        if (rect) ground = parse(getComputedStyle(rect).fill);
        else
            for (let e = element; e; e = e.parentElement) {
                const color = parse(getComputedStyle(e).backgroundColor);
                if (color.length < 4 || color[3] > 0) {
                    ground = color;
                    break;
                }
            }
        const a = luminance(parse(isSvg ? style.fill : style.color)),
            b = luminance(ground);
        const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
        const large = parseFloat(style.fontSize) >= 18.6;
        if (contrast < (large ? 3 : 4.5))
            bad.push(
                `${element.className.baseVal ?? element.className} "${element.textContent.slice(0, 30)}": ` +
                    `${contrast.toFixed(2)}`,
            );
    }
    return bad;
}

const tests = {
    'verdict header': {
        page: 'race',
        async test(page, { shot }) {
            assert.match(await page.locator('h1').textContent(), /1 error and 1 warning found/);
            const facts = await page.locator('.verdict-facts').textContent();
            for (const words of [
                'Complete',
                'standard sends',
                './race',
                '3 ranks',
                '2 interleavings',
                '1 deadlocked',
                '1 choice',
            ])
                assert.ok(facts.includes(words), words);
            await shot('race-light');
        },
    },

    'a run without findings': {
        page: 'crooked',
        async test(page, { shot }) {
            assert.match(await page.locator('h1').textContent(), /No error found/);
            assert.match(await page.locator('.card').textContent(), /Nothing is wrong/);
            await shot('clean');
        },
    },

    'text of the program stays text': {
        page: 'race',
        async test(page) {
            assert.equal(await page.evaluate(() => window.hacked), undefined);
            assert.equal(await page.locator('body img').count(), 0);
            assert.ok((await page.locator('code.command').textContent()).includes('</script><img src=x'));
        },
    },

    'findings are filtered': {
        page: 'race',
        async test(page) {
            await page.click('details.filter summary');
            const shown = () => page.locator('.finding:visible').count();
            assert.equal(await shown(), 3);
            for (const [name, value, n] of [
                ['rule', 'deadlock', 1],
                ['severity', 'warning', 1],
                ['rank', '0', 2],
                ['rank', '1', 2],
                ['file', 'types.c', 1],
            ]) {
                await page.selectOption(`[data-filter=${name}]`, value);
                assert.equal(await shown(), n, `${name} ${value}`);
                await page.selectOption(`[data-filter=${name}]`, '');
            }
            await page.fill('#finding-text', 'Can Take');
            assert.equal(await shown(), 1);
            assert.match(await page.locator('.findings-panel .count').textContent(), /1 of 3/);
        },
    },

    'a finding tells its story and leads to its interleaving': {
        page: 'race',
        async test(page) {
            assert.match(
                await page.locator('.sentence').textContent(),
                /^Rank 0 waits in MPI_Recv for rank 2, which has finished\.$/,
            );
            const rows = await texts(page.locator('.waiting tbody tr'));
            assert.ok(
                rows[0].includes('rank 0') &&
                    rows[0].includes('waits for rank 2') &&
                    rows[0].includes('app.c:10'),
                rows[0],
            );
            assert.ok(rows[2].includes('has finished'));
            assert.match(
                await page.locator('.story').textContent(),
                /The message of rank 2 was taken|the message of rank 2 was taken/,
            );
            assert.equal(await title(page), 'Interleaving 1: deadlock');
            assert.equal(await number(page), '0:1');
            await page.click('[data-finding="2"]');
            assert.equal(await title(page), 'Interleaving 0: finishes');
            assert.equal(await number(page), '0:0');
        },
    },

    'the commands are copied': {
        page: 'race',
        options: { permissions: ['clipboard-read', 'clipboard-write'] },
        async test(page) {
            await page.click('.replay button');
            assert.equal(
                await page.evaluate(() => navigator.clipboard.readText()),
                'isp replay -n 3 --choices 1 -- ./race',
            );
            await page.click('.debug button');
            assert.equal(
                await page.evaluate(() => navigator.clipboard.readText()),
                'isp debug -n 3 --choices 1 -- ./race',
            );
            await page.click('[data-finding="1"]');
            assert.equal(await page.locator('.debug').count(), 0);
        },
    },

    'diagram: lanes, calls, messages': {
        page: 'race',
        hash: '#interleaving=0&call=0.0',
        async test(page) {
            assert.deepEqual(await texts(page.locator('.lane-head')), ['rank 0', 'rank 1', 'rank 2']);
            assert.equal(await page.locator('.canvas [data-call]').count(), 7);
            assert.equal(await page.locator('.canvas .edge.message').count(), 2);
            const box = call => page.locator(`[data-call="${call}"] rect`).boundingBox();
            assert.ok((await box(0)).x > (await box(1)).x, 'a receive is right of its send');
            assert.ok((await box(1)).y > (await box(0)).y, 'rank 1 is below rank 0');
            assert.match(await page.locator('[data-call="1"] .label').textContent(), /^Send → 0 · tag 0$/);
        },
    },

    'diagram: collectives are bands': {
        page: 'crooked',
        async test(page, { shot }) {
            const band = await page.locator('.band').boundingBox();
            const lanes = await page.locator('#diagram .sizer').boundingBox();
            assert.ok(band.height > 0.8 * lanes.height);
            await shot('collective');
        },
    },

    'diagram: blocked calls and what they wait for': {
        page: 'race',
        async test(page) {
            assert.equal(await page.locator('.call.is-blocked').count(), 2);
            assert.ok(
                (await texts(page.locator('.call.is-blocked .label'))).every(text => text.startsWith('■')),
            );
            assert.equal(await page.locator('.canvas .edge.waits').count(), 2);
            assert.equal(await page.locator('.lane-head.stuck').count(), 2);
        },
    },

    'diagram: alternatives of a wildcard': {
        page: 'race',
        async test(page) {
            assert.equal(await page.locator('#diagram .canvas .edge.alternative').count(), 1);
            assert.equal(await page.locator('#diagram .choice-mark').count(), 1);
            assert.match(await page.locator('#diagram .call.critical').textContent(), /critical choice/);
        },
    },

    'matched sets light up': {
        page: 'crooked',
        async test(page) {
            await page.hover('[data-call="1"]');
            assert.equal(await page.locator('.band.hot').count(), 1);
            for (const call of [1, 3, 4])
                assert.match(
                    await page.locator(`[data-call="${call}"]`).getAttribute('class'),
                    /matched-set/,
                );
            await page.click('[data-call="0"]');
            assert.equal(await page.locator('.canvas .edge.hot').count(), 1);
        },
    },

    'steps in program order': {
        page: 'race',
        hash: '#interleaving=0&call=0.0',
        async test(page) {
            const seen = [];
            for (let i = 0; i < 7; i++) {
                seen.push(await number(page));
                await page.click('[data-action=next]');
            }
            assert.deepEqual(seen, ['0:0', '0:1', '0:2', '1:0', '1:1', '2:0', '2:1']);
            assert.match(await selected(page), /last call/);
            await press(page, 'k', 'k');
            assert.equal(await number(page), '1:1');
        },
    },

    'steps in issue order': {
        page: 'race',
        hash: '#interleaving=0&call=0.0',
        async test(page) {
            await page.selectOption('#order', 'issue');
            await page.click('[data-action=first]');
            const seen = [];
            for (let i = 0; i < 7; i++) {
                seen.push(await number(page));
                await page.click('[data-action=next]');
            }
            assert.deepEqual(seen, ['0:0', '1:0', '1:1', '2:0', '0:1', '2:1', '0:2']);
        },
    },

    'steps locked to a rank': {
        page: 'race',
        hash: '#interleaving=0&call=0.0',
        async test(page) {
            await page.selectOption('#lock', '2');
            assert.equal(await number(page), '2:0');
            await press(page, 'j', 'j');
            assert.equal(await number(page), '2:1');
            await press(page, 'l');
            assert.equal(await page.locator('#lock').inputValue(), '-1');
        },
    },

    'next match, previous match, partner': {
        page: 'race',
        hash: '#interleaving=0&call=0.0',
        async test(page) {
            await page.click('[data-action=nextMatch]');
            assert.equal(await number(page), '0:1');
            await page.click('[data-action=partner]');
            assert.equal(await number(page), '2:0');
            await page.click('[data-action=partner]');
            assert.equal(await number(page), '0:1');
            await page.click('[data-action=previousMatch]');
            assert.equal(await number(page), '0:0');
        },
    },

    'first, last, and a call by its number': {
        page: 'race',
        hash: '#interleaving=0&call=1.0',
        async test(page) {
            await page.click('[data-action=last]');
            assert.equal(await number(page), '2:1');
            await page.click('[data-action=first]');
            assert.equal(await number(page), '0:0');
            await press(page, 'g');
            await page.keyboard.type('1:1\n');
            assert.equal(await number(page), '1:1');
            await page.fill('#goto', '7:1');
            await page.press('#goto', 'Enter');
            assert.equal(await page.locator('#goto').getAttribute('aria-invalid'), 'true');
        },
    },

    'the critical choice': {
        page: 'master',
        async test(page, { shot }) {
            assert.equal(await title(page), 'Interleaving 3.2: deadlock');
            const said = await page.locator('.critical-part').textContent();
            assert.match(said, /Decision 2: .*app\.c:21 takes the message of rank 3\. Where it takes /);
            assert.match(said, / Where it takes the message of rank 1 instead, the program finishes/);
            await page.click('[data-action=critical]');
            assert.equal(await number(page), '0:1');
            await shot('master');
            await page.click('#go-other');
            assert.equal(await title(page), 'Interleaving 3: finishes');
            await page.click('#go-critical');
            assert.equal(await title(page), 'Interleaving 3.2: deadlock');
        },
    },

    'ranks are collapsed': {
        page: 'race',
        async test(page, { shot }) {
            await page.click('#diagram .lane-head[data-rank="1"]');
            assert.ok((await page.locator('#diagram .lane-head[data-rank="1"]').boundingBox()).height < 12);
            await shot('collapsed');
            await page.click('[data-action=showAll]');
            assert.ok((await page.locator('#diagram .lane-head[data-rank="1"]').boundingBox()).height > 20);
        },
    },

    'the tree of choices': {
        page: 'master',
        async test(page) {
            const outcome = await page.locator('.tree-row.current .outcome').textContent();
            assert.equal(outcome, 'deadlock · 3.2');
            await page.locator('#tree').focus();
            await press(page, 'Home');
            assert.match(await page.locator('.tree-row').first().textContent(), /All interleavings24, 2 bad/);
            await press(page, 'ArrowLeft');
            assert.equal(await page.locator('.tree-row').count(), 1);
            await press(page, 'ArrowRight', 'ArrowDown', 'ArrowRight');
            assert.equal(await page.locator('.tree-row.active').getAttribute('aria-level'), '3');
            await press(page, 'ArrowDown', 'ArrowDown');
            await page.locator('.tree-row', { hasText: 'finishes · 0' }).first().click();
            assert.match(await title(page), /Interleaving 0.*finishes/);
        },
    },

    'next and previous interleaving, next with a finding': {
        page: 'master',
        hash: '#interleaving=0',
        async test(page) {
            await page.click('[data-action=nextRun]');
            assert.equal(await title(page), 'Interleaving 0.0.1: finishes');
            await press(page, '[');
            assert.equal(await title(page), 'Interleaving 0: finishes');
            await press(page, 'f');
            assert.equal(await title(page), 'Interleaving 3.2: deadlock');
        },
    },

    'source of two ranks': {
        page: 'race',
        hash: '#interleaving=0&call=0.1',
        async test(page) {
            const pane = name => page.locator(`[data-pane=${name}] .line.current`);
            assert.match(await pane('first').textContent(), /10.*MPI_Recv/);
            assert.match(await pane('second').textContent(), /12.*MPI_Send/);
            await page.selectOption('#other-rank', '1');
            assert.match(await page.locator('.pane').nth(1).locator('.pane-title').textContent(), /rank 1/);
        },
    },

    'a source line selects its calls': {
        page: 'race',
        hash: '#interleaving=0&call=0.1',
        async test(page) {
            await page.click('[data-pane=first] [data-line="9"]');
            assert.equal(await number(page), '0:0');
            await page.click('[data-pane=second] [data-line="12"]');
            assert.equal(await page.locator('.call.marked').count(), 2);
        },
    },

    'details of a call': {
        page: 'crooked',
        async test(page) {
            await select(page, '1:2');
            await page.locator('.details dt', { hasText: 'answer' }).waitFor();
            const text = await page.locator('.details').textContent();
            for (const words of [
                'MPI_Wait',
                'requests',
                '1:0 MPI_Irecv(from any, tag 0)',
                'source 0',
                'request 0',
            ])
                assert.ok(text.includes(words), `${words}: ${text}`);
            await page.click('.details .link');
            assert.equal(await number(page), '1:0');
            const more = await page.locator('.details').textContent();
            for (const words of [
                'from any source',
                '1 MPI_INT',
                '4 bytes',
                'MPI_COMM_WORLD',
                '0:0 MPI_Isend',
            ])
                assert.ok(more.includes(words), `${words}: ${more}`);
        },
    },

    'wait-for graph': {
        page: 'knot-6',
        async test(page, { shot }) {
            assert.equal(await page.locator('.wait-node').count(), 6);
            assert.equal(await page.locator('.wait-edge').count(), 8);
            assert.equal(await page.locator('.wait-edge.any').count(), 3);
            assert.equal(await page.locator('.wait-edge.knot').count(), 8);
            assert.match(
                await page.locator('.wait-graph').getAttribute('aria-label'),
                /rank 1 waits for any of ranks 2, 3 or 4/,
            );
            await shot('knot');
            await page.click('.wait-node >> nth=3');
            assert.equal(await number(page), '3:0');
        },
    },

    'wait-for graph of 64 ranks': {
        page: 'knot-64',
        async test(page, { shot }) {
            assert.deepEqual(await texts(page.locator('.wait-node text')), ['0, 2-63', '1']);
            assert.deepEqual(await texts(page.locator('.waiting th[scope=row]')), [
                'ranks 0, 2-63',
                'rank 1',
            ]);
            assert.match(
                await page.locator('.wait-graph').getAttribute('aria-label'),
                /ranks 0, 2-63 each waits for the next rank; rank 1 waits for any of ranks 2, 3 or 4/,
            );
            await shot('ranks-64');
            await page.click('.wait-figure button');
            const text = await page
                .locator('dialog[open] .wait-node text')
                .first()
                .evaluate(element => element.getBoundingClientRect().height);
            assert.ok(text > 8, `readable: ${text}`);
            await press(page, 'Escape');
            await page.locator('#diagram').focus();
            await press(page, 'ArrowDown');
            assert.match(await selected(page), /of rank 1/);
        },
    },

    'output of the interleaving': {
        page: 'race',
        async test(page) {
            assert.equal(
                await page.locator('.output-panel pre').textContent(),
                '<b>rank 0</b> waits & waits\n',
            );
            await press(page, '[');
            assert.equal(await page.locator('.output-panel pre').textContent(), 'all is well\n');
        },
    },

    'matches-before': {
        page: 'crooked',
        async test(page, { shot }) {
            await select(
                page,
                '1:2',
            ); /* the wait: after its receive and after the barrier, which is a fence */
            await page.click('#show-before');
            const before = await texts(page.locator('.relations .links').first().locator('li'));
            assert.deepEqual(before, ['1:1 MPI_Barrier', '1:0 MPI_Irecv(from any, tag 0)']);
            await select(page, '1:1'); /* the crooked barrier: the receive before it need not have matched */
            await press(page, 'b');
            assert.match(
                await page.locator('.relations').textContent(),
                /Right before it.*nothing.*Right after it.*1:2 MPI_Wait/s,
            );
            assert.ok((await page.locator('.canvas .edge.order').count()) >= 1);
            await shot('matches-before');
        },
    },

    'happens-before through all ranks': {
        page: 'crooked',
        async test(page) {
            await select(page, '1:3');
            await press(page, 'h');
            const before = await page
                .locator('.call.before')
                .evaluateAll(boxes =>
                    boxes.map(box => box.querySelector('title').textContent.split(' ')[0]).sort(),
                );
            assert.deepEqual(before, ['0:0', '0:1', '1:0', '1:1', '1:2', '2:0']);
            assert.match(await page.locator('.relations').textContent(), /6 calls before it/);
        },
    },

    'keys and the help that lists them': {
        page: 'race',
        async test(page, { shot }) {
            await press(page, '?');
            await page.locator('dialog.help[open]').waitFor();
            assert.ok((await page.locator('dialog.help kbd').count()) >= 24);
            await shot('help');
            await page.uncheck('#letters');
            await press(page, 'Escape', ']', '[');
            assert.equal(await title(page), 'Interleaving 1: deadlock', 'single letters are off');
            await page.locator('#diagram').focus();
            await press(page, 'ArrowLeft');
            assert.equal(await number(page), '0:0');
            await press(page, 'ArrowDown');
            assert.match(await number(page), /^1:/);
            await press(page, '?');
            await page.locator('dialog.help[open]').waitFor();
        },
    },

    'all of the picture as a table': {
        page: 'race',
        async test(page, { shot }) {
            await page.click('#as-table');
            const rows = await texts(page.locator('.call-row:not(.head)'));
            assert.equal(rows.length, 5);
            assert.ok(
                rows[0].includes('takes the message of 2:0') &&
                    rows[0].includes('could have taken 1:0') &&
                    rows[0].includes('critical choice'),
                rows[0],
            );
            assert.ok(rows[1].includes('waits for rank 2'), rows[1]);
            await page.locator('#calls').focus();
            await press(page, 'ArrowUp');
            assert.equal(await number(page), '0:0');
            const active = await page.locator('#calls').getAttribute('aria-activedescendant');
            assert.match(await page.locator(`#${active}`).textContent(), /^0:0/);
            await shot('table');
        },
    },

    'screen reader: names, regions, announcements': {
        page: 'race',
        async test(page) {
            const nameless = await page.evaluate(() =>
                [
                    ...document.querySelectorAll(
                        'button, select, input, [role=tree], [role=grid], [role=application], section, ' +
                            'svg[role=img]',
                    ),
                ]
                    .filter(e => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length))
                    .map(e => e.outerHTML.slice(0, 80)),
            );
            assert.deepEqual(nameless, []);
            assert.equal(await page.locator('main').count(), 1);
            assert.equal(await page.locator('h1').count(), 1);
            await page.locator('#diagram').focus();
            await press(page, 'ArrowLeft');
            assert.equal(
                await selected(page),
                'call 0 of rank 0, MPI_Recv(from any, tag 0), app.c:9, takes the message of 2:0',
            );
            await page.keyboard.press('Shift+Tab');
            assert.notEqual(await page.evaluate(() => document.activeElement?.id), 'diagram');
        },
    },

    dark: {
        page: 'race',
        options: { colorScheme: 'dark' },
        async test(page, { shot }) {
            assert.deepEqual(await page.evaluate(contrasts), []);
            await shot('race-dark');
            await page.click('#theme');
            assert.equal(
                await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme),
                'light',
            );
        },
    },

    'light, and enough contrast': {
        page: 'race',
        async test(page) {
            assert.deepEqual(await page.evaluate(contrasts), []);
            await press(page, 't');
            assert.equal(
                await page.evaluate(() => getComputedStyle(document.documentElement).colorScheme),
                'dark',
            );
            assert.deepEqual(await page.evaluate(contrasts), []);
        },
    },

    narrow: {
        page: 'race',
        options: { viewport: { width: 420, height: 860 } },
        async test(page, { shot }) {
            assert.ok(
                await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
                'nothing is wider than the window',
            );
            const sentence = await page.locator('.sentence').boundingBox(),
                diagram = await page.locator('#diagram').boundingBox();
            assert.ok(sentence.y < 400 && diagram.y > sentence.y);
            await shot('narrow');
            await page.locator('#diagram').scrollIntoViewIfNeeded();
            await shot('narrow-picture');
        },
    },

    print: {
        page: 'race',
        async test(page, { shot }) {
            await page.emulateMedia({ media: 'print' });
            assert.ok(!(await page.locator('.toolbar').isVisible()));
            assert.ok(
                (await page.locator('.sentence').isVisible()) &&
                    (await page.locator('#diagram .canvas').isVisible()),
            );
            await shot('print');
        },
    },

    'the selected call is in view': {
        page: 'irregular-3000-4',
        async test(page) {
            for (const action of ['first', 'last', 'first']) {
                await page.click(`[data-action=${action}]`);
                const box = await page.locator('#diagram .call.selected rect').boundingBox(),
                    diagram = await page.locator('#diagram').boundingBox();
                assert.ok(
                    box.x > diagram.x + 90 && box.x + box.width < diagram.x + diagram.width,
                    `${box.x} in ${diagram.x} + ${diagram.width}`,
                );
            }
        },
    },

    'a link keeps interleaving and call': {
        page: 'master',
        async test(page) {
            await press(page, 'f', ']');
            await select(page, '3:0');
            const [wanted, url] = [await title(page), page.url()];
            await page.goto('about:blank');
            await page.goto(url);
            await page.waitForFunction(() => document.documentElement.dataset.ready);
            assert.deepEqual([await title(page), await number(page)], [wanted, '3:0']);
        },
    },

    'what did not fit is said': {
        page: 'partial',
        async test(page) {
            const verdict = await page.locator('.verdict').textContent();
            for (const words of [
                'Incomplete: --max-interleavings 2',
                'about 5e121',
                '38 interleavings and 1,000 calls did not fit',
                'Assumption: what <b>threads</b> tell each other.',
            ])
                assert.ok(verdict.includes(words), `${words}: ${verdict}`);
            assert.equal(await number(page), '1:500', 'calls keep their numbers');
            await select(page, '0:500');
            await press(page, ']');
            assert.match(await page.locator('.missing').textContent(), /did not fit/);
        },
    },

    'a merged run says where it goes on': {
        page: 'merged',
        async test(page, { shot }) {
            assert.match(
                await page.locator('.verdict').textContent(),
                /12 interleavings · for which 9 runs stand · 2 deadlocked/,
            );
            const rows = await texts(page.locator('.tree-row'));
            assert.match(rows[0], /All interleavings12, 2 bad$/, 'as many as the verdict says');
            assert.deepEqual(rows.map(row => /← \d(.* · as in .*)/.exec(row)?.[1]).filter(Boolean), [
                '2 · as in 0',
                '2 · as in 0.1',
                '2, 1 bad · as in 1.1',
            ]);
            await page.locator('.tree-row', { hasText: 'as in 1.1' }).click();
            assert.equal(await title(page), 'Interleaving 2.1: goes on as another one');
            const join = await page.locator('.join').textContent();
            for (const words of [
                'from here on as in interleaving 1.1 from decision 3 on.',
                'This run stands for 2 interleavings, 1 of them bad, the first is 1.1.1;',
                'among them are the first that show deadlock.',
            ])
                assert.ok(join.includes(words), `${words}: ${join}`);
            assert.equal(await page.locator('.call.is-open').count(), 2);
            assert.equal(await page.locator('.call.is-unmatched').count(), 0);
            await shot();
            await page.click('#go-join');
            assert.equal(await title(page), 'Interleaving 1.1: finishes');
            assert.equal(await number(page), '0:2', 'the choice point');
            await press(page, ']', ']', ']');
            assert.equal(await title(page), 'Interleaving 2.1: goes on as another one');
            await page.locator('.join button', { hasText: 'deadlock' }).click();
            assert.equal(await title(page), 'Interleaving 1.1.1: deadlock');
            assert.equal(await page.locator('.join').count(), 0);
        },
    },

    'a merged run in the dark': {
        page: 'merged',
        hash: '#interleaving=8',
        options: { colorScheme: 'dark' },
        async test(page, { shot }) {
            assert.deepEqual(await page.evaluate(contrasts), []);
            await shot();
        },
    },

    'a merged run in a narrow window': {
        page: 'merged',
        hash: '#interleaving=8',
        options: { viewport: { width: 480, height: 900 } },
        async test(page, { shot }) {
            assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
            await page.locator('.join').scrollIntoViewIfNeeded();
            await shot();
        },
    },

    'merged runs that lead nowhere, or in circles': {
        page: 'damaged',
        async test(page) {
            for (const [interleaving, words] of [
                [4, /as in an interleaving that this page does not have/],
                [7, /as in an interleaving that this page does not have/],
                [8, /as in an interleaving that this page does not have/],
            ]) {
                await page.evaluate(i => (location.hash = `interleaving=${i}`), interleaving);
                await page.reload();
                await page.waitForFunction(() => document.documentElement.dataset.ready);
                assert.match(await page.locator('.join').textContent(), words);
                assert.equal(await page.locator('#go-join').count(), 0);
            }
            assert.match((await texts(page.locator('.tree-row')))[0], /All interleavings12, 1 bad$/);
        },
    },

    'data of another format are refused': {
        page: 'race',
        async test(page, { file }) {
            const broken = file.replace('.html', '-broken.html');
            fs.writeFileSync(broken, fs.readFileSync(file, 'utf-8').replace('"format":3', '"format":4'));
            const other = await page.context().newPage();
            await other.goto(`file://${broken}`);
            assert.match(await other.locator('[role=alert]').textContent(), /format 4/);
        },
    },
};

// The picture

const columns = page => texts(page.locator('#diagram .axis .gap'));
const wheel = (page, deltaY, more = {}) =>
    page.locator('#diagram').evaluate(
        (diagram, init) => {
            const box = diagram.getBoundingClientRect();
            const at = { clientX: box.x + box.width / 2, clientY: box.y + 30 };
            diagram.dispatchEvent(
                new WheelEvent('wheel', { bubbles: true, cancelable: true, ...at, ...init }),
            );
        },
        { deltaY, ...more },
    );
const boxWidth = async page => (await page.locator('#diagram .call rect').first().boundingBox()).width;

Object.assign(tests, {
    'equal ranks are one lane': {
        page: 'miss-16',
        async test(page, { shot }) {
            assert.deepEqual(await texts(page.locator('.lane-head')), ['■rank 0', '■rank 1', '■2-15×14']);
            await shot('ranks-16');
            await page.click('.lane-head[data-rank="2"]');
            assert.equal(await page.locator('.lane-head').count(), 16);
            await page.click('[data-action=group]');
            assert.equal(await page.locator('.lane-head').count(), 3);
            await press(page, 'e');
            assert.equal(await page.locator('.lane-head').count(), 16);
            await press(page, 'e');
            await select(page, '9:0');
            const title = await page.locator('.call.selected title').textContent();
            assert.match(title, /^9:0 MPI_Irecv\(from 8/, 'the lane shows the rank that is looked at');
            assert.equal(await page.locator('.lane-head').count(), 3);
        },
    },

    'ranks that are not quite equal are put together if they are many': {
        page: 'farm-512',
        async test(page, { shot }) {
            assert.deepEqual(await texts(page.locator('.lane-head')), ['rank 0', '1-510≈510', '■rank 511']);
            await shot('ranks-512');
            await page.click('.lane-head[data-rank="1"]');
            const shown = await page.locator('.lane-head').count();
            assert.ok(shown > 8 && shown < 120, `${shown} of 512 are there`);
        },
    },

    'loops are folded': {
        page: 'miss-16',
        async test(page) {
            assert.deepEqual(await columns(page), ['↻ 39 more'], 'though the tags change');
            assert.equal(await page.locator('#diagram .op-send').count(), 4);
            await page.click('.gap');
            await press(page, '0');
            const told = await page.locator('#diagram .gap').getAttribute('aria-label');
            assert.match(told, /^the same 29 more times: 1,392 calls/);
            await select(page, '3:110');
            assert.equal(await page.locator('#diagram .gap').count(), 2, 'what is selected is shown');
            await page.locator('.call.selected').waitFor();
        },
    },

    'what nearly matched is a broken arrow': {
        page: 'miss-16',
        async test(page) {
            assert.equal(await page.locator('#diagram .edge.near.broken').count(), 1);
            assert.match((await texts(page.locator('.end-words.near')))[0], /^tag 12 ≠ 13/);
            assert.match(await page.locator('.legend').textContent(), /nearly matched/);
        },
    },

    'a slider over the matches': {
        page: 'race',
        hash: '#interleaving=0&call=0.0',
        async test(page) {
            const slider = page.locator('#matches');
            await slider.focus();
            await press(page, 'Home');
            assert.equal(
                await slider.getAttribute('aria-valuetext'),
                'match 1 of 2: 1:0 Send → 0 with 0:0 Recv ← any',
            );
            assert.equal(await number(page), '0:0');
            const later = () => page.locator('#diagram .call.later').count();
            assert.equal(await later(), 5);
            await press(page, 'ArrowRight');
            assert.equal(await number(page), '0:1');
            assert.equal(await later(), 2);
            await press(page, 'End');
            assert.equal(await later(), 0);
        },
    },

    'wheel, keys and minimap move through the time': {
        page: 'irregular-3000-4',
        async test(page, { shot }) {
            const width = await boxWidth(page);
            await wheel(page, -200);
            assert.ok((await boxWidth(page)) > 1.3 * width);
            await press(page, '-', '-', '-', '-');
            assert.ok((await boxWidth(page)) < 0.5 * width);
            await shot('zoomed-out');
            await press(page, '0');
            const frame = () => page.locator('.run > .timeline .minimap-view').boundingBox();
            const strip = await page.locator('.run > .timeline .minimap canvas').boundingBox();
            assert.ok((await frame()).width > 0.95 * strip.width, 'all of it');
            assert.ok((await page.locator('#diagram [data-call]').count()) < 5, 'as pixels');
            for (let i = 0; i < 12; i++) await wheel(page, -300);
            const before = await frame();
            await wheel(page, 300, { shiftKey: true });
            assert.ok((await frame()).x > before.x);
            await page.mouse.click(strip.x + strip.width * 0.25, strip.y + 4);
            const there = await frame();
            assert.ok(Math.abs(there.x + there.width / 2 - strip.x - strip.width * 0.25) < 6);
            const calls = () => page.locator('#diagram [data-call]').first().getAttribute('data-call');
            const first = await calls(),
                lanes = await page.locator('#diagram .sizer').boundingBox();
            await page.mouse.move(lanes.x + 900, lanes.y + 40);
            await page.mouse.down();
            await page.mouse.move(lanes.x - 2000, lanes.y + 40, { steps: 4 });
            await page.mouse.up();
            assert.notEqual(await calls(), first, 'dragged');
        },
    },

    'pixels are calls': {
        page: 'irregular-3000-4',
        async test(page) {
            await press(page, '0');
            const lanes = await page.locator('#diagram .sizer').boundingBox();
            await page.mouse.click(lanes.x + lanes.width / 2, lanes.y + 3 * (lanes.height / 4) - 10);
            const [rank, call] = (await number(page)).split(':').map(Number);
            assert.ok(rank === 2 && call > 200 && call < 1200, `${rank}:${call}`);
        },
    },

    'the nearest good interleaving is beside a bad one': {
        page: 'race',
        async test(page) {
            assert.equal(
                await page.locator('.beside-name').textContent(),
                'The nearest good one, interleaving 0: finishes',
            );
            assert.deepEqual(await texts(page.locator('.difference-word')), [
                '◆ first difference',
                '◆ first difference',
            ]);
            await press(page, 'd');
            assert.equal(await page.locator('#beside:visible').count(), 0);
            await press(page, 'd');
            await page.locator('#beside .call').last().click();
            assert.equal(await title(page), 'Interleaving 0: finishes');
            assert.equal(await page.locator('#beside:visible').count(), 0, 'it is good itself');
        },
    },

    'what both have done is folded': {
        page: 'late-6',
        async test(page, { shot }) {
            assert.deepEqual(await texts(page.locator('.axis .gap')), ['⋯ same', '⋯ same']);
            await shot('beside');
            await page.locator('#diagram .gap').click();
            assert.equal(await page.locator('#diagram .gap').count(), 0);
        },
    },

    'a finding is small once it is read': {
        page: 'race',
        async test(page) {
            const high = async () => (await page.locator('.card').boundingBox()).height;
            const whole = await high();
            await page.click('[data-finding="1"]');
            await page.click('[data-finding="0"]');
            assert.ok((await high()) < 0.4 * whole);
            await page.click('#fold-finding');
            assert.equal(await high(), whole);
            await press(page, 'r');
            assert.ok((await high()) < 0.4 * whole);
            assert.match(await page.locator('.sentence').textContent(), /^Rank 0 waits/);
        },
    },

    'sources have colours, and can be widened': {
        page: 'miss-16',
        async test(page) {
            const line = n => page.locator(`[data-pane=first] [data-line="${n}"] .line-text`);
            const styles = n =>
                line(n)
                    .locator('span')
                    .evaluateAll(all => all.map(e => `${e.className} ${e.textContent}`));
            assert.deepEqual(await styles(2), ['hl-comment miss */']);
            assert.deepEqual(await styles(3), ['hl-word int', 'hl-word void', 'hl-comment // "x"']);
            assert.deepEqual(await styles(5), ['hl-word return', 'hl-mpi MPI_Finalize', 'hl-number 7']);
            const wide = async () => (await page.locator('.side.middle').boundingBox()).width;
            const before = await wide();
            await page.locator('.splitter').focus();
            await press(page, 'ArrowRight', 'ArrowRight');
            assert.ok((await wide()) > before + 60);
        },
    },

    'marks of the tree say what was shown': {
        page: 'race',
        async test(page) {
            const rows = await texts(page.locator('.tree-row'));
            assert.deepEqual(rows.slice(1), [
                '!rank 0 ← 1finishes, leak-datatype · 0',
                '✕rank 0 ← 2 ◆deadlock · 1',
            ]);
        },
    },

    'marks of the tree say what each interleaving has shown': {
        page: '4 tests/trace/shown.c',
        async test(page) {
            await page.locator('#tree').focus();
            await press(page, 'Home', ...Array(12).fill(['ArrowRight', 'ArrowDown']).flat());
            const rows = await texts(page.locator('.tree-row'));
            assert.deepEqual(
                rows.filter(row => row.includes('· ')).map(row => row.replace(/rank 0 ← \d ?◆?/, '')),
                [
                    '!finishes, leak-datatype, leak-communicator · 0',
                    '!finishes, leak-datatype, leak-communicator · 0.1',
                    '!finishes, leak-datatype, leak-communicator · 1',
                    '!finishes, leak-datatype · 1.1',
                    '✕finishes, missing-wait, leak-datatype, leak-communicator · 2',
                    '✕deadlock · 2.1',
                ],
            );
        },
    },
});

for (const name of [
    'race',
    'miss-3',
    'miss-16',
    'miss-64',
    'farm-512',
    'irregular-3000-64',
    'miss-4096-4',
    'late-6',
])
    tests[`nothing overlaps or is cut off: ${name}`] = {
        page: name,
        async test(page, { shot }) {
            const faults = {};
            const look = async what => {
                await page.evaluate(() => new Promise(done => requestAnimationFrame(() => setTimeout(done))));
                const found = await page.evaluate(layoutFaults);
                if (found.length) faults[what] = found.slice(0, 6);
            };
            for (const [width, height] of [
                [1280, 800],
                [1920, 1080],
                [400, 860],
            ]) {
                await page.setViewportSize({ width, height });
                await look(`${width}`);
                await shot(`page-${name}-${width}-light`);
                if (width === 1280) {
                    await press(page, 't');
                    await shot(`page-${name}-${width}-dark`);
                    await press(page, 't', 'e');
                    await look('each rank');
                    await press(page, '-', '-');
                    await look('smaller');
                    await press(page, '-', '-', '-', '-');
                    await look('smallest');
                    await press(page, '+', '+', '+', '+', '+', '+', 'e');
                }
            }
            assert.deepEqual(faults, {});
        },
    };

// Pages that isp itself writes

tests['isp --html: a deadlock of the Umpire suite'] = {
    page: '3 umpire-suite/any_src-can-deadlock.c',
    async test(page, { file, shot }) {
        assert.match(
            await page.locator('.sentence').textContent(),
            /rank 0 waits in MPI_Recv for rank 2, which has finished/,
        );
        assert.match(
            await page.locator('.critical-part').textContent(),
            /Decision 1: MPI_Recv of rank 0 at any_src-can-deadlock\.c:\d+ takes the message of rank 2/,
        );
        assert.equal(await page.locator('#diagram .canvas .edge.alternative').count(), 1);
        assert.equal(await page.locator('.call.is-blocked').count(), 2);
        assert.match(
            await page.locator('[data-pane=first] .line.current').textContent(),
            /MPI_Recv\(&x, 1, MPI_INT, 2/,
        );
        assert.match(await page.locator('.tree-panel').textContent(), /With buffered sends/);
        await shot();
        await page.click('#go-other');
        assert.equal(await title(page), 'Interleaving 0: finishes');
        assert.equal(await number(page), '0:0');
        assert.ok(fs.statSync(file).size < 200_000);
    },
};

tests['isp --html: matches-before depends on the message'] = {
    page: '3 viewer/tests/wildcards.c',
    async test(page) {
        const found = {};
        for (let i = 0; i < 2; i++) {
            await select(page, '0:1');
            const partner = await page.locator('.call.matched-set title').first().textContent();
            await press(page, 'b');
            found[partner[0]] = await page.locator('.relations').textContent();
            await press(page, ']');
        }
        assert.deepEqual(Object.keys(found), ['1', '2'], 'who sent the message');
        assert.match(
            found['1'],
            /Right before it0:0 MPI_Irecv\(from 1, tag 0\)Right after it0:2 MPI_Waitall/,
        );
        assert.match(found['2'], /Right before itnothingRight after it0:2 MPI_Waitall/);
    },
};

tests['isp --html: 24 interleavings'] = {
    page: '5 viewer/tests/orders.c',
    async test(page, { shot }) {
        assert.match(await page.locator('.verdict').textContent(), /24 interleavings.*2 deadlocked/);
        assert.match(await title(page), /^Interleaving 3\.2: deadlock/);
        assert.match(
            await page.locator('.critical-part').textContent(),
            /Decision 2: .*takes the message of rank 3/,
        );
        await page.click('[data-action=critical]');
        assert.equal(await number(page), '0:1');
        assert.equal(await page.locator('.tree-row.critical').count(), 1);
        const bad = [];
        await press(page, 'F');
        for (let i = 0; i < 24; i++) {
            const name = await title(page);
            if (name.endsWith('deadlock') && !bad.includes(name)) bad.push(name);
            await press(page, 'f');
        }
        assert.deepEqual(bad, ['Interleaving 3.2: deadlock', 'Interleaving 3.2.1: deadlock']);
        await page.locator('.finding', { hasText: 'wildcard' }).click();
        assert.equal(await title(page), 'Interleaving 0: finishes');
        assert.match(await page.locator('.card').textContent(), /the first with one of its 17 choice points/);
        assert.equal(await page.locator('.output-panel pre').textContent(), 'worker 1 came first\n');
        await shot();
    },
};

tests['isp --html: merged runs'] = {
    page: '6 tests/merging/orders.c late',
    async test(page, { file, shot }) {
        const result = JSON.parse(
            /id="isp-data">(.*?)<\/script>/s.exec(fs.readFileSync(file, 'utf-8'))[1],
        ).result;
        assert.ok(result.interleavings === 120 && result.runs < 240, `${result.runs} runs`);
        const root = await page.locator('.tree-row .outcome').first().textContent();
        assert.equal(root, `120, ${result.deadlocked_interleavings} bad`);
        const [deadlock] = result.findings;
        assert.equal(deadlock.count, result.deadlocked_interleavings);
        await page.click('#go-other');
        assert.ok((await title(page)).startsWith(`Interleaving ${deadlock.critical.interleaving}: `));
        for (let i = 0; i < 200 && !(await page.locator('#go-join').count()); i++) await press(page, ']');
        await shot();
        const there = /interleaving (\S+) from/.exec(await page.locator('#go-join').textContent())[1];
        await page.click('#go-join');
        assert.ok((await title(page)).startsWith(`Interleaving ${there}: `));
    },
};

/** Of what the terminal said, the words that the page has nowhere: of all but the source and what isp says of
 * itself. */
async function notOnThePage(page, said) {
    let there = await page.evaluate(() => document.body.textContent);
    for (const finding of await page.locator('[data-finding]').all()) {
        await finding.click();
        if ((await page.locator('#fold-finding').getAttribute('aria-expanded')) === 'false')
            await page.click('#fold-finding');
        there += await page.evaluate(() => document.body.textContent);
    }
    there = there.toLowerCase();
    return said
        .split('\n')
        .filter(line => !/^\s+\d*\s*\||-v shows|what a rule means/.test(line))
        .flatMap(line => line.replace(/[^\s,[(]*\/(?=[^\s/]+:\d)/g, '').split(/[\s,;()[\]]+/))
        .map(word => word.replace(/[:.]$/, '').toLowerCase())
        .filter(word => word.length > 2 && !there.includes(word));
}

for (const [ranks, program] of [
    [3, 'umpire-suite/any_src-can-deadlock.c'],
    [5, 'viewer/tests/orders.c'],
    [3, 'examples/converge.c'],
    [16, 'viewer/tests/tags.c'],
])
    tests[`isp --html: the page has the words of the terminal: ${program}`] = {
        page: `${ranks} ${program}`,
        async test(page, { file }) {
            const said = fs.readFileSync(`${file}.txt`, 'utf-8');
            assert.match(said, /^isp: 1 error/);
            assert.deepEqual(await notOnThePage(page, said), []);
        },
    };

tests['isp --html: 16 ranks, and a tag that is wrong'] = {
    page: '16 viewer/tests/tags.c',
    async test(page, { shot }) {
        assert.match(
            await page.locator('.sentence').textContent(),
            /^Tag 12 expected at tags\.c:\d+, 13 sent/,
        );
        assert.deepEqual(await texts(page.locator('.lane-head')), ['■rank 0', '■rank 1', '■2-15×14']);
        assert.equal(await page.locator('#diagram .edge.near.broken').count(), 1);
        assert.match((await texts(page.locator('.end-words.near')))[0], /^tag 12 ≠ 13/);
        assert.deepEqual(await page.evaluate(layoutFaults), []);
        await shot();
    },
};

/** Load and use of large pages. The figures are printed; what is asserted leaves room for a machine that is
 * busy. */
function large(name, limit, steps) {
    return {
        page: name,
        async test(page, { file, shot }) {
            const ready = Number(await page.evaluate(() => document.documentElement.dataset.ready));
            const painted = await page.evaluate(
                () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
            );
            console.log(
                `# ${name}: verdict painted after ${painted?.toFixed(0)} ms, all shown after ${ready} ms, ` +
                    `${(fs.statSync(file).size / 1e6).toFixed(2)} MB`,
            );
            assert.ok(!(painted > ready), `painted after ${painted} ms`);
            assert.ok(ready < limit, `${ready} ms`);
            const step = await page.evaluate(async () => {
                const diagram = document.getElementById('diagram');
                const frame = () => new Promise(done => requestAnimationFrame(done));
                let worst = 0;
                for (let i = 0; i < 30; i++) {
                    const begin = performance.now();
                    const wheel = { bubbles: true, cancelable: true, clientX: 600 };
                    diagram.dispatchEvent(
                        new WheelEvent('wheel', {
                            ...wheel,
                            deltaY: i < 15 ? -90 : 200,
                            shiftKey: i % 2 === 0,
                        }),
                    );
                    worst = Math.max(worst, performance.now() - begin);
                    await frame();
                }
                return worst;
            });
            console.log(`# ${name}: slowest redraw while moving and zooming ${step.toFixed(0)} ms`);
            assert.ok(
                (await page.locator('.canvas [data-call]').count()) < 3000,
                'only a window of it is there',
            );
            for (const [call, label] of steps) {
                await select(page, call);
                await page.locator('.call.selected').waitFor();
                assert.match(await page.locator('.details').textContent(), label);
            }
            await shot();
        },
    };
}
tests['1 000 calls'] = large('ring-1000-4', 5000, [
    ['2:100', /Isend/],
    ['0:0', /Irecv/],
]);
tests['100 000 calls'] = large('ring-100000-8', 15000, [
    ['5:6001', /MPI_Wait/],
    ['0:0', /Irecv/],
]);
tests['1 000 000 calls'] = large('ring-1000000-8', 60000, [
    ['7:60000', /MPI_/],
    ['0:0', /Irecv/],
]);
tests['64 ranks, 60 000 calls'] = large('ring-60000-64', 15000, [
    ['63:200', /MPI_/],
    ['31:100', /MPI_/],
]);

module.exports = { describe: () => tests };
