import type { Act, BlockRecord, Limit, LimitRecord, LimitResult } from '../../wallet';
import { type CheckedAct, maxBlocks } from '../check-input';
import type { CheckedBlock, CheckedLimit } from '../check-restrictions';
import { actOfLimit } from '../codec/act';
import type { PastRefusal } from '../lists/past-money';
import { changedBy, type LimitGroup, limitsOf } from '../../wallet/limits/groups';
import {
  countIn,
  type PastMoney,
  type PastWindows,
  pastWindowsOf,
  withPast,
} from '../../wallet/limits/past';

/** Whether a player is blocked, and the player's limits; who set and lifted them. */
export interface Restrictions {
  blocked: boolean;
  /** When the block ends by itself, in milliseconds since 1970. */
  blockedUntil: number | null;
  /** In the order in which the player was blocked, and it was lifted. */
  readonly blocks: BlockRecord[];
  limits: readonly LimitGroup[];
  /** In the order in which it was done. */
  readonly limitChanges: LimitRecord[];
}

/** What an order did. `added` is the change that it added, with its number; null if it added none. */
type LimitOutcome =
  | { readonly kind: 'done'; readonly added: { readonly act: Act; readonly number: number } | null }
  | Extract<LimitResult, { readonly kind: 'refused' }>;

/** Blocks a player, or lifts it: the number of its record, 0 if it repeats the latest one. */
export function changeBlock(player: Restrictions, order: CheckedBlock, at: number): number {
  const { blocked, until, by, reason } = order;
  player.blocked = blocked;
  player.blockedUntil = until;
  const last = player.blocks.at(-1);
  const isRepeat = last?.blocked === blocked && last.until === until && isSameAct(last, order);
  return isRepeat ? 0 : player.blocks.push({ blocked, until, at, by, reason });
}

/** Whether debits are refused as of a time (D13.2). */
export function isBlocked({ blocked, blockedUntil }: Restrictions, now: number): boolean {
  return blocked && (blockedUntil === null || now < blockedUntil);
}

/** Sets, changes or lifts a limit of a player with accounts in these currencies; `pastOf` reads what it counts from, if anything. */
export function changeLimit(
  player: Restrictions,
  currencies: readonly string[],
  order: CheckedLimit,
  at: number,
  pastOf: (wanted: PastWindows) => readonly PastMoney[] | PastRefusal | null,
): LimitOutcome {
  const { amount, by, reason } = order;
  const result = changedBy(order, { currencies, groups: player.limits }, at);
  if (result.kind === 'refused') return result;
  if (result.kind === 'nothing') return { kind: 'done', added: null };
  const { terms } = result;
  const wanted = pastWindowsOf(order, player.limits, result.groups, at);
  const past = wanted === null ? null : pastOf(wanted);
  if (typeof past === 'string') return { kind: 'refused', reason: past };
  const isCounted = wanted !== null && past !== null;
  player.limits = isCounted
    ? withPast(result.groups, wanted, countIn(wanted, past))
    : result.groups;
  const record = { ...terms, amount, at, by, reason };
  const last = player.limitChanges.at(-1);
  if (last !== undefined && isSameChange(last, record)) return { kind: 'done', added: null };
  const number = player.limitChanges.push(record);
  return { kind: 'done', added: { act: actOfLimit(terms, order), number } };
}

/** The limits as of a time, and the latest changes, the newest first. */
export function readLimits(
  { limits, limitChanges }: Restrictions,
  now: number,
): { readonly limits: readonly Limit[]; readonly changes: readonly LimitRecord[] } {
  return { limits: limitsOf(limits, now), changes: limitChanges.slice(-maxBlocks).toReversed() };
}

/** Whether the same person did both for the same reason. */
function isSameAct(one: CheckedAct, { by, reason }: CheckedAct): boolean {
  return one.by?.id === by?.id && one.by?.name === by?.name && one.reason === reason;
}

const compared = ['kind', 'currency', 'window', 'zone', 'counts', 'amount'] as const;

function isSameChange(one: LimitRecord, other: LimitRecord): boolean {
  return compared.every((name) => one[name] === other[name]) && isSameAct(one, other);
}
