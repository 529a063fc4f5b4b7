import { type RoundView, unseenRound } from '../../gameround';
import type { Account, RoundKey } from '../../wallet';
import type { Attempts } from '../../wallet/attempts';

/**
 * A round with all its records. Loading the head first makes a ledger store finish pending reversals. Null if
 * the store did not answer.
 */
export async function readWhole(round: RoundKey, attempts: Attempts): Promise<RoundView | null> {
  const loaded = await attempts.run((rounds) => rounds.load(round, []));
  if (loaded.kind === 'unknown') {
    await attempts.failed(loaded);
    return null;
  }
  const read = await attempts.run(async (rounds) => {
    return { kind: 'read', report: await rounds.readRound(round) } as const;
  });
  if (read.kind === 'unknown') {
    await attempts.failed({ kind: 'unknown', cause: read.cause });
    return null;
  }
  const { report } = read;
  if (report === null) return { head: unseenRound, entries: new Map() };
  return { head: report.head, entries: report.entries };
}

/** The accounts of the round's player, null for an unknown one; undefined if the store did not answer. */
export async function readAccounts(
  round: RoundKey,
  attempts: Attempts,
): Promise<readonly Account[] | null | undefined> {
  const result = await attempts.run((rounds) => rounds.accounts(round));
  if (result.kind === 'known') return result.accounts;
  await attempts.failed(result);
  return undefined;
}
