import { expect, test } from '@jest/globals';

import { lapseOf } from '../../../../lib/operator/gameround/repairs/standing';
import { approveRepair } from '../../../../lib/operator/operations/repairs/decision';
import { proposeRepair } from '../../../../lib/operator/operations/repairs/propose';
import { createLedgerStore } from '../../../../lib/operator/ledger';
import { createMemoryStore } from '../../../../lib/operator/stores/memory';
import { createMemoryLedger } from '../../../../lib/proof';
import { snapshotOf } from '../../../../lib/proof/contracts/case';
import {
  credit,
  debit,
  RoundPlay,
  voidOf,
  wordOfResult,
} from '../../../../lib/proof/contracts/repairs/round-play';

function inMemory() {
  const store = createMemoryStore({ decimals: 0 });
  return { store, players: store.players };
}

const order = { kind: 'pay', reason: 'as the RGS told us' } as const;
const anna = { id: 'anna', name: null };
const bert = { id: 'bert', name: null };

test('a proposal moves nothing, and there is one at a time (D11.1)', async () => {
  const play = await RoundPlay.stranded(inMemory());
  await play.proposed({ kind: 'resolve', reference: 'bank-1' });
  expect(await play.propose({}).then(wordOfResult)).toBe('alreadyProposed');
  await play.is('stranded', 90n);
});

test('proposals that came to nothing do not count: a round takes 20 repairs that were made (D11.1)', async () => {
  const play = await RoundPlay.stranded(inMemory());
  for (let at = 0; at < 21; at++) {
    await play.proposed({});
    play.aheadMs += 25 * 3_600_000;
  }
  for (let at = 0; at < 20; at++) {
    await play.repaired({ kind: 'resolve', reference: 'bank-1' });
    await play.call(credit(`late ${at}`, 1n));
  }
  expect(await play.propose({ hash: 'c' }).then(wordOfResult)).toBe('tooMany');
  await play.is('stranded', 90n);
});

test('a proposal of an earlier version of the round is stale, and says so (D11.2)', async () => {
  const play = await RoundPlay.stranded(inMemory());
  const id = await play.proposed({});
  await play.call(credit('other', 1n));
  expect(await play.approve(id).then(wordOfResult)).toBe('stale');
  const report = await play.wallet.store.rounds.readRound(play.round);
  expect(report?.toJSON().repairs?.map(({ status }) => status)).toEqual(['stale']);
});

test('a proposal can be approved for 24 hours, and not any more when they are over (D11.2)', async () => {
  const play = await RoundPlay.stranded(inMemory());
  await play.proposed({});
  const { head } = await snapshotOf(play.wallet.store, play.round);
  const [repair] = head.repairs?.list ?? [];
  if (repair === undefined) throw new Error('nothing is proposed');
  const endsAt = repair.proposedAt + 24 * 3_600_000;
  expect(lapseOf(repair, head, endsAt - 1)).toBeNull();
  expect(lapseOf(repair, head, endsAt)).toBe('expired');
});

test('a paid credit keeps its refusal (D11.3)', async () => {
  const play = await RoundPlay.stranded(inMemory());
  await play.repaired({});
  expect(await play.call(credit('c', 25n))).toEqual(['DEBITFAILEDBEFORE']);
  await play.is('closed', 115n);
});

test('a credit that was declined after a debit of its call cannot be paid (D11.3)', async () => {
  const play = await RoundPlay.open(inMemory());
  await play.call(debit('d', 10n, true));
  await play.call(debit('e', 1000n), credit('never', 50n));
  await play.call(credit('c', 25n));
  await play.is('stranded', 90n);
  expect(await play.propose({ hash: 'never' }).then(wordOfResult)).toBe('notUnpaid');
});

test.each([
  ['void, then nothing to pay', true],
  ['pay, then void', false],
])(
  'the order of void and repair makes no difference to the money: %s (D11.4)',
  async (_, isFirst) => {
    const play = await RoundPlay.stranded(inMemory());
    if (isFirst) await play.call(voidOf('d'));
    if (isFirst) expect(await play.propose({}).then(wordOfResult)).toBe('notStuck');
    else await play.repaired({});
    if (!isFirst) await play.call(voidOf('d'));
    await play.is('voided', 100n);
  },
);

test('a void of a follow-up debit reverses what a repair paid of the win after it (D11.4)', async () => {
  const play = await RoundPlay.open(inMemory());
  await play.call(debit('d', 10n, true));
  await play.call(debit('e', 20n), credit('c', 7n, 'USD'));
  await play.wallet.players.openPlayer({
    ...play.round,
    currency: 'USD',
    balances: { real: { units: 0n } },
  });
  await play.repaired({});
  await play.call(voidOf('e'));
  await play.is('open', 90n);
  const result = await play.wallet.store.rounds.accounts(play.round);
  const dollars =
    result.kind === 'known' && result.accounts?.find(({ currency }) => currency === 'USD');
  expect(dollars).toMatchObject({ real: 0n });
});

