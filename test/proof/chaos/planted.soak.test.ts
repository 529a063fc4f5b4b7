import { expect, test } from '@jest/globals';
import { Client } from 'pg';

import { Keys } from '../../../lib/operator/stores/redis/codec/keys';
import { withRedis } from '../../servers/redis/client';
import { operatorId } from './applications';
import { type ChaosReport, playChaos, wrongsIn } from './play';
import { chaosText } from './report';
import type { StoreName } from './stores/list';

/** Plays a little, with one harmless fault, and changes something behind the wallet's back before the books are compared. */
function playAnd(
  store: StoreName,
  change: (address: string) => Promise<unknown>,
): Promise<ChaosReport> {
  return playChaos({
    store,
    seconds: 1,
    seed: 1,
    faults: ['connections-cut'],
    beforeBooks: async ({ address }) => {
      await change(address);
    },
  });
}

async function inPostgres(url: string, sql: string): Promise<number | null> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rowCount;
  } finally {
    await client.end();
  }
}

/** Adds a win to its round and its player once more, or takes it away. */
function winAgain(what: '+' | '-', at: number): string {
  return `WITH r AS (SELECT * FROM rgs_wallet.rounds WHERE credits_real > 0 AND state = 'closed'
                     ORDER BY player_id, number OFFSET ${at} LIMIT 1),
               a AS (UPDATE rgs_wallet.accounts SET real = real ${what} r.credits_real FROM r
                     WHERE accounts.player_id = r.player_id)
          UPDATE rgs_wallet.rounds SET credits_real = rounds.credits_real ${what} r.credits_real
            FROM r WHERE (rounds.operator_id, rounds.player_id, rounds.number) = (r.operator_id, r.player_id, r.number)`;
}

test('a balance in Redis that is changed by one behind the wallet’s back is named', async () => {
  const key = new Keys('rgs').account({ operatorId, playerId: 'player 3' });
  const report = await playAnd('redis', async (address) => {
    const clientOptions = { host: '127.0.0.1', port: Number(new URL(address).port) };
    await withRedis({ clientOptions }, async (admin) => {
      const account = String(await admin.hget(key, 'EUR'));
      await admin.hset(
        key,
        'EUR',
        account.replace(/\d+/, (units) => String(BigInt(units) + 1n)),
      );
    });
  });
  expect(wrongsIn(report)).toBe(1);
  expect(chaosText(report)).toMatch(/0 lost, 0 doubled, 1 wrong balances, 0 other differences/);
  expect(report.differences[0]?.text).toMatch(/^player 3 has \d+, the book says \d+$/);
});

test('a win in PostgreSQL that is paid twice, and one that is lost, are named', async () => {
  const report = await playAnd('postgres', async (address) => {
    expect(await inPostgres(address, winAgain('+', 0))).toBe(1);
    expect(await inPostgres(address, winAgain('-', 1))).toBe(1);
  });
  expect(chaosText(report)).toMatch(/books: 1 lost, 1 doubled, [12] wrong balances/);
});
