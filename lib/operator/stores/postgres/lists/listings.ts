import {
  type AttentionEntry,
  createAttentionEntry,
  type JournalLists,
  type RoundKey,
  type RoundLists,
} from '../../../wallet';
import { checkIdentifiers } from '../../check-input';
import { oneByOne } from '../../lists/one-by-one';
import { linesOf, readListed } from '../codec/listed';
import type { Executor, Line } from '../connections/executor';
import { functions } from '../schema/functions';

/** Rounds listed at once, and most rounds of a list whose entries are kept. */
const [pageSize, mostKept] = [500, 10_000];

/** Lists of an operator's rounds, each read page by page from an index. Over tables of the platform's own nothing is ever pending. */
export class Listings implements RoundLists {
  /** By list, the entries of the last listing by their lines: a page that is shown again decodes what has changed. */
  readonly #kept = new Map<string, ReadonlyMap<string, AttentionEntry>>();

  constructor(protected readonly executor: Executor) {}

  /** The operator's rounds that need attention, in the order of their names. */
  attention(operatorId: string): AsyncIterableIterator<AttentionEntry> {
    const page = (last: AttentionEntry | null) =>
      this.executor.run(functions.listAttention, pageValues(operatorId, last));
    return oneByOne(this.entries('attention', operatorId, page));
  }

  /** The operator's rounds that are open since `before` or longer, the longest first. */
  openRounds(operatorId: string, before: number): AsyncIterableIterator<AttentionEntry> {
    const page = (last: AttentionEntry | null) =>
      this.executor.run(functions.listOpen, {
        ...pageValues(operatorId, last),
        until: before,
        after_changed_at: last?.stateSince ?? Number.MIN_SAFE_INTEGER,
      });
    return oneByOne(this.entries('open', operatorId, page));
  }

  private async *entries(
    list: string,
    operatorId: string,
    pageAfter: (last: AttentionEntry | null) => Promise<Line[]>,
  ): AsyncGenerator<readonly AttentionEntry[]> {
    checkIdentifiers({ operatorId });
    const name = `${list} ${operatorId}`;
    const before = this.#kept.get(name);
    const after = new Map<string, AttentionEntry>();
    const entryOf = (line: string): AttentionEntry => {
      const entry = before?.get(line) ?? readEntry(operatorId, line);
      if (after.size < mostKept) after.set(line, entry);
      return entry;
    };
    try {
      yield* pagesFrom(async (last: AttentionEntry | null) =>
        linesOf(await pageAfter(last)).map(entryOf),
      );
    } finally {
      this.#kept.set(name, after);
    }
  }
}

function readEntry(operatorId: string, line: string): AttentionEntry {
  const listed = readListed(line);
  const { playerId, gameRound } = listed;
  return createAttentionEntry({ operatorId, playerId, gameRound }, listed);
}

/** The same, with the rounds of a ledger that have pending work. */
export class JournalListings extends Listings implements JournalLists {
  /** The operator's rounds with pending work, in the order of their names. */
  async *unfinished(operatorId: string): AsyncGenerator<RoundKey> {
    const pages = pagesFrom(async (last: RoundKey | null) => {
      const values = pageValues(operatorId, last);
      const lines = await this.executor.run(functions.listUnfinished, values);
      return lines.map(([playerId, gameRound]) => {
        return { operatorId, playerId: playerId ?? '', gameRound: gameRound ?? '' };
      });
    });
    for await (const page of pages) yield* page;
  }
}

type RoundName = Pick<RoundKey, 'playerId' | 'gameRound'>;

function pageValues(operatorId: string, last: RoundName | null) {
  return {
    of_operator: operatorId,
    after_player: last?.playerId ?? '',
    after_round: last?.gameRound ?? '',
    at_most: pageSize,
  } as const;
}

type PageAfter<Round> = (last: Round | null) => Promise<readonly Round[]>;

/** All pages, each asked for with the last round of the page before. */
async function* pagesFrom<Round>(pageAfter: PageAfter<Round>): AsyncGenerator<readonly Round[]> {
  let last: Round | null = null;
  for (;;) {
    const page: readonly Round[] = await pageAfter(last);
    yield page;
    last = page.at(-1) ?? null;
    if (page.length < pageSize) return;
  }
}
