import { formatAmount, maxUnits, unitsOf } from '../../../../protocol/money/amount';
import { type RoundState, roundStates } from '../../../gameround';
import { type DayBounds, isDay, ZoneDays } from '../../../../platform/time/zone-days';
import { isPlainText } from '../../../stores/check-input';
import type { RoundsQuery } from '../../../wallet';

/** What the parts of a filter are called, in the order of a form. */
const filterNames = ['from', 'to', 'game', 'state', 'min'] as const;

/** A filter of a player's rounds as a person writes it; a part that is not set is absent. */
export type FilterTexts = Readonly<Partial<Record<(typeof filterNames)[number], string>>>;

/** What they are called on a page whose days are those of this zone. */
export function filterLabels(zone: string): Readonly<Record<keyof FilterTexts, string>> {
  return {
    from: `Opened from, days of ${zone}`,
    to: `to, days of ${zone}`,
    game: 'Game',
    state: 'State',
    min: 'Given at least',
  };
}

/** The filter of a query; a field that is empty is not set. */
export function filterIn(fields: URLSearchParams): FilterTexts {
  const texts = filterNames.map((name) => [name, fields.get(name) ?? ''] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}

/** A part of a filter is wrong; the message names it as the caller does, and says what is right. */
export class FilterError extends TypeError {
  constructor(
    readonly field: keyof FilterTexts,
    message: string,
  ) {
    super(message);
  }
}

/** A time with its zone: without one it would be that of the server. */
const timeForm = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** The days of which zone, and the decimals of the store. */
interface FilterTerms {
  readonly zone: string;
  readonly decimals: number;
}

/**
 * The filter of these texts. A day is all of it, in the zone: `to` a day includes that day, `to` a time excludes that moment.
 * @param named What a part is called in an error.
 * @throws FilterError
 */
export function readFilter(
  { from, to, game, state, min }: FilterTexts,
  { zone, decimals }: FilterTerms,
  named: (name: keyof FilterTexts) => string = (name) => name,
): Omit<RoundsQuery, 'cursor' | 'limit'> {
  return {
    ...readPeriod({ from, to }, zone, named),
    ...(game !== undefined && { game: gameOf(named('game'), game) }),
    ...(state !== undefined && { state: stateOf(named('state'), state) }),
    ...(min !== undefined && { min: amountOf(named('min'), min, decimals) }),
  };
}

/** A period as a person writes it; a part that is not set is absent. */
type PeriodTexts = { readonly [name in 'from' | 'to']: string | undefined };

/**
 * The period of these texts, as {@link readFilter} reads it.
 * @throws FilterError
 */
export function readPeriod(
  { from, to }: PeriodTexts,
  zone: string,
  named: (name: keyof PeriodTexts) => string,
): { readonly from?: number; readonly to?: number } {
  const period = {
    ...(from !== undefined && { from: momentOf(named('from'), from, zone, 'from') }),
    ...(to !== undefined && { to: momentOf(named('to'), to, zone, 'to') }),
  };
  if (period.from !== undefined && period.to !== undefined && period.from >= period.to) {
    throw new FilterError('from', `${named('from')} must be before ${named('to')}`);
  }
  return period;
}

function momentOf(name: string, text: string, zone: string, end: keyof PeriodTexts): number {
  const [, day = text] = timeForm.exec(text) ?? [];
  const boundOf = () => (day === text ? boundOfDay(name, day, zone, end)[end] : Date.parse(text));
  const at = isDay(day) ? boundOf() : Number.NaN;
  if (at >= 0) return at;
  throw new FilterError(
    end,
    `${name} must be a day such as 2026-11-24 (${zone}), or a time such as 2026-11-24T10:00Z, since 1970`,
  );
}

function boundOfDay(name: string, day: string, zone: string, end: keyof PeriodTexts): DayBounds {
  const bounds = new ZoneDays(zone).boundsOf(day);
  if (bounds.from < bounds.to) return bounds;
  throw new FilterError(end, `${name} must be a day of ${zone}: it left out ${day}`);
}

function gameOf(name: string, text: string): string {
  if (isPlainText(text, 1, 256)) return text;
  throw new FilterError('game', `${name} must be the code of a game, 1 to 256 characters`);
}

function stateOf(name: string, text: string): RoundState {
  const state = roundStates.find((one) => one === text);
  if (state !== undefined) return state;
  throw new FilterError('state', `${name} must be one of ${roundStates.join(', ')}`);
}

function amountOf(name: string, text: string, decimals: number): string {
  try {
    unitsOf(text, decimals);
    return text;
  } catch {
    throw new FilterError(
      'min',
      `${name} must be a decimal such as 10.50, with at most ${decimals} decimals, and at most ${formatAmount(maxUnits, decimals)}`,
    );
  }
}
