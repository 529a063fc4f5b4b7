import {
  type PendingPost,
  type Repair,
  type RoundHead,
  type RoundState,
  unsignedDelivery,
} from '../gameround';
import { paidChange, refusedChange } from '../gameround/repairs/decision';
import type { Transaction } from '../../protocol/operator-api';
import { doTransactions, type RoundKey, type Rounds, type Unknown } from '../wallet';
import type { LedgerStoreSettings } from './options';

/** The result of settling a round. */
export type Settlement =
  /** Nothing of it is pending any more. */
  | { readonly kind: 'settled'; readonly state: RoundState }
  /** A debit is pending, and too young to be given up. */
  | { readonly kind: 'waits' }
  | Unknown;

/**
 * Retries a round's pending work as a resend of the RGS would: by the same rules and under the same keys.
 * It must hold no debit. Resolves to why it is still not definite, or to null.
 */
export async function resendPending(
  rounds: Rounds,
  round: RoundKey,
  head: RoundHead,
  { clock, deadlineMs }: LedgerStoreSettings,
): Promise<Error | null> {
  const { gameCode, pending } = head;
  const repair = head.repairs?.list.find(({ status }) => status === 'paying');
  if (repair !== undefined) return continueRepair(rounds, round, head, repair, clock.now());
  const transactions = (pending?.posts ?? []).map(transactionOf);
  const { playerId, gameRound } = round;
  const call = { playerId, gameRound, gameCode: gameCode ?? '', transactions };
  // It holds no debit, so the delivery need not be recognised later (D7).
  const outcome = await doTransactions(round, call, unsignedDelivery('settle'), {
    rounds: withoutAccounts(rounds),
    clock,
    deadlineMs,
    policy: { useBonusFirst: true, creditTo: 'real' },
  });
  return outcome.unknown?.cause ?? null;
}

/** Retries the posting of an approved repair; a refusal of the ledger is final for it (D11.3). */
async function continueRepair(
  rounds: Rounds,
  round: RoundKey,
  head: RoundHead,
  repair: Repair,
  now: number,
): Promise<Error | null> {
  const by = repair.decidedBy ?? repair.proposedBy;
  const result = await rounds.commit(round, paidChange(head, repair, now));
  const written =
    result.kind === 'refused'
      ? await rounds.commit(
          round,
          refusedChange(result.head ?? head, repair.id, by, result.reason, now),
        )
      : result;
  return written.kind === 'unknown' ? written.cause : null;
}

/** No caller waits for balances. */
function withoutAccounts(rounds: Rounds): Rounds {
  return {
    load: (round, hashes) => rounds.load(round, hashes),
    commit: (round, change) => rounds.commit(round, change),
    accounts: async () => ({ kind: 'known', accounts: null }),
    readRound: (round) => rounds.readRound(round),
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
