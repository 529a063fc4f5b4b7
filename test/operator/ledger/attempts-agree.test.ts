import { beforeEach, describe, expect, test } from '@jest/globals';
import type { MoneyPolicy } from '../../../lib/operator/gameround';
import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import type { CallOutcome } from '../../../lib/operator/wallet';
import { StrictLedger } from './strict-ledger';
import { VirtualClock } from '../../../lib/platform/virtual-clock';
import {
  createLedgerRig,
  debit,
  type LedgerRig,
  MoodyLedger,
  operatorId,
  playerId,
  round,
} from './ledger-rig';
import { creditOf, headIn, loseAnswers, send } from './rounds';

const bonusFirst: MoneyPolicy = { useBonusFirst: true, creditTo: 'real' };
const realFirst: MoneyPolicy = { useBonusFirst: false, creditTo: 'real' };
const byShares: MoneyPolicy = { useBonusFirst: true, creditTo: 'stakeShares' };

let clock: VirtualClock;
let rig: LedgerRig;

beforeEach(() => {
  clock = new VirtualClock();
  const strict = new StrictLedger({ real: 100n, bonus: 4n }, playerId);
  rig = createLedgerRig({
    clock,
    ledger: new MoodyLedger(strict, clock),
    attempts: 1,
    breakAfter: 1000,
  });
});

function play(policy: MoneyPolicy, ...transactions: Transaction[]): Promise<CallOutcome> {
  return clock.run(send(clock, rig.store, transactions, policy));
}

describe('all attempts at a posting say what was written down at the first of them', () => {
  test.each([
    [bonusFirst, realFirst, { real: 6n, bonus: 4n }],
    [realFirst, bonusFirst, { real: 10n, bonus: 0n }],
  ] as const)('a debit under %j that is sent again under %j', async (one, other, debits) => {
    const heal = loseAnswers(rig.ledger, 'debit');
    expect((await play(one, debit)).unknown).not.toBeNull();
    heal();
    expect((await play(other, debit)).verdicts).toMatchObject([{ outcome: 'processed' }]);
    expect(rig.ledger.strict.violations).toEqual([]);
    expect(await headIn(rig.journal)).toMatchObject({ pending: null, debits });
  });

  test.each([
    [byShares, bonusFirst, { real: 6n, bonus: 4n }],
    [bonusFirst, byShares, { real: 10n, bonus: 0n }],
  ] as const)('a credit under %j that is sent again under %j', async (one, other, credits) => {
    expect((await play(bonusFirst, debit)).unknown).toBeNull();
    const heal = loseAnswers(rig.ledger, 'credit');
    expect((await play(one, creditOf('c1', 10n))).unknown).not.toBeNull();
    heal();
    const { verdicts } = await play(other, creditOf('c1', 10n));
    expect(verdicts).toMatchObject([{ outcome: 'processed' }]);
    expect(rig.ledger.strict.violations).toEqual([]);
    expect(await headIn(rig.journal)).toMatchObject({ pending: null, credits });
    const report = await rig.journal.rounds.readRound(round);
    expect(report?.entries.get('c1')?.transaction).toMatchObject({ purse: credits });
    expect(rig.ledger.strict.balance).toEqual({
      real: 94n + credits.real,
      bonus: credits.bonus,
    });
  });

  test('a credit by shares that the sweeper continues', async () => {
    expect((await play(byShares, debit)).unknown).toBeNull();
    const heal = loseAnswers(rig.ledger, 'credit');
    expect((await play(byShares, creditOf('c1', 10n))).unknown).not.toBeNull();
    heal();
    const settled = rig.store.settle(round, { graceMs: 0, giveUpAfterMs: 0 });
    expect(await clock.run(settled)).toEqual({ kind: 'settled', state: 'open' });
    expect(rig.ledger.strict.violations).toEqual([]);
    expect(rig.ledger.strict.balance).toEqual({ real: 100n, bonus: 4n });
  });
});

test('postings of two rounds, players or operators never share a key, whatever the names', async () => {
  const keys: string[] = [];
  const post = rig.ledger.debit.bind(rig.ledger);
  rig.ledger.debit = (posting, signal) => {
    keys.push(posting.key);
    return post(posting, signal);
  };
  const names = [
    round,
    { ...round, gameRound: 'd2' },
    { ...round, playerId: 'player-2' },
    { ...round, operatorId: 'other' },
    { ...round, operatorId: `${operatorId}${playerId.slice(0, -1)}`, playerId: playerId.slice(-1) },
    { ...round, operatorId: 'a', playerId: `cme${playerId}` },
    { ...round, playerId: `${playerId}d`, gameRound: '1' },
    { ...round, playerId: `${playerId}","d1`, gameRound: 'd1' },
  ];
  for (const name of names) await clock.run(send(clock, rig.store, [debit], bonusFirst, name));
  expect(keys).toHaveLength(names.length);
  expect(new Set(keys).size).toBe(names.length);
  for (const key of keys) expect(key).toMatch(/^[\w-]{43}$/);
});
