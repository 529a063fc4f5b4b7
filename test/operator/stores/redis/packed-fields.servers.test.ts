import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';

import { createRedisStore } from '../../../../lib/operator/stores/redis';
import { fieldName } from '../../../../lib/operator/stores/redis/codec/hash-fields';
import { Keys } from '../../../../lib/operator/stores/redis/codec/keys';
import { packTexts } from '../../../../lib/operator/stores/redis/codec/commit';
import { scripts } from '../../../../lib/operator/stores/redis/commands/scripts';
import {
  decodeTransaction,
  encodeRecord,
} from '../../../../lib/operator/stores/redis/codec/record';
import type { RoundKey, WalletStore } from '../../../../lib/operator/wallet';
import { systemClock } from '../../../../lib/platform';
import { give, openingOf, real, takeMore } from '../../../../lib/proof/contracts/changes';
import { Cleanup } from '../../../servers/cleanup';
import { clientOf, RedisModel } from '../../../servers/in-process/redis';
import { closeClient } from '../../../servers/redis/client';
import { startRedis } from '../../../servers/redis/server';
import { patience } from '../../../support/patience';

const keys = new Keys('rgs');
const player = { operatorId: 'op', playerId: 'ann', currency: 'EUR' };
const cleanup = new Cleanup();
let client: Redis;
let store: WalletStore;

/** What ends a text, a line or an argument somewhere, and texts of several bytes. */
const hostile = fc.string({
  unit: fc.constantFrom('\0', '\n', '\r', ' ', '%', '\\', '"', '[', 's', '1', 'x', 'é', '€', '🎰'),
  minLength: 1,
  maxLength: 40,
});

beforeAll(async () => {
  const server = cleanup.after(await startRedis());
  client = cleanup.after(new Redis(server.url), closeClient);
  const opened = createRedisStore({ url: server.url, init: true, ...patience });
  cleanup.after(opened);
  await opened.players.openPlayer({ ...player, balances: { real: '1000000' } });
  store = opened;
});

afterAll(() => cleanup.run());

/** Commits a debit and a credit of each hash; resolves to the round's fields as Redis holds them. */
async function stored(round: RoundKey, hashes: readonly string[], gameCode: string) {
  const parts = hashes.map((hash, at) =>
    at % 2 === 0 ? takeMore(hash, 2n) : give(hash, real(1n)),
  );
  const change = openingOf(parts, { gameCode });
  expect((await store.rounds.commit(round, change)).kind).toBe('committed');
  return { fields: await client.hgetall(keys.round(round)), records: change.records };
}

test('hashes and a game code of any bytes are stored as they are, each with its own record', async () => {
  const ids = fc.uniqueArray(hostile, { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(ids, hostile, async (hashes, gameCode) => {
      const round = { ...player, gameRound: randomUUID() };
      const { fields, records } = await stored(round, hashes, gameCode);
      const { h: head, g, ...rest } = fields;
      expect(head).toBeDefined();
      expect(g).toBe(gameCode);
      const expected = records.map(({ hash, record }) => {
        const taken = record.type === 'debit' ? ' 2 0' : '';
        const text = encodeRecord(record, taken !== '');
        return [fieldName('transaction', hash, round.gameRound), text + taken];
      });
      expect(rest).toEqual(Object.fromEntries(expected));
    }),
  );
});

test('a commit of more records than fit on the stack of Lua is stored whole', async () => {
  const round = { ...player, gameRound: randomUUID() };
  const hashes = Array.from({ length: 4_500 }, () => randomUUID());
  const { fields } = await stored(round, hashes, 'game');
  expect(Object.keys(fields)).toHaveLength(hashes.length + 2);
  for (const [at, hash] of hashes.entries()) {
    const { type } = decodeTransaction(
      fields[fieldName('transaction', hash, round.gameRound)] ?? '',
    );
    expect(type).toBe(at % 2 === 0 ? 'debit' : 'credit');
  }
});

test('the script reads any list of texts as it was packed, in Redis and in the model of it', async () => {
  const model = clientOf(await RedisModel.create(() => systemClock.now()));
  const { source } = scripts.commit;
  // What the commit's script has before it is its function for packed texts.
  const [unpacking = ''] = /^#!lua\n[^]*?\nend\n(?=local parts)/.exec(source) ?? [];
  expect(unpacking).toContain('struct.unpack');
  const script = `${unpacking}return unpack_fields(ARGV[1])`;
  const lists = fc.oneof(
    fc.array(fc.oneof(hostile, fc.constant(''), fc.uuid()), { maxLength: 20 }),
    fc.integer({ min: 990, max: 2_010 }).map((count) => Array.from({ length: count }, String)),
  );
  await fc.assert(
    fc.asyncProperty(lists, async (texts) => {
      const packed = packTexts(texts);
      expect(await client.call('eval', script, 0, packed)).toEqual(texts);
      expect(await model.call('eval', script, 0, packed)).toEqual(texts);
    }),
  );
});
