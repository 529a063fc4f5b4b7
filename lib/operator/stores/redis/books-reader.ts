import { netOf, paidByRepairs } from '../../gameround';
import { addPurses, emptyPurse, isEmptyPurse, type Purse } from '../../../protocol/money';
import { type AccountBooks, booksDifference, type BooksQuery, type PlayerKey } from '../../wallet';
import { checkBooksQuery } from '../check-input';
import { decodeMovement } from './codec/cash';
import { decodeHead } from './codec/head';
import type { Keys } from './codec/keys';
import { decodeAccounts } from './codec/record';
import { scripts } from './commands/scripts';
import type { Executor } from './connection/executor';

/** What reading the books needs of the store. */
export interface BooksParts {
  readonly executor: Executor;
  readonly keys: Keys;
}

/** Players read concurrently. */
const playersAtOnce = 16;
/** How often a player whose books differ is read again, until nothing of it has changed between two readings. */
const maxReadings = 5;

/** A player with an account, and the rounds that are kept for ever. */
interface Found {
  readonly player: PlayerKey;
  hasAccount: boolean;
  readonly rounds: Set<string>;
}

/** A reading of a player. */
interface Reading {
  readonly books: readonly AccountBooks[];
  /** Everything that was read: the same text twice means that nothing happened in between. */
  readonly text: string;
}

/** The reply of read-books.lua. */
type BooksReply = readonly [string[], string[], string[], string[]];

/**
 * Reads the books. Redis has no list of a player's rounds, so the names of all keys are scanned first. A
 * round that began after its name was due is missed: then the books differ, and the player is scanned and
 * read again. Two equal readings with a scan between them are a reading at rest: whatever the scan missed
 * began after the first of them, and would have moved the balance.
 */
export class BooksReader {
  constructor(private readonly parts: BooksParts) {}

  async *books(query?: BooksQuery): AsyncGenerator<AccountBooks> {
    const whose = checkBooksQuery(query);
    const earlier = new Map<string, string>();
    for (let reading = 1; ; reading += 1) {
      const found = await this.scan(whose, reading === 1 ? null : earlier);
      const left = new Map<string, string>();
      const names = [...found].filter(([, { hasAccount }]) => hasAccount);
      for (let first = 0; first < names.length; first += playersAtOnce) {
        const some = names.slice(first, first + playersAtOnce);
        const readings = await Promise.all(some.map(([, one]) => this.read(one)));
        for (const [index, { books, text }] of readings.entries()) {
          const name = some[index]?.[0] ?? '';
          const isAtRest = earlier.get(name) === text;
          const isWhole = books.every(
            (one) => isEmptyPurse(booksDifference(one)) || !one.hasOpening,
          );
          if (isWhole || isAtRest) yield* books;
          else if (reading < maxReadings) left.set(name, text);
          else yield* books.map((one) => ({ ...one, isAtRest: false }));
        }
      }
      if (left.size === 0) return;
      earlier.clear();
      for (const [name, text] of left) earlier.set(name, text);
    }
  }

  /** The players of the query; of these names alone, if any are given. */
  private async scan(
    { operatorId, playerId }: ReturnType<typeof checkBooksQuery>,
    names: ReadonlyMap<string, string> | null,
  ): Promise<Map<string, Found>> {
    const { executor, keys } = this.parts;
    const players = new Map<string, Found>();
    for await (const some of executor.scan(keys.accountsAndRounds(operatorId))) {
      for (const { key, isKept } of some) {
        const found = keys.readFound(key);
        if (found === null || (playerId !== null && found.playerId !== playerId)) continue;
        const { isRound, ...player } = found;
        const name = keys.account(player);
        if (names !== null && !names.has(name)) continue;
        const known = players.get(name) ?? { player, hasAccount: false, rounds: new Set() };
        players.set(name, known);
        if (!isRound) known.hasAccount = true;
        else if (isKept) known.rounds.add(key);
      }
    }
    return players;
  }

  private async read({ player, rounds }: Found): Promise<Reading> {
    const { executor, keys } = this.parts;
    const fixed = [keys.account(player), keys.references(player), keys.carried(player)];
    const named = [...fixed, ...[...rounds].toSorted()];
    const reply = (await executor.run(scripts.readBooks, named, [])) as BooksReply;
    const [accounts, cash, carried, heads] = reply;
    const movements = cash.map((text) => decodeMovement('', text));
    const decoded = heads.map((head) => decodeHead(head, null, null));
    const totals = new Map<string, string>();
    for (let at = 0; at < carried.length; at += 2)
      totals.set(carried[at] ?? '', carried[at + 1] ?? '');
    const books = (decodeAccounts(accounts) ?? []).map(
      ({ currency, real, bonus }): AccountBooks => {
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
          carried: {
            real: BigInt(totals.get(currency) ?? 0),
            bonus: BigInt(totals.get(`${currency} bonus`) ?? 0),
          },
          hasOpening: own.some(({ kind }) => kind === 'opening'),
          isAtRest: true,
        };
      },
    );
    return { books, text: JSON.stringify(reply) };
  }
}