test.each([
  ['the void of its first debit, which never came', [voidOf('gameRound')]],
  ['a first debit that comes after its void', [voidOf('f'), debit('f', 5n, true)]],
])(
  'what a repair paid of a round that never started goes back with it: %s (D5.5, D11.4)',
  async (_, calls) => {
    const store = createMemoryStore({ decimals: 0 });
    const ledger = createMemoryLedger();
    const journal = createMemoryStore({ decimals: 0 });
    const overLedger = createLedgerStore({ ledger, journal, deadlineMs: 60_000 });
    for (const wallet of [
      { store, players: store.players },
      { store: overLedger, players: ledger },
    ]) {
      const play = await RoundPlay.open(wallet);
      await play.call(debit('d', 1000n, true));
      await play.call(credit('c', 25n));
      await play.repaired({});
      await play.is('closed', 125n);
      for (const call of calls) {
        const isOfRound = call.hash === 'gameRound';
        await play.call(isOfRound ? voidOf(play.round.gameRound) : call);
      }
      await play.is('voided', 100n);
      expect((await play.repairs()).map(({ status }) => status)).toEqual(['takenBack']);
    }
  },
);

test('a win after the repair strands the round again (D11.5)', async () => {
  const play = await RoundPlay.stranded(inMemory());
  await play.repaired({ kind: 'resolve', reference: 'bank-1' });
  await play.call(credit('late', 3n));
  await play.is('stranded', 90n);
  await play.repaired({ hash: 'late' });
  await play.repaired({ hash: 'c' });
  await play.is('closed', 118n);
});

test('a void counts what it takes back of repairs: above the limit another person approves (D11.2)', async () => {
  const play = await RoundPlay.stranded(inMemory());
  await play.repaired({});
  await play.call(credit('late', 3n));
  const id = await play.proposed({ kind: 'void' });
  expect(await play.repairs()).toMatchObject([{}, { id, amount: 25n, currency: 'EUR' }]);
  const fourEyes = { above: { EUR: { units: 24n } } };
  expect(await play.approve(id, anna, { fourEyes }).then(wordOfResult)).toBe('ownProposal');
  expect(await play.approve(id, bert, { fourEyes }).then(wordOfResult)).toBe('made');
  await play.is('voided', 100n);
});

test('a void that takes back repairs of another currency needs another person (D11.2)', async () => {
  const play = await RoundPlay.open(inMemory());
  const opening = { currency: 'USD', balances: { real: { units: 0n } } };
  await play.call(debit('d', 10n, true), credit('c', 2500n, 'USD'));
  await play.wallet.players.openPlayer({ ...play.round, ...opening });
  await play.repaired({});
  await play.call(credit('late', 3n));
  const id = await play.proposed({ kind: 'void' });
  const fourEyes = { above: { EUR: { units: 24n }, USD: { units: 24n } } };
  expect(await play.approve(id, anna, { fourEyes }).then(wordOfResult)).toBe('ownProposal');
  expect((await play.repairs())[1]).toMatchObject({ amount: 10n, purse: { real: 10n } });
});

test('a store that keeps no repairs is refused by name', async () => {
  const { store } = inMemory();
  const round = { operatorId: 'op', playerId: 'p', gameRound: 'r' };
  const bare = { ...store, repairs: undefined };
  await expect(proposeRepair(round, order, anna, { store: bare })).rejects.toThrow('no repairs');
});

test.each([
  ['reason', { ...order, reason: 'too short' }],
  ['reason', { ...order, reason: 'x'.repeat(501) }],
  ['reason', { ...order, reason: 'two\nlines of it' }],
  ['kind', { ...order, kind: 'steal' as never }],
  ['hash', { ...order, hash: 'a#b' }],
  ['reference', { ...order, kind: 'resolve' as const }],
  ['reference', { ...order, reference: 'bank-1' }],
])('a wrong %s is a TypeError that names it', async (name, wrong) => {
  const { store } = inMemory();
  const round = { operatorId: 'op', playerId: 'p', gameRound: 'r' };
  await expect(proposeRepair(round, wrong, anna, { store })).rejects.toThrow(name);
  await expect(proposeRepair(round, order, { id: '', name: null }, { store })).rejects.toThrow(
    'by.id',
  );
  const fourEyes = { above: { eur: '1' } };
  await expect(approveRepair(round, 'x', anna, { store, fourEyes })).rejects.toThrow('fourEyes');
});
