import type { AccountStore } from '../../../lib/operator/wallet';
import type { Round } from '../../../lib/rgs/rounds/round';
import type { BooksView } from '../../../lib/rgs/sandbox';
import type { StudioBook } from './parties/studio-book';

/** What is compared once the faults have ended, and nothing is due. */
export interface Audited {
  readonly store: AccountStore;
  readonly operatorId: string;
  readonly players: readonly string[];
  /** Whole units that each player began with. */
  readonly start: bigint;
  readonly rounds: readonly Round[];
  readonly books: BooksView;
  readonly book: StudioBook;
}

/** Everything that differs, in words; empty if all is right (B3, O1 to O3). */
export async function audit(audited: Audited): Promise<string[]> {
  const { books, book, rounds } = audited;
  const problems = [
    ...books.differences.map((one) => `books differ: ${JSON.stringify(one)}`),
    ...books.doubts.map((one) => `a doubt is left: ${JSON.stringify(one)}`),
    ...book.unsettled.map(({ gameRound, state }) => `the studio has ${gameRound} ${state}`),
  ];
  for (const round of rounds) problems.push(...(await auditRound(audited, round)));
  for (const playerId of audited.players) problems.push(...(await auditPurse(audited, playerId)));
  return problems;
}

/** Units of the store's fourth decimal in one. */
function unitOf({ decimals }: AccountStore): bigint {
  return 10n ** BigInt(decimals);
}

/** The purse that the studio's own book leads to is the wallet's balance. */
async function auditPurse(audited: Audited, playerId: string): Promise<string[]> {
  const { store, operatorId, start, book } = audited;
  const known = await store.rounds.accounts({ operatorId, playerId });
  const balance = known.kind === 'known' ? known.accounts?.[0]?.real : undefined;
  const expected = (start + book.netOf(playerId)) * unitOf(store);
  return balance === expected ? [] : [`${playerId} has ${balance}, by the studio ${expected}`];
}

/** Each hash counts at the wallet as the service's book has it, and at most once. */
async function auditRound(audited: Audited, round: Round): Promise<string[]> {
  const { store, operatorId } = audited;
  const { gameRound, owner, debits, credits } = round;
  const report = await store.rounds.readRound({ operatorId, playerId: owner.playerId, gameRound });
  const expected = new Map<string, bigint>();
  const stands = round.state === 'open' || round.state === 'closed';
  for (const { due, state } of debits) {
    expected.set(due.hash, stands && state === 'accepted' ? -due.amount : 0n);
  }
  for (const { due, state } of credits) {
    expected.set(due.hash, stands && state === 'paid' ? due.amount : 0n);
  }
  const problems: string[] = [];
  if (round.queue.length > 0) problems.push(`${gameRound}: ${round.queue[0]?.type} is still due`);
  let sum = 0n;
  let wanted = 0n;
  for (const [hash, { transaction, void: order }] of report?.entries ?? []) {
    if (transaction?.type === 'end') continue;
    if (!expected.has(hash)) problems.push(`${gameRound}: the service never had ${hash}`);
    const sign = transaction?.type === 'debit' ? -1n : 1n;
    const moved =
      transaction === undefined ? 0n : sign * (transaction.purse.real + transaction.purse.bonus);
    const undone = order === undefined ? 0n : order.purse.real + order.purse.bonus;
    sum += moved + undone;
    const should = (expected.get(hash) ?? 0n) * unitOf(store);
    if (stands && moved + undone !== should) {
      problems.push(`${gameRound}: ${hash} moved ${moved + undone}, and not ${should}`);
    }
  }
  for (const amount of expected.values()) wanted += amount * unitOf(store);
  if (sum !== wanted) problems.push(`${gameRound}: moved ${sum}, by the service ${wanted}`);
  return problems;
}
