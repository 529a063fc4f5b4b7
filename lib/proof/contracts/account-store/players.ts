import assert from 'node:assert/strict';
import { maxUnits } from '../../../protocol/money/amount';
import type { AccountStore, CashOrder, NewPlayer, PlayerKey } from '../../../operator/wallet';
import { accountsOf, countKinds, freshRound, open, orderOf, playerWith, purseOf } from '../case';
import { sorted } from '../../subject/players';
import { type Case, faultOf, wrongText, wrongUse } from '../suite';

/** Players: opening, and who is known. */
export function playerRules(it: Case<AccountStore>): void {
  it('an account is opened once, and what it holds stays', async (store) => {
    const player = await playerWith(store.players, 100n, 5n);
    await store.players.deposit(orderOf(player, 7n));
    const again = await store.players.openPlayer({
      ...playerKey(player),
      currency: 'EUR',
      balances: unitsIn(1n),
    });
    const account = { currency: 'EUR', real: 107n, bonus: 5n };
    assert.deepEqual(again, { kind: 'existed', account });
    assert.deepEqual(await accountsOf(store, player), [account]);
  });

  it('of many concurrent openings one counts', async (store) => {
    const player = { ...playerKey(freshRound()), currency: 'EUR' };
    const results = await Promise.all(
      [1n, 2n, 3n, 4n, 5n].map((units) =>
        store.players.openPlayer({ ...player, balances: unitsIn(units) }),
      ),
    );
    assert.deepEqual(countKinds(results), { opened: 1, existed: 4 });
    const opened = results.find(({ kind }) => kind === 'opened');
    const [account] = await accountsOf(store, player);
    assert.ok(opened?.kind === 'opened');
    assert.deepEqual(account, opened.account);
  });

  it('readPlayer returns the block with the accounts, as of one moment', async (store) => {
    const round = await playerWith(store.players, 100n, 5n);
    await open(store.players, round, 'USD', 7n);
    const accounts = [
      { currency: 'EUR', real: 100n, bonus: 5n },
      { currency: 'USD', real: 7n, bonus: null },
    ];
    for (const blocked of [false, true, true, false]) {
      assert.deepEqual(await store.players.setBlocked(round, blocked), { kind: 'done' });
      const player = await store.players.readPlayer(round);
      assert.ok(player.kind === 'known', 'the player must be known');
      assert.deepEqual([player.blocked, sorted(player.accounts)], [blocked, accounts]);
    }
    assert.deepEqual(await store.players.readPlayer(freshRound()), { kind: 'noPlayer' });
  });

  it('a player in a new currency is blocked as before', async (store) => {
    const round = await playerWith(store.players, 100n);
    await store.players.setBlocked(round, true);
    await open(store.players, round, 'USD', 7n);
    const player = await store.players.readPlayer(round);
    assert.ok(player.kind === 'known' && player.blocked, 'the player must be blocked');
  });

  it('blocked must be true or false, and anything else changes nothing', async (store) => {
    const round = await playerWith(store.players, 100n);
    for (const blocked of [true, false]) {
      await store.players.setBlocked(round, blocked);
      for (const wrong of [undefined, null, 0, 1, '', 'false', 'true', {}, []]) {
        const mistake = store.players.setBlocked(round, wrong as boolean);
        await assert.rejects(mistake, { name: 'TypeError', message: /blocked/ });
      }
      const inOneObject = store.players.setBlocked(
        { ...round, blocked: !blocked } as PlayerKey,
        undefined as never,
      );
      await assert.rejects(inOneObject, {
        name: 'TypeError',
        message: 'blocked is missing: true or false',
      });
      const player = await store.players.readPlayer(round);
      assert.ok(player.kind === 'known' && player.blocked === blocked, 'nothing must have changed');
    }
  });

  it('blocking an unknown player blocks nobody and makes no player', async (store) => {
    const player = freshRound();
    assert.deepEqual(await store.players.setBlocked(player, true), { kind: 'noPlayer' });
    assert.deepEqual(await store.rounds.accounts(player), { kind: 'known', accounts: null });
  });
}

