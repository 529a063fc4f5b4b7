import { listKnownNames } from '../../../platform/validation';
import type { FaultKind, FaultRequest, LineName } from '../view';

/** The lines, by who calls whom. */
export const lineNames: readonly LineName[] = Object.freeze([
  'provider-rgs',
  'rgs-wallet',
  'rgs-provider',
  'operator-rgs',
]);

/** What can be done to a call. */
export const faultKinds: readonly FaultKind[] = Object.freeze([
  'loseRequest',
  'loseReply',
  'late',
  'twice',
  'reorder',
  '503',
  '429',
  'html',
  'cut',
]);

/** A longer delay is a mistake. */
const longestDelayMs = 600_000;
const members = ['line', 'call', 'kind', 'next', 'probability', 'delayMs'];

/**
 * A fault as the page or a test asks for it.
 * @throws TypeError that names the wrong member.
 */
export function readFaultRequest(value: unknown): FaultRequest {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new TypeError('fault: must be an object');
  }
  const { line, call, kind, next, probability, delayMs } = value as Record<string, unknown>;
  const given = Object.keys(value);
  if (!given.every((name) => members.includes(name))) {
    const help = listKnownNames('the members', given, members);
    throw new TypeError(`fault: has an unknown member; ${help}`);
  }
  check(lineNames.includes(line as LineName), 'line', `one of ${lineNames.join(', ')}`);
  check(faultKinds.includes(kind as FaultKind), 'kind', `one of ${faultKinds.join(', ')}`);
  check(call === undefined || isCallName(call), 'call', 'the name of a call');
  check(next === undefined || isWhole(next, 1, 1_000_000), 'next', 'a whole number above 0');
  check(
    probability === undefined || isShare(probability),
    'probability',
    'a number above 0, at most 1',
  );
  check(delayMs === undefined || isWhole(delayMs, 0, longestDelayMs), 'delayMs', 'milliseconds');
  check(next === undefined || probability === undefined, 'next', 'absent beside probability');
  return value as FaultRequest;
}

function check(isRight: boolean, member: string, expected: string): void {
  if (!isRight) throw new TypeError(`fault: ${member} must be ${expected}`);
}

function isCallName(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Za-z]{1,64}$/.test(value);
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
}

function isShare(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value <= 1;
}
