import { unitsOf } from '../../../../protocol/money/amount';
import type { RoundState } from '../../../gameround';
import type { AttentionEntry, PlayerKey } from '../../../wallet';
import { RequestFault } from '../request';

/** The states of rounds that wait for a person. */
export const waitingStates = ['stranded', 'crashed', 'cancelled'] as const satisfies RoundState[];

/** Which rounds that wait to show, and in which order; all of them, the oldest first, unless set. */
export interface Ask {
  readonly state?: (typeof waitingStates)[number];
  /** Those with a proposal that can be approved alone. */
  readonly isProposed?: true;
  readonly player?: PlayerKey;
  readonly game?: string;
  readonly currency?: string;
  /** At stake at least, in units. */
  readonly min?: bigint;
  /** Waiting for at least so many hours. */
  readonly hours?: number;
  /** `amount`: the largest first, currency by currency. */
  readonly sort?: 'age' | 'amount';
}

/** The texts of an {@link Ask}, as a form has them. */
export type AskTexts = Readonly<
  Partial<Record<'state' | 'game' | 'currency' | 'min' | 'hours' | 'sort', string>>
>;

const askNames = ['state', 'game', 'currency', 'min', 'hours', 'sort'] as const;

/** What a form asks for; a field that is empty is not set. */
export function askIn(fields: URLSearchParams): AskTexts {
  const texts = askNames.map((name) => [name, (fields.get(name) ?? '').trim()] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}

/** @throws RequestFault that says what is wrong. */
export function readAsk(
  { state, game, currency, min, hours, sort }: AskTexts,
  decimals: number,
): Ask {
  return {
    ...(state !== undefined && { state: oneOf('state', state, waitingStates) }),
    ...(game !== undefined && { game }),
    ...(currency !== undefined && { currency }),
    ...(min !== undefined && { min: unitsIn(min, decimals) }),
    ...(hours !== undefined && { hours: hoursIn(hours) }),
    ...(sort !== undefined && { sort: oneOf('sort', sort, ['age', 'amount']) }),
  };
}

function oneOf<T extends string>(name: 'state' | 'sort', text: string, all: readonly T[]): T {
  const found = all.find((one) => one === text);
  if (found !== undefined) return found;
  throw new RequestFault(400, `The ${name} must be ${all.join(' or ')}.`, name);
}

function unitsIn(text: string, decimals: number): bigint {
  try {
    return unitsOf(text, decimals);
  } catch {
    throw new RequestFault(400, '"At stake at least" must be an amount such as 10.50.', 'min');
  }
}

function hoursIn(text: string): number {
  const hours = Number(text);
  if (/^\d{1,6}$/.test(text)) return hours;
  throw new RequestFault(400, '"Waits for hours" must be a whole number.', 'hours');
}

/** Whether an entry is one of those that are asked for, at a time in milliseconds since 1970. */
export function fits(
  { state, operatorId, playerId, gameCode, currency, atStake = 0n, stateSince = 0 }: AttentionEntry,
  ask: Ask,
  { isProposed, now }: { readonly isProposed: boolean; readonly now: number },
): boolean {
  return (
    (ask.state === undefined || ask.state === state) &&
    (ask.isProposed === undefined || isProposed) &&
    (ask.player === undefined ||
      (ask.player.operatorId === operatorId && ask.player.playerId === playerId)) &&
    (ask.game === undefined || ask.game === gameCode) &&
    (ask.currency === undefined || ask.currency === currency) &&
    (ask.min === undefined || atStake >= ask.min) &&
    (ask.hours === undefined || stateSince <= now - ask.hours * 3_600_000)
  );
}

/** The place of a row in a list: by currency where amounts count, then by rank, then by ids. */
export interface Place {
  readonly group: string;
  /** Milliseconds since 1970, or units below zero. */
  readonly rank: bigint;
  readonly ids: readonly string[];
}

/** Another store may not give a time: such rounds come first. */
export function placeOf(
  { operatorId, playerId, gameRound, stateSince = 0, currency, atStake = 0n }: AttentionEntry,
  sort: 'age' | 'amount',
): Place {
  const ids = [operatorId, playerId, gameRound];
  return sort === 'age'
    ? { group: '', rank: BigInt(stateSince), ids }
    : { group: currency ?? '', rank: -atStake, ids };
}

/** Below zero if the first comes first. */
export function comparePlaces(one: Place, other: Place): number {
  if (one.group !== other.group) return one.group < other.group ? -1 : 1;
  if (one.rank !== other.rank) return one.rank < other.rank ? -1 : 1;
  for (const [index, id] of one.ids.entries()) {
    const otherId = other.ids[index] ?? '';
    if (id !== otherId) return id < otherId ? -1 : 1;
  }
  return 0;
}

/** A place as text for a link. */
export function writePlace({ group, rank, ids }: Place): string {
  return Buffer.from(JSON.stringify([group, String(rank), ...ids])).toString('base64url');
}

/** The place that a link names; null for none. @throws RequestFault for any other text. */
export function readPlace(text: string | null): Place | null {
  if (text === null || text === '') return null;
  const parts = parsed(text);
  const [group, rank, ...ids] = parts;
  if (group !== undefined && rank !== undefined && /^-?\d{1,40}$/.test(rank) && ids.length === 3) {
    return { group, rank: BigInt(rank), ids };
  }
  throw new RequestFault(400, 'The place in the list is not valid: begin at the first page.');
}

/** The texts of a place; none if it is anything else. */
function parsed(text: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : [];
  } catch {
    return [];
  }
}
