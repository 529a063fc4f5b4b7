import { type AttentionEntry, createAttentionEntry, type RoundKey } from '../../wallet';
import { checkIdentifiers } from '../check-input';
import { bucketCount, type Keys, readRoundName } from './codec/keys';
import { type ListedRound, readListed } from './codec/listed';
import { scripts } from './commands/scripts';
import type { Executor } from './connection/executor';
import type { Gate } from './connection/gate';

/** What the list of open rounds needs of its store. */
export interface OpenRoundsParts {
  readonly gate: Gate;
  readonly executor: Executor;
  readonly keys: Keys;
  readonly keepsHistory: boolean;
  /** Buckets that one script may read: the slots of a cluster allow one. */
  readonly bucketsPerScript: number;
}

/** Buckets listed at once, and rounds listed at once from each: at first, and after that. */
const [bucketsAtOnce, membersAtFirst, membersAtOnce] = [64, 25, 200];
/** Heads read by one script. */
const headsAtOnce = 25;

/** The reply of open-rounds/list.lua for one bucket. */
type Page = [members: string[], next?: string | null];

/** The rounds without an end, from the index that commits of a store with a history keep. */
export class OpenRounds {
  constructor(private readonly parts: OpenRoundsParts) {}

  /** Whether there is an index: this process keeps it, or another one does. */
  get areListed(): boolean {
    return this.parts.keepsHistory || this.parts.gate.hasHistory;
  }

  /** The operator's rounds that are open since `before` or longer: in a bucket the longest first. */
  async *list(operatorId: string, before: number): AsyncGenerator<AttentionEntry> {
    checkIdentifiers({ operatorId });
    let isEmpty = true;
    for (let first = 0; first < bucketCount; first += bucketsAtOnce) {
      const buckets = Array.from({ length: bucketsAtOnce }, (_, at) => first + at);
      const listed = await this.firstPages(operatorId, buckets, before);
      for (const [bucket, page] of listed) {
        isEmpty = false;
        yield* this.bucket(operatorId, bucket, page, before);
      }
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
    const scriptsAtOnce = Math.ceil(buckets.length / bucketsPerScript);
    const groups = Array.from({ length: scriptsAtOnce }, (_, at) =>
      buckets.slice(at * bucketsPerScript, (at + 1) * bucketsPerScript),
    );
    const replies = await Promise.all(
      groups.map((group) =>
        this.pages(operatorId, group, { from: '-inf', to: before, atMost: membersAtFirst }),
      ),
    );
    const pages = replies.flat();
    return buckets.flatMap((bucket, at) => {
      const page = pages[at];
      return page === undefined || page[0].length === 0 ? [] : [[bucket, page]];
    });
  }

  private async *bucket(
    operatorId: string,
    bucket: number,
    first: Page,
    before: number,
  ): AsyncGenerator<AttentionEntry> {
    let [members, next] = first;
    for (;;) {
      const rounds = members.map((member) => ({ operatorId, ...readRoundName(member) }));
      for (let from = 0; from < rounds.length; from += headsAtOnce) {
        yield* await this.entries(
          [operatorId, bucket],
          rounds.slice(from, from + headsAtOnce),
          before,
        );
      }
      if (typeof next !== 'string') return;
      const asked = { from: next, to: before, atMost: membersAtOnce };
      const [page] = await this.pages(operatorId, [bucket], asked);
      if (page === undefined) return;
      [members, next] = page;
    }
  }

  /**
   * Those that are open for so long. The index may be wrong about a round that a process without a history has
   * changed, or that has changed since it was listed: it is corrected by the round as it is then.
   */
  private async entries(
    [operatorId, bucket]: readonly [string, number],
    rounds: readonly RoundKey[],
    before: number,
  ): Promise<AttentionEntry[]> {
    const { executor, keys } = this.parts;
    const call = { rounds: rounds.map((round) => keys.round(round)) };
    const read = readListed(rounds, await executor.run(scripts.readHeads, call));
    const isListed = ({ head }: ListedRound) => head.state === 'open' && head.changedAt <= before;
    const others = read.filter((one) => !isListed(one)).map(({ round }) => keys.round(round));
    if (others.length > 0) {
      const open = keys.openOfBucket(operatorId, bucket);
      // A user who may only read can still list.
      await executor.run(scripts.mendOpen, { open, rounds: others }).catch(() => {});
    }
    return read.filter(isListed).map((listed) => createAttentionEntry(listed.round, listed));
  }

  private async pages(
    operatorId: string,
    buckets: readonly number[],
    asked: { readonly from: string; readonly to: number; readonly atMost: number },
  ): Promise<Page[]> {
    const { executor, keys } = this.parts;
    const open = buckets.map((bucket) => keys.openOfBucket(operatorId, bucket));
    return (await executor.run(scripts.listOpen, { open, ...asked })) as Page[];
  }
}
