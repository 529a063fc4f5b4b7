import assert from 'node:assert/strict';
import type { MoneyPolicy, RoundState } from '../../../operator/gameround';
import type { Credit, Debit, Transaction } from '../../../protocol/operator-api/transaction';
import type { RoundKey } from '../../../operator/wallet';
import { anotherRound, orderOf, playerWith, purseOf, snapshotOf } from '../case';
import { real } from '../changes';
import type { ContractWallet } from '../../subject/players';
import type { Case } from '../suite';
import {
  playVoidedCall,
  sendCall,
  type VoidedCall,
  voidOf,
  voidOrders,
  withWorkBetween,
} from '../../subject/voided-call';

/** A call whose debits are all voided, and the expected result for a player who began with 100. */
interface VoidedCase extends VoidedCall {
  readonly what: string;
  readonly has: bigint;
  readonly state: RoundState;
}

const plain: MoneyPolicy = Object.freeze({ useBonusFirst: false, creditTo: 'real' });
const first = debit('d', 10n, { isFirstDebit: true });
const rest = { earlier: [[first]], has: 90n, state: 'open' } as const;
const whole = { earlier: [], has: 100n, state: 'voided' } as const;

const cases: readonly VoidedCase[] = [
  { what: 'a first debit', ...whole, call: [first] },
  { what: 'a first debit, a credit and an end', ...whole, call: [first, credit('c'), end('x')] },
  {
    what: 'all of a round in one call',
    ...whole,
    call: [first, credit('c'), debit('e', 20n), credit('f'), end('x')],
  },
  {
    what: 'a first debit that is declined',
    ...whole,
    call: [debit('d', 101n, { isFirstDebit: true }), credit('c')],
  },
  {
    what: 'a first debit, and one that is declined',
    ...whole,
    call: [first, credit('c'), debit('e', 9000n), credit('f')],
  },
  { what: 'a follow-up debit', ...rest, call: [debit('e', 20n)] },
  { what: 'a follow-up debit and a credit', ...rest, call: [debit('e', 20n), credit('c')] },
  { what: 'a follow-up debit and an end', ...rest, call: [debit('e', 20n), end('x')] },
  {
    what: 'a follow-up debit, two credits and an end',
    ...rest,
    call: [debit('e', 20n), credit('c'), credit('f', 3n), end('x')],
  },
  {
    what: 'two follow-up debits, each with a credit, and an end',
    ...rest,
    call: [debit('e', 20n), credit('c'), debit('f', 30n), credit('g', 7n), end('x')],
  },
  {
    what: 'a credit of an earlier play, a follow-up debit and a credit',
    ...rest,
    has: 95n,
    call: [credit('a', 5n), debit('e', 20n), credit('c')],
  },
  {
    what: 'a follow-up debit that is declined, and a credit',
    ...rest,
    call: [debit('e', 9000n), credit('c')],
  },
  {
    what: 'a follow-up debit that is declined, another one and a credit (D4.5)',
    ...rest,
    call: [debit('e', 9000n), debit('f', 20n), credit('c')],
  },
  {
    what: 'a follow-up debit, one that is declined, and credits',
    ...rest,
    call: [debit('e', 20n), credit('c'), debit('f', 9000n), credit('g')],
  },
  {
    what: 'a follow-up debit and a credit that strands the round (D4.7)',
    ...rest,
    call: [debit('e', 20n), { ...credit('c'), currency: 'XTS' }],
  },
  {
    what: 'a follow-up debit, a credit, and one that crashes the round (D4.7)',
    ...rest,
    call: [debit('e', 20n), credit('c'), { ...credit('f'), currency: 'XTS' }],
  },
  {
    what: 'a discounted debit and a credit',
    ...rest,
    call: [debit('e', 20n, { discount: 5n }), credit('c')],
  },
  {
    what: 'a discount that is not eligible, another debit and a credit',
    ...rest,
    call: [debit('e', 20n, { discount: 9n }), debit('f', 20n), credit('c')],
  },
  {
    what: 'a first debit with a discount that is not eligible',
    ...whole,
    call: [debit('d', 20n, { isFirstDebit: true, discount: 9n }), credit('c')],
  },
  {
    what: 'a free play and a credit',
    ...rest,
    call: [debit('e', 0n, { serial: 'package' }), credit('c')],
  },
  {
    what: 'a debit that was processed before, with a credit that is new',
    ...rest,
    earlier: [[first], [debit('e', 20n)]],
    call: [debit('e', 20n), credit('c'), end('x')],
  },
  {
    what: 'a follow-up debit after one that was declined',
    ...rest,
    earlier: [[first], [debit('e', 9000n)]],
    call: [debit('f', 20n), credit('c')],
  },
  {
    what: 'a follow-up debit of a round that is closed',
    ...rest,
    state: 'closed',
    earlier: [[first], [end('x')]],
    call: [debit('e', 20n), credit('c'), end('y')],
  },
];

