export {
  type ApprovalContext,
  type ApprovalRuling,
  decideApproval,
  paidChange,
  refusedChange,
} from './approve';
export type { FourEyes, RepairOrder, RepairPolicy, RepairRefusal } from './order';
export { decideProposal, type ProposalContext, type ProposalRuling } from './propose';
export { decideRejection, type RejectionRuling } from './reject';
export {
  lapseOf,
  mostRepairs,
  needsAnother,
  proposalLifeMs,
  repairOf,
  statusIn,
} from './standing';
