import { expect, test } from '@jest/globals';
import { unsignedDelivery } from '../../../lib/operator/gameround';
import {
  type CallOutcome,
  doTransactions,
  type PlayerKey,
  type RoundKey,
} from '../../../lib/operator/wallet';
import { gameRoundOf, type History } from '../../../lib/proof/histories/action';
import { isEligible } from '../../../lib/proof/subject/voided-call';
import { generateHistory } from '../../../lib/proof/histories/generator';
import { callOf, type CallOrder, resendOf } from '../../../lib/proof/histories/orders';
import type { Transaction } from '../../../lib/protocol/operator-api/transaction';
import { runs } from '../../support/runs';
import { testSeed } from '../../support/seed';
import { DiedError, mortalLedger } from './mortal-ledger';
import { falls, type Subject, textOf } from './play';
import { inMemory } from './subjects';

const histories = runs(2000, 60);

test('calls whose process dies over a ledger, and that come again, end as over the memory store', async () => {
  let [deaths, whole] = [0, 0];
  for (let seed = testSeed; seed < testSeed + histories; seed++) {
    const history = generateHistory(seed);
    const must = await play(inMemory(), history);
    // A ledger has posted what falls in other stores: it leaves such a call to its voids (D4.6, D7).
    if (must.hasFallen) continue;
    whole++;
    const left = await play(mortalLedger(seed, 10), history);
    expect({ seed, lines: left.lines }).toEqual({ seed, lines: must.lines });
    deaths += left.deaths;
  }
  // More than half as a rule; of 60, a seed may have fewer.
  expect(whole).toBeGreaterThan(histories / 4);
  expect(deaths).toBeGreaterThan(whole);
});

/** Plays all calls, each until it is answered; resolves to the rounds and the players in the end. */
async function play(
  { store, clock }: Subject,
  { players, batches, policy }: History,
): Promise<{
  readonly lines: readonly string[];
  readonly deaths: number;
  /** Whether one of its calls fell, or was left to its voids. */
  readonly hasFallen: boolean;
}> {
  const ports = {
    rounds: store.rounds,
    clock,
    policy,
    deadlineMs: 300_000,
    discountCheck: eligible,
  };
  const rounds = new Map<string, RoundKey>();
  const sent: CallOrder[] = [];
  let [deliveries, deaths] = [0, 0];
  let hasFallen = false;
  const send = async (key: RoundKey, transactions: readonly Transaction[]) => {
    const delivery = unsignedDelivery((++deliveries).toString(36).padStart(4, '0'));
    const call = { ...key, gameCode: 'game', transactions };
    for (;;) {
      const outcome = await doTransactions(key, call, delivery, ports);
      hasFallen ||= falls(transactions, outcome);
      if (!hasDied(outcome)) return;
      deaths++;
    }
  };
  for (const [at, player] of players.entries()) {
    if (player === null) continue;
    const bonus = player.bonus === null ? {} : { bonus: { units: player.bonus } };
    const balances = { real: { units: player.real }, ...bonus };
    for (const currency of player.dollars ? ['EUR', 'USD'] : ['EUR']) {
      await store.players.openPlayer({ ...keyOf(at), currency, balances });
    }
  }
  for (const action of batches.flat()) {
    for (const order of [...callOf(action), ...resendOf(action, sent)]) {
      if (action.kind === 'call') sent.push(order);
      const key = { ...keyOf(order.player), gameRound: gameRoundOf(order.round) };
      rounds.set(`${order.player} ${order.round}`, key);
      for (const part of withoutMixedVoids(order.transactions)) await send(key, part);
    }
    if (action.kind === 'deposit' || action.kind === 'withdraw') {
      const { player, units, balance, reference } = action;
      const order = { currency: 'EUR', amount: { units }, balance, reference };
      await store.players[action.kind]({ ...keyOf(player), ...order });
    } else if (action.kind === 'block') {
      await store.players.setBlocked(keyOf(action.player), action.blocked);
    }
  }
  const lines: string[] = [];
  for (const key of rounds.values()) lines.push(textOf(await store.rounds.readRound(key)));
  for (const at of players.keys()) lines.push(textOf(await store.players.readPlayer(keyOf(at))));
  return { lines, deaths, hasFallen };
}

function keyOf(player: number): PlayerKey {
  return { operatorId: 'acme', playerId: `player-${player}` };
}

function hasDied({ unknown }: CallOutcome): boolean {
  return unknown?.cause instanceof DiedError;
}

/** A call that voids its own debit does not find it, if it comes again. */
function withoutMixedVoids(transactions: readonly Transaction[]): readonly Transaction[][] {
  const parts: Transaction[][] = [];
  for (const one of transactions) {
    const last = parts.at(-1);
    if (last !== undefined && (last[0]?.type === 'void') === (one.type === 'void')) last.push(one);
    else parts.push([one]);
  }
  return parts;
}

const eligible = ({ debit }: { readonly debit: Parameters<typeof isEligible>[0] }): boolean =>
  isEligible(debit);
