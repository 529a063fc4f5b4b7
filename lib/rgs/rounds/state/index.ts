export {
  amountCredited,
  amountToCollect,
  baseStake,
  creditPending,
  owed,
  stakeOf,
} from './amounts';
export { apply, applyAll } from './apply';
export type {
  Closed,
  Collected,
  DebitAdded,
  EntryAdded,
  RoundEvent,
  Settled,
  SettledDue,
  Started,
  Voided,
} from './event';
export type {
  Entry,
  Owner,
  Refusal,
  Round,
  RoundCredit,
  RoundDebit,
  RoundState,
  SpinCounter,
} from './round';
export type { CreditDue, DebitDue, Discount, Due, EndDue, VoidDue } from './transaction';
