import type { Clock, Random } from '../../../platform';
import type { PlainReply, PlainRequest } from '../../../platform/http';
import { withDeadline } from '../../../platform/within';
import { parseJson } from '../../../protocol/json/parse';

/** A player in a browser: the game's server keeps the session, the page only a seat. */
export interface Seat {
  readonly id: string;
  /** The long token of the next call. */
  token: string;
  readonly playerId: string;
  readonly currency: string;
  /** Minor units of the player's currency. */
  readonly stakes: readonly bigint[];
  /** Minor units; null as long as none is known. */
  balance: bigint | null;
  /** What the latest spin showed, in plain words. */
  message: string;
}

/** The players in their browsers. */
export interface Seats {
  /**
   * Burns a launch token for a session (E5.2).
   * @throws SeatError for people, if the RGS refuses the launch.
   */
  sit(launchToken: string): Promise<Seat>;
  find(id: string): Seat | null;
}

/** A launch that came to nothing. */
export class SeatError extends Error {
  override readonly name = 'SeatError';
}

/** What the seats depend on. */
export interface SeatParts {
  readonly connectUrl: string;
  readonly send: (url: string, request: PlainRequest, signal: AbortSignal) => Promise<PlainReply>;
  readonly stakesFor: (currencyMultiplier: string) => readonly bigint[];
  readonly random: Random;
  readonly clock: Clock;
}

const connectTimeoutMs = 10_000;

const maxSeats = 1000;

/** No player has a seat at first. */
export function createSeats({ connectUrl, send, stakesFor, random, clock }: SeatParts): Seats {
  const seats = new Map<string, Seat>();
  return {
    async sit(launchToken) {
      const url = `${connectUrl}?token=${encodeURIComponent(launchToken)}`;
      const get = { method: 'GET', target: '', rawHeaders: [], body: new Uint8Array() };
      const reply = await withDeadline(clock, connectTimeoutMs, (until) => send(url, get, until));
      const body = readBody(reply);
      if (reply.status !== 200) throw new SeatError(textOf(body, 'errorCode', 'clientmsg'));
      const seat: Seat = {
        id: random.bytes(16).toString('hex'),
        token: textOf(body, 'token'),
        playerId: textOf(body, 'tokenData', 'playerId'),
        currency: textOf(body, 'tokenData', 'currency'),
        stakes: stakesFor(textOf(body, 'tokenData', 'currencyMultiplier')),
        balance: unitsOf(textOf(body, 'balance', 'totalBalance')),
        message: 'Good luck!',
      };
      seats.set(seat.id, seat);
      const [oldest] = seats.keys();
      if (seats.size > maxSeats && oldest !== undefined) seats.delete(oldest);
      return seat;
    },
    find: (id) => seats.get(id) ?? null,
  };
}

/** The body as JSON with the numbers as texts. */
function readBody({ body }: PlainReply): unknown {
  try {
    return parseJson(body.toString('utf8')).value;
  } catch {
    throw new SeatError('The RGS gave an answer that is not JSON.');
  }
}

function textOf(body: unknown, ...path: readonly string[]): string {
  let value = body;
  for (const name of path) {
    const isObject = typeof value === 'object' && value !== null;
    value = isObject ? (value as Record<string, unknown>)[name] : undefined;
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function unitsOf(text: string): bigint | null {
  return /^-?\d{1,16}$/.test(text) ? BigInt(text) : null;
}
