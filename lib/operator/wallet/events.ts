import { formatAmount } from '../../protocol/money/amount';
import type { Purse } from '../../protocol/money/purse';
import type { Actor, CashKind } from './player/cash';
import type { LimitTerms } from './player/limits';
import type { Account } from './players';
import { eventId, type RoundEvent } from './round-event';
import type { PlayerKey } from './player/round-key';
import { type AccountJson, accountJson, type PurseJson, purseJson } from './round-report';
import { timeOrNull, timeText } from '../../platform/time/iso';

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

/** A limit of a player was set, changed or lifted (D13). */
export interface LimitEvent extends ActEvent {
  readonly type: 'limit';
  /** `amount` is a decimal text; null where the limit was lifted. */
  readonly limit: LimitTerms & { readonly amount: string | null };
  readonly by: Actor | null;
  readonly reason: string | null;
}

/** What happened to a player's money or account. Each begins with `type`, `id`, `operatorId`, `playerId`, `at`. */
export type WalletEvent = RoundEvent | CashEvent | BlockEvent | LimitEvent;

/** The `type` of every {@link WalletEvent}. */
export const eventTypes = [
  'round',
  'cash',
  'block',
  'limit',
] as const satisfies readonly WalletEvent['type'][];

/** Which events to read. */
export interface EventsRequest {
  /** Name of the consumer: it has its own position. Declared by the stores that write (option `events`). */
  readonly consumer: string;
  readonly operatorId: string;
  /** What to deliver; all unless set. What is not asked for is acknowledged with its page. */
  readonly types?: readonly WalletEvent['type'][];
  /** Most events of a batch, 1 to 1,000; 100 unless set. */
  readonly atMost?: number;
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
}

/** Events of an operator in order. */
export interface EventBatch {
  /** At least one. In order for each player; different players in any order. */
  readonly events: readonly WalletEvent[];
  /**
   * Acknowledges all of them, durably: the next batch begins after them. Without it the same events are
   * delivered again. Resolves to false if another reader of the same consumer had acknowledged some of them: the
   * others may be acknowledged too, or be delivered again. So never undo what you did with them.
   * @throws StoreUnavailableError; the events may then be delivered again.
   */
  done(): Promise<boolean>;
}

/** The lag of a consumer. */
export interface ConsumerLag {
  readonly consumer: string;
  /** Events that it has not acknowledged. */
  readonly waiting: number;
  /** When the oldest of them was committed, in milliseconds since 1970; null without any. */
  readonly oldestAt: number | null;
}

/**
 * The events of a store. They are written with what they tell of, and only while a consumer is declared.
 * An event is kept until every declared consumer has acknowledged it.
 */
export interface EventSource {
  /**
   * The events that the consumer has not acknowledged, batch by batch; waits for new ones, for ever or until
   * `signal` aborts. A new consumer begins with the oldest event that is kept.
   * @throws TypeError for wrong use; UnknownConsumerError if no store declared the consumer;
   * StoreUnavailableError: iterate again, nothing is lost.
   */
  read(request: EventsRequest): AsyncIterable<EventBatch>;

  /** Every declared consumer, with its lag in the events of this operator. @throws StoreUnavailableError */
  lag(operatorId: string): Promise<readonly ConsumerLag[]>;

  /**
   * The names of all declared consumers, in order, whichever store declared them. A tool that repairs rounds
   * creates its store with these, so that its commits have their events.
   * @throws StoreUnavailableError
   */
  declaredConsumers(): Promise<readonly string[]>;

  /**
   * Takes back the declaration of a consumer; events that no other consumer waits for are deleted. Restart
   * the stores that declare it without it first: otherwise their next start declares it again. False if it
   * was not declared.
   * @throws TypeError for wrong use, before anything changes; StoreUnavailableError: repeat it, to delete
   * what it left.
   */
  forgetConsumer(consumer: string, operatorIds: readonly string[]): Promise<boolean>;
}

/** No store has declared the consumer: nothing was written for it. */
export class UnknownConsumerError extends Error {
  override readonly name = 'UnknownConsumerError';
  readonly code = 'UNKNOWNCONSUMER';

  constructor(consumer: string) {
    super(
      `The consumer ${consumer} is not declared: create the stores that write with events: ['${consumer}'].`,
    );
  }
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
  | { readonly type: 'block'; readonly blocked: boolean; readonly until: number | null }
  /** `amount` in units; null where the limit was lifted. */
  | { readonly type: 'limit'; readonly limit: LimitTerms & { readonly amount: bigint | null } }
);

/** An act as it was written. */
export interface WrittenAct {
  readonly player: PlayerKey;
  readonly act: Act;
  /** Of a block or a limit: its number among those of the player, from 1. */
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly accounts: readonly Account[];
}

/** The event of an act, for a store's `events.read`; `decimals` are the store's. */
export function createActEvent(
  { player, act, number, at, accounts }: WrittenAct,
  decimals: number,
): CashEvent | BlockEvent | LimitEvent {
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
    const until = timeOrNull(act.until);
    return { type, id: id('block', number), ...shared, blocked, until, by, reason };
  }
  if (act.type === 'limit') {
    const { amount } = act.limit;
    const limit = { ...act.limit, amount: amount === null ? null : formatAmount(amount, decimals) };
    return { type: act.type, id: id('limit', number), ...shared, limit, by, reason };
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
