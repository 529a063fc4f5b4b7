import type { LimitRecord } from '../../../wallet';
import { decodeChangedTerms, decodeGroup } from '../../codec/limits';
import { textOf } from '../../codec/record';
import type { LimitGroup } from '../../../wallet/limits/groups';
import type { LimitMoment } from '../../../wallet/limits/moment';
import { depositOf } from '../../lists/past-money';
import type { LimitsWritten } from '../../lists/set-limit';
import type { Line } from '../connections/executor';
import { readMovement } from './cash';
import { readRoundLines } from './round';

/** The moment of a commit or a deposit, as begin_limits reads it: JSON. */
export function encodeMoment({ now, zones, takenBack }: LimitMoment): string {
  const back = takenBack.map(({ currency, debits, credits, at: movedAt }, at) => {
    const units = [debits.real, debits.bonus, credits.real, credits.bonus].map(String);
    const times = zones.map(({ zone, takenBack: numbers }) => [zone, numbers[at]]);
    return [currency, ...units, Object.fromEntries(times), movedAt];
  });
  const numbers = Object.fromEntries(zones.map((one) => [one.zone, one.now]));
  return JSON.stringify({ now, zones: numbers, back });
}

/** The zones that a function asks the moment in; null for any other answer. */
export function zonesAsked([first]: readonly Line[]): string[] | null {
  if (first?.[0] !== 'limits') return null;
  return typeof first[1] === 'string' ? [...new Set(first[1].split(' '))] : [];
}

/** The lines of read_limits; null where the player is not known. */
export function readLimitLines(lines: readonly Line[]): ReadLimits | null {
  const of = (kind: string): readonly Line[] => lines.filter(([name]) => name === kind);
  const currencies = of('account').map(([, currency]) => textOf(currency, 'currency'));
  if (currencies.length === 0) return null;
  const groups = of('group').map(([, text]) => decodeGroup(textOf(text, 'limits')));
  return { currencies, groups, changes: of('change').map(readChange) };
}

/** The lines of set_limit. */
export function readSetLines([first = [], ...lines]: readonly Line[]): LimitsWritten {
  const [kind, bound] = first;
  if (kind === 'done' || kind === 'stale') return kind;
  if (kind !== 'past') throw new Error('PostgreSQL sent an unknown reply.');
  const deposits = lines.filter(([name]) => name === 'cash').map(readMovement);
  const rounds: { readonly name: string; readonly lines: Line[] }[] = [];
  for (const line of lines.slice(0, lines.length - deposits.length)) {
    if (line[0] === 'round') rounds.push({ name: textOf(line[1], 'round'), lines: [] });
    else rounds.at(-1)?.lines.push(line);
  }
  return {
    bound: BigInt(textOf(bound, 'units')),
    rounds: rounds.map(({ name, lines: own }) => {
      return [name, own.length === 0 ? null : readRoundLines(own)] as const;
    }),
    deposits: deposits.flatMap(depositOf),
  };
}

/** What read_limits read. */
export interface ReadLimits {
  readonly currencies: readonly string[];
  readonly groups: readonly LimitGroup[];
  /** The newest first. */
  readonly changes: readonly LimitRecord[];
}

function readChange([, terms, at, actor, name, reason]: Line): LimitRecord {
  return {
    ...decodeChangedTerms(textOf(terms, 'change of a limit')),
    at: Math.floor(Number(textOf(at, 'time')) / 1000),
    by: typeof actor === 'string' ? { id: actor, name: name ?? null } : null,
    reason: reason ?? null,
  };
}
