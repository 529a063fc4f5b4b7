import { ownText } from '../../../platform/own-text';
import type { Due } from '../../rounds';
import { createMovements, type Fated } from './movements';
import type { Movement } from './service-round';
import { allows, certain, isCertain, nearest, plus, type Possible } from './possible';

/** A balance that the wallet's calls do not account for. */
export interface Misfit {
  /** The round whose call showed it first; null if no call came between. */
  readonly gameRound: string | null;
  readonly expected: Possible;
  readonly balance: bigint;
}

/** A call in flight. */
export interface SentCall {
  readonly gameRound: string | null;
  readonly order: number;
}

/**
 * The account of one player at the wallet, as the calls to it account for: what each transaction may have
 * moved, and whether the balances that came back fit. It says which round is the first that does not.
 */
export interface WalletBook {
  /** Transactions go out: from now on they may count. A question for the balance has none. */
  sent(gameRound: string | null, transactions: readonly Due[]): SentCall;
  /** A balance that a reply to this call reported, whether or not the service saw the reply. */
  reported(call: SentCall, balance: bigint): void;
  /** The call has ended: its fates, and the balance of its reply; null if there is none. */
  answered(call: SentCall, fates: readonly Fated[], balance: bigint | null): void;
  /** A round leaves the service by its age: what it moved is part of the start from now on (B4). */
  forget(gameRound: string): void;
  /** The balance before the rounds that the service still has; null as long as no balance was certain. */
  readonly start: bigint | null;
  /** The latest balance that was reported; null if there is none. */
  readonly latest: bigint | null;
  /** What all transactions together may have moved. */
  readonly moved: Possible;
  /** The first is the one to look at; each later one is counted from the balance that was seen before. */
  readonly misfits: readonly Misfit[];
  /** By how much the balance changed with the calls of a round; null if that was not seen. */
  changeOf(gameRound: string): bigint | null;
}

/** A round that was there before the book, such as one of a process that was killed (B4). */
export interface EarlierRound {
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

/** A book without a call yet. */
export function createWalletBook(earlier: readonly EarlierRound[] = []): WalletBook {
  const movements = createMovements();
  for (const { gameRound, movements: moved } of earlier) {
    const own = ownText(gameRound);
    for (const movement of moved) movements.restore(own, movement);
  }
  const inFlight = new Map<SentCall, readonly string[]>();
  const misfits: Misfit[] = [];
  const seenByRound = new Map<string, Seen>();
  /** Rounds with a call since the last balance that fitted, earliest first. */
  const since = new Set<string>();
  let base: bigint | null = null;
  let start: bigint | null = null;
  let latest: bigint | null = null;

  /** What certainly moved is the round's own; the rest is of the first that is in doubt, else of the first. */
  const noteChange = (balance: bigint): void => {
    let rest = latest === null ? null : balance - latest;
    let doubtful: Seen | null = null;
    for (const gameRound of since) {
      const seen = seenByRound.get(gameRound);
      if (seen === undefined) continue;
      const { least, isSure } = movements.leastOf(gameRound);
      if (rest !== null && !isSure) doubtful ??= seen;
      else {
        if (rest !== null) {
          seen.change = (seen.change ?? 0n) + least - seen.accounted;
          rest -= least - seen.accounted;
        }
        seen.accounted = least;
      }
    }
    const [first = ''] = since;
    const owner = doubtful ?? seenByRound.get(first);
    if (rest !== null && owner !== undefined) owner.change = (owner.change ?? 0n) + rest;
    if (rest !== null && doubtful !== null) doubtful.accounted += rest;
    latest = balance;
  };
  const check = (call: SentCall, balance: bigint): void => {
    const own = new Set(movements.of(call.gameRound ?? '', inFlight.get(call) ?? []));
    const moved = movements.moved({ order: call.order, own });
    noteChange(balance);
    if (base === null) {
      if (!isCertain(moved)) return;
      base = balance - moved.least;
      start = base;
    }
    const expected = plus(certain(base), moved);
    if (!allows(expected, balance)) {
      const [gameRound = null] = since;
      if (misfits.length < maxMisfits) misfits.push({ gameRound, expected, balance });
      base += balance - nearest(expected, balance);
    }
    since.clear();
    for (const { gameRound } of inFlight.keys()) if (gameRound !== null) since.add(gameRound);
  };
  return {
    sent(named, transactions) {
      const gameRound = named === null ? null : ownText(named);
      const call: SentCall = { gameRound, order: movements.order };
      inFlight.set(
        call,
        transactions.map(({ hash }) => hash),
      );
      if (gameRound !== null) {
        since.add(gameRound);
        if (!seenByRound.has(gameRound)) {
          seenByRound.set(gameRound, {
            change: null,
            accounted: movements.leastOf(gameRound).least,
          });
        }
        for (const due of transactions) movements.send(gameRound, due);
      }
      return call;
    },
    reported: check,
    answered(call, fates, balance) {
      const { gameRound } = call;
      if (gameRound !== null) for (const fated of fates) movements.settle(gameRound, fated);
      if (balance !== null) check(call, balance);
      inFlight.delete(call);
      if (inFlight.size === 0) movements.rest();
      if (balance !== null && gameRound !== null && !isInFlight(inFlight, gameRound)) {
        since.delete(gameRound);
      }
    },
    forget(gameRound) {
      const moved = movements.forget(gameRound);
      seenByRound.delete(gameRound);
      if (base === null || start === null) return;
      // The outcome of a round that stays in doubt is unknown: the next balance is a new start.
      base = isCertain(moved) ? base + moved.least : null;
      start = isCertain(moved) ? start + moved.least : null;
    },
    get start() {
      return start;
    },
    get latest() {
      return latest;
    },
    get moved() {
      return movements.moved();
    },
    misfits,
    changeOf: (gameRound) => seenByRound.get(gameRound)?.change ?? null,
  };
}

function isInFlight(inFlight: ReadonlyMap<SentCall, unknown>, gameRound: string): boolean {
  return [...inFlight.keys()].some((call) => call.gameRound === gameRound);
}
