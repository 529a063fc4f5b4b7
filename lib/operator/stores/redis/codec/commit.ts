import {
  isKeptForEver,
  type Movement,
  needsAttention,
  netOf,
  type RoundChange,
} from '../../../gameround';
import { emptyPurse, isEmptyPurse, isInRange, subtractPurses } from '../../../../protocol/money';
import type { CommitResult, RoundKey } from '../../../wallet';
import { balancesField } from './balances';
import { encodeEventChange } from './event';
import { encodeHead, encodeRepairsTail } from './head';
import { fieldName, packHash } from './hash-fields';
import { encodePending } from '../../codec/pending';
import { refusalOf } from '../../codec/record';
import { placesOf, writePlace } from '../../repair-places';
import { packTexts } from './packed-texts';
import { attentionMember, type Keys, unfinishedMember } from './keys';
import { decodeAccounts, encodeRecord } from './record';
import { decodeSnapshot, type LoadReply } from './snapshot';

/** What a commit writes besides the round and the account. */
export interface Extras {
  /** An event, or a pointer in its place. */
  readonly eventKind?: 'event' | 'pointer' | null;
  /** Whether it keeps the player's history. */
  readonly lists?: boolean;
}

/** The keys of commit.lua for a change: those of the indexes and of the events only if it needs them. */
export function commitKeys(
  keys: Keys,
  round: RoundKey,
  change: RoundChange,
  { eventKind = null, lists = false }: Extras = {},
): string[] {
  const own: string[] = keys.accountAndRound(round);
  if (touchesIndex(change)) own.push(keys.attention(round), keys.unfinished(round));
  if (eventKind !== null) own.push(keys.events(round));
  if (lists) own.push(...keys.history(round));
  if (lists && opennessAfter(change) !== '') own.push(keys.open(round));
  if (carriedBy(change) !== null) own.push(keys.carried(round));
  if (placesOf(round, change).length > 0) own.push(keys.repairs(round));
  return own;
}

/** The arguments of commit.lua for a change; the script's header describes their order. */
export function commitArguments(
  round: RoundKey,
  change: RoundChange,
  retentionMs: number,
  extras: Extras = {},
): string[] {
  const { before, after } = change;
  const { debits, credits } = after;
  const args = [
    String(before.version),
    encodeHead(after),
    String(debits.real),
    String(debits.bonus),
    isInRange(credits) ? `${credits.real} ${credits.bonus}${encodeRepairsTail(after)}` : '',
    [keptFor(change, retentionMs), ...(carriedBy(change) ?? [])].join(' '),
  ];
  pushChange(args, round, change, extras);
  return args;
}

/** Adds the arguments of commit.lua behind those that say what the round was, and is. */
export function pushChange(
  args: string[],
  round: RoundKey,
  change: RoundChange,
  { eventKind = null, lists = false }: Extras,
): void {
  const { before, after, movements, records } = change;
  const taken = takenHashes(movements);
  const fields: string[] = [];
  for (const { hash, record } of records) {
    fields.push(fieldName(record.type === 'void' ? 'void' : 'transaction', hash, round.gameRound));
    const isTaken = taken.has(hash) && record.type === 'debit' && record.outcome === 'accepted';
    if (isTaken) taken.set(hash, fields.length + 1);
    fields.push(encodeRecord(record, isTaken));
  }
  if (before.gameCode === null && after.gameCode !== null) fields.push('g', after.gameCode);
  if (after.pending !== before.pending && after.pending !== null)
    fields.push('p', encodePending(after.pending));
  if (lists) fields.push(...(balancesField(change) ?? []));
  const named = lists ? `${opennessAfter(change)} ${packHash(round.gameRound)}` : '';
  const repairs = placesOf(round, change).map((place) => `\n${writePlace(place)}`);
  args.push(`${named}${repairs.join('')}`, packTexts(fields));
  args.push(movements.map((movement) => encodeMovement(movement, taken)).join(''));
  if (touchesIndex(change)) args.push(...indexArguments(round, change));
  if (eventKind === 'event') args.push(encodeEventChange(change, taken));
  if (eventKind === 'pointer') args.push('');
}

