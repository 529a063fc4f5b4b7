import {
  type AttentionEntry,
  createAttentionEntry,
  type JournalLists,
  type RoundKey,
  type RoundLists,
} from '../../../wallet';
import { checkIdentifiers } from '../../check-input';
import { readListedRound } from '../codec/round';
import type { Executor, Line } from '../connections/executor';
import { functions } from '../schema/functions';

/** Rounds listed at once. */
const pageSize = 200;

/** Lists of an operator's rounds, each read page by page from an index. Over tables of the platform's own nothing is ever pending. */
export class Listings implements RoundLists {
  constructor(protected readonly executor: Executor) {}

  /** The operator's rounds that need attention, in the order of their names. */
  async *attention(operatorId: string): AsyncGenerator<AttentionEntry> {
    checkIdentifiers({ operatorId });
    for await (const line of pagesFrom((last) => this.attentionPage(operatorId, last))) {
      yield entryOf(operatorId, line);
    }
  }

  /** The operator's rounds that are open since `before` or longer, the longest first. */
  async *openRounds(operatorId: string, before: number): AsyncGenerator<AttentionEntry> {
    checkIdentifiers({ operatorId });
    for await (const line of pagesFrom((last) => this.openPage(operatorId, before, last))) {
      yield entryOf(operatorId, line);
    }
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
    for await (const [playerId, gameRound] of pages) {
      yield { operatorId, playerId: playerId ?? '', gameRound: gameRound ?? '' };
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

function entryOf(operatorId: string, line: Line): AttentionEntry {
  const listed = readListedRound(line);
  return createAttentionEntry({ operatorId, ...listed }, listed);
}

/** The lines of all pages, each asked for with the last line of the page before. */
async function* pagesFrom(pageAfter: (last: Line | null) => Promise<Line[]>): AsyncGenerator<Line> {
  let last: Line | null = null;
  for (;;) {
    const page: Line[] = await pageAfter(last);
    yield* page;
    last = page.at(-1) ?? null;
    if (page.length < pageSize) return;
  }
}
