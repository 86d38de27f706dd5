// SPDX-License-Identifier: BSD-3-Clause
// What Chromium, Firefox and Safari have had since 2023, and Debian 12's TypeScript does not know yet.
declare class DecompressionStream {
    constructor(format: 'deflate' | 'deflate-raw' | 'gzip');
    readonly readable: ReadableStream<Uint8Array>;
    readonly writable: WritableStream<Uint8Array>;
}
