import assert from 'node:assert/strict';
import { unseenRound } from '../../../operator/gameround';
import { nextTurn } from '../../../platform/turn';
import type { RoundEvent, RoundKey, WalletEvent, WalletStore } from '../../../operator/wallet';
import { anotherRound, assertCommitted, inTurns, open, purseOf, snapshotOf } from '../case';
import { freshId } from '../../subject/runner';
import { changeOf, end, give, real, take, takeMore, commitFirst } from '../changes';
import type { Case } from '../suite';
import { sumOf } from './content';
import {
  nextBatch,
  ofRounds,
  playerWith,
  readEvents,
  upTo,
  versionsOf,
  waitingFor,
  type ContractEvents,
} from './case';

/** How events reach a consumer. */
export function deliveryRules(it: Case<ContractEvents>): void {
  it('what was not acknowledged is delivered again, also to another iteration', async (made) => {
    const { store } = made;
    const round = await playerWith(made, 10n);
    await commitFirst(store, round, [take('d', 1n)]);
    const first = await nextBatch(store, round.operatorId);
    const again = await nextBatch(store, round.operatorId);
    assert.deepEqual(idsOf(again.events), idsOf(first.events));
    assert.equal(await first.done(), true);
    assert.equal(await first.done(), true);
    assert.equal(await again.done(), false);
    assert.equal(await waitingFor(store, round.operatorId), 0);
  });

  it('each consumer has its own position', async (made) => {
    const { store } = made;
    const round = await playerWith(made, 10n);
    await commitFirst(store, round, [end('e')]);
    const { operatorId } = round;
    const [one] = await readEvents(store, operatorId, 1);
    assert.equal(await waitingFor(store, operatorId), 0);
    assert.equal(await waitingFor(store, operatorId, 'contract-b'), 1);
    const [other] = await readEvents(store, operatorId, 1, { consumer: 'contract-b' });
    assert.deepEqual(idsOf([one, other]), [one?.id, one?.id]);
    assert.equal(await waitingFor(store, operatorId, 'contract-b'), 0);
  });

  it('an operator sees its own events only', async (made) => {
    const { store } = made;
    const [one, other] = [await playerWith(made, 1n), await playerWith(made, 1n)];
    for (const round of [one, other]) {
      await commitFirst(store, round, [end('e')]);
    }
    for (const round of [one, other]) {
      const [event] = await readEvents(store, round.operatorId, 1);
      assert.equal(event?.playerId, round.playerId);
      assert.equal(await waitingFor(store, round.operatorId), 0);
    }
  });

  it('many events come page by page, none twice', async (made) => {
    const { store } = made;
    const round = await playerWith(made, 1000n);
    let before = unseenRound;
    for (const turn of upTo(25)) {
      const part = before.version === 0 ? take('d-1', 1n) : takeMore(`d-${turn}`, 1n);
      assertCommitted(await store.rounds.commit(round, changeOf(before, [part])));
      before = (await snapshotOf(store, round)).head;
    }
    const events = await readEvents(store, round.operatorId, before.version, { atMost: 7 });
    assert.deepEqual(versionsOf(events, round), upTo(before.version));
    assert.equal(await waitingFor(store, round.operatorId), 0);
  });

  it('the lag tells how many events wait, and since when', async (made) => {
    const { store } = made;
    const round = await playerWith(made, 10n);
    const rounds = [round, anotherRound(round), anotherRound(round)];
    for (const one of rounds) await commitFirst(store, one, [end('e')]);
    const lags = await store.events.lag(round.operatorId);
    const lag = lags.find(({ consumer }) => consumer === 'contract-a');
    assert.equal(lag?.waiting, 3);
    const events = await readEvents(store, round.operatorId, 3);
    assert.equal(lag?.oldestAt, Date.parse(events[0]?.at ?? ''));
    const [after] = (await store.events.lag(round.operatorId)).filter(
      ({ consumer }) => consumer === 'contract-a',
    );
    assert.deepEqual([after?.waiting, after?.oldestAt], [0, null]);
  });

  it('concurrent commits and rival readers: every version is delivered, none is lost, sums are exact', async (made) => {
    const { store, players } = made;
    const operatorId = freshId('operator');
    const rounds = upTo(12).map((index): RoundKey => {
      const playerId = `player-${index % 4}`;
      return { operatorId, playerId, gameRound: freshId('round') };
    });
    for (const one of rounds.slice(0, 4)) await open(players, one, 'EUR', 1000n, 50n);
    const stopping = new AbortController();
    const byId = new Map<string, RoundEvent>();
    const read = async (): Promise<void> => {
      const { signal } = stopping;
      const request = { consumer: 'contract-a', operatorId, atMost: 3, signal };
      for await (const batch of store.events.read(request)) {
        for (const event of ofRounds(batch.events)) byId.set(event.id, event);
        await batch.done();
      }
    };
    const reading = [read(), read()];
    await inTurns(rounds, (round) => playRound(store, round));
    while ((await waitingFor(store, operatorId)) > 0) await nextTurn();
    stopping.abort();
    await Promise.all(reading);
    const events = [...byId.values()];
    for (const round of rounds) {
      const { head } = await snapshotOf(store, round);
      assert.deepEqual(versionsOf(events, round).toSorted(byNumber), upTo(head.version));
    }
    for (const one of rounds.slice(0, 4)) {
      const own = events.filter(({ playerId }) => playerId === one.playerId);
      const purse = await purseOf(store, one);
      assert.deepEqual(sumOf(own, 'EUR'), [purse.real - 1000n, purse.bonus - 50n]);
    }
  });

  it('a player’s events come in the order of the balances', async (made) => {
    const { store } = made;
    const round = await playerWith(made, 1000n);
    const rounds = [round, ...upTo(5).map(() => anotherRound(round))];
    await inTurns(rounds, (one) => playRound(store, one));
    const heads = await Promise.all(rounds.map(async (one) => snapshotOf(store, one)));
    const count = heads.reduce((sum, { head }) => sum + head.version, 0);
    const events = await readEvents(store, round.operatorId, count, { atMost: 4 });
    for (const one of rounds) {
      const { head } = await snapshotOf(store, one);
      assert.deepEqual(versionsOf(events, one), upTo(head.version));
    }
    let left = 1000n;
    for (const event of events) {
      left += sumOf([event], 'EUR')[0];
      const [account] = event.accounts ?? [];
      if (account !== undefined) assert.equal(sumOf([asMovement(account.real)], 'EUR')[0], left);
    }
    assert.equal((await purseOf(store, round)).real, left);
  });
}

/** A debit, a win and an end, each its own commit; repeated while the round or the funds moved. */
async function playRound(store: WalletStore, round: RoundKey): Promise<void> {
  for (const parts of [[take('d', 7n)], [takeMore('m', 5n)], [give('c', real(3n)), end('e')]]) {
    for (;;) {
      const { head } = await snapshotOf(store, round);
      const result = await store.rounds.commit(round, changeOf(head, parts));
      if (result.kind === 'committed') break;
      assert.ok(result.kind === 'stale' || result.kind === 'unknown', result.kind);
    }
  }
}

/** An event that moves this amount alone, to compare amounts in one way. */
function asMovement(amount: string): RoundEvent {
  const movement = { hash: '', currency: 'EUR', real: amount, bonus: '0' };
  return { movements: [movement] } as unknown as RoundEvent;
}

function idsOf(events: readonly (WalletEvent | undefined)[]): (string | undefined)[] {
  return events.map((event) => event?.id);
}

function byNumber(one: number, other: number): number {
  return one - other;
}
