import { paidByRepairs } from '../../../gameround/repairs/standing';
import { addPurses, emptyPurse, type Purse } from '../../../../protocol/money/purse';
import { decodeRepairs } from '../../codec/repairs';
import {
  type AccountBooks,
  type BlocksResult,
  cashKinds,
  type CashMovement,
  type CashPageResult,
} from '../../../wallet';
import {
  type CheckedAct,
  type CheckedOrder,
  type CheckedPlayer,
  wrongCursor,
} from '../../check-input';
import { textOf, unreadable } from '../../codec/record';
import type { Line } from '../connections/executor';
import { ofPlayer } from './names';

/** The arguments of a function for who did it, and why. */
export function actValues({ by, reason }: CheckedAct) {
  return {
    of_actor: by?.id ?? null,
    of_actor_name: by?.name ?? null,
    of_reason: reason,
  } as const;
}

/** The arguments of open_account for an account. */
export function openingValues(player: CheckedPlayer) {
  const { currency, real, bonus } = player;
  return {
    ...ofPlayer(player),
    ...actValues(player),
    of_currency: currency,
    real_units: String(real),
    bonus_units: bonus === null ? null : String(bonus),
  } as const;
}

/** The arguments of record_cash for an order. */
export function movementValues(order: CheckedOrder) {
  return {
    ...ofPlayer(order),
    ...actValues(order),
    of_reference: order.reference,
    of_kind: order.kind,
    move_units: String(order.units),
    of_currency: order.currency,
    of_balance: order.balance,
  } as const;
}

/** Where a page of list_cash begins. */
interface CashPlace {
  readonly before_at: string | null;
  readonly before_reference: string | null;
}

/** The place of a cursor: `time in microseconds, or nothing:reference`. @throws TypeError for another text. */
export function readCursor(cursor: string | null): CashPlace {
  if (cursor === null) return { before_at: null, before_reference: null };
  const [, at, reference] = /^(\d{0,16}):([^\p{Cc}]{1,256})$/u.exec(cursor) ?? [];
  if (at === undefined || !reference?.isWellFormed()) throw wrongCursor();
  return { before_at: at === '' ? null : at, before_reference: reference };
}

/** The page in the lines of list_cash, which was asked for one line more than the limit. */
export function readCashLines(lines: readonly Line[], limit: number): CashPageResult {
  if (lines[0]?.[0] === 'noPlayer') return { kind: 'noPlayer' };
  const page = lines.slice(0, limit);
  const last = page.at(-1);
  const next = lines.length > limit && last !== undefined ? `${last[6] ?? ''}:${last[1]}` : null;
  return { kind: 'known', movements: page.map(readMovement), next };
}

/** A movement from a line of list_cash. */
export function readMovement([
  ,
  reference,
  kindName,
  units,
  currency,
  balance,
  ...more
]: Line): CashMovement {
  const [at, actor, actorName, reason] = more;
  const kind = cashKinds.find((known) => known === kindName);
  if (kind === undefined || (balance !== 'real' && balance !== 'bonus')) {
    throw unreadable('movement of cash', kindName);
  }
  return {
    reference: textOf(reference, 'reference'),
    kind,
    currency: textOf(currency, 'currency'),
    balance,
    units: BigInt(textOf(units, 'amount')),
    at: typeof at === 'string' ? Math.floor(Number(at) / 1000) : null,
    by: typeof actor === 'string' ? { id: actor, name: actorName ?? null } : null,
    reason: reason ?? null,
  };
}

/** The records in the lines of list_blocks. */
export function readBlockLines(lines: readonly Line[]): BlocksResult {
  if (lines[0]?.[0] === 'noPlayer') return { kind: 'noPlayer' };
  const blocks = lines.map(([, blocked, at, actor, name, reason, end]) => ({
    blocked: blocked === 'true',
    until: typeof end === 'string' ? Number(end) : null,
    at: Math.floor(Number(textOf(at, 'time')) / 1000),
    by: typeof actor === 'string' ? { id: actor, name: name ?? null } : null,
    reason: reason ?? null,
  }));
  return { kind: 'known', blocks };
}

/** The books in a line of list_books. */
export function readBooksLine(line: Line): AccountBooks {
  const [operatorId = '', playerId = '', currency = '', ...units] = line
    .slice(0, 12)
    .map((text) => textOf(text, 'name'));
  const repairs = JSON.parse(line[12] ?? '[]') as string[];
  const purseAt = (at: number): Purse => ({
    real: BigInt(units[at] ?? 0),
    bonus: BigInt(units[at + 1] ?? 0),
  });
  return {
    operatorId,
    playerId,
    currency,
    balance: purseAt(0),
    cash: purseAt(2),
    rounds: purseAt(4),
    carried: purseAt(6),
    repairs: repairs
      .map((text) => paidByRepairs(decodeRepairs(text), currency))
      .reduce(addPurses, emptyPurse),
    hasOpening: units[8] === 'true',
    isAtRest: true,
  };
}
