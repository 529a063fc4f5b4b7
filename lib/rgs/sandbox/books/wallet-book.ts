import { ownText } from '../../../platform/own-text';
import type { Due } from '../../rounds/round';
import { type Fated, Movements } from './movements';
import type { Movement } from './service-round';
import { allows, certain, isCertain, nearest, plus, type Possible } from './possible';

/** A balance that the wallet's calls do not account for. */
interface Misfit {
  /** The round with the first call that showed it; null if no call came between. */
  readonly gameRound: string | null;
  readonly expected: Possible;
  readonly balance: bigint;
}

/** A call in flight. */
export interface SentCall {
  readonly gameRound: string | null;
  readonly order: number;
}

/** A round that was there before the book, such as one of a process that was killed (B4). */
interface EarlierRound {
  readonly gameRound: string;
  /** What it has moved; voids and credits may still come. */
  readonly movements: readonly Movement[];
}

/** What balances have shown of a round. */
interface Seen {
  /** By how much the balance changed with it; null if that was not seen. */
  change: bigint | null;
  /** The part of its movements that is in a balance already. */
  accounted: bigint;
}

/** Misfits that are listed; the rest is more of the same. */
const maxMisfits = 100;

/**
 * The account of one player at the wallet, as the calls to it account for: what each transaction may have
 * moved, and whether the balances that came back fit. It says which round is the first that does not.
 */
export class WalletBook {
  readonly #movements = new Movements();
  readonly #inFlight = new Map<SentCall, readonly string[]>();
  readonly #misfits: Misfit[] = [];
  readonly #seen = new Map<string, Seen>();
  /** Rounds with a call since the last balance that fitted, earliest first. */
  readonly #since = new Set<string>();
  #base: bigint | null = null;
  #start: bigint | null = null;
  #latest: bigint | null = null;

  constructor(earlier: readonly EarlierRound[] = []) {
    for (const { gameRound, movements } of earlier) {
      const own = ownText(gameRound);
      for (const movement of movements) this.#movements.restore(own, movement);
    }
  }

  /** The balance before the rounds that the service still has; null as long as no balance was certain. */
  get start(): bigint | null {
    return this.#start;
  }

  /** The latest balance that was reported; null if there is none. */
  get latest(): bigint | null {
    return this.#latest;
  }

  /** What all transactions together may have moved. */
  get moved(): Possible {
    return this.#movements.moved();
  }

  /** The first is the one to look at; each later one is counted from the balance that was seen before. */
  get misfits(): readonly Misfit[] {
    return this.#misfits;
  }

  /** By how much the balance changed with the calls of a round; null if that was not seen. */
  changeOf(gameRound: string): bigint | null {
    return this.#seen.get(gameRound)?.change ?? null;
  }

  /** Transactions go out: from now on they may count. A question for the balance has none. */
  sent(named: string | null, transactions: readonly Due[]): SentCall {
    const gameRound = named === null ? null : ownText(named);
    const call: SentCall = { gameRound, order: this.#movements.order };
    const hashes = transactions.map(({ hash }) => hash);
    this.#inFlight.set(call, hashes);
    if (gameRound === null) return call;
    this.#since.add(gameRound);
    if (!this.#seen.has(gameRound)) {
      const accounted = this.#movements.leastOf(gameRound).least;
      this.#seen.set(gameRound, { change: null, accounted });
    }
    for (const due of transactions) this.#movements.send(gameRound, due);
    return call;
  }

  /** A balance that a reply to this call reported, whether or not the service saw the reply. */
  reported(call: SentCall, balance: bigint): void {
    const own = new Set(this.#movements.of(call.gameRound ?? '', this.#inFlight.get(call) ?? []));
    const moved = this.#movements.moved({ order: call.order, own });
    this.#noteChange(balance);
    if (this.#base === null) {
      if (!isCertain(moved)) return;
      this.#base = balance - moved.least;
      this.#start = this.#base;
    }
    const expected = plus(certain(this.#base), moved);
    if (!allows(expected, balance)) {
      const [gameRound = null] = this.#since;
      if (this.#misfits.length < maxMisfits) this.#misfits.push({ gameRound, expected, balance });
      this.#base += balance - nearest(expected, balance);
    }
    this.#since.clear();
    for (const { gameRound } of this.#inFlight.keys()) {
      if (gameRound !== null) this.#since.add(gameRound);
    }
  }

  /** The call has ended: its fates, and the balance of its reply; null if there is none. */
  answered(call: SentCall, fates: readonly Fated[], balance: bigint | null): void {
    const { gameRound } = call;
    if (gameRound !== null) for (const fated of fates) this.#movements.settle(gameRound, fated);
    if (balance !== null) this.reported(call, balance);
    this.#inFlight.delete(call);
    if (this.#inFlight.size === 0) this.#movements.rest();
    if (balance === null || gameRound === null) return;
    if (![...this.#inFlight.keys()].some((one) => one.gameRound === gameRound)) {
      this.#since.delete(gameRound);
    }
  }

  /** A round leaves the service by its age: what it moved is part of the start from now on (B4). */
  forget(gameRound: string): void {
    const moved = this.#movements.forget(gameRound);
    this.#seen.delete(gameRound);
    if (this.#base === null || this.#start === null) return;
    // The outcome of a round that stays in doubt is unknown: the next balance is a new start.
    this.#base = isCertain(moved) ? this.#base + moved.least : null;
    this.#start = isCertain(moved) ? this.#start + moved.least : null;
  }

  /** What certainly moved is the round's own; the rest belongs to the first that is in doubt, else to the first. */
  #noteChange(balance: bigint): void {
    let rest = this.#latest === null ? null : balance - this.#latest;
    let doubtful: Seen | null = null;
    for (const gameRound of this.#since) {
      const seen = this.#seen.get(gameRound);
      if (seen === undefined) continue;
      const { least, isSure } = this.#movements.leastOf(gameRound);
      if (rest !== null && !isSure) doubtful ??= seen;
      else {
        if (rest !== null) {
          seen.change = (seen.change ?? 0n) + least - seen.accounted;
          rest -= least - seen.accounted;
        }
        seen.accounted = least;
      }
    }
    const [first = ''] = this.#since;
    const owner = doubtful ?? this.#seen.get(first);
    if (rest !== null && owner !== undefined) owner.change = (owner.change ?? 0n) + rest;
    if (rest !== null && doubtful !== null) doubtful.accounted += rest;
    this.#latest = balance;
  }
}
