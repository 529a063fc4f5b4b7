import type { HashEntry, RoundView } from '../../../gameround';
import { fieldName, hashOfField } from './hash-fields';
import { decodeHead } from './head';
import { decodeEntry } from './record';

/** A round from all its fields, each followed by its value; null if there are none. */
export function decodeRound(flat: readonly string[], gameRound: string): RoundView | null {
  const fields = new Map<string, string>();
  for (let at = 0; at + 1 < flat.length; at += 2) fields.set(flat[at] ?? '', flat[at + 1] ?? '');
  const head = fields.get('h');
  if (head === undefined) return null;
  const entries = new Map<string, HashEntry>();
  for (const field of fields.keys()) {
    const hash = hashOfField(field, gameRound);
    if (hash === null || entries.has(hash)) continue;
    const [transaction, order] = fieldsOf(hash, gameRound);
    const entry = decodeEntry(fields.get(transaction) ?? null, fields.get(order) ?? null);
    if (entry !== null) entries.set(hash, entry);
  }
  return { head: decodeHead(head, fields.get('g') ?? null, fields.get('p') ?? null), entries };
}

/** The fields of a hash: its transaction, and its void. */
export function fieldsOf(hash: string, gameRound: string): [string, string] {
  return [fieldName('transaction', hash, gameRound), fieldName('void', hash, gameRound)];
}

/** Whether a round with all its fields has this number in the history of its player, or was stored without one. */
export function hasNumber(flat: readonly string[], number: string): boolean {
  const at = flat.findIndex((field, index) => index % 2 === 0 && field === 'n');
  return at < 0 || flat[at + 1] === number;
}
