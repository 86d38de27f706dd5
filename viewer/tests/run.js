// SPDX-License-Identifier: BSD-3-Clause
// Tests the page in Chromium: run.js PAGE.html OUTPUT_FOLDER [name...]. A line `ok NAME` or `FAIL NAME` for
// each test; screenshots are left in OUTPUT_FOLDER.
'use strict';
const fs = require('fs');
const path = require('path');
const { chromium } = require('playwright-core');
const { describe } = require('./features');
const { pagesIn } = require('./pages');

const [template, folder, ...only] = process.argv.slice(2);
const pageFile = pagesIn(template, folder);
const CHROMIUM = process.env.CHROMIUM || '/usr/bin/chromium';

async function run(browser, name, { page: pageName, hash = '', options = {}, test }) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    const errors = [];
    page.setDefaultTimeout(8000);
    page.on('pageerror', error => errors.push(error.stack ?? error.message));
    page.on('console', message => message.type() === 'error' && errors.push(message.text()));
    page.on(
        'request',
        request => /^(file|data|about):/.test(request.url()) || errors.push(`it asked for ${request.url()}`),
    );
    try {
        const file = pageFile(pageName);
        await page.goto(`file://${file}${hash}`);
        await page.waitForFunction(() => document.documentElement.dataset.ready, null, { timeout: 60000 });
        await test(page, {
            file,
            shot: (what = name) =>
                page.screenshot({ path: path.join(folder, `${what.replace(/\W+/g, '-')}.png`) }),
        });
        if (errors.length) throw new Error(errors.join('\n'));
        console.log(`ok ${name}`);
        return true;
    } catch (error) {
        console.log(`FAIL ${name}\n${String(error.stack ?? error).replace(/^/gm, '    ')}`);
        await page
            .screenshot({ path: path.join(folder, `FAILED-${name.replace(/\W+/g, '-')}.png`) })
            .catch(() => {});
        return false;
    } finally {
        await context.close();
    }
}

async function main() {
    fs.mkdirSync(folder, { recursive: true });
    const browser = await chromium.launch({
        executablePath: CHROMIUM,
        args: ['--disable-dev-shm-usage', ...(process.getuid() === 0 ? ['--no-sandbox'] : [])],
    });
    let good = true;
    for (const [name, test] of Object.entries(describe()))
        if (!only.length || only.some(word => name.includes(word)))
            good = (await run(browser, name, test)) && good;
    await browser.close();
    process.exit(good ? 0 : 1);
}

main();
