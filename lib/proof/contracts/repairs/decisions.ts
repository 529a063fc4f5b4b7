import assert from 'node:assert/strict';
import { rejectRepair } from '../../../operator/operations/repairs/decision';
import { snapshotOf, shortRetention } from '../case';
import type { ContractWallet } from '../../subject/players';
import type { Case } from '../suite';
import { systemClock } from '../../../platform';
import { anna, bert, credit, debit, RoundPlay, voidOf, wordOfResult } from './round-play';

const day = 24 * 3_600_000;
const reason = 'It is not what the RGS said';

/** Proposals, and what becomes of them (D11.1, D11.2). */
export function decisionRules(it: Case<ContractWallet>): void {
  it('one’s own proposal needs another person, unless the amount is small', async (wallet) => {
    const play = await RoundPlay.stranded(wallet);
    const id = await play.proposed({});
    assert.equal(await play.approve(id, anna).then(wordOfResult), 'ownProposal');
    const below = { fourEyes: { above: { EUR: { units: 24n } } } };
    assert.equal(await play.approve(id, anna, below).then(wordOfResult), 'ownProposal');
    const other = { fourEyes: { above: { USD: { units: 99n } } } };
    assert.equal(await play.approve(id, anna, other).then(wordOfResult), 'ownProposal');
    await play.is('stranded', 90n);
    const enough = { fourEyes: { above: { EUR: { units: 25n } } } };
    assert.equal(await play.approve(id, anna, enough).then(wordOfResult), 'made');
    await play.is('closed', 115n);
  });

  it('a round that moved makes a proposal stale: nothing moves', async (wallet) => {
    const play = await RoundPlay.stranded(wallet);
    const id = await play.proposed({});
    await play.call({ type: 'end', hash: 'x' });
    assert.equal(await play.approve(id).then(wordOfResult), 'stale');
    await play.is('stranded', 90n);
    await play.repaired({});
    await play.is('closed', 115n);
  });

  it('a refused win that is sent again, signed anew, leaves a proposal valid', async (wallet) => {
    const play = await RoundPlay.stranded(wallet);
    const id = await play.proposed({});
    const { version } = (await snapshotOf(wallet.store, play.round)).head;
    for (let sent = 0; sent < 3; sent++) {
      assert.deepEqual(await play.signed(credit('c', 25n)), ['DEBITFAILEDBEFORE']);
    }
    assert.equal((await snapshotOf(wallet.store, play.round)).head.version, version + 3);
    assert.equal(await play.propose({}, bert).then(wordOfResult), 'alreadyProposed');
    assert.equal(await play.approve(id).then(wordOfResult), 'made');
    await play.is('closed', 115n);
    await play.signed(credit('c', 25n));
    assert.equal((await play.repairs())[0]?.status, 'done');
  });

  it('a proposal expires after a day', async (wallet) => {
    const play = await RoundPlay.stranded(wallet);
    const id = await play.proposed({});
    play.aheadMs = day - 60_000;
    assert.equal(await play.propose({}, bert).then(wordOfResult), 'alreadyProposed');
    play.aheadMs = day + 1;
    assert.equal(await play.approve(id).then(wordOfResult), 'expired');
    await play.is('stranded', 90n);
    assert.equal(await play.propose({}, bert).then(wordOfResult), 'proposed');
  });

  it('a rejected proposal is not approved, and another one can be made', async (wallet) => {
    const play = await RoundPlay.stranded(wallet);
    const id = await play.proposed({});
    const reject = () => rejectRepair(play.round, id, anna, reason, play.options());
    assert.deepEqual([(await reject()).kind, (await reject()).kind], ['rejected', 'rejected']);
    assert.equal(await play.approve(id).then(wordOfResult), 'rejected');
    await play.is('stranded', 90n);
    await play.repaired({});
    const kept = (await play.repairs()).map(({ status, note }) => [status, note]);
    assert.deepEqual(kept, [
      ['rejected', reason],
      ['done', null],
    ]);
    const late = await rejectRepair(play.round, id, bert, reason, play.options());
    assert.equal(late.kind, 'rejected');
  });

  it('what does not fit is refused, and nothing moves', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    assert.equal(await play.propose({}).then(wordOfResult), 'noRound');
    await play.call(debit('d', 10n, true));
    assert.equal(await play.propose({}).then(wordOfResult), 'notStuck');
    assert.equal(await play.propose({ kind: 'void' }).then(wordOfResult), 'notStuck');
    await play.call(debit('e', 1000n));
    await play.call(credit('c', 25n));
    assert.equal(await play.propose({ hash: 'none' }).then(wordOfResult), 'noSuchHash');
    assert.equal(await play.propose({ hash: 'd' }).then(wordOfResult), 'notUnpaid');
    assert.equal(await play.propose({ kind: 'void', hash: 'c' }).then(wordOfResult), 'notVoidable');
    assert.equal(await play.approve('nothing').then(wordOfResult), 'noProposal');
    await play.is('stranded', 90n);
  });

  it('a matter settled elsewhere moves nothing, and leaves attention', async (wallet) => {
    const play = await RoundPlay.stranded(wallet);
    const repair = await play.repaired({ kind: 'resolve', reference: 'bank-77 é/{}:%' });
    assert.deepEqual([repair.reference, repair.amount], ['bank-77 é/{}:%', 25n]);
    await play.is('closed', 90n);
    await play.isListed(false);
    assert.deepEqual(await play.call(voidOf('d')), ['processed']);
    await play.is('voided', 100n);
  });

  it('a void by a person gives back all, and the RGS’s own changes nothing', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await play.call(debit('d', 10n, true), credit('a', 4n));
    await play.call(debit('e', 1000n));
    await play.call(credit('c', 25n));
    await play.is('crashed', 94n);
    const repair = await play.repaired({ kind: 'void' });
    assert.deepEqual([repair.hash, repair.purse.real], ['d', 6n]);
    await play.is('voided', 100n);
    await play.isListed(false);
    assert.deepEqual(await play.call(voidOf('d')), ['processed']);
    assert.deepEqual(await play.call(debit('d', 10n, true)), ['GAMEROUNDVOIDED']);
    assert.deepEqual(await play.call(credit('c', 25n)), ['GAMEROUNDVOIDED']);
    await play.is('voided', 100n);
  });

  it('the round says who proposed, who approved, when and why', async (wallet) => {
    const play = await RoundPlay.stranded(wallet);
    const { id } = await play.repaired({});
    const report = await wallet.store.rounds.readRound(play.round);
    const [repair] = report?.toJSON().repairs ?? [];
    const { head } = await snapshotOf(wallet.store, play.round);
    const [kept] = head.repairs?.list ?? [];
    assert.deepEqual([repair?.id, repair?.kind, repair?.status], [id, 'pay', 'done']);
    assert.deepEqual({ ...repair?.proposedBy }, anna);
    assert.deepEqual({ ...repair?.decidedBy }, bert);
    assert.deepEqual([repair?.reason, repair?.hash], [kept?.reason, 'c']);
    assert.equal(repair?.proposedAt, new Date(kept?.proposedAt ?? 0).toISOString());
    assert.deepEqual({ ...head.repairs?.closed }.state, 'stranded');
  });

  it(
    'a round with a repair is kept for ever',
    async (wallet) => {
      const play = await RoundPlay.stranded(wallet);
      await play.repaired({});
      await play.call({ type: 'end', hash: 'x' });
      await systemClock.pause(3 * shortRetention.retentionMs);
      await play.is('closed', 115n);
      assert.equal((await play.repairs()).length, 1);
    },
    shortRetention,
  );
}
