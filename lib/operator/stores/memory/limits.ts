import type { Act, Limit, LimitRecord, LimitResult } from '../../wallet';
import { type CheckedAct, maxBlocks } from '../check-input';
import type { CheckedLimit } from '../check-limit';
import { actOfLimit } from '../codec/act';
import { changedBy, type LimitGroup, limitsOf } from '../limits/groups';

/** What a player's limits are, and who set and lifted them. */
export interface PlayerLimits {
  limits: readonly LimitGroup[];
  /** In the order in which it was done. */
  readonly limitChanges: LimitRecord[];
}

/** What an order did: `told` is what it adds to the changes, with its number; null if it adds nothing. */
export type LimitOutcome =
  | { readonly kind: 'done'; readonly told: { readonly act: Act; readonly number: number } | null }
  | Extract<LimitResult, { readonly kind: 'refused' }>;

/** Sets, changes or lifts a limit of a player with accounts in these currencies. */
export function changeLimit(
  player: PlayerLimits,
  currencies: readonly string[],
  order: CheckedLimit,
  at: number,
): LimitOutcome {
  const { amount, by, reason } = order;
  const result = changedBy(order, { currencies, groups: player.limits }, at);
  if (result.kind === 'refused') return result;
  if (result.kind === 'nothing') return { kind: 'done', told: null };
  const { groups, terms } = result;
  player.limits = groups;
  const record = { ...terms, amount, at, by, reason };
  const last = player.limitChanges.at(-1);
  if (last !== undefined && isSameChange(last, record)) return { kind: 'done', told: null };
  const number = player.limitChanges.push(record);
  return { kind: 'done', told: { act: actOfLimit(terms, order), number } };
}

/** The limits as of a time, and the latest changes, the newest first. */
export function readLimits(
  { limits, limitChanges }: PlayerLimits,
  now: number,
): { readonly limits: readonly Limit[]; readonly changes: readonly LimitRecord[] } {
  return { limits: limitsOf(limits, now), changes: limitChanges.slice(-maxBlocks).toReversed() };
}

/** Whether the same person did both for the same reason. */
export function isSameAct(one: CheckedAct, { by, reason }: CheckedAct): boolean {
  return one.by?.id === by?.id && one.by?.name === by?.name && one.reason === reason;
}

const compared = ['kind', 'currency', 'window', 'zone', 'counts', 'amount'] as const;

function isSameChange(one: LimitRecord, other: LimitRecord): boolean {
  return compared.every((name) => one[name] === other[name]) && isSameAct(one, other);
}
