import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';

import {
  type RoundHead,
  type RoundState,
  roundStates,
  unseenRound,
} from '../../../../lib/operator/gameround';
import { createRedisStore } from '../../../../lib/operator/stores/redis';
import { Keys } from '../../../../lib/operator/stores/redis/codec/keys';
import { give, openingOf, real } from '../../../../lib/proof/contracts/changes';
import type { AccountStore } from '../../../../lib/operator/wallet';
import { withRedis } from '../../../servers/redis/client';
import { type RedisServer, startRedis } from '../../../servers/redis/server';

const retentionMs = 3_600_000;
const keptForEver = new Set<RoundState>(['open', 'cancelled', 'stranded', 'crashed']);

let server: RedisServer;
let store: AccountStore;

beforeAll(async () => {
  server = await startRedis();
  store = createRedisStore({ init: true, url: server.url, retentionMs, commandTimeoutMs: 60_000 });
  await store.ready();
});

afterAll(async () => {
  await store.close();
  await server.stop();
});

/** Takes a round through these heads, one commit each; whether it expires in the end. */
async function expires(...heads: readonly Partial<RoundHead>[]): Promise<boolean> {
  const round = { operatorId: 'op', playerId: 'p', gameRound: randomUUID() };
  let before = unseenRound;
  for (const head of heads) {
    const after = { ...before, ...head, version: before.version + 1 };
    const result = await store.rounds.commit(round, { before, after, records: [], movements: [] });
    expect(result.kind).toBe('committed');
    before = after;
  }
  const key = new Keys('rgs').round(round);
  const leftMs = await withRedis(server, (client) => client.pttl(key));
  expect(leftMs).not.toBe(-2);
  if (leftMs !== -1) expect(Math.abs(leftMs - retentionMs)).toBeLessThan(60_000);
  return leftMs !== -1;
}

test.each(roundStates.flatMap((from) => roundStates.map((to) => [from, to] as const)))(
  'a round that was %s and is now %s expires only where that state does (D10)',
  async (from, to) => {
    expect(await expires({ state: from })).toBe(!keptForEver.has(from));
    expect(await expires({ state: from }, { state: to })).toBe(!keptForEver.has(to));
  },
);

test('a closed round is kept for as long as something of it is pending, and expires after it (D10)', async () => {
  const pending = { since: 1, posts: [], reversals: ['h'] };
  const closed = { state: 'closed' } as const;
  expect(await expires({ ...closed, pending })).toBe(false);
  expect(await expires(closed, { pending })).toBe(false);
  expect(await expires({ ...closed, pending }, { pending: null })).toBe(true);
});

test('what expired rounds moved is added up exactly, also beyond the numbers of Lua', async () => {
  const player = { operatorId: 'op', playerId: 'rich' };
  await store.players.openPlayer({ ...player, currency: 'EUR', balances: { real: '0' } });
  const account = new Keys('rgs').account(player);
  await withRedis(server, (client) => client.hset(account, '+EUR', '9007199254740990'));
  const sums: (string | null)[] = [];
  for (const won of [1n, 2n, 4n]) {
    const closed = openingOf([give('c', real(won))], { state: 'closed' });
    const result = await store.rounds.commit({ ...player, gameRound: randomUUID() }, closed);
    expect(result).toMatchObject({ kind: 'committed', accounts: [{ currency: 'EUR' }] });
    sums.push(await withRedis(server, (client) => client.hget(account, '+EUR')));
  }
  expect(sums).toEqual(['9007199254740991', '9007199254740993', '9007199254740997']);
  const view = await store.rounds.accounts(player);
  expect(view).toMatchObject({ accounts: [{ currency: 'EUR', real: 7n, bonus: null }] });
});
