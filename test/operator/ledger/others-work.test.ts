import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import type { CallOutcome } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { createLedgerRig, debit, type LedgerRig, round } from './ledger-rig';
import { creditOf, followUp, headIn, loseAnswers, outcomesIn, send, voidOf } from './rounds';

let clock: VirtualClock;
let rig: LedgerRig;

beforeEach(async () => {
  clock = new VirtualClock();
  rig = createLedgerRig({ clock, attempts: 1, breakAfter: 1000 });
  await play(debit);
});

function play(...transactions: Transaction[]): Promise<CallOutcome> {
  return clock.run(send(clock, rig.store, transactions));
}

/** Plays a call with lost answers: its money moves, and its work stays pending. */
async function leave(...transactions: Transaction[]): Promise<void> {
  const method = transactions[0]?.type === 'debit' ? 'debit' : 'credit';
  const heal = loseAnswers(rig.ledger, method);
  expect((await play(...transactions)).unknown).not.toBeNull();
  heal();
  rig.ledger.calls.length = 0;
}

const real = (): bigint => rig.ledger.strict.balance.real;

describe('a call of a round in which another call has a credit pending', () => {
  test('finishes that credit first, and then does its own', async () => {
    rig.ledger.moodOf = ['credit'];
    rig.ledger.mood = 'fails';
    expect((await play(creditOf('c1'))).unknown).not.toBeNull();
    rig.ledger.mood = 'answers';
    rig.ledger.calls.length = 0;
    expect((await play(followUp('d2'))).unknown).toBeNull();
    expect(rig.ledger.asked).toEqual(['credit', 'debit']);
    expect(await outcomesIn(rig.journal)).toEqual(['c1 accepted', 'd1 accepted', 'd2 accepted']);
    expect((await headIn(rig.journal)).pending).toBeNull();
    expect(real()).toBe(1000n - 20n + 7n);
  });

  test('closes the round only after that credit', async () => {
    rig.ledger.moodOf = ['credit'];
    rig.ledger.mood = 'fails';
    expect((await play(creditOf('c1'))).unknown).not.toBeNull();
    rig.ledger.mood = 'answers';
    expect((await play({ type: 'end', hash: 'e1' })).unknown).toBeNull();
    expect(await outcomesIn(rig.journal)).toEqual(['c1 accepted', 'd1 accepted', 'e1 accepted']);
    expect(await headIn(rig.journal)).toMatchObject({ state: 'closed', pending: null });
    expect(real()).toBe(1000n - 10n + 7n);
  });
});

describe('a call of a round in which another call has a debit pending', () => {
  test('neither drives it nor passes over it: its own outcome is unknown', async () => {
    await leave(followUp('d2'));
    expect((await play(creditOf('c1'))).unknown).not.toBeNull();
    expect(rig.ledger.asked).toEqual([]);
    expect(await outcomesIn(rig.journal)).toEqual(['d1 accepted']);
    const { pending } = await headIn(rig.journal);
    expect(pending?.posts.map(({ hash }) => hash)).toEqual(['d2']);
    expect((await play(followUp('d2'))).verdicts).toMatchObject([{ outcome: 'processed' }]);
    expect((await play(creditOf('c1'))).verdicts).toMatchObject([{ outcome: 'processed' }]);
    expect(real()).toBe(1000n - 20n + 7n);
  });

  test('continues as soon as that call is done', async () => {
    const { ledger, store } = rig;
    const post = ledger.debit.bind(ledger);
    const { promise: gate, open } = closedGate();
    ledger.debit = async (posting, signal) => {
      await gate;
      return post(posting, signal);
    };
    const one = send(clock, store, [followUp('d2')]);
    await clock.pass(100);
    const other = send(clock, store, [creditOf('c1')]);
    await clock.pass(200);
    expect(ledger.asked.filter((method) => method === 'credit')).toEqual([]);
    open();
    const outcomes = await clock.run(Promise.all([one, other]));
    expect(outcomes.map(({ unknown }) => unknown)).toEqual([null, null]);
    expect(real()).toBe(1000n - 20n + 7n);
  });
});

describe('a debit that is pending and did not say whether it is the first', () => {
  const unsaid: Transaction = { ...followUp('d2'), isFirstDebit: null };
  const key = { ...round, gameRound: 'r-2' };
  const sendIn = (...transactions: Transaction[]) =>
    send(clock, rig.store, transactions, undefined, key);

  test('stays what it was written down as (D3.2), and falls with a call that names it so that a debit fails (D4.6)', async () => {
    const heal = loseAnswers(rig.ledger, 'debit');
    expect((await clock.run(sendIn(unsaid))).unknown).not.toBeNull();
    heal();
    const call = [{ ...debit, hash: 'd3' }, followUp('d2'), unsaid];
    const codes = ['DEBITFAILEDBEFORE', 'TRANSACTIONALREADYEXISTS', 'DEBITFAILEDBEFORE'];
    for (const replay of [false, true]) {
      const outcome = await clock.run(sendIn(...call));
      expect(codesOf(outcome)).toEqual(codes);
      expect(outcome.verdicts.map((one) => one.replay)).toEqual([replay, false, replay]);
    }
    expect(real()).toBe(1000n - 10n);
  });

  test.each([
    { what: 'the first where the ledger refuses', amount: 5000n, left: 990n },
    { what: 'a follow-up where the ledger accepts', amount: 10n, left: 970n },
  ])(
    'is $what the debit before it, and no call is answered before that is known (D2.3, D3.2)',
    async (one) => {
      const { amount, left } = one;
      const post = rig.ledger.debit.bind(rig.ledger);
      const { promise: gate, open } = closedGate();
      rig.ledger.debit = async (posting, signal) => {
        await gate;
        return post(posting, signal);
      };
      const call = [{ ...debit, hash: 'd3', amount } as Transaction, unsaid];
      const asFirst: Transaction = { ...followUp('d2'), isFirstDebit: true };
      const sent = [sendIn(...call), sendIn(asFirst)];
      await clock.pass(200);
      open();
      const isRefused = amount > 1000n;
      const answers = isRefused
        ? ['BALANCETOOLOW', 'DEBITFAILEDBEFORE']
        : ['processed', 'processed'];
      const known = isRefused ? 'DEBITFAILEDBEFORE' : 'TRANSACTIONALREADYEXISTS';
      const follow = isRefused ? 'TRANSACTIONALREADYEXISTS' : 'processed';
      expect((await clock.run(Promise.all(sent))).map(codesOf)).toEqual([answers, [known]]);
      expect(codesOf(await clock.run(sendIn(asFirst)))).toEqual([known]);
      expect(codesOf(await clock.run(sendIn(followUp('d2'))))).toEqual([follow]);
      expect(codesOf(await clock.run(sendIn(...call)))).toEqual(answers);
      expect(real()).toBe(left);
    },
  );
});

