export { type Admission, admit } from './admission';
export { hashesNeeded } from './behind';
export { decideCancel } from './cancel';
export {
  type CallProgress,
  callStart,
  decideStep,
  type Step,
  type StepContext,
} from './decide-step';
export { type Delivery, unsignedDelivery } from './delivery';
export { giveUpPending, knownOf, workOf } from './pending';
export type {
  Repair,
  RepairKind,
  RepairPerson,
  RepairStatus,
  RoundRepairs,
  StuckState,
} from './proposal';
export {
  givenBy,
  isMade,
  isRepairHash,
  isUnpaid,
  type OtherCredits,
  paidByRepairs,
  repairHash,
  stakeOf,
} from './repair';
export {
  type AccountBalance,
  type CreditRecord,
  type DebitRecord,
  type EndRecord,
  type HashEntry,
  isKeptForEver,
  type Movement,
  type MovementRefusal,
  movementRefusals,
  needsAttention,
  netOf,
  type NewRecord,
  noTexts,
  onlyGuards,
  onlyRewrites,
  type PendingPost,
  type PendingWork,
  type RecordedCalls,
  type RecordedOutcome,
  type RoundChange,
  type RoundHead,
  type RoundState,
  roundStates,
  type RoundView,
  type TransactionRecord,
  unseenRound,
  type VoidRecord,
  withRecord,
} from './round';
export type { DecideContext, MoneyPolicy, Ruling, Verdict } from './verdict';
