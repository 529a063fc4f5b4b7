import { formatAmount, maxDecimals } from '../../../protocol/money/amount';
import { isEmptyPurse, type Purse, subtractPurses } from '../../../protocol/money/purse';
import { type AccountBooks, booksDifference } from '../../wallet';
import type { SpooledLog } from '../rounds/log';
import type { OwnCheck, OwnPlace } from '../rounds/own-check';
import type { Moved } from './moved';
import { seenRounds } from './seen';
import { type BooksStore, movedSince, type MovedSince, skewMs } from './since';

/** An account of which the store says something else than the events. */
export interface BooksFault {
  readonly player: string;
  readonly currency: string;
  /** The round that explains it, or that of the player's last event; null of cash. */
  readonly round: string | null;
  readonly reason: string;
}

/** What comparing with the books found. */
export interface BooksComparison {
  readonly faults: readonly BooksFault[];
  /** Faults that are not in the list. */
  readonly more: number;
  /** Accounts that were compared. */
  readonly compared: number;
  /** Accounts that moved since the events, and of which the store does not list why. */
  readonly unsettled: number;
}

/** Most faults that are kept, and players whose movements since the events are read. */
const mostFaults = 10;
const mostPlayers = 10_000;

/** A balance of the store that is not the one of the player's last event. */
interface Other {
  readonly currency: string;
  /** The store's less that of the event, in units of the store. */
  readonly more: Purse;
  readonly place: OwnPlace;
}

/**
 * Compares what the events say that the players have with the books of the store: what moved since the last event is looked
 * up, and must make up for the whole difference. Reads every account of the operator.
 * @param lastAt Where the events end: what the store moved before it must be in the events.
 * @throws StoreUnavailableError, or ReconciliationFailure if the store does not answer.
 */
export async function compareBooks(
  store: BooksStore,
  operatorId: string,
  check: OwnCheck,
  { spool, lastAt }: Pick<SpooledLog, 'spool' | 'lastAt'>,
): Promise<BooksComparison> {
  const comparing = new Comparing(store.decimals, check, lastAt ?? 0);
  for await (const books of store.players?.books?.({ operatorId }) ?? []) comparing.add(books);
  comparing.addMissing();
  const players = comparing.others;
  const seen = seenRounds(spool, players.keys());
  for (const [playerId, others] of players) {
    const at = Math.min(...others.map(({ place }) => Date.parse(place.at)));
    const player = { operatorId, playerId };
    const since = await movedSince(store, player, at, seen.get(playerId) ?? new Map());
    for (const other of others) comparing.judge(playerId, other, since);
  }
  return comparing.result();
}

class Comparing {
  readonly others = new Map<string, Other[]>();
  readonly #faults: BooksFault[] = [];
  readonly #found = new Set<string>();
  readonly #factor: bigint;
  #more = 0;
  #unsettled = 0;

  constructor(
    private readonly decimals: number,
    private readonly check: OwnCheck,
    private readonly lastAt: number,
  ) {
    this.#factor = 10n ** BigInt(maxDecimals - decimals);
  }

  add(books: AccountBooks): void {
    const { playerId, currency, balance, hasOpening, isAtRest } = books;
    const said = this.check.accounts.balanceOf(playerId, currency);
    if (said !== null) this.#found.add(JSON.stringify([playerId, currency]));
    const wrong = booksDifference(books);
    if (hasOpening && isAtRest && !isEmptyPurse(wrong)) {
      const reason = `the store's balance has ${this.#text(wrong)} more than what moved it`;
      this.#name({ player: playerId, currency, round: said?.place.round ?? null, reason });
    } else if (said !== null) {
      const { real, bonus, place } = said;
      const of = { real: real / this.#factor, bonus: bonus / this.#factor };
      const more = subtractPurses(balance, of);
      if (!isEmptyPurse(more)) this.#note(playerId, { currency, more, place });
    }
  }

  /** Names the accounts of the events that the store does not have. */
  addMissing(): void {
    for (const [player, currency, { place }] of this.check.accounts.balances()) {
      if (this.#found.has(JSON.stringify([player, currency]))) continue;
      const reason = 'the store does not have the account';
      this.#name({ player, currency, round: place.round, reason });
    }
  }

  /** Judges a balance by what moved since. */
  judge(player: string, other: Other, since: MovedSince): void {
    const { currency, more, place } = other;
    const of = ({ currency: paidIn }: Moved): boolean => paidIn === currency;
    const [rounds, cash] = [since.rounds.filter(of), since.cash.filter(of)];
    const later = cash.filter(({ at }) => at > Date.parse(place.at) + skewMs);
    const early = [...rounds, ...later].find(({ at }) => at < this.lastAt - skewMs);
    const name = (round: string | null, reason: string): void =>
      this.#name({ player, currency, round, reason });
    if (early !== undefined) return name(early.round, this.#missingText(early));
    const rest = restOf(rounds.reduce<Purse>(subtractPurses, more), cash, later.length);
    if (rest === null) return;
    if (since.isWhole) name(place.round, this.#restText(rest, place));
    else this.#unsettled += 1;
  }

  result(): BooksComparison {
    const counts = { compared: this.#found.size - this.#unsettled, unsettled: this.#unsettled };
    return { faults: this.#faults, more: this.#more, ...counts };
  }

  #note(playerId: string, other: Other): void {
    const others = this.others.get(playerId);
    if (others !== undefined) others.push(other);
    else if (this.others.size < mostPlayers) this.others.set(playerId, [other]);
    else this.#unsettled += 1;
  }

  #name(fault: BooksFault): void {
    if (this.#faults.length < mostFaults) this.#faults.push(fault);
    else this.#more += 1;
  }

  #missingText({ name, at, ...sums }: Moved): string {
    const time = new Date(at).toISOString();
    return `the events lack ${name} of ${time}, by which the store moved ${this.#text(sums)}`;
  }

  #restText(rest: Purse, { place }: OwnPlace): string {
    return `the store has ${this.#text(rest)} more than after the event in ${place()} and what moved since`;
  }

  #text({ real, bonus }: Purse): string {
    const more = bonus === 0n ? '' : ` and bonus ${formatAmount(bonus, this.decimals)}`;
    return `${formatAmount(real, this.decimals)}${more}`;
  }
}

/**
 * What of a difference is left by the newest movements of cash, from `least` of them on: which ones came after an event,
 * times alone do not tell. Null if nothing is left.
 */
function restOf(more: Purse, cash: readonly Moved[], least: number): Purse | null {
  let rest = cash.slice(0, least).reduce<Purse>(subtractPurses, more);
  const first = rest;
  for (const one of cash.slice(least)) {
    if (isEmptyPurse(rest)) return null;
    rest = subtractPurses(rest, one);
  }
  return isEmptyPurse(rest) ? null : first;
}
