import type { Repair } from '../../gameround';
import type { RepairRefusal } from '../../gameround/repairs/order';

/** The message to the person for each {@link RepairRefusal}. */
export const repairRefusalTexts: Readonly<Record<RepairRefusal, string>> = {
  noRound: 'Nothing is known of this round.',
  notStuck: 'This repair does not apply: the round needs no repair, or another kind.',
  pendingWork: 'Something of the round is still pending at the ledger: try again once it is done.',
  alreadyProposed: 'Another proposal for this round is open: approve or reject that one first.',
  tooMany: 'As many repairs of the round were made as can be.',
  noSuchHash: 'The round has no transaction with this hash that fits.',
  hashMissing: 'Several credits of the round are unpaid: name one by its hash.',
  notUnpaid: 'No credit of that hash was refused for good with a win that may have been played.',
  noAccount:
    'The player has no account in the currency of the credit: open it, then propose again.',
  alreadyPaid: 'A repair has paid this credit.',
  notVoidable: 'The hash is not of a debit, or the debit is voided.',
  noProposal: 'The round has no such proposal.',
  stale: 'The round has changed since the proposal: look at it, and propose again.',
  expired: 'The proposal is older than 24 hours: propose again.',
  rejected: 'The proposal was rejected.',
  ownProposal: 'Another person than the proposer must approve it.',
  made: 'The repair is made: nothing is left to reject.',
  refusedByAccount:
    'The account refused the money, and the repair is over: propose again once the cause is gone.',
};

/** The message to the person for a refusal; of one by the account, with the reason that it gave. */
export function repairRefusalText({
  reason,
  repair,
}: {
  readonly reason: RepairRefusal;
  readonly repair?: Repair;
}): string {
  const text = repairRefusalTexts[reason];
  const note = reason === 'refusedByAccount' ? (repair?.note ?? null) : null;
  return note === null ? text : `${text} (${note})`;
}
