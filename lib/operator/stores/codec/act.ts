import { emptyPurse } from '../../../protocol/money/purse';
import { type Act, type Actor, cashKinds } from '../../wallet';
import type { CheckedBlock, CheckedOrder, CheckedPlayer } from '../check-input';
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
export function actOfBlock({ blocked, by, reason }: CheckedBlock): Act {
  return { type: 'block', blocked, by, reason };
}

/** Begins the JSON of {@link encodeAct}, and no other text of an event. */
export const actStart = '{';

/** An act as text, for stores that keep text: JSON with units as decimal texts. */
export function encodeAct(act: Act): string {
  const { by, reason } = act;
  const who = { actor: by?.id ?? null, name: by?.name ?? null, reason };
  if (act.type === 'block') return JSON.stringify({ type: act.type, blocked: act.blocked, ...who });
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
    return { type, blocked: fields.blocked, ...why };
  }
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

function orNull(value: unknown, name: string): string | null {
  return value === null ? null : textOf(value, name);
}
