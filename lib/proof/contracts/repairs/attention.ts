import assert from 'node:assert/strict';
import { emptyPurse } from '../../../protocol/money/purse';
import type { RoundHead } from '../../../operator/gameround';
import type { AttentionEntry, WalletStore } from '../../../operator/wallet';
import { anotherRound, assertCommitted, playerWith, snapshotOf } from '../case';
import {
  type ChangePart,
  changeOf,
  creditRecord,
  give,
  note,
  real,
  take,
  commitFirst,
} from '../changes';
import type { ContractWallet } from '../../subject/players';
import { oddIds } from '../samples';
import type { Case } from '../suite';

const since = 1_700_000_123_456;

/** What a round that needs attention says of itself. */
export function attentionRules(it: Case<ContractWallet>): void {
  it('a stranded round says since when, its game, and the win that was not paid', async ({
    store,
    players,
  }) => {
    const round = await playerWith(players, 100n);
    const parts = [take('d', 30n), refused('c', 45n)];
    const head = { state: 'stranded', changedAt: since } as const;
    await commitFirst(store, round, parts, head);
    const { gameCode } = (await snapshotOf(store, round)).head;
    const stake = { currency: 'EUR', atStake: 45n, refusal: 'CREDITREFUSED' };
    assert.deepEqual(await entriesOf(store, round.operatorId), [
      { ...round, state: 'stranded', stateSince: since, gameCode, ...stake },
    ]);
  });

  it('credits that were refused after others, in a later commit, are summed', async ({
    store,
    players,
  }) => {
    const round = await playerWith(players, 100n);
    await commitFirst(store, round, [take('d', 30n), give('paid', real(5n))]);
    const { head } = await snapshotOf(store, round);
    const parts = [refused('one', 20n), refused('two', 3n, 'GAMEROUNDNOTACTIVE')];
    const crashed = changeOf(head, parts, { state: 'crashed', changedAt: since });
    assertCommitted(await store.rounds.commit(round, crashed));
    const [entry] = await entriesOf(store, round.operatorId);
    assert.deepEqual([entry?.state, entry?.atStake], ['crashed', 23n]);
    assert.equal(entry?.refusal, 'CREDITREFUSED');
  });

  it('a win in another currency is shown in that one', async ({ store, players }) => {
    const round = await playerWith(players, 100n);
    const win = note(
      'c',
      creditRecord(emptyPurse, { outcome: 'CURRENCYNOTSUPPORTED', currency: 'USD', amount: 7n }),
    );
    const head = { state: 'stranded', changedAt: since } as const;
    await commitFirst(store, round, [take('d', 30n), win], head);
    const [entry] = await entriesOf(store, round.operatorId);
    assert.deepEqual([entry?.currency, entry?.atStake], ['USD', 7n]);
  });

  it('an odd game code and the odd hash that stranded a round are listed', async (wallet) => {
    const round = await playerWith(wallet.players, 100n);
    const texts = [...oddIds, 'a\tb', 'a\nb', '%09'];
    for (const [at, text] of texts.entries()) {
      const record = creditRecord(emptyPurse, { outcome: 'DEBITFAILEDBEFORE', amount: 7n });
      const parts = [take('first', 1n), note(text, record), refused('no', 2n)];
      const head = { state: 'stranded', gameCode: text, stuckBy: text } as const;
      await commitFirst(wallet.store, { ...round, gameRound: String(at) }, parts, head);
    }
    const entries = await entriesOf(wallet.store, round.operatorId);
    const listed = entries.map(({ gameRound, gameCode, atStake }) => {
      return JSON.stringify([Number(gameRound), gameCode, String(atStake)]);
    });
    const expected = texts.map((text, at) => JSON.stringify([at, text, '9']));
    assert.deepEqual(listed.toSorted(), expected.toSorted());
  });

  it('a list that is read again has what has changed, and only that', async (wallet) => {
    const { store, players } = wallet;
    const round = await playerWith(players, 100n);
    const other = anotherRound(round);
    const stranded = { state: 'stranded', changedAt: since } as const;
    for (const one of [round, other]) {
      await commitFirst(store, one, [take('d', 30n), refused('one', 20n)], stranded);
    }
    const stakes = async () => {
      const entries = await entriesOf(store, round.operatorId);
      return new Map(entries.map(({ gameRound, atStake }) => [gameRound, atStake]));
    };
    const next = async (parts: readonly ChangePart[], head: Partial<RoundHead>) => {
      const { head: before } = await snapshotOf(store, round);
      assertCommitted(await store.rounds.commit(round, changeOf(before, parts, head)));
    };
    const [first, second] = [await stakes(), await stakes()];
    await next([refused('two', 3n)], stranded);
    const third = await stakes();
    await next([], { state: 'closed' });
    const seen = [first, second, third, await stakes()];
    const [at, beside] = [round, other].map(({ gameRound }) => gameRound);
    assert.deepEqual(
      seen.map((one) => [one.get(at ?? ''), one.get(beside ?? '')]),
      [
        [20n, 20n],
        [20n, 20n],
        [23n, 20n],
        [undefined, 20n],
      ],
    );
  });

  it('a cancelled round says what its void would give back', async ({ store, players }) => {
    const player = await playerWith(players, 100n);
    const lost = anotherRound(player);
    const won = anotherRound(player);
    const head = { state: 'cancelled', changedAt: since } as const;
    const taken = [take('d', 30n), give('c', real(12n)), refused('no', 9n)];
    await commitFirst(store, lost, taken, head);
    const given = [take('d', 1n), give('c', real(50n))];
    await commitFirst(store, won, given, head);
    const entries = await entriesOf(store, player.operatorId);
    const stakes = new Map(entries.map(({ gameRound, atStake }) => [gameRound, atStake]));
    assert.deepEqual([stakes.get(lost.gameRound), stakes.get(won.gameRound)], [18n, -49n]);
  });
}

/** A credit that was refused for good. */
export function refused(
  hash: string,
  amount: bigint,
  outcome: 'CREDITREFUSED' | 'GAMEROUNDNOTACTIVE' = 'CREDITREFUSED',
): ChangePart {
  return note(hash, creditRecord(emptyPurse, { outcome, amount, at: since }));
}

async function entriesOf(store: WalletStore, operatorId: string): Promise<AttentionEntry[]> {
  const entries: AttentionEntry[] = [];
  for await (const entry of store.lists.attention(operatorId)) entries.push({ ...entry });
  return entries;
}
