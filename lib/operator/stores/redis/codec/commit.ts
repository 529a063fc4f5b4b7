import {
  isKeptForEver,
  type Movement,
  needsAttention,
  netOf,
  type RoundChange,
} from '../../../gameround';
import {
  emptyPurse,
  isEmptyPurse,
  isInRange,
  subtractPurses,
} from '../../../../protocol/money/purse';
import type { CommitResult, RoundKey } from '../../../wallet';
import { encodeRepairActs } from './act';
import { balancesField } from './balances';
import { encodeEventChange } from './event';
import { encodeHead, encodeRepairsTail } from './head';
import { fieldName, packHash } from './hash-fields';
import { encodePending } from '../../codec/pending';
import { refusalOf } from '../../codec/record';
import { placesOf, writePlace } from '../../lists/repair-places';
import type { Call } from '../commands/script';
import type { scripts } from '../commands/scripts';
import { attentionMember, type Keys, unfinishedMember } from './keys';
import { decodeAccounts, encodeRecord } from './record';
import { decodeSnapshot, type LoadReply } from './snapshot';
import { encodeTime } from './time';

/** What a commit writes besides the round and the account. */
export interface Extras {
  /** An event, or a pointer in its place. */
  readonly eventKind?: 'event' | 'pointer' | null;
  /** When, for the event: milliseconds since 1970. */
  readonly at?: number;
  /** Whether it keeps the player's history. */
  readonly lists?: boolean;
}

type CommitCall = Call<typeof scripts.commit.names>;

/** What commit.lua is given for a change. */
export function commitCall(
  keys: Keys,
  round: RoundKey,
  change: RoundChange,
  retentionMs: number,
  extras: Extras = {},
): CommitCall {
  const { before, after } = change;
  const { debits, credits } = after;
  const places = placesOf(round, change);
  const named = keys.accountAndRound(round);
  const written = writtenBy(keys, round, change, extras);
  // Members are listed one by one: V8 copies an object slowly into one that has members already.
  return {
    account: named.account,
    round: named.round,
    version: before.version,
    head: encodeHead(after),
    debitsReal: String(debits.real),
    debitsBonus: String(debits.bonus),
    credits: isInRange(credits)
      ? `${credits.real} ${credits.bonus}${encodeRepairsTail(after)}`
      : '',
    keep: keptFor(change, retentionMs),
    fields: written.fields,
    movements: written.movements,
    events: written.events,
    history: written.history,
    open: written.open,
    index: touchesIndex(change) ? indexPart(keys, round, change) : null,
    carried: carriedBy(change),
    repairs:
      places.length === 0
        ? null
        : {
            set: keys.repairs(round),
            acts: keys.acts(round),
            places: places.map(writePlace).join(' '),
            done: encodeRepairActs(round, change),
          },
    limits: null,
  };
}

/** What a commit and a follow-up are given alike. */
export function writtenBy(
  keys: Keys,
  round: RoundKey,
  change: RoundChange,
  { eventKind = null, at = 0, lists = false }: Extras,
): Pick<CommitCall, 'fields' | 'movements' | 'events' | 'history' | 'open'> {
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
  const text = eventKind === 'event' ? encodeEventChange(change, taken) : '';
  const isOrWasOpen = before.state === 'open' || after.state === 'open';
  return {
    fields: packTexts(fields),
    movements: movements.map((movement) => encodeMovement(movement, taken)).join(''),
    events: eventKind === null ? null : { stream: keys.events(round), text, at: encodeTime(at) },
    history: lists ? { ...keys.history(round), name: packHash(round.gameRound) } : null,
    open: lists && isOrWasOpen ? { rounds: keys.open(round) } : null,
  };
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
 * What the change adds to the money carried for its player, without its takes. The money of each round with
 * a time to live is carried, as of its last commit, so that it outlasts the round; no other round's is. Null
 * if nothing changes.
 */
function carriedBy({ before, after, movements }: RoundChange) {
  const currency = after.currency ?? before.currency;
  if (currency === null) return null;
  const carriesAfter = !isKeptForEver(after);
  const carriedBefore = before.version > 0 && !isKeptForEver(before);
  const now = carriesAfter ? netOf(after) : emptyPurse;
  const change = subtractPurses(now, carriedBefore ? netOf(before) : emptyPurse);
  const isSplit = carriesAfter && movements.some(({ kind }) => kind === 'take');
  if (isEmptyPurse(change) && !isSplit) return null;
  return { currency, real: String(change.real), bonus: String(change.bonus) };
}

function touchesIndex({ before, after }: RoundChange): boolean {
  return (
    needsAttention(before.state) || needsAttention(after.state) || after.pending !== before.pending
  );
}

function indexPart(keys: Keys, round: RoundKey, { before, after }: RoundChange) {
  const hasPendingChanged = after.pending !== before.pending;
  const member = unfinishedMember(round);
  return {
    attention: keys.attention(round),
    unfinished: keys.unfinished(round),
    leavesAttention: needsAttention(before.state) ? attentionMember(round, before.state) : '',
    entersAttention: needsAttention(after.state) ? attentionMember(round, after.state) : '',
    leavesUnfinished: hasPendingChanged && after.pending === null ? member : '',
    entersUnfinished: hasPendingChanged && after.pending !== null ? member : '',
  };
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

/** What `struct.unpack` returns is on Lua's stack, which holds 8000. */
const textsInPart = 1000;
const end = '\0';

/**
 * Texts as one argument for fields.lua: ioredis encodes many arguments slowly. Each ends with NUL; for a text that holds NUL
 * the format has its number of bytes.
 */
export function packTexts(texts: readonly string[]): string {
  let packed = packPart(texts.length > textsInPart ? texts.slice(0, textsInPart) : texts);
  for (let at = textsInPart; at < texts.length; at += textsInPart) {
    packed += packPart(texts.slice(at, at + textsInPart));
  }
  return packed;
}

function packPart(texts: readonly string[]): string {
  if (!texts.some((text) => text.includes(end))) {
    return `${'s'.repeat(texts.length)}\n${texts.join(end)}${texts.length > 0 ? end : ''}`;
  }
  let format = '';
  let data = '';
  for (const text of texts) {
    format += text.includes(end) ? `c${Buffer.byteLength(text)}x` : 's';
    data += text + end;
  }
  return `${format}\n${data}`;
}
