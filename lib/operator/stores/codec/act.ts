import { emptyPurse } from '../../../protocol/money/purse';
import {
  type Act,
  type Actor,
  cashKinds,
  limitKinds,
  type LimitTerms,
  limitWindows,
} from '../../wallet';
import type { CheckedLimit, CheckedBlock } from '../check-restrictions';
import type { CheckedOrder, CheckedPlayer } from '../check-input';
import { nameIn, textOf, unitsOf, unreadable } from './record';

/** What an opening does: an account with what it holds. */
export function actOfOpening({ currency, real, bonus, by, reason }: CheckedPlayer): Act {
  const purse = { real, bonus: bonus ?? 0n };
  return { type: 'cash', kind: 'opening', reference: null, currency, purse, by, reason };
}

/** What an order of cash does. */
export function actOfOrder(order: CheckedOrder): Act {
  const { kind, reference, currency, balance, units, by, reason } = order;
  const purse = { ...emptyPurse, [balance]: units };
  return { type: 'cash', kind, reference, currency, purse, by, reason };
}

/** What blocking a player does, or lifting it. */
export function actOfBlock({ blocked, until, by, reason }: CheckedBlock): Act {
  return { type: 'block', blocked, until, by, reason };
}

/** What setting or lifting a limit does, on the terms that it has then. */
export function actOfLimit(terms: LimitTerms, { amount, by, reason }: CheckedLimit): Act {
  const { kind, currency, window, zone, counts } = terms;
  return { type: 'limit', limit: { kind, currency, window, zone, counts, amount }, by, reason };
}

/** Begins the JSON of {@link encodeAct}, and no other text of an event. */
export const actStart = '{';

/** An act as text, for stores that keep text: JSON with units as decimal texts. */
export function encodeAct(act: Act): string {
  const { by, reason } = act;
  const who = { actor: by?.id ?? null, name: by?.name ?? null, reason };
  if (act.type === 'block') {
    const { type, blocked, until } = act;
    return JSON.stringify({ type, blocked, ...(until === null ? {} : { until }), ...who });
  }
  if (act.type === 'limit') {
    const { amount } = act.limit;
    const limit = { ...act.limit, amount: amount === null ? null : String(amount) };
    return JSON.stringify({ type: act.type, limit, ...who });
  }
  const { type, kind, reference, currency, purse } = act;
  const units = { real: String(purse.real), bonus: String(purse.bonus) };
  return JSON.stringify({ type, kind, reference, currency, ...units, ...who });
}

/**
 * Decodes it.
 * @throws Error for any other text.
 */
export function decodeAct(text: string): Act {
  const fields = JSON.parse(text) as Readonly<Record<string, unknown>>;
  const { type, actor, name, reason } = fields;
  const by: Actor | null =
    actor === null ? null : { id: textOf(actor, 'actor'), name: orNull(name, 'name') };
  const why = { by, reason: orNull(reason, 'reason') };
  if (type === 'block') {
    if (typeof fields.blocked !== 'boolean') throw unreadable('block', fields.blocked);
    return { type, blocked: fields.blocked, until: timeIn(fields.until), ...why };
  }
  if (type === 'limit') return { type, limit: limitIn(fields.limit), ...why };
  if (type !== 'cash') throw unreadable('type of an act', type);
  return {
    type,
    kind: nameIn(cashKinds, fields.kind, 'kind of cash'),
    reference: orNull(fields.reference, 'reference'),
    currency: textOf(fields.currency, 'currency'),
    purse: { real: unitsOf(fields.real), bonus: unitsOf(fields.bonus) },
    ...why,
  };
}

function timeIn(until: unknown): number | null {
  if (until === undefined) return null;
  if (typeof until === 'number') return until;
  throw unreadable('end of a block', until);
}

function limitIn(value: unknown): Extract<Act, { readonly type: 'limit' }>['limit'] {
  const { kind, currency, window, zone, counts, amount } = (value ?? {}) as Record<string, unknown>;
  return {
    kind: nameIn(limitKinds, kind, 'kind of a limit'),
    currency: textOf(currency, 'currency'),
    window: nameIn(limitWindows, window, 'window'),
    zone: textOf(zone, 'zone'),
    counts: nameIn(['real', 'all'] as const, counts, 'what a limit counts'),
    amount: amount === null ? null : unitsOf(amount),
  };
}

function orNull(value: unknown, name: string): string | null {
  return value === null ? null : textOf(value, name);
}
