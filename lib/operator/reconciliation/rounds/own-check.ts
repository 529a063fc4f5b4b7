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

/** An event, and where it is. */
export interface OwnPlace {
  readonly id: string;
  /** As the event has it. */
  readonly at: string;
  readonly player: string;
  readonly round: string | null;
  /** A line of a file. */
  readonly place: () => string;
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
  readonly #recent = new RecentEvents();
  readonly #accounts = new AccountCheck<OwnPlace>(
    (fault, before) => {
      const { place, player, round } = fault;
      if (this.faults.length >= mostFaults) this.more += 1;
      else this.faults.push({ place: place(), player, round, before: before?.place() ?? null });
    },
    (event) => this.#recent.has(event),
  );

  /** What the events say that the players have. */
  get accounts(): Pick<AccountCheck<OwnPlace>, 'balances' | 'balanceOf'> {
    return this.#accounts;
  }

  add(event: Readonly<Record<string, unknown>>, place: () => string): void {
    const { id, at, playerId, gameRound } = event;
    const round = typeof gameRound === 'string' ? gameRound : null;
    const one = { id: String(id), at: String(at), player: String(playerId), round, place };
    this.#accounts.check(event, one);
    this.#recent.add(one);
  }
}

/** The last events. To add one costs next to nothing; the table is made when it is first needed. */
class RecentEvents {
  #keys: (readonly [id: string, at: string])[] = [];
  #table: Set<string> | null = null;

  add({ id, at }: OwnPlace): void {
    this.#keys.push([id, at]);
    this.#table?.add(`${id} ${at}`);
    if (this.#keys.length < 2 * leastRecent) return;
    this.#keys = this.#keys.slice(leastRecent);
    this.#table = null;
  }

  has({ id, at }: OwnPlace): boolean {
    this.#table ??= new Set(this.#keys.map((one) => one.join(' ')));
    return this.#table.has(`${id} ${at}`);
  }
}
