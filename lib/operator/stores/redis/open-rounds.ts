import { type AttentionEntry, createAttentionEntry, type RoundKey } from '../../wallet';
import { checkIdentifiers } from '../check-input';
import { oneByOne } from '../lists/one-by-one';
import { bucketCount, type Keys, readRoundName } from './codec/keys';
import { linesOf, readListed, readMembers } from './codec/listed';
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
  /** Buckets that one script may read: the slots of a cluster allow one. */
  readonly bucketsPerScript: number;
}

/** Scripts that list some buckets at once, and rounds listed at once from each bucket: at first, and after that. */
const [listsAtOnce, membersAtFirst, membersAtOnce] = [64, 25, 200];
/** Heads read by one script, and such scripts at once: as many as leave in one write. */
const [headsAtOnce, headScriptsAtOnce] = [25, 16];

/** Some rounds of one bucket. */
interface Page {
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
    const all = Array.from({ length: bucketCount }, (_, bucket) => bucket);
    for (const buckets of piecesOf(all, listsAtOnce * this.parts.bucketsPerScript)) {
      const listed = await this.firstPages(operatorId, buckets, before);
      if (listed.length > 0) isEmpty = false;
      yield* this.read(operatorId, listed, before);
      for (const [bucket, page] of listed) yield* this.rest(operatorId, bucket, page, before);
    }
    if (isEmpty) await this.parts.gate.confirmStore();
  }

  /** The buckets that have any, each with its first page. */
  private async firstPages(
    operatorId: string,
    buckets: readonly number[],
    before: number,
  ): Promise<[bucket: number, page: Page][]> {
    const { bucketsPerScript } = this.parts;
    const groups = piecesOf(buckets, bucketsPerScript);
    const replies = await Promise.all(
      groups.map((group) =>
        this.pages(operatorId, group, { from: '-inf', to: before, atMost: membersAtFirst }),
      ),
    );
    const pages = replies.flat();
    return buckets.flatMap((bucket, at) => {
      const page = pages[at];
      return page === undefined || page.members.length === 0 ? [] : [[bucket, page]];
    });
  }

  /** What follows the first page of a bucket. */
  private async *rest(
    operatorId: string,
    bucket: number,
    first: Page,
    before: number,
  ): AsyncGenerator<readonly AttentionEntry[]> {
    for (let { next } = first; next !== null; ) {
      const asked = { from: next, to: before, atMost: membersAtOnce };
      const [page] = await this.pages(operatorId, [bucket], asked);
      if (page === undefined) return;
      yield* this.read(operatorId, [[bucket, page]], before);
      next = page.next;
    }
  }

  /** The rounds of pages, those of several buckets by one script where that may be. */
  private async *read(
    operatorId: string,
    listed: readonly (readonly [bucket: number, page: Page])[],
    before: number,
  ): AsyncGenerator<readonly AttentionEntry[]> {
    const lists = listed.map(([bucket, { members }]) =>
      members.map((member) => ({ bucket, round: { operatorId, ...readRoundName(member) } })),
    );
    const grouped = this.parts.bucketsPerScript === 1 ? lists : [lists.flat()];
    const calls = grouped.flatMap((list) => piecesOf(list, headsAtOnce));
    for (const some of piecesOf(calls, headScriptsAtOnce)) {
      yield (await Promise.all(some.map((one) => this.entries(operatorId, one, before)))).flat();
    }
  }

  /**
   * Those that are open for so long. The index may be wrong about a round that a process without a history has
   * changed, or that has changed since it was listed: it is corrected by the round as it is then.
   */
  private async entries(
    operatorId: string,
    named: readonly { readonly bucket: number; readonly round: RoundKey }[],
    before: number,
  ): Promise<AttentionEntry[]> {
    const { executor, keys } = this.parts;
    const rounds = named.map(({ round }) => round);
    const call = { rounds: rounds.map((round) => keys.round(round)) };
    const lines = linesOf(await executor.run(scripts.readHeads, call));
    const entries: AttentionEntry[] = [];
    const others = new Map<number, string[]>();
    for (const [at, { bucket, round }] of named.entries()) {
      const listed = readListed(lines[at] ?? '', round);
      if (listed?.head.state === 'open' && listed.head.changedAt <= before) {
        entries.push(createAttentionEntry(round, listed));
        continue;
      }
      others.set(bucket, [...(others.get(bucket) ?? []), keys.round(round)]);
    }
    for (const [bucket, wrong] of others) {
      const mended = { open: keys.openOfBucket(operatorId, bucket), rounds: wrong };
      // A user who may only read can still list.
      await executor.run(scripts.mendOpen, mended).catch(() => {});
    }
    return entries;
  }

  private async pages(
    operatorId: string,
    buckets: readonly number[],
    asked: { readonly from: string; readonly to: number; readonly atMost: number },
  ): Promise<Page[]> {
    const { executor, keys } = this.parts;
    const open = buckets.map((bucket) => keys.openOfBucket(operatorId, bucket));
    return readOpen(await executor.run(scripts.listOpen, { open, ...asked }));
  }
}

/** The pages of a reply of open-rounds/list.lua. */
function readOpen(reply: unknown): Page[] {
  return readMembers(reply).map(([next = '-', ...members]) => {
    return { members, next: next === '-' ? null : next };
  });
}
