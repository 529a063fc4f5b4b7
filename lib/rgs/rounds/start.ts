import type { StartGameRound } from '../../protocol/engine-api';
import { apply } from './apply';
import { type Context, isSamePlayer, type Lookup } from './context';
import {
  type Change,
  changeOf,
  type Decision,
  exposureFindings,
  refuse,
  refuseAs,
  type Refused,
} from './decision';
import { closing, findingsOfEnd } from './end';
import { creditDue, endDue, entryOf, hashFor, infoOf, jackpotIdsOf } from './entry';
import { contentOfStart } from './key';
import { debitOf, refusalOfDebit, stakeFindings } from './debit';
import type { Started } from './event';
import type { EndDue, Entry, Round, RoundCredit } from './round';

/**
 * A start, by startGameRound or by the first bet of startGameOrAddBet (E7). In order: what the token
 * allows, a known or spent id, an open round of the player, the amounts; then the debit is due.
 */
export function start(context: Context, lookup: Lookup, call: StartGameRound): Decision {
  const { session } = context;
  if (session.kind !== 'player') return refuse('INVALIDPARAMETER', 'E5.6');
  const open = openRoundOf(context, lookup);
  const refused =
    refusalOfKnown(lookup, context) ??
    refusalOfOpen(open, context, call) ??
    refusalOfId(lookup) ??
    refusalOfDebit(context, lookup, call.debitInformation) ??
    refusalOfAmounts(call, context);
  if (refused !== null) return refused;
  const started = intent(context, lookup, call);
  const next: Change = { events: [started], round: apply(null, started) };
  const closed = open === null ? null : changeOf(open, closing(context, open, 'collect'));
  return {
    kind: 'changed',
    changes: closed === null ? [next] : [closed, next],
    debit: started.debit.due.hash,
    findings: [
      ...(open === null ? [] : findingsOfEnd(open)),
      ...(started.isNamed ? [] : ['noRoundId' as const]),
      ...stakeFindings(context, lookup, call.debitInformation),
      ...exposureFindings(context, null, next.round),
    ],
  };
}

/** The open round that forbids another one, by the reading openRounds (E7.2). */
export function openRoundOf({ session, settings }: Context, { openRounds }: Lookup): Round | null {
  const { gameCode } = session.owner;
  const isSameGame = (round: Round): boolean => round.owner.gameCode === gameCode;
  if (settings.readings.openRounds === 'perGame') return openRounds.find(isSameGame) ?? null;
  return openRounds[0] ?? null;
}

/**
 * E7.6: an id is used once; a declined or cancelled start keeps its refusal. The wallet would answer the debit of
 * a round that another provider named alike as a repeat, and move no money (E15.1).
 */
function refusalOfKnown({ known, isElsewhere }: Lookup, { session }: Context): Refused | null {
  if (known === null) return isElsewhere ? refuse('TRANSACTIONALREADYEXISTS', 'E15.1') : null;
  if (!isSamePlayer(known.owner, session.owner)) {
    return refuse('TRANSACTIONALREADYEXISTS', 'E15.1');
  }
  if (known.state === 'open' || known.state === 'starting') {
    return refuse('GAMEROUNDALREADYSTARTED', 'E7.2');
  }
  const recorded = known.debits[0]?.refusal ?? null;
  return recorded === null ? refuse('GAMEROUNDNOTACTIVE', 'E7.6') : refuseAs(recorded);
}

/** E7.2: closeOpenGame ends an open round of the same game first; any other forbids the start. */
function refusalOfOpen(
  open: Round | null,
  { session }: Context,
  { closeOpenGame }: StartGameRound,
): Refused | null {
  if (open === null) return null;
  const isSameGame = open.owner.gameCode === session.owner.gameCode;
  const mayClose = closeOpenGame && isSameGame;
  return mayClose ? null : refuse('GAMEROUNDALREADYSTARTED', 'E7.2');
}

function refusalOfId({ isSpent }: Lookup): Refused | null {
  return isSpent ? refuse('GENERICBETERROR', 'E14.1') : null;
}

/** E7.5: a win that would be lost for good is refused before anything is sent. */
function refusalOfAmounts(call: StartGameRound, context: Context): Refused | null {
  const { creditInformation, rngResult, endGame } = call;
  if (creditInformation !== null && creditInformation.currency !== context.session.owner.currency) {
    return refuse('INVALIDPARAMETER', 'E4.4');
  }
  const credited = creditedAtOnce(call, context);
  if (endGame && rngResult.winAmount !== null && rngResult.winAmount !== credited) {
    return refuse('INVALIDPARAMETER', 'E7.5');
  }
  return null;
}

/** E7.4: what is credited with the start; by the reading `open` a win that ends at once is credited too. */
function creditedAtOnce(
  { creditInformation, rngResult, endGame }: StartGameRound,
  context: Context,
): bigint {
  if (creditInformation !== null) return creditInformation.creditAmount;
  const isOpened = context.settings.readings.startWin === 'open' && endGame;
  return isOpened ? (rngResult.winAmount ?? 0n) : 0n;
}

function intent(context: Context, lookup: Lookup, call: StartGameRound): Started {
  const { at, session, settings } = context;
  const { currency } = session.owner;
  const { debitInformation, externalGameProviderRoundId: id } = call;
  const gameRound = id ?? lookup.newRoundId;
  const debit = debitOf(context, lookup, debitInformation, {
    hash: gameRound,
    isFirstDebit: true,
    content: contentOfStart(call),
  });
  const amount = creditedAtOnce(call, context);
  const payouts = jackpotIdsOf(call.creditInformation?.jackpotPayout ?? []);
  const isCredited = amount > 0n || (settings.zeroCredits && call.creditInformation !== null);
  const credit: RoundCredit | null = isCredited
    ? {
        due: creditDue(context, { gameRound, currency }, 1, amount, 'win', payouts),
        key: null,
        content: '',
        state: 'due',
      }
    : null;
  const end: EndDue | null = call.endGame ? endDue(context, gameRound) : null;
  const entries = entriesOf(context, gameRound, call, amount);
  const { owner } = session;
  return {
    type: 'started',
    at,
    owner,
    gameRound,
    isNamed: id !== null,
    debit,
    credit,
    end,
    entries,
  };
}

/**
 * The entries of a start: the debit, with the winAmount that is recorded and not paid (E7.5); any
 * immediate credit; with the reading `open` the winAmount as an open piece.
 */
function entriesOf(
  context: Context,
  gameRound: string,
  { rngResult, debitInformation, creditInformation }: StartGameRound,
  credited: bigint,
): readonly Entry[] {
  const { at, settings } = context;
  const isOpened = settings.readings.startWin === 'open';
  const recorded = rngResult.winAmount ?? 0n;
  const blank = { key: null, content: '' };
  const first: Entry = {
    ...entryOf('debit', gameRound, at, blank),
    winAmount: isOpened ? 0n : recorded,
    info: infoOf(rngResult, debitInformation.externalGameProviderTransactionId),
    protectedInfo: rngResult.betData,
    reason: debitInformation.useTicket ? 'free play' : 'bet',
  };
  const open = isOpened && creditInformation === null ? recorded - credited : 0n;
  if (credited === 0n && open === 0n) return [first];
  const second: Entry = {
    ...entryOf('genericwin', hashFor(context, gameRound, 'entry', 2), at, blank),
    winAmount: credited + open,
    open,
    collected: credited,
    reason: 'win',
    jackpotIds: jackpotIdsOf(creditInformation?.jackpotPayout ?? []),
  };
  return [first, second];
}
