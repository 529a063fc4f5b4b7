import assert from 'node:assert/strict';
import { addPurses, emptyPurse, type Purse } from '../../../protocol/money/purse';
import type { PostedQuery, PostedRound, RoundKey } from '../../../operator/wallet';
import { anotherRound, open, playerWith } from '../case';
import { freshId } from '../../subject/runner';
import type { Case } from '../suite';
import { assertDone, assertRefused, creditOf, debitOf, type RetryingLedger } from './case';

/** What the ledger says that it posted, where it has the optional `postedRounds`: without it they hold. */
export function postedRules(it: Case<RetryingLedger>): void {
  it('postedRounds lists what a round gave less what it took: else books differ', async (ledger) => {
    const round = await playerWith(ledger.players, 100n);
    const [stake, win] = [debitOf(round, 60n), creditOf(round, 25n)];
    for (let time = 0; time < 2; time += 1) {
      assertDone(await ledger.debit(stake), 60n);
      assertDone(await ledger.credit(win));
    }
    assertRefused(await ledger.debit(debitOf(round, 1000n)), 'tooLow');
    await checkPosted(ledger, round, { ...round, currency: 'EUR', moved: real(-35n) });
  });

  it('what was reversed counts as nothing moved: else a void makes books differ', async (ledger) => {
    const round = await playerWith(ledger.players, 100n);
    const [stake, win, late] = [debitOf(round, 60n), creditOf(round, 25n), debitOf(round, 7n)];
    assertDone(await ledger.debit(stake), 60n);
    assertDone(await ledger.credit(win));
    await ledger.reverse(stake);
    await ledger.reverse(late);
    assertRefused(await ledger.debit(late));
    await checkPosted(ledger, round, { ...round, currency: 'EUR', moved: real(25n) });
    await ledger.reverse(win);
    assert.deepEqual(await movedBy(ledger, round), emptyPurse);
  });

  it('rounds and currencies are apart, those of a player together: else one hides another', async (ledger) => {
    const first = await playerWith(ledger.players, 100n);
    await open(ledger.players, first, 'USD', 50n);
    const second = anotherRound(first);
    const other = { ...second, playerId: freshId('player') };
    await open(ledger.players, other, 'EUR', 10n);
    assertDone(await ledger.debit(debitOf(first, 1n)), 1n);
    assertDone(await ledger.debit(debitOf(other, 2n)), 2n);
    assertDone(await ledger.debit(debitOf(second, 3n)), 3n);
    assertDone(await ledger.credit(creditOf(first, 4n, { currency: 'USD' })));
    const { operatorId, playerId, gameRound } = first;
    const listed = await ledger.posted({ operatorId });
    if (listed === null) return;
    const actual = listed.map((one) => `${nameOf(one)} ${one.currency} ${one.moved.real}`);
    const all = [
      `${nameOf(first)} EUR -1`,
      `${nameOf(first)} USD 4`,
      `${nameOf(second)} EUR -3`,
      `${nameOf(other)} EUR -2`,
    ];
    assert.deepEqual(actual.toSorted(), all.toSorted());
    const players = listed.map((one) => one.playerId);
    const turns = players.filter((player, at) => player !== players[at - 1]);
    assert.equal(turns.length, 2, 'the rounds of a player must follow one another');
    assert.equal((await ledger.posted({ operatorId, playerId }))?.length, 3);
    const ofRound = await ledger.posted({ operatorId, playerId, gameRound });
    assert.deepEqual(ofRound?.map((one) => one.currency).toSorted(), ['EUR', 'USD']);
    assert.deepEqual(await ledger.posted({ operatorId: freshId('operator') }), []);
  });

  it('since leaves out rounds that rest: else each check reads all years', async (ledger) => {
    const round = await playerWith(ledger.players, 100n);
    assertDone(await ledger.debit(debitOf(round, 1n)), 1n);
    const { operatorId } = round;
    const [listed] = (await ledger.posted({ operatorId })) ?? [];
    if (listed === undefined) return;
    const { lastAt } = listed;
    assert.equal((await ledger.posted({ operatorId, since: Math.floor(lastAt) }))?.length, 1);
    assert.deepEqual(await ledger.posted({ operatorId, since: lastAt + 60_000 }), []);
  });
}

/** Asserts what is listed of a round, in its one currency. */
async function checkPosted(
  ledger: RetryingLedger,
  round: RoundKey,
  expected: Omit<PostedRound, 'lastAt'>,
): Promise<void> {
  const listed = await ledger.posted(queryOf(round));
  if (listed === null) return;
  assert.equal(listed.length, 1, 'a round has one entry in a currency');
  const [{ operatorId, playerId, gameRound, currency, moved } = assert.fail()] = listed;
  const { real: units, bonus } = moved;
  const actual = { operatorId, playerId, gameRound, currency, moved: { real: units, bonus } };
  assert.deepEqual(actual, expected);
}

/** The sum of what is listed of a round; nothing where the ledger lists nothing at all. */
async function movedBy(ledger: RetryingLedger, round: RoundKey): Promise<Purse> {
  const listed = (await ledger.posted(queryOf(round))) ?? [];
  return listed.map(({ moved }) => moved).reduce(addPurses, emptyPurse);
}

function queryOf({ operatorId, playerId, gameRound }: RoundKey): PostedQuery {
  return { operatorId, playerId, gameRound };
}

function nameOf({ playerId, gameRound }: RoundKey): string {
  return `${playerId} ${gameRound}`;
}

function real(units: bigint): Purse {
  return { real: units, bonus: 0n };
}
