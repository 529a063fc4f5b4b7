/*
 * A game provider as its own process, on the built package: its router, its client, its own book, and
 * commands by HTTP. Every bet and win is given, since random ones would leave nothing to compare.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
  createGameEngineClient,
  createGameProviderHandler,
  GameEngineError,
  type GameEngineClient,
  type GameRound,
  GameRoundError,
  type RoundReply,
} from 'rgs-wallet-kit/provider';
import { ProviderBook } from './provider-book';
import type { Answer, BookedRound, Command } from './provider-commands';

const { GAME_PROVIDER_ID: gameProviderId = '', PROVIDER_SECRET: secret = '' } = process.env;
const book = new ProviderBook();
const rounds = new Map<string, GameRound>();
const left = new Map<string, number | 'void'>();
let client: GameEngineClient | null = null;

const router = createGameProviderHandler({
  providers: [{ gameProviderId, secrets: [secret] }],
  getGameConfiguration: ({ currency, currencyMultiplier }) => ({
    stakes: [5, 10, 50, 100, 200],
    currency,
    currencyMultiplier,
    expectedRtp: 96,
    maxPayoutOdds: 100,
  }),
  doAutoClose: ({ gameRound }) => close(gameRound),
  getGameResult: ({ gameRound }) => {
    const round = book.rounds.get(gameRound);
    return round === undefined ? null : { win: String(round.win) };
  },
});

function rgs(): GameEngineClient {
  if (client === null) throw new Error('it does not know yet where the remote game server is');
  return client;
}

/** Plays what is left of a round, and ends it. */
async function close(gameRound: string): Promise<RoundReply | null> {
  const { playerId = '' } = book.rounds.get(gameRound) ?? {};
  const reply = await rgs().closeAbandoned(gameRound, async (round) => {
    const win = left.get(gameRound);
    if (win === 'void') return 'void';
    if (win === undefined) return null;
    left.delete(gameRound);
    const state = await round.addWin({ winAmount: win });
    noteDone('addWin', { gameRound, rngResult: { winAmount: win } }, state, playerId);
    return null;
  });
  if (reply !== null && reply.passThroughData['outcome'] === 'voided') book.undone(gameRound);
  else if (book.rounds.get(gameRound)?.isOver === false && reply !== null) {
    noteDone('endGameRound', { gameRound }, reply, playerId);
  }
  return reply;
}

async function work(command: Command): Promise<Answer> {
  switch (command.kind) {
    case 'rgs':
      client = createGameEngineClient({
        baseUrl: command.url,
        gameProviderId,
        secret,
      });
      return { kind: 'reply', reply: {} };
    case 'leave':
      left.set(command.gameRound, command.win);
      return { kind: 'reply', reply: {} };
    case 'close':
      return replied((await close(command.gameRound)) ?? {});
    case 'call':
      return call(command);
    case 'play':
      return play(command);
  }
}

async function call(command: Extract<Command, { kind: 'call' }>): Promise<Answer> {
  const { name, request, playerId, timeoutMs } = command;
  const caller = rgs() as unknown as Record<string, (one: object, by?: object) => Promise<object>>;
  try {
    const reply = await caller[name]?.(request, timeoutMs === undefined ? {} : { timeoutMs });
    if (reply === undefined) throw new Error(`the client has no ${name}`);
    if ('gameRoundInfo' in reply) noteDone(name, request, reply as RoundReply, playerId);
    return replied(reply);
  } catch (error) {
    const id = request['externalGameProviderRoundId'];
    if (typeof id === 'string') noteFailed(error, id, playerId);
    return failed(error);
  }
}

async function play(command: Extract<Command, { kind: 'play' }>): Promise<Answer> {
  const { method, gameRound, given, playerId, timeoutMs } = command;
  const by = timeoutMs === undefined ? {} : { timeoutMs };
  try {
    if (method === 'start') {
      const opening = { id: gameRound, ...given } as Parameters<GameEngineClient['openRound']>[0];
      const round = await rgs().openRound(opening, by);
      rounds.set(gameRound, round);
      const { stake: debitAmount, closeOpenGame } = given;
      const externalGameProviderRoundId = gameRound;
      const debitInformation = { debitAmount };
      const start = { externalGameProviderRoundId, debitInformation, closeOpenGame };
      noteDone('startGameRound', start, round.state, playerId);
      return replied(round.state);
    }
    const round = rounds.get(gameRound);
    if (round === undefined) throw new Error(`${gameRound} was never opened`);
    const { lost } = round;
    const methods = round as unknown as Record<
      string,
      (one: object, by?: object) => Promise<RoundReply>
    >;
    const hasArgument = method !== 'end' && method !== 'recover';
    const state = await (hasArgument ? methods[method]?.(given, by) : methods[method]?.(by));
    if (state === undefined) throw new Error(`a round has no ${method}`);
    if (method === 'recover') noteRecovered(lost, state, playerId);
    else noteDone(...played(method, gameRound, given), state, playerId);
    return replied(state);
  } catch (error) {
    noteFailed(error, method === 'start' ? gameRound : null, playerId);
    return failed(error);
  }
}

