import { type CashKind, type CashMovement, openingReference } from '../../../wallet';
import type { CheckedAct, CheckedOrder, CheckedPlayer } from '../../check-input';
import { unreadable } from '../../codec/record';
import { decodeTime, encodeTime } from './time';

/** Letters before the units; a deposit and a withdrawal differ by their sign, and have none. */
const letters = { opening: 'o', correction: 'c', deposit: '', withdrawal: '' } as const;

/** What a repeated order must have again: kind, units, currency and balance. */
function encodeContent({
  kind,
  units,
  currency,
  balance,
}: Pick<CashMovement, 'kind' | 'units' | 'currency' | 'balance'>): string {
  return `${letters[kind]}${units} ${currency} ${balance}`;
}

/** The rest of a movement as stored: time, id and name of the person, reason. Most have the time alone. */
function encodeAct({ by, reason }: CheckedAct, at: number): string {
  if (by === null && reason === null) return encodeTime(at);
  const texts = [by?.id ?? '', by?.name ?? '', reason ?? ''];
  return [encodeTime(at), ...texts.map(encodeURIComponent)].join(' ');
}

/** The opening movements of an account, and their references. */
export function encodeOpening(player: CheckedPlayer, at: number) {
  const { currency, real, bonus } = player;
  const rest = encodeAct(player, at);
  const [openings, movements]: [string[], string[]] = [[], []];
  for (const balance of ['real', 'bonus'] as const) {
    const units = balance === 'real' ? real : bonus;
    if (units === null) continue;
    openings.push(openingReference(currency, balance));
    movements.push(`${encodeContent({ kind: 'opening', units, currency, balance })} ${rest}`);
  }
  return { openings, movements };
}

/** An order as move-cash.lua is given it. */
export function encodeCash(order: CheckedOrder, at: number) {
  const { reference, currency, balance, units } = order;
  const [content, rest] = [encodeContent(order), encodeAct(order, at)];
  return { reference, content, rest, currency, balance, units: String(units) };
}

/** A stored movement. @throws Error for anything this version cannot read. */
export function decodeMovement(reference: string, text: string): CashMovement {
  const [first = '', currency = '', balance, at, id = '', name = '', reason = ''] = text.split(' ');
  const [, letter, units] = /^([a-z]?)(-?\d+)$/.exec(first) ?? [];
  if (units === undefined || at === undefined || (balance !== 'real' && balance !== 'bonus')) {
    throw unreadable('movement of cash', text);
  }
  return {
    reference,
    kind: kindOf(letter ?? '', BigInt(units)),
    currency,
    balance,
    units: BigInt(units),
    at: decodeTime(at),
    by:
      id === ''
        ? null
        : { id: decodeURIComponent(id), name: name === '' ? null : decodeURIComponent(name) },
    reason: reason === '' ? null : decodeURIComponent(reason),
  };
}

function kindOf(letter: string, units: bigint): CashKind {
  if (letter === letters.opening) return 'opening';
  if (letter === letters.correction) return 'correction';
  if (letter !== '') throw unreadable('kind of cash', letter);
  return units < 0n ? 'withdrawal' : 'deposit';
}
