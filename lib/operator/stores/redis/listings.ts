import { needsAttention } from '../../gameround';
import {
  type AttentionEntry,
  createAttentionEntry,
  type JournalLists,
  type RoundKey,
} from '../../wallet';
import { checkIdentifiers } from '../check-input';
import { bucketCount, readMember } from './codec/keys';
import { readListed } from './codec/listed';
import { scripts } from './commands/scripts';
import { OpenRounds, type OpenRoundsParts } from './open-rounds';

/** Buckets listed concurrently, rounds listed at once from each, and heads read by one script. */
const bucketsAtOnce = 64;
const membersAtOnce = 200;
const headsAtOnce = 25;

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

  async *attention(operatorId: string): AsyncGenerator<AttentionEntry> {
    checkIdentifiers({ operatorId });
    const keyOf = (bucket: number) => this.parts.keys.attentionOfBucket(operatorId, bucket);
    for await (const members of this.pages(keyOf)) {
      const rounds = members.map((member) => readMember(operatorId, member));
      for (let first = 0; first < rounds.length; first += headsAtOnce) {
        yield* await this.entries(rounds.slice(first, first + headsAtOnce));
      }
    }
  }

  async *unfinished(operatorId: string): AsyncGenerator<RoundKey> {
    const keyOf = (bucket: number) => this.parts.keys.unfinishedOfBucket(operatorId, bucket);
    for await (const members of this.pages(keyOf)) {
      for (const member of members) yield readMember(operatorId, member);
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

  /** The members of an index of every bucket, in pages without an empty one. */
  private async *pages(keyOf: (bucket: number) => string): AsyncGenerator<readonly string[]> {
    let isEmpty = true;
    for (let first = 0; first < bucketCount; first += bucketsAtOnce) {
      const keys = Array.from({ length: bucketsAtOnce }, (_, index) => keyOf(first + index));
      const pages = await Promise.all(keys.map((key) => this.page(key, '-')));
      for (const [index, page] of pages.entries()) {
        if (page.length === 0) continue;
        isEmpty = false;
        yield* this.pagesFrom(keys[index] as string, page);
      }
    }
    if (isEmpty) await this.parts.gate.confirmStore();
  }

  private async *pagesFrom(
    key: string,
    page: readonly string[],
  ): AsyncGenerator<readonly string[]> {
    let members = page;
    while (members.length > 0) {
      yield members;
      if (members.length < membersAtOnce) return;
      members = await this.page(key, `(${String(members.at(-1))}`);
    }
  }

  private async page(key: string, from: string): Promise<string[]> {
    const call = { index: key, from, atMost: membersAtOnce };
    return (await this.parts.executor.run(scripts.listRounds, call)) as string[];
  }
}
