import { parts, type Spool } from '../rounds/spool';
import type { EventText } from '../rounds/event-line';

/** What the events have of a round. */
export interface SeenRound {
  /** Time of its last event. */
  at: number;
  /** Of its transactions and repairs, by {@link transactionKey} and {@link repairKey}. */
  readonly keys: Set<string>;
}

/** The rounds of players that the events have, by player and round. */
type SeenRounds = ReadonlyMap<string, ReadonlyMap<string, SeenRound>>;

/** A void has the hash of its debit. */
export function transactionKey(type: string, hash: string): string {
  return `${type === 'void' ? 'v' : ''}#${hash}`;
}

/** A repair, beside transactions of the same round. */
export function repairKey(id: string): string {
  return `repair#${id}`;
}

/** Collects what the events have of the rounds of these players. */
export function seenRounds(spool: Spool<EventText>, players: Iterable<string>): SeenRounds {
  const seen = new Map([...players].map((player) => [player, new Map<string, SeenRound>()]));
  for (let part = 0; part < parts; part++) {
    for (const [round, player, , at, , , , entries, repairs] of spool.read(part)) {
      const rounds = seen.get(player);
      if (rounds === undefined) continue;
      const one = rounds.get(round) ?? { at, keys: new Set() };
      rounds.set(round, one);
      one.at = Math.max(one.at, at);
      for (const [kind, hash] of entries) {
        one.keys.add(transactionKey(kind === 'v' ? 'void' : '', hash));
      }
      for (const [id] of repairs) one.keys.add(repairKey(id));
    }
  }
  return seen;
}
