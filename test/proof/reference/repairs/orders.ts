import type { Transaction } from '../../../../lib/protocol/operator-api/transaction';
import { type Answer, partsOf as callParts } from '../reference-log';
import { isMarked } from '../reference-player';
import type { CallStep, Step } from '../story';
import type { Proposed, Word } from './real-people';
import type { RepairedReference } from './reference-people';
import type { PersonId, Propose } from './story';

/** What somebody did, and what they were told. */
export type Came =
  | { readonly kind: 'call'; readonly step: CallStep; readonly answers: readonly Answer[] }
  | { readonly kind: 'step'; readonly step: Exclude<Step, CallStep> }
  | { readonly kind: 'propose'; readonly step: Propose; readonly proposed: Proposed }
  | {
      readonly kind: 'approve' | 'reject';
      readonly id: string;
      readonly by: PersonId;
      readonly word: Word;
    };

/** A part of what was done, which happens at one moment. Returns whether more of it comes. @throws Error where the text does not allow it. */
type Part = (reference: RepairedReference) => boolean;

/**
 * The histories that the text allows where all this came at once, those first in which it came in this order: each call
 * transaction by transaction, everything else at one moment. `refused` is told why there is no other one.
 */
export function historiesAfter(
  reference: RepairedReference,
  came: readonly Came[],
  { isOverLedger }: { readonly isOverLedger: boolean },
  refused: (why: unknown) => void,
): Generator<RepairedReference> {
  const givesUp = isOverLedger && came.length > 1 && came.some(holdsVoid);
  return historiesOf(
    reference,
    came,
    [],
    (one) => {
      const whole = partsOf(one, came.length > 1, givesUp, false);
      if (!isOverLedger) return [whole];
      // A ledger may post one after the other what a store writes at once (D4.6).
      const ways = [whole, partsOf(one, came.length > 1, givesUp, true)];
      return waitsInVain(one, came) ? [...ways, whole.slice(-1)] : ways;
    },
    refused,
  );
}

/** The histories of each way in which each of these may be done in parts. */
function* historiesOf(
  reference: RepairedReference,
  [one, ...others]: readonly Came[],
  chosen: readonly (readonly Part[])[],
  waysOf: (one: Came) => readonly (readonly Part[])[],
  refused: (why: unknown) => void,
): Generator<RepairedReference> {
  if (one === undefined) {
    yield* histories(reference, chosen, refused);
    return;
  }
  for (const way of waysOf(one)) {
    yield* historiesOf(reference, others, [...chosen, way], waysOf, refused);
  }
}

function* histories(
  reference: RepairedReference,
  left: readonly (readonly Part[])[],
  refused: (why: unknown) => void,
): Generator<RepairedReference> {
  if (left.every((parts) => parts.length === 0)) yield reference;
  for (const [index, [part, ...rest]] of left.entries()) {
    if (part === undefined) continue;
    const next = reference.copy();
    let isOver = false;
    try {
      isOver = !part(next);
    } catch (error) {
      refused(error);
      continue;
    }
    // What comes behind an unknown outcome is not processed; only the reply still comes.
    const after = isOver ? rest.filter(({ name }) => name === 'reply') : rest;
    yield* histories(next, left.with(index, after), refused);
  }
}

function holdsVoid(came: Came): boolean {
  return holds(came, 'void');
}

function holds(came: Came, wanted: Transaction['type']): boolean {
  return (
    came.kind === 'call' && came.step.delivery.transactions.some(({ type }) => type === wanted)
  );
}

/**
 * Whether a call may have waited for a debit that another one left pending at the ledger, until it was answered as
 * unknown (D7): then nothing of it was processed, and only its reply came.
 */
function waitsInVain(one: Came, came: readonly Came[]): boolean {
  if (one.kind !== 'call' || !isUnknownFrom(one, 0)) return false;
  return came.some((other) => other !== one && holds(other, 'debit') && isUnknownFrom(other));
}

/** Whether the outcome of a call, or of its transactions from this place on, is unknown to the RGS. */
function isUnknownFrom(came: Came, place?: number): boolean {
  if (came.kind !== 'call') return false;
  const { step, answers } = came;
  if (step.fate !== 'answered') return true;
  return place === undefined ? answers.includes('unknown') : answers[place] === 'unknown';
}

function partsOf(came: Came, isAtOnce: boolean, givesUp: boolean, isApart: boolean): Part[] {
  switch (came.kind) {
    case 'call':
      return partsOfCall(came.step, came.answers, givesUp, isApart);
    case 'step':
      return [(reference) => playStep(reference, came.step)];
    case 'propose': {
      const { step, proposed } = came;
      // What is under way at a ledger comes first (D11.1).
      if (isAtOnce && proposed.word === 'pendingWork') return [];
      return [
        (reference) => {
          reference.proposed(step.repair, step.hash, step.by, proposed);
          return true;
        },
      ];
    }
    case 'approve':
    case 'reject':
      return [
        (reference) => {
          if (came.kind === 'approve') reference.approved(came.id, came.by, came.word);
          else reference.rejected(came.id, came.word);
          return true;
        },
      ];
  }
}

/**
 * @param givesUp Whether a void that comes at once may give up a debit whose posting is under way (D7).
 * @param isApart Whether each transaction is a part of its own.
 */
function partsOfCall(
  step: CallStep,
  answers: readonly Answer[],
  givesUp: boolean,
  isApart: boolean,
): Part[] {
  const { delivery, fate } = step;
  const { transactions } = delivery;
  const reply = (reference: RepairedReference): boolean => {
    if (reference.unlisted.has(delivery.id) && !reference.torn.has(delivery.id)) {
      throw new Error('what has an outcome should be listed');
    }
    if (isMarked(step, answers)) reference.mark(delivery);
    return true;
  };
  if (fate === 'unwritten') return [reply];
  const places = isApart ? transactions.map((_, at) => [at, at + 1] as const) : callParts(delivery);
  const parts = places.map(([from, commits]): Part => {
    const part = (reference: RepairedReference): boolean => {
      const came = reference.deliver(delivery, { from, commits });
      for (const [index, answer] of came.entries()) {
        const { hash, type } = transactions[from + index] as Transaction;
        const told = answers[from + index];
        if (givesUp && type === 'debit' && answer === 'ok' && told === 'unknown') {
          reference.mark(delivery); // it waits for its void, or that of the round
          return false;
        }
        // What is listed beside what an earlier part wrote and is to be voided is not said (D4.6).
        const isOver = answers.includes('unknown');
        const isUnlisted = isOver && (told === undefined || told === 'unknown') && told !== answer;
        if (fate === 'answered' && isUnlisted) reference.unlisted.add(delivery.id);
        if (fate === 'answered' && told !== answer && !isUnlisted) {
          throw new Error(`${hash} should be answered ${answer}`);
        }
      }
      return came.at(-1) !== 'unknown';
    };
    return part;
  });
  return [...parts, reply];
}

function playStep(reference: RepairedReference, step: Exclude<Step, CallStep>): boolean {
  if (step.kind === 'block') reference.isBlocked = step.isBlocked;
  if (step.kind === 'deposit') reference.deposit('EUR', step.amount);
  if (step.kind === 'mark') reference.mark(step.delivery);
  return true;
}
