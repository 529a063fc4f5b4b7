import type { DebitInformation, StartGameRound } from '../../protocol/engine-api';
import { decimalOf, maxUnits, timesDecimal, wholeOf } from '../../protocol/money';
import { amountToCollect, stakeOf } from './amounts';
import type { Context, Lookup } from './context';
import {
  type CallFinding,
  change,
  changeOf,
  type Decision,
  refuse,
  refuseAs,
  type Refused,
} from './decision';
import { collected } from './end';
import { entryOf, hashFor, infoOf } from './entry';
import { contentOfStart } from './key';
import { openRoundOf, start } from './start';
import type { DebitAdded } from './event';
import type { DebitDue, Round, RoundDebit } from './round';

/** The part of a debit that its call decides. */
interface DebitOfCall {
  readonly hash: string;
  readonly isFirstDebit: boolean;
  readonly content: string;
}

/** Why a debit is refused before anything is sent (E4.4, E7.3, E18.1); null if it is not. */
export function refusalOfDebit(
  { session, settings }: Context,
  { offer }: Lookup,
  debit: DebitInformation,
): Refused | null {
  if (debit.currency !== session.owner.currency) return refuse('INVALIDPARAMETER', 'E4.4');
  if (debit.useTicket) {
    if (session.owner.mode === 'DEMO') return refuse('INVALIDPARAMETER', 'E18.1');
    return offer.freePlaySerial === null ? refuse('TICKETNOTAVAILABLE', 'E17.4') : null;
  }
  if (debit.debitAmount < 1n) return refuse('INVALIDPARAMETER', 'E7.3');
  const isRefused = settings.enforceStakes && !isOffered(offer.stakes, debit.debitAmount);
  return isRefused ? refuse('BETLIMITREACHED', 'E7.3') : null;
}

/** A new due debit: the full stake, with its discount; a free play moves 0 (B2). */
export function debitOf(
  { at, session }: Context,
  { offer }: Lookup,
  debit: DebitInformation,
  { hash, isFirstDebit, content }: DebitOfCall,
): RoundDebit {
  const isFree = debit.useTicket;
  const added = isFirstDebit ? 'bet' : 'added bet';
  const due: DebitDue = {
    type: 'debit',
    hash,
    isFirstDebit,
    amount: isFree ? 0n : debit.debitAmount,
    currency: session.owner.currency,
    discount: isFree ? null : offer.discount,
    serial: isFree ? offer.freePlaySerial : null,
    at,
    reason: isFree ? 'free play' : added,
  };
  const key = debit.externalGameProviderTransactionId;
  return { due, key, content, stake: debit.debitAmount, state: 'due', refusal: null };
}

/** A stake that is not offered, and one that the multiplier was applied to twice (E7.3, E21.2). */
export function stakeFindings(
  { session }: Context,
  { offer: { stakes } }: Lookup,
  { debitAmount }: DebitInformation,
): CallFinding[] {
  if (isOffered(stakes, debitAmount)) return [];
  const isTwice = (stakes.ladder ?? []).some(
    (stake) => debitAmount === times(stake, session.owner.currencyMultiplier),
  );
  return isTwice ? ['stakeNotOffered', 'multiplierTwice'] : ['stakeNotOffered'];
}

/** Null for a product that is not whole, or a multiplier that is not a decimal text. */
function times(stake: bigint, multiplier: string): bigint | null {
  const factor = decimalOf(multiplier);
  if (factor === null) return null;
  const product = timesDecimal({ digits: stake, scale: 0 }, factor);
  const units = wholeOf(product, 'down');
  return units === wholeOf(product, 'up') ? units : null;
}

function isOffered({ ladder, min, max }: Lookup['offer']['stakes'], stake: bigint): boolean {
  if ((min !== null && stake < min) || (max !== null && stake > max)) return false;
  return ladder === null || ladder.includes(stake);
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
  const added = intent(context, lookup, round, call);
  const findings = [...ignored(call), ...stakeFindings(context, lookup, debit)];
  return { ...change(round, [{ ...added, at }], findings), debit: added.debit.due.hash };
}

function intent(context: Context, lookup: Lookup, round: Round, call: StartGameRound): DebitAdded {
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
