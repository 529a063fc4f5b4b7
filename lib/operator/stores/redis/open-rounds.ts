import { type AttentionEntry, createAttentionEntry, type RoundKey } from '../../wallet';
import { checkIdentifiers } from '../check-input';
import { oneByOne } from '../lists/one-by-one';
import { type Keys, readRoundName } from './codec/keys';
import { linesOf, readListed, readLists } from './codec/listed';
import { scripts } from './commands/scripts';
import type { Executor } from './connection/executor';
import type { Gate } from './connection/gate';
import { piecesOf } from '../../../platform/pieces';

/** What the list of open rounds needs of its store. */
export interface OpenRoundsParts {
  readonly gate: Gate;
  readonly executor: Executor;
  readonly keys: Keys;
  readonly keepsHistory: boolean;
  /** Buckets that one script may list: the slots of a cluster allow one. */
  readonly bucketsPerList: number;
}

/** Scripts that list some buckets at once, and rounds listed at once from each bucket: at first, and after that. */
const [listsAtOnce, membersAtFirst, membersAtOnce] = [64, 25, 200];
/** Heads read by one script, and such scripts at once: as many as leave in one write. */
const [headsAtOnce, headScriptsAtOnce] = [25, 16];

/** Some rounds of one bucket. */
interface Page {
  /** The key of the bucket. */
  readonly open: string;
  readonly members: readonly string[];
  /** The lower bound of the next page; null if these are all. */
  readonly next: string | null;
}

/** The rounds without an end, from the index that commits of a store with a history keep. */
export class OpenRounds {
  constructor(private readonly parts: OpenRoundsParts) {}

  /** Whether there is an index: this process keeps it, or another one does. */
  get areListed(): boolean {
    return this.parts.keepsHistory || this.parts.gate.hasHistory;
  }

  /** The operator's rounds that are open since `before` or longer: in a bucket the longest first. */
  list(operatorId: string, before: number): AsyncIterableIterator<AttentionEntry> {
    return oneByOne(this.entryPages(operatorId, before));
  }

  private async *entryPages(
    operatorId: string,
    before: number,
  ): AsyncGenerator<readonly AttentionEntry[]> {
    checkIdentifiers({ operatorId });
    let isEmpty = true;
    const { bucketsPerList, gate, keys } = this.parts;
    const calls = piecesOf(keys.ofBuckets(operatorId, 'open'), bucketsPerList);
    for (const some of piecesOf(calls, listsAtOnce)) {
      const asked = { from: '-inf', to: before, atMost: membersAtFirst };
      const listed = (await Promise.all(some.map((open) => this.pages(open, asked)))).flat();
      if (listed.length > 0) isEmpty = false;
      yield* this.read(operatorId, listed, before);
      for (const page of listed) yield* this.rest(operatorId, page, before);
    }
    if (isEmpty) await gate.confirmStore();
  }

  /** What follows the first page of a bucket. */
  private async *rest(
    operatorId: string,
    { open, next: first }: Page,
    before: number,
  ): AsyncGenerator<readonly AttentionEntry[]> {
    for (let next = first; next !== null; ) {
      const asked = { from: next, to: before, atMost: membersAtOnce };
      const [page] = await this.pages([open], asked);
      if (page === undefined) return;
      yield* this.read(operatorId, [page], before);
      next = page.next;
    }
  }

  /** The rounds of pages, those of several buckets by one script where that may be. */
  private async *read(
    operatorId: string,
    listed: readonly Page[],
    before: number,
  ): AsyncGenerator<readonly AttentionEntry[]> {
    const lists = listed.map(({ open, members }) =>
      members.map((member) => ({ open, round: { operatorId, ...readRoundName(member) } })),
    );
    const grouped = this.parts.bucketsPerList === 1 ? lists : [lists.flat()];
    const calls = grouped.flatMap((list) => piecesOf(list, headsAtOnce));
    for (const some of piecesOf(calls, headScriptsAtOnce)) {
      yield (await Promise.all(some.map((one) => this.entries(one, before)))).flat();
    }
  }

  /**
   * Those that are open for so long. The index may be wrong about a round that a process without a history has
   * changed, or that has changed since it was listed: it is corrected by the round as it is then.
   */
  private async entries(
    named: readonly { readonly open: string; readonly round: RoundKey }[],
    before: number,
  ): Promise<AttentionEntry[]> {
    const { executor, keys } = this.parts;
    const rounds = named.map(({ round }) => round);
    const call = { rounds: rounds.map((round) => keys.round(round)) };
    const lines = linesOf(await executor.run(scripts.readHeads, call));
    const entries: AttentionEntry[] = [];
    const others = new Map<string, string[]>();
    for (const [at, { open, round }] of named.entries()) {
      const listed = readListed(lines[at] ?? '', round);
      if (listed?.head.state === 'open' && listed.head.changedAt <= before) {
        entries.push(createAttentionEntry(round, listed));
        continue;
      }
      others.set(open, [...(others.get(open) ?? []), keys.round(round)]);
    }
    for (const [open, wrong] of others) {
      // A user who may only read can still list.
      await executor.run(scripts.mendOpen, { open, rounds: wrong }).catch(() => {});
    }
    return entries;
  }

  /** The pages of those buckets that have any. */
  private async pages(
    open: readonly string[],
    asked: { readonly from: string; readonly to: number; readonly atMost: number },
  ): Promise<Page[]> {
    const reply = await this.parts.executor.run(scripts.listOpen, { open, ...asked });
    return readLists(reply).map(([place, text]) => {
      const [next = '-', ...members] = text.split(' ');
      return { open: open[place] ?? '', members, next: next === '-' ? null : next };
    });
  }
}
