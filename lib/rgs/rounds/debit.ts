import type { DebitInformation } from '../../protocol/engine-api/calls';
import { decimalOf, timesDecimal, wholeOf } from '../../protocol/money/amount';
import type { Context, Lookup } from './context';
import { type CallFinding, refuse, type Refused } from './decision';
import type { DebitDue, RoundDebit } from './round';

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
