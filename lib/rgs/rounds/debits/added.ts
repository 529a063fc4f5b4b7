import type { StartGameRound } from '../../../protocol/engine-api';
import { maxUnits } from '../../../protocol/money';
import { amountToCollect, type DebitAdded, type Round, stakeOf } from '../state';
import type { Context, Lookup } from '../calls/context';
import { debitOf, refusalOfDebit, stakeFindings } from './debit';
import { changeOf, change, type Decision, refuse, refuseAs } from '../calls/decision';
import { collected } from '../calls/end';
import { entryOf, hashFor, infoOf } from '../calls/entry';
import type { CallFinding } from '../calls/finding';
import { contentOfStart } from '../calls/key';
import { openRoundOf, start } from './start';

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
