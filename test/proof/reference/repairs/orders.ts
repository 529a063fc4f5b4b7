import type { Answer } from '../reference-log';
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
  const parts = came.map((one) => partsOf(one, came.length > 1, givesUp));
  return histories(reference, parts, refused);
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
    // What comes behind an unknown outcome is not processed; only the mark still comes.
    const after = isOver ? rest.filter(({ name }) => name === 'mark') : rest;
    yield* histories(next, left.with(index, after), refused);
  }
}

function holdsVoid(came: Came): boolean {
  return (
    came.kind === 'call' && came.step.delivery.transactions.some(({ type }) => type === 'void')
  );
}

function partsOf(came: Came, isAtOnce: boolean, givesUp: boolean): Part[] {
  switch (came.kind) {
    case 'call':
      return partsOfCall(came.step, came.answers, givesUp);
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

/** @param givesUp Whether a void that comes at once may give up a debit whose posting is under way (D7). */
function partsOfCall(
  { delivery, fate }: CallStep,
  answers: readonly Answer[],
  givesUp: boolean,
): Part[] {
  const mark = (reference: RepairedReference): boolean => {
    reference.mark(delivery);
    return true;
  };
  const marks = fate === 'lost' || fate === 'unwritten' ? [mark] : [];
  if (fate === 'unwritten') return marks;
  const parts = delivery.transactions.map(({ hash, type }, at): Part => {
    return (reference) => {
      const [answer] = reference.deliver(delivery, { from: at, commits: at + 1 });
      if (givesUp && type === 'debit' && answer === 'ok' && answers[at] === 'unknown') {
        reference.mark(delivery); // it waits for its void, or that of the round
        return false;
      }
      if (fate === 'answered' && answers[at] !== answer) {
        throw new Error(`${hash} should be answered ${answer}`);
      }
      return answer !== 'unknown';
    };
  });
  return [...parts, ...marks];
}

function playStep(reference: RepairedReference, step: Exclude<Step, CallStep>): boolean {
  if (step.kind === 'block') reference.isBlocked = step.isBlocked;
  if (step.kind === 'deposit') reference.deposit('EUR', step.amount);
  if (step.kind === 'mark') reference.mark(step.delivery);
  return true;
}
