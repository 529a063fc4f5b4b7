import assert from 'node:assert/strict';
import type { ContractWallet } from '../../subject/players';
import type { Case } from '../suite';
import { systemClock } from '../../../platform';
import { maxUnits } from '../../../protocol/money/amount';
import { shortRetention } from '../case';
import { anna, bert, credit, debit, RoundPlay, voidOf, wordOfResult } from './round-play';

/** Paying a credit that was refused (D11.3), and what comes after it (D11.4, D11.5). */
export function paymentRules(it: Case<ContractWallet>): void {
  it('a refused win is paid once, and the round leaves attention', async (wallet) => {
    const play = await RoundPlay.stranded(wallet);
    await play.isListed(true);
    const id = await play.proposed({});
    await play.is('stranded', 90n);
    const results = [await play.approve(id), await play.approve(id), await play.approve(id, anna)];
    const made = results.map((one) => one.kind === 'made' && one.replay);
    assert.deepEqual(made, [false, true, true]);
    await play.is('closed', 115n);
    await play.isListed(false);
    assert.deepEqual(await play.call(credit('c', 25n)), ['DEBITFAILEDBEFORE']);
    await play.is('closed', 115n);
  });

  it('two people who approve at the same moment pay once', async (wallet) => {
    const play = await RoundPlay.stranded(wallet);
    const id = await play.proposed({ hash: 'c' });
    const people = ['b1', 'b2', 'b3', 'b4'].map((one) => ({ id: one, name: null }));
    const results = await Promise.all(people.map((one) => play.approve(id, one)));
    const fresh = results.filter((one) => one.kind === 'made' && !one.replay);
    assert.deepEqual([results.every(({ kind }) => kind === 'made'), fresh.length], [true, 1]);
    await play.is('closed', 115n);
  });

  it('a win is paid in its own currency, if the player has such an account', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await play.call(debit('d', 10n, true));
    await play.call(credit('c', 7n, 'USD'));
    assert.equal(await play.propose({}).then(wordOfResult), 'noAccount');
    await play.is('stranded', 90n);
    assert.deepEqual(await play.repairs(), []);
    const balances = { real: { units: 0n } };
    await wallet.players.openPlayer({ ...play.round, currency: 'USD', balances });
    await play.repaired({});
    await play.is('closed', 90n);
    const result = await wallet.store.rounds.accounts(play.round);
    const dollars = result.kind === 'known' ? result.accounts : null;
    assert.equal(dollars?.find(({ currency }) => currency === 'USD')?.real, 7n);
  });

  it('a win that the account refuses is not paid, and the repair says why', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await play.call(debit('d', 10n, true));
    assert.deepEqual(await play.call(credit('c', maxUnits)), ['CREDITREFUSED']);
    const refused = await play.approve(await play.proposed({}));
    assert.equal(wordOfResult(refused), 'refusedByAccount');
    assert.equal(refused.kind === 'refused' && refused.repair?.note, 'outOfRange');
    await play.is('stranded', 90n);
    const [repair] = await play.repairs();
    assert.deepEqual([repair?.status, repair?.note], ['refused', 'outOfRange']);
  });

  it('the RGS voids the round: what a repair paid is taken back with it', async (wallet) => {
    const play = await RoundPlay.stranded(wallet);
    await play.repaired({});
    assert.deepEqual(await play.call(voidOf('d')), ['processed']);
    await play.is('voided', 100n);
    assert.deepEqual(await play.call(voidOf('d')), ['processed']);
    await play.is('voided', 100n);
    assert.equal((await play.repairs())[0]?.status, 'takenBack');
  });

  it('a paid win stays when a debit is voided that does not precede it', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await play.call(debit('d', 10n, true), debit('e', 20n));
    await play.call(debit('f', 1000n));
    await play.call(credit('c', 25n));
    await play.repaired({});
    await play.is('closed', 95n);
    assert.deepEqual(await play.call(voidOf('e')), ['processed']);
    await play.is('closed', 115n);
  });

  it('a paid win is taken back with the debit that precedes it', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await play.call(debit('d', 10n, true));
    const outcomes = await play.call(debit('e', 20n), credit('c', 7n, 'USD'), credit('g', 9n));
    assert.deepEqual(outcomes, ['processed', 'CURRENCYNOTSUPPORTED', 'GAMEROUNDNOTACTIVE']);
    await play.repaired({ hash: 'g' });
    await play.is('closed', 79n);
    assert.deepEqual(await play.call(voidOf('e')), ['processed']);
    await play.is('open', 90n);
    assert.deepEqual(await play.call(credit('h', 5n)), ['processed']);
    await play.is('open', 95n);
  });

  it('a win that comes after the repair is refused, and a person sees the round again', async (wallet) => {
    const play = await RoundPlay.stranded(wallet);
    await play.repaired({});
    assert.deepEqual(await play.call(credit('late', 3n)), ['GAMEROUNDNOTACTIVE']);
    await play.is('stranded', 115n);
    await play.isListed(true);
    assert.deepEqual(await play.propose({ hash: 'c' }).then(wordOfResult), 'alreadyPaid');
    const repair = await play.repaired({});
    assert.equal(repair.hash, 'late');
    await play.is('closed', 118n);
    await play.isListed(false);
  });

  it('a win that comes after the end of its round is refused, listed, and paid once', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await play.call(debit('d', 10n, true), credit('w', 4n), { type: 'end', hash: 'x' });
    await play.is('closed', 94n);
    assert.deepEqual(await play.call(credit('c', 25n)), ['GAMEROUNDNOTACTIVE']);
    await play.is('crashed', 94n);
    assert.equal(await play.atStake(), 25n);
    await play.repaired({});
    assert.deepEqual(await play.call(credit('c', 25n)), ['GAMEROUNDNOTACTIVE']);
    await play.is('closed', 119n);
    await play.isListed(false);
    assert.equal(await play.propose({ hash: 'c' }).then(wordOfResult), 'alreadyPaid');
  });

  it(
    'a round with a win that came after its end is kept for ever',
    async (wallet) => {
      const play = await RoundPlay.open(wallet);
      await play.call(debit('d', 10n, true), { type: 'end', hash: 'x' }, credit('c', 25n));
      await systemClock.pause(3 * shortRetention.retentionMs);
      await play.is('stranded', 90n);
      await play.repaired({});
      await play.is('closed', 115n);
    },
    shortRetention,
  );

  it('a win of a round whose first debit was declined waits for a person, until the round is voided', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await play.call(debit('d', 1000n, true), credit('never', 7n));
    await play.is('closed', 100n);
    assert.deepEqual(await play.call(credit('c', 25n)), ['GAMEROUNDNOTACTIVE']);
    await play.is('stranded', 100n);
    assert.equal(await play.atStake(), 25n);
    assert.equal(await play.propose({ hash: 'never' }).then(wordOfResult), 'notUnpaid');
    await play.repaired({});
    await play.is('closed', 125n);
    assert.deepEqual(await play.call(voidOf('d')), ['processed']);
    await play.is('voided', 100n);
  });

  it('of wins that were declined in the same moment, only the one that stranded the round is at stake and paid', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await play.call(debit('d', 10n, true));
    await play.call(debit('e', 1000n));
    const outcomes = await play.call(credit('c', 50n), debit('f', 5n), credit('never', 500n));
    const declined = 'DEBITFAILEDBEFORE';
    assert.deepEqual(outcomes, [declined, 'GAMEROUNDNOTACTIVE', declined]);
    assert.equal(await play.atStake(), 50n);
    assert.equal(await play.propose({ hash: 'never' }).then(wordOfResult), 'notUnpaid');
    await play.repaired({});
    await play.is('closed', 140n);
  });

  it('each of several refused wins is paid once', async (wallet) => {
    const play = await RoundPlay.stranded(wallet);
    await play.call(credit('more', 4n));
    assert.equal(await play.propose({}).then(wordOfResult), 'hashMissing');
    await play.repaired({ hash: 'c' });
    await play.repaired({ hash: 'more' });
    await play.is('closed', 119n);
    assert.equal(await play.propose({}, bert).then(wordOfResult), 'notUnpaid');
  });
}
