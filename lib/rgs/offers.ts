import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../protocol/json/parse';
import type { Balance } from '../protocol/engine-api/replies';
import { parseTimestamp } from '../protocol/signature';
import type { Discount } from './rounds/round';

/** A debit as its stake is known. */
interface Stake {
  readonly currency: string;
  /** Units. */
  readonly amount: bigint;
}

/**
 * The discount that the operator offers for a stake: the stake and the currency equal, valid now by real time,
 * with a spin left (E17.3). Null if there is none, and for an offer that cannot be read: it is the operator's.
 */
export function discountFor(
  { discountInfo }: Balance,
  { currency, amount }: Stake,
  now: number,
): Discount | null {
  const info = read(discountInfo);
  if (!isJsonObject(info) || info['currency'] !== currency || !isValid(info, now)) return null;
  const { campaignId, discounts } = info;
  if (typeof campaignId !== 'string' || !Array.isArray(discounts)) return null;
  for (const one of discounts) {
    if (!isJsonObject(one) || unitsOf(one['stake']) !== amount) continue;
    const off = unitsOf(one['absoluteDiscountAmount']);
    const isLeft = typeof one['spinsRemaining'] === 'number' && one['spinsRemaining'] > 0;
    if (isLeft && off !== null && off > 0n && off <= amount) return { amount: off, campaignId };
  }
  return null;
}

/**
 * The serial of a ticket of the operator with this stake (E17.4); null if there is none.
 * @param isOurs Whether the serial is that of a package assigned here: its plays are counted here alone (E18.2).
 */
export function ticketFor(
  { tickets }: Balance,
  { currency, amount }: Stake,
  isOurs: (serial: string) => boolean,
): string | null {
  const list = read(tickets);
  if (!Array.isArray(list)) return null;
  for (const one of list) {
    if (!isJsonObject(one) || one['currency'] !== currency || unitsOf(one['stake']) !== amount)
      continue;
    const { serial, count } = one;
    const isLeft = typeof count === 'number' && count > 0;
    if (isLeft && typeof serial === 'string' && !isOurs(serial)) return serial;
  }
  return null;
}

function isValid(info: JsonObject, now: number): boolean {
  const [from, to] = [timeOf(info['validFrom']), timeOf(info['validTo'])];
  return from !== 'wrong' && to !== 'wrong' && (from ?? now) <= now && now <= (to ?? now);
}

function timeOf(value: JsonValue | undefined): number | null | 'wrong' {
  if (value === undefined || value === null) return null;
  return (typeof value === 'string' ? parseTimestamp(value) : null) ?? 'wrong';
}

function unitsOf(value: JsonValue | undefined): bigint | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? BigInt(value)
    : null;
}

function read(text: string | null): JsonValue {
  return text === null ? null : parseJson(text).value;
}
