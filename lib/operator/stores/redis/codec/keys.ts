import { hash } from 'node:crypto';
import type { NotableKind, PlayerKey, RoundKey } from '../../../wallet';
import { unreadable } from '../../codec/record';
import { packUuid, unpackHash } from './hash-fields';
import { stateLetter } from './head';
import type { RoundState } from '../../../gameround';

/**
 * Buckets that an operator's players are spread over. All keys of a bucket share a hash tag, and so a slot
 * of the cluster. The fixed number makes the attention index of each bucket findable without a scan. It is
 * part of every key, so it can never change.
 */
export const bucketCount = 1024;

/** Most lists of keys that are kept, of some 100 KB each. */
const mostKeptLists = 64;

/**
 * The names of the store's keys. The operator follows the namespace; ids are encoded, so that none can
 * reach another key, bucket or slot.
 */
export class Keys {
  constructor(private readonly namespace: string) {}

  account(key: PlayerKey): string {
    return `${this.prefix(key)}:p:${encodeURIComponent(key.playerId)}`;
  }

  /** The operator of the last key: lists of all buckets make thousands of one. */
  #operator: string | null = null;
  #operatorPrefix = '';

  round(key: RoundKey): string {
    return this.accountAndRound(key).round;
  }

  /** Both at once, for almost every command. */
  accountAndRound(key: RoundKey): { account: string; round: string } {
    const prefix = this.prefix(key);
    const player = encodeURIComponent(key.playerId);
    const uuid = packUuid(key.gameRound);
    const round =
      uuid === null ? `r:${player}:${encodeURIComponent(key.gameRound)}` : `u:${player}:${uuid}`;
    return { account: `${prefix}:p:${player}`, round: `${prefix}:${round}` };
  }

  /** The account, the references of the player's cash, and their order, in which cash moved. */
  cash(key: PlayerKey): { account: string; references: string; order: string } {
    const [prefix, player] = [this.prefix(key), encodeURIComponent(key.playerId)];
    return {
      account: `${prefix}:p:${player}`,
      references: `${prefix}:c:${player}`,
      order: `${prefix}:o:${player}`,
    };
  }

  /** When the player was blocked, and when it was lifted. */
  blocks(key: PlayerKey): string {
    return `${this.prefix(key)}:b:${encodeURIComponent(key.playerId)}`;
  }

  /** When limits of the player were set and lifted. */
  limitChanges(key: PlayerKey): string {
    return `${this.prefix(key)}:m:${encodeURIComponent(key.playerId)}`;
  }

  /** The player's rounds by their first commits, and those of them that are kept for ever. */
  history(key: PlayerKey): { list: string; kept: string } {
    const [prefix, player] = [this.prefix(key), encodeURIComponent(key.playerId)];
    return { list: `${prefix}:h:${player}`, kept: `${prefix}:l:${player}` };
  }

  /** A pattern of SCAN for the accounts and rounds of an operator, or of all. */
  accountsAndRounds(operatorId: string | null): string {
    const text = operatorId === null ? null : encodeURIComponent(operatorId);
    const operator = text === null ? '*' : text.replaceAll('*', '\\*');
    return `${this.namespace}:{${operator}:*}:[pru]:*`;
  }

  /** The player and bucket of a key that {@link accountsAndRounds} found, and whether it is a round; null for another. */
  readFound(
    key: string,
  ): (PlayerKey & { readonly bucket: number; readonly isRound: boolean }) | null {
    const rest = key.slice(this.namespace.length);
    const [, operator, bucket, kind, player] =
      /^:\{([^:{}]+):(\d+)\}:([pru]):([^:]+)(?::[^:]+)?$/.exec(rest) ?? [];
    if (operator === undefined || player === undefined) return null;
    const operatorId = decodeURIComponent(operator);
    const playerId = decodeURIComponent(player);
    return { operatorId, playerId, bucket: Number(bucket), isRound: kind !== 'p' };
  }

  /** The round of its key. */
  readRound(key: string): RoundKey {
    const found = this.readFound(key);
    if (found === null) throw unreadable('key of a round', key);
    const { operatorId } = found;
    return { operatorId, ...readRoundName(key.slice(key.indexOf('}') + 2)) };
  }

  attention(key: PlayerKey): string {
    return `${this.prefix(key)}:attention`;
  }

  unfinished(key: PlayerKey): string {
    return `${this.prefix(key)}:unfinished`;
  }

  /** The open rounds of a bucket, in a store with a history. */
  open(key: PlayerKey): string {
    return `${this.prefix(key)}:open`;
  }

  /** The repairs of the rounds of a bucket. */
  repairs(key: PlayerKey): string {
    return `${this.prefix(key)}:repairs`;
  }

  /** What people did to players of the bucket. */
  acts(key: PlayerKey): string {
    return `${this.prefix(key)}:acts`;
  }

  /** What people did to no player. */
  actsOfNobody(operatorId: string): string {
    return `${this.bucketPrefix(operatorId, 0)}:acts`;
  }

  events(key: PlayerKey): string {
    return `${this.prefix(key)}:e`;
  }

  readonly #ofBuckets = new Map<string, readonly string[]>();

