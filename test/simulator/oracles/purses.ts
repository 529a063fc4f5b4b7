import type { Account } from '../../../lib/operator/wallet';
import type { Purse, Sighting } from './purse';

/** What a round adds to one of the player's purses. */
export interface Side {
  readonly purse: Purse;
  readonly net: number;
}

/** Every purse of a player, with what a round adds to it now. */
export function sidesOf({ list }: Purses, netIn: (currency: string) => number): Side[] {
  return list.map((purse) => ({
    purse,
    get net() {
      return netIn(purse.currency);
    },
  }));
}

/** The purses of one player, one for each currency. */
export class Purses {
  constructor(
    readonly playerId: string,
    readonly list: readonly Purse[],
  ) {}

  /** The purse in this currency; null where the player has no account in it. */
  in(currency: string): Purse | null {
    return this.list.find((purse) => purse.currency === currency) ?? null;
  }

  /** Something begins that may move money. Call {@link leave} when it has, or never will. */
  enter(): void {
    for (const purse of this.list) purse.enter();
  }

  leave(): void {
    for (const purse of this.list) purse.leave();
  }

  /** The accounts that a store or ledger has now; `isTaken`: after a debit, which never overdraws. */
  see(accounts: readonly Account[] | null | undefined, isTaken: boolean): void {
    for (const { currency, real, bonus } of accounts ?? []) {
      this.in(currency)?.see(real, bonus ?? 0n, isTaken);
    }
  }

  /** Watches every balance from now on. */
  watch(): ReadonlyMap<Purse, Sighting> {
    return new Map(this.list.map((purse) => [purse, purse.watch()]));
  }

  /** The store has blocked the player, perhaps until a time, or lifts it. */
  block(isBlocked: boolean, until: number | null = null): void {
    for (const purse of this.list) purse.block(isBlocked, until);
  }
}
