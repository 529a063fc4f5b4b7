import type { FindKeys } from '../format';
import { timeOfLine } from '../read/event-time';

/** What to find. All that is set must fit; at least one of player, round, hash and reference. */
export interface EventQuery {
  readonly playerId?: string | undefined;
  readonly gameRound?: string | undefined;
  /** Of a transaction or a repair. */
  readonly hash?: string | undefined;
  /** Of a deposit, a withdrawal or a correction. */
  readonly reference?: string | undefined;
  /** Events from this time on, in ISO 8601. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** A query, ready to look at lines. */
export interface LineQuery {
  /** What a segment's filter is asked for. */
  readonly keys: FindKeys;
  readonly from: string | null;
  readonly to: string | null;
  /** Whether a line is one of the events. Parses only lines that have every text. */
  readonly fits: (line: Buffer) => boolean;
}

/** @throws TypeError if nothing is asked for, or a time is invalid. */
export function lineQuery(query: EventQuery): LineQuery {
  const { playerId, gameRound, hash, reference } = query;
  const texts = [playerId, gameRound, hash, reference].filter((text) => text !== undefined);
  if (texts.length === 0) throw new TypeError('query: a player, a round, a hash or a reference');
  const needles = texts.map((text) => Buffer.from(JSON.stringify(text)));
  const [from, to] = [timeOf('from', query.from), timeOf('to', query.to)];
  return {
    keys: { playerId, gameRound, reference },
    from,
    to,
    fits: (line) => {
      if (!needles.every((needle) => line.includes(needle))) return false;
      const at = timeOfLine(line);
      if (from !== null && (at === null || at < from)) return false;
      if (to !== null && (at === null || at > to)) return false;
      return isAsked(line, query);
    },
  };
}

/** A time as events have it; null if it is not set. @throws TypeError */
export function timeOf(name: string, text: string | undefined): string | null {
  if (text === undefined) return null;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new TypeError(`${name}: a time in ISO 8601`);
  return new Date(ms).toISOString();
}

/** The members of an event that a query compares. */
interface AskedEvent {
  readonly playerId?: unknown;
  readonly gameRound?: unknown;
  readonly reference?: unknown;
  readonly transactions?: unknown;
  readonly movements?: unknown;
  readonly repairs?: unknown;
}

function isAsked(line: Buffer, { playerId, gameRound, hash, reference }: EventQuery): boolean {
  let event: AskedEvent | null;
  try {
    event = JSON.parse(line.toString()) as AskedEvent | null;
  } catch {
    return false; // For verify to name.
  }
  return (
    event !== null &&
    (playerId === undefined || event.playerId === playerId) &&
    (gameRound === undefined || event.gameRound === gameRound) &&
    (reference === undefined || event.reference === reference) &&
    (hash === undefined || hashesOf(event).includes(hash))
  );
}

function hashesOf({ transactions, movements, repairs }: AskedEvent): unknown[] {
  return [transactions, movements, repairs].flatMap((list) => {
    if (!Array.isArray(list)) return [];
    return list.map((one: { readonly hash?: unknown } | null) => one?.hash);
  });
}
