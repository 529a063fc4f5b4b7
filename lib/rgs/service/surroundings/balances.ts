import type { Balance } from '../../../protocol/engine-api';
import type { Owner } from '../../rounds';
import { playerKey } from '../state/keys';
import { setLatest } from './latest';

/** A balance, and when the operator reported it. */
export interface KnownBalance {
  readonly owner: Owner;
  readonly balance: Balance;
  /** Milliseconds of the service's clock. */
  readonly asOf: number;
}

/** What a balance holds besides money; it is of one game (operator-api 4.2). */
type Offers = Pick<Balance, 'discountInfo' | 'tickets' | 'ticketInfo'>;

/** The latest balance of each player and currency, as the operators reported them (E17.1). Not durable. */
export interface LatestBalances {
  /** The balance of the owner, with the offers for its game; null as long as none is known. */
  find(owner: Owner): Balance | null;
  /** Keeps a balance of getBalance: what it does not offer for the game is not offered any more. */
  keep(owner: Owner, balance: Balance, asOf: number): void;
  /** Keeps the money of a reply to doTransactions; offers that it does not repeat stay. */
  keepMoney(owner: Owner, balance: Balance, asOf: number): void;
  all(): readonly KnownBalance[];
}

/** Players of whom a balance is kept, with their games; the operator is asked again at a connect. */
const maxKept = 10_000;

/** No balance is known at first. */
export function createLatestBalances(): LatestBalances {
  const money = new Map<string, KnownBalance>();
  const offers = new Map<string, Offers>();
  const keep = (owner: Owner, balance: Balance, offered: Offers, asOf: number): void => {
    setLatest(money, keyOf(owner), { owner, balance, asOf }, maxKept);
    setLatest(offers, gameKeyOf(owner), offered, maxKept);
  };
  return {
    find(owner) {
      const known = money.get(keyOf(owner));
      if (known === undefined) return null;
      return { ...known.balance, ...(offers.get(gameKeyOf(owner)) ?? none) };
    },
    keep: (owner, balance, asOf) => keep(owner, balance, offersOf(balance), asOf),
    keepMoney(owner, balance, asOf) {
      const before = offers.get(gameKeyOf(owner)) ?? none;
      const { discountInfo, tickets, ticketInfo } = balance;
      const offered: Offers = {
        discountInfo: discountInfo ?? before.discountInfo,
        tickets: tickets ?? before.tickets,
        ticketInfo: ticketInfo ?? before.ticketInfo,
      };
      keep(owner, balance, offered, asOf);
    },
    all: () => [...money.values()],
  };
}

const none: Offers = Object.freeze({ discountInfo: null, tickets: null, ticketInfo: null });

function offersOf({ discountInfo, tickets, ticketInfo }: Balance): Offers {
  return { discountInfo, tickets, ticketInfo };
}

function keyOf(owner: Owner): string {
  return `${playerKey(owner)}\n${owner.currency}`;
}

function gameKeyOf(owner: Owner): string {
  return `${keyOf(owner)}\n${owner.gameProviderId}\n${owner.gameCode}`;
}