  /** Of every bucket the key that ends so, made once while it is among the newest lists: each list asks for all of them. */
  ofBuckets(
    operatorId: string,
    end: 'attention' | 'unfinished' | 'open' | 'repairs' | 'acts' | 'e' | 'cursors',
  ): readonly string[] {
    const name = `${end} ${operatorId}`;
    const known = this.#ofBuckets.get(name);
    if (known !== undefined) return known;
    const made = Array.from(
      { length: bucketCount },
      (_, bucket) => `${this.bucketPrefix(operatorId, bucket)}:${end}`,
    );
    const [oldest] = this.#ofBuckets.keys();
    if (oldest !== undefined && this.#ofBuckets.size === mostKeptLists)
      this.#ofBuckets.delete(oldest);
    this.#ofBuckets.set(name, made);
    return made;
  }

  /** The stream of a bucket's events, and the cursors of its consumers. */
  eventsOfBucket(operatorId: string, bucket: number): { events: string; cursors: string } {
    const prefix = this.bucketPrefix(operatorId, bucket);
    return { events: `${prefix}:e`, cursors: `${prefix}:cursors` };
  }

  /** The keys of an operator's totals, all with one tag that no bucket has. */
  totals(operatorId: string): TotalsKeys {
    const prefix = `${this.namespace}:{${encodeURIComponent(operatorId)}:totals}`;
    return {
      cursors: `${prefix}:cursors`,
      marks: `${prefix}:marks`,
      quarter: (quarter) => `${prefix}:q:${quarter}`,
      kept: `${prefix}:kept`,
      keptUntil: (day, name) => `${prefix}:k:${day}:${shardOf(name)}`,
      round: digestOf,
      notable: (kind) => `${prefix}:n:${kind}`,
      players: (gameRound) => `${prefix}:p:${digestOf(gameRound)}`,
    };
  }

  /** The results of an operator's reconciliations. */
  reconciled(operatorId: string): string {
    return `${this.namespace}:{${encodeURIComponent(operatorId)}:reconciled}`;
  }

  /** What the processes counted in a minute; all minutes have one tag, so that one script reads them. */
  minute(minute: number): string {
    return `${this.namespace}:{minutes}:${minute}`;
  }

  /** The names of the consumers of events; in braces, so that the barrier of its write is in the same slot. */
  consumers(): string {
    return `${this.namespace}:{consumers}`;
  }

  /** The key of the settings of the data. */
  settings(): string {
    return `${this.namespace}:settings`;
  }

  private prefix({ operatorId, playerId }: PlayerKey): string {
    return this.bucketPrefix(operatorId, bucketOf(playerId));
  }

  private bucketPrefix(operatorId: string, bucket: number): string {
    if (operatorId !== this.#operator) {
      this.#operatorPrefix = `${this.namespace}:{${encodeURIComponent(operatorId)}:`;
      this.#operator = operatorId;
    }
    return `${this.#operatorPrefix}${bucket}}`;
  }
}

/** The names of the keys of totals: see add-totals.lua. */
interface TotalsKeys {
  readonly cursors: string;
  readonly marks: string;
  readonly quarter: (quarter: number) => string;
  /** Rounds that are kept for ever. */
  readonly kept: string;
  /** Those of a day that have a name like this one. */
  readonly keptUntil: (day: number, name: string) => string;
  /** The name of a round in these. */
  readonly round: (playerId: string, gameRound: string) => string;
  readonly notable: (kind: NotableKind) => string;
  readonly players: (gameRound: string) => string;
}

/** 20 characters for a round: its ids are not needed, and are longer. */
function digestOf(...names: readonly string[]): string {
  return hash('sha256', JSON.stringify(names), 'base64url').slice(0, 20);
}

/** One of 256: a hash with all rounds of a day would expire in one long step. */
function shardOf(digest: string): number {
  return Buffer.from(digest.slice(0, 2), 'base64url')[0] ?? 0;
}

/** FNV-1a over the UTF-16 units of the id. */
function bucketOf(playerId: string): number {
  let mixed = 0x811c9dc5;
  for (let at = 0; at < playerId.length; at++) {
    mixed = Math.imul(mixed ^ playerId.charCodeAt(at), 0x01000193);
  }
  return (mixed >>> 0) % bucketCount;
}

/** The player and round of the end of a round's key, after its hash tag. */
export function readRoundName(end: string): Omit<RoundKey, 'operatorId'> {
  const [kind, player, round] = end.split(':');
  if (player === undefined || round === undefined || (kind !== 'u' && kind !== 'r')) {
    throw unreadable('name of a round', end);
  }
  const gameRound = kind === 'u' ? unpackHash(`T${round}`) : decodeName(round);
  return { playerId: decodeName(player), gameRound };
}

/** A name as it was before it was written into a key. Most are as they were: that is seen faster than it is decoded. */
export function decodeName(text: string): string {
  return text.includes('%') ? decodeURIComponent(text) : text;
}

/** The player of the end of an account's key, after its hash tag. */
export function readAccountName(end: string): string {
  const [kind, player] = end.split(':');
  if (player === undefined || kind !== 'p') throw unreadable('name of an account', end);
  return decodeName(player);
}

/** A round in its bucket's attention index. */
export function attentionMember({ playerId, gameRound }: RoundKey, state: RoundState): string {
  return [encodeURIComponent(playerId), encodeURIComponent(gameRound), stateLetter(state)].join(
    '/',
  );
}

/** A round in its bucket's index of unfinished rounds. */
export function unfinishedMember({ playerId, gameRound }: RoundKey): string {
  return [encodeURIComponent(playerId), encodeURIComponent(gameRound)].join('/');
}

/** The round of a member of either index; its state is in its head. */
export function readMember(operatorId: string, member: string): RoundKey {
  const [playerId = '', gameRound = ''] = member.split('/');
  return {
    operatorId,
    playerId: decodeName(playerId),
    gameRound: decodeName(gameRound),
  };
}
