// SPDX-License-Identifier: BSD-3-Clause
// The large tables: each column is base64 of deflated little-endian 32-bit differences (../DATA.md). A table
// is decoded when it is first asked for.

export interface PackedTable {
    rows: number;
    columns: Record<string, string>;
}

export type Table<Name extends string> = { readonly rows: number } & Readonly<Record<Name, Int32Array>>;

function bytesOf(base64: string): Uint8Array {
    const binary = atob(base64);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
}

async function inflate(bytes: Uint8Array): Promise<ArrayBuffer> {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Response(stream).arrayBuffer();
}

async function unpackColumn(base64: string, rows: number): Promise<Int32Array> {
    const column = new Int32Array(rows);
    if (rows === 0) return column;
    const view = new DataView(await inflate(bytesOf(base64)));
    if (view.byteLength !== 4 * rows)
        throw new Error(`a column has ${view.byteLength} bytes for ${rows} rows`);
    for (let i = 0, sum = 0; i < rows; i++) column[i] = sum = (sum + view.getInt32(4 * i, true)) | 0;
    return column;
}

export async function unpackTable<Name extends string>(
    packed: PackedTable | undefined,
    names: readonly Name[],
): Promise<Table<Name>> {
    const rows = packed?.rows ?? 0;
    const columns = await Promise.all(names.map(name => unpackColumn(packed?.columns[name] ?? '', rows)));
    const table: Record<string, unknown> = { rows };
    names.forEach((name, i) => (table[name] = columns[i]));
    return table as Table<Name>;
}
