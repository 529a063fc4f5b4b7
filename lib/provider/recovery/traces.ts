import type { GameStateEntry, RoundReply } from '../../protocol/engine-api/replies';
import { unitsOf } from '../calls/requests';
import type { LostCall } from './lost';

/** The idempotency keys of a lost call (E15.1); null where it has none. */
export interface Keys {
  readonly transactionId: string | null;
  readonly rngCallId: string | null;
}

/** The keys by which gameState may show the lost call (E9.3). */
export function keysOf(lost: LostCall): Keys {
  const { transactionId = null, rngCallId = null } = givenKeysOf(lost);
  return { transactionId, rngCallId };
}

function givenKeysOf({ call, request }: LostCall): {
  readonly transactionId?: string | undefined;
  readonly rngCallId?: string | undefined;
} {
  switch (call) {
    case 'start':
    case 'addBet':
      return { transactionId: request.debitInformation.externalGameProviderTransactionId };
    case 'wagerWin':
      return {
        transactionId: request.wagerInformation.externalGameProviderTransactionId,
        rngCallId: request.rngResult.rngCallId,
      };
    case 'addWin':
      return {
        transactionId: request.externalGameProviderTransactionId,
        rngCallId: request.rngResult.rngCallId,
      };
    case 'spin':
      return { rngCallId: request.rngResult.rngCallId };
    default:
      return { transactionId: request.externalGameProviderTransactionId };
  }
}

/**
 * Whether the RGS cannot count the same request twice while the round is open (E15.1). Without a key the
 * first one may still arrive, so a repeat could count as well.
 */
export function isRepeatable(lost: LostCall): boolean {
  if (lost.call === 'end' || lost.call === 'void') return true;
  const { transactionId, rngCallId } = keysOf(lost);
  if (lost.call === 'collect') return transactionId !== null || lost.request.amount === undefined;
  return transactionId !== null || rngCallId !== null;
}

/** The entry of gameState that the lost call made; null if there is none. */
export function entryOf(lost: LostCall, round: RoundReply): GameStateEntry | null {
  const keys = keysOf(lost);
  const isOfKind = kinds[lost.call];
  return round.gameState.find((entry) => isOfKind(entry.type) && fits(entry, keys)) ?? null;
}

/** One id may name a bet and a win, so the kind of an entry counts; kinds of another RGS may be new. */
const kinds: Readonly<Record<LostCall['call'], (type: string) => boolean>> = {
  start: (type) => type === 'debit',
  addBet: (type) => type === 'debit',
  addWin: (type) => !['debit', 'wager', 'spincounter'].includes(type),
  wagerWin: (type) => type === 'wager',
  spin: (type) => !['debit', 'wager', 'genericwin'].includes(type),
  end: () => false,
  collect: () => false,
  void: () => false,
};

/** A transaction id decides; a draw's id alone may be in two wins (E15.1). */
function fits({ result }: GameStateEntry, { transactionId, rngCallId }: Keys): boolean {
  const { info } = result;
  const shown = info['externalGameProviderTransactionId'];
  if (transactionId !== null && shown !== undefined) return shown === transactionId;
  return rngCallId !== null && info['rngCallId'] === rngCallId;
}

/** Units that the lost call won for the player; 0 for a call that wins nothing. */
export function wonBy({ call, request }: LostCall): bigint {
  switch (call) {
    case 'addWin':
    case 'wagerWin':
      return unitsOf(request.rngResult.winAmount) ?? 0n;
    case 'start':
      return unitsOf(request.creditInformation?.creditAmount ?? 0n) ?? 0n;
    default:
      return 0n;
  }
}

/** Whether the lost call was to close the round. */
export function closes({ call, request }: LostCall): boolean {
  if (call === 'addWin') return request.collect === true;
  if (call === 'start') return request.endGame;
  return call === 'end';
}
