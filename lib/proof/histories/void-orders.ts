import assert from 'node:assert/strict';
import type { MoneyPolicy } from '../../operator/gameround';
import type { Transaction } from '../../protocol/operator-api/transaction';
import { contractPlayer, type ContractWallet } from '../subject/players';
import { freshId } from '../subject/runner';
import { playVoidedCall, type VoidedCall, voidOrders } from '../subject/voided-call';
import { toText } from '../oracle/broken-rule';
import { gameRoundOf, type HistoryPlayer } from './action';

/** A {@link VoidedCall} with its own player. */
export interface VoidedCallOfPlayer extends VoidedCall {
  readonly policy: MoneyPolicy;
  readonly player: HistoryPlayer;
  /** The number of its round, see {@link gameRoundOf}. */
  readonly round: number;
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
