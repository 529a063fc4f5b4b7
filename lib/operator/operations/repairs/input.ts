import { isIdentifier } from '../../../protocol/identifiers';
import type { RepairOrder } from '../../gameround/repairs';
import { type Actor, InvalidInputError } from '../../wallet';
import { checkActor, checkRoundKey, isPlainText, wrongForm } from '../../stores/check-input';

export { checkRoundKey };

/** Fewest and most characters of a reason. */
const reasonCharacters = { least: 10, most: 500 } as const;

const kinds: readonly unknown[] = ['pay', 'resolve', 'void'];

/** @throws InvalidInputError or TypeError that names what is missing or wrong in an order. */
export function checkOrder(order: RepairOrder): RepairOrder {
  if (typeof order !== 'object' || order === null) throw new TypeError('the repair is missing');
  const { kind, hash, reference, reason } = order;
  if (!kinds.includes(kind)) throw wrongForm('kind', kind, 'kind must be pay, resolve or void');
  checkReason('reason', reason);
  if (hash !== undefined && (kind === 'resolve' || !isIdentifier(hash))) {
    throw wrongForm('hash', hash, 'hash must be that of a transaction, and is not for resolve');
  }
  if ((kind === 'resolve') !== (reference !== undefined)) {
    const rule = 'reference is required for resolve and allowed for nothing else';
    throw new InvalidInputError('reference', rule);
  }
  if (reference !== undefined && !isIdentifier(reference)) {
    const rule = 'reference must be 1 to 128 characters, without # or control characters';
    throw wrongForm('reference', reference, rule);
  }
  const named = hash === undefined ? {} : { hash };
  return { kind, reason, ...named, ...(reference === undefined ? {} : { reference }) };
}

/** @throws InvalidInputError or TypeError for a reason that is too short, too long, or holds control characters. */
export function checkReason(name: string, reason: unknown): asserts reason is string {
  const { least, most } = reasonCharacters;
  if (isPlainText(reason, least, most)) return;
  const rule = `${name} must be ${least} to ${most} characters, without control characters`;
  throw wrongForm(name, reason, rule);
}

/** The person as recorded. @throws InvalidInputError or TypeError that names what is wrong. */
export function personOf(by: Actor): Actor {
  if (typeof by !== 'object' || by === null) throw new TypeError('by is missing: who does this');
  checkActor(by);
  return { id: by.id, name: by.name };
}
