import {
  type KeptReconciliation,
  longestReconciliation,
  reconciliationDays,
  reconciliationSources,
} from '../wallet';
import { checkIdentifiers, wrongForm } from './check-input';

const dayMs = 86_400_000;

/** The first day that is kept. */
export function firstDayKept(at: number): string {
  return dayText(at - reconciliationDays * dayMs);
}

/** @throws InvalidInputError or TypeError that names what is missing or wrong in the entry. */
export function checkReconciliation(
  entry: KeptReconciliation & { readonly operatorId: string },
): void {
  if (typeof entry !== 'object' || entry === null) throw new TypeError('the entry is missing');
  const { operatorId, day, source, at, text } = entry;
  checkIdentifiers({ operatorId });
  if (!reconciliationSources.includes(source)) {
    throw wrongForm('source', source, `source must be ${reconciliationSources.join(' or ')}`);
  }
  if (!Number.isSafeInteger(at) || at < 0 || at > 8_000_000_000_000) {
    throw new TypeError('at must be milliseconds since 1970');
  }
  const isDay = typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day);
  if (!isDay || !isDayOfCalendar(day)) {
    throw wrongForm('day', day, 'day must be a day such as 2026-11-23');
  }
  // A day may begin earlier than in UTC, but by less than a day.
  if (day < firstDayKept(at) || day > dayText(at + dayMs)) {
    const rule = `day must be at most ${reconciliationDays} days before now, and not ahead`;
    throw wrongForm('day', day, rule);
  }
  checkText(text);
}

function checkText(text: unknown): void {
  const rule = `text must be JSON of at most ${longestReconciliation} bytes`;
  if (typeof text !== 'string') throw new TypeError(rule);
  try {
    if (Buffer.byteLength(text) > longestReconciliation || !text.isWellFormed()) throw new Error();
    JSON.parse(text);
  } catch {
    throw wrongForm('text', text, rule);
  }
}

/** @throws InvalidInputError or TypeError that names what is wrong. */
export function checkReconciliationQuery(
  operatorId: string,
  query: { readonly days: number },
): void {
  checkIdentifiers({ operatorId });
  const days = (query as { readonly days?: unknown } | undefined)?.days;
  const isNumber = typeof days === 'number' && Number.isSafeInteger(days);
  if (isNumber && days >= 1 && days <= reconciliationDays) return;
  throw new TypeError(`days must be a whole number from 1 to ${reconciliationDays}`);
}

function isDayOfCalendar(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(at) && dayText(at) === day;
}

function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
