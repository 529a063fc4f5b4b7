import type { Writable } from '../../protocol/json';

/** A package of free plays to grant (operator-api 4.3). */
export interface FreeroundsRequest {
  readonly playerId: string;
  readonly gameCode: string;
  /**
   * Idempotency key of the package, chosen by the operator: a repeated serial changes nothing. A UUID is
   * recommended.
   */
  readonly serial: string;
  /** Three upper-case letters. */
  readonly currency: string;
  /**
   * Stake of each play as the number on the wire, above 0: a decimal text such as `'0.50'`, sent and
   * signed as written, or a bigint or safe integer. Any other number is refused: a float is not exact.
   */
  readonly stake: string | bigint | number;
  /** Number of plays, at least 1. */
  readonly count: number;
  /** A Date, or a strict ISO 8601 date-time, sent as written. */
  readonly expires?: Date | string;
}

/** What getStats selects (operator-api 4.4); further keys are sent unchanged. */
export interface StatisticsFilter {
  /** First day, `YYYY-MM-DD`. */
  readonly dateFrom?: string;
  /** Last day, `YYYY-MM-DD`. */
  readonly dateToIncluding?: string;
  readonly [key: string]: Writable;
}

/** What getStats asks (operator-api 4.4). */
export interface StatisticsRequest {
  readonly groupBy?: readonly string[];
  readonly filterBy?: StatisticsFilter;
  /** Unless set, records are grouped by day. */
  readonly showTotals?: boolean;
  readonly playerId?: string;
}

/** The game and currency whose configuration is read (operator-api 4.5). */
export interface GameConfigurationRequest {
  /** As returned by getGameList or passed to getGameURL. */
  readonly gameCode: string;
  /** Three upper-case letters. */
  readonly currency: string;
}

/** A call that the kit does not know, signed by the named fields. */
export type FurtherRequest = {
  /** Begins with a slash; appended to `baseUrl`. */
  readonly path: string;
  /**
   * The names of the signed members of query or body, in order, after the secret, X-H-AUTH-ID and
   * X-H-TIMESTAMP; none unless set. Each must be present, as a string or a number.
   */
  readonly signedFields?: readonly string[];
  /** Whether a retry is safe, so that a failed attempt is retried; false unless set. */
  readonly isRepeatable?: boolean;
} & (
  | {
      readonly method: 'GET';
      readonly query?: Readonly<Record<string, string>>;
      readonly body?: undefined;
    }
  | {
      readonly method: 'POST';
      readonly query?: undefined;
      readonly body?: { readonly [key: string]: Writable };
    }
);
