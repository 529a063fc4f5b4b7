import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { currency, retentionMs, startCents } from '../terms';
import type { CheckedBalanceCall } from './check-balance-call';
import type { CheckedCall } from './check-call';
import { CallRefused } from './check-sender';
import type { Processed } from './reply';

/** The script that both hand-written contestants over Redis run. */
export const moveMoneyScript = readFileSync(join(__dirname, 'move-money.lua'), 'utf8');

/** The keys of a call, in one slot of a cluster. */
export function keysOf({ playerId, gameRound }: Pick<CheckedCall, 'playerId' | 'gameRound'>) {
  return [`wallet:{${playerId}}`, `wallet:{${playerId}}:round:${gameRound}`] as const;
}

/** The arguments of a call, as the script wants them. */
export function argumentsOf(call: CheckedCall): (string | number)[] {
  const flat = call.transactions.flatMap(({ type, hash, cents }) => [type, hash, cents]);
  return [call.currency, retentionMs, ...flat];
}

/** @throws CallRefused for a player that is not known. */
export function readReply(reply: unknown): Processed {
  const [balance, ...outcomes] = reply as [number, ...string[]];
  if (balance < 0) throw new CallRefused(400, 1, 'The player is not known.');
  return { balance, outcomes };
}

/** What a player has, in cents; null for one that is not known. */
export async function readBalanceInRedis(
  redis: Redis,
  { playerId, currency: wanted }: CheckedBalanceCall,
): Promise<number | null> {
  const cents = await redis.hget(keysOf({ playerId, gameRound: '' })[0], wanted);
  return cents === null ? null : Number(cents);
}

/** Opens the players. */
export async function openInRedis(url: string, players: readonly string[]): Promise<void> {
  await withRedis(url, async (redis) => {
    const pipeline = redis.pipeline();
    for (const playerId of players) {
      pipeline.hset(keysOf({ playerId, gameRound: '' })[0], currency, startCents);
    }
    await pipeline.exec();
  });
}

/** What each player has, in cents. */
export function balancesInRedis(url: string, players: readonly string[]): Promise<number[]> {
  return withRedis(url, (redis) =>
    Promise.all(
      players.map(async (playerId) =>
        Number(await redis.hget(keysOf({ playerId, gameRound: '' })[0], currency)),
      ),
    ),
  );
}

async function withRedis<T>(url: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis(url);
  try {
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}
