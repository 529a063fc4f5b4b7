import { limitKinds, type LimitRecord, type LimitTerms, limitWindows } from '../../wallet';
import type { LimitGroup } from '../../wallet/limits/groups';
import type { PastWindows } from '../../wallet/limits/past';
import { nameIn, unreadable } from './record';

const letters = { real: 0, all: 1 } as const;

/** What the limits of a player are, as a store compares it. */
export function encodeTerms(groups: readonly LimitGroup[]): string {
  return groups.map(termsLine).join('\n');
}

/**
 * The groups as a store is given them: with the numbers of their windows, since when they count, and what is used in the
 * windows that were read, `-` for any other.
 */
export function encodeGroups(
  groups: readonly LimitGroup[],
  read: Pick<PastWindows, 'group' | 'windows'> | null,
): string {
  return groups.map((group) => groupLine(group, read)).join('\n');
}

function groupLine(group: LimitGroup, read: Pick<PastWindows, 'group' | 'windows'> | null): string {
  const isRead = read?.group.kind === group.kind && read.group.currency === group.currency;
  const places = isRead ? read.windows.map(({ place }) => place) : [];
  const numbers = group.counters.map(({ number }) => number);
  const used = group.counters.map((one, place) => (places.includes(place) ? one.used : '-'));
  return [termsLine(group), ...numbers, group.since, ...used].join(' ');
}

function termsLine({ currency, zone, kind, counts, counters }: LimitGroup): string {
  const terms = [currency, zone, limitKinds.indexOf(kind) + 1, letters[counts]];
  return [...terms, ...counters.map(({ most }) => most ?? -1n)].join(' ');
}

/** A group as a store reads it: its terms, since when it counts, then of each window number, used and limit. @throws Error for anything this version cannot read. */
export function decodeGroup(line: string): LimitGroup {
  const [currency = '', zone = '', kind, all, since, ...numbers] = line.split(' ');
  const name = limitKinds[Number(kind) - 1];
  if (name === undefined || numbers.length !== 3 * limitWindows.length) {
    throw unreadable('limits', line);
  }
  const counters = limitWindows.map((_, at) => {
    const [number, used, most] = numbers.slice(3 * at, 3 * at + 3).map((text) => BigInt(text));
    const limit = most === undefined || most < 0n ? null : most;
    return { number: Number(number), used: used ?? 0n, most: limit };
  });
  const counts = all === '1' ? 'all' : 'real';
  return { currency, zone, kind: name, counts, since: Number(since), counters };
}

/** What a change set: the terms, and the units or `-`. */
export function encodeChangedTerms(
  { kind, currency, window, zone, counts }: LimitTerms,
  amount: bigint | null,
): string {
  return [kind, currency, window, zone, counts, amount ?? '-'].join(' ');
}

/** The reverse. @throws Error for anything this version cannot read. */
export function decodeChangedTerms(text: string): Pick<LimitRecord, keyof LimitTerms | 'amount'> {
  const [kind, currency = '', window, zone = '', counts, amount] = text.split(' ');
  if (amount === undefined) throw unreadable('change of a limit', text);
  return {
    kind: nameIn(limitKinds, kind, 'kind of a limit'),
    currency,
    window: nameIn(limitWindows, window, 'window of a limit'),
    zone,
    counts: nameIn(['real', 'all'] as const, counts, 'what a limit counts'),
    amount: amount === '-' ? null : BigInt(amount),
  };
}