describe('the void of a follow-up debit', () => {
  beforeEach(() => play(followUp('d2')));

  test("leaves another call's pending debit in peace, which then has its effect", async () => {
    await leave(followUp('d3'));
    expect((await play(voidOf('d2'))).verdicts).toMatchObject([{ outcome: 'processed' }]);
    expect(rig.ledger.asked).toContain('reverse');
    const { state, pending } = await headIn(rig.journal);
    expect(state).toBe('open');
    expect(pending).toMatchObject({ posts: [{ hash: 'd3' }], reversals: [] });
    expect((await play(followUp('d3'))).verdicts).toMatchObject([{ outcome: 'processed' }]);
    expect(real()).toBe(1000n - 20n);
    expect(await headIn(rig.journal)).toMatchObject({
      pending: null,
      debits: { real: 20n, bonus: 0n },
    });
  });

  test("leaves another call's pending credit in peace", async () => {
    await leave(creditOf('c1'));
    expect((await play(voidOf('d2'))).verdicts).toMatchObject([{ outcome: 'processed' }]);
    expect((await play(creditOf('c1'))).verdicts).toMatchObject([{ outcome: 'processed' }]);
    expect(real()).toBe(1000n - 10n + 7n);
    expect(rig.ledger.strict.violations).toEqual([]);
  });

  test('gives that debit up where it is pending, with all that came after it in its call', async () => {
    await leave(followUp('d3'), creditOf('c3'));
    expect(real()).toBe(970n);
    expect((await play(voidOf('d3'))).verdicts).toMatchObject([{ outcome: 'processed' }]);
    expect(real()).toBe(980n);
    expect(await headIn(rig.journal)).toMatchObject({
      state: 'open',
      unanswered: 0,
      pending: null,
      debits: { real: 20n, bonus: 0n },
    });
    const late = await play(followUp('d3'), creditOf('c3'));
    expect(late.verdicts.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
    expect(real()).toBe(980n);
  });
});

describe('the void of the first debit', () => {
  test('gives up what another call has pending, and takes it back', async () => {
    await leave(followUp('d3'));
    expect(real()).toBe(980n);
    expect((await play(voidOf('d1'))).verdicts).toMatchObject([{ outcome: 'processed' }]);
    expect(real()).toBe(1000n);
    expect(await headIn(rig.journal)).toMatchObject({ state: 'voided', pending: null });
    expect(await outcomesIn(rig.journal)).toEqual(['d1 accepted', 'd3 unanswered']);
    const late = await play(followUp('d3'));
    expect(late.verdicts).toMatchObject([{ outcome: 'refused', code: 'GAMEROUNDVOIDED' }]);
    expect(real()).toBe(1000n);
  });

  test('takes back a credit that another call has pending, and keeps it from coming later', async () => {
    await leave(creditOf('c1'));
    expect(real()).toBe(997n);
    expect((await play(voidOf('d1'))).verdicts).toMatchObject([{ outcome: 'processed' }]);
    expect(real()).toBe(1000n);
    expect(await headIn(rig.journal)).toMatchObject({ state: 'voided', pending: null });
    const late = await play(creditOf('c1'));
    expect(late.verdicts).toMatchObject([{ outcome: 'refused', code: 'GAMEROUNDVOIDED' }]);
    expect(real()).toBe(1000n);
  });

  test('records what it gives up, so that another content is refused after it as before it (D3.2)', async () => {
    await leave(creditOf('c1'), { type: 'end', hash: 'e1' });
    const other = creditOf('c1', 8n);
    const answer = { outcome: 'refused', code: 'TRANSACTIONALREADYEXISTS' };
    expect((await play(other)).verdicts).toMatchObject([answer]);
    await play(voidOf('d1'));
    expect(await outcomesIn(rig.journal)).toEqual([
      'c1 GAMEROUNDVOIDED',
      'd1 accepted',
      'e1 GAMEROUNDVOIDED',
    ]);
    expect((await play(other)).verdicts).toMatchObject([answer]);
    expect(real()).toBe(1000n);
  });
});

/** Why each was refused, or that it was processed. */
function codesOf({ verdicts }: CallOutcome): string[] {
  return verdicts.map((one) => (one.outcome === 'refused' ? one.code : 'processed'));
}

/** A promise that waits until it is opened. */
function closedGate(): { readonly promise: Promise<void>; readonly open: () => void } {
  const resolvers: (() => void)[] = [];
  const promise = new Promise<void>((resolve) => resolvers.push(resolve));
  return { promise, open: () => resolvers[0]?.() };
}
