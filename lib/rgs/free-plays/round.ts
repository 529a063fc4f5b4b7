import type { Round } from '../rounds';

/** What a round does to the package that pays its first debit. */
export interface PlayOfRound {
  readonly operatorId: string;
  readonly serial: string;
  /** Plays taken: 1 as long as its debit is due or stands, otherwise 0 (E18.2). */
  readonly used: number;
  /** Units collected (E18.3). */
  readonly won: bigint;
}

/** The play of a round; null if its debit is not paid by a package. A ticket never pays a later debit (E8.4). */
export function playOf({ owner, debits, entries }: Round): PlayOfRound | null {
  const first = debits[0];
  const serial = first?.due.serial ?? null;
  if (first === undefined || serial === null) return null;
  const isTaken = first.state === 'due' || first.state === 'accepted';
  const won = entries.reduce((sum, { collected }) => sum + collected, 0n);
  return { operatorId: owner.operatorId, serial, used: isTaken ? 1 : 0, won };
}
