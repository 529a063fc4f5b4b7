import {
  type AttentionEntry,
  createAttentionEntry,
  type JournalLists,
  type RoundKey,
  type RoundLists,
} from '../../../wallet';
import { checkIdentifiers } from '../../check-input';
import { oneByOne } from '../../lists/one-by-one';
import { readListedRound } from '../codec/round';
import type { Executor, Line } from '../connections/executor';
import { functions } from '../schema/functions';

/** Rounds listed at once. */
const pageSize = 200;

/** Lists of an operator's rounds, each read page by page from an index. Over tables of the platform's own nothing is ever pending. */
export class Listings implements RoundLists {
  constructor(protected readonly executor: Executor) {}

  /** The operator's rounds that need attention, in the order of their names. */
  attention(operatorId: string): AsyncIterableIterator<AttentionEntry> {
    return oneByOne(entriesOf(operatorId, (last) => this.attentionPage(operatorId, last)));
  }

  /** The operator's rounds that are open since `before` or longer, the longest first. */
  openRounds(operatorId: string, before: number): AsyncIterableIterator<AttentionEntry> {
    return oneByOne(entriesOf(operatorId, (last) => this.openPage(operatorId, before, last)));
  }

  private attentionPage(operatorId: string, last: Line | null): Promise<Line[]> {
    return this.executor.run(functions.listAttention, pageValues(operatorId, last));
  }

  private openPage(operatorId: string, before: number, last: Line | null): Promise<Line[]> {
    const since = last === null ? Number.MIN_SAFE_INTEGER : readListedRound(last).head.changedAt;
    return this.executor.run(functions.listOpen, {
      ...pageValues(operatorId, last),
      until: before,
      after_changed_at: since,
    });
  }
}

/** The same, with the rounds of a ledger that have pending work. */
export class JournalListings extends Listings implements JournalLists {
  /** The operator's rounds with pending work, in the order of their names. */
  async *unfinished(operatorId: string): AsyncGenerator<RoundKey> {
    const pages = pagesFrom((last) =>
      this.executor.run(functions.listUnfinished, pageValues(operatorId, last)),
    );
    for await (const page of pages) {
      for (const [playerId, gameRound] of page) {
        yield { operatorId, playerId: playerId ?? '', gameRound: gameRound ?? '' };
      }
    }
  }
}

function pageValues(operatorId: string, last: Line | null) {
  return {
    of_operator: operatorId,
    after_player: last?.[0] ?? '',
    after_round: last?.[1] ?? '',
    at_most: pageSize,
  } as const;
}

async function* entriesOf(
  operatorId: string,
  pageAfter: PageAfter,
): AsyncGenerator<readonly AttentionEntry[]> {
  checkIdentifiers({ operatorId });
  for await (const page of pagesFrom(pageAfter)) {
    yield page.map((line) => {
      const listed = readListedRound(line);
      return createAttentionEntry({ operatorId, ...listed }, listed);
    });
  }
}

type PageAfter = (last: Line | null) => Promise<Line[]>;

/** All pages, each asked for with the last line of the page before. */
async function* pagesFrom(pageAfter: PageAfter): AsyncGenerator<readonly Line[]> {
  let last: Line | null = null;
  for (;;) {
    const page: Line[] = await pageAfter(last);
    yield page;
    last = page.at(-1) ?? null;
    if (page.length < pageSize) return;
  }
}
