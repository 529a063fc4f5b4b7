import type { Repair, RepairPerson, RoundRepairs, StuckState } from '../../gameround';
import { fieldsOf, nameIn, textOf, timeOf, unitsOf, unreadable } from './record';

/** The repairs of a round as text, for stores that keep text. */
export function encodeRepairs({ list, closed }: RoundRepairs): string {
  return JSON.stringify([closed && [closed.state, closed.since], list.map(encodeRepair)]);
}

/**
 * Decodes it.
 * @throws Error for any other text.
 */
export function decodeRepairs(text: string): RoundRepairs {
  const [closed, rows] = fieldsOf(JSON.parse(text), 2);
  if (!Array.isArray(rows)) throw unreadable('list of repairs', rows);
  return { list: rows.map(decodeRepair), closed: closed === null ? null : closedOf(closed) };
}

/** A repair as a row of JSON. Amounts are decimal texts. The fifth member was in use once. */
export function encodeRepair(repair: Repair): readonly unknown[] {
  const { id, kind, status, hash, currency, amount, purse } = repair;
  const what = [id, kind, status, hash, null, currency, String(amount)];
  const money = [String(purse.real), String(purse.bonus), repair.reference];
  const proposed = [repair.reason, personRow(repair.proposedBy), repair.proposedAt, repair.version];
  const { decidedBy, decidedAt, note } = repair;
  return [...what, ...money, ...proposed, decidedBy && personRow(decidedBy), decidedAt, note];
}

/**
 * Decodes it.
 * @throws Error for any other row.
 */
export function decodeRepair(row: unknown): Repair {
  const [id, kind, status, hash, , currency, amount, ...rest] = fieldsOf(row, 17);
  const [real, bonus, reference, reason, proposedBy, proposedAt, version, ...decision] = rest;
  const [decidedBy, decidedAt, note] = decision;
  return {
    id: textOf(id, 'id of a repair'),
    kind: nameIn(kinds, kind, 'kind of a repair'),
    status: nameIn(statuses, status, 'status of a repair'),
    hash: orNull(hash, textOf, 'hash'),
    currency: orNull(currency, textOf, 'currency'),
    amount: unitsOf(amount),
    purse: { real: unitsOf(real), bonus: unitsOf(bonus) },
    reference: orNull(reference, textOf, 'reference'),
    reason: textOf(reason, 'reason'),
    proposedBy: personOf(proposedBy),
    proposedAt: timeOf(proposedAt),
    version: timeOf(version),
    decidedBy: decidedBy === null ? null : personOf(decidedBy),
    decidedAt: decidedAt === null ? null : timeOf(decidedAt),
    note: orNull(note, textOf, 'note'),
  };
}

const kinds = ['pay', 'resolve', 'void'] as const;
const statuses = ['proposed', 'paying', 'done', 'rejected', 'refused', 'takenBack'] as const;
const stuck: readonly StuckState[] = ['cancelled', 'stranded', 'crashed'];

function closedOf(row: unknown): RoundRepairs['closed'] {
  const [state, since] = fieldsOf(row, 2);
  return { state: nameIn(stuck, state, 'state'), since: timeOf(since) };
}

function personRow({ id, name }: RepairPerson): readonly [string, string | null] {
  return [id, name];
}

function personOf(row: unknown): RepairPerson {
  const [id, name] = fieldsOf(row, 2);
  return { id: textOf(id, 'id of a person'), name: orNull(name, textOf, 'name') };
}

function orNull(
  value: unknown,
  read: (value: unknown, name: string) => string,
  name: string,
): string | null {
  return value === null ? null : read(value, name);
}
