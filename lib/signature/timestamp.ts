const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)?$/;

/**
 * Milliseconds since 1970 of a strict ISO 8601 date-time that is real in the calendar; without
 * a zone it is UTC. Null where it is not one (D1.3).
 */
export function parseTimestamp(text: string): number | null {
  if (!form.test(text)) return null;
  const year = numberAt(text, 0, 4);
  const month = numberAt(text, 5, 7);
  const day = numberAt(text, 8, 10);
  const hour = numberAt(text, 11, 13);
  const minute = numberAt(text, 14, 16);
  const second = numberAt(text, 17, 19);
  const zoneAt = text.slice(19).search(/[Z+-]/);
  const end = zoneAt < 0 ? text.length : 19 + zoneAt;
  const millis = end === 19 ? 0 : Number(text.slice(20, Math.min(end, 23)).padEnd(3, '0'));
  const offset = offsetMinutes(text.slice(end));
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!isReal || hour > 23 || minute > 59 || second > 59 || offset === null) return null;
  return date.setUTCHours(hour, minute - offset, second, millis);
}

/** Whether a timestamp is at most the tolerance away from now, in either direction (D1.3). */
export function isTimely(timestamp: string, nowMs: number, toleranceMs: number): boolean {
  const at = parseTimestamp(timestamp);
  return at !== null && Math.abs(nowMs - at) <= toleranceMs;
}

/** The digits from `start` to before `end`. */
function numberAt(text: string, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + text.charCodeAt(at) - 0x30;
  return value;
}

function offsetMinutes(zone: string): number | null {
  if (zone === 'Z' || zone === '') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  const offset = hours * 60 + minutes;
  if (offset > 14 * 60 || minutes > 59) return null;
  return zone.startsWith('-') ? -offset : offset;
}
