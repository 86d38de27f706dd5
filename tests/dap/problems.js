// SPDX-License-Identifier: BSD-3-Clause
// What the extension makes of a result: the same of --json and of --sarif, and what isp debug takes for the
// K-th finding is that one.
//
// usage: problems.js ISP PROGRAM SOURCES (the folder of the extension's sources)
const assert = require('assert');
const { execFileSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const [isp, program, sources] = process.argv.slice(2).map(name => path.resolve(name));
const here = fs.mkdtempSync(path.join(os.tmpdir(), 'dap-'));

function problemsOfIsp(bundle) {
    const { problemsOf } = require(bundle);
    const result = path.join(here, 'result.json');
    const sarif = path.join(here, 'result.sarif');
    try {
        const words = ['-q', '-n', '3', '--json', result, '--sarif', sarif, program];
        execFileSync(isp, words, { stdio: 'ignore' });
    } catch {
        // it has findings
    }
    const read = file => problemsOf(fs.readFileSync(file, 'utf8'), here);
    const [json, other] = [read(result), read(sarif)];
    const places = problems => problems.map(p => [p.rule, p.severity, p.at.file, p.at.line]);
    assert.deepStrictEqual(places(json), places(other));
    assert.deepStrictEqual(
        json.map(p => [p.rule, p.finding]),
        [
            ['deadlock', 1],
            ['wildcard', 2],
        ],
    );
    assert.match(json[0].message, /^deadlock: .*rank 0 waits in MPI_Recv for rank 2/);
    assert.ok(fs.existsSync(json[0].at.file));
    assert.deepStrictEqual(
        json[0].related.map(p => p.text.split(' takes')[0]),
        ['rank 1: MPI_Send', 'rank 2: MPI_Finalize', 'the critical choice:'],
    );
    for (const text of ['', '{', '[]', '{}', '3', '{"findings": 3}'])
        assert.throws(() => problemsOf(text, here), /^Error: this is no/);
    assert.deepStrictEqual(problemsOf('{"findings": [3, {}, {"sites": [{"file": 3}]}]}', here), []);
}

try {
    const bundle = path.join(here, 'problems.js');
    const entry = path.join(sources, 'problems.ts');
    const options = ['--bundle', '--platform=node', `--outfile=${bundle}`, '--log-level=error'];
    execFileSync('esbuild', [entry, ...options]);
    problemsOfIsp(bundle);
} finally {
    fs.rmSync(here, { recursive: true, force: true });
}
