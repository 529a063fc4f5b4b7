import { expect, test } from '@jest/globals';

import { createLedgerStore } from '../../../../lib/operator/ledger';
import { createMemoryStore } from '../../../../lib/operator/stores/memory';
import { decodeRepairs, encodeRepairs } from '../../../../lib/operator/stores/codec/repairs';
import type { Ledger } from '../../../../lib/operator/wallet';
import { createMemoryLedger, type MemoryLedger } from '../../../../lib/proof';
import {
  credit,
  debit,
  RoundPlay,
  voidOf,
  wordOfResult,
} from '../../../../lib/proof/contracts/repairs/round-play';

const anna = { id: 'anna', name: null };
const cara = { id: 'cara', name: null };

/** A ledger that refuses credits while it is set to. */
function failing(): {
  ledger: Ledger;
  players: MemoryLedger;
  fails: { credit: boolean; debit: boolean };
} {
  const players = createMemoryLedger();
  const fails = { credit: false, debit: false };
  const ledger: Ledger = {
    debit: async (posting, signal) => {
      const answer = await players.debit(posting, signal);
      if (fails.debit) throw new Error('the answer was lost');
      return answer;
    },
    reverse: (posting, signal) => players.reverse(posting, signal),
    balances: (player, signal) => players.balances(player, signal),
    credit: async (posting, signal) => {
      const answer = await players.credit(posting, signal);
      if (fails.credit) throw new Error('the answer was lost');
      return answer;
    },
  };
  return { ledger, players, fails };
}

function storeOver(ledger: Ledger) {
  return createLedgerStore({
    ledger,
    journal: createMemoryStore(),
    attempts: 1,
    deadlineMs: 500,
  });
}

test('a payment with a lost answer is finished by the sweeper, once (D11.3)', async () => {
  const { ledger, players, fails } = failing();
  const store = storeOver(ledger);
  const play = await RoundPlay.stranded({ store, players });
  const id = await play.proposed({});
  fails.credit = true;
  expect(await play.approve(id, undefined, { deadlineMs: 300 })).toMatchObject({
    kind: 'unknown',
  });
  const [paying] = await play.repairs();
  expect([paying?.status, paying?.decidedBy?.id]).toEqual(['paying', 'bert']);
  await play.isListed(true);
  fails.credit = false;
  const settled = await store.settle(play.round, { graceMs: 0, giveUpAfterMs: 0 });
  expect(settled).toEqual({ kind: 'settled', state: 'closed' });
  await play.is('closed', 115n);
  expect(await play.approve(id)).toMatchObject({ kind: 'made', replay: true });
  await play.is('closed', 115n);
});

test('while a payment is pending at the ledger nothing is proposed (D11.1)', async () => {
  const { ledger, players, fails } = failing();
  const store = storeOver(ledger);
  const play = await RoundPlay.stranded({ store, players });
  const id = await play.proposed({});
  fails.credit = true;
  await play.approve(id, undefined, { deadlineMs: 300 });
  const settle = { kind: 'resolve', reference: 'bank-1' } as const;
  expect(await play.propose(settle).then(wordOfResult)).toBe('pendingWork');
  expect(await play.repairs()).toHaveLength(1);
});

test('a void that comes while the answer is lost takes the payment back (D11.4)', async () => {
  const { ledger, players, fails } = failing();
  const store = storeOver(ledger);
  const play = await RoundPlay.stranded({ store, players });
  const id = await play.proposed({});
  fails.credit = true;
  await play.approve(id, undefined, { deadlineMs: 300 });
  expect(await play.call(voidOf('d'))).toEqual(['processed']);
  fails.credit = false;
  await store.settle(play.round, { graceMs: 0, giveUpAfterMs: 0 });
  await play.is('voided', 100n);
  expect((await play.repairs())[0]?.status).toBe('takenBack');
});

