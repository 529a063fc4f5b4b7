import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  callStart,
  decideStep,
  type HashEntry,
  type RoundHead,
  roundStates,
  unsignedDelivery,
} from '../../../lib/operator/gameround';
import {
  assumeRunning,
  changeOf,
  followUpOf,
  isOfClass,
} from '../../../lib/operator/gameround/follow-up';
import type { Call, Transaction } from '../../../lib/protocol/operator-api/transaction';
import { expectSame } from '../../support/expect-same';

const gameCode = 'bells';
const hash: fc.Arbitrary<string> = fc.constantFrom('R', 'A', 'B', 'C', 'D', 'E');
const amount = fc.bigInt(0n, 25n);
const currency = mostly('EUR', 'USD');
const serial = fc.constantFrom(null, 'gift');

const transaction: fc.Arbitrary<Transaction> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('debit' as const),
      hash,
      amount,
      currency,
      serial,
      discount: mostly(0n, 1n),
      isFirstDebit: fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(false, null) },
        fc.constant(true),
      ),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({ type: fc.constant('credit' as const), hash, amount, currency, serial }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('end' as const), hash }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('void' as const),
      hash,
      amount: fc.constant(null),
      currency: fc.constant(null),
    }),
  },
);

const purse = fc.record({ real: fc.bigInt(-50n, 500n), bonus: fc.bigInt(-50n, 500n) });
const state = fc.constantFrom(...roundStates);

/** Mostly running rounds; each member may be that of another round. */
const head: fc.Arbitrary<RoundHead> = fc
  .record({
    version: fc.integer({ min: 1, max: 1000 }),
    state: fc.oneof({ weight: 19, arbitrary: fc.constant('open' as const) }, state),
    resume: state,
    changedAt: fc.integer({ min: 1, max: 1_000_000 }),
    currency: fc.oneof({ weight: 9, arbitrary: fc.constant('EUR') }, fc.constantFrom('USD', null)),
    gameCode: fc.oneof({ weight: 19, arbitrary: fc.constant(gameCode) }, fc.constant('reels')),
    started: mostly(true, false),
    credited: fc.nat(3),
    ended: fc.nat(3),
    declined: mostly(null, 'Z'),
    unanswered: mostly(0, 1),
    debits: purse,
    credits: purse,
    pending: mostly(null, { since: 1, posts: [], reversals: ['Z'] }),
    repairs: mostly(undefined, { list: [], closed: null }),
  })
  .map(({ repairs, ...rest }) => (repairs === undefined ? rest : { ...rest, repairs }));

const known: fc.Arbitrary<HashEntry> = fc.constantFrom<HashEntry>(
  { transaction: { type: 'end', outcome: 'accepted', at: 1, fingerprints: [] } },
  { void: { type: 'void', purse: { real: 0n, bonus: 0n }, at: 1, fingerprints: [] } },
);
const entries = fc.oneof(
  { weight: 5, arbitrary: fc.constant([]) },
  fc.array(fc.tuple(hash, known), { maxLength: 2 }),
);

const policy = fc.record({
  useBonusFirst: fc.boolean(),
  creditTo: fc.oneof(
    { weight: 9, arbitrary: fc.constant('real' as const) },
    fc.constant('stakeShares' as const),
  ),
});

const given = fc.record({
  head,
  entries,
  policy,
  transactions: fc.array(transaction, { minLength: 1, maxLength: 3 }),
  fingerprint: fc.constantFrom(null, 'sixteen-letters-'),
  eligibleDiscounts: fc.constantFrom(new Set<string>(), new Set(['A', 'B', 'C', 'D', 'E'])),
});

function mostly<A, B>(usual: A, other: B): fc.Arbitrary<A | B> {
  return fc.oneof({ weight: 29, arbitrary: fc.constant(usual) }, fc.constant(other));
}

test('for each head of the class with no known hash, the rules decide on it what the follow-up says', () => {
  let followed = 0;
  let others = 0;
  fc.assert(
    fc.property(given, (one) => {
      const call: Call = {
        playerId: 'ann',
        gameRound: 'R',
        gameCode,
        transactions: one.transactions,
      };
      const decideOn = (view: Parameters<typeof decideStep>[2]) =>
        decideStep(call.transactions, callStart, view, {
          gameRound: call.gameRound,
          gameCode,
          now: 2_000_000,
          delivery: { ...unsignedDelivery('n1'), fingerprint: one.fingerprint },
          refusals: new Map(),
          eligibleDiscounts: one.eligibleDiscounts,
          policy: one.policy,
        });
      const assumed = assumeRunning(call, one.policy);
      if (assumed === null) return;
      const step = decideOn(assumed);
      const followUp = followUpOf(step, call);
      if (followUp === null) return;
      const view = { head: one.head, entries: new Map<string, HashEntry>(one.entries) };
      const change = changeOf(followUp, view);
      if (change === null) {
        others++;
        const isKnown = followUp.hashes.some((each) => view.entries.has(each));
        expect(isKnown || !isOfClass(view.head, followUp)).toBe(true);
        return;
      }
      followed++;
      const real = decideOn(view);
      expectSame(real.verdicts, step.verdicts);
      expectSame(real.next, step.next);
      expectSame(real.notes, step.notes);
      expectSame(real.change, change);
      expectSame([real.head.state, real.head.currency], [step.head.state, step.head.currency]);
      expectSame({ ...real.head, version: change.after.version }, change.after);
      expect(change.after.version).toBe(view.head.version + 1);
    }),
    { numRuns: 20_000 },
  );
  expect(followed).toBeGreaterThan(5000);
  expect(others).toBeGreaterThan(1000);
});
