import { ownText } from '../../../platform/own-text';
import { needsAttention } from '../../gameround';
import {
  type AttentionEntry,
  createAttentionEntry,
  type JournalLists,
  type RoundKey,
} from '../../wallet';
import { checkIdentifiers } from '../check-input';
import { oneByOne } from '../lists/one-by-one';
import { readMember } from './codec/keys';
import { linesOf, readListed, readLists } from './codec/listed';
import { scripts } from './commands/scripts';
import { OpenRounds, type OpenRoundsParts } from './open-rounds';
import { piecesOf } from '../../../platform/pieces';

/** Rounds listed at once from each bucket: at first, and after that; and scripts that list some buckets at once. */
const [membersAtFirst, membersAtOnce, listsAtOnce] = [25, 200, 64];
/** Heads read by one script, and such scripts at once: as many as leave in one write. */
const [headsAtOnce, scriptsAtOnce] = [50, 16];

/** Most rounds of an operator that are kept as they were read. */
const mostKept = 10_000;

/** A round that was listed, as it was read last. */
interface Kept {
  readonly member: string;
  readonly key: string;
  readonly round: RoundKey;
  /** Its line in the reply of read-heads.lua; none before it was read. */
  line: string | null;
  /** Null for one that no longer needs attention. */
  entry: AttentionEntry | null;
}

/** Members of the index of a bucket, as one text, from a bound on. */
interface Page {
  readonly index: string;
  readonly from: string;
  readonly members: string;
}

/** A page whose rounds are kept. */
interface KeptPage extends Page {
  readonly rounds: readonly Kept[];
}

/** The indexes of rounds, which every bucket has. */
export class Listings implements JournalLists {
  private readonly open: OpenRounds;
  /** By operator, the pages of the last listing: one that is shown again reads most rounds as they were. */
  readonly #kept = new Map<string, KeptPages>();

  constructor(private readonly parts: OpenRoundsParts) {
    this.open = new OpenRounds(parts);
  }

  /** Absent where no process keeps a history, as of the last server check: nothing lists them then. */
  get openRounds(): JournalLists['openRounds'] {
    return this.open.areListed ? (...args) => this.open.list(...args) : undefined;
  }

  attention(operatorId: string): AsyncIterableIterator<AttentionEntry> {
    return oneByOne(this.attentionPages(operatorId));
  }

  async *unfinished(operatorId: string): AsyncGenerator<RoundKey> {
    const indexes = this.parts.keys.ofBuckets(operatorId, 'unfinished');
    for await (const pages of this.pages(indexes)) {
      for (const { members } of pages.flat()) {
        for (const member of members.split(' ')) yield readMember(operatorId, member);
      }
    }
  }

  private async *attentionPages(operatorId: string): AsyncGenerator<readonly AttentionEntry[]> {
    checkIdentifiers({ operatorId });
    const { keys } = this.parts;
    const before = this.#kept.get(operatorId);
    const after = new KeptPages();
    const unread = (listed: string): Kept => {
      const member = ownText(listed);
      const round = readMember(operatorId, member);
      return { member, key: keys.round(round), round, line: null, entry: null };
    };
    try {
      for await (const pages of this.pages(keys.ofBuckets(operatorId, 'attention'))) {
        const read = pages.flatMap((some) => {
          const rounds = some.flatMap((page) => after.add(page, before, unread));
          return piecesOf(rounds, headsAtOnce);
        });
        for (const calls of piecesOf(read, scriptsAtOnce)) {
          yield (await Promise.all(calls.map((rounds) => this.listed(rounds)))).flat();
        }
      }
    } finally {
      this.#kept.set(operatorId, after);
    }
  }

  /**
   * The rounds as they are now, without those that have left their state since they were listed. Listings that run at once
   * share what is kept: each compares, replaces and returns it without a pause, so none sees the state of another.
   */
  private async listed(rounds: readonly Kept[]): Promise<AttentionEntry[]> {
    const call = { rounds: rounds.map(({ key }) => key) };
    const lines = linesOf(await this.parts.executor.run(scripts.readHeads, call));
    return rounds.flatMap((one, at) => {
      if (lines[at] !== one.line) {
        one.line = ownText(lines[at] ?? '');
        const read = readListed(one.line, one.round);
        const isListed = read !== null && needsAttention(read.head.state);
        one.entry = isListed ? createAttentionEntry(one.round, read) : null;
      }
      return one.entry ?? [];
    });
  }

  /** The pages of an index of every bucket, in lists of those whose rounds one script may read; none is empty. */
  private async *pages(indexes: readonly string[]): AsyncGenerator<readonly Page[][]> {
    const { bucketsPerList, gate } = this.parts;
    let isEmpty = true;
    for (const calls of piecesOf(piecesOf(indexes, bucketsPerList), listsAtOnce)) {
      const replies = await Promise.all(calls.map((some) => this.list(some, '-', membersAtFirst)));
      const pages = replies.flat();
      if (pages.length === 0) continue;
      isEmpty = false;
      yield this.grouped(pages);
      for (const some of piecesOf(pages, listsAtOnce)) yield* this.rest(some);
    }
    if (isEmpty) await gate.confirmStore();
  }

  /** What follows the first pages of some buckets. */
  private async *rest(first: readonly Page[]): AsyncGenerator<readonly Page[][]> {
    let [pages, asked] = [first, membersAtFirst];
    for (;;) {
      const full = pages.filter(({ members }) => members.split(' ').length === asked);
      asked = membersAtOnce;
      const next = full.map(({ index, members }) => {
        return this.list([index], `(${members.slice(members.lastIndexOf(' ') + 1)}`, asked);
      });
      pages = (await Promise.all(next)).flat();
      if (pages.length === 0) return;
      yield this.grouped(pages);
    }
  }

  /** In lists of those whose rounds one script may read. */
  private grouped(pages: readonly Page[]): readonly Page[][] {
    return this.parts.bucketsPerList === 1 ? pages.map((page) => [page]) : [[...pages]];
  }

  /** The pages of those indexes that have any. */
  private async list(indexes: readonly string[], from: string, atMost: number): Promise<Page[]> {
    const reply = await this.parts.executor.run(scripts.listRounds, { indexes, from, atMost });
    return readLists(reply).map(([place, members]) => {
      return { index: indexes[place] ?? '', from, members };
    });
  }
}

/** The pages of a listing, with what was read of their rounds. */
class KeptPages {
  readonly #pages = new Map<string, KeptPage>();
  #byMember: ReadonlyMap<string, Kept> | null = null;
  #count = 0;

  /** The rounds of a page, those that were listed before as they were read then. */
  add(
    page: Page,
    before: KeptPages | undefined,
    unread: (member: string) => Kept,
  ): readonly Kept[] {
    const name = `${page.index} ${page.from}`;
    let kept = before?.page(name);
    if (kept?.members !== page.members) {
      const rounds = page.members.split(' ').map((one) => before?.find(one) ?? unread(one));
      kept = { ...page, members: ownText(page.members), rounds };
    }
    this.#count += kept.rounds.length;
    if (this.#count <= mostKept) this.#pages.set(name, kept);
    return kept.rounds;
  }

  private page(name: string): KeptPage | undefined {
    return this.#pages.get(name);
  }

  private find(member: string): Kept | undefined {
    this.#byMember ??= new Map(
      [...this.#pages.values()].flatMap(({ rounds }) => rounds.map((one) => [one.member, one])),
    );
    return this.#byMember.get(member);
  }
}
