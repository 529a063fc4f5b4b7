import * as fc from 'fast-check';

import type { Debit, Transaction } from '../../../lib/protocol/operator-api/transaction';
import type { History, HistoryAction } from '../../../lib/proof/histories/action';
import type { VoidedCallOfPlayer } from '../../../lib/proof/histories/void-orders';

const number = fc.nat({ max: 3 });
const round = fc.nat({ max: 2 });
const currency = fc.constantFrom('EUR', 'EUR', 'EUR', 'EUR', 'EUR', 'EUR', 'EUR', 'USD');

/** A hash usually has the same content each time it is sent, so that replays are frequent. */
const amount = (usual: bigint): fc.Arbitrary<bigint> =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 200n }) },
  );

const debit: fc.Arbitrary<Debit> = number.chain((at) =>
  fc
    .record({
      hash: fc.oneof(
        { weight: 30, arbitrary: fc.constant(`d${at}`) },
        { weight: 1, arbitrary: fc.constantFrom('c0', 'e0', 'u0') },
      ),
      currency,
      amount: amount([10n, 5n, 30n, 60n][at] ?? 0n),
      discount: fc.constantFrom(0n, 0n, 0n, 0n, 0n, 0n, 1n, 5n, 9n),
      isFirstDebit: fc.oneof(
        { weight: 6, arbitrary: fc.constant(at === 0) },
        { weight: 2, arbitrary: fc.constantFrom(null, true, false) },
      ),
      isFree: fc.nat({ max: 9 }).map((chance) => chance === 9),
    })
    .map(({ isFree, ...rest }) => ({
      ...rest,
      type: 'debit' as const,
      amount: isFree ? 0n : rest.amount,
      discount: isFree || rest.discount > rest.amount ? 0n : rest.discount,
      serial: isFree ? `serial-${at}` : null,
    })),
);

const credit = fc.nat({ max: 2 }).chain((at) =>
  fc.record({
    type: fc.constant('credit' as const),
    hash: fc.constantFrom(...Array.from({ length: 12 }, () => `c${at}`), 'd1'),
    currency,
    amount: amount([7n, 0n, 25n][at] ?? 0n),
    serial: fc.constantFrom(null, null, null, null, 'serial-0'),
  }),
);

const end = fc.record({
  type: fc.constant('end' as const),
  hash: fc.constantFrom('e0', 'e0', 'e0', 'e1', 'd0'),
});

const order = fc.record({
  type: fc.constant('void' as const),
  hash: fc.constantFrom('d0', 'd0', 'd1', 'd1', 'd2', 'd3', 'l0', 'l1', 'c0', 'e0', 'u0'),
  amount: fc.constantFrom(null, 10n),
  currency: fc.constantFrom(null, 'EUR'),
});

const transaction: fc.Arbitrary<Transaction> = fc.oneof(
  { weight: 10, arbitrary: debit },
  { weight: 6, arbitrary: credit },
  { weight: 2, arbitrary: end },
  { weight: 5, arbitrary: order },
);

const first: Debit = {
  type: 'debit',
  hash: 'd0',
  currency: 'EUR',
  amount: 10n,
  discount: 0n,
  isFirstDebit: true,
  serial: null,
};

const transactions = fc.oneof(
  fc.array(transaction, { minLength: 1, maxLength: 4 }),
  fc.array(transaction, { maxLength: 3 }).map((others) => [first, ...others]),
);

/** A debit that moves money if it is accepted; the RGS sends such a hash in lost calls alone. */
const lostDebit: fc.Arbitrary<Debit> = fc.record({
  type: fc.constant('debit' as const),
  hash: fc.constantFrom('l0', 'l1'),
  currency,
  amount: fc.constantFrom(1n, 10n, 100n),
  discount: fc.constant(0n),
  isFirstDebit: fc.boolean(),
  serial: fc.constant(null),
});

function action(players: number): fc.Arbitrary<HistoryAction> {
  const player = fc.nat({ max: players - 1 });
  const call = fc.record({ kind: fc.constant('call' as const), player, round, transactions });
  const lostCall = fc.record({
    kind: fc.constant('lostCall' as const),
    player,
    round,
    debits: fc.array(lostDebit, { minLength: 1, maxLength: 2 }),
    arrives: fc.boolean(),
  });
  const resend = fc.record({
    kind: fc.constant('resend' as const),
    call: fc.nat({ max: 50 }),
    from: fc.constantFrom(0, 0, 1, 2),
    count: fc.constantFrom(100, 1),
  });
  const cash = fc.record({
    kind: fc.constantFrom('deposit' as const, 'withdraw' as const),
    player,
    units: fc.constantFrom(5n, 50n),
    balance: fc.constantFrom('real' as const, 'bonus' as const),
    reference: fc.constantFrom('reference-0', 'reference-1', 'reference-2'),
  });
  const block = fc.record({ kind: fc.constant('block' as const), player, blocked: fc.boolean() });
  const read = fc.record({ kind: fc.constant('read' as const), player });
  return fc.oneof(
    { weight: 30, arbitrary: call },
    { weight: 3, arbitrary: lostCall },
    { weight: 7, arbitrary: resend },
    { weight: 4, arbitrary: cash },
    { weight: 1, arbitrary: block },
    { weight: 3, arbitrary: read },
  );
}

const knownPlayer = fc.record({
  real: fc.constantFrom(0n, 20n, 100n, 1000n),
  bonus: fc.constantFrom(null, 0n, 15n, 200n),
  dollars: fc.boolean(),
});

const player = fc.option(knownPlayer, { freq: 20 });

const policy = fc.record({
  useBonusFirst: fc.boolean(),
  creditTo: fc.constantFrom('real' as const, 'stakeShares' as const),
});

/**
 * Calls that hold a debit and no void. What stands before the first debit of a call stays (D5.3),
 * whatever the void of a debit that came before changes: so none of these has anything there.
 */
export const voidedCall: fc.Arbitrary<VoidedCallOfPlayer> = fc.record({
  round: fc.nat({ max: 1 }),
  policy,
  player: knownPlayer,
  earlier: fc
    .tuple(fc.constantFrom([], [[first]], [[first]]), fc.array(transactions, { maxLength: 2 }))
    .map(([opening, others]) => [...opening, ...others]),
  call: fc
    .tuple(debit, fc.array(fc.oneof(debit, credit, end), { maxLength: 4 }))
    .map(([one, others]) => [one, ...others]),
});

/** Histories that fast-check can make smaller: whatever is left out of one, a history remains. */
export const history: fc.Arbitrary<History> = fc
  .array(player, { minLength: 1, maxLength: 3 })
  .chain((players) => {
    const batch = fc.array(action(players.length), { minLength: 1, maxLength: 5 });
    return fc.record({
      policy,
      players: fc.constant(players),
      batches: fc.array(batch, { maxLength: 10 }),
    });
  });
