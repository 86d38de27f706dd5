// SPDX-License-Identifier: BSD-3-Clause
// Two numbers as one that hardly any other two give.

export function mix(a: number, b: number): number {
    let h = Math.imul(a ^ b, 0x9e3779b1);
    h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
    return (h ^ (h >>> 13)) | 0;
}
