import { randomBytes, randomUUID } from 'node:crypto';
import { players, startCents } from '../terms';
import {
  balanceRequest,
  centsMoved,
  movement,
  newRound,
  processedText,
  type RoundCall,
  roundEnd,
  signedRequest,
} from './signed-call';

/** What a load sends. */
export type CallKind = 'round' | 'hot' | 'two' | 'long-round' | 'hundred' | 'balance' | 'refused';

/** A request, and what must come of it. */
export interface Call {
  readonly request: Buffer;
  /** Its place among the players. */
  readonly player: number;
  readonly centsMoved: number;
  /** Of the right answer. */
  readonly status: number;
  /** Which the right answer holds. */
  readonly text: string;
}

/** Calls of a long round: the debit, its credits one a call, and the end with the last. */
export const longRoundCalls = 1000;

/** Calls that go on with the round of those before them: each connection plays rounds of its own. */
export const ownRounds: ReadonlySet<CallKind> = new Set(['two', 'long-round']);

/** Makes calls one after the other. */
export type CallMaker = () => Call;

/** A maker for each connection; where a round has several calls, each has its own round. */
export const callMakers: Readonly<Record<CallKind, () => CallMaker>> = {
  round: () => () => {
    const player = anyPlayer();
    return processed(player, newRound(players[player] ?? ''));
  },
  hot: () => () => processed(0, newRound(players[0] ?? '')),
  hundred: () => () => {
    const player = anyPlayer();
    return processed(player, newRound(players[player] ?? '', 98));
  },
  two: () => roundsOf(2),
  'long-round': () => roundsOf(longRoundCalls),
  balance: () => balanceCall,
  refused: () => refusedCall,
};

/** Rounds of so many calls: the debit, its credits one a call, and the end with the last. */
function roundsOf(callsEach: number): CallMaker {
  let made = 0;
  let player = 0;
  let gameRound = '';
  return () => {
    const at = made++ % callsEach;
    if (at === 0) {
      player = anyPlayer();
      gameRound = randomUUID();
    }
    const movements = [at === 0 ? movement('debit', gameRound) : movement('credit')];
    if (at === callsEach - 1) movements.push(roundEnd());
    return processed(player, { playerId: players[player] ?? '', gameRound, movements });
  };
}

/** Of a player who has what all had at the start; the first, whom the probe moved, is left out. */
function balanceCall(): Call {
  const player = 1 + Math.floor(Math.random() * (players.length - 1));
  const request = balanceRequest(players[player] ?? '');
  return { request, player, centsMoved: 0, status: 200, text: `"amount":${startCents / 100},` };
}

/** A signature of the right form, never the same one, that is no signature of the call. */
function refusedCall(): Call {
  const player = anyPlayer();
  const signature = randomBytes(32).toString('base64');
  const request = signedRequest(newRound(players[player] ?? ''), { signature });
  return { request, player, centsMoved: 0, status: 401, text: '"errorCode":{"id":1001,' };
}

function processed(player: number, call: RoundCall): Call {
  const moved = { player, centsMoved: centsMoved(call) };
  return { request: signedRequest(call), ...moved, status: 200, text: processedText(call) };
}

function anyPlayer(): number {
  return Math.floor(Math.random() * players.length);
}
