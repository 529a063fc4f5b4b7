import { expect, test } from '@jest/globals';

import { exportRounds } from '../../lib/cli/player/rounds-export';
import { CsvReader } from '../../lib/operator/reconciliation/by-round/csv';
import { createMemoryStore } from '../../lib/operator/stores/memory';
import type { RoundsQuery, WalletStore } from '../../lib/operator/wallet';
import { end, openingOf } from '../../lib/proof/contracts/changes';
import { withParts } from '../support/with-parts';

const player = { operatorId: 'op', playerId: '+ann' };

async function storeWith(count: number): Promise<WalletStore> {
  const store = createMemoryStore();
  for (let at = 0; at < count; at++) {
    const gameCode = ['bells', '=HYPERLINK("x")', ' @a,b', 'a\u0007\r\nb'][at % 4] ?? '';
    const credits = { real: BigInt(at) * 5000n, bonus: 0n };
    const change = openingOf([end('e')], { state: 'closed', gameCode, credits });
    await store.rounds.commit({ ...player, gameRound: `-${at}` }, change);
  }
  return store;
}

async function exported(store: WalletStore, form: 'csv' | 'jsonl', filter: RoundsQuery = {}) {
  const pieces: string[] = [];
  const rows = await exportRounds(store, player, filter, form, async (text) => {
    pieces.push(text);
  });
  return { rows, pieces, text: pieces.join('') };
}

test('an export is every page of the list, and its last line says that it is whole', async () => {
  const store = await storeWith(450);
  const { rows, pieces, text } = await exported(store, 'csv');
  expect(pieces.map((piece) => piece.split('\r\n').length - 1)).toEqual([1, 200, 200, 50, 1]);
  expect(rows).toBe(450);
  expect(text).toMatch(/^\ufeffopenedAt,lastAt,.*\r\n.*\r\nend,450,complete\r\n$/s);
  const reader = new CsvReader();
  const [titles = [], ...lines] = [...reader.push(text), ...reader.end()];
  const column = titles.indexOf('gameRound');
  const names = lines.slice(0, -1).map((cells) => cells[column]);
  expect(names).toEqual(Array.from({ length: 450 }, (_, at) => `'-${449 - at}`));
});

test('no cell of CSV is a formula or controls a terminal, and amounts stay numbers', async () => {
  const { text } = await exported(await storeWith(4), 'csv');
  const lines = text.split('\r\n').slice(1, 5);
  expect(lines.map((line) => line.split(',').slice(3, 5).join())).toEqual(
    [3, 2, 1, 0].map((at) => `'+ann,'-${at}`),
  );
  expect(lines[0]).toContain(',a???b,closed,');
  expect(lines[1]).toContain(`,"' @a,b",closed,`);
  expect(lines[2]).toContain(`,"'=HYPERLINK(""x"")",closed,`);
  expect(lines.map((line) => line.split(',').slice(-5).join())).toEqual([
    '0,0,1.5,0,',
    '0,0,1,0,',
    '0,0,0.5,0,',
    '0,0,0,0,',
  ]);
});

test('an export has exactly the rounds of its filter, as lines of JSON too', async () => {
  const store = await storeWith(8);
  const { text, rows } = await exported(store, 'jsonl', { game: 'bells', min: '0.5' });
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(rows).toBe(1);
  expect(lines).toEqual([
    {
      operatorId: 'op',
      playerId: '+ann',
      gameRound: '-4',
      state: 'closed',
      gameCode: 'bells',
      currency: 'EUR',
      debits: { real: '0', bonus: '0' },
      credits: { real: '2', bonus: '0' },
      stateSince: expect.any(String),
      openedAt: expect.any(String),
      lastAt: expect.any(String),
    },
    { end: { rows: 1, complete: true } },
  ]);
  const none = await exported(store, 'csv', { game: 'none' });
  expect(none.text).toMatch(/^\ufeffopenedAt,\S*\r\nend,0,complete\r\n$/);
});

test('an export that the store does not answer to the end fails, and has no end line', async () => {
  const store = await storeWith(201);
  const { history } = store;
  if (history === undefined) throw new Error('the store lists rounds');
  const cause = new Error('the server is down');
  const down = withParts(store, {
    history: {
      rounds: async (key, query) =>
        query?.cursor === undefined ? history.rounds(key, query) : { kind: 'unknown', cause },
    },
  });
  const pieces: string[] = [];
  const write = async (text: string) => void pieces.push(text);
  await expect(exportRounds(down, player, {}, 'jsonl', write)).rejects.toThrow(
    'The store did not answer, after 200 rounds: the export is cut and has no end line. the server is down',
  );
  expect(pieces.join('').match(/\n/g)).toHaveLength(200);
  expect(pieces.join('')).not.toContain('"end":');
  const off = withParts(store, { history: { rounds: async () => ({ kind: 'off' }) } });
  const nothing: string[] = [];
  await expect(
    exportRounds(off, player, {}, 'csv', async (text) => void nothing.push(text)),
  ).rejects.toThrow("The store keeps no list of a player's rounds.");
  expect(nothing).toEqual([]);
});
