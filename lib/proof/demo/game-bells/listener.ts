import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  originForm,
  pathOf,
  readBytes,
  type RequestListener,
  sendJson,
} from '../../../platform/http';
import { GameEngineError, GameRoundError } from '../../../provider';
import { ExactNumber, writeJson } from '../../../protocol/json/write';
import { JsonSyntaxError, parseJson } from '../../../protocol/json/parse';
import { minor, sendGame, sendNote, nameOf, readReels, type Reels, symbols } from './reels';
import { type Seat, SeatError, type Seats } from './seats';
import type { SpinRequest, Spins } from './spins';

/** What the listener depends on. */
interface ListenerParts {
  /** The calls of the RGS, without the prefix /rgs. */
  readonly provider: RequestListener;
  readonly spins: Spins;
  readonly seats: Seats;
}

/** Where the calls of the RGS are. */
const providerPath = '/rgs';

const maxBytes = 16_384;

/** What a person sent is not a spin. */
class WrongSpinError extends Error {}

/**
 * The provider over HTTP: its calls under /rgs; GET /game, the page that a launch URL opens; POST /spin, from the
 * page's form or as JSON {token, stake, currency, force?}.
 */
export function createListener(parts: ListenerParts): RequestListener {
  return (request, response) => {
    response.on('error', () => {});
    const path = pathOf(request.url ?? '/');
    if (path.startsWith(`${providerPath}/`)) {
      request.url = originForm(request.url ?? '').slice(providerPath.length);
      return parts.provider(request, response);
    }
    void answer(parts, path, request, response).catch((error: unknown) => {
      if (response.headersSent) return void response.destroy();
      sendNote(response, statusOf(error), messageFor(error));
    });
  };
}

async function answer(
  parts: ListenerParts,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (path === '/game' && request.method === 'GET') return openGame(parts, request, response);
  if (path === '/spin' && request.method === 'POST') {
    const isJson = /^application\/json\b/i.test(request.headers['content-type'] ?? '');
    const text = Buffer.from(await readBytes(request, maxBytes)).toString('utf8');
    return isJson ? spinByJson(parts, text, response) : spinByForm(parts, text, response);
  }
  sendNote(response, 404, 'There is nothing here. Open the address that getGameURL gave you.');
}

/** The launch token is burnt at once; the seat is what the address shows from then on. */
async function openGame(
  { seats }: ListenerParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const query = new URLSearchParams(originForm(request.url ?? '').split('?')[1] ?? '');
  const token = query.get('token');
  const seat = token === null ? seats.find(query.get('seat') ?? '') : await seats.sit(token);
  if (seat === null) throw new SeatError('This session is over. Please launch the game again.');
  if (token === null) return sendGame(response, seat);
  toGame(response, seat);
}

async function spinByForm(
  { spins, seats }: ListenerParts,
  text: string,
  response: ServerResponse,
): Promise<void> {
  const fields = new URLSearchParams(text);
  const seat = seats.find(fields.get('seat') ?? '');
  if (seat === null) throw new SeatError('This session is over. Please launch the game again.');
  try {
    const wanted = (fields.get('force') ?? '').trim();
    const force = wanted === '' ? null : forced(wanted.split(/[\s,]+/));
    const { token, currency } = seat;
    const stake = stakeOf(fields.get('stake'));
    const spin = await spins.play({ token, stake, currency, ...(force === null ? {} : { force }) });
    seat.token = spin.round.tokenData.currentToken;
    seat.balance = spin.round.balance?.totalBalance ?? null;
    const won = spin.winAmount === 0n ? 'no win' : `you win ${minor(spin.winAmount)}`;
    seat.message = `${nameOf(spin.reels)}: ${won}`;
  } catch (error) {
    seat.message = messageFor(error);
  }
  toGame(response, seat);
}

async function spinByJson(
  { spins }: ListenerParts,
  text: string,
  response: ServerResponse,
): Promise<void> {
  try {
    const { gameRound, reels, winAmount, round } = await spins.play(readSpin(text));
    const balance = round.balance?.totalBalance ?? null;
    const body = {
      gameRound,
      reels: nameOf(reels),
      winAmount: new ExactNumber(String(winAmount)),
      balance: balance === null ? null : new ExactNumber(String(balance)),
      token: round.tokenData.currentToken,
    };
    sendJson(response, { status: 200, text: writeJson(body) });
  } catch (error) {
    const body = { message: messageFor(error) };
    sendJson(response, { status: statusOf(error), text: writeJson(body) });
  }
}

function readSpin(text: string): SpinRequest {
  const value = jsonOf(text);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const body: Record<string, unknown> = isObject ? { ...value } : {};
  const { token, stake, currency, force, useTicket } = body;
  if (typeof token !== 'string' || typeof currency !== 'string') {
    throw new WrongSpinError('A spin is {"token": "...", "stake": 100, "currency": "EUR"}.');
  }
  return {
    token,
    currency,
    stake: stakeOf(stake),
    ...(force === undefined ? {} : { force: forced(Array.isArray(force) ? force : [force]) }),
    ...(useTicket === true ? { useTicket } : {}),
  };
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(text).value;
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw new WrongSpinError('The body is not JSON.');
    throw error;
  }
}

function stakeOf(value: unknown): bigint {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  if (!/^[1-9]\d{0,14}$/.test(text)) {
    throw new WrongSpinError('The stake must be a whole number of minor units, at least 1.');
  }
  return BigInt(text);
}

function forced(wanted: readonly unknown[]): Reels {
  const reels = readReels(wanted);
  if (reels === null) {
    throw new WrongSpinError(`The reels must be three of ${symbols.join(', ')}.`);
  }
  return reels;
}

function toGame(response: ServerResponse, { id }: Seat): void {
  response.writeHead(303, { location: `game?seat=${id}`, 'cache-control': 'no-store' }).end();
}

function statusOf(error: unknown): number {
  if (error instanceof WrongSpinError || error instanceof SeatError) return 400;
  const isKnown = error instanceof GameEngineError || error instanceof GameRoundError;
  return isKnown && error.outcome === 'refused' ? 400 : 503;
}

/** The text for the player; never the inside of an error. */
function messageFor(error: unknown): string {
  if (error instanceof WrongSpinError || error instanceof SeatError) return error.message;
  const said = error instanceof Error && 'clientmsg' in error ? error.clientmsg : null;
  return typeof said === 'string' && said !== '' ? said : 'That did not work. Please try again.';
}
