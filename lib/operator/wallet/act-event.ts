import type { Purse } from '../../protocol/money/purse';
import type { Actor, CashKind } from './cash';
import type { Account } from './players';
import { eventId } from './round-event';
import type { PlayerKey } from './round-key';
import { type AccountJson, accountJson, type PurseJson, purseJson, timeText } from './round-report';

/** What both events of an act have: something done to a player outside the rounds. */
interface ActEvent extends PlayerKey {
  /** Delivery is at least once: drop what you have seen by this id. */
  readonly id: string;
  /** When it was done: in memory and in Redis by the clock of the process, in PostgreSQL by that of the server. */
  readonly at: string;
  /** The player's accounts after it. */
  readonly accounts: readonly AccountJson[];
}

/** Money that moved between a player's balance and the world outside the rounds, once per reference. */
export interface CashEvent extends ActEvent {
  readonly type: 'cash';
  readonly kind: CashKind;
  /** The order's; null for an opening. */
  readonly reference: string | null;
  /** What it added to the balances, below zero if money was taken: one, in one currency. */
  readonly movements: readonly (PurseJson & { readonly currency: string })[];
  /** The person who did it; null if a program did. */
  readonly by: Actor | null;
  readonly reason: string | null;
}

/** A player was blocked, or it was lifted. */
export interface BlockEvent extends ActEvent {
  readonly type: 'block';
  readonly blocked: boolean;
  /** When the block ends by itself; null if it does not. */
  readonly until: string | null;
  readonly by: Actor | null;
  readonly reason: string | null;
}

/** What is done to a player outside the rounds. */
export type Act = { readonly by: Actor | null; readonly reason: string | null } & (
  | {
      readonly type: 'cash';
      readonly kind: CashKind;
      readonly reference: string | null;
      readonly currency: string;
      /** What it adds to each balance, in units. */
      readonly purse: Purse;
    }
  | { readonly type: 'block'; readonly blocked: boolean }
);

/** An act as it was written. */
export interface WrittenAct {
  readonly player: PlayerKey;
  readonly act: Act;
  /** Of a block: its number among those of the player, from 1. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly accounts: readonly Account[];
}

/** The event of an act, for a store's `events.read`; `decimals` are the store's. */
export function createActEvent(
  { player, act, number, at, accounts }: WrittenAct,
  decimals: number,
): CashEvent | BlockEvent {
  const { operatorId, playerId } = player;
  const { by, reason } = act;
  const id = (...parts: readonly (string | number)[]) => eventId(operatorId, playerId, ...parts);
  const shared = {
    operatorId,
    playerId,
    at: timeText(at),
    accounts: accounts.map((account) => accountJson(account, decimals)),
  };
  if (act.type === 'block') {
    const { type, blocked } = act;
    return { type, id: id('block', number), ...shared, blocked, until: null, by, reason };
  }
  const { type, kind, reference, currency, purse } = act;
  return {
    type,
    id: reference === null ? id('open', currency) : id('cash', reference),
    ...shared,
    kind,
    reference,
    movements: [{ currency, ...purseJson(purse, decimals) }],
    by,
    reason,
  };
}
