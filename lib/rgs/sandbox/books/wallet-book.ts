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
  const changeByRound = new Map<string, bigint>();
  /** Rounds with a call since the last balance that fitted, earliest first. */
  const since = new Set<string>();
  let base: bigint | null = null;
  let start: bigint | null = null;
  let latest: bigint | null = null;

  const noteChange = (balance: bigint): void => {
    const [gameRound] = since;
    if (latest !== null && gameRound !== undefined) {
      const before = changeByRound.get(gameRound) ?? 0n;
      changeByRound.set(gameRound, before + balance - latest);
    }
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
      changeByRound.delete(gameRound);
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
    changeOf: (gameRound) => changeByRound.get(gameRound) ?? null,
  };
}

function isInFlight(inFlight: ReadonlyMap<SentCall, unknown>, gameRound: string): boolean {
  return [...inFlight.keys()].some((call) => call.gameRound === gameRound);
}
