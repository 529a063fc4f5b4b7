import type { BlockEvent, CashEvent } from './act-event';
import type { RoundEvent } from './round-event';

/** What happened to a player's money or account. Each begins with `type`, `id`, `operatorId`, `playerId`, `at`. */
export type WalletEvent = RoundEvent | CashEvent | BlockEvent;

/** The `type` of every {@link WalletEvent}. */
export const eventTypes = [
  'round',
  'cash',
  'block',
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
   * delivered again. Resolves to false if another reader of the same consumer had acknowledged some of them:
   * the others are acknowledged nevertheless, so never undo what you did with them.
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
