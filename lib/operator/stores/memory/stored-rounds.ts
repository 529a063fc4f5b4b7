import {
  type HashEntry,
  isKeptForEver,
  needsAttention,
  type RoundHead,
  type RoundView,
  unseenRound,
} from '../../gameround';
import type { KeptBalances } from '../../gameround/balances';
import {
  type AttentionEntry,
  createAttentionEntry,
  type PlayerKey,
  type RoundKey,
} from '../../wallet';

/** A round with all its records. */
export interface StoredRound {
  readonly key: RoundKey;
  head: RoundHead;
  readonly entries: Map<string, HashEntry>;
  /** The balances after its commits, where the store keeps them. */
  readonly balances: KeptBalances[];
  /** Rises with each round of the store. */
  readonly number: number;
  /** When it may be deleted, in milliseconds since 1970; null for never. */
  expiresAt: number | null;
}

/** The head of a round, and what it knows of these hashes. */
export function viewOf(round: StoredRound | undefined, hashes: readonly string[]): RoundView {
  const entries = new Map<string, HashEntry>();
  for (const hash of hashes) {
    const entry = round?.entries.get(hash);
    if (entry !== undefined) entries.set(hash, entry);
  }
  return { head: round?.head ?? unseenRound, entries };
}

/** The round as lists show it. */
export function entryOf({ key, head, entries }: StoredRound): AttentionEntry {
  return createAttentionEntry(key, { head, entries });
}

/** The rounds of a memory store, each deleted after its retention (D10). */
export class StoredRounds {
  private readonly rounds = new Map<string, StoredRound>();
  /** Rounds with an expiry, the earliest first: the retention is the same for all. */
  private readonly ending = new Set<string>();
  private readonly attention = new Map<string, StoredRound>();
  private readonly pending = new Map<string, StoredRound>();
  /** Rounds with repairs: they are kept for ever (D11.3). */
  private readonly repairs = new Map<string, StoredRound>();
  /** By player: the oldest first. */
  private readonly players = new Map<string, StoredRound[]>();
  private made = 0;

  /** `carry` gets each round that is forgotten, so that its money stays in the books. */
  constructor(
    private readonly retentionMs: number,
    private readonly carry: (round: StoredRound) => void,
  ) {}

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
    const number = ++this.made;
    const nothing = { head: unseenRound, entries: new Map(), balances: [], expiresAt: null };
    const round: StoredRound = { key, number, ...nothing };
    this.rounds.set(nameOf(key), round);
    const own = this.players.get(playerName(key));
    if (own === undefined) this.players.set(playerName(key), [round]);
    else own.push(round);
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
    if (head.repairs !== undefined) this.repairs.set(name, round);
    this.forgetEnded(now);
  }

  /** The operator's rounds that need attention. */
  *needingAttention(operatorId: string): Generator<StoredRound> {
    for (const round of Array.from(this.attention.values())) {
      if (round.key.operatorId === operatorId) yield round;
    }
  }

  /** The operator's rounds that are open since then or longer; looks at every round. */
  *open(operatorId: string, before: number): Generator<StoredRound> {
    for (const round of Array.from(this.rounds.values())) {
      const { state, changedAt } = round.head;
      if (round.key.operatorId !== operatorId) continue;
      if (state === 'open' && changedAt <= before) yield round;
    }
  }

  /** The operator's rounds with pending work. */
  *unfinished(operatorId: string): Generator<StoredRound> {
    for (const round of Array.from(this.pending.values())) {
      if (round.key.operatorId === operatorId) yield round;
    }
  }

  /** The operator's rounds with repairs. */
  *repaired(operatorId: string): Generator<StoredRound> {
    for (const round of this.repairs.values()) {
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

  /** The player's rounds, the oldest first, also those whose retention is over. */
  ofPlayer(key: PlayerKey): readonly StoredRound[] {
    return this.players.get(playerName(key)) ?? [];
  }

  private forget(name: string): void {
    const round = this.rounds.get(name);
    if (round !== undefined) this.release(round);
    this.rounds.delete(name);
    this.ending.delete(name);
  }

  private release(round: StoredRound): void {
    this.carry(round);
    const own = this.players.get(playerName(round.key)) ?? [];
    own.splice(own.indexOf(round), 1);
    if (own.length === 0) this.players.delete(playerName(round.key));
  }
}

/** The lengths make it one of a kind; and it is cheap, for it is made several times in each call. */
function nameOf({ operatorId, playerId, gameRound }: RoundKey): string {
  return `${operatorId.length} ${playerId.length} ${operatorId}${playerId}${gameRound}`;
}

/** A player in the maps of a memory store. */
export function playerName({ operatorId, playerId }: PlayerKey): string {
  return `${operatorId.length} ${operatorId}${playerId}`;
}
