import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { addPurses, subtractPurses } from '../../../lib/protocol/money/purse';
import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { type Delivery, unsignedDelivery } from '../../../lib/operator/gameround';
import { PureWallet, sumOf } from './pure-wallet';
import { expectSame } from '../../support/expect-same';
import { runs } from '../../support/runs';

const start = { real: 30n, bonus: 15n };
const takenBack: ReadonlySet<string> = new Set(['GAMEROUNDVOIDED', 'DEBITFAILEDBEFORE']);

const hash = fc.constantFrom('R', 'A', 'B', 'C', 'D', 'E');
const amount = fc.bigInt(0n, 25n);
const currency = fc.oneof({ weight: 9, arbitrary: fc.constant('EUR') }, fc.constant('USD'));
const serial = fc.constant(null);

const transaction: fc.Arbitrary<Transaction> = fc.oneof(
  fc.record({
    type: fc.constant('debit' as const),
    hash,
    amount,
    currency,
    serial,
    discount: fc.oneof({ weight: 9, arbitrary: fc.constant(0n) }, fc.constant(1n)),
    isFirstDebit: fc.constantFrom(true, false, null),
  }),
  fc.record({ type: fc.constant('credit' as const), hash, amount, currency, serial }),
  fc.record({ type: fc.constant('end' as const), hash }),
  fc.record({
    type: fc.constant('void' as const),
    hash,
    amount: fc.constant(null),
    currency: fc.constant(null),
  }),
);

/** A call of the RGS, or the mark of one that was answered 5xx. */
const event = fc.record({
  isCancel: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.constant(true)),
  transactions: fc.array(transaction, { minLength: 1, maxLength: 5 }),
});

const policy = fc.record({
  useBonusFirst: fc.boolean(),
  creditTo: fc.constantFrom('real' as const, 'stakeShares' as const),
});

const history = fc.array(event, { minLength: 1, maxLength: 8 });

type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

/** Plays an event, as a delivery of its own: again, it is the same one. */
function play(wallet: PureWallet, item: Event) {
  const { isCancel, transactions } = item;
  if (!isCancel) return wallet.call(transactions, deliveryOf(item));
  const known = transactions.flatMap((one) => wallet.entries.get(one.hash)?.transaction ?? []);
  const writer = known.find(({ type }) => type === 'debit');
  return wallet.cancel(transactions, writer?.type === 'debit' ? writer.delivery : 'new');
}

const deliveries = new WeakMap<Event, Delivery>();
let made = 0;

function deliveryOf(item: Event): Delivery {
  const known = deliveries.get(item) ?? unsignedDelivery(`n${++made}`);
  deliveries.set(item, known);
  return known;
}

/** Holds a property against every event of random histories of one round. */
function holds(check: (wallet: PureWallet, event: Event) => void): void {
  fc.assert(
    fc.property(policy, history, (chosen, events) => {
      const wallet = new PureWallet(start, chosen);
      for (const item of events) check(wallet, item);
    }),
    { numRuns: runs(1500) },
  );
}

test('O1: the balance is the start, less the effective debits, plus the effective credits', () => {
  holds((wallet, item) => {
    play(wallet, item);
    const moved = subtractPurses(sumOf(wallet, 'credit'), sumOf(wallet, 'debit'));
    expectSame(wallet.balance, addPurses(start, moved));
  });
});

test('the sums in the head are those of the effective records', () => {
  holds((wallet, item) => {
    play(wallet, item);
    expectSame(wallet.head.debits, sumOf(wallet, 'debit'));
    expectSame(wallet.head.credits, sumOf(wallet, 'credit'));
  });
});

