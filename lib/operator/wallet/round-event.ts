import type { NewRecord, RoundState } from '../gameround';
import type { Purse } from '../../protocol/money/purse';
import type { RoundKey } from './round-key';
import {
  type AccountJson,
  accountJson,
  type PurseJson,
  type RoundJson,
  purseJson,
  timeText,
  type TransactionJson,
  transactionJson,
} from './round-report';

/** What a movement did to one balance pair of the player: below zero if money was taken. */
export interface MovementJson extends PurseJson {
  readonly hash: string;
  readonly currency: string;
}

/**
 * One commit of a round, for systems that follow the wallet. It holds only strings, numbers and null, so
 * `JSON.stringify` loses nothing: amounts are decimal texts (D2.5), times ISO 8601.
 */
export interface RoundEvent extends RoundKey {
  readonly type: 'round';
  /**
   * `operator/player/round/version`, each part percent-encoded. Delivery is at least once: drop what you
   * have seen by this id.
   */
  readonly id: string;
  /** Number of the commit within its round: 1, 2, 3, ... */
  readonly version: number;
  /** When it was committed, by the clock of the store. */
  readonly at: string;
  readonly gameCode: string | null;
  /** The state of the round after it. */
  readonly state: RoundState;
  /** The records that it wrote; records that only gained a signature of a resend are left out. */
  readonly transactions: readonly TransactionJson[];
  /**
   * What it moved. The sum over all events of a player is what the rounds did to the balances: sum these,
   * never `moved` of the transactions, which a later event may restate.
   */
  readonly movements: readonly MovementJson[];
  /** The player's accounts after it; null if the store does not keep them (a ledger does), or has none. */
  readonly accounts: readonly AccountJson[] | null;
  /**
   * Only of a pointer, which a commit writes while too many events wait (option `eventsLimit`): the round as it
   * is when the event is read, or null if its retention is over. Such an event has no transactions, movements
   * or accounts: take those of the round, its `debits` and `credits` in place of all movements of the round.
   */
  readonly round?: RoundJson | null;
}

/** Which events to read. */
export interface EventsRequest {
  /** Name of the consumer: it has its own position. Declared by the stores that write (option `events`). */
  readonly consumer: string;
  readonly operatorId: string;
  /** Most events of a batch, 1 to 1,000; 100 unless set. */
  readonly atMost?: number;
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
}

/** Events of an operator in order. */
export interface EventBatch {
  /** At least one. In order for each player; different players in any order. */
  readonly events: readonly RoundEvent[];
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
 * The events of a store. They are written by the commits themselves, and only while a consumer is declared.
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

/** A change as it was committed: with what its debits took. */
export interface CommittedChange {
  readonly round: RoundKey;
  readonly version: number;
  readonly state: RoundState;
  readonly gameCode: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly records: readonly NewRecord[];
  /** What it added to each balance, in units: below zero if money was taken. */
  readonly movements: readonly {
    readonly hash: string;
    readonly currency: string;
    readonly purse: Purse;
  }[];
  readonly accounts:
    | readonly { readonly currency: string; readonly real: bigint; readonly bonus: bigint | null }[]
    | null;
}

/** The event of a committed change, for a store's `events.read`; `decimals` are the store's. */
export function createRoundEvent(change: CommittedChange, decimals: number): RoundEvent {
  const { round, version, state, gameCode, at, records, movements, accounts } = change;
  const { operatorId, playerId, gameRound } = round;
  return {
    type: 'round',
    id: eventId(round, version),
    operatorId,
    playerId,
    gameRound,
    version,
    at: timeText(at),
    gameCode,
    state,
    transactions: records.filter(isNew).map((record) => transactionJson(record, decimals)),
    movements: movements.map(({ hash, currency, purse }) => {
      return { hash, currency, ...purseJson(purse, decimals) };
    }),
    accounts: accounts && accounts.map((account) => accountJson(account, decimals)),
  };
}

/** A pointer to a round: the event of a commit that kept nothing else. */
export function createRoundPointer(
  commit: Pick<CommittedChange, 'round' | 'version' | 'state' | 'at'>,
  decimals: number,
): RoundEvent {
  const nothing = { gameCode: null, records: [], movements: [], accounts: null };
  return { ...createRoundEvent({ ...commit, ...nothing }, decimals), round: null };
}

function eventId({ operatorId, playerId, gameRound }: RoundKey, version: number): string {
  return [operatorId, playerId, gameRound, version].map(encodeURIComponent).join('/');
}

function isNew({ isRewritten }: NewRecord): boolean {
  return isRewritten !== true;
}
