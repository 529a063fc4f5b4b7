import assert from 'node:assert/strict';
import type {
  EventSource,
  PlayerKey,
  Players,
  WalletEvent,
  WalletStore,
} from '../../../operator/wallet';
import { addPurses, emptyPurse, type Purse } from '../../../protocol/money/purse';
import { signedUnits } from './case';

/** A store that keeps the players' money, and events. */
export interface WithPlayers {
  readonly store: WalletStore & { readonly events: EventSource };
  readonly players: Players;
}

/**
 * A player's money by the events alone (O12): the accounts of each event are those of the player's event before it plus
 * its movements, and the sum of all movements is the balance.
 */
export function moneyOf(player: PlayerKey): {
  follow(event: WalletEvent): void;
  check(players: Players): Promise<void>;
} {
  const sums = new Map<string, Purse>();
  return {
    follow(event) {
      const { id, accounts } = event;
      for (const { currency, real, bonus } of 'movements' in event ? event.movements : []) {
        const moved = { real: signedUnits(real), bonus: signedUnits(bonus) };
        sums.set(currency, addPurses(sums.get(currency) ?? emptyPurse, moved));
      }
      const told = (accounts ?? []).map(({ currency, real, bonus }) => {
        return [currency, { real: signedUnits(real), bonus: signedUnits(bonus ?? '0') }] as const;
      });
      assert.deepEqual(new Map(told), sums, `O12: the accounts of ${id}`);
    },
    async check(players) {
      const read = await players.readPlayer(player);
      assert.ok(read.kind === 'known', 'the player must be known');
      const balances = read.accounts.map(({ currency, real, bonus }) => {
        return [currency, { real, bonus: bonus ?? 0n }] as const;
      });
      assert.deepEqual(new Map(balances), sums, 'O12: the sum of all movements is the balance');
    },
  };
}
