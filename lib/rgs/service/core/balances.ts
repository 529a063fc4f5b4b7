import { LatestMap } from '../../../platform/latest-map';
import type { Balance } from '../../../protocol/engine-api/replies';
import type { Owner } from '../../rounds/round';
import { playerKey } from '../state/keys';

/** A balance, and when the operator reported it. */
export interface KnownBalance {
  readonly owner: Owner;
  readonly balance: Balance;
  /** Milliseconds of the service's clock. */
  readonly asOf: number;
}

/** What a balance holds besides money; it is of one game (operator-api 4.2). */
type Offers = Pick<Balance, 'discountInfo' | 'tickets' | 'ticketInfo'>;

/** Most balances that are kept; the operator is asked again at a connect. */
const maxKept = 10_000;

const noOffers: Offers = Object.freeze({ discountInfo: null, tickets: null, ticketInfo: null });

/** The latest balance of each player and currency, as the operators reported them (E17.1). Not durable. */
export class LatestBalances {
  readonly #money = new LatestMap<KnownBalance>(maxKept);
  readonly #offers = new LatestMap<Offers>(maxKept);

  /** The balance of the owner, with the offers for its game; null as long as none is known. */
  find(owner: Owner): Balance | null {
    const known = this.#money.get(keyOf(owner));
    return known === undefined ? null : { ...known.balance, ...this.#offersFor(owner) };
  }

  /** Keeps a balance of getBalance: what it does not offer for the game is not offered any more. */
  keep(owner: Owner, balance: Balance, asOf: number): void {
    const { discountInfo, tickets, ticketInfo } = balance;
    this.#money.set(keyOf(owner), { owner, balance, asOf });
    this.#offers.set(gameKeyOf(owner), { discountInfo, tickets, ticketInfo });
  }

  /** Keeps the money of a reply to doTransactions; offers that it does not repeat stay. */
  keepMoney(owner: Owner, balance: Balance, asOf: number): void {
    const before = this.#offersFor(owner);
    this.#money.set(keyOf(owner), { owner, balance, asOf });
    this.#offers.set(gameKeyOf(owner), {
      discountInfo: balance.discountInfo ?? before.discountInfo,
      tickets: balance.tickets ?? before.tickets,
      ticketInfo: balance.ticketInfo ?? before.ticketInfo,
    });
  }

  all(): readonly KnownBalance[] {
    return [...this.#money.values()];
  }

  #offersFor(owner: Owner): Offers {
    return this.#offers.get(gameKeyOf(owner)) ?? noOffers;
  }
}

function keyOf(owner: Owner): string {
  return `${playerKey(owner)}\n${owner.currency}`;
}

function gameKeyOf(owner: Owner): string {
  return `${keyOf(owner)}\n${owner.gameProviderId}\n${owner.gameCode}`;
}
