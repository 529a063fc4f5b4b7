import { type Answer, type State } from './reference-log';
import { ReferenceWallet } from './reference-wallet';
import { type CallStep, GAME_ROUND, START, type Step, type Wallet } from './story';

/** The reference as a wallet that stories are played against. */
export function createReferencePlayer(wallet = new ReferenceWallet(GAME_ROUND, START)): Wallet {
  return {
    play: (step) => Promise.resolve(play(wallet, step)),
    state: (): Promise<State> => Promise.resolve(wallet.state()),
    balance: (currency) => Promise.resolve(wallet.balance(currency)),
  };
}

function play(wallet: ReferenceWallet, step: Step): readonly Answer[] {
  switch (step.kind) {
    case 'block':
      wallet.isBlocked = step.isBlocked;
      return [];
    case 'deposit':
      wallet.deposit('EUR', step.amount);
      return [];
    case 'mark':
      wallet.mark(step.delivery);
      return [];
    case 'call': {
      const { delivery, fate } = step;
      const reply = wallet.deliver(delivery, fate === 'unwritten' ? { commits: 0 } : {});
      if (isMarked(step, reply)) wallet.mark(delivery);
      return fate === 'answered' ? reply : [];
    }
  }
}

/** Whether the wallet marks the debits of a call, since it answers 5xx (D7). */
export function isMarked({ delivery, fate }: CallStep, reply: readonly Answer[]): boolean {
  if (fate !== 'answered') return fate !== 'unmarked';
  return reply.includes('unknown') && delivery.transactions.some(({ type }) => type === 'debit');
}
