import type { AttentionEntry, PlayerKey, RoundKey } from '../../../wallet';
import { packUuid } from './hash-fields';
import { stateLetter, stateOf } from './head';
import type { RoundState } from '../../../gameround';

/**
 * Buckets that an operator's players are spread over. All keys of a bucket share a hash tag, and so a slot
 * of the cluster. The fixed number makes the attention index of each bucket findable without a scan. It is
 * part of every key, so it can never change.
 */
export const bucketCount = 1024;

/**
 * The names of the store's keys. The operator follows the namespace; ids are encoded, so that none can
 * reach another key, bucket or slot.
 */
export class Keys {
  constructor(private readonly namespace: string) {}

  account(key: PlayerKey): string {
    return `${this.prefix(key)}:p:${encodeURIComponent(key.playerId)}`;
  }

  round(key: RoundKey): string {
    return this.accountAndRound(key)[1];
  }

  /** Both at once, for almost every command. */
  accountAndRound(key: RoundKey): [account: string, round: string] {
    const prefix = this.prefix(key);
    const player = encodeURIComponent(key.playerId);
    const uuid = packUuid(key.gameRound);
    const round =
      uuid === null ? `r:${player}:${encodeURIComponent(key.gameRound)}` : `u:${player}:${uuid}`;
    return [`${prefix}:p:${player}`, `${prefix}:${round}`];
  }

  references(key: PlayerKey): string {
    return `${this.prefix(key)}:c:${encodeURIComponent(key.playerId)}`;
  }

  attention(key: PlayerKey): string {
    return this.attentionOfBucket(key.operatorId, bucketOf(key.playerId));
  }

  attentionOfBucket(operatorId: string, bucket: number): string {
    return `${this.bucketPrefix(operatorId, bucket)}:attention`;
  }

  unfinished(key: PlayerKey): string {
    return this.unfinishedOfBucket(key.operatorId, bucketOf(key.playerId));
  }

  unfinishedOfBucket(operatorId: string, bucket: number): string {
    return `${this.bucketPrefix(operatorId, bucket)}:unfinished`;
  }

  /** The key of the settings of the data. */
  settings(): string {
    return `${this.namespace}:settings`;
  }

  private prefix({ operatorId, playerId }: PlayerKey): string {
    return this.bucketPrefix(operatorId, bucketOf(playerId));
  }

  private bucketPrefix(operatorId: string, bucket: number): string {
    return `${this.namespace}:{${encodeURIComponent(operatorId)}:${bucket}}`;
  }
}

/** FNV-1a over the UTF-16 units of the id. */
function bucketOf(playerId: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < playerId.length; at++) {
    hash = Math.imul(hash ^ playerId.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0) % bucketCount;
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

/** The round of a member of the index of unfinished rounds. */
export function readUnfinishedMember(operatorId: string, member: string): RoundKey {
  const [playerId = '', gameRound = ''] = member.split('/').map(decodeURIComponent);
  return { operatorId, playerId, gameRound };
}

/** The round of a member of the attention index. */
export function readAttentionMember(operatorId: string, member: string): AttentionEntry {
  const [playerId = '', gameRound = '', letter = ''] = member.split('/');
  return {
    operatorId,
    playerId: decodeURIComponent(playerId),
    gameRound: decodeURIComponent(gameRound),
    state: stateOf(letter),
  };
}