/** A method of a round as the call that it makes; the book keeps a bet by its number. */
function played(
  method: string,
  gameRound: string,
  given: Readonly<Record<string, unknown>>,
): [string, Record<string, unknown>] {
  const { stake, winAmount, collect, bet } = given;
  const bets = book.rounds.get(gameRound)?.bets.size ?? 0;
  switch (method) {
    case 'addBet':
      return [
        'startGameOrAddBet',
        {
          externalGameProviderRoundId: gameRound,
          debitInformation: {
            debitAmount: stake,
            externalGameProviderTransactionId: String(bets + 1),
          },
        },
      ];
    case 'addWin':
      return ['addWin', { gameRound, rngResult: { winAmount }, collect }];
    case 'wager':
      return ['wagerWin', { gameRound, rngResult: { winAmount } }];
    case 'void': {
      const one = typeof bet !== 'number' ? {} : { externalGameProviderTransactionId: String(bet) };
      return ['voidGameRound', { gameRound, ...one }];
    }
    case 'end':
      return ['endGameRound', { gameRound }];
    default:
      return [method, { gameRound }];
  }
}

function noteRecovered(lost: GameRound['lost'], state: RoundReply, playerId: string): void {
  if (lost === null) return;
  const names = { addWin: 'addWin', wagerWin: 'wagerWin', end: 'endGameRound' } as const;
  const name = lost.call in names ? names[lost.call as keyof typeof names] : lost.call;
  noteDone(name, lost.request as unknown as Record<string, unknown>, state, playerId);
}

function noteDone(
  name: string,
  request: Readonly<Record<string, unknown>>,
  reply: RoundReply,
  playerId: string,
): void {
  const { hash, status } = reply.gameRoundInfo;
  const id = request['externalGameProviderRoundId'] ?? hash;
  const noted = name.startsWith('start')
    ? { ...request, externalGameProviderRoundId: id }
    : request;
  book.done(name, noted, { playerId, isOpen: status === 'open' });
}

function noteFailed(error: unknown, started: string | null, playerId: string): void {
  if (error instanceof GameRoundError) {
    if (error.code === 'UNDONE') book.undone(error.gameRound);
    if (error.code === 'UNCLEAR') book.unclear(error.gameRound, playerId);
  }
  const isRefused = (error as { outcome?: unknown }).outcome === 'refused';
  if (started !== null && isRefused) book.notTaken(started, playerId);
}

function replied(reply: object): Answer {
  return { kind: 'reply', reply: reply as Record<string, unknown> };
}

function failed(error: unknown): Answer {
  if (error instanceof GameRoundError) {
    const kinds = { NOT_TAKEN: 'notTaken', UNDONE: 'undone', UNCLEAR: 'unclear' } as const;
    return { kind: kinds[error.code] };
  }
  if (!(error instanceof GameEngineError)) throw error;
  const { status = 0, id = null } = error as { status?: number; id?: number | null };
  if (error.outcome === 'nothing') return { kind: 'unsent' };
  if (error.outcome !== 'refused' && id === null) return { kind: 'unknown' };
  return { kind: 'refused', status, id };
}

function booked(): BookedRound[] {
  return [...book.rounds.values()].map(({ gameRound, playerId, state, bets, win, isOver }) => {
    const stake = state === 'taken' ? [...bets.values()].reduce((sum, bet) => sum + bet, 0n) : 0n;
    return { gameRound, playerId, state, stake: String(stake), win: String(win), isOver };
  });
}

async function bodyOf(request: IncomingMessage): Promise<Command> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Command;
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one));
}

const server = createServer((request, response) => {
  const { url = '' } = request;
  if (url === '/book') return void response.end(jsonOf(booked()));
  if (url !== '/command') return router.handle(request, response);
  bodyOf(request)
    .then(work)
    .then(
      (answer) => response.end(jsonOf(answer)),
      (error: unknown) => {
        response.statusCode = 500;
        response.end(String(error instanceof Error ? error.stack : error));
      },
    );
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ port: (server.address() as AddressInfo).port }));
});
