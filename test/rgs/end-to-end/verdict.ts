import { expect } from '@jest/globals';

import type { WireCall } from '../../../lib/rgs/sandbox/view/wire';
import type { Case } from './case-table';
import { Player } from './play/player';
import { type Parties, PURSE } from './processes/parties';

/** In a table: the answer depends on who is faster. */
const anyAnswer = '~';

interface Transaction {
  readonly type: string;
  readonly amount?: number;
  readonly isFirstDebit?: boolean;
  readonly freePlayUsed?: boolean;
}

/** Plays a case, and holds answers, calls to the wallet, states and all books against the table. */
export async function checkCase(
  parties: Parties,
  playerId: string,
  expected: Case,
  isRecovering: boolean,
): Promise<void> {
  const player = new Player(parties, playerId, isRecovering);
  expect(await player.launch()).toBe(String(PURSE));
  const { wire } = await parties.state();
  const steps: Case['steps'][number][] = [];
  for (const { text, answer } of expected.steps) {
    const given = await player.step(text);
    steps.push({ text, answer: answer === anyAnswer ? anyAnswer : given });
  }
  await parties.clearFaults();
  await parties.act('janitor', {});
  const wallet = sentOf(await parties.wireSince(wire), playerId);
  const states = await statesOf(parties, playerId);
  const { steps: expectedSteps, wallet: expectedWallet, states: expectedStates } = expected;
  expect({ steps, wallet, states }).toEqual({
    steps: expectedSteps,
    wallet: expectedWallet,
    states: expectedStates,
  });
  await checkBooks(parties, playerId, expected);
  await closeAll(parties, playerId);
}

/** The wallet, the remote game server and the provider say the same as the table. */
async function checkBooks(parties: Parties, playerId: string, expected: Case): Promise<void> {
  const balance = PURSE + expected.change;
  const believed = balance + expected.refused;
  expect(await parties.walletBalance(playerId)).toBe(balance);
  const { players, rounds, differences, doubts } = await parties.books();
  const own = new Set(
    rounds.filter((one) => one.playerId === playerId).map((one) => one.gameRound),
  );
  expect(doubts.filter(({ round }) => round !== null && own.has(round))).toEqual([]);
  expect(differences.filter((one) => one.playerId === playerId || one.playerId === '')).toEqual([]);
  if (own.size > 0) {
    expect(players.find((one) => one.playerId === playerId)).toMatchObject({
      start: String(PURSE),
      wallet: String(balance),
      service: { least: String(balance), most: String(balance) },
      provider: String(believed),
      verdict: 'agree',
    });
  }
  // The provider's own sum, over the rounds that the service has of this player.
  let purse = PURSE;
  for (const { gameRound, state, win, stake } of await parties.providersBook()) {
    if (!own.has(gameRound) || state !== 'taken') continue;
    purse += BigInt(win) - BigInt(stake) + stakeOfFreePlays(expected, stake);
  }
  expect(purse).toBe(believed);
}

/** A free play's stake is the operator's, and no money of the player. */
function stakeOfFreePlays({ wallet }: Case, stake: string): bigint {
  return wallet.includes('[free play]') ? BigInt(stake) : 0n;
}

async function statesOf(parties: Parties, playerId: string): Promise<string> {
  const { rounds } = await parties.state();
  return rounds
    .filter((one) => one.playerId === playerId && one.mode === 'REAL')
    .toReversed()
    .map(({ state }) => state)
    .join(', ');
}

/** The calls to doTransactions; a plus after one says that it was sent more than once. */
function sentOf(calls: readonly WireCall[], playerId: string): string {
  const sent: string[] = [];
  for (const { line, call, body } of calls) {
    if (line !== 'rgs-wallet' || call !== 'doTransactions') continue;
    const message = JSON.parse(body.text) as {
      playerId: string;
      transactions: readonly Transaction[];
    };
    if (message.playerId !== playerId) continue;
    const text = `[${message.transactions.map(nameOf).join(', ')}]`;
    const last = sent.at(-1);
    if (last === text) sent[sent.length - 1] = `${text}+`;
    else if (last !== `${text}+`) sent.push(text);
  }
  return sent.join(' ');
}

function nameOf({ type, amount, isFirstDebit, freePlayUsed }: Transaction): string {
  if (freePlayUsed === true) return type === 'debit' ? 'free play' : type;
  if (type === 'end') return type;
  return `${type === 'debit' && isFirstDebit !== true ? 'added' : type} ${String(amount)}`;
}

/** Leaves no open round behind, which a later case's janitor would meet. */
async function closeAll(parties: Parties, playerId: string): Promise<void> {
  const { rounds } = await parties.state();
  for (const { playerId: owner, state, gameRound } of rounds) {
    if (owner === playerId && state === 'open') await parties.command({ kind: 'close', gameRound });
  }
}
