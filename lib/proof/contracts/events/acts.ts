import assert from 'node:assert/strict';
import type { PlayerKey, WalletEvent } from '../../../operator/wallet';
import { freshRound } from '../case';
import { commitFirst, end, take } from '../changes';
import { contractPlayer } from '../../subject/players';
import type { Case } from '../suite';
import { type ContractEvents, readAllOf, waitingFor } from './case';
import { moneyOf, type WithPlayers } from './player-money';

/** What is done to players outside the rounds. */
export function actRules(it: Case<ContractEvents>): void {
  const checkActs = (name: string, rule: (made: WithPlayers) => Promise<void>): void =>
    it(name, async ({ store }) => {
      const { players } = store;
      // Where the money is elsewhere, so are the acts.
      if (players !== undefined) await rule({ store, players });
    });
  const by = { id: 'ann', name: 'Ann' };

  checkActs('each act is one event, and a repetition or a refusal is none', async (made) => {
    const { store, players } = made;
    const player = key();
    const euros = { ...player, currency: 'EUR' };
    const open = { ...euros, balances: { real: '1', bonus: '0.5' }, by, reason: 'a gift' };
    const deposit = { ...euros, amount: '2', reference: 'r/1' };
    const reason = 'a wrong deposit';
    for (let turn = 0; turn < 2; turn++) {
      await players.openPlayer(open);
      await players.deposit(deposit);
      await players.deposit({ ...deposit, amount: '3' });
      await players.withdraw({ ...euros, amount: '9', reference: 'r2', by });
      await players.withdraw({ ...euros, amount: '0.1', balance: 'bonus', reference: 'r3', by });
      await players.correct?.({ ...euros, amount: '-0.5', reference: 'r1', by, reason });
      await players.setBlocked(player, true, { by, reason: 'asked for' });
      await players.setBlocked(player, true, { by, reason: 'asked for' });
    }
    await players.setBlocked(player, false);
    const events = await readAllOf(store, player.operatorId);
    const shared = (id: string, real: string, bonus: string, at = '') => ({
      id: `${encodeURIComponent(player.operatorId)}/${encodeURIComponent(player.playerId)}/${id}`,
      ...player,
      at,
      accounts: [{ currency: 'EUR', real, bonus }],
    });
    const block = { type: 'block', until: null };
    assert.deepEqual(
      events.map((event) => ({ ...event, at: '' })),
      [
        {
          ...cash('opening', null, '1', '0.5'),
          ...shared('open/EUR', '1', '0.5'),
          by,
          reason: 'a gift',
        },
        { ...cash('deposit', 'r/1', '2', '0'), ...shared('cash/r%2F1', '3', '0.5') },
        { ...cash('withdrawal', 'r3', '0', '-0.1'), ...shared('cash/r3', '3', '0.4'), by },
        {
          ...cash('correction', 'r1', '-0.5', '0'),
          ...shared('cash/r1', '2.5', '0.4'),
          by,
          reason,
        },
        { ...block, ...shared('block/1', '2.5', '0.4'), blocked: true, by, reason: 'asked for' },
        { ...block, ...shared('block/2', '2.5', '0.4'), blocked: false, by: null, reason: null },
      ],
    );
    for (const { at } of events) assert.equal(new Date(at).toISOString(), at);
    assert.deepEqual(Object.keys(events[0] ?? {}).slice(0, 5), shownFirst);
  });

  checkActs('events are in the order of the balances, and add up to them (O12)', async (made) => {
    const { store, players } = made;
    const player = key();
    const money = moneyOf(player);
    const orders = Array.from({ length: 6 }, (_, at) => `o-${at}`);
    await players.openPlayer(contractPlayer(player, 'EUR', 100n, 50n));
    await players.openPlayer(contractPlayer(player, 'USD', 7n));
    await Promise.all([
      ...orders.map((reference) => {
        const amount = { units: 5n };
        return players.deposit({ ...player, currency: 'EUR', amount, reference });
      }),
      ...orders.map((gameRound) => commitFirst(store, { ...player, gameRound }, [take('d', 9n)])),
      players.withdraw({ ...player, currency: 'USD', amount: { units: 7n }, reference: 'w' }),
    ]);
    for (const event of await readAllOf(store, player.operatorId)) money.follow(event);
    await money.check(players);
  });

  checkActs('a consumer that asks for types gets these, and the others are done', async (made) => {
    const { store, players } = made;
    const player = key();
    await players.openPlayer(contractPlayer(player, 'EUR', 100n));
    await commitFirst(store, { ...player, gameRound: 'r' }, [end('e')]);
    await players.setBlocked(player, true);
    const { operatorId } = player;
    const types: WalletEvent['type'][] = [];
    for (const type of ['block', 'cash'] as const) {
      const request = { consumer: type === 'block' ? 'contract-b' : 'contract-a', operatorId };
      for await (const batch of store.events.read({ ...request, types: [type] })) {
        types.push(...batch.events.map((one) => one.type));
        await batch.done();
        break;
      }
      assert.equal(await waitingFor(store, operatorId, request.consumer), 0);
    }
    assert.deepEqual(types, ['block', 'cash']);
    await commitFirst(store, { ...player, gameRound: 's' }, [end('e')]);
    await players.setBlocked(player, false);
    for await (const batch of store.events.read({
      consumer: 'contract-a',
      operatorId,
      atMost: 1,
      types: ['block'],
    })) {
      assert.deepEqual(
        batch.events.map((one) => one.type),
        ['block'],
      );
      await batch.done();
      break;
    }
    assert.equal(await waitingFor(store, operatorId), 0);
  });
}

const shownFirst = ['type', 'id', 'operatorId', 'playerId', 'at'];

/** A new player. */
function key(): PlayerKey {
  const { operatorId, playerId } = freshRound();
  return { operatorId, playerId };
}

/** The members of an event of cash alone; nobody did it, unless overwritten. */
function cash(kind: string, reference: string | null, real: string, bonus: string) {
  const movements = [{ currency: 'EUR', real, bonus }];
  return { type: 'cash', kind, reference, by: null, reason: null, movements };
}
