// SPDX-License-Identifier: BSD-3-Clause
// Numbers 0..n-1 sorted by a small key each, stable: the calls of each rank, of each row of the picture.

export interface Grouped {
    /** group k is order[start[k]] .. order[start[k + 1] - 1] */
    readonly start: Int32Array;
    readonly order: Int32Array;
}

/** All keys are at least 0 and less than `groups`. */
export function grouped(key: Int32Array, groups: number): Grouped {
    const start = new Int32Array(groups + 1);
    for (let i = 0; i < key.length; i++) start[key[i] + 1]++;
    for (let k = 0; k < groups; k++) start[k + 1] += start[k];
    const next = start.slice();
    const order = new Int32Array(key.length);
    for (let i = 0; i < key.length; i++) order[next[key[i]]++] = i;
    return { start, order };
}
