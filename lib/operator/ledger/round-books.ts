import { netOf, type RoundHead } from '../gameround';
import { paidByRepairs } from '../gameround/repairs/standing';
import { emptyPurse, isEmptyPurse, type Purse, subtractPurses } from '../../protocol/money/purse';
import {
  type PlayerKey,
  type PostedQuery,
  type PostedRound,
  type RoundJournal,
  type RoundKey,
  StoreUnavailableError,
} from '../wallet';
import { checkPosted } from './answers';
import type { LedgerStoreSettings } from './options';

/** Which books to read; all of the ledger unless set. */
export type RoundBooksQuery = Omit<PostedQuery, 'gameRound'>;

/** The books of a round in one currency. They are whole if {@link roundBooksDifference} is empty. */
export interface RoundBooks extends RoundKey {
  readonly currency: string;
  /** What the ledger gave less what it took, without what was reversed. */
  readonly posted: Purse;
  /** What the effective credits of the round gave, less what its effective debits took. */
  readonly round: Purse;
  /** What repairs of the round paid. */
  readonly repairs: Purse;
  /**
   * - `compared`: nothing of the round changed between two readings, so a difference is one;
   * - `unknown`: the same, and the journal does not know the round;
   * - `unsettled`: a posting is pending, or the round waits for the void of a debit whose outcome is not
   *   known (D7): it is compared once that is done;
   * - `moving`: it changed at every reading.
   */
  readonly standing: 'compared' | 'unknown' | 'unsettled' | 'moving';
}

/** What the ledger posted beyond the round's sums: empty if the books are whole. */
export function roundBooksDifference({ posted, round, repairs }: RoundBooks): Purse {
  return [round, repairs].reduce(subtractPurses, posted);
}

type Ports = Pick<LedgerStoreSettings, 'ledger' | 'journal'>;
type ReadBooks = (query?: RoundBooksQuery) => AsyncGenerator<RoundBooks>;

/** Most readings of a round that differs, until two readings show no change of it. */
const maxReadings = 5;

/** Reads the books of rounds; undefined if the ledger has no list of what it posted. */
export function createRoundBooksReader(ports: Ports, signal: AbortSignal): ReadBooks | undefined {
  if (typeof ports.ledger.postedRounds !== 'function') return undefined;
  return (query = {}) => new RoundBooksReader(ports, signal).read(query);
}

/** Of each round of a player that the ledger lists: its own currencies, and those in which it is listed. */
type ListedRounds = Map<
  string,
  { readonly own: readonly string[]; readonly posted: readonly string[] }
>;

class RoundBooksReader {
  constructor(
    private readonly ports: Ports,
    private readonly signal: AbortSignal,
  ) {}

  /** The rounds that the ledger lists; after those of a player, rounds that only the journal has. */
  async *read(query: RoundBooksQuery): AsyncGenerator<RoundBooks> {
    const { operatorId, playerId, since = 0 } = query;
    let player: PlayerKey | null =
      operatorId === undefined || playerId === undefined ? null : { operatorId, playerId };
    let listed: ListedRounds = new Map();
    for await (const posted of this.posted(query)) {
      if (player !== null && !isSame(player, posted)) {
        yield* this.unposted(player, listed, since);
        listed = new Map();
      }
      player = posted;
      const head = await this.head(posted);
      note(listed, posted, head);
      yield await this.booksOf(posted, head);
    }
    if (player !== null) yield* this.unposted(player, listed, since);
  }

  /**
   * A player's money without a posting in the ledger: other currencies of the rounds that it lists, and rounds
   * that it does not list, if the journal lists a player's rounds.
   */
  private async *unposted(
    { operatorId, playerId }: PlayerKey,
    listed: ListedRounds,
    since: number,
  ): AsyncGenerator<RoundBooks> {
    for (const [gameRound, { own, posted }] of listed) {
      if (own.every((currency) => posted.includes(currency))) continue;
      yield* this.unpostedOf({ operatorId, playerId, gameRound }, posted);
    }
    let cursor: string | null = null;
    do {
      const page = await pageOf(this.ports.journal, { operatorId, playerId }, cursor);
      if (page === null) return;
      for (const { gameRound, lastAt } of page.rounds) {
        if (listed.has(gameRound) || lastAt < since) continue;
        yield* this.unpostedOf({ operatorId, playerId, gameRound }, []);
      }
      cursor = page.next;
    } while (cursor !== null);
  }