/** The hashes of debits that take, each with the place of its record, which is not known yet. */
function takenHashes(movements: readonly Movement[]): Map<string, number> {
  const taken = new Map<string, number>();
  for (const { kind, hash } of movements) if (kind === 'take') taken.set(hash, 0);
  return taken;
}

/** A movement as four texts that end with NUL. */
function encodeMovement(movement: Movement, taken: ReadonlyMap<string, number>): string {
  const { kind, currency } = movement;
  if (kind !== 'take') {
    return `${kind}\0${currency}\0${movement.purse.real}\0${movement.purse.bonus}\0`;
  }
  const name = movement.bonusFirst ? 'takeBonus' : 'takeReal';
  return `${name}\0${currency}\0${movement.amount}\0${taken.get(movement.hash) ?? 0}\0`;
}

/** How long the script must keep the round. A round that was kept for ever has no expiry to remove. */
function keptFor({ before, after }: RoundChange, retentionMs: number): string {
  if (!isKeptForEver(after)) return String(retentionMs);
  return before.version === 0 || isKeptForEver(before) ? '=' : '0';
}

/**
 * What the change adds to the money carried for its player, without its takes: currency, real, bonus. The
 * money of each round with a time to live is carried, as of its last commit, so that it outlasts the round;
 * no other round's is. Null if nothing changes.
 */
function carriedBy({ before, after, movements }: RoundChange): readonly string[] | null {
  const currency = after.currency ?? before.currency;
  if (currency === null) return null;
  const carriesAfter = !isKeptForEver(after);
  const carriedBefore = before.version > 0 && !isKeptForEver(before);
  const now = carriesAfter ? netOf(after) : emptyPurse;
  const change = subtractPurses(now, carriedBefore ? netOf(before) : emptyPurse);
  const isSplit = carriesAfter && movements.some(({ kind }) => kind === 'take');
  if (isEmptyPurse(change) && !isSplit) return null;
  return [currency, String(change.real), String(change.bonus)];
}

function touchesIndex({ before, after }: RoundChange): boolean {
  return (
    needsAttention(before.state) || needsAttention(after.state) || after.pending !== before.pending
  );
}

function indexArguments(round: RoundKey, { before, after }: RoundChange): string[] {
  const hasPendingChanged = after.pending !== before.pending;
  return [
    needsAttention(before.state) ? attentionMember(round, before.state) : '',
    needsAttention(after.state) ? attentionMember(round, after.state) : '',
    hasPendingChanged && after.pending === null ? unfinishedMember(round) : '',
    hasPendingChanged && after.pending !== null ? unfinishedMember(round) : '',
  ];
}

/**
 * What the commit does to the index of open rounds: `o` adds the round, also where it was open before, so that
 * one from before the store had a history is added too; `e` removes it. Empty if neither.
 */
function opennessAfter({ before, after }: RoundChange): 'o' | 'e' | '' {
  if (after.state === 'open') return 'o';
  return before.state === 'open' ? 'e' : '';
}

/** The result in a reply of commit.lua, or of rounds/open.lua. */
export function readCommitReply(reply: unknown, change: RoundChange): CommitResult {
  if (Array.isArray(reply)) {
    if (reply[0] === 0) {
      const hashes = change.records.map(({ hash }) => hash);
      return { kind: 'stale', snapshot: decodeSnapshot(reply[1] as LoadReply, hashes) };
    }
    return { kind: 'committed', accounts: decodeAccounts(reply as string[]) };
  }
  const [kind, index, reason] = String(reply).split(' ');
  if (kind === 'stale') return { kind };
  if (kind !== 'refused') throw new Error('Redis answered a commit with an unknown reply.');
  const movement = change.movements[Number(index) - 1];
  if (movement === undefined)
    throw new Error('Redis refused a movement that the commit does not hold.');
  return { kind, hash: movement.hash, reason: refusalOf(reason) };
}
