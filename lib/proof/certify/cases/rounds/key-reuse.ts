import {
  type CaseContext,
  given,
  mustSay,
  mustSucceed,
  type Transaction,
  voidOf,
} from '../../talk';
import { type CaseOfGroup, casesIn } from '../../talk/case';
import { type OpenRound, mustDecline, openRound } from '../steps';

/** A hash that was seen before comes with other content, or in another place. */
export const keyReuse = casesIn('key-reuse', [
  {
    id: 'debit-hash-with-other-amount',
    rule: 'Operator API 2.1 (hash); 4.1, rule 1',
    given: 'a round with a debit',
    when: 'its hash is sent again with a larger amount, and then with a smaller one',
    expected: 'nothing more is taken, and nothing given back',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      const again = (amount: bigint) => ({ ...round.firstDebit(amount), hash: debit.hash });
      await round.send(again(context.stake * 2n));
      await context.balanceMustBe(
        before - context.stake,
        'after a known hash with a larger amount',
      );
      await round.send(again(context.stake / 2n));
      await context.balanceMustBe(
        before - context.stake,
        'after a known hash with a smaller amount',
      );
    },
  },
  {
    id: 'credit-hash-with-other-amount',
    rule: 'Operator API 2.1 (hash); 4.1, rule 1',
    given: 'a round with a debit and a credit',
    when: "the credit's hash is sent again with a larger amount",
    expected: 'nothing more is paid',
    async play(context) {
      const { round, before } = await openRound(context);
      const credit = round.credit(context.stake);
      given(await round.send(credit), 'the credit');
      await round.send({ ...round.credit(context.stake * 3n), hash: credit.hash });
      await context.balanceMustBe(before, 'after a known hash with a larger amount');
    },
  },
  {
    id: 'debit-hash-with-other-currency',
    rule: 'Operator API 2.1 (hash); 4.1, rule 1',
    given: 'a round with a debit',
    when: 'its hash is sent again with another currency',
    expected: 'nothing more is taken',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      await round.send({ ...debit, currency: otherThan(context.currency) });
      await context.balanceMustBe(before - context.stake, 'after a known hash in another currency');
    },
  },
  {
    id: 'debit-hash-as-follow-up',
    rule: 'Operator API 2.1 (hash); 4.1, rule 1',
    given: 'a round with a debit',
    when: 'its hash is sent again on a follow-up debit',
    expected: 'nothing more is taken',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      await round.send({ ...debit, isFirstDebit: false });
      await context.balanceMustBe(
        before - context.stake,
        'after a known hash on a follow-up debit',
      );
    },
  },
  {
    id: 'debit-hash-on-credit',
    rule: 'Operator API 2.1 (hash); D3.2',
    given: 'a round with a debit',
    when: "a credit comes with the debit's hash",
    expected: 'nothing is paid: the hash is unique',
    otherwise: 'A wallet may know a transaction by its type and hash: the credit is new.',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      await round.send({ ...round.credit(context.stake * 2n), hash: debit.hash });
      await context.balanceMustBe(before - context.stake, "after a credit with the debit's hash");
    },
  },
  reuseRefused('amount', ({ round, debit }, { stake }) => ({
    ...round.firstDebit(stake * 2n),
    hash: debit.hash,
  })),
  reuseRefused('currency', ({ debit }, { currency }) => ({
    ...debit,
    currency: otherThan(currency),
  })),
  reuseRefused('type', ({ round, debit }, { stake }) => ({
    ...round.credit(stake),
    hash: debit.hash,
  })),
  {
    id: 'round-goes-on-after-reuse',
    rule: 'D3.2',
    given: 'a round in which a hash came again with another amount',
    when: 'a new credit comes',
    expected: 'it is paid: the round is untouched',
    otherwise: 'A wallet may take the reuse for a failed debit, and decline the credit.',
    async play(context) {
      const { round, debit, before } = await openRound(context);
      await round.send({ ...round.firstDebit(context.stake * 2n), hash: debit.hash });
      mustSucceed(await round.send(round.credit(context.stake / 2n)), 'a credit after the reuse');
      await context.balanceMustBe(before - context.stake / 2n, 'after the credit');
    },
  },
  {
    id: 'same-hash-in-other-round',
    rule: 'D3.1',
    given: 'a round with a debit',
    when: 'another round begins with a debit of the same hash',
    expected: 'it is a new transaction, and it is taken',
    otherwise: 'A hash may be known in all rounds: the second one is then a repeat, or refused.',
    async play(context) {
      const { debit, before } = await openRound(context);
      const other = context.round();
      const same = { ...other.firstDebit(context.stake), hash: debit.hash };
      mustSucceed(await other.send(same), 'the same hash in another round');
      await context.balanceMustBe(before - context.stake * 2n, 'after both debits');
    },
  },
  {
    id: 'same-hash-of-other-player',
    rule: 'D3.1',
    given: 'a round of one player',
    when: 'another player has a debit with the same gameRound and hash',
    expected: 'it is a new transaction, and it is taken from the other player',
    otherwise: 'A hash may be known of all players: the second one is then a repeat, or refused.',
    async play(context) {
      const playerId = context.otherPlayerId();
      const { round, debit, before } = await openRound(context);
      const otherBefore = await context.balance(playerId);
      const other = context.round({ playerId, gameRound: round.gameRound });
      mustSucceed(await other.send(debit), 'the same round and hash of another player');
      await context.balanceMustBe(otherBefore - context.stake, 'after the debit', playerId);
      await context.balanceMustBe(before - context.stake, "after the other player's debit");
    },
  },
  {
    id: 'hashes-differ-at-the-end',
    rule: 'Operator API 2.1 (hash is the unique id); 4.1, rule 1',
    given: 'a round with a debit',
    when: 'two credits come, and two debits, whose hashes of 36 characters differ in the last one alone',
    expected: 'each counts',
    play: (context) =>
      bothCount(context, 'that differs in the last character', (hash) => {
        return hash.slice(0, -1) + (hash.endsWith('0') ? '1' : '0');
      }),
  },
  {
    id: 'hashes-differ-in-zeros',
    rule: 'Operator API 2.1 (hash is a string)',
    given: 'a round with a debit',
    when: 'two credits come, and two debits, whose hashes are digits and differ in a zero at the front alone',
    expected: 'each counts: a hash is no number',
    play: (context) =>
      bothCount(context, 'of digits with a zero at the front', (hash) => `0${hash}`, digitsOf),
  },
  {
    id: 'hashes-differ-in-case',
    rule: 'D2.6',
    given: 'a round with a debit',
    when: 'two credits come, and two debits, whose hashes differ in the case of letters alone',
    expected: 'each counts',
    otherwise: 'A wallet may compare hashes without regard to case: the second is then a repeat.',
    play: (context) => bothCount(context, 'in capital letters', (hash) => hash.toUpperCase()),
  },
  {
    id: 'hashes-differ-in-white-space',
    rule: 'D2.6',
    given: 'a round with a debit',
    when: 'two credits come, and two debits, whose hashes differ in a space at the end alone',
    expected: 'each counts',
    otherwise: 'A wallet may trim hashes, or refuse one with a space.',
    play: (context) => bothCount(context, 'with a space at the end', (hash) => `${hash} `),
  },
  {
    id: 'hash-is-the-gameround',
    rule: 'Operator API 3, rule 6; 2.1 (hash is a string)',
    given: 'a round whose id has 32 characters and is no UUID',
    when: 'its first debit has the gameRound as its hash, and is voided',
    expected: 'both are answered 200, and the money is back',
    async play(context) {
      const before = await context.balance();
      const gameRound = `r.${context.newHash().replaceAll('-', '').slice(0, 30)}`;
      const round = context.round({ gameRound });
      const debit = { ...round.firstDebit(context.stake), hash: gameRound };
      mustSucceed(await round.send(debit), 'a debit with the gameRound as its hash');
      await context.balanceMustBe(before - context.stake, 'after the debit');
      mustSucceed(await round.send(voidOf(debit)), 'the void of such a debit');
      await context.balanceMustBe(before, 'after the void');
    },
  },
]);

