import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { LedgerCaller } from '../../../lib/operator/ledger/caller';
import { checkLedgerOptions } from '../../../lib/operator/ledger/options';
import { createMemoryStore } from '../../../lib/operator/stores/memory';
import type { CallOutcome } from '../../../lib/operator/wallet';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import { createLedgerRig, debit, type LedgerRig, MoodyLedger, round } from './ledger-rig';
import { creditOf, followUp, headIn, loseAnswers, send, voidOf } from './rounds';

const posting = { ...round, key: 'k'.repeat(43), hash: 'd1', gameCode: 'bells', currency: 'EUR' };
const other = { ...round, gameRound: 'other' };

let clock: VirtualClock;

beforeEach(() => {
  clock = new VirtualClock();
});

const refused = async () => ({ kind: 'refused', reason: 'tooLow' }) as const;

describe('a ledger that refuses is not a ledger that fails', () => {
  const until = new AbortController().signal;
  let ledger: MoodyLedger;
  let caller: LedgerCaller;

  beforeEach(() => {
    ledger = new MoodyLedger(undefined, clock);
    const journal = createMemoryStore();
    caller = new LedgerCaller(checkLedgerOptions({ ledger, journal, clock, breakAfter: 2 }));
  });

  test('however many debits and credits it refuses, it is asked on, and each of them once', async () => {
    let calls = 0;
    ledger.debit = ledger.credit = () => {
      calls++;
      return refused();
    };
    for (let times = 0; times < 5; times++) {
      const purse = { real: 1n, bonus: 0n };
      await clock.run(caller.debit({ ...posting, amount: 1n, bonusFirst: false }, until));
      await clock.run(caller.credit({ ...posting, purse }, until));
    }
    expect(calls).toBe(10);
    expect(caller.isBroken).toBe(false);
  });

  test('however many reversals it refuses, it is asked on', async () => {
    ledger.reverse = async () => ({ kind: 'refused', reason: 'refused' });
    for (let times = 0; times < 5; times++) {
      await expect(clock.run(caller.reverse(posting, until))).rejects.toMatchObject({
        name: 'LedgerSilentError',
        isBroken: false,
      });
    }
    expect(caller.isBroken).toBe(false);
  });

  test('a refusal between failures begins the count anew', async () => {
    ledger.mood = 'fails';
    const once = new LedgerCaller(
      checkLedgerOptions({
        ledger,
        clock,
        journal: createMemoryStore(),
        breakAfter: 2,
        attempts: 1,
      }),
    );
    const ask = () => {
      const asked = once.debit({ ...posting, amount: 5000n, bonusFirst: false }, until);
      return clock.run(asked.catch(() => null));
    };
    await ask();
    ledger.mood = 'answers';
    expect(await ask()).toEqual({ kind: 'refused', reason: 'tooLow' });
    ledger.mood = 'fails';
    await ask();
    expect(once.isBroken).toBe(false);
  });
});