test('O8: a call decided again on its result gives the same verdicts and changes nothing', () => {
  holds((wallet, item) => {
    const first = play(wallet, item);
    const { head, balance } = wallet;
    const again = play(wallet, item);
    // What the call itself has voided is answered as voided from then on (D3.1).
    const isVoiding =
      head.state === 'voided' || item.transactions.some(({ type }) => type === 'void');
    // A debit that stood before a later one failed, and that the call has voided, stands no longer, or has failed (D4.6).
    const isUnknown = [first, again].some((one) => one.verdicts.at(-1)?.outcome === 'unknown');
    if (isVoiding && isUnknown) return;
    // Where a debit of such a call is known to fail, the answer stays 5xx, and may list less than before (D6.1).
    const answered = isUnknown ? [] : again.verdicts;
    for (const [at, verdict] of answered.entries()) {
      const isTakenBack = verdict.outcome === 'refused' && takenBack.has(verdict.code);
      if (isVoiding && isTakenBack) continue;
      expectSame({ ...verdict, replay: null }, { ...first.verdicts[at], replay: null });
    }
    if (!isUnknown) expect(again.verdicts).toHaveLength(first.verdicts.length);
    expectSame(again.changes, []);
    expect(wallet.head).toBe(head);
    expect(wallet.balance).toBe(balance);
  });
});

test('a voided round stays voided, moves nothing more and has no sums', () => {
  holds((wallet, item) => {
    const { state } = wallet.head;
    const { balance } = wallet;
    play(wallet, item);
    if (state !== 'voided') return;
    expectSame(wallet.head.state, 'voided');
    expect(wallet.balance).toBe(balance);
  });
});

test('O4: the balance of a voided round is what it was before the round', () => {
  holds((wallet, item) => {
    play(wallet, item);
    if (wallet.head.state === 'voided') expectSame(wallet.balance, start);
  });
});

test('every change counts the version up by one, from the version it was decided on', () => {
  holds((wallet, item) => {
    const { version } = wallet.head;
    const { changes } = play(wallet, item);
    expectSame(
      changes.map(({ before }) => before.version),
      changes.map((_, at) => version + at),
    );
    for (const { before, after } of changes) expectSame(after.version, before.version + 1);
    expectSame(wallet.head.version, version + changes.length);
  });
});

test('a round is cancelled exactly while a debit that was answered 5xx waits for its void', () => {
  holds((wallet, item) => {
    play(wallet, item);
    const { state, unanswered } = wallet.head;
    if (state !== 'voided') expectSame(state === 'cancelled', unanswered > 0);
  });
});

test('O2: a recorded outcome never becomes another, but for what is marked as unanswered or taken back by a void', () => {
  holds((wallet, item) => {
    const before = new Map(wallet.entries);
    play(wallet, item);
    for (const [known, entry] of before) {
      const outcome = wallet.entries.get(known)?.transaction?.outcome;
      if (item.isCancel && outcome === 'unanswered') continue;
      const isVoiding = item.transactions.some(({ type }) => type === 'void');
      if (isVoiding && outcome === 'DEBITFAILEDBEFORE') continue;
      expectSame(outcome ?? null, entry.transaction?.outcome ?? outcome ?? null);
      if (entry.void !== undefined) expectSame(wallet.entries.get(known)?.void, entry.void);
    }
  });
});

test('D4.6: the new debits of a call stand or fall together, or the call has no outcome', () => {
  holds((wallet, item) => {
    const { verdicts } = play(wallet, item);
    if (item.isCancel || verdicts.at(-1)?.outcome === 'unknown') return;
    const debits = verdicts.filter((_, at) => item.transactions[at]?.type === 'debit');
    const fails = debits.some(({ outcome }) => outcome === 'refused');
    const stands = debits.some((one) => one.outcome === 'processed' && !one.replay);
    expectSame(fails && stands, false);
  });
});

test('a refused movement never leaves a balance below zero but by a void', () => {
  holds((wallet, item) => {
    const before = wallet.balance;
    play(wallet, item);
    const hasVoid = item.transactions.some(({ type }) => type === 'void');
    if (hasVoid || before.real < 0n || before.bonus < 0n) return;
    expectSame(wallet.balance.real >= 0n && wallet.balance.bonus >= 0n, true);
  });
});
