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

/** Rounds listed at once, and most pages of a list that are kept. */
const [pageSize, mostKept] = [500, 20];

/** A page as it was read. */
interface KeptPage {
  readonly text: string;
  readonly entries: readonly AttentionEntry[];
}

/** Lists of an operator's rounds, each read page by page from an index. Over tables of the platform's own nothing is ever pending. */
export class Listings implements RoundLists {
  /** By list, the pages of the last listing: one that is read again decodes what has changed. */
  readonly #kept = new Map<string, readonly KeptPage[]>();

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
    const before = this.#kept.get(name) ?? [];
    const after: KeptPage[] = [];
    let byLine: ReadonlyMap<string, AttentionEntry> | null = null;
    const entryOf = (line: string): AttentionEntry => {
      byLine ??= entriesByLine(before);
      return byLine.get(line) ?? readEntry(operatorId, line);
    };
    const page = async (last: AttentionEntry | null): Promise<readonly AttentionEntry[]> => {
      const text = (await pageAfter(last))[0]?.[0] ?? null;
      if (text === null) return [];
      const same = before[after.length];
      const read = same?.text === text ? same : { text, entries: linesOf(text).map(entryOf) };
      if (after.length < mostKept) after.push(read);
      return read.entries;
    };
    try {
      yield* pagesFrom(page);
    } finally {
      this.#kept.set(name, after);
    }
  }
}

function entriesByLine(pages: readonly KeptPage[]): Map<string, AttentionEntry> {
  const byLine = new Map<string, AttentionEntry>();
  for (const { text, entries } of pages) {
    for (const [at, line] of linesOf(text).entries()) {
      const entry = entries[at];
      if (entry !== undefined) byLine.set(line, entry);
    }
  }
  return byLine;
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
