import { needsAttention } from '../../gameround';
import { type AttentionEntry, createAttentionEntry, type RoundKey } from '../../wallet';
import type { RedisArgument } from './client/port';
import { decodeHead } from './codec/head';
import { bucketCount, type Keys, readMember } from './codec/keys';
import { decodeTransaction } from './codec/record';
import { type Script, scripts } from './commands/scripts';

/** What listing needs of the store. */
export interface ListingParts {
  readonly keys: Keys;
  readonly run: (
    script: Script,
    keys: readonly string[],
    args: readonly RedisArgument[],
  ) => Promise<unknown>;
  /** Confirms that Redis still holds the store, if nothing was found. */
  readonly confirmStore: () => Promise<void>;
}

/** Buckets listed concurrently, rounds listed at once from each, and heads read by one script. */
const bucketsAtOnce = 64;
const membersAtOnce = 200;
const headsAtOnce = 25;

/** The reply of read-heads.lua for one round. */
type HeadReply = [string | null, string | null, string | null, string[]];

/** The indexes of rounds, which every bucket has. */
export class Listings {
  constructor(private readonly parts: ListingParts) {}

  /** The operator's rounds that need attention now. */
  async *attention(operatorId: string): AsyncGenerator<AttentionEntry> {
    const keyOf = (bucket: number) => this.parts.keys.attentionOfBucket(operatorId, bucket);
    for await (const members of this.pages(keyOf)) {
      const rounds = members.map((member) => readMember(operatorId, member));
      for (let first = 0; first < rounds.length; first += headsAtOnce) {
        yield* await this.entries(rounds.slice(first, first + headsAtOnce));
      }
    }
  }

  /** The operator's rounds with pending work. */
  async *unfinished(operatorId: string): AsyncGenerator<RoundKey> {
    const keyOf = (bucket: number) => this.parts.keys.unfinishedOfBucket(operatorId, bucket);
    for await (const members of this.pages(keyOf)) {
      for (const member of members) yield readMember(operatorId, member);
    }
  }

  /** A round that has left its state since it was listed is left out. */
  private async entries(rounds: readonly RoundKey[]): Promise<AttentionEntry[]> {
    const named = rounds.map((round) => this.parts.keys.round(round));
    const replies = (await this.parts.run(scripts.readHeads, named, [])) as HeadReply[];
    return rounds.flatMap((round, index) => {
      const [text, gameCode, pending, credits] = replies[index] ?? [null, null, null, []];
      const head = decodeHead(text, gameCode, pending);
      if (!needsAttention(head.state)) return [];
      return createAttentionEntry(round, head, credits.map(decodeTransaction));
    });
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
    if (isEmpty) await this.parts.confirmStore();
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
    return (await this.parts.run(scripts.listRounds, [key], [from, membersAtOnce])) as string[];
  }
}