/** A case: a known hash with other content is refused. */
function reuseRefused(
  member: 'amount' | 'currency' | 'type',
  other: (open: OpenRound, context: CaseContext) => Transaction,
): CaseOfGroup {
  return {
    id: `reuse-with-other-${member}-refused`,
    rule: 'D3.2',
    given: 'a round with a debit',
    when: `its hash is sent again with another ${member}`,
    expected: 'it is refused',
    otherwise: 'A wallet may look at the hash alone, and answer 200 as to a repeat.',
    async play(context) {
      const open = await openRound(context);
      const answer = await open.round.send(other(open, context));
      mustDecline(answer, `a known hash with another ${member}`);
    },
  };
}

/**
 * Sends two credits and two debits, the second of each with a hash like that of the first.
 * @throws CaseFailure unless each counts.
 */
async function bothCount(
  context: CaseContext,
  how: string,
  like: (hash: string) => string,
  firstOf = (uuid: string) => `a${uuid.slice(1)}`,
): Promise<void> {
  const { stake } = context;
  const { round, before } = await openRound(context);
  for (const type of ['credit', 'followUp'] as const) {
    const hash = firstOf(context.newHash());
    const one = round[type](stake, { hash });
    given(await round.send(one), `the first ${one.type}`);
    const second = round[type](stake * 2n, { hash: like(hash) });
    const what = `a ${second.type} with a hash ${how}`;
    mustSay(mustSucceed(await round.send(second), what), second.hash, 'processed', what);
    const gained = type === 'credit' ? 2n : -1n;
    await context.balanceMustBe(before + stake * gained, `after ${what}`);
  }
}

/** A UUID as a number. */
function digitsOf(uuid: string): string {
  return BigInt(`0x${uuid.replaceAll('-', '')}`).toString();
}

/** A currency that the player has no money in. */
function otherThan(currency: string): string {
  return currency === 'USD' ? 'EUR' : 'USD';
}
