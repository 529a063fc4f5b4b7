import { AccountCheck } from '../../archive/verify/accounts';

/** An event that contradicts the events before it. */
export interface OwnFault {
  /** Where it is: a line of a file. */
  readonly place: string;
  readonly player: string;
  /** Null of an event that is of no round. */
  readonly round: string | null;
  /** Where the event is that it does not follow from; null if its accounts are no amounts. */
  readonly before: string | null;
}

/** Where an event is, and when it was. */
export interface OwnPlace {
  readonly at: number;
  readonly place: string;
  readonly player: string;
  readonly round: string | null;
}

/** Most faults that are kept. */
const mostFaults = 10;

/** The events of which a consumer may get a second copy are among so many last ones: more than a few pages. */
const leastRecent = 20_000;

/**
 * Checks the events of an operator before anybody is asked: the accounts of each must be those of its player's event before
 * plus its movements (O12). An event that was delivered again soon after counts once. Keeps the balances of every player.
 */
export class OwnCheck {
  readonly faults: OwnFault[] = [];
  /** Faults that are not kept. */
  more = 0;
  #recent = new Set<string>();
  /** The events before these: as many. */
  #older: ReadonlySet<string> = new Set();
  readonly #accounts = new AccountCheck<OwnPlace>((fault, before) => {
    if (this.faults.length >= mostFaults) this.more += 1;
    else {
      const { place, player, round } = fault;
      this.faults.push({ place, player, round, before: before?.place ?? null });
    }
  });

  /** What the events say that the players have. */
  get accounts(): Pick<AccountCheck<OwnPlace>, 'balances' | 'balanceOf'> {
    return this.#accounts;
  }

  add(event: Readonly<Record<string, unknown>>, place: string): void {
    const { id, at, playerId, gameRound } = event;
    if (this.#isRepeated(`${String(id)} ${String(at)}`)) return;
    const round = typeof gameRound === 'string' ? gameRound : null;
    this.#accounts.check(event, {
      at: Date.parse(String(at)),
      place,
      player: String(playerId),
      round,
    });
  }

  #isRepeated(key: string): boolean {
    if (this.#recent.has(key) || this.#older.has(key)) return true;
    this.#recent.add(key);
    if (this.#recent.size >= leastRecent) {
      [this.#older, this.#recent] = [this.#recent, new Set()];
    }
    return false;
  }
}
