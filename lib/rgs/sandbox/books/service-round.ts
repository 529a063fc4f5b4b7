import type { Due, Round, RoundCredit, RoundDebit } from '../../rounds/round';
import { certain, either, type Possible, total } from './possible';

/** A round as the service has it, in the terms of the books (B3). */
export interface ServiceRound {
  readonly round: Round;
  /** What the player's balance at the wallet has changed by; more than one value while something is in doubt. */
  readonly net: Possible;
  /** Units of the debits taken, as the provider asked for them; a free play counts its ticket. */
  readonly stake: bigint;
  /** Units of these that the operator paid: free plays and discounts. */
  readonly paidByOperator: bigint;
  /** Units collected, whether paid, pending or refused by the wallet. */
  readonly win: bigint;
  /** Units of these that the wallet refused: they are for a person. */
  readonly owed: bigint;
  readonly fate: 'taken' | 'notTaken' | 'undone' | 'unsettled';
  readonly isOver: boolean;
  /** What is in doubt, in words; empty if nothing is. */
  readonly doubts: readonly string[];
}

const fates = {
  starting: 'unsettled',
  open: 'taken',
  closed: 'taken',
  stranded: 'taken',
  crashed: 'taken',
  declined: 'notTaken',
  cancelled: 'notTaken',
  voided: 'undone',
} as const;

/** What a transaction of a round may have moved at the wallet. */
export interface Movement {
  readonly type: 'debit' | 'credit';
  readonly hash: string;
  readonly isFirst: boolean;
  /** Signed: a debit is below 0. */
  readonly effect: bigint;
  readonly possible: Possible;
}

/** The debits and credits of a round, each with what it may have moved. */
export function movementsOf(round: Round): readonly Movement[] {
  const debits = round.debits.map((debit): Movement => {
    const { hash, isFirstDebit: isFirst } = debit.due;
    const effect = effectOf(debit);
    return { type: 'debit', hash, isFirst, effect, possible: movedByDebit(round, debit) };
  });
  const credits = round.credits.map((credit): Movement => {
    const { hash, amount: effect } = credit.due;
    const possible = movedByCredit(round, credit);
    return { type: 'credit', hash, isFirst: false, effect, possible };
  });
  return [...debits, ...credits];
}

/** Reads a round for the books. */
export function serviceRound(round: Round): ServiceRound {
  const { debits, credits, state } = round;
  const stands = fates[state] === 'taken';
  const taken = debits.filter((debit) => debit.state === 'accepted');
  const granted = credits.filter((credit) => credit.state !== 'dropped');
  return {
    round,
    net: total(movementsOf(round).map(({ possible }) => possible)),
    stake: stands ? sum(taken.map((debit) => debit.stake)) : 0n,
    paidByOperator: stands ? sum(taken.map(paidByOperator)) : 0n,
    win: stands ? sum(granted.map(({ due }) => due.amount)) : 0n,
    owed: stands ? sum(granted.filter(isForPerson).map(({ due }) => due.amount)) : 0n,
    fate: fates[state],
    isOver: state !== 'open' && state !== 'starting',
    doubts: round.queue.filter(({ type }) => type !== 'end').map(doubtOf),
  };
}

/** A debit moves money if it was taken; until its void is acknowledged that is unknown. */
function movedByDebit(round: Round, debit: RoundDebit): Possible {
  const { due, state } = debit;
  const effect = certain(effectOf(debit));
  if (state === 'declined') return certain(0n);
  if (state === 'due') return either(effect, certain(0n));
  if (state === 'accepted')
    return isVoidPending(round) ? either(effect, certain(0n)) : stood(round, effect);
  const isOpen = [...round.queue, ...round.undelivered].some(
    (one) => one.type === 'void' && one.hash === due.hash,
  );
  return isOpen ? either(effect, certain(0n)) : certain(0n);
}

/** A credit moves money once it is paid; one that was sent and not answered may have. */
function movedByCredit(round: Round, { due, state }: RoundCredit): Possible {
  const effect = certain(due.amount);
  if (state === 'paid')
    return isVoidPending(round) ? either(effect, certain(0n)) : stood(round, effect);
  if (state === 'refused') return certain(0n);
  if (state === 'dropped') return isVoidPending(round) ? either(effect, certain(0n)) : certain(0n);
  return either(effect, certain(0n));
}

/** What a voided round moved is taken back. */
function stood({ state }: Round, effect: Possible): Possible {
  return state === 'voided' || state === 'cancelled' ? certain(0n) : effect;
}

/** Whether the void of the whole round is due, or was given up. */
function isVoidPending({ debits: [first], queue, undelivered }: Round): boolean {
  return [...queue, ...undelivered].some(
    ({ type, hash }) => type === 'void' && hash === first?.due.hash,
  );
}

function paidByOperator({ stake, due }: RoundDebit): bigint {
  return stake - due.amount + (due.discount?.amount ?? 0n);
}

function doubtOf(due: Due): string {
  const amount = 'amount' in due ? ` of ${due.amount}` : '';
  return `${due.type}${amount} is not acknowledged by the wallet`;
}

function isForPerson({ state }: RoundCredit): boolean {
  return state === 'refused' || state === 'held';
}

function effectOf({ due }: RoundDebit): bigint {
  return (due.discount?.amount ?? 0n) - due.amount;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((all, amount) => all + amount, 0n);
}
