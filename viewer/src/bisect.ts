// SPDX-License-Identifier: BSD-3-Clause
// The last of first..last that does not lie behind what is looked for; `first` if all do.
export function lastNotBehind(first: number, last: number, isBehind: (i: number) => boolean): number {
    let low = first,
        high = last;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (isBehind(middle)) high = middle - 1;
        else low = middle;
    }
    return low;
}
