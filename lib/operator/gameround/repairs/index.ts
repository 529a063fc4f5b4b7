export { decideApproval, paidChange, refusedChange } from './decision';
export type { FourEyes, RepairOrder, RepairPolicy, RepairRefusal } from './order';
export { decideProposal } from './propose';
export { decideRejection } from './reject';
export { isSamePerson } from './same-person';
export {
  lapseOf,
  maxRepairs,
  needsAnother,
  proposalLifeMs,
  repairOf,
  statusIn,
} from './standing';
