export { decideCancel } from './cancel';
export {
  type CallProgress,
  callStart,
  decideStep,
  type Step,
  type StepContext,
} from './decide-step';
export { giveUpPending, knownOf, voidPending, workOf } from './pending';
export {
  type CreditRecord,
  type DebitRecord,
  type EndRecord,
  type HashEntry,
  isKeptForEver,
  type Movement,
  type MovementRefusal,
  type NewRecord,
  needsAttention,
  type PendingPost,
  type PendingWork,
  type RecordedOutcome,
  type RoundChange,
  type RoundHead,
  type RoundState,
  type RoundView,
  type TransactionRecord,
  unseenRound,
  type VoidRecord,
  withRecord,
} from './round';
export type { DecideContext, MoneyPolicy, Ruling, Verdict } from './verdict';
