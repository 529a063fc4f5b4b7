import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

import { createOperatorHandler } from '../../../lib/operator/http/handler';
import type { WalletStore } from '../../../lib/operator/wallet';
import { systemClock } from '../../../lib/platform';
import { createRequestSigner } from '../../../lib/proof';
import { until } from '../../servers/until';
import { LeapingClock } from '../../support/leaping-clock';
import { DAY_MS, lineOf } from '../http/expired-rig';
import { callInProcess } from '../http/in-process-call';
import { bodyOf, credit, debit, end, secret } from '../http/rig';
import { type Place, Places, player } from './places';

const { operatorId, playerId } = player;
const places = new Places();
const { inRedis, inPostgres, kinds } = places;

beforeAll(() => places.start());

afterEach(() => places.tidy());

afterAll(() => places.stop());

/** A wallet over the store, and an RGS; both have a clock that a test sets ahead, while the store has the true time. */
function walletOf(store: WalletStore) {
  let aheadMs = 0;
  const now = () => systemClock.now() + aheadMs++;
  const operators = [{ operatorId, secrets: [secret] }];
  const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const { handle } = createOperatorHandler({ store, operators, clock, deadlineMs: 60_000 });
  const signer = createRequestSigner({ operatorId, secret, now });
  return {
    goAhead: (ms: number): void => void (aheadMs += ms),
    ago: (ms = 0) => new Date(now() - ms).toISOString(),
    call: async (transactions: readonly object[], more: object = {}) => {
      const body = bodyOf(transactions, { playerId, ...more });
      return lineOf(await callInProcess(handle, signer.doTransactions(body)));
    },
    real: async () => {
      const read = await store.rounds.accounts(player);
      return read.kind === 'unknown' ? null : read.accounts?.[0]?.real;
    },
    round: (gameRound: string) => store.rounds.readRound({ ...player, gameRound }),
  };
}

describe.each(kinds)('D10.2 in %s', (_, openPlace) => {
  test('a call whose round the store has forgotten is refused when it is sent again: nothing moves, nothing is written', async () => {
    const { open, fund } = await openPlace();
    const store = open({ retentionMs: 20 });
    await store.ready();
    await fund(store);
    const wallet = walletOf(store);
    const played = [debit(10, { timestamp: wallet.ago() }), credit(20), end];
    expect(await wallet.call(played)).toBe('200: round-1, credit-1, end-1');
    await until('the retention', async () => (await wallet.round('round-1')) === null);
    wallet.goAhead(400 * DAY_MS);
    for (let turn = 0; turn < 3; turn++) {
      expect(await wallet.call(played)).toBe('400 9010: round-1 9010, credit-1 9004, end-1 9004');
      expect(await wallet.call(played.slice(0, 1))).toBe('400 9010: round-1 9010');
      expect(await wallet.real()).toBe(1_100_000n);
      expect(await wallet.round('round-1')).toBeNull();
    }
    const young = debit(10, { hash: 'young', timestamp: wallet.ago() });
    expect(await wallet.call([young])).toBe('200: young');
    expect(await wallet.real()).toBe(1_000_000n);
    // Of a debit that is not known any more: remembered, and nothing is given back (D5.5).
    expect(await wallet.call([{ type: 'void', hash: 'round-1' }])).toBe('200: round-1');
    expect(await wallet.call(played.slice(0, 1))).toBe('400 9003: round-1 9003');
    expect(await wallet.real()).toBe(1_000_000n);
  });

  test('a round that is open is known for ever: its call is answered by its record', async () => {
    const { open, fund } = await openPlace();
    const store = open({ retentionMs: 20 });
    await store.ready();
    await fund(store);
    const wallet = walletOf(store);
    const played = [debit(10, { timestamp: wallet.ago() }), credit(2)];
    expect(await wallet.call(played)).toBe('200: round-1, credit-1');
    wallet.goAhead(400 * DAY_MS);
    expect(await wallet.call(played)).toBe('200: round-1, credit-1');
    expect(await wallet.call([debit(11)])).toBe('400 37: round-1 37');
    const timestamp = wallet.ago(400 * DAY_MS);
    const followUp = debit(5, { isFirstDebit: false, hash: 'debit-2', timestamp });
    expect(await wallet.call([followUp])).toBe('200: debit-2');
    expect(await wallet.real()).toBe(870_000n);
  });

  test('a store answers its retention', async () => {
    const { open } = await openPlace();
    const store = open({ retentionMs: 7 * DAY_MS });
    await store.ready();
    expect(store.retentionMs?.()).toBe(7 * DAY_MS);
  });
});

