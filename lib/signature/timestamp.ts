const form = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)?$/;

/**
 * Milliseconds since 1970 of a strict ISO 8601 date-time that is real in the calendar; without
 * a zone it is UTC. Null where it is not one (D1.3).
 */
export function parseTimestamp(text: string): number | null {
  const match = form.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const millis = Number((match[7] ?? '0').padEnd(3, '0').slice(0, 3));
  const offset = offsetMinutes(match[8] ?? 'Z');
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

function offsetMinutes(zone: string): number | null {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4, 6));
  const offset = hours * 60 + minutes;
  if (offset > 14 * 60 || minutes > 59) return null;
  return zone.startsWith('-') ? -offset : offset;
}