describe('over a ledger', () => {
  let rig: LedgerRig;

  beforeEach(() => {
    rig = createLedgerRig({ clock, attempts: 1, breakAfter: 3 });
  });

  const play = (...transactions: Transaction[]): Promise<CallOutcome> =>
    clock.run(send(clock, rig.store, transactions));

  test('a round with a refused reversal stays pending, and all others continue', async () => {
    const { ledger, store, journal } = rig;
    await play(debit);
    ledger.reverse = async () => ({ kind: 'refused', reason: 'refused' });
    expect((await play(voidOf('d1'))).unknown).not.toBeNull();
    for (let times = 0; times < 10; times++) {
      const settled = store.settle(round, { graceMs: 0, giveUpAfterMs: 0 });
      expect(await clock.run(settled)).toMatchObject({ kind: 'unknown' });
    }
    expect((await headIn(journal)).pending?.reversals).toEqual(['d1']);
    const next = await clock.run(send(clock, store, [debit], undefined, other));
    expect(next.verdicts).toMatchObject([{ outcome: 'processed' }]);
  });

  test('a debit that the ledger refused is definite: it is not asked for again, nor to be taken back', async () => {
    await play(debit);
    const reversed: string[] = [];
    rig.ledger.reverse = async (asked) => {
      reversed.push(asked.hash);
      return rig.ledger.strict.reverse(asked);
    };
    rig.ledger.strict.refusals.set('d2', 'refused');
    rig.ledger.calls.length = 0;
    const { verdicts } = await play(followUp('d2'), creditOf('c1'));
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(['refused', 'refused']);
    expect(rig.ledger.asked.filter((method) => method !== 'balances')).toEqual(['debit']);
    expect(reversed).not.toContain('d2');
    expect((await headIn(rig.journal)).pending).toBeNull();
  });

  test('a debit that the ledger refuses after it posted another leaves the call to its voids (D4.6, D7)', async () => {
    rig.ledger.strict.refusals.set('d2', 'tooLow');
    const call = [debit, creditOf('c1'), followUp('d2'), creditOf('c2')];
    for (const times of [1, 2]) {
      const outcome = await play(...call);
      expect({ times, verdicts: outcome.verdicts }).toEqual({ times, verdicts: [] });
      expect(outcome.unknown).not.toBeNull();
    }
    expect((await headIn(rig.journal)).pending?.posts).toHaveLength(4);
    await play(voidOf('d2'));
    expect((await play(voidOf('d1'))).verdicts).toMatchObject([{ outcome: 'processed' }]);
    expect(await headIn(rig.journal)).toMatchObject({ state: 'voided', pending: null });
    expect(rig.ledger.strict.balance.real).toBe(1000n);
  });

  test('a debit that the round refuses lets its call fall before anything is posted (D4.6)', async () => {
    const dollars: Transaction = { ...followUp('d2'), currency: 'USD' };
    const { verdicts } = await play(debit, creditOf('c1'), dollars);
    expect(verdicts).toMatchObject([
      { code: 'DEBITFAILEDBEFORE' },
      { code: 'DEBITFAILEDBEFORE' },
      { code: 'CURRENCYNOTSUPPORTED' },
    ]);
    expect(rig.ledger.asked.filter((method) => method !== 'balances')).toEqual([]);
    expect(await headIn(rig.journal)).toMatchObject({ state: 'closed', pending: null });
  });

  test('balances without an answer are unknown, and neither empty nor of an unknown player', async () => {
    rig.ledger.moodOf = ['balances'];
    rig.ledger.mood = 'fails';
    expect(await clock.run(rig.store.rounds.accounts(round))).toMatchObject({ kind: 'unknown' });
    rig.ledger.mood = 'answers';
    const stranger = { ...round, playerId: 'stranger' };
    expect(await clock.run(rig.store.rounds.accounts(stranger))).toEqual({
      kind: 'known',
      accounts: null,
    });
    expect(await clock.run(rig.store.rounds.accounts(round))).toEqual({
      kind: 'known',
      accounts: [{ currency: 'EUR', real: 1000n, bonus: 0n }],
    });
  });

  test('a processed call without balances is unknown, and a replay later (D6.2)', async () => {
    const { ledger } = rig;
    const post = ledger.strict.debit.bind(ledger.strict);
    ledger.strict.debit = async (asked) => {
      const answer = await post(asked);
      return answer.kind === 'done' ? { kind: 'done', paid: { real: 10n, bonus: 0n } } : answer;
    };
    ledger.moodOf = ['balances'];
    ledger.mood = 'fails';
    expect(await play(debit)).toMatchObject({ verdicts: [], accounts: null });
    ledger.mood = 'answers';
    await clock.pass(10_000);
    const again = await play(debit);
    expect(again.verdicts).toEqual([{ hash: 'd1', outcome: 'processed', replay: true }]);
    expect(again.accounts).toMatchObject([{ real: 990n }]);
  });

  test('a commit returns the accounts of its last posting', async () => {
    const { accounts } = await play(debit, creditOf('c1'), creditOf('c2', 2n));
    expect(accounts).toEqual([{ currency: 'EUR', real: 999n, bonus: 0n }]);
    expect(rig.ledger.asked).not.toContain('balances');
  });

  test('a pending debit is known by its hash: another content is refused, and its void finds it', async () => {
    const heal = loseAnswers(rig.ledger, 'debit');
    expect((await play(debit)).unknown).not.toBeNull();
    heal();
    await clock.pass(10_000);
    const larger = { ...debit, amount: 11n } as Transaction;
    expect((await play(larger)).verdicts).toMatchObject([{ code: 'TRANSACTIONALREADYEXISTS' }]);
    const report = await clock.run(rig.store.rounds.readRound(round));
    expect(report?.entries.get('d1')?.transaction).toMatchObject({ outcome: 'pending' });
    await play(voidOf('d1'));
    expect(rig.ledger.strict.balance.real).toBe(1000n);
  });
});
