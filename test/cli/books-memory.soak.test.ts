import { afterAll, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';

import { createRedisStore } from '../../lib/operator/stores/redis';
import { Keys } from '../../lib/operator/stores/redis/codec/keys';
import { assertCommitted } from '../../lib/proof/contracts/case';
import { openingOf, take } from '../../lib/proof/contracts/changes';
import { Cleanup } from '../servers/cleanup';
import { startRedis } from '../servers/redis/server';
import { patience } from '../support/patience';
import { runProcess } from './cli';

const PLAYERS = 60_000;
const cleanup = new Cleanup();
afterAll(() => cleanup.run());

/** A Redis with many players, each with 10 EUR and an open round that took 1 EUR of it: copies of the first. */
async function manyPlayers(): Promise<string> {
  const { url } = cleanup.after(await startRedis());
  const store = createRedisStore({ ...patience, url, init: true });
  const first = { operatorId: 'casino', playerId: 'first', gameRound: 'r' };
  await store.players.openPlayer({ ...first, currency: 'EUR', balances: { real: '10' } });
  assertCommitted(await store.rounds.commit(first, openingOf([take('d', 10_000n)])));
  await store.close();
  const client = cleanup.after(new Redis(url), (one) => one.disconnect());
  const keys = new Keys('rgs');
  const namesOf = (playerId: string): readonly string[] => {
    const round = { ...first, playerId };
    return [keys.account(round), keys.cash(round).references, keys.round(round)];
  };
  const sources = namesOf(first.playerId);
  for (let at = 1; at < PLAYERS; ) {
    const pipeline = client.pipeline();
    for (const end = Math.min(at + 5_000, PLAYERS); at < end; at++) {
      for (const [index, name] of namesOf(`player-${at}`).entries()) {
        pipeline.copy(sources[index] ?? '', name);
      }
    }
    await pipeline.exec();
  }
  return url;
}

function text(count: number): string {
  return `${new Intl.NumberFormat('en').format(count)}.00`;
}

test('the books of more players than the heap holds are read in parts, each player once', async () => {
  const url = await manyPlayers();
  const books = await runProcess(['books', '--check', '--store', url], {
    env: { NODE_OPTIONS: '--max-old-space-size=40' },
  });
  const sums = [text(9 * PLAYERS), text(10 * PLAYERS), `−${text(PLAYERS)}`, '0.00', '0.00'];
  const row = ['EUR', ...sums, String(PLAYERS)].join(' +');
  expect(books).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      new RegExp(`\\n${row}\\nIn all: ${PLAYERS} accounts, the books are whole\\.\\n$`),
    ),
  });
});
