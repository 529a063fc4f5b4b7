export { type Admission, admit } from './admission';
export { hashesNeeded } from './void';
export { decideCancel } from './cancel';
export { mayBeForgotten } from './debit';
export {
  type CallProgress,
  callStart,
  decideStep,
  type Step,
  type StepContext,
} from './decide-step';
export {
  type Delivery,
  type MoneyPolicy,
  unsignedDelivery,
  type Verdict,
} from './verdict';
export { giveUpPending, knownOf, workOf } from './pending';
export {
  type CreditRecord,
  type DebitRecord,
  type EndRecord,
  type HashEntry,
  isKeptForEver,
  needsAttention,
  netOf,
  noTexts,
  type PendingPost,
  type PendingWork,
  type RecordedCalls,
  type RecordedOutcome,
  type Repair,
  type RepairKind,
  type RepairPerson,
  type RepairStatus,
  type RoundHead,
  type RoundRepairs,
  type RoundState,
  roundStates,
  type RoundView,
  type StuckState,
  type TransactionRecord,
  unseenRound,
  type VoidRecord,
} from './round';
export { isMade, isRepairHash } from './repair';
export {
  type AccountBalance,
  type Movement,
  type MovementRefusal,
  movementRefusals,
  type NewRecord,
  onlyGuards,
  type CommitCause,
  commitCauses,
  onlyRewrites,
  tellsNothing,
  type RoundChange,
  withRecord,
} from './change';
