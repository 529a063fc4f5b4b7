import { writeJson } from '../../../protocol/json';
import type { Credentials } from '../client';
import { type Transaction, voidOf } from '../talk';
import type { MoneyAtRisk, SentDebit, SentRound } from './risk';
import type { RunWallet } from './wallet';

/** Who may have signed a round: the operators of the run, by their IDs. */
export type Signers = ReadonlyMap<string, Credentials>;

/**
 * Voids what the last case staked: the first debit of each round, which gives the whole round back.
 * @param withAll Voids every debit of these rounds, also those that seem voided.
 */
export async function giveBack(
  wallet: RunWallet,
  signers: Signers,
  risk: MoneyAtRisk,
  withAll: boolean,
): Promise<void> {
  for (const round of withAll ? risk.all() : risk.open()) {
    const { operatorId } = round;
    const by = signers.get(operatorId);
    if (by === undefined) continue;
    for (const debit of withAll ? round.debits : mainDebits(round)) {
      const body = writeJson(callOf(round, voidOf(debit.transaction)));
      const answer = await wallet.send(wallet.signer.doTransactions(body, { by }));
      risk.settle(operatorId, body, answer);
    }
  }
}

function mainDebits({ debits }: SentRound): readonly SentDebit[] {
  const open = debits.filter(({ isVoided }) => !isVoided);
  const first = open.find(({ isFirst }) => isFirst);
  return first === undefined ? open : [first];
}

function callOf({ playerId, gameCode, gameRound }: SentRound, transaction: Transaction) {
  return { playerId, gameCode, gameRound, transactions: [transaction], transactionCount: 1 };
}