/** Voiding all debits of a call has the same result before the call and after it (D5.3). */
export function voidOrderRules(it: Case<ContractWallet>): void {
  for (const { what, has, state, ...voided } of cases) {
    it(`${what}: voids before it and after it have the same result`, async (wallet) => {
      const { players } = wallet;
      for (const order of voidOrders) {
        const round = await playerWith(players, 100n);
        const left = await playVoidedCall(wallet, round, voided, order, plain);
        const accounts = [{ currency: 'EUR', real: has, bonus: null }];
        const expected = [state, accounts];
        assert.deepEqual([left.state, left.accounts], expected, `voided ${order.name} (D5.3)`);
      }
    });
  }

  const call = [debit('e', 20n), credit('c'), end('x')];

  it('what a void took back is known as declined, and moves nothing (D5.3)', async (wallet) => {
    const round = await voidedFollowUp(wallet, call);
    assert.deepEqual(await answersTo(wallet, round, call), [
      'GAMEROUNDVOIDED',
      'DEBITFAILEDBEFORE',
      'DEBITFAILEDBEFORE',
    ]);
    const alone = await answersTo(wallet, round, [credit('c'), end('x')]);
    assert.deepEqual(alone, ['DEBITFAILEDBEFORE', 'DEBITFAILEDBEFORE']);
    assert.deepEqual(await purseOf(wallet.store, round), real(90n));
  });

  it('a credit that a void took back does not count as accepted: stranded, not crashed', async (wallet) => {
    const round = await voidedFollowUp(wallet, [debit('e', 20n), credit('c')]);
    await answersTo(wallet, round, [{ ...credit('f'), currency: 'XTS' }]);
    assert.equal((await snapshotOf(wallet.store, round)).head.state, 'stranded');
  });

  it('a round that was ended since stays closed as an end is taken back', async (wallet) => {
    const round = await playerWith(wallet.players, 100n);
    for (const one of [[first], call, [end('y')]]) await answersTo(wallet, round, one);
    await answersTo(wallet, round, [voidOf('e')]);
    const { head } = await snapshotOf(wallet.store, round);
    assert.deepEqual([head.state, head.debits, head.credits], ['closed', real(10n), real(0n)]);
    assert.deepEqual(await purseOf(wallet.store, round), real(90n));
  });

  it('a credit that another call paid first stays paid (D5.3)', async (wallet) => {
    const round = await playerWith(wallet.players, 100n);
    for (const one of [[first], [credit('c')], call]) await answersTo(wallet, round, one);
    await answersTo(wallet, round, [voidOf('e')]);
    assert.deepEqual(await purseOf(wallet.store, round), real(590n));
    assert.deepEqual(await answersTo(wallet, round, [credit('c')]), ['processed']);
  });

  it('a credit is taken back whatever the funds, and the balance goes below zero', async (wallet) => {
    const { players, store } = wallet;
    const round = await playerWith(players, 100n);
    for (const one of [[first], call]) await answersTo(wallet, round, one);
    const answers = await answersTo(wallet, anotherRound(round), [{ ...first, amount: 500n }]);
    assert.deepEqual(answers, ['processed']);
    await answersTo(wallet, round, [voidOf('e')]);
    assert.deepEqual(await purseOf(store, round), real(-410n));
    await players.deposit(orderOf(round, 410n));
    assert.deepEqual(await purseOf(store, round), real(0n));
  });

  it('a void that comes between a debit and its credit takes back both (D5.3)', async (wallet) => {
    const round = await playerWith(wallet.players, 100n);
    await answersTo(wallet, round, [first]);
    // A credit by shares waits for the commit of the debits before it.
    const policy = { ...plain, creditTo: 'stakeShares' } as const;
    const interrupted = withWorkBetween(wallet, () => answersTo(wallet, round, [voidOf('e')]));
    const answers = await answersTo(interrupted, round, call, policy);
    assert.deepEqual(answers, ['processed', 'DEBITFAILEDBEFORE', 'DEBITFAILEDBEFORE']);
    assert.equal((await snapshotOf(wallet.store, round)).head.state, 'open');
    assert.deepEqual(await purseOf(wallet.store, round), real(90n));
  });

  it('the same void again takes back nothing more (D5.1)', async (wallet) => {
    const round = await voidedFollowUp(wallet, call);
    assert.deepEqual(await answersTo(wallet, round, [voidOf('e'), voidOf('e')]), [
      'processed',
      'processed',
    ]);
    assert.deepEqual(await purseOf(wallet.store, round), real(90n));
    await answersTo(wallet, round, [voidOf('d')]);
    assert.deepEqual(await purseOf(wallet.store, round), real(100n));
  });
}

