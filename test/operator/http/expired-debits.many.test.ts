import { expect, test } from '@jest/globals';
import {
  asyncProperty,
  assert,
  boolean,
  constant,
  constantFrom,
  integer,
  oneof,
  record,
} from 'fast-check';
import { createOperatorHandler } from '../../../lib/operator/http/handler';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { Clock } from '../../../lib/platform';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { createRequestSigner } from '../../../lib/proof';
import { runs } from '../../support/runs';
import { DAY_MS, lineOf } from './expired-rig';
import { callInProcess } from './in-process-call';
import { bodyOf, credit, debit, end, operatorId, playerId, secret, voidOfDebit } from './rig';

const edges = [-1, -0.5, 0, 0.5, 1].map((part) => constant(part));
const nearEdge = oneof(
  ...edges,
  integer({ min: -1000, max: 1000 }).map((one) => one / 1000),
);
const skew = oneof(
  constant(-0.5),
  constant(0.5),
  nearEdge.map((one) => one / 2),
);

/** Times as parts of the tolerance, so that each bound is played exactly. */
const history = record({
  toleranceMs: constantFrom(1000, 60_000, 300_000),
  /** Beyond twice the tolerance: D10 asks for a retention that is longer. */
  longerMs: oneof(constant(1), integer({ min: 1, max: 90 * DAY_MS })),
  skews: record({ rgs: skew, wallet: skew, rgsLater: skew, walletLater: skew }),
  openMs: oneof(
    constant(0),
    integer({ min: 0, max: 60_000 }),
    integer({ min: 0, max: 90 * DAY_MS }),
  ),
  /** When it is sent again: about the end of the retention after its debit or after its close, or at any time. */
  again: record({
    from: constantFrom('debit', 'close'),
    near: nearEdge,
    byMs: constantFrom(-1, 0, 1),
  }),
  anyTimeMs: oneof(constant(null), integer({ min: 0, max: 200 * DAY_MS })),
  closesBy: constantFrom('its call', 'end', 'void', 'nothing'),
  wins: boolean(),
  zone: constantFrom(0, 14, -11),
});

type History = typeof history extends { generate(...args: never): { readonly value: infer T } }
  ? T
  : never;

/** A wallet at true time whose processes, and whose RGS, have clocks that are wrong. */
async function play(one: History): Promise<void> {
  const { toleranceMs, skews } = one;
  const retentionMs = 2 * toleranceMs + one.longerMs;
  const clock = new VirtualClock(Date.UTC(2026, 0, 31, 12));
  const store = createMemoryStore({ retentionMs, clock });
  const player = { operatorId, playerId };
  await store.players.openPlayer({ ...player, currency: 'EUR', balances: { real: '100' } });
  const off = (part: number) => Math.trunc(part * toleranceMs);
  const sideOf = (wallet: number, rgs: number) => {
    const operators = [{ operatorId, secrets: [secret] }];
    const own: Clock = {
      now: () => clock.now() + off(wallet),
      monotonicMs: () => clock.monotonicMs(),
      after: (ms, work) => clock.after(ms, work),
      pause: (ms, signal) => clock.pause(ms, signal),
    };
    const { handle } = createOperatorHandler({
      store,
      operators,
      clock: own,
      clockToleranceMs: toleranceMs,
      rememberedSignatures: 1000,
    });
    const rgsNow = () => clock.now() + off(rgs);
    const signer = createRequestSigner({ operatorId, secret, now: rgsNow });
    return {
      rgsNow,
      call: async (transactions: readonly object[], more: object = {}) =>
        lineOf(await callInProcess(handle, signer.doTransactions(bodyOf(transactions, more)))),
    };
  };
  const stateOf = async () =>
    (await store.rounds.readRound({ ...player, gameRound: 'round-1' }))?.head.state ?? null;
  const money = async () => {
    const read = await store.rounds.accounts(player);
    return read.kind === 'unknown' ? null : read.accounts;
  };
  const first = sideOf(skews.wallet, skews.rgs);
  const timestamp = inZone(first.rgsNow(), one.zone);
  const sentAt = clock.now();
  const closing = one.closesBy === 'its call' ? [end] : [];
  const played = [debit(10, { timestamp }), ...(one.wins ? [credit(20)] : []), ...closing];
  expect(await first.call(played)).toMatch(/^200:/);
  clock.setWallClock(one.openMs);
  if (one.closesBy === 'end') expect(await first.call([end])).toMatch(/^200:/);
  if (one.closesBy === 'void') expect(await first.call([voidOfDebit])).toMatch(/^200:/);
  const closedAt = one.closesBy === 'its call' ? sentAt : clock.now();
  const about = (one.again.from === 'debit' ? sentAt : closedAt) + retentionMs;
  const at = about + off(one.again.near) + one.again.byMs;
  const waitMs = one.anyTimeMs ?? Math.max(0, at - clock.now());
  clock.setWallClock(Math.max(1, waitMs));

  const before = await money();
  const state = await stateOf();
  const later = sideOf(skews.walletLater, skews.rgsLater);
  const answer = await later.call(played);
  expect(await money()).toEqual(before);
  if (state === null) expect(answer).toMatch(/^400 9010: round-1 9010/);
  else expect(answer).toMatch(state === 'voided' ? /^400 9003:/ : /^200:/);
  expect(await stateOf()).toBe(state);

  const gameRound = 'new';
  const fresh = debit(1, { hash: 'new', timestamp: inZone(later.rgsNow(), one.zone) });
  expect(await later.call([fresh], { gameRound })).toBe('200: new');
}

/** A time as a zone has it that is so many hours ahead of UTC. */
function inZone(at: number, hours: number): string {
  const zone = hours === 0 ? 'Z' : `${hours < 0 ? '-' : '+'}${Math.abs(hours)}:00`;
  return new Date(at + hours * 3_600_000).toISOString().replace('Z', zone);
}

test('whatever the retention, and clocks apart by at most the tolerance: a call sent again is refused or answered by its record, never charged twice, and a new one is taken (D10.2)', async () => {
  await assert(asyncProperty(history, play), { numRuns: runs(20_000, 300) });
});

test('so it is at the very millisecond at which the store forgets, with clocks apart by exactly the tolerance', async () => {
  await play({
    toleranceMs: 1000,
    longerMs: 1,
    openMs: 0,
    anyTimeMs: null,
    skews: { rgs: 0.5, wallet: -0.5, rgsLater: -0.5, walletLater: -0.5 },
    again: { from: 'close', near: 0, byMs: 0 },
    closesBy: 'its call',
    wins: false,
    zone: 0,
  });
});
