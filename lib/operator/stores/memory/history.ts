import type { Clock } from '../../../platform';
import { createRoundSummary, type FindRoundResult, type PlayerKey } from '../../wallet';
import type {
  BesideResult,
  RoundByHash,
  RoundHistory,
  RoundKey,
  RoundsPageResult,
  RoundsQuery,
  RoundSummary,
} from '../../wallet';
import { checkPlayerKey, checkRoundByHash } from '../check-input';
import { roundsCursors } from '../lists/cursor';
import { checkBeside, checkHistoryQuery, filterOf } from '../lists/rounds-query';
import { type RoundsPart, walkBeside, walkRounds } from '../lists/rounds-walk';
import type { StoredRound, StoredRounds } from './stored-rounds';

/** Rounds that one request reads at once, and in all. */
const walked = { atOnce: 1000, atMost: 10_000 };

let storesMade = 0;

/** The rounds of each player in a memory store. */
export class History implements RoundHistory {
  /** Names the store in cursors. */
  readonly store = `memory ${++storesMade}`;

  constructor(
    private readonly stored: StoredRounds,
    private readonly clock: Clock,
    private readonly decimals: number,
  ) {}

  async rounds(player: PlayerKey, query?: RoundsQuery): Promise<RoundsPageResult> {
    checkPlayerKey(player);
    const checked = checkHistoryQuery(query, this.decimals);
    const scope = { ...this.scopeOf(player), filter: filterOf(checked) };
    const place = roundsCursors.placeIn(scope, roundsCursors.parse(checked.cursor));
    const read = async (before: string | null, atMost: number): Promise<RoundsPart> =>
      this.part(player, before, atMost);
    const { rounds, next } = await walkRounds(read, checked, place, walked);
    return { kind: 'known', rounds, next: next === null ? null : roundsCursors.write(scope, next) };
  }

  async beside(round: RoundKey, openedAt: number): Promise<BesideResult> {
    checkBeside(round, openedAt);
    const read = async (before: string | null, atMost: number): Promise<RoundsPart> =>
      this.part(round, before, atMost);
    return walkBeside(read, round.gameRound, openedAt);
  }

  private part(player: PlayerKey, before: string | null, atMost: number): RoundsPart {
    const rounds: StoredRound[] = [];
    for (const round of this.newestFirst(player, before)) {
      rounds.push(round);
      if (rounds.length === atMost) break;
    }
    const numbered = rounds.map((one) => ({
      number: String(one.number),
      version: one.head.version,
      summary: summaryOf(one),
    }));
    const last = numbered.at(-1)?.number ?? null;
    return { rounds: numbered, last, isEnd: rounds.length < atMost };
  }

  /** All of the player's rounds are searched. */
  async findRound(query: RoundByHash): Promise<FindRoundResult> {
    checkRoundByHash(query);
    const cursor = roundsCursors.parse(query.cursor ?? null);
    const before = roundsCursors.placeIn(this.scopeOf(query), cursor);
    let searched = 0;
    for (const round of this.newestFirst(query, before)) {
      searched += 1;
      const isPending = round.head.pending?.posts.some(({ hash }) => hash === query.hash) ?? false;
      if (isPending || round.entries.has(query.hash)) {
        return { kind: 'found', round: summaryOf(round) };
      }
    }
    return { kind: 'notFound', searched, next: null };
  }

  /** The player's rounds before a position. */
  private *newestFirst(player: PlayerKey, position: string | null): Generator<StoredRound> {
    const now = this.clock.now();
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
