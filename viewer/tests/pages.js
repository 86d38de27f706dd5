// SPDX-License-Identifier: BSD-3-Clause
// The pages that tests look at: `miss-16` is what fixture.js makes of that, `3 race.c` what isp writes of a
// program. Each is written once, however many tests look at it.
'use strict';
const { execFileSync, spawnSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const fixtures = require('./fixture');

/** A page that isp itself writes: of a C program, with so many ranks and these arguments. What the terminal
 * said is beside it, as .txt. */
function realPage(folder, ranks, program, ...args) {
    const exe = path.join(folder, path.basename(program, '.c')),
        file = `${[exe, ...args].join('-')}.html`;
    execFileSync('mpicc', ['-g', '-O0', '-o', exe, path.join(__dirname, '../..', program)]);
    fs.rmSync(file, { force: true });
    const isp = spawnSync(process.env.ISP, ['-n', ranks, '--html', file, exe, ...args], {
        timeout: 60000,
        encoding: 'utf-8',
    });
    if (!fs.existsSync(file)) throw new Error(`isp wrote no page: ${isp.stderr}`);
    fs.writeFileSync(`${file}.txt`, isp.stderr);
    return file;
}

/** Of a page's name, the file. */
function pagesIn(template, folder) {
    fs.mkdirSync(folder, { recursive: true });
    const written = new Map();
    return name => {
        if (!written.has(name) && name.includes('.c'))
            written.set(name, realPage(folder, ...name.split(' ')));
        if (!written.has(name)) {
            const [make, ...sizes] = name.split('-');
            const file = path.join(folder, `${name}.html`);
            const data = fixtures[make](...sizes.map(Number));
            fs.writeFileSync(file, data.page(fs.readFileSync(template, 'utf-8')));
            written.set(name, file);
        }
        return written.get(name);
    };
}

module.exports = { pagesIn };
