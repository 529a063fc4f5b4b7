import { type PendingPost, type RoundHead, type RoundState, unsignedDelivery } from '../gameround';
import type { Transaction } from '../../protocol/operator-api';
import { doTransactions, type RoundKey, type Unknown, type WalletStore } from '../wallet';
import type { LedgerStoreSettings } from './options';

/** What became of a round that was to be brought to an end. */
export type Settlement =
  /** Nothing of it is under way any more. */
  | { readonly kind: 'settled'; readonly state: RoundState }
  /** A debit is under way, and too young to be given up. */
  | { readonly kind: 'waits' }
  | Unknown;

/**
 * Sends what a round has pending once more, as the RGS would: by the same rules and under the same
 * keys. None of it may be a debit. Resolves to why it is still not definite, or to null.
 */
export async function resendPending(
  store: WalletStore,
  round: RoundKey,
  { gameCode, pending }: RoundHead,
  { clock, deadlineMs }: LedgerStoreSettings,
): Promise<Error | null> {
  const transactions = (pending?.posts ?? []).map(transactionOf);
  const { playerId, gameRound } = round;
  const call = { playerId, gameRound, gameCode: gameCode ?? '', transactions };
  // None of it is a debit, so no delivery has to be known again (D7).
  const outcome = await doTransactions(round, call, unsignedDelivery('settle'), {
    store: withoutAccounts(store),
    clock,
    deadlineMs,
    policy: { useBonusFirst: true, creditTo: 'real' },
  });
  return outcome.unknown?.cause ?? null;
}

/** Nobody is waiting for balances. */
function withoutAccounts(store: WalletStore): WalletStore {
  return {
    decimals: store.decimals,
    ready: () => store.ready(),
    load: (round, hashes) => store.load(round, hashes),
    commit: (round, change) => store.commit(round, change),
    accounts: async () => ({ kind: 'known', accounts: null }),
    attention: (operatorId) => store.attention(operatorId),
    readRound: (round) => store.readRound(round),
    close: () => store.close(),
  };
}

function transactionOf({ hash, record }: PendingPost): Transaction {
  switch (record.type) {
    case 'debit': {
      const { currency, amount, discount, first, serial } = record;
      return { type: 'debit', hash, currency, amount, discount, isFirstDebit: first, serial };
    }
    case 'credit': {
      const { currency, amount, serial } = record;
      return { type: 'credit', hash, currency, amount, serial };
    }
    case 'end':
      return { type: 'end', hash };
  }
}
