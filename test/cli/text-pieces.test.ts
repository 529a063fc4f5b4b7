import { expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readPieces } from '../../lib/cli/reconcile/text-files';

/** The bytes that are read at once. */
const pieceBytes = 262_144;

async function textOf(bytes: Buffer): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'text-pieces-'));
  try {
    const path = join(folder, 'events.jsonl');
    writeFileSync(path, bytes);
    let text = '';
    for await (const piece of readPieces(path)) text += piece;
    return text;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const ascii = 'a'.repeat(pieceBytes);

test.each([0, 1, 2, 3, 4])(
  'a character of four bytes is read with %j of them in the piece before',
  async (before) => {
    const text = `${ascii}${'b'.repeat(pieceBytes - before)}\u{1F3B0}${ascii}${ascii}é`;
    const read = await textOf(Buffer.from(text));
    expect(read === text).toBe(true);
  },
);

test('a character that ASCII of the next piece cuts off is no UTF-8', async () => {
  const start = Buffer.from('é').subarray(0, 1);
  const bytes = Buffer.concat([Buffer.alloc(pieceBytes - 1, 'a'), start, Buffer.from(ascii)]);
  await expect(textOf(bytes)).rejects.toThrow('cannot be read');
});

test('a character that the end of the file cuts off is no UTF-8', async () => {
  await expect(textOf(Buffer.from([0x61, 0xc3]))).rejects.toThrow('cannot be read');
});
