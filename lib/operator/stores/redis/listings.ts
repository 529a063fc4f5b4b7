import { needsAttention } from '../../gameround';
import {
  type AttentionEntry,
  createAttentionEntry,
  type JournalLists,
  type RoundKey,
} from '../../wallet';
import { checkIdentifiers } from '../check-input';
import { oneByOne } from '../lists/one-by-one';
import { bucketCount, readMember } from './codec/keys';
import { readListed } from './codec/listed';
import { piecesOf } from './latest-members';
import { scripts } from './commands/scripts';
import { OpenRounds, type OpenRoundsParts } from './open-rounds';

/** Buckets listed at once, and rounds listed at once from each. */
const bucketsAtOnce = 64;
const membersAtOnce = 200;
/** Heads read by one script, and such scripts at once: as many as leave in one write. */
const [headsAtOnce, scriptsAtOnce] = [25, 16];

/** Members of indexes, in lists of those that one script may read. */
type Page = readonly (readonly string[])[];

/** The indexes of rounds, which every bucket has. */
export class Listings implements JournalLists {
  private readonly open: OpenRounds;

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
    const keyOf = (bucket: number) => this.parts.keys.unfinishedOfBucket(operatorId, bucket);
    for await (const page of this.pages(keyOf)) {
      for (const member of page.flat()) yield readMember(operatorId, member);
    }
  }

  private async *attentionPages(operatorId: string): AsyncGenerator<readonly AttentionEntry[]> {
    checkIdentifiers({ operatorId });
    const keyOf = (bucket: number) => this.parts.keys.attentionOfBucket(operatorId, bucket);
    for await (const page of this.pages(keyOf)) {
      const read = page.flatMap((members) => piecesOf(members, headsAtOnce));
      for (const calls of piecesOf(read, scriptsAtOnce)) {
        const entries = calls.map((members) =>
          this.entries(members.map((member) => readMember(operatorId, member))),
        );
        yield (await Promise.all(entries)).flat();
      }
    }
  }

  /** A round that has left its state since it was listed is left out. */
  private async entries(rounds: readonly RoundKey[]): Promise<AttentionEntry[]> {
    const { keys, executor } = this.parts;
    const call = { rounds: rounds.map((round) => keys.round(round)) };
    return readListed(rounds, await executor.run(scripts.readHeads, call))
      .filter(({ head }) => needsAttention(head.state))
      .map((listed) => createAttentionEntry(listed.round, listed));
  }

  /** The members of an index of every bucket, without an empty page. */
  private async *pages(keyOf: (bucket: number) => string): AsyncGenerator<Page> {
    const { bucketsPerScript, gate } = this.parts;
    let isEmpty = true;
    for (let first = 0; first < bucketCount; first += bucketsAtOnce) {
      const keys = Array.from({ length: bucketsAtOnce }, (_, index) => keyOf(first + index));
      const calls = piecesOf(keys, bucketsPerScript);
      const replies = await Promise.all(calls.map((some) => this.members(some, '-')));
      const page = replies.map((lists) => lists.flat()).filter(({ length }) => length > 0);
      if (page.length === 0) continue;
      isEmpty = false;
      yield page;
      for (const [at, members] of replies.flat().entries()) {
        yield* this.rest(keys[at] as string, members);
      }
    }
    if (isEmpty) await gate.confirmStore();
  }

  /** What follows the first members of a bucket. */
  private async *rest(key: string, first: readonly string[]): AsyncGenerator<Page> {
    for (let members = first; members.length === membersAtOnce; ) {
      [members = []] = await this.members([key], `(${String(members.at(-1))}`);
      if (members.length > 0) yield [members];
    }
  }

  private async members(indexes: readonly string[], from: string): Promise<string[][]> {
    const call = { indexes, from, atMost: membersAtOnce };
    return (await this.parts.executor.run(scripts.listRounds, call)) as string[][];
  }
}