/** Input: amounts with decimals, and programming errors. */
export function inputRules(it: Case<AccountStore>): void {
  for (const [decimals, units] of [
    [4, 105_000n],
    [2, 1_050n],
  ] as const) {
    it(
      `amounts are texts with up to ${decimals} decimals, as many as the store keeps`,
      async (store) => {
        assert.equal(store.decimals, decimals);
        const player = freshRound();
        const balances = { real: '10.50', bonus: '0' };
        const result = await store.players.openPlayer({
          ...playerKey(player),
          currency: 'EUR',
          balances,
        });
        const account = { currency: 'EUR', real: units, bonus: 0n };
        assert.deepEqual(result, { kind: 'opened', account });
        const order = { ...orderOf(player, 1n), amount: '10.5' };
        await store.players.deposit(order);
        assert.equal((await purseOf(store, player)).real, 2n * units);
        const finer = { ...order, amount: `0.${'0'.repeat(decimals)}1` };
        await assert.rejects(store.players.deposit(finer), wrongText);
      },
      { decimals },
    );
  }

  it('a wrong text in an order is an InvalidInputError that names the field, another mistake a TypeError, and nothing moves', async (store) => {
    const player = await playerWith(store.players, 100n);
    const order = orderOf(player, 1n);
    const mistakes: Partial<Record<keyof CashOrder, unknown>>[] = [
      ...['-1', '1,5', '', 'ten', '0', '1e3', '1E2', '1e-3', '05'].map((amount) => ({ amount })),
      ...[0n, -1n, maxUnits + 1n, 1].map((units) => ({ amount: { units } })),
      ...[1n, 1, null, {}].map((amount) => ({ amount })),
      ...['eur', 'EURO', '', 'E R'].map((currency) => ({ currency })),
      ...['', 'a#b', 'a\nb', 'x'.repeat(129), '\ud800', 7].map((reference) => ({ reference })),
      { operatorId: '' },
      { playerId: 'a\u0000' },
      { balance: 'demo' },
    ];
    for (const mistake of mistakes) {
      const wrong = { ...order, ...mistake } as CashOrder;
      const [[field, value] = []] = Object.entries(mistake);
      const fault = faultOf(value) === wrongText ? { ...wrongText, field } : wrongUse;
      await assert.rejects(store.players.deposit(wrong), fault);
      await assert.rejects(store.players.withdraw(wrong), fault);
    }
    assert.equal((await purseOf(store, player)).real, 100n);
  });

  it('a wrong text in a player is an InvalidInputError, another mistake a TypeError, and nobody is opened', async (store) => {
    const player = { ...playerKey(freshRound()), currency: 'EUR', balances: unitsIn(1n) };
    const inText: Partial<Record<keyof NewPlayer, unknown>>[] = [
      { playerId: '' },
      { operatorId: 'x'.repeat(129) },
      { currency: 'eur' },
      ...['1.00001', '1e1', '01'].map((amount) => ({ balances: { real: amount } })),
      { balances: { real: '1', bonus: '-1' } },
    ];
    const inUse: Partial<Record<keyof NewPlayer, unknown>>[] = [
      ...[-1n, maxUnits + 1n, 1].map((units) => ({ balances: { real: { units } } })),
      ...[1n, 1].map((amount) => ({ balances: { real: amount } })),
      { balances: { real: '1', bonus: { units: -1n } } },
      { balances: undefined },
    ];
    for (const [mistakes, fault] of [
      [inText, wrongText],
      [inUse, wrongUse],
    ] as const) {
      for (const mistake of mistakes) {
        const wrong = { ...player, ...mistake } as NewPlayer;
        await assert.rejects(store.players.openPlayer(wrong), fault);
      }
    }
    await assert.rejects(store.players.setBlocked({ ...player, playerId: '' }, true), wrongText);
    assert.deepEqual(await store.rounds.accounts(player), { kind: 'known', accounts: null });
  });
}

/** Balances of real money only, in units. */
function unitsIn(units: bigint): NewPlayer['balances'] {
  return { real: { units } };
}

/** Missing fields are named: a store that looked them up would answer that nobody is there. */
export function missingRules(it: Case<AccountStore>): void {
  it('a missing field of an order is a TypeError that names it', async (store) => {
    const order = orderOf(await playerWith(store.players, 100n), 1n);
    for (const move of ['deposit', 'withdraw'] as const) {
      const none = store.players[move](undefined as never);
      await assert.rejects(none, { name: 'TypeError', message: 'the order is missing' });
      for (const name of ['operatorId', 'playerId', 'currency', 'amount', 'reference']) {
        const lacking = store.players[move]({ ...order, [name]: undefined });
        await assert.rejects(lacking, { name: 'TypeError', message: `${name} is missing` });
      }
    }
  });

  it('a missing field of a player is a TypeError that names it', async (store) => {
    const { operatorId, playerId } = await playerWith(store.players, 100n);
    const player = { operatorId, playerId, currency: 'EUR', balances: unitsIn(1n) };
    const methods: Record<string, (lacking: never) => Promise<unknown>> = {
      openPlayer: (lacking) => store.players.openPlayer(lacking),
      accounts: (lacking) => store.rounds.accounts(lacking),
      readPlayer: (lacking) => store.players.readPlayer(lacking),
      setBlocked: (lacking) => store.players.setBlocked(lacking, true),
    };
    for (const method of Object.values(methods)) {
      await assert.rejects(method(undefined as never), {
        name: 'TypeError',
        message: 'the player is missing',
      });
      for (const name of ['operatorId', 'playerId']) {
        const lacking = method({ ...player, [name]: undefined } as never);
        await assert.rejects(lacking, { name: 'TypeError', message: `${name} is missing` });
      }
    }
    for (const [name, lacking] of [
      ['currency', { ...player, currency: undefined }],
      ['balances', { ...player, balances: undefined }],
      ['balances.real', { ...player, balances: {} }],
    ] as const) {
      const opening = store.players.openPlayer(lacking as never);
      await assert.rejects(opening, { name: 'TypeError', message: `${name} is missing` });
    }
  });

  it('a missing part of a round key is a TypeError that names it', async (store) => {
    const round = freshRound();
    for (const name of ['operatorId', 'playerId', 'gameRound']) {
      const lacking = store.rounds.readRound({ ...round, [name]: undefined });
      await assert.rejects(lacking, { name: 'TypeError', message: `${name} is missing` });
    }
    const list = store.lists.attention(undefined as never)[Symbol.asyncIterator]();
    await assert.rejects(list.next(), { name: 'TypeError', message: 'operatorId is missing' });
  });
}

function playerKey({ operatorId, playerId }: PlayerKey): PlayerKey {
  return { operatorId, playerId };
}