/** Opens a store, asks it and closes it. */
async function retentionOf({ open }: Place, retentionMs: number): Promise<number | undefined> {
  const store = open({ retentionMs });
  await store.ready();
  const kept = store.retentionMs?.();
  await store.close();
  return kept;
}

describe.each(kinds)('D10.2 where the retention was raised, in %s', (_, openPlace) => {
  test('the shorter one counts, whichever of the earlier ones it was', async () => {
    const place = await openPlace();
    const days = async (count: number) =>
      ((await retentionOf(place, count * DAY_MS)) ?? 0) / DAY_MS;
    expect(await days(7)).toBe(7);
    expect(await days(30)).toBe(7);
    expect(await days(2)).toBe(2);
    expect(await days(7)).toBe(2);
    expect(await days(30)).toBe(2);
    expect(await days(1)).toBe(1);
    expect(await days(30)).toBe(1);
  });

  /** A process with the longer retention, and a debit of two days ago: the shorter one was a day. */
  async function raised() {
    const { open, fund } = await openPlace();
    const short = open({ retentionMs: DAY_MS });
    await short.ready();
    await fund(short);
    await short.close();
    const store = open({ retentionMs: 30 * DAY_MS });
    const wallet = walletOf(store);
    return { store, wallet, old: debit(10, { timestamp: wallet.ago(2 * DAY_MS) }) };
  }

  test('a debit that is older than the shorter one is refused, and a younger one is taken', async () => {
    const { store, wallet, old } = await raised();
    await store.ready();
    expect(await wallet.call([old])).toBe('400 9010: round-1 9010');
    const young = debit(10, { timestamp: wallet.ago(DAY_MS / 2) });
    expect(await wallet.call([young])).toBe('200: round-1');
  });

  test('so it is in the first call of a process, which came before the store was ready', async () => {
    const { store, wallet, old } = await raised();
    expect(await wallet.call([old])).toBe('400 9010: round-1 9010');
    await store.ready();
    expect(await wallet.real()).toBe(1_000_000n);
  });

  test('until the longer has passed since the shorter one was last used', async () => {
    const place = await openPlace();
    const longMs = 1500;
    // Taken before each use: a machine that stands still makes the waits longer, and never shorter.
    const firstUsedAt = performance.now();
    expect(await retentionOf(place, 1)).toBe(1);
    let lastUsedAt = firstUsedAt;
    await until('the second one to be used for a while', async () => {
      const store = place.open({ retentionMs: 2 });
      lastUsedAt = performance.now();
      await store.ready();
      await store.close();
      return lastUsedAt - firstUsedAt > longMs / 2;
    });
    const seen: { readonly kept: number | undefined; readonly at: number }[] = [];
    await until('the longer one to count', async () => {
      const kept = await retentionOf(place, longMs);
      seen.push({ kept, at: performance.now() });
      return kept === longMs;
    });
    const firstAt = (from: number) => seen.find(({ kept = 0 }) => kept >= from)?.at ?? 0;
    expect(firstAt(2) - firstUsedAt).toBeGreaterThan(longMs - 50);
    expect(firstAt(longMs) - lastUsedAt).toBeGreaterThan(longMs - 50);
  });
});

describe.each([
  ['Redis', inRedis],
  ['PostgreSQL', inPostgres],
] as const)('D10.2 where processes keep rounds for different times, in %s', (_, openPlace) => {
  test('the shortest counts in each of them: in one that starts, and soon in one that runs', async () => {
    const { open } = await openPlace();
    const clock = new LeapingClock();
    const first = open({ retentionMs: 30 * DAY_MS, clock });
    await first.ready();
    const short = open({ retentionMs: 7 * DAY_MS, acceptMixed: true });
    await short.ready();
    const third = open({ retentionMs: 14 * DAY_MS, acceptMixed: true });
    await third.ready();
    expect([short.retentionMs?.(), third.retentionMs?.()]).toEqual([7 * DAY_MS, 7 * DAY_MS]);
    clock.leap(30_000);
    await until('the first to know', () => first.retentionMs?.() === 7 * DAY_MS);
  });

  test('a shorter one counts as long as its process runs, and after it was closed', async () => {
    const { open, fund } = await openPlace();
    const short = open({ retentionMs: 7 * DAY_MS });
    await short.ready();
    await fund(short);
    const long = open({ retentionMs: 30 * DAY_MS, acceptMixed: true });
    await long.ready();
    await short.close();
    const next = open({ retentionMs: 30 * DAY_MS });
    await next.ready();
    expect([long.retentionMs?.(), next.retentionMs?.()]).toEqual([7 * DAY_MS, 7 * DAY_MS]);
  });
});