/** Each balance gets back what it paid, and returns what it received. */
export function splitVoidOrderRules(it: Case<ContractWallet>): void {
  const policies: readonly MoneyPolicy[] = [
    plain,
    { useBonusFirst: true, creditTo: 'real' },
    { useBonusFirst: false, creditTo: 'stakeShares' },
    { useBonusFirst: true, creditTo: 'stakeShares' },
  ];
  const voided: VoidedCall = {
    earlier: [[debit('d', 15n, { isFirstDebit: true }), credit('a', 7n)]],
    call: [debit('e', 60n), credit('c', 31n), debit('f', 70n, { discount: 1n }), credit('g', 13n)],
  };
  for (const policy of policies) {
    const { useBonusFirst, creditTo } = policy;
    const name = `${useBonusFirst ? 'bonus' : 'real'} money first, credits to ${creditTo}`;
    it(`voided before or after, each balance is the same: ${name} (D5.3)`, async (wallet) => {
      const left: unknown[] = [];
      for (const order of voidOrders) {
        const round = await playerWith(wallet.players, 100n, 40n);
        left.push(await playVoidedCall(wallet, round, voided, order, policy));
      }
      for (const one of left) assert.deepEqual(one, left[0]);
    });
  }
}

/** A round of 100 with its first debit of 10, and a follow-up call whose debit `e` was voided. */
async function voidedFollowUp(
  wallet: ContractWallet,
  call: readonly Transaction[],
): Promise<RoundKey> {
  const round = await playerWith(wallet.players, 100n);
  for (const one of [[first], call, [voidOf('e')]]) await answersTo(wallet, round, one);
  return round;
}

/** The answer to each transaction of a call; all must have one. */
async function answersTo(
  wallet: ContractWallet,
  round: RoundKey,
  transactions: readonly Transaction[],
  policy = plain,
): Promise<string[]> {
  const { verdicts, unknown } = await sendCall(wallet, round, transactions, policy);
  assert.equal(unknown?.cause.message ?? null, null, 'the call must be answered');
  return verdicts.map((verdict) =>
    verdict.outcome === 'refused' ? verdict.code : verdict.outcome,
  );
}

function debit(hash: string, amount: bigint, more: Partial<Debit> = {}): Debit {
  const usual = { currency: 'EUR', discount: 0n, isFirstDebit: false, serial: null };
  return { type: 'debit', hash, amount, ...usual, ...more };
}

function credit(hash: string, amount = 500n): Credit {
  return { type: 'credit', hash, currency: 'EUR', amount, serial: null };
}

function end(hash: string): Transaction {
  return { type: 'end', hash };
}
