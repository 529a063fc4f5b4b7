import assert from 'node:assert/strict';
import type { MoneyPolicy, RoundState } from '../../operator/gameround';
import type { Purse } from '../../protocol/money';
import type { Call, Transaction } from '../../protocol/operator-api';
import {
  type CallOutcome,
  type DiscountCheck,
  doTransactions,
  type RoundKey,
  type WalletStore,
} from '../../operator/wallet';
import { systemClock } from '../../platform';
import { contractPlayer, type ContractWallet, isAtomic } from './players';
import { freshDelivery, freshId } from '../contracts/case';
import { gameRoundOf, type HistoryPlayer, isEligible, toText } from '../histories/action';
import { cut, settle } from '../../rgs/settlement';
import { textOf, toBalances } from '../histories/moments';
import { voidOf } from '../histories/orders';

/** A call whose debits the RGS voids, all of them, with no other call of the round in between. */
export interface VoidedCall {
  /** The calls of the round that were answered before it. */
  readonly earlier: readonly (readonly Transaction[])[];
  /** Holds no void. */
  readonly call: readonly Transaction[];
}

/** A {@link VoidedCall} with its own player. */
export interface VoidedCallOfPlayer extends VoidedCall {
  readonly policy: MoneyPolicy;
  readonly player: HistoryPlayer;
  /** The number of its round, see {@link gameRoundOf}. */
  readonly round: number;
}

/** When the voids of a call come, and how. */
export interface VoidOrder {
  readonly name: string;
  readonly isBefore: boolean;
  readonly isReversed: boolean;
  /** Whether each void is its own call. */
  readonly isApart: boolean;
}

/** The orders in which the voids of a call come; the others are compared with the first. */
export const voidOrders: readonly VoidOrder[] = [
  { name: 'before it', isBefore: true, isReversed: false, isApart: false },
  { name: 'after it', isBefore: false, isReversed: false, isApart: false },
  { name: 'after it, one by one', isBefore: false, isReversed: false, isApart: true },
  { name: 'after it, the last one first', isBefore: false, isReversed: true, isApart: true },
];

/** The result of a call and its voids. */
export interface VoidedState {
  readonly state: RoundState;
  /** What effective debits took and effective credits gave, in units. */
  readonly debits: Purse;
  readonly credits: Purse;
  /** The player's balances as text. */
  readonly balances: string;
}

/** Longer than any store takes. */
const deadlineMs = 15_000;
const discountCheck: DiscountCheck = ({ debit }) => isEligible(debit);

/** Sends one call of a round through the rules, as the router does. */
export function sendCall(
  { store }: ContractWallet,
  round: RoundKey,
  transactions: readonly Transaction[],
  policy: MoneyPolicy,
): Promise<CallOutcome> {
  const call: Call = { ...round, gameCode: 'game', transactions };
  const ports = { store, clock: systemClock, policy, deadlineMs, discountCheck };
  return doTransactions(round, call, freshDelivery(), ports);
}

/** Plays a call and the voids of all its debits in this order, and reads the result (D5.3). */
export async function playVoidedCall(
  wallet: ContractWallet,
  round: RoundKey,
  { earlier, call }: VoidedCall,
  { isBefore, isReversed, isApart }: VoidOrder,
  policy: MoneyPolicy,
): Promise<VoidedState> {
  const { toVoid } = settle({ transactions: call, hasPaidCredit: false }, cut);
  const hashes = toVoid.map(({ hash }) => hash);
  const voids = [...new Set(isReversed ? hashes.toReversed() : hashes)].map(voidOf);
  const calls = isApart ? voids.map((one) => [one]) : [voids];
  for (const transactions of earlier) await sendCall(wallet, round, transactions, policy);
  if (!isBefore) await sendCall(wallet, round, call, policy);
  for (const transactions of calls) await sendVoids(wallet, round, transactions, policy);
  if (isBefore) await sendCall(wallet, round, call, policy);
  return readState(wallet, round);
}

/** Plays a call in each order of its voids, with new players: all must have the same result (D5.3). */
export async function checkVoidedCall(
  wallet: ContractWallet,
  operatorId: string,
  { policy, player, round: number, earlier, call: random }: VoidedCallOfPlayer,
): Promise<void> {
  const call = withOneTypeAHash(random);
  const gameRound = gameRoundOf(number);
  const { real, bonus, dollars } = player;
  let expected: string | null = null;
  for (const order of voidOrders) {
    const round = { operatorId, playerId: freshId('player'), gameRound };
    for (const currency of dollars ? ['EUR', 'USD'] : ['EUR']) {
      await wallet.players.openPlayer(contractPlayer(round, currency, real, bonus ?? undefined));
    }
    const left = toText(await playVoidedCall(wallet, round, { earlier, call }, order, policy));
    expected ??= left;
    assert.equal(left, expected, `its debits were voided ${order.name} (D5.3)`);
  }
}

/**
 * A hash is the unique id of a transaction (operator-api 2.1). One that a call uses for a debit and
 * for something else cannot be voided in one order and is remembered as voided in the other (D5.5, D5.7).
 */
function withOneTypeAHash(call: readonly Transaction[]): Transaction[] {
  const debits = new Set(call.filter(({ type }) => type === 'debit').map(({ hash }) => hash));
  return call.filter(({ type, hash }) => type === 'debit' || !debits.has(hash));
}

/** D5.1: a void is answered as success, in any state; except for the hash of a credit (D5.7). */
async function sendVoids(
  wallet: ContractWallet,
  round: RoundKey,
  transactions: readonly Transaction[],
  policy: MoneyPolicy,
): Promise<void> {
  const { verdicts, unknown } = await sendCall(wallet, round, transactions, policy);
  assert.equal(unknown?.cause.message ?? null, null, 'a void must be answered');
  for (const verdict of verdicts) {
    const answer = verdict.outcome === 'refused' ? verdict.code : verdict.outcome;
    assert.ok(
      ['processed', 'INVALIDPARAMETER'].includes(answer),
      `a void was answered ${answer} (D5.1)`,
    );
  }
}

async function readState(wallet: ContractWallet, round: RoundKey): Promise<VoidedState> {
  const { store } = wallet;
  // If a ledger has something to take back, the next load does it.
  if (!isAtomic(wallet)) await store.load(round, []);
  const [report, result] = [await store.readRound(round), await store.accounts(round)];
  assert.ok(report !== null, 'a round with a void must be kept');
  assert.ok(result.kind === 'known', 'the accounts must be read');
  assert.equal(report.head.pending, null, 'nothing may be left pending (O9)');
  const { state, debits, credits } = report.head;
  return { state, debits, credits, balances: textOf(toBalances(result.accounts)) };
}

/** The same wallet, with other work after the first written commit. */
export function withWorkBetween(
  { store, players }: ContractWallet,
  work: () => Promise<unknown>,
): ContractWallet {
  let isDone = false;
  const interrupted: WalletStore = {
    decimals: store.decimals,
    ready: () => store.ready(),
    load: (round, hashes) => store.load(round, hashes),
    commit: async (round, change) => {
      const result = await store.commit(round, change);
      if (result.kind === 'committed' && !isDone) {
        isDone = true;
        await work();
      }
      return result;
    },
    accounts: (player) => store.accounts(player),
    attention: (operatorId) => store.attention(operatorId),
    readRound: (round) => store.readRound(round),
    close: () => store.close(),
  };
  return { store: interrupted, players };
}
