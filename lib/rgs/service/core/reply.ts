import type {
  GameRoundInfo,
  GameStateEntry,
  RoundReply,
  TokenData,
} from '../../../protocol/engine-api/replies';
import type { Entry, Round } from '../../rounds/round';
import { protectedInfoOf, replyOf } from '../../rounds/query';
import type { State } from '../state/everything';
import { type Caller, openRoundOf } from './parts';
import type { Surroundings } from './surroundings';

/** The session as replies show it; the token stays the same from call to call (E5.7). */
export function tokenDataOf(state: State, { token, grant }: Caller): TokenData {
  const { owner, kind, language, device } = grant;
  return {
    operatorId: owner.operatorId,
    playerId: owner.playerId,
    gameId: owner.gameCode,
    mode: kind === 'history' ? 'HISTORY' : owner.mode,
    currency: owner.currency,
    currentToken: token,
    gameRound: openRoundOf(state, grant)?.gameRound ?? null,
    walletMode: owner.mode === 'DEMO' ? 'demo' : 'real',
    language,
    currencyMultiplier: owner.currencyMultiplier,
    device,
  };
}

/** The round of a reply (game-engine-api 2.6, E14.3). */
export function roundInfoOf(round: Round): GameRoundInfo {
  const { owner, gameRound, status, stake, baseStake } = replyOf(round);
  const { mode, currency, gameCode, currencyMultiplier } = owner;
  return {
    hash: gameRound,
    status,
    stake,
    baseStake,
    mode,
    currency,
    game: gameCode,
    currencyMultiplier,
  };
}

/** The reply to a call on a round (C2). */
export function roundReplyOf(
  state: State,
  surroundings: Surroundings,
  caller: Caller,
  round: Round,
): RoundReply {
  const { amountToCollect, amountCredited, creditPending, outcome, gameState } = replyOf(round);
  return {
    ...surroundings.freePlaysOf(round.owner, round.debits[0]?.due.serial ?? null),
    tokenData: tokenDataOf(state, caller),
    balance: surroundings.balanceOf(caller.grant.owner),
    gameRoundInfo: roundInfoOf(round),
    gameState: gameState.map(shownOf),
    amountToCollect,
    amountCredited,
    passThroughData: { outcome, creditPending: String(creditPending) },
    protectedInfo: null,
    spinsAvailable: null,
  };
}

/** The reply of getGameRoundHistoryInfo, with what is for it alone (E14.2). */
export function historyReplyOf(reply: RoundReply, round: Round): RoundReply {
  return { ...reply, protectedInfo: protectedInfoOf(round) };
}

/** Entries as replies have them: an entry never changes, and a long round shows it in every reply. */
const shown = new WeakMap<Entry, GameStateEntry>();

function shownOf(entry: Entry): GameStateEntry {
  const known = shown.get(entry);
  if (known !== undefined) return known;
  const made = entryOf(entry);
  shown.set(entry, made);
  return made;
}

function entryOf({ hash, type, at, winAmount, info, ...entry }: Entry): GameStateEntry {
  return {
    hash,
    type,
    processedOn: new Date(at).toISOString(),
    result: { winAmount, info },
    amountWagered: entry.amountWagered,
    collected: entry.collected,
    reason: entry.reason,
  };
}
