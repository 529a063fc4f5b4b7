const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?$/;

/**
 * Milliseconds since 1970 of a strict ISO 8601 date-time that exists in the calendar; without a zone it is
 * UTC. Null otherwise (D1.3).
 */
export function parseTimestamp(text: string): number | null {
  if (!form.test(text)) return null;
  const year = numberAt(text, 0, 4);
  const month = numberAt(text, 5, 7);
  const day = numberAt(text, 8, 10);
  const hour = numberAt(text, 11, 13);
  const minute = numberAt(text, 14, 16);
  const second = numberAt(text, 17, 19);
  const end = zoneStart(text);
  const millis = end === 19 ? 0 : numberAt(text, 20, Math.min(end, 23)) * (thousandths[end] ?? 1);
  const offset = offsetMinutes(text.slice(end));
  const isReal = month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month);
  if (!isReal || hour > 23 || minute > 59 || second > 59 || offset === null) return null;
  const time = (hour * 60 + minute - offset) * 60_000 + second * 1000 + millis;
  // Date.UTC maps small years to the twentieth century; a later year avoids that.
  return Date.UTC(year + 400, month - 1, day) - msIn400Years + time;
}

/** Whether a timestamp is at most the tolerance away from now, in either direction (D1.3). */
export function isTimely(timestamp: string, nowMs: number, toleranceMs: number): boolean {
  const at = parseTimestamp(timestamp);
  return at !== null && Math.abs(nowMs - at) <= toleranceMs;
}

/** Of a last digit of the fraction, by where the fraction ends; 1 from the third on. */
const thousandths: { readonly [end: number]: number } = { 21: 100, 22: 10 };
const msIn400Years = 146_097 * 86_400_000;

function daysOf(year: number, month: number): number {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return isLeap ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** The digits from `start` to before `end`. */
function numberAt(text: string, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + text.charCodeAt(at) - 0x30;
  return value;
}

/** Where the zone begins; the end of the text if there is none. */
function zoneStart(text: string): number {
  if (text.endsWith('Z')) return text.length - 1;
  const sign = text.charCodeAt(text.length - 6);
  return sign === 0x2b || sign === 0x2d ? text.length - 6 : text.length;
}

function offsetMinutes(zone: string): number | null {
  if (zone === 'Z' || zone === '') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  const offset = hours * 60 + minutes;
  if (offset > 14 * 60 || minutes > 59) return null;
  return zone.startsWith('-') ? -offset : offset;
}
