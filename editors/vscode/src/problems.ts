// SPDX-License-Identifier: BSD-3-Clause
// What a result of isp (--json, --sarif) has of problems. Knows nothing of the editor.
import * as path from 'path';
import { fileURLToPath } from 'url';

export interface Place {
    file: string; // the whole path
    line: number; // from 1
    text: string;
}

export interface Problem {
    rule: string;
    severity: 'error' | 'warning' | 'note';
    message: string;
    at: Place;
    related: Place[];
    finding?: number; // which one isp dap takes it for, from 1; not every one can be replayed
}

type Json = { [name: string]: unknown };

const list = (value: unknown): Json[] =>
    Array.isArray(value) ? value.filter(v => v && typeof v === 'object') : [];
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const object = (value: unknown): Json => (value && typeof value === 'object' ? (value as Json) : {});

function severity(word: unknown): Problem['severity'] {
    return word === 'error' || word === 'warning' ? word : 'note';
}

// ---- --json ----

function placeOf(site: Json, folder: string): Place | undefined {
    const file = text(site.file);
    if (!file || typeof site.line !== 'number') return undefined;
    const call = text(site.call) || text(site.function);
    return {
        file: path.resolve(folder, file),
        line: site.line,
        text: typeof site.rank === 'number' ? `rank ${site.rank}: ${call}` : call,
    };
}

function problemsOfJson(result: Json, folder: string): Problem[] {
    const ran = text(object(result.invocation).folder) || folder;
    let replayed = 0;
    const problems: Problem[] = [];
    for (const f of list(result.findings)) {
        const finding = text(f.replay) ? ++replayed : undefined;
        const places = list(f.sites)
            .map(site => placeOf(site, ran))
            .filter((p): p is Place => p !== undefined);
        if (!places.length) continue;
        const critical = placeOf(object(f.critical), ran);
        if (critical) critical.text = `the critical choice: ${text(object(f.critical).taken)}`;
        problems.push({
            rule: text(f.rule),
            severity: severity(f.severity),
            message: [text(f.message), text(f.story)].filter(t => t).join('\n'),
            at: places[0],
            related: critical ? [...places.slice(1), critical] : places.slice(1),
            finding,
        });
    }
    return problems;
}

// ---- --sarif ----

function placeOfSarif(location: Json, bases: Json, folder: string): Place | undefined {
    const physical = object(location.physicalLocation);
    const artifact = object(physical.artifactLocation);
    const line = object(physical.region).startLine;
    const base = text(object(bases[text(artifact.uriBaseId)]).uri) || `file://${folder}/`;
    if (!text(artifact.uri) || typeof line !== 'number') return undefined;
    try {
        const file = fileURLToPath(new URL(text(artifact.uri), base));
        return { file, line, text: text(object(location.message).text) };
    } catch {
        return undefined; // no file on this machine
    }
}

function problemsOfSarif(sarif: Json, folder: string): Problem[] {
    const problems: Problem[] = [];
    for (const run of list(sarif.runs)) {
        const bases = object(run.originalUriBaseIds);
        for (const result of list(run.results)) {
            const places = list(result.locations)
                .map(l => placeOfSarif(l, bases, folder))
                .filter((p): p is Place => p !== undefined);
            if (!places.length) continue;
            problems.push({
                rule: text(result.ruleId),
                severity: severity(result.level),
                message: text(object(result.message).text),
                at: places[0],
                related: list(result.relatedLocations)
                    .map(l => placeOfSarif(l, bases, folder))
                    .filter((p): p is Place => p !== undefined),
            });
        }
    }
    return problems;
}

// `folder`: where the file is. Throws a text for the user.
export function problemsOf(content: string, folder: string): Problem[] {
    let result: Json;
    try {
        result = object(JSON.parse(content));
    } catch (error) {
        throw new Error(`this is no JSON: ${(error as Error).message}`);
    }
    if (Array.isArray(result.findings)) return problemsOfJson(result, folder);
    if (Array.isArray(result.runs)) return problemsOfSarif(result, folder);
    throw new Error('this is no result of isp: isp --json FILE or isp --sarif FILE writes one');
}
