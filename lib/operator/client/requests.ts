import type { Writable } from '../../protocol/json';

/** What may be set for one call. */
export interface CallOptions {
  /** Aborts the call: the request under way is given up, and none follows. */
  readonly signal?: AbortSignal;
  /** Time of this call with all attempts and pauses, in milliseconds; the client's unless set. */
  readonly timeoutMs?: number;
}

/** A package of free plays to be granted (operator-api 4.3). */
export interface FreeroundsRequest {
  readonly playerId: string;
  readonly gameCode: string;
  /** The package's own id, chosen by the operator: a repeated serial changes nothing. A UUID is recommended. */
  readonly serial: string;
  /** Three upper-case letters. */
  readonly currency: string;
  /**
   * Stake of each play as the number on the wire, above 0: a decimal text such as `'0.50'`, sent
   * and signed as it stands, or a bigint or safe integer. Another number is refused: a float is
   * not exact.
   */
  readonly stake: string | bigint | number;
  /** How many plays; a whole number of at least 1. */
  readonly count: number;
  /** A Date, or a strict ISO 8601 date-time, which is sent as it stands. */
  readonly expires?: Date | string;
}

/** What getStats selects (operator-api 4.4); further keys are sent as they are. */
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
  /** Without it, records are grouped by day. */
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

/** A call that the kit does not know: it is signed by the fields that are named. */
export type FurtherRequest = {
  /** Begins with a slash; put behind `baseUrl`. */
  readonly path: string;
  /**
   * The names of the members of query or body that are signed after the secret, X-H-AUTH-ID and
   * X-H-TIMESTAMP, in order; none unless set. Each must be there, as a text or a number.
   */
  readonly signedFields?: readonly string[];
  /** Whether a repeat is harmless, so that a failed attempt is repeated; false unless set. */
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
