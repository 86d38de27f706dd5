// SPDX-License-Identifier: BSD-3-Clause
// One test for each thing that the page offers.
'use strict';
const assert = require('assert').strict;
const fs = require('fs');

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
            assert.ok((await box(0)).y > (await box(1)).y, 'a receive is below its send');
            assert.ok((await box(1)).x > (await box(0)).x, 'rank 1 is right of rank 0');
        },
    },

    'diagram: collectives are bands': {
        page: 'crooked',
        async test(page, { shot }) {
            const band = await page.locator('.band').boundingBox();
            const lanes = await page.locator('.sizer').boundingBox();
            assert.ok(band.width > 0.9 * lanes.width);
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
            assert.equal(await page.locator('.canvas .edge.alternative').count(), 1);
            assert.equal(await page.locator('.canvas .choice-mark').count(), 1);
            assert.match(await page.locator('.call.critical').textContent(), /critical choice/);
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
            await page.click('.lane-head[data-rank="1"]');
            assert.ok((await page.locator('.lane-head[data-rank="1"]').boundingBox()).width < 20);
            await shot('collapsed');
            await page.click('[data-action=showAll]');
            assert.ok((await page.locator('.lane-head[data-rank="1"]').boundingBox()).width > 100);
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
            await shot('ranks-64');
            await page.click('.wait-figure button');
            assert.equal(await page.locator('dialog[open] .wait-node').count(), 64);
            const text = await page
                .locator('dialog[open] .wait-node text')
                .first()
                .evaluate(element => element.getBoundingClientRect().height);
            assert.ok(text > 8, `readable: ${text}`);
            await shot('wait-64');
            await press(page, 'Escape');
            await page.locator('#diagram').focus();
            await press(page, 'ArrowRight');
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
            await press(page, 'ArrowUp');
            assert.equal(await number(page), '0:0');
            await press(page, 'ArrowRight');
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
            await press(page, 'ArrowUp');
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
                (await page.locator('.sentence').isVisible()) && (await page.locator('.canvas').isVisible()),
            );
            await shot('print');
        },
    },

    'less motion': {
        page: 'ring-3000-4',
        options: { reducedMotion: 'reduce' },
        async test(page) {
            await page.click('[data-action=first]');
            assert.equal(await page.locator('#diagram').evaluate(e => e.scrollTop), 0, 'at once');
        },
    },

    'the selected call is in view': {
        page: 'ring-3000-4',
        async test(page) {
            const box = await page.locator('.call.selected').boundingBox(),
                diagram = await page.locator('#diagram').boundingBox();
            assert.ok(
                box.y > diagram.y + 30 && box.y + box.height < diagram.y + diagram.height,
                `${box.y} in ${diagram.y} + ${diagram.height}`,
            );
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

    'data of another format are refused': {
        page: 'race',
        async test(page, { file }) {
            const broken = file.replace('.html', '-broken.html');
            fs.writeFileSync(broken, fs.readFileSync(file, 'utf-8').replace('"format":2', '"format":3'));
            const other = await page.context().newPage();
            await other.goto(`file://${broken}`);
            assert.match(await other.locator('[role=alert]').textContent(), /format 3/);
        },
    },
};

// Pages that isp itself writes

tests['isp --html: a deadlock of the Umpire suite'] = {
    page: '3 umpire-suite/any_src-can-deadlock.c',
    async test(page, { file, shot }) {
        assert.match(
            await page.locator('.sentence').textContent(),
            /^Rank 0 waits in MPI_Recv for rank 2, which has finished/,
        );
        assert.match(
            await page.locator('.critical-part').textContent(),
            /Decision 1: MPI_Recv of rank 0 at any_src-can-deadlock\.c:\d+ takes the message of rank 2/,
        );
        assert.equal(await page.locator('.canvas .edge.alternative').count(), 1);
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

/** Load and use of large pages. The figures are printed; what is asserted leaves room for a machine that is
 * busy. */
function large(name, limit, steps) {
    return {
        page: name,
        async test(page, { file, shot }) {
            const ready = Number(await page.evaluate(() => document.documentElement.dataset.ready));
            console.log(
                `# ${name}: shown after ${ready} ms, ${(fs.statSync(file).size / 1e6).toFixed(2)} MB`,
            );
            assert.ok(ready < limit, `${ready} ms`);
            const step = await page.evaluate(async () => {
                const diagram = document.getElementById('diagram');
                const frame = () => new Promise(done => requestAnimationFrame(done));
                let worst = 0;
                for (let i = 0; i < 30; i++) {
                    const begin = performance.now();
                    diagram.scrollTop += i < 15 ? -90 : -diagram.scrollHeight / 40;
                    diagram.dispatchEvent(new Event('scroll'));
                    worst = Math.max(worst, performance.now() - begin);
                    await frame();
                }
                return worst;
            });
            console.log(`# ${name}: slowest redraw while scrolling ${step.toFixed(0)} ms`);
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