test('a void that opens the round while the answer is lost leaves it open, and what was paid (D11.4)', async () => {
  const { ledger, players, fails } = failing();
  const store = storeOver(ledger);
  const play = await RoundPlay.open({ store, players });
  await play.call(debit('d', 10n, true));
  await play.call(debit('e', 20n), credit('c', 7n, 'USD'));
  await play.call(credit('late', 3n));
  const id = await play.proposed({ hash: 'late' });
  fails.credit = true;
  await play.approve(id, undefined, { deadlineMs: 300 });
  expect(await play.call(voidOf('e'))).toEqual(['processed']);
  fails.credit = false;
  await store.settle(play.round, { graceMs: 0, giveUpAfterMs: 0 });
  await play.is('open', 93n);
  const repairs = (await store.rounds.readRound(play.round))?.head.repairs;
  expect(repairs).toBeDefined();
  if (repairs !== undefined) expect(decodeRepairs(encodeRepairs(repairs))).toEqual(repairs);
  expect(await play.call(credit('w', 5n), { type: 'end', hash: 'x' })).toEqual([
    'processed',
    'processed',
  ]);
  await play.is('closed', 98n);
});

test('a void counts a debit in doubt: the ledger may give it back (D11.2)', async () => {
  const { ledger, players, fails } = failing();
  const store = storeOver(ledger);
  const play = await RoundPlay.open({ store, players });
  await play.call(debit('d', 10n, true));
  fails.debit = true;
  await expect(play.call(debit('e', 80n))).rejects.toThrow();
  await store.settle(play.round, { graceMs: 0, giveUpAfterMs: 0 });
  expect((await store.rounds.readRound(play.round))?.head.state).toBe('cancelled');
  const id = await play.proposed({ kind: 'void' });
  expect((await play.repairs())[0]).toMatchObject({ amount: 90n, currency: 'EUR' });
  const fourEyes = { above: { EUR: { units: 89n } } };
  expect(await play.approve(id, anna, { fourEyes }).then(wordOfResult)).toBe('ownProposal');
});

test('a call of the RGS that comes meanwhile finishes it first', async () => {
  const { ledger, players, fails } = failing();
  const store = storeOver(ledger);
  const play = await RoundPlay.stranded({ store, players });
  const id = await play.proposed({});
  fails.credit = true;
  await play.approve(id, undefined, { deadlineMs: 300 });
  fails.credit = false;
  expect(await play.call({ type: 'end', hash: 'x' })).toEqual(['processed']);
  await play.is('closed', 115n);
});

/** A ledger that answers these first only after what is done meanwhile. */
function answersLate(method: 'credit' | 'reverse') {
  const players = createMemoryLedger();
  const done: { meanwhile: (() => Promise<unknown>) | null; came: unknown } = {
    meanwhile: null,
    came: null,
  };
  const pass = async (name: string): Promise<void> => {
    const { meanwhile } = done;
    if (name !== method || meanwhile === null) return;
    done.meanwhile = null;
    done.came = await meanwhile();
  };
  const ledger: Ledger = {
    debit: (posting, signal) => players.debit(posting, signal),
    balances: (player, signal) => players.balances(player, signal),
    credit: async (posting, signal) => {
      const answer = await players.credit(posting, signal);
      await pass('credit');
      return answer;
    },
    reverse: async (posting, signal) => {
      await pass('reverse');
      return players.reverse(posting, signal);
    },
  };
  const journal = createMemoryStore();
  const other = createLedgerStore({ ledger: players, journal });
  return { store: createLedgerStore({ ledger, journal }), players, done, other };
}

test('who approved a void is told so, also where another process made its reversals', async () => {
  const { store, players, done, other } = answersLate('reverse');
  const play = await RoundPlay.stranded({ store, players });
  const id = await play.proposed({ kind: 'void' });
  done.meanwhile = () => other.rounds.load(play.round, []);
  expect(await play.approve(id)).toMatchObject({ kind: 'made', replay: false });
  expect(await play.approve(id)).toMatchObject({ kind: 'made', replay: true });
  await play.is('voided', 100n);
});

const again = { kind: 'made', replay: true, repair: { decidedBy: { id: 'bert' } } };

test.each([
  ['another person', (play: RoundPlay, id: string) => play.approve(id, cara), again],
  ['the person who proposed it', (play: RoundPlay, id: string) => play.approve(id, anna), again],
  ['a call of the RGS', (play: RoundPlay) => play.call({ type: 'end', hash: 'x' }), ['processed']],
])('who approved a payment is told so, also where %s finished it', async (_, act, came) => {
  const { store, players, done } = answersLate('credit');
  const play = await RoundPlay.stranded({ store, players });
  const id = await play.proposed({});
  done.meanwhile = () => act(play, id);
  expect(await play.approve(id)).toMatchObject({ ...again, replay: false });
  expect(done.came).toMatchObject(came);
  await play.is('closed', 115n);
});
