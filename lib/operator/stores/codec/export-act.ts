import { isIdentifier } from '../../../protocol/identifiers';
import type { ExportAct, ExportContent } from '../../wallet';
import { checkActor, checkIdentifiers, isPlainText, wrongForm } from '../check-input';
import { type ActPlace, prefixes } from '../lists/act-places';
import { nameIn, textOf, unreadable } from './record';

const steps = ['begun', 'ended'] as const;

/** Parts of a filter, and characters of all. */
const [mostParts, longestFilter] = [16, 8000];

/** @throws InvalidInputError or TypeError that names what is wrong in the act. */
export function checkExport(act: ExportAct): void {
  const { operatorId, playerId, at, by, type, id, step, file, filter, rows, isWhole } = act;
  checkIdentifiers({ operatorId, ...(playerId === null ? {} : { playerId }) });
  checkActor(by);
  if (type !== 'export' || !steps.includes(step) || typeof isWhole !== 'boolean') {
    throw new TypeError('type must be export, step begun or ended, and isWhole true or false');
  }
  if (typeof id !== 'string' || !/^[\w-]{1,40}$/.test(id)) {
    throw wrongForm('id', id, 'id must be 1 to 40 letters, digits, - and _');
  }
  if (!isPlainText(file, 1, 64)) {
    throw wrongForm('file', file, 'file must be a name of 1 to 64 characters');
  }
  if (!Number.isSafeInteger(rows) || rows < 0) throw new TypeError('rows must be a whole number');
  if (!Number.isSafeInteger(at) || at < 0 || at > 8.64e15) {
    throw new TypeError('at must be milliseconds since 1970');
  }
  checkFilter(filter);
}

function checkFilter(filter: unknown): void {
  const parts = Object.entries(Object(filter) as Record<string, unknown>);
  const areTexts = parts.every(
    ([name, text]) => isIdentifier(name) && typeof text === 'string' && text.isWellFormed(),
  );
  if (!areTexts || parts.length > mostParts || JSON.stringify(filter).length > longestFilter) {
    throw new TypeError(`filter must be up to ${mostParts} texts by name`);
  }
}

/** Where an export is listed. `at` has the unit of the store. */
export function placeOfExport({ playerId, id, step }: ExportAct, at: number): ActPlace {
  return { at, playerId: playerId ?? '', key: keyOfExport(id, step) };
}

/** The key of a step of an export. */
export function keyOfExport(id: string, step: ExportContent['step']): string {
  return `${prefixes.export}${id}#${step}`;
}

/** What was taken, as JSON; `by` is in it for stores that keep no columns. */
export function encodeExport({ by, id, step, file, filter, rows, isWhole }: ExportAct): string {
  return JSON.stringify([id, step, file, filter, rows, isWhole, by.id, by.name]);
}

/**
 * Decodes it.
 * @throws Error for any other text.
 */
export function decodeExport(text: string): ExportContent & Pick<ExportAct, 'by'> {
  const [id, step, file, filter, rows, isWhole, actor, name] = JSON.parse(text) as unknown[];
  if (typeof rows !== 'number' || typeof isWhole !== 'boolean') throw unreadable('export', text);
  return {
    type: 'export',
    id: textOf(id, 'export'),
    step: nameIn(steps, step, 'step of an export'),
    file: textOf(file, 'file'),
    filter: { ...(filter as ExportContent['filter']) },
    rows,
    isWhole,
    by: { id: textOf(actor, 'actor'), name: name === null ? null : textOf(name, 'name') },
  };
}