  /** The books of a round in its currencies other than these, if they differ. */
  private async *unpostedOf(
    round: RoundKey,
    posted: readonly string[],
  ): AsyncGenerator<RoundBooks> {
    const head = await this.head(round);
    for (const currency of currenciesOf(head)) {
      if (posted.includes(currency)) continue;
      const nothing = { ...round, currency, moved: emptyPurse, lastAt: 0 };
      const books = await this.booksOf(nothing, head);
      if (!isEmptyPurse(roundBooksDifference(books))) yield books;
    }
  }

  /** Read again while it differs, until the head is the same before and after the ledger's sum. */
  private async booksOf(posted: PostedRound, head: RoundHead): Promise<RoundBooks> {
    let books = compare(posted, head);
    for (let reading = 1; reading < maxReadings; reading += 1) {
      if (books.standing === 'unsettled' || isEmptyPurse(roundBooksDifference(books))) return books;
      const before = await this.head(posted);
      const now = await this.sumOf(posted);
      const behind = await this.head(posted);
      books = compare(now, behind);
      if (before.version === behind.version) return books;
    }
    return { ...books, standing: 'moving' };
  }

  private async head({ operatorId, playerId, gameRound }: RoundKey): Promise<RoundHead> {
    const result = await this.ports.journal.rounds.load({ operatorId, playerId, gameRound }, []);
    if (result.kind === 'loaded') return result.snapshot.head;
    throw new StoreUnavailableError('The journal did not answer.', { cause: result.cause });
  }

  /** What the ledger posted for a round by now. */
  private async sumOf(round: PostedRound): Promise<PostedRound> {
    const { operatorId, playerId, gameRound, currency } = round;
    for await (const posted of this.posted({ operatorId, playerId, gameRound })) {
      if (posted.gameRound === gameRound && posted.currency === currency) return posted;
    }
    return { ...round, moved: emptyPurse };
  }

  private async *posted(query: PostedQuery): AsyncGenerator<PostedRound> {
    const { ledger } = this.ports;
    const listed = ledger.postedRounds?.(query, this.signal) ?? [];
    for await (const posted of listed) yield checkPosted(posted);
  }
}

function compare(
  { operatorId, playerId, gameRound, currency, moved }: PostedRound,
  head: RoundHead,
): RoundBooks {
  const { version, pending, unanswered } = head;
  const isUnsettled = pending !== null || unanswered > 0;
  const known = version === 0 ? 'unknown' : 'compared';
  return {
    operatorId,
    playerId,
    gameRound,
    currency,
    posted: moved,
    round: head.currency === currency ? netOf(head) : emptyPurse,
    repairs: paidByRepairs(head.repairs, currency),
    standing: isUnsettled ? 'unsettled' : known,
  };
}

/** The currencies in which a round has money: its own, and those that its repairs paid. */
function currenciesOf({ currency, repairs }: RoundHead): string[] {
  const paid = repairs?.list.map((repair) => repair.currency) ?? [];
  return [...new Set([currency, ...paid])].filter((one) => one !== null);
}

function note(listed: ListedRounds, { gameRound, currency }: PostedRound, head: RoundHead): void {
  const { posted = [] } = listed.get(gameRound) ?? {};
  listed.set(gameRound, { own: currenciesOf(head), posted: [...posted, currency] });
}

/** A page of a player's rounds; null if the journal lists none. */
async function pageOf(journal: RoundJournal, player: PlayerKey, cursor: string | null) {
  const page = await journal.history?.rounds(player, cursor === null ? {} : { cursor });
  if (page === undefined || page.kind === 'off') return null;
  if (page.kind === 'known') return page;
  throw new StoreUnavailableError('The journal did not answer.', { cause: page.cause });
}

function isSame(one: PlayerKey, other: PlayerKey): boolean {
  return one.operatorId === other.operatorId && one.playerId === other.playerId;
}
