import { createHash } from 'node:crypto';
import { getHeapStatistics } from 'node:v8';
import { netOf } from '../../gameround';
import { paidByRepairs } from '../../gameround/repairs/standing';
import { addPurses, emptyPurse, isEmptyPurse, type Purse } from '../../../protocol/money/purse';
import { type AccountBooks, booksDifference, type BooksQuery } from '../../wallet';
import { checkBooksQuery } from '../check-input';
import { decodeMovement } from './codec/cash';
import { decodeHead } from './codec/head';
import { bucketCount, type Keys } from './codec/keys';
import { decodeAccounts, decodeCarried } from './codec/record';
import { scripts } from './commands/scripts';
import type { Executor } from './connection/executor';

/** What reading the books needs of the store. */
interface BooksParts {
  readonly executor: Executor;
  readonly keys: Keys;
}

/** Players read concurrently. */
const playersAtOnce = 16;
/** Most readings of a player whose books differ and change from one reading to the next. */
const maxReadings = 5;

/** The part of the heap that the names of keys may fill, and what one takes at most, in bytes. */
const namesShare = 1 / 8;
const nameBytes = 250;

/** The players of some buckets: those that leave the remainder `at` when divided by `of`. */
interface Part {
  readonly at: number;
  readonly of: number;
}

/** The names that were found of a part. */
interface Found {
  readonly accounts: Set<string>;
  /** The rounds that are kept for ever, by the name of their player's account. */
  readonly rounds: Map<string, Set<string>>;
}

/** A reading of a player. */
interface Reading {
  readonly books: readonly AccountBooks[];
  /** Of everything that was read: the same digest twice means that nothing happened in between. */
  readonly digest: string;
}

type Whose = ReturnType<typeof checkBooksQuery>;

/** Where a scan puts what it finds. */
interface ScanTarget {
  readonly found: Found;
  /** The parts to scan later. */
  readonly others: Part[];
  readonly names: ReadonlyMap<string, string> | null;
}

/** The reply of read-books.lua. */
type BooksReply = readonly [string[], string[], string[]];

/**
 * Reads the books. Redis has no list of a player's rounds, so the names of all keys are scanned first. A
 * round that began after its name was due is missed: then the books differ, and the player is scanned and
 * read again. Two equal readings with a scan between them are a reading at rest: whatever the scan missed
 * began after the first of them, and would have moved the balance.
 *
 * Names that would fill the heap are read in parts: a scan that finds too many continues with half of the buckets,
 * and the other half is scanned later.
 */
export class BooksReader {
  readonly #mostNames = (getHeapStatistics().heap_size_limit * namesShare) / nameBytes;

  constructor(private readonly parts: BooksParts) {}

