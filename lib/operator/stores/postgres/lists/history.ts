import {
  type BesideResult,
  type FindRoundResult,
  InvalidInputError,
  type PlayerKey,
  type RoundByHash,
  type RoundHistory,
  type RoundKey,
  type RoundsPageResult,
  type RoundsQuery,
  type Unknown,
} from '../../../wallet';
import { checkPlayerKey, checkRoundByHash } from '../../check-input';
import { type GivenCursor, roundsCursors, type RoundsScope } from '../../lists/cursor';
import { orUnknown } from '../../or-unknown';
import {
  checkBeside,
  checkHistoryQuery,
  type CheckedRoundsQuery,
  filterOf,
} from '../../lists/rounds-query';
import type { PastReader } from '../../lists/past-money';
import { type ReadRounds, walkBeside, walkRounds } from '../../lists/rounds-walk';
import { unexpected } from '../connections/answers';
import { ofPlayer, ofRound } from '../codec/names';
import { readHistoryLine, readNumberedLine, readRoundLines } from '../codec/round';
import type { Executor, Line } from '../connections/executor';
import { functions } from '../schema/functions';

/** Rounds that one statement searches for a hash, and how many statements one search has. */
const searchedAtOnce = 2000;
const searches = 5;
/** Rounds that one request reads at once, and in all. */
const walked = { atOnce: 1000, atMost: 10_000 };

/** The rounds of each player, from the index of their first commits. */
export class History implements RoundHistory {
  constructor(
    private readonly executor: Executor,
    private readonly decimals: number,
  ) {}

  rounds(player: PlayerKey, query?: RoundsQuery): Promise<RoundsPageResult> {
    return answered(async () => {
      checkPlayerKey(player);
      const checked = checkHistoryQuery(query, this.decimals);
      return this.readPage(namesOf(player), roundsCursors.parse(checked.cursor), checked);
    });
  }

  /** Up to 10,000 rounds, each looked up in the index of records. */
  findRound(query: RoundByHash): Promise<FindRoundResult> {
    return answered(async () => {
      checkRoundByHash(query);
      return this.search(namesOf(query), query.hash, roundsCursors.parse(query.cursor ?? null));
    });
  }

  beside(round: RoundKey, openedAt: number): Promise<BesideResult> {
    return answered(async () => {
      checkBeside(round, openedAt);
      return walkBeside(this.pastOf(namesOf(round)).rounds, round.gameRound, openedAt);
    });
  }

  /** How the rounds of a player are read for a limit. */
  pastOf(player: PlayerKey): Pick<PastReader, 'rounds' | 'readRound'> {
    return {
      rounds: async (before, atMost) => {
        const values = { ...ofPlayer(player), before_id: before, at_most: atMost };
        const [, ...lines] = await this.executor.run(functions.listRounds, values);
        const rounds = lines.map((line) => readNumberedLine(player, line));
        return { rounds, last: rounds.at(-1)?.number ?? null, isEnd: lines.length < atMost };
      },
      readRound: async (gameRound) => {
        const round = ofRound({ ...player, gameRound });
        const lines = await this.executor.run(functions.readRound, round);
        return lines.length === 0 ? null : readRoundLines(lines);
      },
    };
  }

  private async readPage(
    names: PlayerKey,
    cursor: GivenCursor<string> | null,
    query: CheckedRoundsQuery,
  ): Promise<RoundsPageResult> {
    const filter = filterOf(query);
    let scope: RoundsScope | null = null;
    const read: ReadRounds = async (before, atMost) => {
      const values = { ...ofPlayer(names), before_id: before, at_most: atMost };
      const lines = await this.executor.run(functions.listRounds, values);
      const [of, listed] = scopeAndRest(names, lines, cursor, filter);
      scope = of;
      const rounds = listed.map((line) => readNumberedLine(names, line));
      return { rounds, last: rounds.at(-1)?.number ?? null, isEnd: listed.length < atMost };
    };
    const { rounds, next } = await walkRounds(read, query, cursor?.place ?? null, walked);
    if (scope === null || next === null) return { kind: 'known', rounds, next: null };
    return { kind: 'known', rounds, next: roundsCursors.write(scope, next) };
  }

  private async search(
    names: PlayerKey,
    hash: string,
    cursor: GivenCursor<string> | null,
  ): Promise<FindRoundResult> {
    let before = cursor?.place ?? null;
    let searched = 0;
    for (let search = 1; ; search++) {
      const lines = await this.executor.run(functions.findRound, {
        ...ofPlayer(names),
        of_hash: hash,
        in_json: JSON.stringify(hash),
        before_id: before,
        at_most: searchedAtOnce,
      });
      const [scope, [summary, found]] = scopeAndRest(names, lines, cursor);
      if (found !== undefined) return { kind: 'found', round: readHistoryLine(names, found) };
      const count = Number(summary?.[1]);
      searched += count;
      before = summary?.[2] ?? null;
      if (count < searchedAtOnce || before === null) {
        return { kind: 'notFound', searched, next: null };
      }
      if (search === searches) {
        return { kind: 'notFound', searched, next: roundsCursors.write(scope, before) };
      }
    }
  }
}

/** Whose list it is, by the first line, and the other lines. @throws TypeError for a cursor of another. */
function scopeAndRest(
  player: PlayerKey,
  [first, ...rest]: readonly Line[],
  cursor: GivenCursor<string> | null,
  filter: string | null = null,
): [RoundsScope, Line[]] {
  const [kind, store] = first ?? [];
  if (kind !== 'store' || typeof store !== 'string') {
    throw unexpected();
  }
  const scope = { store, ...player, filter };
  roundsCursors.placeIn(scope, cursor);
  return [scope, rest];
}

/** Wrong use is thrown: a cursor of another store is only known by its answer. */
export async function answered<T>(work: () => Promise<T>): Promise<T | Unknown> {
  const answer = await orUnknown(work);
  if (Object(answer).kind !== 'unknown') return answer;
  const { cause } = answer as Unknown;
  if (cause instanceof TypeError || cause instanceof InvalidInputError) throw cause;
  return answer;
}

function namesOf({ operatorId, playerId }: PlayerKey): PlayerKey {
  return { operatorId, playerId };
}
