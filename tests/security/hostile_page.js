// SPDX-License-Identifier: BSD-3-Clause
// Opens PAGE.html in Chromium, goes through all that can be clicked, and says `inert` if nothing of its data
// has become more than text.
'use strict';
const { chromium } = require('playwright-core');

const VIEWS = 60; // clicks

async function main() {
    const browser = await chromium.launch({
        executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
        args: ['--disable-dev-shm-usage', ...(process.getuid() === 0 ? ['--no-sandbox'] : [])],
    });
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const wrong = [];
    page.on('pageerror', error => wrong.push(String(error)));
    page.on('console', message => message.type() === 'error' && wrong.push(message.text()));
    page.on('dialog', dialog => wrong.push(`dialog: ${dialog.message()}`) && dialog.dismiss());
    page.on(
        'request',
        request => /^file:.*\.html/.test(request.url()) || wrong.push(`request: ${request.url()}`),
    );
    await page.goto(`file://${process.argv[2]}`);
    await page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 60000 });
    const state = () =>
        page.evaluate(() => ({
            hacked: 'hacked' in window,
            scripts: document.querySelectorAll('script').length,
            foreign: document.querySelectorAll(
                'img, iframe, object, embed, base, form, a[href^="javascript"], [onerror], [onload], ' +
                    '[onclick]',
            ).length,
            shows: document.body.textContent.includes('<script>window.hacked'),
        }));
    const first = await state();
    if (!first.shows) wrong.push('the text is not shown at all');
    const n = await page.locator('button, [role=button], [tabindex="0"], summary').count();
    for (let i = 0; i < Math.min(n, VIEWS); i++)
        await page
            .locator('button, [role=button], [tabindex="0"], summary')
            .nth(i)
            .click({ timeout: 300, force: true })
            .catch(() => {});
    const last = await state();
    for (const each of [first, last])
        if (each.hacked || each.foreign || each.scripts !== first.scripts) wrong.push(JSON.stringify(each));
    await browser.close();
    console.log(wrong.length ? wrong.join('\n') : 'inert');
    process.exit(wrong.length ? 1 : 0);
}

main();
