import type { MoneyPolicy } from '../../operator/gameround';
import type { Debit, Transaction } from '../../protocol/operator-api/transaction';
import { toText } from '../oracle/broken-rule';

/** An action of a history, concurrent with the others of its batch. */
export type HistoryAction =
  /** A call of the RGS. */
  | {
      readonly kind: 'call';
      readonly player: number;
      readonly round: number;
      readonly transactions: readonly Transaction[];
    }
  /** A call that is answered 5xx, whether or not it is processed (D7); voided by the end. */
  | {
      readonly kind: 'lostCall';
      readonly player: number;
      readonly round: number;
      readonly debits: readonly Debit[];
      readonly arrives: boolean;
    }
  /** A resend of an earlier call, or of some of its transactions. */
  | {
      readonly kind: 'resend';
      readonly call: number;
      readonly from: number;
      readonly count: number;
    }
  | {
      readonly kind: 'deposit' | 'withdraw';
      readonly player: number;
      readonly units: bigint;
      readonly balance: 'real' | 'bonus';
      readonly reference: string;
    }
  | { readonly kind: 'block'; readonly player: number; readonly blocked: boolean }
  | { readonly kind: 'read'; readonly player: number };

/** A player's opening balances in EUR; `dollars` opens an account with as much in USD too. */
export interface HistoryPlayer {
  readonly real: bigint;
  readonly bonus: bigint | null;
  readonly dollars: boolean;
}

/** The actions of players and the RGS on a wallet. */
export interface History {
  readonly policy: MoneyPolicy;
  /** Null for a player unknown to the wallet. */
  readonly players: readonly (HistoryPlayer | null)[];
  readonly batches: readonly (readonly HistoryAction[])[];
}

/**
 * The gameRound of a round by its number. In round 0 it is also the hash of the usual first
 * debit, as with native games (operator-api 3, rule 6).
 */
export function gameRoundOf(round: number): string {
  return `d${round === 0 ? '' : `-round-${round}-`}0`;
}

/** The same history for players with real money only. */
export function withoutBonus(history: History): History {
  const players = history.players.map((player) => player && { ...player, bonus: null });
  const batches = history.batches.map((batch) =>
    batch.map((action) => {
      const isCash = action.kind === 'deposit' || action.kind === 'withdraw';
      return isCash ? { ...action, balance: 'real' as const } : action;
    }),
  );
  return { ...history, players, batches };
}

/** A history as text, a line for each batch. */
export function describeHistory({ policy, players, batches }: History): string {
  return [
    `policy ${toText(policy)}`,
    ...players.map((player, at) => `player ${at} ${toText(player)}`),
    ...batches.map(
      (batch, at) => `batch ${at}\n${batch.map((action) => `  ${toText(action)}\n`).join('')}`,
    ),
  ].join('\n');
}
