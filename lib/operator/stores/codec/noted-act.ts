import { isIdentifier } from '../../../protocol/identifiers';
import type { Actor, ExportContent, NotedAct, RightsAct } from '../../wallet';
import { checkAct, checkActor, checkIdentifiers, isPlainText, wrongForm } from '../check-input';
import { type ActPlace, prefixes } from '../lists/act-places';
import { nameIn, textOf, unreadable } from './record';

const steps = ['begun', 'ended'] as const;

/** Parts of a filter, and characters of all. */
const [mostParts, longestFilter] = [16, 8000];
/** Rights of a person. */
const mostRights = 16;

/** @throws InvalidInputError or TypeError that names what is wrong in the act. */
export function checkNoted(act: NotedAct): void {
  const { operatorId, playerId, at, by, id } = act;
  checkIdentifiers({ operatorId, ...(playerId === null ? {} : { playerId }) });
  checkActor(by);
  if (typeof id !== 'string' || !/^[\w-]{1,40}$/.test(id)) {
    throw wrongForm('id', id, 'id must be 1 to 40 letters, digits, - and _');
  }
  if (!Number.isSafeInteger(at) || at < 0 || at > 8.64e15) {
    throw new TypeError('at must be milliseconds since 1970');
  }
  if (act.type === 'rights') checkRights(act);
  else checkExport(act);
}

function checkExport({ type, step, file, filter, rows, isWhole }: ExportContent): void {
  if (type !== 'export' || !steps.includes(step) || typeof isWhole !== 'boolean') {
    throw new TypeError('type must be export, step begun or ended, and isWhole true or false');
  }
  if (!isPlainText(file, 1, 64)) {
    throw wrongForm('file', file, 'file must be a name of 1 to 64 characters');
  }
  if (!Number.isSafeInteger(rows) || rows < 0) throw new TypeError('rows must be a whole number');
  const parts = Object.entries(Object(filter) as Record<string, unknown>);
  const areTexts = parts.every(
    ([name, text]) => isIdentifier(name) && typeof text === 'string' && text.isWellFormed(),
  );
  if (!areTexts || parts.length > mostParts || JSON.stringify(filter).length > longestFilter) {
    throw new TypeError(`filter must be up to ${mostParts} texts by name`);
  }
}

function checkRights({ playerId, person, may, before, reason }: RightsAct): void {
  if (playerId !== null) throw new TypeError('playerId must be null');
  checkActor(person, 'person');
  if (!areRights(may) || (before !== null && !areRights(before))) {
    throw new TypeError(`may and before must be up to ${mostRights} names of rights`);
  }
  checkAct({ by: null, reason }, 1);
}

function areRights(names: unknown): boolean {
  return (
    Array.isArray(names) &&
    names.length <= mostRights &&
    names.every((name) => isPlainText(name, 1, 64))
  );
}

/** Where the act is listed. */
export function placeOfNoted(act: NotedAct): ActPlace {
  const { at, playerId } = act;
  return { at, playerId: playerId ?? '', key: keyOf(act) };
}

function keyOf(act: Pick<NotedAct, 'id'> & (Pick<ExportContent, 'step'> | RightsAct)): string {
  return 'step' in act ? `${prefixes.export}${act.id}#${act.step}` : `${prefixes.rights}${act.id}`;
}

/** What was done, as JSON; `by` is in it for stores that keep no columns. */
export function encodeNoted(act: NotedAct): string {
  const { id, by } = act;
  if (act.type === 'export') {
    const { step, file, filter, rows, isWhole } = act;
    return JSON.stringify([id, step, file, filter, rows, isWhole, by.id, by.name]);
  }
  const { person, may, before, reason } = act;
  return JSON.stringify([id, person.id, person.name, may, before, reason, by.id, by.name]);
}

/** Whether the key of an act is that of a noted one. */
export function isNotedKey(key: string): boolean {
  return key.startsWith(prefixes.export) || key.startsWith(prefixes.rights);
}

/**
 * The act of a text of {@link encodeNoted}, at its place.
 * @throws Error for any other text.
 */
export function decodeNoted(
  operatorId: string,
  { at, playerId, key }: ActPlace,
  text: string,
): (NotedAct & { readonly reason: null }) | RightsAct {
  const fields = JSON.parse(text) as unknown[];
  const by = actorOf(fields.slice(6));
  const act = key.startsWith(prefixes.export)
    ? { operatorId, playerId: playerId || null, at, by, reason: null, ...exportIn(fields) }
    : { operatorId, playerId: null, at, by, ...rightsIn(fields) };
  if (keyOf(act) !== key) throw unreadable('key of an act', key);
  return act;
}

function exportIn([id, step, file, filter, rows, isWhole]: readonly unknown[]): ExportContent {
  if (typeof rows !== 'number' || typeof isWhole !== 'boolean') throw unreadable('export', rows);
  return {
    type: 'export',
    id: textOf(id, 'export'),
    step: nameIn(steps, step, 'step of an export'),
    file: textOf(file, 'file'),
    filter: { ...(filter as ExportContent['filter']) },
    rows,
    isWhole,
  };
}

function rightsIn([id, person, name, may, before, reason]: readonly unknown[]) {
  return {
    type: 'rights',
    id: textOf(id, 'change of rights'),
    person: actorOf([person, name]),
    may: namesOf(may),
    before: before === null ? null : namesOf(before),
    reason: reason === null ? null : textOf(reason, 'reason'),
  } as const;
}

function namesOf(value: unknown): string[] {
  if (!Array.isArray(value)) throw unreadable('rights', value);
  return value.map((name) => textOf(name, 'right'));
}

function actorOf([id, name]: readonly unknown[]): Actor {
  return { id: textOf(id, 'actor'), name: name === null ? null : textOf(name, 'name') };
}
