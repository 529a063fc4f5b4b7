import {
  type AttentionEntry,
  createAttentionEntry,
  type JournalLists,
  type RoundKey,
  type RoundLists,
} from '../../../wallet';
import { checkIdentifiers } from '../../check-input';
import { oneByOne } from '../../lists/one-by-one';
import { type NamedRound, readListed } from '../codec/listed';
import type { Executor } from '../connections/executor';
import { functions } from '../schema/functions';

/** Rounds listed at once. */
const pageSize = 500;

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

  private async attentionPage(
    operatorId: string,
    last: NamedRound | null,
  ): Promise<readonly NamedRound[]> {
    return readListed(
      await this.executor.run(functions.listAttention, pageValues(operatorId, last)),
    );
  }

  private async openPage(
    operatorId: string,
    before: number,
    last: NamedRound | null,
  ): Promise<readonly NamedRound[]> {
    const lines = await this.executor.run(functions.listOpen, {
      ...pageValues(operatorId, last),
      until: before,
      after_changed_at: last?.head.changedAt ?? Number.MIN_SAFE_INTEGER,
    });
    return readListed(lines);
  }
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

async function* entriesOf(
  operatorId: string,
  pageAfter: PageAfter<NamedRound>,
): AsyncGenerator<readonly AttentionEntry[]> {
  checkIdentifiers({ operatorId });
  for await (const page of pagesFrom(pageAfter)) {
    yield page.map((listed) => {
      const { playerId, gameRound } = listed;
      return createAttentionEntry({ operatorId, playerId, gameRound }, listed);
    });
  }
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
