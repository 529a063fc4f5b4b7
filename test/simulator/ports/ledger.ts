import type {
  Ledger,
  LedgerDone,
  LedgerPosting,
  LedgerRefused,
  PlayerKey,
} from '../../../lib/operator/wallet';
import type { Lifetime } from '../world/lifetime';
import { exchange } from './exchange';
import type { PurseOf } from './store';

/** A ledger as one process reaches it. What it does not know it throws, as the port says. */
export function farLedger(ledger: Ledger, lifetime: Lifetime, purseOf: PurseOf): Ledger {
  const open = new AbortController().signal;
  const ask = <T>(name: string, what: string, player: PlayerKey, work: () => Promise<T>) => {
    const purse = what === 'balances' ? null : purseOf(player);
    const enter = (): void => purse?.enter();
    const leave = (): void => purse?.leave();
    return exchange<T>({
      lifetime,
      name,
      what,
      work,
      keepsMoney: true,
      unknown: silent,
      enter,
      leave,
    });
  };
  const post = (what: 'debit' | 'credit' | 'reverse', posting: LedgerPosting, isTaken: boolean) =>
    ask<LedgerDone | LedgerRefused>(posting.gameRound, what, posting, async () => {
      const result = await ledger[what](posting as never, open);
      const accounts = await ledger.balances(posting, open);
      purseOf(posting)?.see(accounts, isTaken && result.kind === 'done');
      return result;
    });
  return {
    debit: (posting) => post('debit', posting, posting.amount > 0n),
    credit: (posting) => post('credit', posting, false),
    reverse: (posting) => post('reverse', posting, false),
    balances: (player) =>
      ask(player.playerId, 'balances', player, () => ledger.balances(player, open)),
  };
}

function silent(): never {
  throw new Error('The ledger does not answer.');
}
