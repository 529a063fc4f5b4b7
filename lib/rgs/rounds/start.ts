import { maxUnits } from '../../protocol/money/amount';
import { amountToCollect, stakeOf } from './amounts';
import {
  type CallFinding,
  type Change,
  change,
  changeOf,
  type Decision,
  exposureFindings,
  refuse,
  refuseAs,
  type Refused,
} from './decision';
import { closing, collected, findingsOfEnd } from './end';
import type { DebitAdded, Started } from './event';
import type { StartGameRound } from '../../protocol/engine-api/calls';
import { apply } from './apply';
import { type Context, isSamePlayer, type Lookup } from './context';
import { creditDue, endDue, entryOf, hashFor, infoOf, jackpotIdsOf } from './entry';
import { contentOfStart } from './key';
import { debitOf, refusalOfDebit, stakeFindings } from './debit';
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
function openRoundOf({ session, settings }: Context, { openRounds }: Lookup): Round | null {
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

/**
 * startGameOrAddBet: without an open round a start; otherwise a debit more for the round with this id
 * (E8.2).
 */
export function startOrAddDebit(context: Context, lookup: Lookup, call: StartGameRound): Decision {
  const { session } = context;
  if (session.kind === 'history') return refuse('INVALIDPARAMETER', 'E19.2');
  const round = openRoundOf(context, lookup);
  if (round === null) return start(context, lookup, call);
  const isSameGame = round.owner.gameCode === session.owner.gameCode;
  const isSame = round.isNamed && round.gameRound === call.externalGameProviderRoundId;
  if (!isSame || !isSameGame) return refuse('GAMEROUNDALREADYSTARTED', 'E8.2');
  return repeated(round, call) ?? addDebit(context, lookup, round, call);
}

/** A transaction id that the round has seen, as a debit of any outcome (E8.2, E15.1). */
function repeated(round: Round, call: StartGameRound): Decision | null {
  const key = call.debitInformation.externalGameProviderTransactionId;
  const at = round.debits.findIndex((debit) => key !== null && debit.key === key);
  const known = round.debits[at];
  if (known === undefined) return null;
  if (known.refusal !== null) return refuseAs(known.refusal);
  const isRepeat = at === 0 && known.content === contentOfStart(call);
  if (isRepeat) return { kind: 'answered', round };
  return refuse('TRANSACTIONALREADYEXISTS', 'E8.2');
}

/**
 * A follow-up debit never passes a void or a credit of its round: the due part is retried, then the call
 * is refused as not done (E8.4). With collectBeforeAddedBet the open amount is credited first (W12).
 */
function addDebit(context: Context, lookup: Lookup, round: Round, call: StartGameRound): Decision {
  const { at, settings } = context;
  const { debitInformation: debit } = call;
  if (debit.useTicket) return refuse('INVALIDPARAMETER', 'E8.4');
  if (debit.currency !== round.owner.currency) return refuse('INVALIDPARAMETER', 'E4.4');
  const refused = refusalOfDebit(context, lookup, debit);
  if (refused !== null) return refused;
  if (stakeOf(round) + debit.debitAmount > maxUnits) return refuse('INVALIDPARAMETER', 'E4.1');
  if (round.queue.length > 0) {
    if (lookup.hasTried) return refuse('OPERATIONBEINGPROCESSED', 'E8.4');
    return { kind: 'tryFirst', round, change: null };
  }
  const open = amountToCollect(round);
  if (settings.collectBeforeAddedBet && open > 0n) {
    const credit = collected(context, round, open, 'collect', { key: null, content: '' });
    return { kind: 'tryFirst', round, change: changeOf(round, [credit]) };
  }
  const added = intentToAdd(context, lookup, round, call);
  const findings = [...ignored(call), ...stakeFindings(context, lookup, debit)];
  return { ...change(round, [{ ...added, at }], findings), debit: added.debit.due.hash };
}

function intentToAdd(
  context: Context,
  lookup: Lookup,
  round: Round,
  call: StartGameRound,
): DebitAdded {
  const { debitInformation, rngResult } = call;
  const { at } = context;
  const key = debitInformation.externalGameProviderTransactionId ?? '';
  const hash = hashFor(context, round.gameRound, 'debit', key);
  const content = contentOfStart(call);
  const debit = debitOf(context, lookup, debitInformation, { hash, isFirstDebit: false, content });
  const entry = {
    ...entryOf('debit', hash, at, { key: null, content: '' }),
    winAmount: rngResult.winAmount ?? 0n,
    info: infoOf(rngResult, key),
    protectedInfo: rngResult.betData,
    reason: 'added bet',
  };
  return { type: 'debitAdded', at, debit, entry };
}

/** E8.3: fields that an added debit ignores, although they were set. */
function ignored(call: StartGameRound): CallFinding[] {
  const isSet =
    call.endGame || call.creditInformation !== null || call.closeOpenGame || call.useJackpot;
  return isSet ? ['ignoredOnAddedDebit'] : [];
}
