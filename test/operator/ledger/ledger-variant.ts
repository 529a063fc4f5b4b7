import { setImmediate as nextTurn } from 'node:timers/promises';

import { createMemoryLedger, type MemoryLedger } from '../../../lib/proof';
import type { LedgerDone, LedgerRefused } from '../../../lib/operator/wallet';

/** What a ledger leaves out, of what the port allows to leave out. */
export interface LedgerVariant {
  /** Whether answers include the accounts; true unless set. */
  readonly tellsAccounts?: boolean;
  /** Whether players have bonus money; true unless set. */
  readonly hasBonus?: boolean;
}

/** The memory ledger, no sooner answering than in the next turn, so that others come between. */
export function createLedgerVariant(variant: LedgerVariant = {}): MemoryLedger {
  const { tellsAccounts = true, hasBonus = true } = variant;
  const ledger = createMemoryLedger();
  const answered = async (posting: () => Promise<LedgerDone | LedgerRefused>) => {
    await nextTurn();
    const answer = await posting();
    if (answer.kind === 'refused') return answer;
    const { accounts, paid } = answer;
    return {
      kind: 'done',
      ...(tellsAccounts && accounts !== undefined ? { accounts } : {}),
      ...(hasBonus && paid !== undefined ? { paid } : {}),
    } as const;
  };
  return {
    debit: (posting, signal) => answered(() => ledger.debit(posting, signal)),
    credit: (posting, signal) => answered(() => ledger.credit(posting, signal)),
    reverse: (posting, signal) => answered(() => ledger.reverse(posting, signal)),
    async balances(player, signal) {
      await nextTurn();
      return ledger.balances(player, signal);
    },
    async openPlayer(player) {
      if (!hasBonus && player.balances.bonus !== undefined) throw new Error('No bonus money here.');
      return ledger.openPlayer(player);
    },
    deposit: (order) => ledger.deposit(order),
    withdraw: (order) => ledger.withdraw(order),
    setBlocked: (player, blocked) => ledger.setBlocked(player, blocked),
  };
}