  async *books(query?: BooksQuery): AsyncGenerator<AccountBooks> {
    const whose = checkBooksQuery(query);
    const parts: Part[] = [{ at: 0, of: 1 }];
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      yield* this.booksOf(whose, part, parts);
    }
  }

  /** The books of a part; what is split off is added to the others. */
  private async *booksOf(whose: Whose, first: Part, others: Part[]): AsyncGenerator<AccountBooks> {
    const earlier = new Map<string, string>();
    let part = first;
    for (let reading = 1; ; reading += 1) {
      const found: Found = { accounts: new Set(), rounds: new Map() };
      part = await this.scan(whose, part, { found, others, names: reading === 1 ? null : earlier });
      const left = new Map<string, string>();
      for (const names of inGroups(found.accounts, playersAtOnce)) {
        const readings = await Promise.all(
          names.map((name) => this.read(name, found.rounds.get(name) ?? [])),
        );
        for (const [index, { books, digest }] of readings.entries()) {
          const name = names[index] ?? '';
          const isAtRest = earlier.get(name) === digest;
          const isWhole = books.every(
            (one) => isEmptyPurse(booksDifference(one)) || !one.hasOpening,
          );
          if (isWhole || isAtRest) yield* books;
          else if (reading < maxReadings) left.set(name, digest);
          else yield* books.map((one) => ({ ...one, isAtRest: false }));
        }
      }
      if (left.size === 0) return;
      earlier.clear();
      for (const [name, digest] of left) earlier.set(name, digest);
    }
  }

  /**
   * Finds the players of the query in a part; only those with these names, if any are given. Returns the part that
   * was scanned: a smaller one, if it was split.
   */
  private async scan(
    { operatorId, playerId }: Whose,
    whole: Part,
    { found, others, names }: ScanTarget,
  ): Promise<Part> {
    const { executor, keys } = this.parts;
    const most = names === null ? this.#mostNames : Number.POSITIVE_INFINITY;
    let part = whole;
    let count = 0;
    const isWanted = (key: string): boolean => {
      const one = keys.readFound(key);
      if (one === null || one.bucket % part.of !== part.at) return false;
      if (playerId !== null && one.playerId !== playerId) return false;
      return names === null || names.has(keys.account(one));
    };
    for await (const some of executor.scan(keys.accountsAndRounds(operatorId), isWanted)) {
      for (const { key, isKept } of some) {
        const one = keys.readFound(key);
        if (one === null || !(one.isRound ? isKept : true)) continue;
        const name = one.isRound ? keys.account(one) : key;
        count += 1;
        if (one.isRound) noteIn(found.rounds, name, key);
        else found.accounts.add(name);
      }
      while (count > most && part.of < bucketCount) {
        others.push({ at: part.at + part.of, of: 2 * part.of });
        part = { at: part.at, of: 2 * part.of };
        count = this.keep(part, found);
      }
    }
    return part;
  }

  /** Forgets what is not of a part; returns how many names are left. */
  private keep({ at, of }: Part, { accounts, rounds }: Found): number {
    const isOther = (name: string): boolean => {
      return (this.parts.keys.readFound(name)?.bucket ?? 0) % of !== at;
    };
    let count = 0;
    for (const name of accounts) if (isOther(name)) accounts.delete(name);
    for (const [name, own] of rounds) {
      if (isOther(name)) rounds.delete(name);
      else count += own.size;
    }
    return accounts.size + count;
  }

  private async read(name: string, rounds: Iterable<string>): Promise<Reading> {
    const { executor, keys } = this.parts;
    const player = keys.readFound(name);
    if (player === null) throw new Error(`the name of an account cannot be read: ${name}`);
    const reply = (await executor.run(scripts.readBooks, {
      account: name,
      references: keys.cash(player).references,
      rounds: [...rounds].toSorted(),
    })) as BooksReply;
    const [account, cash, heads] = reply;
    const movements = cash.map((text) => decodeMovement('', text));
    const decoded = heads.map((head) => decodeHead(head, null, null));
    const books = (decodeAccounts(account) ?? []).map(({ currency, real, bonus }): AccountBooks => {
      const own = movements.filter((movement) => movement.currency === currency);
      return {
        operatorId: player.operatorId,
        playerId: player.playerId,
        currency,
        balance: { real, bonus: bonus ?? 0n },
        cash: own.reduce<Purse>(
          (sum, { balance, units }) => ({ ...sum, [balance]: sum[balance] + units }),
          emptyPurse,
        ),
        rounds: decoded
          .filter((head) => head.currency === currency)
          .map(netOf)
          .reduce(addPurses, emptyPurse),
        repairs: decoded
          .map(({ repairs }) => paidByRepairs(repairs, currency))
          .reduce(addPurses, emptyPurse),
        carried: decodeCarried(account, currency),
        hasOpening: own.some(({ kind }) => kind === 'opening'),
        isAtRest: true,
      };
    });
    const digest = createHash('sha256').update(JSON.stringify(reply)).digest('base64');
    return { books, digest };
  }
}

function noteIn(rounds: Map<string, Set<string>>, name: string, round: string): void {
  const own = rounds.get(name);
  if (own === undefined) rounds.set(name, new Set([round]));
  else own.add(round);
}

function* inGroups(names: Iterable<string>, size: number): Generator<string[]> {
  let group: string[] = [];
  for (const name of names) {
    group.push(name);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
