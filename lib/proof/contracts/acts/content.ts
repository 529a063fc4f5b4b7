import assert from 'node:assert/strict';
import { rejectRepair } from '../../../operator/operations/repairs/decision';
import { maxUnits } from '../../../protocol/money/amount';
import type { ContractWallet } from '../../subject/players';
import { contractPlayer } from '../../subject/players';
import { freshRound } from '../case';
import { credit, debit, RoundPlay, voidOf, wordOfResult } from '../repairs/round-play';
import type { Case } from '../suite';
import { allActs, anna, bert, checkOfPlayers, lineOf, ofPlayer, pageOf } from './case';

const why = 'asked for by the player, ticket 4711 "ok" é\u{1f3b0} / %';

/** What is listed of what is done, and what is not. */
export function contentRules(it: Case<ContractWallet>): void {
  const checkPlayers = checkOfPlayers(it);

  checkPlayers(
    'what a person does to a player is listed once, with who and why',
    async (store, players) => {
      const player = ofPlayer(freshRound());
      const euros = { ...player, currency: 'EUR', by: anna, reason: why };
      const limit = {
        kind: 'loss',
        currency: 'EUR',
        window: 'month',
        amount: { units: 70n },
      } as const;
      const balances = { real: { units: 100n }, bonus: { units: 7n } };
      const amount = { units: 20n };
      const until = 4_000_000_000_000;
      for (let turn = 0; turn < 2; turn++) {
        await players.openPlayer({ ...euros, balances });
        await players.deposit({ ...euros, amount, reference: 'd é/ %' });
        await players.withdraw({
          ...euros,
          amount: { units: 3n },
          balance: 'bonus',
          reference: 'w',
        });
        await players.correct?.({ ...euros, amount: { units: -5n }, reference: 'c', by: bert });
        await players.setBlocked(player, true, { by: anna, until });
        await players.setBlocked(player, true, { by: anna, until });
      }
      await players.setLimit?.(player, limit, { by: bert, reason: why });
      await players.setLimit?.(player, { ...limit, amount: null }, { by: bert });
      await players.setBlocked(player, false, { by: bert, reason: why });
      const terms = { kind: 'loss', currency: 'EUR', window: 'month', zone: 'UTC', counts: 'real' };
      const byAnna = { ...player, at: 0, by: anna, reason: why };
      const cash = (
        kind: string,
        reference: string,
        balance: string,
        units: string,
        by = anna,
      ) => ({
        ...byAnna,
        by,
        type: 'cash',
        kind,
        reference,
        currency: 'EUR',
        balance,
        units,
      });
      const block = { type: 'block', blocked: true, until };
      const expected = [
        cash('opening', '#opening EUR real', 'real', '100'),
        cash('opening', '#opening EUR bonus', 'bonus', '7'),
        cash('deposit', 'd é/ %', 'real', '20'),
        cash('withdrawal', 'w', 'bonus', '-3'),
        cash('correction', 'c', 'real', '-5', bert),
        { ...byAnna, reason: null, ...block },
        { ...byAnna, by: bert, type: 'limit', limit: { ...terms, amount: '70' } },
        { ...byAnna, by: bert, reason: null, type: 'limit', limit: { ...terms, amount: null } },
        { ...byAnna, by: bert, type: 'block', blocked: false, until: null },
      ];
      const acts = await allActs(store, player.operatorId);
      assert.deepEqual(
        acts.map((act) => sortedText(JSON.parse(lineOf(act)))).toSorted(),
        expected.map(sortedText).toSorted(),
      );
      const times = acts.map(({ at }) => at);
      assert.deepEqual(
        times,
        times.toSorted((one, other) => other - one),
        'the newest first',
      );
    },
  );

  checkPlayers(
    'what a program does, and what is refused, is not listed',
    async (store, players) => {
      const player = ofPlayer(freshRound());
      const order = { ...player, currency: 'EUR', amount: { units: 20n }, by: anna, reason: why };
      const { by: _, ...byProgram } = order;
      await players.setBlocked(player, true, { by: anna });
      await players.deposit({ ...order, reference: 'nobody' });
      await players.openPlayer(contractPlayer(player, 'EUR', 10n, 5n));
      await players.deposit({ ...byProgram, reference: 'one' });
      await players.deposit({ ...order, reference: 'one' });
      await players.deposit({ ...order, amount: { units: 21n }, reference: 'one' });
      await players.withdraw({ ...order, amount: { units: 1000n }, reference: 'two' });
      await players.setBlocked(player, true, { reason: 'too often' });
      const limit = { kind: 'deposit', currency: 'EUR', window: 'day' } as const;
      await players.setLimit?.(player, { ...limit, amount: { units: 30n } });
      await players.setLimit?.(
        player,
        { ...limit, amount: { units: 40n }, window: 'week', zone: 'Asia/Tokyo' },
        { by: anna },
      );
      await players.deposit({ ...order, amount: { units: 999n }, reference: 'three' });
      assert.deepEqual(await allActs(store, player.operatorId), []);
    },
  );

  it('a proposal and its decision are acts of two people', async (wallet) => {
    const play = await RoundPlay.stranded(wallet);
    const { operatorId, gameRound } = play.round;
    const rejected = await play.proposed({}, anna);
    const note = 'It is not what the RGS said';
    play.aheadMs += 10;
    await rejectRepair(play.round, rejected, bert, note, play.options());
    play.aheadMs += 10;
    const made = await play.proposed({}, bert);
    play.aheadMs += 10;
    assert.equal(wordOfResult(await play.approve(made, anna)), 'made');
    await play.call(voidOf('d'));
    const acts = await allActs(wallet.store, operatorId, { kind: 'repair' });
    const said = acts.map((act) =>
      act.type === 'repair' ? [act.step, act.repair, act.by.id, act.by.name, act.reason] : [],
    );
    const reason = acts.at(-1)?.reason;
    assert.match(String(reason), /^The RGS confirms the win/);
    assert.deepEqual(said, [
      ['approved', made, anna.id, anna.name, null],
      ['proposed', made, bert.id, bert.name, reason],
      ['rejected', rejected, bert.id, bert.name, note],
      ['proposed', rejected, anna.id, anna.name, reason],
    ]);
    for (const act of acts) {
      assert.ok(act.type === 'repair');
      const { kind, currency, amount } = act;
      assert.deepEqual([act.gameRound, kind, currency, amount], [gameRound, 'pay', 'EUR', 25n]);
      assert.deepEqual(ofPlayer(act), ofPlayer(play.round));
    }
  });

  it('an approval is an act whatever the account answers', async (wallet) => {
    const play = await RoundPlay.open(wallet);
    await play.call(debit('d', 10n, true));
    await play.call(credit('c', maxUnits));
    const id = await play.proposed({}, anna);
    play.aheadMs += 10;
    assert.equal(wordOfResult(await play.approve(id, bert)), 'refusedByAccount');
    const [last] = await allActs(wallet.store, play.round.operatorId);
    assert.deepEqual([last?.type === 'repair' && last.step, last?.by.id], ['approved', 'bert']);
    assert.equal(last?.reason, null);
  });

  it('a list says from when on it has all acts', async ({ store }) => {
    const { operatorId } = freshRound();
    const { acts, next, since } = await pageOf(store, operatorId);
    assert.deepEqual([acts, next], [[], null]);
    assert.ok(since === null || (Number.isSafeInteger(since) && since > 0));
    assert.equal((await pageOf(store, operatorId)).since, since);
  });
}

/** The same for objects with the same members, in whatever order these are. */
function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    one === null || typeof one !== 'object'
      ? one
      : Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  );
}
