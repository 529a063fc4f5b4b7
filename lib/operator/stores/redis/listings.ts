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
import { bucketCount, readMember } from './codec/keys';
import { linesOf, readListed, readMembers } from './codec/listed';
import { scripts } from './commands/scripts';
import { OpenRounds, type OpenRoundsParts } from './open-rounds';
import { piecesOf } from '../../../platform/pieces';

/** Rounds listed at once from each bucket: at first, and after that; and scripts that list some buckets at once. */
const [membersAtFirst, membersAtOnce, listsAtOnce] = [25, 200, 64];
/** Heads read by one script, and such scripts at once: as many as leave in one write. */
const [headsAtOnce, scriptsAtOnce] = [50, 16];

/** Most rounds of an operator that are kept as they were read. */
const mostKept = 10_000;

/** A round that was listed. */
interface Kept {
  readonly member: string;
  readonly key: string;
  readonly round: RoundKey;
  /** Its line in the reply of read-heads.lua; none before it was read. */
  readonly line: string | null;
  /** Null for one that no longer needs attention. */
  readonly entry: AttentionEntry | null;
}

/** Members of indexes, in lists of those that one script may read. */
type Page = readonly (readonly string[])[];

/** The indexes of rounds, which every bucket has. */
export class Listings implements JournalLists {
  private readonly open: OpenRounds;
  /** By operator and member, what the last listing read: a page that is shown again reads most rounds as they were. */
  readonly #kept = new Map<string, ReadonlyMap<string, Kept>>();

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
    const before = this.#kept.get(operatorId);
    const after = new Map<string, Kept>();
    try {
      for await (const page of this.pages(keyOf)) {
        const read = page.flatMap((members) => piecesOf(members, headsAtOnce));
        for (const calls of piecesOf(read, scriptsAtOnce)) {
          const listed = calls.map((members) =>
            this.listed(members.map((one) => before?.get(one) ?? this.unread(operatorId, one))),
          );
          const rounds = (await Promise.all(listed)).flat();
          for (const one of rounds) if (after.size < mostKept) after.set(one.member, one);
          yield rounds.flatMap(({ entry }) => entry ?? []);
        }
      }
    } finally {
      this.#kept.set(operatorId, after);
    }
  }

  private unread(operatorId: string, listed: string): Kept {
    const member = ownText(listed);
    const round = readMember(operatorId, member);
    return { member, key: this.parts.keys.round(round), round, line: null, entry: null };
  }

  /** The rounds as they are now. One that has left its state since it was listed has no entry. */
  private async listed(rounds: readonly Kept[]): Promise<Kept[]> {
    const call = { rounds: rounds.map(({ key }) => key) };
    const lines = linesOf(await this.parts.executor.run(scripts.readHeads, call));
    return rounds.map((one, at) => {
      if (lines[at] === one.line) return one;
      const line = ownText(lines[at] ?? '');
      const read = readListed(line, one.round);
      const isListed = read !== null && needsAttention(read.head.state);
      return { ...one, line, entry: isListed ? createAttentionEntry(one.round, read) : null };
    });
  }

  /** The members of an index of every bucket, without an empty page. */
  private async *pages(keyOf: (bucket: number) => string): AsyncGenerator<Page> {
    const { bucketsPerScript, gate } = this.parts;
    const all = Array.from({ length: bucketCount }, (_, bucket) => keyOf(bucket));
    let isEmpty = true;
    for (const calls of piecesOf(piecesOf(all, bucketsPerScript), listsAtOnce)) {
      const listed = calls.map((keys) => this.members(keys, '-', membersAtFirst));
      const replies = await Promise.all(listed);
      const page = replies.map((lists) => lists.flat()).filter(({ length }) => length > 0);
      if (page.length === 0) continue;
      isEmpty = false;
      yield page;
      const keys = calls.flat();
      for (const [at, members] of replies.flat().entries()) {
        if (members.length === membersAtFirst) yield* this.rest(keys[at] as string, members);
      }
    }
    if (isEmpty) await gate.confirmStore();
  }

  /** What follows the first members of a bucket. */
  private async *rest(key: string, first: readonly string[]): AsyncGenerator<Page> {
    let members = first;
    do {
      const from = `(${String(members.at(-1))}`;
      [members = []] = await this.members([key], from, membersAtOnce);
      if (members.length > 0) yield [members];
    } while (members.length === membersAtOnce);
  }

  private async members(
    indexes: readonly string[],
    from: string,
    atMost: number,
  ): Promise<string[][]> {
    const call = { indexes, from, atMost };
    return readMembers(await this.parts.executor.run(scripts.listRounds, call));
  }
}
