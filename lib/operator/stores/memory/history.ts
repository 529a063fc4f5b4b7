import { createRoundSummary, type FindRoundResult, type PlayerKey } from '../../wallet';
import type { RoundByHash, RoundsPageResult, RoundsQuery, RoundSummary } from '../../wallet';
import { checkPlayerKey, checkRoundByHash, checkRoundsQuery } from '../check-input';
import { readRoundsCursor, writeRoundsCursor } from '../history-cursor';
import type { Rounds, StoredRound } from './rounds';

let storesMade = 0;

/** The rounds of a player in a memory store. */
export class History {
  /** Names the store in cursors. */
  readonly store = `memory ${++storesMade}`;

  constructor(private readonly stored: Rounds) {}

  /** A page of them, the newest first. */
  page(player: PlayerKey, query: RoundsQuery | undefined, now: number): RoundsPageResult {
    checkPlayerKey(player);
    const { cursor, limit } = checkRoundsQuery(query);
    const scope = this.scopeOf(player);
    const page: StoredRound[] = [];
    for (const round of this.newestFirst(player, readRoundsCursor(scope, cursor), now)) {
      if (page.length === limit) {
        const next = writeRoundsCursor(scope, String(page.at(-1)?.number));
        return { kind: 'known', rounds: page.map(summaryOf), next };
      }
      page.push(round);
    }
    return { kind: 'known', rounds: page.map(summaryOf), next: null };
  }

  /** The newest one with the hash; all of them are searched. */
  find(query: RoundByHash, now: number): FindRoundResult {
    checkRoundByHash(query);
    const position = readRoundsCursor(this.scopeOf(query), query.cursor ?? null);
    let searched = 0;
    for (const round of this.newestFirst(query, position, now)) {
      searched += 1;
      const isPending = round.head.pending?.posts.some(({ hash }) => hash === query.hash) ?? false;
      if (isPending || round.entries.has(query.hash)) {
        return { kind: 'found', round: summaryOf(round) };
      }
    }
    return { kind: 'notFound', searched, next: null };
  }

  /** The player's rounds before a position. */
  private *newestFirst(
    player: PlayerKey,
    position: string | null,
    now: number,
  ): Generator<StoredRound> {
    const last = position === null ? Number.POSITIVE_INFINITY : Number(position);
    const own = this.stored.ofPlayer(player);
    for (let at = own.length - 1; at >= 0; at--) {
      const round = own[at];
      if (round === undefined || round.number >= last) continue;
      if (round.expiresAt === null || round.expiresAt > now) yield round;
    }
  }

  private scopeOf({ operatorId, playerId }: PlayerKey) {
    return { store: this.store, operatorId, playerId };
  }
}

function summaryOf({ key, head, entries }: StoredRound): RoundSummary {
  return createRoundSummary(key, { head, entries });
}
