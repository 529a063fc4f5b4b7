import {
  type HashEntry,
  isKeptForEver,
  needsAttention,
  type RoundHead,
  unseenRound,
} from '../../gameround';
import type { RoundKey } from '../../wallet';

/** A round with all its records. */
export interface StoredRound {
  readonly key: RoundKey;
  head: RoundHead;
  readonly entries: Map<string, HashEntry>;
  /** When it may be deleted, in milliseconds since 1970; null for never. */
  expiresAt: number | null;
}

/** The rounds of a memory store, each deleted after its retention (D10). */
export class Rounds {
  private readonly rounds = new Map<string, StoredRound>();
  /** Rounds with an expiry, the earliest first: the retention is the same for all. */
  private readonly ending = new Set<string>();
  private readonly attention = new Map<string, StoredRound>();
  private readonly pending = new Map<string, StoredRound>();

  constructor(private readonly retentionMs: number) {}

  /** The round, or undefined if nothing is known of it. */
  find(key: RoundKey, now: number): StoredRound | undefined {
    const name = nameOf(key);
    const round = this.rounds.get(name);
    if (round === undefined || round.expiresAt === null || round.expiresAt > now) return round;
    this.forget(name);
    return undefined;
  }

  /** The round; created if nothing is known of it. */
  take(key: RoundKey, now: number): StoredRound {
    const known = this.find(key, now);
    if (known !== undefined) return known;
    const round = { key, head: unseenRound, entries: new Map(), expiresAt: null };
    this.rounds.set(nameOf(key), round);
    return round;
  }

  /** Stores the new head, and with it how long the round is kept and whether it is listed. */
  update(round: StoredRound, head: RoundHead, now: number): void {
    const name = nameOf(round.key);
    round.head = head;
    this.ending.delete(name);
    round.expiresAt = isKeptForEver(head) ? null : now + this.retentionMs;
    if (round.expiresAt !== null) this.ending.add(name);
    if (needsAttention(head.state)) this.attention.set(name, round);
    else this.attention.delete(name);
    if (head.pending !== null) this.pending.set(name, round);
    else this.pending.delete(name);
    this.forgetEnded(now);
  }

  /** The operator's rounds that need attention. */
  *needingAttention(operatorId: string): Generator<StoredRound> {
    for (const round of Array.from(this.attention.values())) {
      if (round.key.operatorId === operatorId) yield round;
    }
  }

  /** The operator's rounds with pending work. */
  *unfinished(operatorId: string): Generator<StoredRound> {
    for (const round of Array.from(this.pending.values())) {
      if (round.key.operatorId === operatorId) yield round;
    }
  }

  private forgetEnded(now: number): void {
    for (const name of this.ending) {
      const expiresAt = this.rounds.get(name)?.expiresAt ?? 0;
      if (expiresAt > now) return;
      this.forget(name);
    }
  }

  private forget(name: string): void {
    this.rounds.delete(name);
    this.ending.delete(name);
  }
}

function nameOf({ operatorId, playerId, gameRound }: RoundKey): string {
  return [operatorId, playerId, gameRound].map(encodeURIComponent).join('/');
}
